package ui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/welcome"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// onOpened takes the corpus, or says why there is none.
func (m *Model) onOpened(d session.Done) tea.Cmd {
	if d.Err == nil {
		m.why.Leave() // what it waits for, or shows, is of the corpus that was open
		return m.showCorpus(m.session.Apply(d))
	}
	if !m.session.Outage().IsFile() {
		m.leaveTyping()
	}
	why := m.reopening()
	cmd := m.showSession(m.selectedID(), m.session.Apply(d))
	if again := m.reopening(); again != "" && again != why {
		cmd = tea.Batch(cmd, m.say("it cannot be opened yet: "+again, true))
	}
	return cmd
}

// reopening is why a file that was lost could not be opened again, empty where it is not
// known.
func (m *Model) reopening() string {
	if o := m.session.Outage(); o != nil && o.Reopening != nil {
		return wording.FirstLine(o.Reopening)
	}
	return ""
}

// showCorpus shows the corpus that is open from now on, and begins what was waiting for
// it; work follows from its opening.
func (m *Model) showCorpus(work []session.Work) tea.Cmd {
	c := m.session.Corpus()
	m.noteCorpus(welcome.Corpus{Name: m.corpusName(), Place: m.opts.Place})
	if m.resumed && c.Live {
		m.leaveTyping() // it is asked at once, and keys are for its results
	}
	again := m.resumed && m.editing && m.opts.Tour == nil // enter asks it
	m.session.OpenWatchList(cmp.Or(m.opts.Place, m.corpusName()))
	cmds := []tea.Cmd{m.showSession(m.selectedID(), work), m.compare.Recall(m.opts.Resume), m.judge.Recall()}
	if m.session.Loading() {
		cmds = append(cmds, m.tickLoading())
	}
	switch {
	case m.opts.Span != nil:
		cmds = append(cmds, navigation{m}.openSpan(*m.opts.Span))
	case strings.TrimSpace(m.input.Value()) == "" && m.view == viewExplore && !m.editing:
		cmds = append(cmds, m.editQuery()) // it was left when there was no corpus
	}
	if strings.TrimSpace(m.input.Value()) != "" && (c.Live || !m.editing) && !m.session.Asking() {
		cmds = append(cmds, m.sendQuery(true))
	}
	if again { // whoever starts the program anew has another question, and types it
		question{m}.leave()
		m.before.resumed = true
	}
	return tea.Batch(cmds...)
}

// tickLoading has the progress of loading drawn, as long as there is some.
func (m *Model) tickLoading() tea.Cmd {
	return m.loading.Rest(m.opts.After, loadingStep, func() tea.Cmd {
		if !m.session.Loading() {
			return nil
		}
		return m.tickLoading()
	})
}

// reopen tries to open the corpus again.
func (m *Model) reopen() tea.Cmd { return m.showSession(m.selectedID(), m.session.Reopen()) }

// estimated says that counts of tokens are estimates.
func (m *Model) estimated() bool { return m.session.Corpus() != nil && m.session.Corpus().Estimated }

// showSummary leaves out of the lists what all pages share.
func (m *Model) showSummary() {
	if m.welcome.IsShown() {
		m.leaveTyping() // there is nothing to ask
		m.arrange()
	}
	m.results.Summarised()
	m.reader.Redraw()
}

// editQuery puts the cursor into the query line.
func (m *Model) editQuery() tea.Cmd {
	m.find.typing = false
	m.editing = true
	m.input.CursorEnd()
	m.input.Focus()
	return nil
}

// question is what is typed into the query line.
type question struct{ *Model }

// standing is a question that was left for a new one, with what was selected of its
// results. past are it and those asked before it, latest first, and recalled is the one of
// them that was brought back into the line.
type standing struct {
	query, selected, recalled string
	past                      []string
	// resumed says that it is that of an earlier run.
	resumed bool
}

// leave empties the line for a new question. That of the results stays with them.
func (m question) leave() {
	if query := strings.TrimSpace(m.input.Value()); query != "" {
		m.before = standing{query: query, selected: m.selectedID()}
	}
	m.before.past, m.before.recalled, m.before.resumed = nil, "", false
	m.input.SetValue("")
	m.input.Placeholder = cmp.Or(wording.Line(m.before.query), askTheCorpus)
}

// askTheCorpus stands in the empty line.
const askTheCorpus = "ask the corpus"

// begin empties the query line and puts the cursor into it. A recording then lists
// what it has answers to.
func (m question) begin() tea.Cmd {
	cmd := m.editQuery()
	m.leave()
	if c := m.session.Corpus(); c != nil && c.Recorded && len(m.welcome.Examples()) > 1 && m.session.Asked() != "" {
		return tea.Batch(cmd, m.sendQuery(true))
	}
	return cmd
}

// recall brings an earlier question into a line that is empty, or has one that was brought
// back and not changed: up leads further back, down to later ones. It says false where the
// key is not meant so.
func (m question) recall(v widget.Verb) bool {
	if m.before.query == "" || v != widget.Up && v != widget.Down {
		return false
	}
	at := -1
	if m.atBeginning() {
		m.before.past = []string{m.before.query}
		for _, q := range slices.Backward(m.session.History()) {
			if q != m.before.query {
				m.before.past = append(m.before.past, q)
			}
		}
	} else if at = slices.Index(m.before.past, m.before.recalled); at < 0 || m.input.Value() != wording.Line(m.before.recalled) {
		return false
	}
	next := at + 1
	if v == widget.Down {
		next = at - 1
	}
	if next < 0 {
		return false
	}
	m.before.recalled = m.before.past[min(next, len(m.before.past)-1)]
	m.input.Set(wording.Line(m.before.recalled))
	return true
}

// asksBefore says that enter asks the question before, which stands in the place of an
// empty line: it was not asked yet in this session, as asking costs.
func (m question) asksBefore() bool {
	c := m.session.Corpus()
	return m.before.query != "" && m.session.Asked() == "" && c != nil && !c.Live && !c.Recorded
}

// leaveLine leaves the query line; what was typed stays. Where nothing was, the question
// before stands again, with its results.
func (m question) leaveLine() tea.Cmd {
	empty := m.atBeginning()
	m.leaveTyping()
	if !empty || m.before.query == "" {
		return nil
	}
	m.input.Set(wording.Line(m.before.query))
	if m.session.Asked() != m.before.query {
		return m.sendQuery(true)
	}
	return nil
}

func (m *Model) leaveTyping() {
	if m.editing {
		m.session.CommitQuery()
		if asked := m.session.Asked(); m.atBeginning() && asked != "" {
			m.input.Set(wording.Line(asked)) // its results are there
		}
	}
	m.editing, m.find.typing = false, false
	m.input.Blur()
	m.find.input.Blur()
}

// queryChanged asks after a pause where asking costs nothing.
func (m *Model) queryChanged() tea.Cmd {
	c := m.session.Corpus()
	if c != nil && c.Recorded && m.atBeginning() {
		return m.sendQuery(true)
	}
	if c == nil || !c.Live {
		return nil // a corpus that answers as one types is asked when it opens
	}
	m.session.Stop()
	m.spin = 0
	return m.resting.Rest(m.opts.After, askPause, func() tea.Cmd { return m.sendQuery(false) })
}

// submitQuery asks at once and goes to the results.
func (m *Model) submitQuery() tea.Cmd {
	switch example := m.welcome.Chosen(); {
	case !m.atBeginning():
	case example != "":
		m.input.Set(wording.Line(example))
	case question{m}.asksBefore():
		m.input.Set(wording.Line(m.before.query))
	}
	m.leaveTyping()
	m.focus = paneResults
	m.arrange()
	query := strings.TrimSpace(m.input.Value())
	if m.welcome.Failure() == nil && m.session.Result() != nil && query == m.session.Query() && !m.session.Asking() {
		return nil
	}
	return m.sendQuery(true)
}

// sendQuery asks what stands in the query line. now is false for a live query,
// which is left out when it asks nothing new.
func (m *Model) sendQuery(now bool) tea.Cmd {
	query, keep := strings.TrimSpace(m.input.Value()), ""
	if query != "" {
		if !now && !m.session.Loading() && m.session.Result() != nil && query == m.session.Query() {
			return nil
		}
		keep = m.selectedID()
	}
	m.resting.End()
	m.spin = 0
	return m.showSession(keep, m.session.Ask(query))
}

// onAnswer shows the answer of a query.
func (m *Model) onAnswer(d session.Done) tea.Cmd {
	m.spin = 0
	if d.Err != nil {
		return m.showSession("", m.session.Apply(d))
	}
	keep := ""
	switch d.Query {
	case m.session.Query():
		keep = m.selectedID()
	case m.before.query:
		keep = m.before.selected
	}
	if keep == "" && m.session.EvidenceID().Answers == 0 && m.opened != nil {
		keep = m.opened.item.ChunkID // it was opened with the query
	}
	if keep == "" {
		m.reader.ShowAnew() // another query has another best place in the same section
	}
	cmd := m.showSession(keep, m.session.Apply(d))
	if !m.editing {
		m.session.CommitQuery()
	}
	return cmd
}

// list shows the result and the opened span, if any, in the list.
func (m *Model) list(keep string) {
	finding{m}.end()
	var opened *retrieval.Item
	if m.opened != nil {
		opened = m.opened.item
	}
	m.results.List(opened, m.opened.cites(), keep)
}
