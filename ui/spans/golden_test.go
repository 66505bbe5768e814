package spans

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

// levelMarks stand around what is painted, one pair for each level.
var levelMarks = map[Level][2]string{
	MatchWeak:   {"‹", "›"},
	MatchMedium: {"⟦", "⟧"},
	MatchStrong: {"«", "»"},
	Found:       {"{", "}"},
	Citation:    {"░", "░"},
}

// picture writes painted lines as plain text with visible marks.
func picture(m *Marked, focus int) string {
	var b strings.Builder
	for i := range m.rendering.lines {
		l := &m.rendering.lines[i]
		looks := m.looks(i, focus)
		b.WriteString(m.gutter(i, focus) + "│")
		open := look{}
		for j, c := range l.cells {
			now := look{}
			if looks != nil {
				now = looks[j]
			}
			if now != open {
				b.WriteString(levelMarks[open.level][1])
				b.WriteString(levelMarks[now.level][0])
				open = now
			}
			b.WriteString(l.text(c))
		}
		b.WriteString(levelMarks[open.level][1] + "\n")
	}
	return b.String()
}

const goldenText = `# Depth decay

A page that the crawler found *three links* away from the ` + "`seed`" + ` is probably less
central. Its score is multiplied by max(1 − depth × rate, floor), so with the
[defaults](https://example.org/defaults) a page keeps 85 %.

| depth | multiplier | remark |
|------:|------------|--------|
| 0 | 1.00 | the seed itself |
| 1 | 0.95 | what the seed links to |

1. first item with enough words to be wrapped in a narrow pane
2. second

   > quoted in an item

` + "```go\nfunc decay(depth int) float64 {\n\treturn max(1-float64(depth)*rate, floor) // never 0\n}\n```\n"

func TestPaintedScreens(t *testing.T) {
	t.Parallel()
	spans := []Span{
		at(t, goldenText, "three links* away from the `seed`", 0),
		at(t, goldenText, "max(1 − depth × rate, floor), so with the\n[defaults]", 0),
		at(t, goldenText, "depth × rate", 0),
		at(t, goldenText, "https://example.org/defaults", 0),
		at(t, goldenText, "what the seed links to", 0),
		at(t, goldenText, "wrapped in a narrow pane\n2. second", 0),
		at(t, goldenText, "float64(depth)*rate, floor)", 0),
	}
	for i, level := range []Level{MatchMedium, Citation, MatchStrong, Found, Citation, MatchWeak, Citation} {
		spans[i].Level = level
	}
	spans[1].Label, spans[3].Label, spans[4].Label, spans[6].Label = "1", "2", "3", "10"
	for _, tt := range []struct {
		name  string
		theme string
		width int
	}{
		{"wide dark", "dark", 72}, {"narrow plain", "notty", 30}, {"records", "pink", 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := render(t, goldenText, Options{Width: tt.width, Theme: themes[tt.theme]})
			golden.RequireEqual(t, picture(r.Mark(spans, Palette{}), 1))
		})
	}
	t.Run("source", func(t *testing.T) {
		t.Parallel()
		golden.RequireEqual(t, picture(Source(goldenText, 50).Mark(spans, Palette{}), 1))
	})
}

func TestGutter(t *testing.T) {
	t.Parallel()
	const text = "one\n\ntwo two\n\nthree\n\n[r]: http://x.y\n\nfour"
	r := render(t, text, Options{Width: 40, Theme: themes["notty"]})
	m := r.Mark([]Span{
		{Start: 0, End: 12, Level: Citation, Label: "1"},
		at(t, text, "three", 0), // no label
		func() Span { s := at(t, text, "http://x.y", 0); s.Label = "23x"; return s }(),
	}, Palette{Gutter: Style{Bold: true}})
	var got []string
	for i := range r.Height() {
		got = append(got, m.gutter(i, -1))
	}
	want := []string{
		"\x1b[1m▌1\x1b[m  ", "    ", "\x1b[1m▌\x1b[m   ", "    ", "    ", "    ", "\x1b[1m▌23\x1b[m ",
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("gutter\n%q\nwant\n%q", got, want)
	}
	both := r.Mark([]Span{{Start: 0, End: 3, Label: "1"}, {Start: 0, End: 3, Label: "2"}}, Palette{})
	if got := both.gutter(0, 1); got != "▌2  " {
		t.Errorf("with the second span focused %q, want its label", got)
	}
	hostile := r.Mark([]Span{{Start: 0, End: 3, Label: "\x1b[31m"}}, Palette{})
	if got := hostile.gutter(0, 0); got != "▌␛[ " {
		t.Errorf("hostile label %q", got)
	}
}
