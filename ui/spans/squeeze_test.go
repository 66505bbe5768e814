package spans

import (
	"strings"
	"testing"
)

func TestTablesAreAsWideAsTheirText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"right and left", "| depth | multiplier |\n|---:|---|\n| 0 | 1.00 |\n| 10 | x |", ` depth | multiplier
-------|------------
     0 | 1.00
    10 | x`},
		{"centred", "| a | a long header |\n|---|:-:|\n| b | c |", ` a | a long header
---|---------------
 b |       c`},
		{"wide characters and styles", "| *a* | 日本 |\n|---|--:|\n| `bcd` | 語 |", ` *a* | 日本
-----|------
 bcd |   語`},
		{"empty cells", "| a | | c |\n|---|---|---|\n| | | d |", ` a |   | c
---|---|---
   |   | d`},
		{"in a quote", "> | a | b |\n> |---|---|\n> | c | d |", `|
|  a | b
| ---|---
|  c | d`},
		{"one column", "| a |\n|---|\n| b |", ` a
---
 b`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := render(t, tt.text, Options{Width: 60, Theme: themes["notty"]})
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
