package spans

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"charm.land/glamour/v2/ansi"
	"charm.land/glamour/v2/styles"
	xansi "github.com/charmbracelet/x/ansi"
	"github.com/webrag/webrag-tui/offset"
)

// themes of the tests: coloured, without colours, with a code style by name and
// with templates that write around the text.
var themes = map[string]ansi.StyleConfig{
	"dark":    *styles.DefaultStyles["dark"],
	"light":   *styles.DefaultStyles["light"],
	"notty":   *styles.DefaultStyles["notty"],
	"dracula": *styles.DefaultStyles["dracula"],
	"pink":    *styles.DefaultStyles["pink"],
	"format":  formatTheme(),
}

func formatTheme() ansi.StyleConfig {
	t := *styles.DefaultStyles["notty"]
	t.Emph.Format = "<<{{.text}}>>"
	t.Link.Format = "({{.text}})"
	t.Code.Prefix, t.Code.Suffix = "`", "`"
	return t
}

// widths are sampled densely where panes are narrow.
var widths = []int{5, 10, 11, 13, 20, 33, 60, 120}

// each runs check for every snippet in every width, the themes taking turns so
// that each meets every snippet.
func each(t *testing.T, check func(t *testing.T, text string, o Options)) {
	names := []string{"dark", "light", "notty", "dracula", "pink", "format"}
	for i, s := range snippets {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for j, w := range widths {
				check(t, s.text, Options{Width: w, Theme: themes[names[(i+j)%len(names)]]})
			}
		})
	}
}

func render(t testing.TB, text string, o Options) *Rendering {
	t.Helper()
	r, err := Render(context.Background(), text, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTagsMoveNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, text string, o Options) {
		t.Helper()
		if r := render(t, text, o); r.Approximate() {
			t.Errorf("width %d: the rendering with tags has other lines", o.Width)
		}
	})
}

func TestLinesFitAndHoldNothingButStylesAndLinks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, text string, o Options) {
		t.Helper()
		r := render(t, text, o)
		whole := r.Mark([]Span{{Start: 0, End: 1 << 20, Level: Citation, Label: "1"}}, testPalette)
		for _, m := range []*Marked{r.Mark(nil, Palette{}), whole} {
			lines := m.Lines(0, r.Height(), 0)
			if len(lines) != r.Height() {
				t.Fatalf("%d lines of %d", len(lines), r.Height())
			}
			for i, l := range lines {
				if w := xansi.StringWidth(l); w > max(o.Width, MinWidth)+GutterWidth {
					t.Errorf("width %d: line %d has %d cells: %q", o.Width, i, w, l)
				}
				checkTerminalSafe(t, l)
			}
		}
	})
}

// checkTerminalSafe fails for whatever a terminal would do but show text in a
// style or link it, and for styles and links that go on after the line.
func checkTerminalSafe(t *testing.T, line string) {
	t.Helper()
	style, link := false, false
	rest := line
	for rest != "" {
		at := strings.IndexByte(rest, '\x1b')
		text := rest
		if at >= 0 {
			text = rest[:at]
		}
		if safe := offset.Line(text); safe != text {
			t.Fatalf("%q in line %q", text, line)
		}
		if at < 0 {
			break
		}
		seq, _, n, _ := xansi.DecodeSequence(rest[at:], xansi.NormalState, nil)
		switch {
		case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
			style = seq != "\x1b[m"
			if strings.HasPrefix(seq, "\x1b[58") || strings.Contains(seq, ";58;2;") {
				t.Fatalf("a tag reached the terminal: %q", line)
			}
		case strings.HasPrefix(seq, "\x1b]8;"):
			link = !strings.HasPrefix(seq, "\x1b]8;;\a")
			if safe := offset.Line(strings.Trim(seq, "\x1b\a")); safe != strings.Trim(seq, "\x1b\a") {
				t.Fatalf("link %q in line %q", seq, line)
			}
		default:
			t.Fatalf("sequence %q in line %q", seq, line)
		}
		rest = rest[at+n:]
	}
	if style || link {
		t.Fatalf("line %q leaves its style or link open", line)
	}
}

// TestGlamourWritesTheSame holds the pipeline, which goes around glamour's own,
// to glamour's text where nothing is repaired.
func TestGlamourWritesTheSame(t *testing.T) {
	t.Parallel()
	unrepaired := "# Title\n\nA paragraph of *some* words with **strong** ones, `code` and more.\n\n" +
		"- one\n- two\n\n> quoted\n\n```go\nfunc f() {}\n```\n"
	for name, theme := range themes {
		for _, w := range []int{24, 60, 100} {
			want := glamourLines(t, unrepaired, theme, w)
			r := render(t, unrepaired, Options{Width: w, Theme: theme})
			if got := strings.Join(r.PlainLines(0, r.Height()), "\n"); got != want {
				t.Errorf("%s at %d:\n%s\nglamour has:\n%s", name, w, got, want)
			}
		}
	}
}

func glamourLines(t *testing.T, text string, theme ansi.StyleConfig, width int) string {
	t.Helper()
	out, err := glamourRender(text, theme, width)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for line := range strings.Lines(xansi.Strip(out)) {
		b.WriteString(strings.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
	// Of several empty lines one is left, and none around the text.
	lines := regexp.MustCompile(`\n{3,}`).ReplaceAllString(b.String(), "\n\n")
	return strings.Trim(lines, "\n")
}
