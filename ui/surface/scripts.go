package surface

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// maxGlyphs is the longest index that is written with raised or lowered
// letters. In longer ones they are hard to read, and those are rarely indices.
const maxGlyphs = 6

// raised and lowered are the letters that Unicode has as super- and subscripts.
var (
	raised = strings.NewReplacer(pairs("0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW′",
		"⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ′")...)
	lowered = strings.NewReplacer(pairs("0123456789+-−=()aehijklmnoprstuvx",
		"₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")...)
)

func pairs(from, to string) []string {
	old, glyphs := []rune(from), []rune(to)
	list := make([]string, 0, 2*len(old))
	for i := range old {
		list = append(list, string(old[i]), string(glyphs[i]))
	}
	return list
}

// superscript writes s raised: "x" + superscript("2") is x². Where letters are
// missing it is ^2 or ^(a b).
func superscript(s string) string { return script(s, raised, "^") }

// subscript writes s lowered: x₂, _2 or _(a b).
func subscript(s string) string { return script(s, lowered, "_") }

func script(s string, glyphs *strings.Replacer, mark string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if utf8.RuneCountInString(s) <= maxGlyphs {
		if out := glyphs.Replace(s); allReplaced(s, out) {
			return out
		}
	}
	if utf8.RuneCountInString(s) == 1 {
		return mark + s
	}
	return mark + "(" + s + ")"
}

// allReplaced reports whether every letter of s has a glyph in out. A prime is
// its own.
func allReplaced(s, out string) bool {
	from, to := []rune(s), []rune(out)
	for i := range from {
		if from[i] == to[i] && from[i] != '′' {
			return false
		}
	}
	return true
}

// footnoteMark is the text of a reference to a footnote.
var footnoteMark = regexp.MustCompile(`^\[?(\d{1,4}|[a-z]|note \d{1,3}|[*†‡])\]?$`)

// replaceScripts writes sup and sub with Unicode's letters. A reference to a
// footnote keeps its number in brackets and loses its link.
func replaceScripts(doc *html.Node) {
	for _, n := range elements(doc, "sup", "sub") {
		text := plainText(n)
		switch {
		case n.Data == "sub":
			replace(n, textNode(subscript(text)))
		case len(elements(n, "a")) > 0 && footnoteMark.MatchString(text):
			replace(n, textNode("["+strings.Trim(text, "[]")+"]"))
		case strings.HasPrefix(text, "["):
			replace(n, textNode(text))
		default:
			replace(n, textNode(superscript(text)))
		}
	}
}
