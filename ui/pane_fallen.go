package ui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
)

// fallenRow is a line of what happened in a stage: a sentence, or a candidate.
type fallenRow struct {
	// text is a sentence, or above candidates a heading; empty for a candidate.
	text    string
	heading bool

	// id is a candidate's, section that of the section it belongs to.
	id, section string
	name, page  string
	value       string // what decided
	note        string
	up, down    bool // whether note is a rise or a fall
}

// fallenList is what happened in one stage, as rows.
type fallenList struct {
	widget.List
	rows []fallenRow
	w    int
}

func (l *fallenList) selected() *fallenRow {
	if l.At < 0 || l.At >= len(l.rows) || !l.stops(l.At) {
		return nil
	}
	return &l.rows[l.At]
}

// clear forgets the rows and where one was.
func (l *fallenList) clear() { l.rows, l.At, l.Top, l.Total = nil, -1, 0, 0 }

// stops says that a row is a candidate, which the cursor can stand on.
func (l *fallenList) stops(row int) bool { return l.rows[row].id != "" }

func (l *fallenList) scroll(follow bool) {
	if follow {
		if l.At > 0 && l.rows[l.At-1].heading {
			l.Show(l.At - 1) // what they are stands above them
		}
		l.Show(l.At)
	}
	l.Pager.Resize(l.Height, len(l.rows))
}

// leastValue is the width of the column of values, where none is wider.
const leastValue = 7

// valueWidth is the width of the column of values. A number is never cut: what is
// left of it is another number.
func (l *fallenList) valueWidth() int {
	wide := leastValue
	for i := range l.rows {
		wide = max(wide, ansi.StringWidth(l.rows[i].value))
	}
	return wide
}

// mostFallen is the width of a row on a screen that is wide enough.
const mostFallen = 110

// fallenPanel is what happened in one stage.
type fallenPanel struct{}

func (fallenPanel) setSize(m *Model, w, h int) {
	l := &m.pipe.list
	if w != l.w {
		m.pipe.narrowed = true // sentences are wrapped anew
	}
	// What has not been scrolled keeps its top, where it says what it is.
	resized := w != l.w || h != l.Height
	l.w, l.Height = w, h
	l.scroll(resized && l.Top > 0 && l.selected() != nil)
}

func (fallenPanel) title(m *Model) (name, note string) {
	stages := m.stages()
	if len(stages) == 0 {
		return "Stage", ""
	}
	st := &stages[m.stageAt()]
	if m.pipe.without {
		if p, ok := m.withoutStage(st.Name); ok {
			return capital(withoutTitle(st.Name, p)), "what would change"
		}
	}
	if !flowsInto(st) {
		return capital(stageTitle(st.Name)), ""
	}
	return capital(stageTitle(st.Name)), fmt.Sprintf("%s %s %s", count(st.In), m.styles.Signs.ArrowRight, count(st.Out))
}

// move moves the cursor over candidates; where there are none, and with the wheel,
// the text.
func (fallenPanel) move(m *Model, v widget.Verb) {
	l := &m.pipe.list
	if !v.Turns() && l.Walk(v.Rows(l.Height), l.stops) {
		l.scroll(true)
		return
	}
	l.Scroll(v.Lines(l.Height))
}

func (fallenPanel) click(m *Model, _, y int) tea.Cmd {
	l := &m.pipe.list
	if at, ok := l.RowOf(y); ok && l.stops(at) {
		l.At = at
	}
	return nil
}

func (fallenPanel) view(m *Model, w, h int, focused bool) []string {
	s, l := m.styles, &m.pipe.list
	wide := min(w, mostFallen) // what belongs together stands together
	number := l.valueWidth()
	var lines []string
	for i := l.Top; i < l.Until(); i++ {
		r := &l.rows[i]
		switch {
		case r.heading:
			lines = append(lines, " "+s.Strong.Render(ansi.Truncate(r.text, max(0, w-2), s.Signs.Ellipsis)))
			continue
		case r.id == "":
			lines = append(lines, " "+s.Faint.Render(ansi.Truncate(r.text, max(0, w-2), s.Signs.Ellipsis)))
			continue
		}
		mark, style := widget.Mark(s, i == l.At, focused, s.Text)
		note := s.Faint
		switch {
		case r.up:
			note = s.Up
		case r.down:
			note = s.Down
		}
		left := mark + " " + s.Score.Render(fitRight(r.value, number)) + "  "
		room := wide - ansi.StringWidth(left) - ansi.StringWidth(r.note) - 3
		name := ansi.Truncate(r.name, max(1, room), s.Signs.Ellipsis)
		page := ""
		if rest := room - ansi.StringWidth(name) - 2; r.page != "" && r.page != r.name && rest > 8 {
			page = "  " + s.Faint.Render(ansi.Truncate(r.page, rest, s.Signs.Ellipsis))
		}
		lines = append(lines, widget.Spread(left+style.Render(name)+page, note.Render(r.note)+" ", wide))
	}
	l.More(s, lines, plural)
	return widget.Clip(lines, w, h)
}

// makeFallen lists what happened in the stage that is looked at.
func (m *Model) makeFallen() {
	l := &m.pipe.list
	keep := ""
	if r := l.selected(); r != nil {
		keep = r.id
	}
	seen := l.Has(l.At) // else its top is looked at
	l.rows, l.Total = nil, 0
	add := func(r fallenRow) {
		if r.id != "" || r.heading || r.text == "" {
			l.rows = append(l.rows, r)
			return
		}
		for _, line := range wrapped(r.text, max(10, l.w-2)) {
			l.rows = append(l.rows, fallenRow{text: line})
		}
	}
	stages := m.stages()
	if len(stages) == 0 {
		return
	}
	st := &stages[m.stageAt()]
	rows := m.stageRows
	if m.pipe.without {
		rows = m.withoutRows
	}
	for _, r := range rows(st) {
		add(r)
	}
	l.At = slices.IndexFunc(l.rows, func(r fallenRow) bool { return r.id != "" && (keep == "" || r.id == keep) })
	if l.At < 0 {
		l.At = slices.IndexFunc(l.rows, func(r fallenRow) bool { return r.id != "" })
	}
	l.scroll(keep != "" && seen && l.At >= 0)
}

// stageRows say what a stage did: with which settings, whom it dropped and why,
// whom it put together.
func (m *Model) stageRows(st *retrieval.Stage) []fallenRow {
	rows := []fallenRow{{text: retrieval.StageOf(st.Name).About}}
	settings := ""
	for _, key := range slices.Sorted(maps.Keys(st.Params)) {
		if settings != "" {
			settings += "   "
		}
		settings += oneLine(key) + " " + oneLine(st.Params[key])
	}
	if settings != "" {
		rows = append(rows, fallenRow{text: settings})
	}
	for _, n := range st.Notes {
		rows = append(rows, fallenRow{text: oneLine(n)})
	}
	if t := m.toggleOf(st.Name); t != nil && t.On {
		said := toggleWords(&t.Comparison)
		if sent := m.surfaceWords(st.Name); sent != "" {
			said = sent
		}
		if t.Needs != "" {
			said = "asks the corpus"
		}
		rows = append(rows, fallenRow{text: "without it: " + said + "   (" + m.keyOf("stages.without") + " shows it)"})
	}
	ids := make([]string, 0, len(st.Dropped)+len(st.Merged))
	for i := range st.Dropped {
		ids = append(ids, st.Dropped[i].ID)
	}
	for i := range st.Merged {
		ids = append(ids, st.Merged[i].From)
	}
	for i := range st.Merged {
		ids = append(ids, st.Merged[i].Into)
	}
	named := m.session.Evidence().Labels(ids)
	if len(st.Dropped) > 0 {
		rows = append(rows, fallenRow{}, fallenRow{heading: true, text: "dropped " + count(len(st.Dropped))})
		drops := slices.Clone(st.Dropped)
		for i := range drops {
			d := &drops[i]
			r := m.candidateRow(&named[i])
			r.value, r.note = belowValue(d, false), said(d.Worded().Say(phrase.Note), listScore)
			rows = append(rows, r)
		}
	}
	if len(st.Merged) > 0 {
		from, into := named[len(st.Dropped):len(st.Dropped)+len(st.Merged)], named[len(st.Dropped)+len(st.Merged):]
		rows = append(rows, fallenRow{}, fallenRow{heading: true, text: "merged " + count(len(st.Merged))})
		for i := range st.Merged {
			r := m.candidateRow(&from[i])
			if from[i].ChunkID != into[i].ChunkID {
				r.note = "into " + oneLine(into[i].Heading)
			} else {
				r.note = "found by both arms"
			}
			rows = append(rows, r)
		}
	}
	return append(rows, m.throughRows(st)...)
}

// throughRows are the sections that came through all stages, under those that
// did not come through this one.
func (m *Model) throughRows(st *retrieval.Stage) []fallenRow {
	if !flowsInto(st) || len(m.session.Result().Items) == 0 {
		return nil
	}
	items := make([]*retrieval.Item, len(m.session.Result().Items))
	for i := range m.session.Result().Items {
		items[i] = &m.session.Result().Items[i]
	}
	slices.SortStableFunc(items, func(a, b *retrieval.Item) int { return a.Rank - b.Rank })
	rows := []fallenRow{{}, {heading: true, text: "through to the result " + count(len(items))}}
	for _, it := range items {
		r := fallenRow{id: it.ChunkID, section: it.ChunkID, name: heading(it), page: m.tails.strip(it.Title), value: listScore(it.Score), note: fmt.Sprintf("rank %d", it.Rank)}
		if st.Name == param.StageDepth && it.HasRaw {
			r.note = fmt.Sprintf("%s at depth %d", listScore(it.RawSimilarity), it.Depth)
		}
		if m.session.Result().Mode == param.ModeFullContext {
			r.value = strconv.Itoa(it.Rank)
			r.note = tokens(it.Tokens(), m.estimated())
		}
		rows = append(rows, r)
	}
	return rows
}

// surfaceWords say what leaving out the choice of a surface would change: the
// same sections come, in another form. Empty for another stage, and where none is
// sent as HTML.
func (m *Model) surfaceWords(stage string) string {
	n := 0
	for i := range m.session.Result().Items {
		if m.session.Result().Items[i].Surface == retrieval.SurfaceHTML {
			n++
		}
	}
	if stage != param.StageSurface || n == 0 {
		return ""
	}
	return said(phrase.AsMarkdown.With(phrase.Several(n, "section")), listScore)
}

// candidateRow is a row that names a candidate.
func (m *Model) candidateRow(n *retrieval.ChunkLabel) fallenRow {
	name, page := oneLine(n.Heading), m.tails.strip(n.Title)
	if name == "" {
		name, page = page, ""
	}
	if name == "" {
		name = "(without heading)"
	}
	return fallenRow{id: n.ChunkID, section: n.Section, name: name, page: page}
}

func (m *Model) toggleOf(stage string) *whynot.Ablation {
	for i := range m.pipe.toggles {
		if m.pipe.toggles[i].Stage == stage {
			return &m.pipe.toggles[i]
		}
	}
	return nil
}

// withoutRows say what would change without the stage.
func (m *Model) withoutRows(st *retrieval.Stage) []fallenRow {
	p, ok := m.withoutStage(st.Name)
	if !ok {
		return []fallenRow{{text: "Nothing works without it."}}
	}
	if covered, why := m.session.Evidence().Covers(p); !covered {
		return []fallenRow{{text: "This asks the corpus, because " + oneLine(why) + ". X applies it."}}
	}
	result, _ := m.session.Evidence().Rank(p, retrieval.Options{})
	c := retrieval.Compare(*m.session.Result(), result, session.OverlapDepth)
	rows := []fallenRow{{text: toggleWords(&c)}}
	if sent := m.surfaceWords(st.Name); sent != "" {
		rows[0].text = sent + " (X applies it)"
	}
	if c.IsIdentical() {
		return rows
	}
	if !c.SameScale() {
		rows = append(rows, fallenRow{text: phrase.OtherScale})
	}
	rows = append(rows, fallenRow{text: fmt.Sprintf("overlap@%d %s   RBO %s   (X applies it)", c.Depth, listScore(c.Overlap), listScore(c.RBO))})
	shift := func(x *retrieval.Shift) fallenRow {
		name, page := oneLine(x.Name), m.tails.strip(x.Title)
		if name == "" {
			name, page = page, ""
		}
		return fallenRow{id: x.ChunkID, section: x.ChunkID, name: name, page: page}
	}
	part := func(title string, shifts []retrieval.Shift, more func(*fallenRow, *retrieval.Shift)) {
		if len(shifts) == 0 {
			return
		}
		rows = append(rows, fallenRow{}, fallenRow{heading: true, text: title + " " + count(len(shifts))})
		for i := range shifts {
			r := shift(&shifts[i])
			more(&r, &shifts[i])
			rows = append(rows, r)
		}
	}
	signs := &m.styles.Signs
	part("would enter", c.Entered, func(r *fallenRow, x *retrieval.Shift) {
		r.value, r.note, r.up = fmt.Sprintf("rank %d", x.RankB), "new", true
	})
	part("would leave", c.Left, func(r *fallenRow, x *retrieval.Shift) {
		r.value, r.note, r.down = fmt.Sprintf("rank %d", x.RankA), "gone", true
	})
	part("would move", c.Moved, func(r *fallenRow, x *retrieval.Shift) {
		r.value = fmt.Sprintf("rank %d", x.RankB)
		switch n := x.RankDelta(); {
		case n > 0:
			r.note, r.up = fmt.Sprintf("%s%d", signs.Up, n), true
		case n < 0:
			r.note, r.down = fmt.Sprintf("%s%d", signs.Down, -n), true
		case c.SameScale():
			r.note = fmt.Sprintf("%+.3f", x.ScoreDelta())
		}
	})
	return rows
}
