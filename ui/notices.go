package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// notices are what the start, the corpus and the answer have to say; the line above the
// footer has the first one.
type notices struct{ *Model }

// all are those of the start, of the corpus and of the result, each once.
func (m notices) all() []retrieval.Notice {
	all := append([]retrieval.Notice(nil), m.opts.Notices...)
	if m.session.Corpus() != nil {
		all = append(all, m.session.Corpus().Notices...)
	}
	if m.session.Result() == nil {
		return all
	}
	for _, n := range m.session.Result().Notices {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// markRead counts what the notice line says as read: words that are no
// warning leave it with the next key and do not come back with the next answer.
func (m notices) markRead() {
	for _, n := range m.all() {
		if n.Warning {
			continue
		}
		if m.read == nil {
			m.read = map[retrieval.Notice]bool{}
		}
		m.read[n] = true
	}
}

// unread are the notices that the notice line speaks of, the one that it shows
// first: a warning, else what this answer has to say, else what the start had.
func (m notices) unread() []retrieval.Notice {
	all := m.all()
	if m.session.EvidenceID().Answers > 1 && m.session.Result() != nil {
		all = m.session.Result().Notices // those of the start have been read by now
	}
	all = slices.DeleteFunc(slices.Clone(all), func(n retrieval.Notice) bool { return m.read[n] })
	importance := func(n retrieval.Notice) int {
		ofAnswer := m.session.Result() != nil && slices.Contains(m.session.Result().Notices, n)
		switch {
		case n.Warning && ofAnswer:
			return 0
		case n.Warning:
			return 1
		case ofAnswer:
			return 2
		default:
			return 3
		}
	}
	slices.SortStableFunc(all, func(a, b retrieval.Notice) int { return importance(a) - importance(b) })
	return all
}

// line is the line above the footer, with the first notice in it.
func (m notices) line() string {
	w := m.width
	all := m.unread()
	if hint := wholeContext(m).lastingHint(); hint != "" && (len(all) == 0 || !all[0].Warning) {
		all = append([]retrieval.Notice{{Text: hint}}, all...)
	}
	if len(all) == 0 {
		return m.styles.Rule.Render(m.bottomRule(0, w))
	}
	sign, style := "i ", m.styles.Faint
	if all[0].Warning {
		sign, style = "! ", m.styles.Warning
	}
	more := ""
	if len(all) > 1 {
		more = fmt.Sprintf("  %s shows %d more", m.keyOf("notices.show"), len(all)-1)
	}
	said := wording.Line(all[0].Text)
	if room := w - 6; ansi.StringWidth(said)+ansi.StringWidth(more) > room {
		more = "  " + m.keyOf("notices.show") + " shows all"
		said = widget.CutAtWord(said, room-ansi.StringWidth(more))
	}
	line := m.styles.Rule.Render(widget.Repeat(m.styles.Signs.Rule, 2)+" ") + style.Render(sign+said) + m.styles.Faint.Render(more) + " "
	return line + m.styles.Rule.Render(m.bottomRule(ansi.StringWidth(line), w))
}

// bottomRule is the line under the panes from cell x to cell w, with a foot for
// every seam that stands on it.
func (m notices) bottomRule(x, w int) string {
	if x >= w {
		return ""
	}
	line := make([]string, w-x)
	for i := range line {
		line[i] = m.styles.Signs.Rule
	}
	for _, s := range m.place.Seams {
		if s.Max.Y == m.place.notice.Min.Y && s.Min.X >= x && s.Min.X < w {
			line[s.Min.X-x] = m.styles.Signs.SeamFoot
		}
	}
	return strings.Join(line, "")
}

// show shows all notices in full.
func (m notices) show() tea.Cmd {
	var paragraphs []string
	for _, n := range m.all() {
		sign := "i"
		if n.Warning {
			sign = "!"
		}
		paragraphs = append(paragraphs, sign+" "+wording.Line(n.Text))
	}
	return m.push(&view.TextDialog{Title: "Notices", Wanted: 84, Text: view.PlainText(paragraphs...)})
}
