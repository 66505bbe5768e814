package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Draw implements [view.Dialog].
func (d *pairDialog) Draw(s *theme.Styles, w, h int) []string {
	inner := w - 4
	if inner <= 0 {
		return nil
	}
	room := h - 2
	var lines []string
	title := "Two rankings"
	if query := d.v.query(&d.sides[0]); query == d.v.query(&d.sides[1]) {
		title = ansi.Truncate("Two rankings of "+"“"+wording.Line(query)+"”", max(12, inner-2), s.Signs.Ellipsis)
	}
	switch d.sheet {
	case settingSheet:
		title = "Parameters of both"
		lines = d.settingLines(s, inner, room)
	case watchSheet:
		title = "The watch list by both"
		lines = d.watchLines(s, inner, room)
	default:
		lines = d.rankingLines(s, inner, room)
	}
	for d.sheet != watchSheet && len(lines) < room {
		lines = append(lines, "")
	}
	return widget.Frame(s, title, lines[:min(len(lines), max(0, room))], d.position(), w)
}

func (d *pairDialog) position() string {
	if d.sheet == settingSheet {
		return d.pager.Position()
	}
	return d.Position()
}

// compare finds out what became of each section.
func (d *pairDialog) compare() {
	d.left, d.moves, d.wide, d.marks = map[string]bool{}, map[string]*retrieval.Shift{}, 0, [2]int{}
	d.rankWide = 2
	for at := range d.items {
		for _, it := range d.items[at] {
			d.wide = max(d.wide, ansi.StringWidth(d.name(it)))
			d.rankWide = max(d.rankWide, len(strconv.Itoa(it.Rank)))
		}
	}
	if d.unlike != session.Alike {
		return
	}
	for i := range d.diff.Left {
		d.left[d.diff.Left[i].ChunkID] = true
		d.marks[0] = len(markLeft)
	}
	for _, list := range [][]retrieval.Shift{d.diff.Entered, d.diff.Moved} {
		for i := range list {
			d.moves[list[i].ChunkID] = &list[i]
			text, _ := wording.Movement(d.v.Styles(), &list[i])
			d.marks[1] = max(d.marks[1], ansi.StringWidth(text))
		}
	}
}

// markLeft is said of a section that only the other side has not.
const markLeft = "left"

// call names the sections, each alike on both sides: as the list of results does where that
// has them, else as the side that knows their first words.
func (d *pairDialog) call() {
	lists := d.items[:]
	if now := d.v.Session().Result(); now != nil {
		lists = append([][]*retrieval.Item{now.ByRank()}, lists...)
	}
	known, listed := map[string]*retrieval.Item{}, map[string]bool{}
	for _, list := range d.items {
		for _, it := range list {
			listed[it.ChunkID] = true
		}
	}
	var all []*retrieval.Item
	for _, list := range lists {
		for _, it := range list {
			is := known[it.ChunkID]
			switch {
			case !listed[it.ChunkID]:
				continue
			case is == nil:
				is = &retrieval.Item{}
				all, known[it.ChunkID] = append(all, is), is
			case is.ChunkText != "" || it.ChunkText == "":
				continue
			}
			if *is = *it; is.Parts == 0 {
				d.v.Session().SetPart(is)
			}
		}
	}
	d.called, d.naming = known, wording.NamesOf(all, d.v.TitleSuffixes())
}

func (d *pairDialog) name(it *retrieval.Item) string { return d.naming.Of(d.called[it.ChunkID]) }

// columns are the widths of both sides, which a seam of three cells parts.
func columns(inner int) int { return (inner - 3) / 2 }

// alone says that one list is shown at a time: of two, the names would be cut to nothing.
func alone(s *theme.Styles, inner int) bool {
	const least = 30 // cells of a list
	return s.Spoken || columns(inner) < least
}

// both lays a line of each side beside the other.
func both(s *theme.Styles, left, right string, half int) string {
	return widget.Fit(left, half) + " " + s.Rule.Render(s.Signs.Seam) + " " + widget.Fit(right, half)
}

// names are the heads of both sides, with the query where they answer different ones.
func (d *pairDialog) names(s *theme.Styles, inner int) []string {
	half, letters := columns(inner), [...]string{"A", "B"}
	here, beside := &d.sides[d.at], &d.sides[1-d.at]
	switch {
	case s.Spoken:
		shown, other := letters[d.at]+", "+wording.Line(here.Name), "beside "+letters[1-d.at]+", "+wording.Line(beside.Name)
		return widget.Wrapped(shown+", "+other, max(1, inner))
	case alone(s, inner):
		head := s.Title.Render(ansi.Truncate(letters[d.at]+"  "+wording.Line(here.Name), max(1, inner-2), s.Signs.Ellipsis))
		other := "beside " + letters[1-d.at] + "  "
		room := inner - ansi.StringWidth(head) - 3
		return []string{head + "   " + s.Faint.Render(widget.FirstFitting(room, other+wording.Line(beside.Name), strings.TrimSpace(other)))}
	}
	var heads, queries [2]string
	for i, letter := range []string{"A  ", "B  "} {
		style := s.Strong
		if i == d.at {
			style = s.Title
		}
		of := &d.sides[i]
		heads[i] = style.Render(ansi.Truncate(letter+wording.Line(of.Name), max(1, half-2), s.Signs.Ellipsis))
		if rest := half - ansi.StringWidth(heads[i]) - 2; of.kind != "" && len(of.kind) <= rest {
			heads[i] += "  " + s.Faint.Render(of.kind)
		}
		queries[i] = s.Faint.Render(ansi.Truncate("   "+wording.Line(d.v.query(of)), max(1, half-2), s.Signs.Ellipsis))
	}
	lines := []string{both(s, heads[0], heads[1], half)}
	if queries[0] != queries[1] {
		lines = append(lines, both(s, queries[0], queries[1], half))
	}
	return lines
}

// rankingLines are the two lists.
func (d *pairDialog) rankingLines(s *theme.Styles, inner, room int) []string {
	lines := d.head(s, inner, max(1, room/4))
	half := columns(inner)
	lines = append(lines, d.names(s, inner)...)
	total, narrow := 0, alone(s, inner)
	switch {
	case d.known() && narrow:
		total, half = len(d.items[d.at]), inner
	case d.known():
		total = max(len(d.items[0]), len(d.items[1]))
	}
	if s.Spoken {
		d.Resize(max(1, room-len(lines)), total)
		for i := d.Top; i < d.Until(); i++ {
			lines = append(lines, d.sentence(s, i, inner))
		}
		return lines
	}
	foot := ""
	const low = 8 // lines, below which all are needed for the lists
	if room >= low && !d.hasScores(half) {
		foot = d.scoresHere(s, inner)
		room--
	}
	d.Resize(max(1, room-len(lines)), total)
	for i := d.Top; i < d.Until(); i++ {
		if narrow {
			lines = append(lines, d.cell(s, d.at, i, inner))
			continue
		}
		lines = append(lines, both(s, d.cell(s, 0, i, half), d.cell(s, 1, i, half), half))
	}
	if foot == "" {
		return lines
	}
	for len(lines) < room {
		lines = append(lines, "")
	}
	return append(lines, foot)
}

// hiddenScores say of the scores that rows have no room for where they are, from the longest on.
var hiddenScores = []string{"   the other rows show theirs from 100 columns on", "   all from 100 columns on"}

// scoresHere are the scores that the section under the cursor has on both sides, and where those
// of the others are; empty without a section.
func (d *pairDialog) scoresHere(s *theme.Styles, room int) string {
	here := d.item(d.at, d.At)
	if here == nil {
		return ""
	}
	var parts []string
	for at, letter := range []string{"A ", "B "} {
		for _, it := range d.items[at] {
			if it.ChunkID == here.ChunkID {
				parts = append(parts, s.Faint.Render(letter)+s.Score.Render(wording.Score(it.Score)))
			}
		}
	}
	said := s.Faint.Render("its score  ") + strings.Join(parts, s.Faint.Render("   "))
	return said + s.Faint.Render(widget.FirstFitting(room-ansi.StringWidth(said), hiddenScores...))
}

// hasScores says that the rows of both sides have room for scores: no title is cut for them,
// or most have room.
func (d *pairDialog) hasScores(half int) bool {
	const roomy = 46 // on a screen of 100 cells
	return half >= roomy || d.wide <= half-5-max(d.marks[0], d.marks[1])-1-scoreWidth
}

// scoreWidth is that of the column of scores, with the blanks beside it.
const scoreWidth = 7

// cell is a section on one of the sides, with what became of it.
func (d *pairDialog) cell(s *theme.Styles, at, row, half int) string {
	it := d.item(at, row)
	if it == nil {
		return ""
	}
	var marks [2]string // of the section, on each side
	if d.left[it.ChunkID] {
		marks[0] = s.Down.Render(markLeft)
	}
	if shift := d.moves[it.ChunkID]; shift != nil {
		text, style := wording.Movement(s, shift)
		marks[1] = style.Render(text)
	}
	// What stands on both sides is cut alike.
	right, beside := marks[at], max(ansi.StringWidth(marks[0]), ansi.StringWidth(marks[1]))
	if d.hasScores(half) {
		right = " " + s.Score.Render(fmt.Sprintf("%5s", wording.Score(it.Score)))
		if d.marks[at] > 0 { // scores stand below each other
			right += " " + widget.Padded(marks[at], d.marks[at])
		}
		beside = scoreWidth - 1
		if most := max(d.marks[0], d.marks[1]); most > 0 {
			beside += most + 1
		}
	}
	here := d.item(d.at, d.At)
	cursor, style := widget.Mark(s, at == d.at && row == d.At, true, s.Text)
	if here != nil && here.ChunkID == it.ChunkID && at != d.at {
		style = s.Strong // the same section on the other side
	}
	left := cursor + s.Faint.Render(fmt.Sprintf("%*d", d.rankWide, it.Rank)) + " "
	name := wording.CutPath(d.name(it), max(1, half-ansi.StringWidth(left)-beside-1))
	return widget.Spread(left+style.Render(name), right, half)
}

// sentence is a section of the side of the cursor in words, for a screen that is read aloud,
// which has one list at a time: what is left out ends at a word.
func (d *pairDialog) sentence(s *theme.Styles, row, room int) string {
	it := d.item(d.at, row)
	cursor, style := widget.Mark(s, row == d.At, true, s.Text)
	lead, letter := cursor+fmt.Sprintf("%2d ", it.Rank), [...]string{"A", "B"}[1-d.at]
	score, other := ", "+strings.TrimSpace(wording.Score(it.Score)), ""
	if d.unlike == session.Alike {
		other = ", not in " + letter
		if at := slices.IndexFunc(d.items[1-d.at], func(o *retrieval.Item) bool { return o.ChunkID == it.ChunkID }); at >= 0 {
			other = fmt.Sprintf(", rank %d in %s", d.items[1-d.at][at].Rank, letter)
		}
	}
	room -= ansi.StringWidth(lead)
	// What matched goes before the headings, and these before the page.
	var forms []string
	names := wording.Shorter(d.name(it))
	for i, name := range names {
		if forms = append(forms, name+score+other); i == len(names)-1 {
			forms = append(forms, name+other)
		}
	}
	said := widget.FirstFitting(room, forms...)
	if last := names[len(names)-1]; said == "" {
		said = widget.Wrapped(last, max(1, room-ansi.StringWidth(other)))[0] + other
	}
	return lead + style.Render(ansi.Truncate(said, max(0, room), ""))
}

// head says how the rankings and the parameters differ, these in at most some lines.
func (d *pairDialog) head(s *theme.Styles, room, most int) []string {
	a, b := &d.sides[0], &d.sides[1]
	var lines []string
	if d.v.query(a) != d.v.query(b) {
		lines = append(lines, widget.Styled(s.Warning.Render, widget.Wrapped("! They answer different queries: how ranks differ says little.", room))...)
	}
	lines = append(lines, d.difference(s, room)...)
	groups := settingGroups(a.Params, b.Params)
	if len(groups) == 0 {
		return append(lines, s.Faint.Render("with the same parameters"), "")
	}
	said, n := groupLines(groups, room, true)
	if len(said) > most {
		said, n = groupLines(groups, room, false)
	}
	if len(said) > most {
		said = append(said[:most-1], fmt.Sprintf("%s %d parameters differ: p shows all", s.Signs.Ellipsis, n))
	}
	for i, line := range said {
		for _, g := range groups { // a label is to be told from the values
			line = strings.Replace(line, g.label(), s.TitleOff.Render(g.label()), 1)
		}
		said[i] = line
	}
	return append(append(lines, said...), "")
}

// label is the name of a part of the pipeline before its parameters.
func (g *settingGroup) label() string { return strings.ToLower(g.name) + ":" }

// groupLines say in lines of w cells which parameters differ, and how many. A line ends
// after a part of the pipeline if apart, else where another one has no room; inside of one
// only where that is longer than a line.
func groupLines(groups []settingGroup, w int, apart bool) (lines []string, n int) {
	const gap = "   "
	for _, g := range groups {
		n += len(g.differing)
		text := g.label() + " " + strings.Join(g.differing, gap)
		if last := len(lines) - 1; !apart && last >= 0 && ansi.StringWidth(lines[last]+gap+text) <= w {
			lines[last] += gap + text
			continue
		}
		if ansi.StringWidth(text) <= w {
			lines = append(lines, text)
			continue
		}
		// Nor is a parameter broken.
		for i, l := range widget.Wrapped(strings.ReplaceAll(strings.ReplaceAll(text, " ", unbroken), strings.Repeat(unbroken, len(gap)), gap), max(1, w-2)) {
			if i > 0 {
				l = "  " + l
			}
			lines = append(lines, strings.ReplaceAll(l, unbroken, " "))
		}
	}
	return lines, n
}

// difference says how the rankings differ, or why that is not known.
func (d *pairDialog) difference(s *theme.Styles, room int) []string {
	if !d.known() {
		for i := range d.sides {
			if _, why := d.v.result(&d.sides[i]); why != "" {
				return widget.Styled(s.Warning.Render, widget.Wrapped("! "+d.sides[i].Name+" cannot be ranked: "+wording.Line(why), room))
			}
		}
		return []string{s.Faint.Render("asks the corpus" + s.Signs.Ellipsis)}
	}
	switch {
	case d.unlike != session.Alike:
		return []string{saidUnlike(d.unlike)}
	case d.diff.IsIdentical():
		return []string{"the same ranking with the same scores"}
	}
	long, short := wording.DiffCounts(s, &d.diff)
	_, rbo := wording.Measures(&d.diff)
	measure, overlap := wording.Overlap(&d.diff)
	measured := strings.TrimRight("   "+measure+" "+overlap, " ")
	if rbo != "" {
		measured += "   RBO " + rbo
	}
	scale := ""
	if !d.diff.SameScale() {
		scale = saidScales + " · "
	}
	lines := []string{widget.FirstFitting(room, scale+long+measured, scale+long, long, short)}
	for i := range d.sides {
		if sn := d.sides[i].of; sn != nil && sn.Places > len(sn.Result.Items) {
			lines = append(lines, s.Faint.Render(fmt.Sprintf("of %s, %s places, the first %s are kept", wording.Line(sn.Name), wording.Count(sn.Places), wording.Count(len(sn.Result.Items)))))
		}
	}
	return lines
}

// unbroken is a blank at which no line is broken.
const unbroken = "\u00a0"

// settingGroup are the parameters of one part of the pipeline: those that differ, which
// differing has with both values, and the others.
type settingGroup struct {
	name          string
	differing     []string
	unlike, alike []param.Spec
}

// settingGroups are the parts of the pipeline in which parameters differ.
func settingGroups(a, b param.Params) []settingGroup {
	return slices.DeleteFunc(allSettings(a, b), func(g settingGroup) bool { return len(g.differing) == 0 })
}

// allSettings are all parameters by the parts of the pipeline.
func allSettings(a, b param.Params) []settingGroup {
	var all []settingGroup
	for _, spec := range param.Specs() {
		name := spec.Group.String()
		at := slices.IndexFunc(all, func(g settingGroup) bool { return g.name == name })
		if at < 0 {
			at, all = len(all), append(all, settingGroup{name: name})
		}
		g := &all[at]
		if a.Get(spec.Field) == b.Get(spec.Field) {
			g.alike = append(g.alike, spec)
			continue
		}
		g.unlike = append(g.unlike, spec)
		g.differing = append(g.differing, spec.Name+" "+wording.Line(spec.Shown(a.Get(spec.Field)))+" → "+wording.Line(spec.Shown(b.Get(spec.Field))))
	}
	return all
}

// Said says the row under the cursor in words, for a screen that is read aloud.
func (d *pairDialog) Said() string {
	letter := [...]string{"A", "B"}
	switch d.sheet {
	case watchSheet:
		list := d.v.Session().Watched()
		if d.At < 0 || d.At >= len(list) {
			return ""
		}
		return d.saidWatched(list[d.At], 0)
	case rankingSheet:
		it := d.item(d.at, d.At)
		if it == nil {
			return ""
		}
		became, _ := wording.Movement(d.v.Styles(), d.moves[it.ChunkID])
		if d.at == 0 {
			if became = ""; d.left[it.ChunkID] {
				became = markLeft
			}
		}
		return wording.Aloud(letter[d.at], fmt.Sprintf("rank %d of %d", it.Rank, len(d.items[d.at])), d.name(it), wording.Score(it.Score), became)
	}
	return ""
}
