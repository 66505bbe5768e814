package spans

import (
	"strings"
	"testing"

	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
)

// TestQuotesWrapBehindTheirBar looks at every width: a word that glamour's
// count of cells has forgotten would stand in front of the bar.
func TestQuotesWrapBehindTheirBar(t *testing.T) {
	t.Parallel()
	const words = "The similarity floor is applied before depth, to the bare cosine. A section with a final score of 0.27 can stand above."
	deep := func(bar string) func(width int) string {
		return func(width int) string {
			return strings.Repeat(bar, min(2, nestingFor(width)))
		}
	}
	wide := "┃┃┃ "
	bold := *styles.DefaultStyles["notty"]
	bold.BlockQuote.IndentToken = &wide
	for _, tt := range []struct {
		name, text, theme string
		bar               func(width int) string
	}{
		{"quote", "> " + words, "dark", func(int) string { return "│ " }},
		{"quote in a list", "- item\n\n  > " + words, "dark", func(int) string { return "│ " }},
		{"nested", "> > " + words, "pink", deep("│ ")},
		{"list in a quote", "> - " + words + "\n> - " + words, "notty", func(int) string { return "| " }},
		{"note", "> [!NOTE]\n> " + words, "light", func(int) string { return "│ " }},
		{"long token", "> " + words, "", func(int) string { return "┃┃" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			theme, ok := themes[tt.theme]
			if !ok {
				theme = bold
			}
			// Below that a quote in a list is put beside it.
			for width := 2 * MinWidth; width < 90; width++ {
				r := render(t, tt.text, Options{Width: width, Theme: theme})
				for i, l := range r.PlainLines(0, r.Height()) {
					l = strings.TrimLeft(l, " ") // margins of the document
					if strings.Trim(l, "│┃| ") == "" || strings.HasSuffix(l, "item") {
						continue
					}
					if bar := strings.TrimRight(tt.bar(width), " "); !strings.HasPrefix(l, bar) {
						t.Errorf("width %d: line %d is %q, want it behind %q", width, i, l, bar)
					}
				}
			}
		})
	}
}

func TestAlertsShowTheirKindOnALineOfItsOwn(t *testing.T) {
	t.Parallel()
	plain := *styles.DefaultStyles["notty"]
	plain.Document, plain.Strong = ansi.StyleBlock{}, ansi.StylePrimitive{}
	for text, want := range map[string]string{
		"> [!NOTE]\n> one\n> two":    "| Note\n| one two",
		"> [!Tip] one":               "| Tip\n| one",
		"> [!WARNING]\n>\n> one":     "| Warning\n|\n| one",
		"> [!CAUTION]\n> - one":      "| Caution\n|\n| • one",
		"> [!IMPORTANT]":             "| Important",
		"> [!NOTES] one":             "| [!NOTES] one",
		"> one [!NOTE] two":          "| one [!NOTE] two",
		"> [!NOTE][r]\n\n[r]: x.y":   "| !NOTE",
		"> [!NOTE]\n\n[!note]: /x.y": "| !NOTE",
		"[!NOTE] one":                "[!NOTE] one",
	} {
		r := render(t, text, Options{Width: 40, Theme: plain})
		if got := strings.Join(r.PlainLines(0, r.Height()), "\n"); got != want {
			t.Errorf("%q shows\n%s\nwant\n%s", text, got, want)
		}
	}
}
