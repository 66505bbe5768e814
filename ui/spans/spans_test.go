package spans

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"charm.land/glamour/v2/styles"
	"github.com/webrag/webrag-tui/offset"
)

// at returns the span of the n-th (from 0) occurrence of part in text.
func at(t *testing.T, text, part string, n int) Span {
	t.Helper()
	from := 0
	for range n {
		from += strings.Index(text[from:], part) + len(part)
	}
	i := strings.Index(text[from:], part)
	if i < 0 {
		t.Fatalf("%q has no %q", text, part)
	}
	x := offset.NewIndex(text)
	return Span{Start: x.Point(from + i), End: x.Point(from + i + len(part)), Level: Found}
}

// TestWhatASpanPaints names a span by its text and gives what the terminal then
// shows marked.
func TestWhatASpanPaints(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, part string
		nth, width       int
		want             string
	}{
		{name: "a word", text: "one two three", part: "two", want: "two"},
		{name: "part of a word", text: "one two three", part: "hre", want: "hre"},
		{name: "the second of two", text: "the cat the cat", part: "the cat", nth: 1, want: "thecat"},
		{name: "over emphasis", text: "a **b** c", part: "a **b** c", want: "abc"},
		{name: "only markup", text: "a **b** c", part: "**", want: ""},
		{name: "only blanks", text: "a   b", part: "   ", want: ""},
		{name: "link text", text: "see [the guide](http://x.y/z) now", part: "the guide", want: "theguide"},
		{name: "link target", text: "see [the guide](http://x.y/z) now", part: "http://x.y/z", want: ""},
		{name: "from link into text", text: "see [the guide](http://x.y/z) now", part: "guide](http://x.y/z) now", want: "guidenow"},
		{name: "link title", text: `[a](b "title") c`, part: "title", want: ""},
		{name: "image text", text: "![alt text](i.png) c", part: "alt", want: "alt"},
		{name: "reference definition", text: "[a][r]\n\n[r]: http://x.y", part: "[r]: http://x.y", want: ""},
		{name: "autolink", text: "at <http://x.y/path> now", part: "path", want: "path"},
		{name: "autolink repeated", text: "http://x.y http://x.y http://x.y", part: "http://x.y", nth: 1, want: "http://x.y"},
		{name: "address", text: "ask me@example.org now", part: "example", want: "example"},
		{name: "wrapped autolink", text: "http://example.org/a/b/c/d/e/f/g/h", part: "a/b/c/d/e/f/g/h", width: 20, want: "a/b/c/d/e/f/g/h"},
		{name: "inside an entity", text: "a &lt;b", part: "lt", want: "<"},
		{name: "escape and its character", text: `a \*b\* c`, part: `\*b`, want: "*b"},
		{name: "only the backslash", text: `a \* c`, part: `\`, want: "*"},
		{name: "escape glamour does not know", text: `a \~b`, part: "~b", want: "~b"},
		{name: "heading with its mark", text: "## Head", part: "## Head", want: "Head"},
		{name: "across list items", text: "- one\n- two\n- three", part: "one\n- two", want: "onetwo"},
		{name: "across blocks", text: "# one\n\ntwo\n\n> three", part: "one\n\ntwo\n\n> three", want: "onetwothree"},
		{name: "from text into code", text: "one\n\n```go\nx := 1\ny := 2\n```", part: "one\n\n```go\nx := 1", want: "onex:=1"},
		{name: "from the info string", text: "```go\nx := 1\n```", part: "go\nx", want: "x"},
		{name: "inside code", text: "```go\nif a < b {\n```", part: "a < b", want: "a<b"},
		{name: "code escapes stay", text: "```\na\\*b &amp;\n```", part: `a\*b &amp;`, want: `a\*b&amp;`},
		{name: "tab in code", text: "```\n\ta\tb\n```", part: "a\tb", want: "ab"},
		{name: "code span", text: "call `f(x)` now", part: "f(x)", want: "f(x)"},
		{name: "across table cells", text: "| a | b |\n|---|---|\n| c | d |", part: "b |\n|---|---|\n| c", want: "bc"},
		{name: "one of two equal table links", text: "| [l](u) | [l](u) |\n|---|---|\n| x | y |", part: "[l](u)", nth: 1, want: "l"},
		{name: "pipe in a table", text: "| a |\n|---|\n| x \\| y |", part: `\|`, want: "|"},
		{name: "html text", text: "<p>one <b>two</b></p>", part: "two", want: "two"},
		{name: "html attribute", text: "<p title=\"x\">one</p>", part: "title", want: ""},
		{name: "html comment", text: "one <!-- two --> three", part: "two", want: ""},
		{name: "script", text: "<script>\nlet a\n</script>\n\nafter", part: "let a", want: ""},
		{name: "half a family", text: "a 👨‍👩‍👧 b", part: "👩", want: "👨‍👩‍👧"},
		{name: "half a flag", text: "a 🇩🇪 b", part: "🇩", want: "🇩🇪"},
		{name: "keycap", text: "a 1️⃣ b", part: "1", want: "1️⃣"},
		{name: "letter with its accent", text: "cafe\u0301 x", part: "e", want: "e\u0301"},
		{name: "beside a hard blank", text: "a\u00a0b\u00a0c", part: "b", want: "b"},
		{name: "inside wrapped ideographs", text: strings.Repeat("日本語", 12), part: "語日本語日本語日本語", width: 20, want: "語日本語日本語日本語"},
		{name: "right to left", text: "a שלום b", part: "לו", want: "לו"},
		{name: "formula in text", text: "so $a_1 * b_2$ and *c*", part: "$a_1 * b_2$", want: "a_1*b_2"},
		{name: "part of a formula", text: "so $a_1 * b_2$ and *c*", part: "_1 *", want: "_1*"},
		{name: "only the sign of a formula", text: "so $a_1$", part: "$", want: ""},
		{name: "displayed formula", text: "by\n$$\\max(1 - d_i)$$\nwith", part: "$$\\max(1 - d_i)$$\nwith", want: "\\max(1-d_i)with"},
		{name: "displayed formula of lines", text: "$$\na_1 *\n- b*\n$$", part: "*\n- b", want: "*-b"},
		{name: "formula in a cell", text: "| a |\n|---|\n| $x_1 * y*$ |", part: "x_1 * y*", want: "x_1*y*"},
		{name: "mark of an alert", text: "> [!NOTE]\n> one two", part: "[!NOTE]", want: "Note"},
		{name: "part of the mark of an alert", text: "> [!IMPORTANT] one", part: "TANT", want: "Important"},
		{name: "behind the mark of an alert", text: "> [!NOTE]\n> one two", part: "one", want: "one"},
		{name: "from an alert into text", text: "> [!TIP]\n>\n> one\n\ntwo", part: "!TIP]\n>\n> one\n\ntwo", want: "Tiponetwo"},
		{name: "behind a mark and returns", text: "\uFEFFa\r\n\r\nb c\r\n", part: "c", want: "c"},
		{name: "behind controls", text: "\x1b[31m\x00a\tb", part: "b", want: "b"},
		{name: "the control itself", text: "a \x1b[31m b", part: "\x1b", want: "␛"},
		{name: "a bidi control", text: "a\u202eb", part: "\u202e", want: "⟨U+202E⟩"},
		{name: "an invalid byte", text: "a \xff\xfe b", part: "\xfe", want: "\uFFFD"},
		{name: "starts inside a fence", text: "x = 1\n```\n\nafter", part: "after", want: "after"},
		{name: "names of records once", width: 10, text: "| long header | second one |\n|---|---|\n| a | b |\n| c | d |", part: "header", want: "header"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			width := max(tt.width, 10)
			if tt.width == 0 {
				width = 60
			}
			for name, theme := range themes {
				r := render(t, tt.text, Options{Width: width, Theme: theme})
				m := r.Mark([]Span{at(t, tt.text, tt.part, tt.nth)}, reversePalette)
				if got := paintedText(m.Lines(0, r.Height(), 0)); got != tt.want {
					t.Errorf("%s: %q paints %q, want %q", name, tt.part, got, tt.want)
				}
				if m.Hidden(0) != (tt.want == "") {
					t.Errorf("%s: Hidden = %v, but %q is painted", name, m.Hidden(0), tt.want)
				}
			}
		})
	}
}

func TestMarkPreparesSpans(t *testing.T) {
	t.Parallel()
	r := render(t, "one two three", Options{Width: 60, Theme: themes["notty"]})
	m := r.Mark([]Span{
		{Start: 8, End: 99, Label: "late"},
		{Start: 7, End: 4, Label: "reversed"},
		{Start: 5, End: 5, Label: "empty"},
		{Start: -9, End: 3, Label: "early"},
		{Start: 40, End: 50, Label: "outside"},
	}, Palette{})
	var got []string
	for i := range m.Len() {
		s := m.Span(i)
		got = append(got, s.Label+" "+strconv.Itoa(s.Start)+"-"+strconv.Itoa(s.End))
	}
	if want := []string{"early 0-3", "reversed 4-7", "late 8-13"}; !slices.Equal(got, want) {
		t.Errorf("spans %q, want %q", got, want)
	}
}

func TestAtFollowsTheSource(t *testing.T) {
	t.Parallel()
	const text = "# Title\n\nSome words of a paragraph.\n\n[hidden]: http://x.y\n\n- one\n- two"
	r := render(t, text, Options{Width: 60, Theme: themes["notty"]})
	m := r.Mark([]Span{
		at(t, text, "two", 0),
		at(t, text, "http://x.y", 0),
		at(t, text, "paragraph.\n\n[hidden]: http://x.y\n\n- one", 0),
		at(t, text, "Title", 0),
	}, reversePalette)
	plain := r.PlainLines(0, r.Height())
	var got []string
	for i := range m.Len() {
		first, last := m.At(i)
		got = append(got, strings.TrimSpace(plain[first])+" / "+strings.TrimSpace(plain[last]))
	}
	want := []string{
		"# Title / # Title",
		"Some words of a paragraph. / • one",
		"• one / • one", // what follows the definition
		"• two / • two",
	}
	if !slices.Equal(got, want) {
		t.Errorf("lines:\n%q\nwant\n%q", got, want)
	}
	if got := plain[r.LineOf(at(t, text, "[hidden]", 0).Start)]; !strings.Contains(got, "one") {
		t.Errorf("LineOf(definition) is %q", got)
	}
	if got := plain[r.LineOf(1<<30)]; !strings.Contains(got, "two") {
		t.Errorf("LineOf(end) is %q", got)
	}
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	const text = "é\n\n# One & *two*\n\ntext\n\nThree\n---\n\n##\n\n> ### `Four`"
	r := render(t, text, Options{Width: 40, Theme: themes["dark"]})
	plain := r.PlainLines(0, r.Height())
	var got []string
	for _, h := range r.Headings() {
		if !strings.Contains(plain[h.Line], strings.Fields(h.Text)[0]) {
			t.Errorf("heading %q at line %q", h.Text, plain[h.Line])
		}
		got = append(got, strconv.Itoa(h.Level)+" "+h.Text+" "+strconv.Itoa(h.Start))
	}
	if want := []string{"1 One & two 5", "2 Three 24", "3 Four 46"}; !slices.Equal(got, want) {
		t.Errorf("headings %q, want %q", got, want)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	const text = "The *Depth* decay of\nDEPTH  decay.\n\n- depth\n- decay & Straße\n\n`depth decay`"
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"depth decay", []string{"Depth* decay", "DEPTH  decay", "depth\n- decay", "depth decay"}},
		{"  Decay\tOF ", []string{"decay of"}},
		{"pth", []string{"pth", "PTH", "pth", "pth"}},
		{"straſſe", nil},
		{"STRASSE", nil},
		{"straße", []string{"Straße"}},
		{"decay & s", []string{"decay & S"}},
		{"*", nil},
		{" ", nil},
		{"", nil},
	} {
		t.Run(tt.query, func(t *testing.T) {
			t.Parallel()
			r := render(t, text, Options{Width: 12, Theme: themes["dark"]})
			x := offset.NewIndex(text)
			var got []string
			for _, s := range r.Find(tt.query) {
				if s.Level != Found {
					t.Errorf("level %d", s.Level)
				}
				got = append(got, x.Slice(s.Start, s.End))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("Find(%q) = %q, want %q", tt.query, got, tt.want)
			}
		})
	}
}

func TestFindFoldsAllCases(t *testing.T) {
	t.Parallel()
	r := Source("K is kelvin, ſ is long, Σίσυφος", 40)
	for query, want := range map[string]int{"k": 2, "S IS": 1, "ΣΊΣΥΦΟΣ": 1} {
		if got := len(r.Find(query)); got != want {
			t.Errorf("Find(%q) has %d spans, want %d", query, got, want)
		}
	}
}

func TestRenderRefusesThemesThatChangeCase(t *testing.T) {
	t.Parallel()
	yes := true
	theme := *styles.DefaultStyles["notty"]
	theme.H2.Upper = &yes
	if _, err := Render(context.Background(), "## x", Options{Width: 40, Theme: theme}); !errors.Is(err, ErrChangesCase) {
		t.Errorf("err = %v, want ErrChangesCase", err)
	}
}

func TestThemesThatCutTextAreApproximate(t *testing.T) {
	t.Parallel()
	theme := *styles.DefaultStyles["notty"]
	theme.Strong.Format = `{{ToUpper .text}}!`
	theme.Emph.Format = `{{Left .text 3}}`
	const text = "Before it.\n\nWith **strong words** and *emphasis* here.\n\nAfter it."
	r := render(t, text, Options{Width: 60, Theme: theme})
	if !r.Approximate() {
		t.Fatal("a theme that cuts text is not said to be approximate")
	}
	m := r.Mark([]Span{at(t, text, "After", 0)}, reversePalette)
	if got := paintedText(m.Lines(0, r.Height(), 0)); got != "After" {
		t.Errorf("beside the damaged line %q is painted, want After", got)
	}
	m = r.Mark([]Span{at(t, text, "emphasis", 0)}, reversePalette)
	if got := paintedText(m.Lines(0, r.Height(), 0)); !strings.Contains(got, "emp") || strings.Contains(got, "After") {
		t.Errorf("on the damaged line %q is painted, want that line", got)
	}
}

func TestRenderHonoursItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Render(ctx, "text", Options{Width: 40, Theme: themes["dark"]}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}

func TestAPanicOfTheRendererLeavesTheTextAsWritten(t *testing.T) {
	t.Parallel()
	theme := *styles.DefaultStyles["notty"]
	theme.Strong.Format = `{{index .text 99}}` // fails while it renders
	theme.Table.ColumnSeparator = new(string)
	theme.Table.RowSeparator = new(string)
	theme.Table.CenterSeparator = nil // glamour follows this pointer
	const text = "a **b**\n\n| c | d |\n|---|---|\n| e | f |"
	r := render(t, text, Options{Width: 40, Theme: theme})
	if !r.Approximate() {
		t.Error("not said to be approximate")
	}
	if got := strings.Join(r.PlainLines(0, r.Height()), "\n"); got != text {
		t.Errorf("shown as %q, want the text as written", got)
	}
	m := r.Mark([]Span{at(t, text, "e | f", 0)}, reversePalette)
	if got := paintedText(m.Lines(0, r.Height(), 0)); got != "e|f" {
		t.Errorf("painted %q", got)
	}
}

func TestLongTextsAreCutAndSaidToBe(t *testing.T) {
	t.Parallel()
	line := "A line of prose, é, that is repeated.\n\n"
	text := strings.Repeat(line, 2*maxBytes/len(line))
	r := render(t, text, Options{Width: 80, Theme: themes["notty"]})
	total := offset.NewIndex(text).Len()
	if cut := r.Truncated(); cut < total/3 || cut > 2*total/3 {
		t.Errorf("%d of %d code points were cut, want about half", cut, total)
	}
	shown := total - r.Truncated()
	if got := []rune(text)[shown-1]; got != '\n' {
		t.Errorf("cut behind %q, want a whole line", got)
	}
	m := r.Mark([]Span{{Start: total - 5, End: total, Level: Found}}, reversePalette)
	if first, _ := m.At(0); first != r.Height()-1 || !m.Hidden(0) {
		t.Errorf("a span that was cut is at line %d of %d, hidden %v", first, r.Height(), m.Hidden(0))
	}
	if r := render(t, line, Options{Width: 80, Theme: themes["notty"]}); r.Truncated() != 0 {
		t.Errorf("%d code points of a short text were cut", r.Truncated())
	}
	if n := cutAt(strings.Repeat("日", maxBytes), maxBytes); n%3 != 0 || n > maxBytes {
		t.Errorf("text without lines is cut at %d, inside a character", n)
	}
}

func TestRenderingsAreIndependent(t *testing.T) {
	t.Parallel()
	text := snippets[len(snippets)-1].text
	want := render(t, text, Options{Width: 40, Theme: themes["dark"]}).Mark(nil, Palette{}).Lines(0, 99, -1)
	for range 8 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for name := range themes {
				r := render(t, text, Options{Width: 40, Theme: themes[name]})
				if name == "dark" && !slices.Equal(r.Mark(nil, Palette{}).Lines(0, 99, -1), want) {
					t.Error("another rendering at the same time changes this one")
				}
			}
		})
	}
}

func TestGapsBetweenColumnsAreNotPainted(t *testing.T) {
	t.Parallel()
	blank := " "
	theme := *styles.DefaultStyles["notty"]
	theme.Table.ColumnSeparator, theme.Table.RowSeparator, theme.Table.CenterSeparator = &blank, &blank, &blank
	const text = "| a | b |\n|---|---|\n| c c | d |"
	r := render(t, text, Options{Width: 40, Theme: theme})
	m := r.Mark([]Span{at(t, text, "c c | d", 0)}, Palette{})
	painted := 0
	for i := range r.Height() {
		for _, l := range m.looks(i, 0) {
			if l.level != 0 {
				painted++
			}
		}
	}
	if painted != len("c c")+len("d") {
		t.Errorf("%d cells are painted, want 4:\n%s", painted, picture(m, 0))
	}
}

func TestNothingIsLostWhereGlamourOverflows(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"two words|---|", "- <--------------", "a --b--c--d--e--f--g--h--i", "| a-----------b | c |\n|---|---|\n| -------------------- | d |",
	} {
		r := render(t, text, Options{Width: 14, Theme: themes["notty"]})
		m := r.Mark([]Span{{Start: 0, End: len(text), Level: Found}}, reversePalette)
		got, want := paintedText(m.Lines(0, r.Height(), 0)), newOracle(text)
		if w := want.text(Span{Start: 0, End: len(text)}); !sameText(got, w, want.tables) {
			t.Errorf("%q shows %q, want %q", text, got, w)
		}
	}
}
