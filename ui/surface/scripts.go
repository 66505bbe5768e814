package surface

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// maxGlyphs is the longest index that is written with raised or lowered
// letters. In longer ones they are hard to read, and those are rarely indices.
const maxGlyphs = 6

// The letters that Unicode has as super- and subscripts, each below its plain
// one. A prime is raised already.
const (
	plainRaised = "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW′"
	raised      = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ′"

	plainLowered = "0123456789+-−=()aehijklmnoprstuvx"
	lowered      = "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
)

// superscript writes s raised: "x" + superscript("2") is x². Where letters are
// missing it is ^2 or ^(a b).
func superscript(s string) string { return script(s, plainRaised, raised, "^") }

// subscript writes s lowered: x₂, _2 or _(a b).
func subscript(s string) string { return script(s, plainLowered, lowered, "_") }

func script(s, plain, glyphs, mark string) string {
	s = strings.TrimSpace(s)
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return ""
	case n <= maxGlyphs:
		if out, ok := translate(s, plain, glyphs); ok {
			return out
		}
		if n == 1 {
			return mark + s
		}
	}
	return mark + "(" + s + ")"
}

// translate replaces each rune of s by the one in glyphs that stands where it
// stands in plain; ok is false when one is missing there.
func translate(s, plain, glyphs string) (out string, ok bool) {
	from, to := []rune(plain), []rune(glyphs)
	var b strings.Builder
	for _, r := range s {
		i := slices.Index(from, r)
		if i < 0 {
			return "", false
		}
		b.WriteRune(to[i])
	}
	return b.String(), true
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
