package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// outcomeRow is a line of what happened in a stage: a sentence, or a candidate.
type outcomeRow struct {
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

// outcomeList is what happened in one stage, as rows.
type outcomeList struct {
	widget.List
	rows []outcomeRow
	w    int
	// hit is what is searched for, empty for nothing, hits the rows that have it.
	hit  string
	hits []int
}

func (l *outcomeList) selected() *outcomeRow {
	if l.At < 0 || l.At >= len(l.rows) || !l.stops(l.At) {
		return nil
	}
	return &l.rows[l.At]
}

// clear forgets the rows and where one was.
func (l *outcomeList) clear() { l.rows, l.hits, l.At, l.Top, l.Total = nil, nil, -1, 0, 0 }

// stops says that a row is a candidate, which the cursor can stand on.
func (l *outcomeList) stops(row int) bool { return l.rows[row].id != "" }

func (l *outcomeList) scroll(follow bool) {
	if follow {
		// The last line may say how many more there are: it is not that of the cursor.
		l.Show(min(l.At+1, len(l.rows)-1))
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
func (l *outcomeList) valueWidth() int {
	wide := leastValue
	for i := range l.rows {
		wide = max(wide, ansi.StringWidth(l.rows[i].value))
	}
	return wide
}

// mostOutcome is the width of a row on a screen that is wide enough.
const mostOutcome = 110

// outcomePane is what happened in one stage.
type outcomePane struct{ *View }

func (v outcomePane) SetSize(w, h int) {
	l := &v.list
	if w != l.w {
		v.narrowed = true // sentences are wrapped anew
	}
	// What has not been scrolled keeps its top, where it says what it is.
	resized := w != l.w || h != l.Height
	l.w, l.Height = w, h
	l.scroll(resized && l.Top > 0 && l.selected() != nil)
}

func (v outcomePane) Title() (name, note string) {
	stages := v.stages()
	if len(stages) == 0 {
		return "Stage", ""
	}
	st := &stages[v.stageAt()]
	if v.without {
		if p, ok := v.withoutStage(st.Name); ok {
			return phrase.Capital(withoutTitle(st.Name, p)), "what would change"
		}
	}
	if !flowsInto(st) {
		return phrase.Capital(stageTitle(st.Name)), ""
	}
	return phrase.Capital(stageTitle(st.Name)), fmt.Sprintf("%s %s %s", wording.Count(st.In), v.Styles().Signs.ArrowRight, wording.Count(st.Out))
}

// move moves the cursor over candidates; where there are none, and with the wheel,
// the text.
func (v outcomePane) Move(verb widget.Verb) {
	l := &v.list
	if !verb.Turns() && l.Walk(verb.Rows(l.Height), l.stops) {
		l.scroll(true)
		return
	}
	l.Scroll(verb.Lines(l.Height))
}

func (v outcomePane) Click(_, y int) tea.Cmd {
	l := &v.list
	if at, ok := l.RowOf(y); ok && l.stops(at) {
		l.At = at
	}
	return nil
}

// Selected implements [view.Selector].
func (v outcomePane) Selected() (chunk view.Chunk, ok bool) {
	if r := v.list.selected(); r != nil {
		return view.Chunk{ID: r.id, Section: r.section}, true
	}
	return chunk, false
}

func (v outcomePane) Draw(w, h int, focused bool) []string {
	s, l := v.Styles(), &v.list
	wide := min(w, mostOutcome) // what belongs together stands together
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
		left := mark + " " + s.Score.Render(widget.FitRight(r.value, number)) + "  "
		room := wide - ansi.StringWidth(left) - ansi.StringWidth(r.note) - 3
		name := widget.Marked(s, r.name, l.hit, style, room)
		page := ""
		if rest := room - ansi.StringWidth(name) - 2; r.otherPage() != "" && rest > 8 {
			page = "  " + s.Faint.Render(ansi.Truncate(r.page, rest, s.Signs.Ellipsis))
		}
		lines = append(lines, widget.Spread(left+name+page, note.Render(r.note)+" ", wide))
	}
	l.More(s, lines, wording.Plural)
	return widget.Clip(lines, w, h)
}

// Said implements [view.Pane].
func (v outcomePane) Said() string {
	r := v.list.selected()
	if r == nil {
		return ""
	}
	return wording.Aloud(strings.TrimSpace(r.value), r.name, r.otherPage(), r.note)
}

// otherPage is the title of a candidate's page, where its name is another.
func (r *outcomeRow) otherPage() string {
	if r.page == r.name {
		return ""
	}
	return r.page
}

// makeOutcome lists what happened in the stage that is looked at.
func (v *View) makeOutcome() {
	l := &v.list
	keep := ""
	if r := l.selected(); r != nil {
		keep = r.id
	}
	seen := l.Has(l.At) // else its top is looked at
	l.rows, l.Total = nil, 0
	add := func(r outcomeRow) {
		if r.id != "" || r.heading || r.text == "" {
			l.rows = append(l.rows, r)
			return
		}
		for _, line := range widget.Wrapped(r.text, max(10, l.w-2)) {
			l.rows = append(l.rows, outcomeRow{text: line})
		}
	}
	stages := v.stages()
	if len(stages) == 0 {
		return
	}
	st := &stages[v.stageAt()]
	rows := v.stageRows
	if v.without {
		rows = v.withoutRows
	}
	for _, r := range rows(st) {
		add(r)
	}
	l.At = slices.IndexFunc(l.rows, func(r outcomeRow) bool { return r.id != "" && (keep == "" || r.id == keep) })
	if l.At < 0 {
		l.At = slices.IndexFunc(l.rows, func(r outcomeRow) bool { return r.id != "" })
	}
	l.search(l.hit)
	l.scroll(keep != "" && seen && l.At >= 0)
}

// stageRows say what a stage did: with which settings, whom it dropped and why,
// whom it put together.
func (v *View) stageRows(st *retrieval.Stage) []outcomeRow {
	rows := []outcomeRow{{text: retrieval.StageOf(st.Name).About}}
	settings := ""
	for _, key := range slices.Sorted(maps.Keys(st.Params)) {
		if settings != "" {
			settings += "   "
		}
		settings += wording.SettingName(key) + " " + wording.Setting(key, st.Params[key])
	}
	if settings != "" {
		rows = append(rows, outcomeRow{text: settings})
	}
	for _, n := range st.Notes {
		rows = append(rows, outcomeRow{text: wording.Line(n)})
	}
	if t := v.ablationOf(st.Name); t != nil && t.On {
		said := toggleWords(&t.Comparison)
		if sent := v.surfaceWords(st.Name); sent != "" {
			said = sent
		}
		if t.Needs != "" {
			said = "asks the corpus"
		}
		rows = append(rows, outcomeRow{text: "without it: " + said + "   (" + v.KeyOf("stages.without") + " shows it)"})
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
	named := v.Session().Evidence().Labels(ids)
	if len(st.Dropped) > 0 {
		rows = append(rows, outcomeRow{}, outcomeRow{heading: true, text: "dropped " + wording.Count(len(st.Dropped))})
		drops := slices.Clone(st.Dropped)
		for i := range drops {
			d := &drops[i]
			r := v.candidateRow(&named[i])
			r.value, r.note = wording.FailedValue(d, false), wording.Said(d.Worded().Say(phrase.Note), wording.Score)
			rows = append(rows, r)
		}
	}
	if len(st.Merged) > 0 {
		from, into := named[len(st.Dropped):len(st.Dropped)+len(st.Merged)], named[len(st.Dropped)+len(st.Merged):]
		rows = append(rows, outcomeRow{}, outcomeRow{heading: true, text: "merged " + wording.Count(len(st.Merged))})
		for i := range st.Merged {
			r := v.candidateRow(&from[i])
			if from[i].ChunkID != into[i].ChunkID {
				r.note = "into " + wording.Line(into[i].Heading)
			} else {
				r.note = "found by both searches"
			}
			rows = append(rows, r)
		}
	}
	return append(rows, v.throughRows(st)...)
}

// throughRows are the sections that came through all stages, under those that
// did not come through this one.
func (v *View) throughRows(st *retrieval.Stage) []outcomeRow {
	if !flowsInto(st) || len(v.Session().Result().Items) == 0 {
		return nil
	}
	items := make([]*retrieval.Item, len(v.Session().Result().Items))
	for i := range v.Session().Result().Items {
		items[i] = &v.Session().Result().Items[i]
	}
	slices.SortStableFunc(items, func(a, b *retrieval.Item) int { return a.Rank - b.Rank })
	rows := []outcomeRow{{}, {heading: true, text: "through to the result " + wording.Count(len(items))}}
	for _, it := range items {
		r := outcomeRow{id: it.ChunkID, section: it.ChunkID, name: wording.Heading(it), page: v.PageTitle(it.Title), value: wording.Score(it.Score), note: fmt.Sprintf("rank %d", it.Rank)}
		if st.Name == param.StageDepth && it.HasRaw {
			r.note = fmt.Sprintf("%s at depth %d", wording.Score(it.RawSimilarity), it.Depth)
		}
		if v.Session().Result().Mode == param.ModeFullContext {
			r.value = strconv.Itoa(it.Rank)
			r.note = wording.Tokens(it.Tokens(), v.IsEstimated())
		}
		rows = append(rows, r)
	}
	return rows
}

// surfaceWords say what leaving out the choice of a surface would change: the
// same sections come, in another form. Empty for another stage, and where none is
// sent as HTML.
func (v *View) surfaceWords(stage string) string {
	n := 0
	for i := range v.Session().Result().Items {
		if v.Session().Result().Items[i].Surface == retrieval.SurfaceHTML {
			n++
		}
	}
	if stage != param.StageSurface || n == 0 {
		return ""
	}
	return wording.Said(phrase.AsMarkdown.With(phrase.Several(n, "section")), wording.Score)
}

// candidateRow is a row that names a candidate.
func (v *View) candidateRow(n *retrieval.ChunkLabel) outcomeRow {
	name, page := wording.Line(n.Heading), v.PageTitle(n.Title)
	if name == "" {
		name, page = page, ""
	}
	if name == "" {
		name = "(without heading)"
	}
	return outcomeRow{id: n.ChunkID, section: n.Section, name: name, page: page}
}

func (v *View) ablationOf(stage string) *whynot.Ablation {
	all := v.Session().Ablations()
	if at := slices.IndexFunc(all, func(a whynot.Ablation) bool { return a.Stage == stage }); at >= 0 {
		return &all[at]
	}
	return nil
}

// withoutRows say what would change without the stage.
func (v *View) withoutRows(st *retrieval.Stage) []outcomeRow {
	p, ok := v.withoutStage(st.Name)
	if !ok {
		return []outcomeRow{{text: "Nothing works without it."}}
	}
	if covered, why := v.Session().Evidence().Covers(p); !covered {
		return []outcomeRow{{text: "This asks the corpus, because " + wording.Line(why) + ". X applies it."}}
	}
	result, _ := v.Session().Evidence().Rank(p, retrieval.Options{})
	c := retrieval.Compare(*v.Session().Result(), result, session.OverlapDepth)
	rows := []outcomeRow{{text: toggleWords(&c)}}
	if sent := v.surfaceWords(st.Name); sent != "" {
		rows[0].text = sent + " (X applies it)"
	}
	if c.IsIdentical() {
		return rows
	}
	if !c.SameScale() {
		rows = append(rows, outcomeRow{text: phrase.OtherScale})
	}
	rows = append(rows, outcomeRow{text: fmt.Sprintf("overlap@%d %s   RBO %s   (X applies it)", c.Depth, wording.Score(c.Overlap), wording.Score(c.RBO))})
	shift := func(x *retrieval.Shift) outcomeRow {
		name, page := wording.Line(x.Name), v.PageTitle(x.Title)
		if name == "" {
			name, page = page, ""
		}
		return outcomeRow{id: x.ChunkID, section: x.ChunkID, name: name, page: page}
	}
	part := func(title string, shifts []retrieval.Shift, more func(*outcomeRow, *retrieval.Shift)) {
		if len(shifts) == 0 {
			return
		}
		rows = append(rows, outcomeRow{}, outcomeRow{heading: true, text: title + " " + wording.Count(len(shifts))})
		for i := range shifts {
			r := shift(&shifts[i])
			more(&r, &shifts[i])
			rows = append(rows, r)
		}
	}
	signs := &v.Styles().Signs
	part("would enter", c.Entered, func(r *outcomeRow, x *retrieval.Shift) {
		r.value, r.note, r.up = fmt.Sprintf("rank %d", x.RankB), "new", true
	})
	part("would leave", c.Left, func(r *outcomeRow, x *retrieval.Shift) {
		r.value, r.note, r.down = fmt.Sprintf("rank %d", x.RankA), "left", true
	})
	part("would move", c.Moved, func(r *outcomeRow, x *retrieval.Shift) {
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
