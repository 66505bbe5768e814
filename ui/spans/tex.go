package spans

import (
	"strings"
	"unicode/utf8"
)

// texDepth bounds how deep the groups of a formula may be nested.
const texDepth = 12

// texSigns are the commands that stand for a sign or a word of the same meaning.
var texSigns = map[string]string{
	"times": "×", "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "ast": "∗", "star": "⋆", "circ": "∘",
	"le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼",
	"propto": "∝", "ll": "≪", "gg": "≫", "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩",
	"emptyset": "∅", "forall": "∀", "exists": "∃", "neg": "¬", "land": "∧", "lor": "∨", "wedge": "∧", "vee": "∨",
	"to": "→", "rightarrow": "→", "leftarrow": "←", "Rightarrow": "⇒", "Leftrightarrow": "⇔", "mapsto": "↦", "mid": "|",
	"sum": "∑", "prod": "∏", "int": "∫", "partial": "∂", "nabla": "∇", "infty": "∞", "ldots": "…", "dots": "…", "cdots": "⋯",
	"lVert": "‖", "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|", "vert": "|", "langle": "⟨", "rangle": "⟩",
	"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "ell": "ℓ", "top": "⊤", "perp": "⊥", "prime": "′",
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
	"theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
	"sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
	"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
	"max": "max", "min": "min", "log": "log", "ln": "ln", "exp": "exp", "sin": "sin", "cos": "cos", "tan": "tan", "arg": "arg",
	"argmax": "argmax", "argmin": "argmin", "lim": "lim", "sup": "sup", "inf": "inf", "det": "det", "dim": "dim", "gcd": "gcd", "bmod": "mod",
	"quad": " ", "qquad": " ", "left": "", "right": "", "big": "", "Big": "", "bigl": "", "bigr": "", "Bigl": "", "Bigr": "",
	"displaystyle": "", "limits": "",
	",": " ", ";": " ", ":": " ", " ": " ", "!": "", "{": "{", "}": "}", "%": "%", "_": "_", "$": "$", "#": "#", "&": "&", "|": "‖",
}

// texWords are the commands whose argument is read as it is.
var texWords = map[string]bool{"text": true, "textrm": true, "textit": true, "textbf": true, "texttt": true, "mbox": true}

// texFonts are the commands whose argument is a formula in another font.
var texFonts = map[string]bool{
	"mathrm": true, "mathit": true, "mathbf": true, "mathsf": true, "mathtt": true, "mathcal": true, "mathbb": true,
	"operatorname": true, "boldsymbol": true,
}

const (
	raisedFrom  = "0123456789+-=()niabcdefghjklmoprstuvwxyzT"
	raisedTo    = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀ"
	loweredFrom = "0123456789+-=()aehijklmnoprstuvx"
	loweredTo   = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
)

// plainTeX writes a simple formula as plain text: \frac{a}{b} as a/b, x_1 as x₁.
// Each byte of the result starts at a byte of source. It refuses, as a whole,
// what it does not know: half a formula would say something else.
func plainTeX(source string) (*chars, bool) {
	t := &tex{source: source, out: &chars{}}
	if !t.run(0) || t.at < len(source) {
		return nil, false
	}
	return t.out, true
}

type tex struct {
	source string
	at     int
	out    *chars
}

// run reads up to the end or to a brace that closes more than was opened.
func (t *tex) run(depth int) bool {
	if depth > texDepth {
		return false
	}
	for t.at < len(t.source) && t.source[t.at] != '}' {
		if !t.next(depth) {
			return false
		}
	}
	return true
}

// next reads one command, group or character.
func (t *tex) next(depth int) bool {
	from := t.at
	switch c := t.source[t.at]; c {
	case '\\':
		return t.command(depth)
	case '{':
		return t.group(depth)
	case '^', '_':
		return t.script(depth)
	case '&', '}':
		return false
	case '~':
		t.out.add(" ", from)
		t.at++
	default:
		_, n := utf8.DecodeRuneInString(t.source[from:])
		t.out.copy(t.source[from:from+n], from)
		t.at += n
	}
	return true
}

// group reads what stands in braces, without them.
func (t *tex) group(depth int) bool {
	if t.at >= len(t.source) || t.source[t.at] != '{' {
		return false
	}
	t.at++
	if !t.run(depth+1) || t.at >= len(t.source) {
		return false
	}
	t.at++
	t.out.altered = true
	return true
}

func (t *tex) command(depth int) bool {
	from := t.at
	name := t.name()
	if sign, ok := texSigns[name]; ok {
		t.out.add(sign, from)
		if name == "left" || name == "right" {
			t.skip(".") // a bracket that is not shown
		}
		return true
	}
	switch {
	case texWords[name]:
		return t.words()
	case texFonts[name]:
		return t.group(depth)
	case name == "frac", name == "tfrac", name == "dfrac":
		if !t.enclosed(depth, from) {
			return false
		}
		t.out.add("/", t.at)
		return t.enclosed(depth, t.at)
	case name == "sqrt":
		t.out.add("√", from)
		return t.enclosed(depth, from)
	}
	return false
}

// name reads the name of a command: letters, or one sign.
func (t *tex) name() string {
	t.at++
	from := t.at
	for t.at < len(t.source) && isASCIILetter(t.source[t.at]) {
		t.at++
	}
	if t.at == from && t.at < len(t.source) {
		_, n := utf8.DecodeRuneInString(t.source[t.at:])
		t.at += n
	}
	return t.source[from:t.at]
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func (t *tex) skip(sign string) {
	if strings.HasPrefix(t.source[t.at:], sign) {
		t.at += len(sign)
	}
}

// words copies an argument in braces as it is.
func (t *tex) words() bool {
	if t.at >= len(t.source) || t.source[t.at] != '{' {
		return false
	}
	end := strings.IndexAny(t.source[t.at+1:], `{}\`)
	if end < 0 || t.source[t.at+1+end] != '}' {
		return false
	}
	t.out.copy(t.source[t.at+1:t.at+1+end], t.at+1)
	t.out.altered = true
	t.at += end + 2
	return true
}

// enclosed reads an argument in braces, in parentheses if it has more than one
// word; they stand at the byte first and at the brace that ends it.
func (t *tex) enclosed(depth, first int) bool {
	held := t.out
	t.out = &chars{}
	ok := t.group(depth)
	inner := t.out
	t.out = held
	if !ok {
		return false
	}
	together := isTogether(string(inner.visible))
	if !together {
		t.out.add("(", first)
	}
	t.append(inner)
	if !together {
		t.out.add(")", t.at-1)
	}
	return true
}

func (t *tex) append(c *chars) {
	t.out.visible = append(t.out.visible, c.visible...)
	t.out.starts = append(t.out.starts, c.starts...)
	t.out.altered = true
}

// isTogether reports that a text needs no parentheses beside a sign.
func isTogether(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r < utf8.RuneSelf && !isWordRune(r) && r != '.' && r != '_' || r == '×' || r == '·' || r == '∑'
	}) < 0
}

// script reads an index or a power, in small figures where all of it has them.
func (t *tex) script(depth int) bool {
	from, sign := t.at, t.source[t.at:t.at+1]
	t.at++
	held := t.out
	t.out = &chars{}
	ok := t.at < len(t.source) && t.source[t.at] != '^' && t.source[t.at] != '_' && t.next(depth+1)
	inner := t.out
	t.out = held
	if !ok || len(inner.visible) == 0 {
		return false
	}
	small, big := raisedTo, raisedFrom
	if sign == "_" {
		small, big = loweredTo, loweredFrom
	}
	if shown, ok := shifted(string(inner.visible), big, small); ok {
		t.out.add(shown, from)
		return true
	}
	t.out.copy(sign, from)
	together := isTogether(string(inner.visible))
	if !together {
		t.out.add("(", from)
	}
	t.append(inner)
	if !together {
		t.out.add(")", t.at-1)
	}
	return true
}

// shifted replaces each character of from by the one of to in its place. It
// fails if one has none.
func shifted(s, from, to string) (string, bool) {
	places := []rune(to)
	var b strings.Builder
	for _, r := range s {
		at := strings.IndexRune(from, r)
		if at < 0 {
			return "", false
		}
		b.WriteRune(places[at])
	}
	return b.String(), true
}
