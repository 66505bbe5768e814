package ui

import (
	"cmp"
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// onOpened takes the corpus and starts what was waiting for it.
func (m *Model) onOpened(msg corpusOpened) tea.Cmd {
	if msg.gen != m.arriving.gen {
		// Another one was asked for in the meantime: this one was opened in vain.
		if c := msg.corpus; c != nil && c.Close != nil {
			return func() tea.Msg { return corpusClosed{c.Close()} }
		}
		return nil
	}
	if msg.err != nil && m.lostFile() {
		return m.lose(m.outage.err) // what was read of the other stays
	}
	if session.IsOutage(msg.err) {
		m.fail(unreachable(msg.err))
		m.leaveTyping()
		return m.lose(msg.err)
	}
	if msg.err != nil {
		m.fail(&failure{what: "The corpus could not be opened.", next: "{corpus.reopen} tries again; {palette.show} switches to another corpus; {program.quit} quits", err: msg.err})
		m.leaveTyping()
		return nil
	}
	var closing tea.Cmd
	if old := m.corpus; old != nil && old != msg.corpus && old.Close != nil {
		closing = func() tea.Msg { return corpusClosed{old.Close()} }
	}
	m.corpus = msg.corpus
	m.session.Open(m.corpus.Engine)
	m.session.Changed() // nothing of it is on the screen yet
	m.noteCorpus(CorpusChoice{Name: m.corpusName(), Place: m.opts.Place})
	if m.resumed && m.corpus.Live {
		m.leaveTyping() // it is asked at once; elsewhere enter asks
	}
	m.session.OpenWatchList(cmp.Or(m.opts.Place, m.corpusName()))
	m.fail(nil)
	again := m.foundAgain()
	if m.corpus.NeedsOwner && m.session.Params().RequireOwner {
		m.fail(unanswered(retrieval.ErrNoOwner)) // why wait for a query
	}
	m.preview.estimated, m.score.estimated = m.corpus.Estimated, m.corpus.Estimated
	cmds := []tea.Cmd{closing, again, surveyCmd(m.ctx, msg.gen, m.corpus.Reader)}
	if m.corpus.Load != nil {
		m.loading = true
		m.session.Loading(true)
		cmds = append(cmds, loadCmd(m.ctx, msg.gen, m.corpus.Load, m.progress), m.after(loadingStep, loadingTicked{}))
	}
	switch {
	case m.opts.Span != nil:
		cmds = append(cmds, m.openSpan(*m.opts.Span))
	case strings.TrimSpace(m.input.Value()) == "" && m.view == viewExplore && !m.editing:
		cmds = append(cmds, m.editQuery()) // it was left when there was no corpus
	}
	if m.waiting || strings.TrimSpace(m.input.Value()) != "" && (m.corpus.Live || !m.editing) {
		cmds = append(cmds, m.sendQuery(true))
	}
	return tea.Batch(cmds...)
}

// openCorpus opens the corpus, in place of any that is still being opened.
func (m *Model) openCorpus() tea.Cmd {
	ctx, gen := m.arriving.begin(m.ctx)
	return openCmd(ctx, gen, m.opts.Open)
}

// reopen tries to open the corpus again.
func (m *Model) reopen() tea.Cmd {
	m.fail(nil)
	return m.openCorpus()
}

// estimated says that counts of tokens are estimates.
func (m *Model) estimated() bool { return m.corpus != nil && m.corpus.Estimated }

// onSurvey leaves out of the lists what all pages share.
func (m *Model) onSurvey(msg surveyRead) {
	if msg.err != nil || msg.gen != m.arriving.gen {
		return // the header does without
	}
	m.stats, m.tails = &msg.survey.Stats, msg.survey.Tails
	if m.welcoming() {
		m.leaveTyping() // there is nothing to ask
		m.arrange()
	}
	m.results.Tails, m.results.Level = m.tails, msg.survey.Level
	m.results.Redraw()
	m.preview.tails, m.preview.drawn = m.tails, widget.Drawing[previewLook]{}
}

func (m *Model) onLoaded(msg corpusLoaded) tea.Cmd {
	if msg.gen != m.arriving.gen {
		return nil
	}
	m.loading = false
	m.session.Loading(false)
	if msg.err != nil {
		m.fail(&failure{what: "The corpus could not be loaded.", next: "{corpus.reopen} tries again; {palette.show} switches to another corpus", err: msg.err, again: true})
		return nil
	}
	if m.waiting {
		return m.sendQuery(true)
	}
	return nil
}

// editQuery puts the cursor into the query line.
func (m *Model) editQuery() tea.Cmd {
	m.find.typing = false
	m.editing = true
	m.input.CursorEnd()
	m.input.Focus()
	return nil
}

// leaveQuery leaves the query line; what was typed stays.
func (m *Model) leaveQuery() tea.Cmd {
	m.leaveTyping()
	return nil
}

func (m *Model) leaveTyping() {
	if m.editing {
		m.session.Settle()
	}
	m.editing, m.find.typing = false, false
	m.input.Blur()
	m.find.input.Blur()
}

// queryChanged asks after a pause where asking costs nothing.
func (m *Model) queryChanged() tea.Cmd {
	if m.corpus == nil || !m.corpus.Live {
		return nil // a corpus that answers as one types is asked when it opens
	}
	m.session.Stop()
	m.spin = 0
	return m.after(askPause, askDue{m.session.Generation(session.KindAnswer)})
}

// submitQuery asks at once and goes to the results.
func (m *Model) submitQuery() tea.Cmd {
	m.leaveTyping()
	m.focus = paneResults
	m.arrange()
	query := strings.TrimSpace(m.input.Value())
	if m.failure == nil && m.session.Result() != nil && query == m.session.Query() && !m.session.Asking() {
		return nil
	}
	return m.sendQuery(true)
}

// sendQuery asks what stands in the query line. now is false for a live query,
// which is left out when it asks nothing new.
func (m *Model) sendQuery(now bool) tea.Cmd {
	query := strings.TrimSpace(m.input.Value())
	if m.corpus == nil || m.loading {
		m.waiting = true
		return nil
	}
	m.waiting = false
	if query != "" && !now && m.session.Result() != nil && query == m.session.Query() {
		return nil
	}
	m.spin = 0
	work := m.session.Ask(query)
	if query == "" {
		m.fail(nil)
		return m.showSession("", work)
	}
	return tea.Batch(m.start(work), m.after(view.SpinnerDelay, slownessDue{m.session.Generation(session.KindAnswer)}))
}

// onAnswer shows the answer of a query.
func (m *Model) onAnswer(d session.Done) tea.Cmd {
	m.spin = 0
	if d.Err != nil {
		return m.onNoAnswer(d)
	}
	m.fail(nil)
	keep := ""
	if d.Query == m.session.Query() {
		keep = m.selectedID()
	}
	if keep == "" && m.session.EvidenceID().Answers == 0 && m.opened != nil {
		keep = m.opened.item.ChunkID // it was opened with the query
	}
	if keep == "" {
		m.preview.item = nil // another query has another best place in the same section
	}
	cmd := m.showSession(keep, m.session.Apply(d))
	if !m.editing {
		m.session.Settle()
	}
	return tea.Batch(cmd, m.foundAgain())
}

// onNoAnswer says why a query was not answered.
func (m *Model) onNoAnswer(d session.Done) tea.Cmd {
	work := m.session.Apply(d)
	switch {
	case errors.Is(d.Err, context.Canceled):
		return nil
	case session.IsOutage(d.Err):
		if m.session.Result() == nil {
			m.fail(unreachable(d.Err))
			m.list("")
		}
		return m.lose(d.Err)
	}
	m.outage = nil
	m.fail(unanswered(d.Err))
	return m.showSession("", work)
}

// list shows the result and the opened span, if any, in the list.
func (m *Model) list(keep string) {
	var groups []results.Group
	result := m.session.Result()
	if result != nil {
		groups = results.GroupsOf(result.Items)
	}
	if m.opened != nil && !holds(groups, m.opened.item.ChunkID) {
		it := m.opened.item
		alone := results.Group{URL: it.SourceURL, Title: it.Title, Depth: it.Depth, Items: []*retrieval.Item{it}, Opened: true, Cites: m.opened.cites()}
		groups = append([]results.Group{alone}, groups...)
	}
	m.endFind()
	m.results.SeeAll = m.keyed("{view.pipeline}")
	m.results.Put(groups, result, keep)
}

func holds(groups []results.Group, id string) bool {
	for _, g := range groups {
		for _, it := range g.Items {
			if it.ChunkID == id {
				return true
			}
		}
	}
	return false
}
