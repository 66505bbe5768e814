package welcome

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Name is the program's, as its first page has it.
const Name = "webrag-tui"

// promise is what the program is for, in two lines.
var promise = [...]string{"See what a language model is given from your pages,", "and why: every score taken apart, every drop explained."}

// The measures of the first page, in cells.
const (
	pageWide = 84 // of all of it
	markWide = 12 // of its drawing
	pageRoom = 64 // from which it has the drawing, and says what each view is for
	roomy    = 18 // lines from which its parts are set off
)

// IsBlank says that nothing was asked yet: the page that tells what can be stands in the
// place of all panes.
func (v *View) IsBlank() bool {
	now := v.Session()
	if v.failure != nil || v.IsEmpty() || now.Result() != nil || now.Asking() || now.Waiting() || now.Indexing() != "" && !v.isIndexedElsewhere() {
		return false
	}
	return now.Corpus() != nil || v.needs.IsEditing()
}

// Choose moves the cursor among the examples while a question could be typed: up and
// over the first, none is chosen.
func (v *View) Choose(verb widget.Verb) {
	v.chosen = max(0, min(v.chosen+verb.Rows(1), len(v.Examples())))
}

// Chosen is the example under the cursor, empty for none.
func (v *View) Chosen() string {
	if all := v.Examples(); v.IsBlank() && v.chosen > 0 && v.chosen <= len(all) {
		return all[v.chosen-1]
	}
	return ""
}

// Click is the example on a line of the page, empty for none.
func (v *View) Click(y int) string {
	at := y - v.firstExample
	if all := v.Examples(); v.IsBlank() && at >= 0 && at < v.shown.Height && v.shown.Top+at < len(all) {
		return all[v.shown.Top+at]
	}
	return ""
}

// firstPage draws the page that stands in the place of all panes until something was asked.
type firstPage struct{ *View }

// page lays parts of the first page out in w cells: the drawing with the name, and the
// parts in their order, each with an empty line above it. Where the height is not enough,
// the last parts go, and then the drawing.
func (v firstPage) page(w int, parts ...[]string) []string {
	h := v.needs.Height()
	left := max(2, (min(w, 2*pageWide)-pageWide)/2)
	if w > 2*pageWide {
		left = (w - pageWide) / 2
	}
	if w < pageWide {
		left = 2
	}
	head := v.mark(w - left)
	count := func() (n int) {
		for _, p := range parts {
			n += len(p) + 1
		}
		return n + len(head) + 1
	}
	for len(parts) > 1 && count() > h {
		parts = parts[:len(parts)-1]
	}
	for _, less := range [][]string{v.named(w - left), v.named(w - left)[:1]} {
		if count() > h {
			head = less
		}
	}
	lines := make([]string, max(1, (h-count())/3), h+1)
	lines = append(lines, widget.Indented(head, left)...)
	for _, p := range parts {
		lines = append(append(lines, ""), widget.Indented(p, left)...)
	}
	return lines
}

// named is the name with what the program is for.
func (v firstPage) named(w int) []string {
	s := v.Styles()
	return append([]string{s.Title.Render(Name)}, widget.Styled(s.Text.Render, widget.Wrapped(strings.Join(promise[:], " "), w-2))...)
}

// mark is the name beside the drawing of what the program shows: results by their
// scores, and those below the floor.
func (v firstPage) mark(w int) []string {
	s := v.Styles()
	if w < pageRoom || s.Spoken {
		return v.named(w)
	}
	bar := func(n int) string { return widget.Bar(float64(n), markWide, markWide, s.Plain) }
	drawn := []string{
		s.Bars[2].Render(bar(12)), s.Bars[2].Render(bar(9)), s.Bars[1].Render(bar(6)),
		s.Rule.Render(strings.Repeat(s.Signs.Rule, markWide)),
		s.Faint.Render(bar(4)), s.Faint.Render(bar(2)),
	}
	said := []string{s.Title.Render(Name), s.Text.Render(promise[0]), s.Text.Render(promise[1]), "", s.Faint.Render(v.sizes()), ""}
	for i := range drawn {
		drawn[i] = widget.Padded(drawn[i], markWide) + "   " + said[i]
	}
	return drawn
}

// sizes say how large the corpus is.
func (v firstPage) sizes() string {
	sum := v.Session().Summary()
	if sum == nil || v.IsEmpty() {
		return ""
	}
	return ansi.Truncate(wording.Line(v.needs.Name()), pageWide/3, v.Styles().Signs.Ellipsis) + "   " + wording.Plural(sum.Documents, "page") + " · " +
		wording.Plural(sum.Parents, "section") + " · " + wording.Tokens(sum.Tokens, v.IsEstimated())
}

// views say what can be looked at, each with its key.
func (v firstPage) views(w int) []string {
	s := v.Styles()
	var lines []string
	if v.needs.IsEditing() && v.needs.Height() >= roomy+len(v.needs.Views()) {
		lines = []string{s.Faint.Render(v.Keyed("What is found can be looked at, judged and measured in these views ({query.leave}, then their keys):"))}
	}
	for _, one := range v.needs.Views() {
		line := s.KeyName.Render(v.KeyOf(one.Action)) + "  " + s.Text.Render(widget.Fit(one.Title, 10))
		if w >= pageRoom {
			line += " " + s.Faint.Render(one.Help)
		}
		lines = append(lines, line)
	}
	return lines
}

// blankPage is the first page of a corpus that nothing was asked of.
func (v firstPage) blankPage(w int) []string {
	s := v.Styles()
	if v.Session().Corpus() == nil {
		return v.page(w, []string{s.Faint.Render("Opening the corpus …")})
	}
	said := "Ask in your own words."
	if !v.needs.IsEditing() {
		said = v.Keyed("Press {query.edit}, then ask in your own words.")
	}
	how := "Sections appear while you type."
	switch c := v.Session().Corpus(); {
	case c.Recorded:
		said, how = "Ask what was asked in the recorded session:", "nothing else has an answer."
	case !c.Live:
		how = "Enter asks: this corpus's embedding server costs time or money."
	}
	ask := []string{s.Strong.Render(said)}
	if ansi.StringWidth(said)+ansi.StringWidth(how)+4 <= w {
		ask[0] += "  " + s.Faint.Render(how)
	} else {
		ask = append(ask, widget.Styled(s.Faint.Render, widget.Wrapped(how, w-4))...)
	}
	if v.needs.Height() >= roomy {
		ask = append(ask, "")
	}
	heading := len(ask)
	ask = append(ask, v.exampleLines(w-4, heading)...)
	lines := v.page(w, ask, v.views(w))
	v.firstExample = -len(lines)
	for i, l := range lines {
		if strings.HasSuffix(l, ask[0]) {
			v.firstExample = i + heading
		}
	}
	return lines
}

// exampleLines are the examples, of many those around the cursor.
func (v firstPage) exampleLines(w, heading int) []string {
	s, all := v.Styles(), v.Examples()
	const most, beside = 12, 6 // lines that the page has besides
	v.shown.Resize(min(len(all), most, max(3, v.needs.Height()-beside-heading)), len(all))
	v.shown.Go(max(0, v.chosen-1))
	var lines []string
	for i := v.shown.Top; i < v.shown.Until(); i++ {
		mark, style := widget.Mark(s, i == v.chosen-1, v.needs.IsEditing(), s.Accent)
		lines = append(lines, mark+" "+style.Render(ansi.Truncate(wording.Line(all[i]), max(1, w-2), s.Signs.Ellipsis)))
	}
	if rest := len(all) - len(lines); rest > 0 {
		lines = append(lines, s.Faint.Render("  "+v.shown.Position()))
	}
	return lines
}

// waysPage is the first page while there is no corpus, or one without pages.
func (v firstPage) waysPage(w int) []string {
	s := v.Styles()
	said := []string{s.Strong.Render("Nothing to search yet.") + " " + s.Text.Render("Press one of these keys:")}
	if v.Session().Corpus() != nil {
		said[0] = s.Strong.Render("This corpus has no pages yet.") + " " + s.Text.Render("Press one of these keys:")
	}
	for _, c := range []struct{ key, what string }{
		{"{welcome.index}", "index a folder of HTML or markdown pages"},
		{"{welcome.guide}", "open the bundled guide, to look around"},
		{"{welcome.connect}", "connect to PostgreSQL, or open a file"},
	} {
		said = append(said, "  "+s.KeyName.Render(v.Keyed(c.key))+"  "+s.Text.Render(c.what))
	}
	if missing := v.missing(); missing != "" {
		said = append(append(said, ""), widget.Styled(s.Faint.Render, widget.Wrapped(missing, w-4))...)
	}
	return v.page(w, said, v.views(w))
}
