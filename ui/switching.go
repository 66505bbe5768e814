package ui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/welcome"
	"github.com/webrag/webrag-tui/ui/wording"
)

// newWelcome is the view of what there is before there are results.
func (m *Model) newWelcome() *welcome.View {
	o := &m.opts
	needs := welcome.Needs{
		CheckSource: o.CheckSource, Open: o.OpenPlace,
		Corpora: m.knownCorpora, Place: func() string { return o.Place }, Name: m.corpusName, Command: m.command,
		Examples:  func() []string { return o.Examples },
		IsEditing: func() bool { return m.editing },
		Views: func() []welcome.Named {
			all := make([]welcome.Named, len(m.views))
			for i, row := range m.views {
				all[i] = welcome.Named{Action: "view." + row.name, Title: row.title, Help: row.help}
			}
			return all
		},
		Height: func() int { s, _ := m.place.Slot(paneResults); return s.Body.Dy() },
		Take:   m.takeCorpus, Again: m.lookAgain, Failed: m.arrange,
	}
	if len(o.Corpora) > 0 {
		needs.Guide, needs.Own = &o.Corpora[0], o.Own
	}
	if o.Index != nil {
		needs.Index = o.Index
	}
	return welcome.New(shell{m}, needs)
}

func (m *Model) knownCorpora() []welcome.Corpus {
	return append(slices.Clone(m.opts.Corpora), m.recent...)
}

// lookAgain shows what the corpus holds by now.
func (m *Model) lookAgain() tea.Cmd {
	if m.session.Corpus() == nil {
		return m.reopen()
	}
	m.reader.Forget()
	cmds := []tea.Cmd{m.corpusChanged()}
	if m.session.Asked() != "" {
		cmds = append(cmds, m.sendQuery(true))
	} else {
		cmds = append(cmds, m.editQuery())
	}
	return tea.Batch(cmds...)
}

// corpusChanged forgets what was read of the corpus as it was: the view of pages, the
// watch list and the dialog of a missing text read it anew.
func (m *Model) corpusChanged() tea.Cmd {
	m.views[viewCorpus].Leave()
	return tea.Batch(m.showSession(m.selectedID(), m.session.Reindexed()), m.why.Reindexed())
}

// takeCorpus puts a corpus that was opened in place of the present one. What was last asked
// of it is asked again, by its own parameters. asking puts the cursor into the query line,
// if there is nothing to ask again.
func (m *Model) takeCorpus(place string, c *session.Corpus, asking bool) tea.Cmd {
	m.keepSession()
	closing := m.forgetCorpus()
	open, again := m.opts.OpenPlace, place == m.opts.Place
	m.opts.Place, m.opts.CorpusName = place, ""
	for _, c := range m.knownCorpora() {
		if c.Place == place {
			m.opts.CorpusName = c.Name
		}
	}
	m.opts.Query, m.opts.Span, m.opts.Examples = "", nil, nil
	m.input.SetValue("")
	if s, ok := m.sessions[place]; ok && s.Query != "" {
		m.input.Set(wording.Line(s.Query))
		m.resumed = true
	}
	cmd := m.showView(viewExplore)
	m.editing = m.input.Value() == "" && asking
	if m.editing {
		m.input.Focus()
	}
	if again {
		m.adapt() // it may hold other pages now, and is tuned as it was
	} else {
		startAnew(m)
	}
	m.arrange()
	cmd = tea.Batch(cmd, m.showCorpus(m.session.Take(c, func(ctx context.Context) (*session.Corpus, error) { return open(ctx, place) })))
	return tea.Batch(closing, cmd)
}

// forgetCorpus takes everything off the screen that the present corpus has put
// there, and closes it once nothing asks it any more.
func (m *Model) forgetCorpus() tea.Cmd {
	m.resting.End()
	m.compare.Leave()
	closing := m.session.Leave()
	m.spin, m.resumed, m.leftRead, m.read = 0, false, false, nil
	m.before, m.input.Placeholder = standing{}, askTheCorpus
	m.opened, m.trail = nil, readingTrail{}
	for _, row := range m.views {
		row.Leave()
	}
	m.why.Leave()
	return m.showSession("", closing)
}

// onClosed ends the closing of a corpus that was left.
func (m *Model) onClosed(d session.Done) tea.Cmd {
	if d.Err != nil {
		return m.say("the corpus that was left could not be closed: "+d.Err.Error(), true)
	}
	return nil
}
