package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
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
// warning leave it with the next key and do not come back with the next answer. While
// a question is typed, that holds for what is not of its answer.
func (m notices) markRead() {
	for _, n := range m.all() {
		if r := m.session.Result(); n.Warning || m.typing() && r != nil && slices.Contains(r.Notices, n) {
			continue
		}
		if m.read == nil {
			m.read = map[retrieval.Notice]bool{}
		}
		m.read[n] = true
	}
}

// LastCorpus is the code of the notice that says which corpus was opened where none was named:
// before that is known, nothing else is of use.
const LastCorpus = "last_corpus"

// unread are the notices that the notice line speaks of, the one that it shows
// first: that, a warning, else what this answer has to say, else what the start had.
func (m notices) unread() []retrieval.Notice {
	all := m.all()
	if m.session.EvidenceID().Answers > 1 && m.session.Result() != nil {
		all = m.session.Result().Notices // those of the start have been read by now
	}
	nothing := m.results.Nothing()
	all = slices.DeleteFunc(slices.Clone(all), func(n retrieval.Notice) bool {
		return m.read[n] || phrase.Capital(wording.Line(n.Text)) == nothing // the list says it
	})
	importance := func(n retrieval.Notice) int {
		ofAnswer := m.session.Result() != nil && slices.Contains(m.session.Result().Notices, n)
		switch {
		case n.Warning && ofAnswer, n.Code == LastCorpus:
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

// line is the line above the footer: what has just happened, or else the first notice.
func (m notices) line() string {
	s := m.styles
	if said := m.status.text; said != "" {
		if m.status.warning {
			return m.ruled(s.Warning.Render("! ")+s.Strong.Render(widget.CutAtWord(said, m.width-6)), "")
		}
		return m.ruled(s.Strong.Render(widget.CutAtWord(said, m.width-4)), "")
	}
	all := m.unread()
	if hint := wholeContext(m).lastingHint(); hint != "" && (len(all) == 0 || !all[0].Warning) {
		all = append([]retrieval.Notice{{Text: hint}}, all...)
	}
	if len(all) == 0 {
		return s.Rule.Render(m.bottomRule(0, m.width))
	}
	sign, style := "i ", s.Faint
	if all[0].Warning {
		sign, style = "! ", s.Warning
	}
	said, more := wording.Line(all[0].Shown()), ""
	if m.typing() || m.top() != nil { // its key would be typed
		return m.ruled(style.Render(sign+widget.CutAtWord(said, m.width-6)), "")
	}
	if len(all) > 1 {
		more = fmt.Sprintf("  %s shows %d more", m.KeyOf("notices.show"), len(all)-1)
	}
	room := m.width - 6
	if s.Spoken {
		room -= len("...") // that something was cut is said in full
	}
	if ansi.StringWidth(said)+ansi.StringWidth(more) > room {
		more = "  " + m.KeyOf("notices.show") + " shows all"
		said = widget.CutAtWord(said, room-ansi.StringWidth(more))
	}
	return m.ruled(style.Render(sign+said), s.Faint.Render(more))
}

// ruled puts words into the line.
func (m notices) ruled(said, more string) string {
	line := m.styles.Rule.Render(widget.Repeat(m.styles.Signs.Rule, 2)+" ") + said + more + " "
	return line + m.styles.Rule.Render(m.bottomRule(ansi.StringWidth(line), m.width))
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
	if _, whole := m.top().(view.WholeDialog); whole {
		return strings.Join(line, "")
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
		paragraphs = append(paragraphs, sign+" "+wording.Line(n.Shown()))
	}
	return m.push(&view.TextDialog{Title: "Notices", Wanted: 84, Text: view.PlainText(paragraphs...)})
}
