package ui

import (
	"fmt"
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/judge"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/welcome"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// frame draws the screen around the panes.
type frame struct{ *Model }

// View draws the screen from what is cached. It runs after every message.
func (m *Model) View() tea.View {
	lines, cursor := frame{m}.screen()
	lines = append(lines, m.tour.Lines(m.styles, m.width)...)
	v := tea.NewView(strings.Join(lines, "\n"))
	// What was read on a plain screen stays in the terminal, to be read again.
	v.AltScreen = !m.opts.Plain
	v.WindowTitle = m.windowTitle()
	v.Cursor = cursor
	if !m.noMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

func (m *Model) windowTitle() string {
	title := "webrag-tui"
	if name := m.corpusName(); name != "" {
		title += " – " + name
	}
	return title
}

// screen draws all lines, and where the cursor stands.
func (m frame) screen() ([]string, *tea.Cursor) {
	w, h := m.width, m.height
	if w <= 0 || h <= 0 {
		return nil, nil
	}
	if m.place.arrangement == tooSmall {
		said := fmt.Sprintf("terminal too small (%dx%d, need %dx%d)", w, h, minWidth, minHeight)
		text := widget.Wrapped(said, w)
		lines := make([]string, max(0, (h-len(text))/2), h)
		for _, l := range text {
			lines = append(lines, strings.Repeat(" ", max(0, (w-ansi.StringWidth(l))/2))+l)
		}
		return widget.Clip(lines, w, h), nil
	}
	c := widget.NewCanvas(h)
	c.Put(m.place.header, m.header())
	c.Put(m.place.query, m.queryLine())
	for _, s := range m.place.Slots {
		body := m.panel(s.Pane).Draw(s.Body.Dx(), s.Body.Dy(), m.focus == s.Pane && !m.typing())
		c.Put(s.Body, body...)
		c.Put(s.Title, m.paneTitle(s)) // it says how much the body hides
		if s.Pane == m.focus && m.opts.Plain {
			c.Put(m.place.said, m.said()...)
		}
	}
	for _, seam := range m.place.Seams {
		for y := seam.Min.Y; y < seam.Max.Y; y++ {
			c.Put(image.Rect(seam.Min.X, y, seam.Max.X, y+1), m.styles.Rule.Render(m.seamSign(seam.Min.X, y)))
		}
	}
	c.Put(m.place.strip, m.compare.Strip(m.width))
	c.Put(m.place.notice, notices(m).line())
	d := m.top()
	var b []string
	var at image.Rectangle
	if d != nil {
		b, at = m.dialogBox(d) // its keys depend on how much it hides
	}
	c.Put(m.place.footer, footer(m).line())
	lines, cursor := c.Lines(), m.cursor()
	if d != nil {
		if m.opts.Plain {
			lines = plainly(lines, append(m.saidOf(d, b), b...), m.place.said.Min.Y, m.place.notice.Min.Y)
		} else {
			lines = widget.Overlay(lines, b, at.Min.X, at.Min.Y)
		}
		if cursor = d.Cursor(); cursor != nil {
			cursor.X, cursor.Y = cursor.X+at.Min.X, cursor.Y+at.Min.Y
		}
	}
	if m.opts.Plain {
		if cursor == nil {
			cursor = m.readingCursor(lines)
		}
		for i, l := range lines {
			lines[i] = m.styles.Line(l, m.width)
		}
	}
	return lines, cursor
}

// dialogBox draws a dialog, and says where it stands.
func (m frame) dialogBox(d view.Dialog) (box []string, at image.Rectangle) {
	if _, whole := d.(view.WholeDialog); whole {
		y, end := m.place.query.Max.Y, m.place.notice.Min.Y
		if m.opts.Plain {
			y = m.place.said.Max.Y
		}
		at = image.Rect(0, y, m.width, end)
		return widget.Clip(d.Draw(m.styles, at.Dx(), at.Dy()), at.Dx(), at.Dy()), at
	}
	box = d.Draw(m.styles, m.width, m.height-2)
	at = widget.Centred(box, m.width, m.height)
	if m.opts.Plain {
		at = at.Sub(at.Min).Add(image.Pt(0, m.place.said.Max.Y))
	}
	return box, at
}

func (m frame) cursor() *tea.Cursor {
	switch {
	case m.editing:
		return m.input.Caret(3, m.place.query.Min.Y)
	case m.find.typing:
		return m.find.input.Caret(len(" find > "), m.place.footer.Min.Y)
	}
	return nil
}

// seamSign is the line between panes where it meets the lines of their titles.
func (m frame) seamSign(x, y int) string {
	left, right := false, false
	for _, s := range m.place.Slots {
		if y == s.Title.Min.Y {
			left = left || s.Title.Max.X == x
			right = right || s.Title.Min.X == x+1
		}
	}
	top, g := y == m.place.query.Max.Y, &m.styles.Signs
	switch {
	case top:
		return g.SeamTop
	case left && right:
		return g.SeamCross
	case left:
		return g.SeamLeft
	case right:
		return g.SeamRight
	default:
		return g.Seam
	}
}

// crumbs begin the title of a pane that stands behind the results.
const crumbs = "Results › "

// paneTitle is the line above a pane.
func (m frame) paneTitle(s view.Slot) string {
	w := s.Title.Dx()
	if m.place.alone {
		return m.styles.Rule.Render(strings.Repeat(m.styles.Signs.Rule, w))
	}
	name, note := m.panel(s.Pane).Title()
	trail, behind := "", "" // of the section that the pane shows, and what stands behind
	if m.place.arrangement == single && (s.Pane == panePreview || s.Pane == paneScore) {
		name = "Results"
		if it := m.reader.Item(); it != nil {
			trail = wording.Trail(it, m.session.TitleSuffixes())
		}
		if s.Pane == paneScore {
			behind = " › Score"
		}
	}
	style := m.styles.TitleOff
	if m.focus == s.Pane && !m.typing() {
		style = m.styles.Title
	}
	ends := m.titleEnds(s)
	room := w - 3 - ansi.StringWidth(ends[len(ends)-1])
	if note != "" {
		if m.styles.Spoken && room-ansi.StringWidth(note)-2 < ansi.StringWidth(name) {
			note, _, _ = strings.Cut(note, ", ")
		}
		room -= ansi.StringWidth(note) + 2
	}
	if trail != "" {
		name = crumbs + wording.CutPath(trail, max(6, room-ansi.StringWidth(crumbs+behind)))
	}
	name += behind
	text := " " + style.Render(wording.CutPath(name, max(6, room))) + " "
	if note != "" {
		text += " " + m.styles.Faint.Render(note) + " "
	}
	end := widget.FirstFitting(w-ansi.StringWidth(text)-1, ends...)
	rule := w - ansi.StringWidth(text) - ansi.StringWidth(end)
	return widget.Fit(text+m.styles.Rule.Render(widget.Repeat(m.styles.Signs.Rule, rule))+m.styles.Faint.Render(end), w)
}

// titleEnds are the right end of the line above a pane, from the longest to the shortest,
// for which the name gives up its room: how much of the pane is hidden, and the way back
// from a zoomed one.
func (m frame) titleEnds(s view.Slot) []string {
	var hidden, ends []string
	back := ""
	if p, ok := m.panel(s.Pane).(view.Pager); ok {
		above, below := p.Hidden()
		hidden = widget.More(m.styles, above, below)
	}
	if m.zoomed && m.place.arrangement != single {
		back = m.Keyed("{pane.zoom} or {go.back}: all panes")
	}
	for _, more := range hidden {
		ends = append(ends, joined(more, back))
	}
	ends = append(append(ends, back), hidden...)
	for i, end := range ends {
		if end != "" {
			ends[i] = " " + end + " "
		}
	}
	return ends
}

// joined are two parts of a line with a gap between them.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "   " + b
}

func (m *Model) corpusName() string {
	name := m.opts.CorpusName
	if m.session.Corpus() != nil && m.session.Corpus().Name != "" {
		name = m.session.Corpus().Name
	}
	return wording.Line(name)
}

// The widths of the screen from which its views are named in the header, and from which
// all of them are.
const (
	namedViews = 44
	allViews   = 100
)

// tabs are the views for the header, each with its key; short names the one that is
// shown and has the keys of the others.
func (m frame) tabs(short bool) []string {
	s := m.styles
	all := make([]string, len(m.views))
	for i := range m.views {
		key := m.KeyOf("view." + m.views[i].name)
		if m.At(judge.Grading, key) != nil && m.judge.Takes(m.context()) {
			key = "" // it grades
		}
		switch title := m.views[i].title; {
		case viewID(i) == m.view && s.Spoken:
			all[i] = s.Title.Render(key + " " + title + " (shown)")
		case viewID(i) == m.view:
			all[i] = s.Title.Underline(true).Render(strings.TrimSpace(key + " " + title))
		case short:
			all[i] = s.KeyName.Render(key)
		default:
			all[i] = strings.TrimSpace(s.KeyName.Render(key) + " " + s.Faint.Render(title))
		}
	}
	return all
}

// tabGap is between two of them.
const tabGap = "  "

// tabAt is the view whose name stands at a cell of the header.
func (m frame) tabAt(x int) (v viewID, ok bool) {
	line := ansi.Strip(m.header())
	for i := range m.views {
		for _, short := range []bool{false, true} {
			tab := ansi.Strip(m.tabs(short)[i])
			before, _, has := strings.Cut(line, tabGap+tab+tabGap)
			if at := ansi.StringWidth(before) + len(tabGap); has && x >= at && x < at+ansi.StringWidth(tab) {
				return viewID(i), true
			}
		}
	}
	return 0, false
}

// corpusFacts are the sizes of the corpus, and fewer of them.
func (m frame) corpusFacts() (facts, fewer string) {
	sum := m.session.Summary()
	switch {
	case sum == nil && m.welcome.Failure() == nil:
		return m.styles.Signs.Ellipsis, ""
	case sum == nil:
		return "", ""
	}
	pages := wording.Plural(sum.Documents, "page") + " · " + wording.Plural(sum.Parents, "section")
	return pages + " · " + wording.Tokens(sum.Tokens, m.estimated()), pages
}

// goingOn is what the right end of the header says of work, whatever else has room.
func (m frame) goingOn() []string {
	var all []string
	if m.session.Loading() {
		all = append(all, wording.Loading(m.session.Progress()))
	}
	if m.spin > 0 && m.opts.Plain {
		all = append(all, "asking")
	}
	if p := m.session.IndexProgress(); m.session.Indexing() != "" && p != nil {
		all = append(all, "indexing "+welcome.ProgressWords(p)[0])
	}
	if m.opts.Recording != nil {
		all = append(all, wording.Line(m.opts.Recording()))
	}
	if away := m.welcome.Outage(); away != "" {
		all = append(all, away)
	}
	return all
}

// answered is what the header says of the answer, from the fullest to the barest: what it
// was ranked by, what became of the candidates, and how long it took.
func (m frame) answered() [][]string {
	r := m.session.Result()
	if r == nil {
		return [][]string{nil}
	}
	preset := m.session.Name()
	mode, funnel := preset+"  "+wording.Mode(r.Mode), wording.Funnel(r)
	timing := fmt.Sprintf("embed %s  search %s", strings.TrimSuffix(wording.Took(r.Timing.Embed), " ms"), wording.Took(r.Timing.Search))
	all := [][]string{{mode, funnel[0], timing}}
	for _, by := range []string{mode, preset} { // the mode decides what the numbers mean
		for _, f := range funnel {
			all = append(all, []string{by, f})
		}
	}
	return append(all, []string{preset}, nil)
}

// header says which corpus and which of its views is shown, by what the answer was ranked,
// what became of the candidates, and how long that took. Where there is little room, the
// least telling goes first: the times, then the sizes of the corpus.
func (m frame) header() string {
	s := m.styles
	name := " " + s.Strong.Render(ansi.Truncate(m.corpusName(), max(12, m.width/4), s.Signs.Ellipsis))
	facts, fewer := m.corpusFacts()
	if m.place.alone {
		facts, fewer = "", "" // the page has them
	}
	if c := m.session.Corpus(); c != nil && c.Recorded {
		name += s.Faint.Render(" (recording)")
	}
	style := s.Faint
	if m.welcome.Outage() != "" {
		style = s.Warning
	}
	spinner := " "
	if m.spin > 0 {
		spinner = s.Accent.Render(s.Signs.Spinner[m.spin%4])
		if s.Plain {
			spinner = string(`-\|/`[m.spin%4])
		}
	}
	full, short := "    "+strings.Join(m.tabs(false), tabGap)+tabGap, tabGap+strings.Join(m.tabs(true), tabGap)+tabGap
	if m.corpusName() == "" {
		full = full[len(tabGap):]
	}
	lefts := []string{name + full}
	for _, sizes := range []string{fewer, facts} {
		if sizes != "" {
			lefts = slices.Insert(lefts, 0, name+tabGap+s.Faint.Render(sizes)+full)
		}
	}
	switch {
	case m.width < namedViews:
		lefts = []string{name}
	case m.width < allViews:
		lefts = []string{name + short}
	}
	answered, going := m.answered(), m.goingOn()
	line := func(left string, parts []string) (string, bool) {
		shown := slices.DeleteFunc(append(slices.Clone(going), parts...), func(p string) bool { return p == "" })
		right := strings.Join(shown, "    ")
		return widget.Spread(left, spinner+" "+style.Render(right)+" ", m.width), ansi.StringWidth(left)+ansi.StringWidth(right)+4 <= m.width
	}
	for _, left := range lefts[:len(lefts)-1] {
		for _, parts := range answered[:min(2, len(answered))] { // worth more than the sizes
			if text, fits := line(left, parts); fits {
				return text
			}
		}
	}
	for _, left := range []string{lefts[len(lefts)-1], name + short, name} {
		for _, parts := range answered {
			if text, fits := line(left, parts); fits {
				return text
			}
		}
	}
	return widget.Fit(name, m.width)
}

func (m frame) queryLine() string {
	sign, watched := m.styles.Signs.Prompt, !m.editing && m.session.WatchedQuery(m.session.Query()) != nil
	switch {
	case watched && m.styles.Spoken:
		sign = "watched >"
	case watched:
		sign = m.styles.Signs.Watched
	case m.styles.Plain:
		sign = ">"
	}
	sign = m.styles.Accent.Render(" " + sign + " ")
	if m.welcome.IsShown() && !m.editing && m.input.Value() == "" {
		none := "no corpus yet"
		if m.session.Corpus() != nil {
			none = "no pages yet"
		}
		return m.styles.Faint.Render(" " + none)
	}
	typed := m.input
	if !m.editing {
		typed.CursorStart() // a long question is read from its beginning
	}
	line := sign + typed.View()
	note := ""
	switch {
	case m.session.Waiting() && m.session.Loading():
		note = "asked once the corpus is loaded"
	case m.atBeginning() && question(m).asksBefore():
		note = "enter asks it, " + m.styles.Signs.ArrowUp + " changes it"
	case m.atBeginning() && m.before.resumed:
		free := m.width - ansi.StringWidth(m.input.Placeholder) - 6
		note = widget.FirstFitting(free, "type a new question, esc goes to the results, "+m.styles.Signs.ArrowUp+" changes this one", "type a new question, esc goes to the results", "esc goes to the results")
	case m.atBeginning() && m.before.query != "":
		note = m.styles.Signs.ArrowUp + " changes the question before"
	case m.editing && m.session.Corpus() != nil && !m.session.Corpus().Live && strings.TrimSpace(m.input.Value()) != m.session.Query():
		note = "enter asks"
	}
	if note == "" && !m.editing {
		// The query is to stay readable, and the difference is to be seen.
		free := m.width - ansi.StringWidth(m.input.Value()) - 6
		if diff := m.judge.Beside(free, max(free, 3*m.width/5), m.compare.Summary); diff != "" {
			cut := m.styles.Signs.Ellipsis
			left := max(0, m.width-ansi.StringWidth(diff)-3)
			if ansi.StringWidth(sign)+ansi.StringWidth(m.input.Value()) <= left {
				cut = "" // only the blanks that the line is padded with are cut
			}
			return widget.Spread(ansi.Truncate(line, left, cut), diff+" ", m.width)
		}
	}
	if note != "" {
		// The blanks that the line is padded with are no text that is cut.
		line = ansi.Truncate(line, max(0, m.width-ansi.StringWidth(note)-2), "")
	}
	return widget.Spread(line, m.styles.Faint.Render(note)+" ", m.width)
}
