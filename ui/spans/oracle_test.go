package spans

import (
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/webrag/webrag-tui/offset"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// visibleRune is a character that a reader of the document sees, and the code
// points of the source it is written with.
type visibleRune struct {
	text       string // a letter with its accents
	start, end int
}

// oracle reads a document character by character, apart from blanks, straight
// from the parsed tree. It shares the parser with the code under test and the
// display form of the text, nothing else.
type oracle struct {
	shown  *offset.Displayed
	points *offset.Index
	runes  []visibleRune
	tables bool // the screen has another order than the source
	letter bool // the last character was not a blank
	// The mark of an alert reads as a word; done is where the last one ended.
	alerts map[int]visibleRune
	done   int
}

func newOracle(source string) *oracle {
	o := &oracle{shown: offset.Display(source), points: offset.NewIndex(source), alerts: map[int]visibleRune{}}
	md := markdown(newFormulas())
	src := []byte(o.shown.Text)
	o.read(md.Parser().Parse(text.NewReader(src)), src)
	return o
}

func (o *oracle) read(n ast.Node, src []byte) {
	if n.Type() == ast.TypeBlock {
		o.letter = false
	}
	switch n := n.(type) {
	case *ast.Blockquote:
		o.alert(n)
	case *ast.Text:
		if n.Parent().Kind() == ast.KindCodeSpan {
			o.literal(n.Segment.Start, n.Segment.Stop)
		} else {
			o.markdown(n.Segment.Start, n.Segment.Stop)
		}
		if n.SoftLineBreak() || n.HardLineBreak() {
			o.letter = false
		}
	case *ast.AutoLink:
		label := string(n.Label(src))
		at := n.Pos() + strings.Index(o.shown.Text[n.Pos():], label)
		o.literal(at, at+len(label))
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
			o.literal(s.Start, s.Stop)
		}
	case *ast.HTMLBlock:
		o.html(n)
	}
	if n.Kind().String() == "Table" {
		o.tables = true
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		o.read(c, src)
	}
}

func (o *oracle) add(s string, start, end int) {
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			o.letter = false
		case isInvisible(r), unicode.Is(unicode.M, r) && !o.letter:
			// No cell: the terminal puts it over the one before, or nowhere.
		case unicode.Is(unicode.M, r):
			last := &o.runes[len(o.runes)-1]
			last.text += string(r)
			last.end = o.points.Point(o.shown.SourceEnd(end))
		default:
			o.letter = true
			o.runes = append(o.runes, visibleRune{
				text:  string(r),
				start: o.points.Point(o.shown.SourceStart(start)),
				end:   o.points.Point(o.shown.SourceEnd(end)),
			})
		}
	}
}

func isInvisible(r rune) bool { return r == '\u200b' || r == '\u00ad' }

func (o *oracle) literal(start, end int) {
	for i, r := range o.shown.Text[start:end] {
		o.add(string(r), start+i, start+i+len(string(r)))
	}
}

var (
	reference = regexp.MustCompile(`^&(?:[A-Za-z][A-Za-z0-9]*|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});`)
	hidden    = regexp.MustCompile(`(?s)<!--.*?-->|(?i:<(?:script|style)\b.*?(?:</(?:script|style)>|$))|</?[A-Za-z][^>]*>`)
)

// markdown follows the standard: any ASCII punctuation can be escaped, and a
// reference must end in a semicolon and be known.
func (o *oracle) markdown(start, end int) {
	s := o.shown.Text
	for i := max(start, o.done); i < end; {
		if a, ok := o.alerts[i]; ok {
			for _, r := range a.text {
				o.add(string(r), a.start, a.end)
			}
			o.letter, o.done = false, a.end
			i = a.end
			continue
		}
		if s[i] == '\\' && i+1 < end && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", s[i+1]) >= 0 {
			o.add(s[i+1:i+2], i, i+2)
			i += 2
			continue
		}
		i += o.character(i, end)
	}
}

// alert notes the mark with which a quote begins, if its paragraph begins with
// text.
func (o *oracle) alert(quote *ast.Blockquote) {
	if quote.FirstChild() == nil || quote.FirstChild().Kind() != ast.KindParagraph {
		return
	}
	text, ok := quote.FirstChild().FirstChild().(*ast.Text)
	if !ok {
		return
	}
	rest := o.shown.Text[text.Segment.Start:]
	for _, name := range []string{"Note", "Tip", "Important", "Warning", "Caution"} {
		mark := "[!" + name + "]"
		if len(rest) < len(mark) || !strings.EqualFold(rest[:len(mark)], mark) {
			continue
		}
		if after := rest[len(mark):]; after == "" || strings.ContainsAny(after[:1], " \t\n") {
			o.alerts[text.Segment.Start] = visibleRune{name, text.Segment.Start, text.Segment.Start + len(mark)}
		}
	}
}

// character adds the character or reference at byte i and returns its length.
func (o *oracle) character(i, end int) int {
	s := o.shown.Text
	if m := reference.FindString(s[i:end]); m != "" {
		// The library decodes 0 and the C1 range as browsers do, the standard
		// does not; neither may reach the screen as it is.
		if decoded := html.UnescapeString(m); decoded != m {
			if strings.EqualFold(m, "&#x9b;") {
				decoded = "\uFFFD"
			}
			o.add(offset.Line(decoded), i, i+len(m))
			return len(m)
		}
	}
	r := []rune(s[i:min(end, i+4)])[0]
	o.add(string(r), i, i+len(string(r)))
	return len(string(r))
}

func (o *oracle) html(n *ast.HTMLBlock) {
	segments := n.Lines().Sliced(0, n.Lines().Len())
	if n.HasClosure() {
		segments = append(segments, n.ClosureLine)
	}
	start, end := segments[0].Start, segments[len(segments)-1].Stop
	s := o.shown.Text[start:end]
	gone := hidden.FindAllStringIndex(s, -1)
	for i := 0; i < len(s); {
		if len(gone) > 0 && i == gone[0][0] {
			i = gone[0][1]
			gone = gone[1:]
			continue
		}
		limit := len(s)
		if len(gone) > 0 {
			limit = gone[0][0]
		}
		i += o.character(start+i, start+limit)
	}
}

// text is what a span must paint.
func (o *oracle) text(s Span) string {
	var b strings.Builder
	for _, v := range o.runes {
		if v.start < s.End && s.Start < v.end {
			b.WriteString(v.text)
		}
	}
	return b.String()
}

// paintedText reads what a terminal shows reversed, line by line.
func paintedText(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		cells := screen(l)
		for _, c := range cells {
			if r := []rune(c.text)[0]; c.pen.Attrs&uv.AttrReverse != 0 && !unicode.IsSpace(r) {
				b.WriteString(c.text)
			}
		}
	}
	return b.String()
}

var reversePalette = Palette{Styles: map[Level]Style{Found: {Reverse: true}}}

// tally counts how spans came out.
type tally struct{ exact, all int }

func (t tally) share() float64 { return float64(t.exact) / float64(max(t.all, 1)) }

// judge paints random spans of a text and compares them with the oracle. wrong
// is called for each that differs.
func judge(r *Rendering, o *oracle, rng *rand.Rand, spans int, wrong func(s Span, got, want string)) tally {
	var t tally
	n := r.points.Len()
	for range spans {
		if n == 0 {
			break
		}
		start := rng.IntN(n)
		m := r.Mark([]Span{{Start: start, End: start + 1 + rng.IntN(min(40, n)), Level: Found}}, reversePalette)
		want := o.text(m.Span(0))
		got := paintedText(m.Lines(0, r.Height(), -1))
		t.all++
		if sameText(got, want, o.tables) {
			t.exact++
		} else {
			wrong(m.Span(0), got, want)
		}
	}
	return t
}

// sameText compares painted text with what should be painted; where tables
// wrap, the screen has the characters in another order.
func sameText(got, want string, anyOrder bool) bool {
	got, want = withoutMarks(got), withoutMarks(want)
	if anyOrder {
		return sortedRunes(got) == sortedRunes(want)
	}
	return got == want
}

// withoutMarks leaves out what has no cell of its own. Accents without a letter
// are put over whatever is there.
func withoutMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if isInvisible(r) || unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, s)
}

func sortedRunes(s string) string {
	r := []rune(s)
	slices.Sort(r)
	return string(r)
}

func TestPaintedTextIsTheSpans(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, text string, opts Options) {
		t.Helper()
		o := newOracle(text)
		r := render(t, text, opts)
		judge(r, o, rand.New(rand.NewPCG(7, uint64(opts.Width))), 12, func(s Span, got, want string) {
			t.Errorf("width %d: span %d-%d paints %q, its text is %q", opts.Width, s.Start, s.End, got, want)
		})
	})
}

// TestAShiftedMapIsNoticed makes sure that the test above can fail: with a map
// that is off by one character most spans must come out wrong.
func TestAShiftedMapIsNoticed(t *testing.T) {
	t.Parallel()
	var whole tally
	for _, s := range snippets {
		o := newOracle(s.text)
		r := render(t, s.text, Options{Width: 40, Theme: themes["notty"]})
		shifted := *r
		shifted.lines = slices.Clone(r.lines)
		for i := range shifted.lines {
			l := &shifted.lines[i]
			l.start, l.end = l.start+1, l.end+1
			l.cells = slices.Clone(l.cells)
			for j := range l.cells {
				l.cells[j].start++
				l.cells[j].end++
			}
		}
		got := judge(&shifted, o, rand.New(rand.NewPCG(3, 4)), 10, func(Span, string, string) {})
		whole.exact, whole.all = whole.exact+got.exact, whole.all+got.all
	}
	if whole.share() > 0.5 {
		t.Errorf("%.1f %% of spans look exact with a map that is off by one", 100*whole.share())
	}
	t.Logf("%.1f %% of %d spans look exact with a map that is off by one", 100*whole.share(), whole.all)
}
