package spans

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestPlainTeX(t *testing.T) {
	for source, want := range map[string]string{
		`\max(1 - \text{depth} \times \text{rate},\ \text{floor})`: "max(1 - depth × rate, floor)",
		`\frac{a}{b}`:                       "a/b",
		`\frac{1}{k + r}`:                   "1/(k + r)",
		`\sum_{i=1}^{n} w_i x_i^2`:          "∑ᵢ₌₁ⁿ wᵢ xᵢ²",
		`\alpha\cdot x_{max}`:               "α· xₘₐₓ",
		`x^{q}`:                             "x^q",
		`e^{-\lambda t}`:                    "e^(-λ t)",
		`\left( x \right)`:                  "( x )",
		`\mathrm{idf}(q_i) = \log \sqrt{N}`: "idf(qᵢ) = log √N",
		`a_{\text{doc}}`:                    "a_doc",
		`50\%`:                              "50%",
		`x`:                                 "x",
	} {
		c, ok := plainTeX(source)
		if !ok {
			t.Errorf("%s is refused", source)
			continue
		}
		if got := string(c.visible); got != want {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
	for _, source := range []string{
		`\begin{matrix} a & b \\ c \end{matrix}`, `\unknown x`, `a}`, `{a`, `x^`, `\frac{a}`, `\text{a{b}}`, `\`, `x_^2`, strings.Repeat("{", 2000) + strings.Repeat("}", 2000),
	} {
		if c, ok := plainTeX(source); ok {
			t.Errorf("%.40s is read as %q", source, c.visible)
		}
	}
}

// Each byte of the result comes from a place of the source, in order.
func TestPlainTeXKeepsPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			`\frac`, "{", "}", "a", "bc", "_", "^", " ", `\max`, `\text{floor}`, "ä", `\times`, "1", `\sqrt`, `\left`, ".", "\n",
		})).Draw(t, "pieces"), "")
		c, ok := plainTeX(source)
		if !ok {
			return
		}
		if len(c.starts) != len(c.visible) {
			t.Fatalf("%d places for %d bytes", len(c.starts), len(c.visible))
		}
		last := int32(0)
		for _, at := range c.starts {
			if at < last || int(at) >= len(source) {
				t.Fatalf("%q: places %v", source, c.starts)
			}
			last = at
		}
	})
}

// A word of a formula is marked where its source is.
func TestFormulasAreMarked(t *testing.T) {
	for _, text := range []string{
		"Before\n\n$$\n\\max(1 - \\text{depth} \\times \\text{rate},\\ \\text{floor})\n$$\n\nafter.\n",
		"It is $\\max(1 - \\text{depth} \\times \\text{rate},\\ \\text{floor})$ of it.\n",
	} {
		r, err := Render(context.Background(), text, Options{Width: 60, Theme: themes["notty"], PlainTeX: true})
		if err != nil {
			t.Fatal(err)
		}
		found := r.Find("depth × rate")
		if len(found) != 1 {
			t.Fatalf("found %d times in %q", len(found), bareText(r))
		}
		before, _, _ := strings.Cut(text, "depth")
		within, _, _ := strings.Cut(text, "rate")
		from, to := utf8.RuneCountInString(before), utf8.RuneCountInString(within+"rate")
		if found[0].Start != from || found[0].End < to || found[0].End > to+1 {
			t.Errorf("%d to %d, want %d to %d", found[0].Start, found[0].End, from, to)
		}
		if !strings.Contains(bareText(r), "max(1 - depth × rate, floor)") {
			t.Errorf("got %q", bareText(r))
		}
	}
}

// Whatever the formula and the width, the map is exact and each character of a
// word that was copied comes from its own place.
func TestPlainTeXKeepsTheMap(t *testing.T) {
	text := "We use $x_1 + \\frac{a}{b + c}$ and $\\sum_{i=1}^{n} w_i$ here.\n\n- so $\\alpha \\cdot \\text{similarity}$\n\n" +
		"$$\n\\max(1 - \\text{depth} \\times \\text{rate},\\ \\text{floor})\n$$\n\n| a | b |\n|---|---|\n| $x^2$ | $\\min(y)$ |\n"
	runes := []rune(text)
	for width := MinWidth; width <= 100; width++ {
		for _, theme := range []string{"notty", "dark"} {
			r, err := Render(context.Background(), text, Options{Width: width, Theme: themes[theme], PlainTeX: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Approximate() {
				t.Fatalf("width %d, %s: the map is approximate", width, theme)
			}
			for _, l := range r.lines {
				for _, c := range l.cells {
					shown := l.styled[c.at : c.at+c.len]
					if c.end == c.start+1 && len(shown) == 1 && isASCIILetter(shown[0]) && string(runes[c.start:c.end]) != shown && runes[c.start] != '\\' {
						t.Fatalf("width %d: %q is mapped to %q", width, shown, string(runes[c.start:c.end]))
					}
				}
			}
		}
	}
}

func bareText(r *Rendering) string {
	return ansi.Strip(strings.Join(r.Mark(nil, Palette{}).Lines(0, r.Height(), -1), "\n"))
}
