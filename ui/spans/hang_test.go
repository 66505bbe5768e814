package spans

import (
	"strings"
	"testing"

	"charm.land/glamour/v2/styles"
)

func TestItemsHangBehindTheirBullets(t *testing.T) {
	t.Parallel()
	theme := *styles.DefaultStyles["notty"]
	theme.List.LevelIndent = 2
	for _, tt := range []struct{ name, text, want string }{
		{"bullets", "- one two three four five\n- six", `• one two three
  four five
• six`},
		{"numbers", "9. one two three four five\n10. six", `9. one two three
  four five
10. six`},
		{"tasks", "- [x] one two three four five\n- [ ] six", `[x] one two
  three four five
[ ] six`},
		{"nested", "- one\n  1. two three four five six\n- seven", `• one
  1. two three
    four five six
• seven`},
		{"blocks in an item", "- one\n\n  two three four five six\n\n  > seven\n\n  ```\n  x\n  ```", `• one

  two three four
  five six
  | seven

    x`},
		{"in a quote", "> - one two three four\n> - five", `|
| • one two
|   three four
| • five`},
		{"no items", "• one two three four five six\n\n> 1\\. one two three four five", `• one two three
four five six

| 1. one two three
| four five`},
		{"empty", "- \n- x", "•\n• x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := render(t, tt.text, Options{Width: 22, Theme: theme})
			var got []string
			for _, l := range r.PlainLines(0, r.Height()) {
				got = append(got, strings.TrimPrefix(l, "  ")) // the document's margin
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("shown as\n%s\nwant\n%s", strings.Join(got, "\n"), tt.want)
			}
		})
	}
}
