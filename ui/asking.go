package ui

import (
	"cmp"
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
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
	if isOutage(msg.err) {
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
	m.noteCorpus(CorpusChoice{Name: m.corpusName(), Place: m.opts.Place})
	if m.resumed && m.corpus.Live {
		m.leaveTyping() // it is asked at once; elsewhere enter asks
	}
	m.watch.open(cmp.Or(m.opts.Place, m.corpusName()))
	m.fail(nil)
	again := m.foundAgain()
	if m.corpus.NeedsOwner && m.params().RequireOwner {
		m.fail(unanswered(retrieval.ErrNoOwner)) // why wait for a query
	}
	m.preview.estimated, m.score.estimated = m.corpus.Estimated, m.corpus.Estimated
	cmds := []tea.Cmd{closing, again, surveyCmd(m.ctx, msg.gen, m.corpus.Reader)}
	if m.corpus.Load != nil {
		m.loading = true
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
	m.results.tails, m.results.level = m.tails, msg.survey.Level
	m.results.version++
	m.preview.tails, m.preview.drawn = m.tails, widget.Drawing[previewLook]{}
}

func (m *Model) onLoaded(msg corpusLoaded) tea.Cmd {
	if msg.gen != m.arriving.gen {
		return nil
	}
	m.loading = false
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
		m.settle()
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
	m.ask.end()
	m.running, m.spin = false, 0
	return m.after(askPause, askDue{m.ask.gen})
}

// submitQuery asks at once and goes to the results.
func (m *Model) submitQuery() tea.Cmd {
	m.leaveTyping()
	m.focus = paneResults
	m.arrange()
	query := strings.TrimSpace(m.input.Value())
	if m.failure == nil && m.result != nil && query == m.answeredQuery && !m.running {
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
	if query == "" {
		m.ask.end()
		m.running, m.spin = false, 0
		m.asked = ""
		m.forgetAnswer()
		m.fail(nil)
		m.list("")
		return nil
	}
	if !now && m.result != nil && query == m.answeredQuery {
		return nil
	}
	ctx, gen := m.ask.begin(m.ctx)
	m.asked, m.running, m.spin = query, true, 0
	return tea.Batch(
		askCmd(ctx, gen, m.corpus.Engine, query, m.params()),
		m.after(spinnerDelay, slownessDue{gen}),
	)
}

// onAnswer shows a result, unless a newer query has been asked since.
func (m *Model) onAnswer(msg answered) tea.Cmd {
	if msg.gen != m.ask.gen {
		return nil
	}
	m.running, m.spin = false, 0
	if msg.err != nil {
		if errors.Is(msg.err, context.Canceled) {
			return nil
		}
		if isOutage(msg.err) {
			if m.result == nil {
				m.fail(unreachable(msg.err))
				m.list("")
			}
			return m.lose(msg.err)
		}
		m.outage = nil
		m.forgetAnswer()
		m.fail(unanswered(msg.err))
		m.list("")
		return nil
	}
	m.fail(nil)
	keep := ""
	if it := m.results.selected(); it != nil && msg.query == m.answeredQuery {
		keep = it.ChunkID
	}
	if keep == "" && m.answers == 0 && m.opened != nil {
		keep = m.opened.item.ChunkID // it was opened with the query
	}
	if keep == "" {
		m.preview.item = nil // another query has another best place in the same section
	}
	m.tune.forgetBase()
	m.evidence, m.answeredQuery = msg.evidence, msg.query
	m.answers++
	cmd := m.rerank(keep)
	m.remember(msg.query)
	return tea.Batch(cmd, m.foundAgain())
}

// forgetAnswer takes the last answer off the screen.
func (m *Model) forgetAnswer() {
	m.evidence, m.result, m.answeredQuery = nil, nil, ""
	m.tune.forgetBase()
	m.compare()
}

// list shows the result and the opened span, if any, in the list.
func (m *Model) list(keep string) {
	var groups []group
	if m.result != nil {
		groups = groupsOf(m.result.Items)
	}
	if m.opened != nil && !holds(groups, m.opened.item.ChunkID) {
		it := m.opened.item
		alone := group{url: it.SourceURL, title: it.Title, depth: it.Depth, items: []*retrieval.Item{it}, opened: true, cites: m.opened.cites()}
		groups = append([]group{alone}, groups...)
	}
	m.endFind()
	m.results.seeAll = m.keyed("{view.pipeline}")
	m.results.show(groups, m.result, keep)
}

func holds(groups []group, id string) bool {
	for _, g := range groups {
		for _, it := range g.items {
			if it.ChunkID == id {
				return true
			}
		}
	}
	return false
}
