package ui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// indexHealth asks how well the vector index answers, and shows it.
type indexHealth struct{ *Model }

// examine asks how well the index answers the query on the screen.
func (m indexHealth) examine() tea.Cmd {
	return tea.Batch(m.say("asking the index in several ways …", false), m.start(m.session.TestIndex(m.session.Query())))
}

func (m indexHealth) canExamine() (bool, string) {
	switch {
	case m.session.Corpus() == nil || m.session.Corpus().Health == nil:
		return false, session.ErrNoIndex.Error()
	case m.session.Query() == "":
		return false, "ask a query first: the index is examined with it"
	default:
		return true, ""
	}
}

// Take implements [view.Taker]: it shows how well the index answers.
func (m indexHealth) Take(d session.Done) tea.Cmd {
	if d.Kind != session.KindHealth {
		return nil
	}
	m.unsay()
	switch {
	case errors.Is(d.Err, session.ErrNoIndex):
		return m.say(d.Err.Error(), false)
	case errors.Is(d.Err, context.Canceled):
		return nil
	case d.Err != nil:
		// What to do about it may be a statement: it must be read whole.
		return m.push(&view.TextDialog{Title: "Vector index", Wanted: 76, Text: view.PlainText(wording.Line(d.Err.Error()))})
	}
	return m.push(&view.TextDialog{Title: "Vector index", Wanted: 76, Text: func(s *theme.Styles, w int) []string {
		return healthLines(s, w, d.Query, &d.Health)
	}})
}

// healthLines are the text of the dialog: what the index is, and what each
// setting brings.
func healthLines(s *theme.Styles, w int, query string, h *session.IndexHealth) []string {
	x := &h.Index
	var lines []string
	add := func(text string) { lines = append(lines, widget.Wrapped(text, w)...) }
	add(s.Strong.Render(wording.Line(x.Name)))
	facts := []string{x.Method + " over " + x.Type}
	for _, o := range x.Options {
		facts = append(facts, o.Name+" "+o.Value)
	}
	facts = append(facts, wording.Count(int(x.Rows))+" vectors", size(x.Bytes)+" beside a table of "+size(x.TableBytes+x.ToastBytes))
	lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped(strings.Join(facts, " · "), w))...)
	if !x.Valid {
		lines = append(lines, widget.Styled(s.Warning.Render, widget.Wrapped("! it is invalid: its building failed, and no search uses it", w))...)
	}
	if x.Dead > 0 {
		dead := fmt.Sprintf("%s dead entries (%s) take the places of rows that could be found; VACUUM (INDEX_CLEANUP ON) removes them", wording.Count(int(x.Dead)), vacuumed(x.LastVacuum))
		lines = append(lines, widget.Styled(s.Warning.Render, widget.Wrapped("! "+dead, w))...)
	}
	lines = append(lines, "", s.Faint.Render(fmt.Sprintf("the %d nearest of %s to ", h.K, wording.Count(h.Probed.Rows)))+widget.CutAtWord("“"+wording.Line(query)+"”", w-30), "")
	t := healthTable{styles: s, bar: min(barRecall, w-rowsRecall)}
	lines = append(lines, s.Faint.Render(t.row("ef_search", "recall", "", "rows", "time")+"by"))
	scanned := 0
	for _, p := range h.Probed.Points {
		by := "index"
		if p.Used == "" {
			scanned++
			by = s.Warning.Render("scan")
		}
		lines = append(lines, t.row(strconv.Itoa(p.EfSearch), recallText(p.Recall), t.drawn(p.Recall), fmt.Sprintf("%d of %d", p.Returned, h.K), wording.Took(p.Took))+by)
	}
	lines = append(lines, t.row("exact", recallText(1), t.drawn(1), fmt.Sprintf("%d of %d", min(h.K, h.Probed.Rows), h.K), wording.Took(h.Probed.Exact))+"scan", "")
	if scanned > 0 {
		lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped("scan: the planner compared all rows instead of asking the index, as it does while they are few", w))...)
	}
	const wanted = 0.95
	if best, ok := evaluation.LeastEf(evaluation.SumProbes([]store.Probed{h.Probed}), wanted); ok {
		add(fmt.Sprintf("ef_search %d is the least that finds %.2f of the exact rows", best.EfSearch, wanted))
	}
	return lines
}

// healthTable lays out the rows of the dialog, with a bar where there is room.
type healthTable struct {
	styles *theme.Styles
	bar    int
}

func (t *healthTable) row(ef, recall, bar, rows, took string) string {
	if t.bar < leastBar {
		return fmt.Sprintf("%9s  %6s  %8s  %8s  ", ef, recall, rows, took)
	}
	return fmt.Sprintf("%9s  %6s  %s  %8s  %8s  ", ef, recall, bar+strings.Repeat(" ", max(0, t.bar-ansi.StringWidth(bar))), rows, took)
}

func (t *healthTable) drawn(recall float64) string {
	return t.styles.Bars[0].Render(widget.Bar(recall, 1, max(1, t.bar), t.styles.Plain))
}

// rowsRecall are the cells of a row beside its bar.
const (
	rowsRecall = 46
	leastBar   = 6
)

// barRecall is the width of the bar of a recall.
const barRecall = 20

// recallText prints a share without the zero before its point, and 1 as a whole.
func recallText(r float64) string {
	text := fmt.Sprintf("%6.3f", r)
	return strings.Replace(text, " 0.", "  .", 1)
}

func vacuumed(at time.Time) string {
	if at.IsZero() {
		return "never vacuumed"
	}
	return "vacuumed on " + at.Format("2 January 15:04")
}

// size prints bytes in the unit that suits them.
func size(n int64) string {
	const step = 1024
	value, unit := float64(n), "B"
	for _, u := range []string{"kB", "MB", "GB", "TB"} {
		if value < step {
			break
		}
		value, unit = value/step, u
	}
	if unit == "B" {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}
