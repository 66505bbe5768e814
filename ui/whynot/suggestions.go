package whynot

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// suggestions list the changes that let the text in, each with what else it does.
func (t *sheet) suggestions() {
	r, s := t.report, t.s
	if r.Present || r.Absence != "" {
		return
	}
	t.gap()
	t.from = len(t.lines)
	if len(r.Suggestions) == 0 {
		t.say(s.Strong.Render, phrase.NothingTried)
		t.say(s.Faint.Render, wording.Said(phrase.RankingsMade.With(phrase.Several(r.Runs, "ranking")), wording.Score))
		return
	}
	cols, title := t.columns(), phrase.Capital(phrase.WhatLetsIn)
	if !cols.fit {
		t.add(" " + s.Strong.Render(ansi.Truncate(title, t.w-2, s.Signs.Ellipsis)))
	} else {
		head := " " + s.Strong.Render(widget.Fit(title, cols.change+1)) + "  "
		for i, c := range cols.head {
			head += s.Faint.Render(widget.FitRight(c, cols.wide[i])) + "   "
		}
		t.add(head)
	}
	for i := range r.Suggestions {
		t.suggestion(i, cols)
	}
	said := wording.Said(phrase.Tried.With(phrase.Several(r.Runs, "ranking")), wording.Score) + "; " + phrase.LeastFirst
	if slices.ContainsFunc(t.watched, func(w watchedBy) bool { return !w.known }) {
		said += "; " + s.Signs.Dash + " takes another search"
	}
	t.say(s.Faint.Render, said)
}

// columns are the widths of the table of suggestions.
type columns struct {
	fit    bool
	change int
	head   []string
	wide   []int
	cells  [][]string
}

func (t *sheet) columns() columns {
	cols := columns{change: ansi.StringWidth(phrase.WhatLetsIn), head: []string{"would rank", "also in", "out"}}
	if t.watched != nil {
		cols.head = append(cols.head, "watch list")
	}
	cols.head = append(cols.head, "moved")
	for i := range t.report.Suggestions {
		sg := &t.report.Suggestions[i]
		cols.change = max(cols.change, ansi.StringWidth(changeWords(t.report, sg, &t.s.Signs)))
		cells := []string{sg.Place().String(), strconv.Itoa(len(sg.Enters)), strconv.Itoa(len(sg.Leaves))}
		if t.watched != nil {
			cells = append(cells, t.verdictOn(i))
		}
		cols.cells = append(cols.cells, append(cells, strconv.Itoa(sg.Moved)))
	}
	width := cols.change + 4
	for c, name := range cols.head {
		n := ansi.StringWidth(name)
		for i := range cols.cells {
			n = max(n, ansi.StringWidth(cols.cells[i][c]))
		}
		cols.wide = append(cols.wide, n)
		width += n + 3
	}
	// How many move is the least of it: it goes where there is no room.
	if width > t.w {
		last := len(cols.wide) - 1
		width -= cols.wide[last] + 3
		cols.wide, cols.head = cols.wide[:last], cols.head[:last]
	}
	cols.fit = width <= t.w
	return cols
}

// verdictOn is what the watched queries say of a suggestion.
func (t *sheet) verdictOn(i int) string { return verdictOn(t.watched, i, &t.s.Signs) }

func verdictOn(watched []watchedBy, i int, signs *theme.Signs) string {
	if i < len(watched) {
		return watched[i].words(signs.Dash)
	}
	return signs.Ellipsis
}

// suggestion adds the lines of one change; of the selected one also what it does.
func (t *sheet) suggestion(i int, cols columns) {
	s, sg := t.s, &t.report.Suggestions[i]
	mark, style := widget.Mark(s, i == t.page.at, true, s.Text)
	words := changeWords(t.report, sg, &s.Signs)
	from := len(t.lines)
	if cols.fit {
		line := mark + style.Render(widget.Fit(words, cols.change+1)) + "  "
		for c, cell := range cols.cells[i][:len(cols.wide)] {
			line += t.cell(i, c, cell, widget.FitRight(cell, cols.wide[c])) + "   "
		}
		t.add(line)
	} else {
		for n, l := range widget.Wrapped(words, max(1, t.w-2)) {
			if n > 0 {
				mark = " "
			}
			t.add(mark + style.Render(l))
		}
		t.add("   " + s.Faint.Render(ansi.Truncate(t.sideWords(i), max(1, t.w-4), s.Signs.Ellipsis)))
	}
	if i == t.page.at {
		t.details(sg)
	}
	for n := from; n < len(t.lines); n++ {
		t.of[n] = i
	}
}

// cell styles a cell of a suggestion: what it costs others stands out.
func (t *sheet) cell(i, column int, value, padded string) string {
	switch {
	case column == 0:
		return t.s.Score.Render(padded)
	case value == "0":
		return t.s.Faint.Render(padded)
	case column == 2, column == 3 && i < len(t.watched) && t.watched[i].tier() == 2:
		return t.s.Down.Render(padded)
	default:
		return t.s.Text.Render(padded)
	}
}

// sideWords are the cells of the table in one line.
func (t *sheet) sideWords(i int) string {
	return sideWords(&t.report.Suggestions[i], t.watched, i, &t.s.Signs)
}

func sideWords(sg *whynot.Suggestion, watched []watchedBy, i int, signs *theme.Signs) string {
	said := phrase.GainBrief.With(sg.Place(), len(sg.Enters), len(sg.Leaves)).String()
	if watched != nil {
		said += ", watch " + verdictOn(watched, i, signs)
	}
	return said
}

// setsSearches says that a change of top k moves the limits of the searches, too, and that the
// rank of what top k has dropped is another one by that.
func setsSearches(p *param.Params, r *whynot.Report, sg *whynot.Suggestion) bool {
	return p.TopKChildrenLimit == 0 && (p.MaxHops == 0 || p.SeedTopK == 0) &&
		r.DroppedBy != nil && r.DroppedBy.Stage == param.StageTopK && sg.Rank != r.DroppedBy.Rank &&
		slices.ContainsFunc(sg.Changes, func(c whynot.Adjustment) bool { return c.Field == param.FieldTopK })
}

// namesOf are the first of the sections that come or go, parts of one with their numbers.
func (t *sheet) namesOf(shifts []retrieval.Shift, most int) string {
	return wording.Exactly(wording.InParts(wording.OnPages(whynot.NameShifts(shifts, most), t.suffixes), t.v.Session().Summary()), nil)
}

// details say of a change how it works and whom it touches: a few names, or when
// it is opened all.
func (t *sheet) details(sg *whynot.Suggestion) {
	s := t.s
	most := 3
	if t.page.open {
		most = len(sg.Enters) + len(sg.Leaves)
	}
	para := func(style func(...string) string, text string) {
		lines := widget.Wrapped(text, max(1, t.w-5))
		if !t.page.open && len(lines) > 2 {
			lines = lines[:2]
			lines[1] = ansi.Truncate(lines[1], max(1, t.w-7), "") + " " + s.Signs.Ellipsis
		}
		t.add(widget.Indented(widget.Styled(style, lines), 3)...)
	}
	// Of a page it may be another section than that of its best passage.
	if in := t.section(sg.Item, sg.ItemName); in != "" && t.report.Target.SourceURL != "" && t.report.Meant > 1 {
		para(s.Text.Render, phrase.Capital(phrase.ComesIn.With(in).String()))
	}
	if how := wording.Said(sg.How(), wording.Score); how != "" {
		para(s.Text.Render, how)
	}
	if t.w >= tableWidth || t.page.open {
		for _, c := range sg.Changes {
			if spec, ok := param.SpecOf(c.Field); ok {
				para(s.Faint.Render, phrase.Capital(spec.Name)+": "+spec.Explains())
			}
		}
	}
	if setsSearches(&t.params, t.report, sg) {
		para(s.Text.Render, "Top k also says how much the searches return: ranks change with it.")
	}
	if len(sg.Enters) > 0 {
		para(s.Up.Render, "+ "+t.namesOf(sg.Enters, most))
	}
	if len(sg.Leaves) > 0 {
		para(s.Down.Render, s.Signs.Minus+" "+t.namesOf(sg.Leaves, most))
	}
	if sg.Collateral() == 0 && sg.Moved == 0 {
		para(s.Faint.Render, phrase.NothingElse)
	}
	if !t.page.open {
		return
	}
	for _, c := range sg.Changes {
		if c.Boundary != "" {
			para(s.Faint.Render, phrase.BeginsAt.With(wording.SettingName(c.Field), wording.Setting(c.Field, boundaryWords(c.Boundary, c.To))).String())
		}
	}
}
