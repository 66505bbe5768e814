package ui

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// CorpusChoice is a corpus that the explorer can switch to.
type CorpusChoice struct {
	Name string `json:"name"`
	// Place tells corpora apart and opens this one: a path, or the address of a
	// database without its password.
	Place string `json:"place"`
}

func canSwitch(m *Model) (bool, string) {
	return m.opts.OpenPlace != nil, "this program opens one corpus only"
}

// chooseCorpus lists the corpora that are known: those of the settings, and those
// that were opened before.
func (m *Model) chooseCorpus() tea.Cmd {
	var all []choice
	known := map[string]bool{}
	for _, c := range append(slices.Clone(m.opts.Corpora), m.recent...) {
		if known[c.Place] {
			continue
		}
		known[c.Place] = true
		one := choice{value: c.Place, title: oneLine(c.Name), key: shortURL(c.Place, 30)}
		if c.Place == m.opts.Place {
			one.off = "this one"
		}
		all = append(all, one)
	}
	const other = ""
	all = append(all, choice{value: other, title: "a file or database…"})
	c := newChooser("Switch to a corpus", all, true)
	c.then = func(m *Model, place string) tea.Cmd {
		if place == other {
			return m.promptCorpus("")
		}
		return m.switchTo(place)
	}
	m.dialogs = append(m.dialogs, c)
	return nil
}

// promptCorpus asks for the place of a corpus.
func (m *Model) promptCorpus(value string) tea.Cmd {
	m.leaveTyping()
	m.dialogs = append(m.dialogs, newPrompt("Open a corpus", "a path, or postgres://USER@HOST/DATABASE", value, func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errNoPlace
		}
		return nil
	}, func(m *Model, text string) tea.Cmd { return m.switchTo(strings.TrimSpace(text)) }))
	return nil
}

// switchTo opens another corpus in place of the present one. Its session goes on
// where it ended; the parameters stay as they are.
func (m *Model) switchTo(place string) tea.Cmd {
	m.keepSession()
	closing := m.forgetCorpus()
	open := m.opts.OpenPlace
	m.opts.Place, m.opts.CorpusName = place, ""
	for _, c := range append(slices.Clone(m.opts.Corpora), m.recent...) {
		if c.Place == place {
			m.opts.CorpusName = c.Name
		}
	}
	m.opts.Open = func(ctx context.Context) (*Corpus, error) { return open(ctx, place) }
	m.opts.Query, m.opts.Span = "", nil
	m.input.SetValue("")
	if s, ok := m.sessions[place]; ok && s.Query != "" {
		m.input.SetValue(oneLine(s.Query))
		m.input.CursorEnd()
		m.resumed = true
	}
	cmd := m.showView(viewExplore)
	m.editing = m.input.Value() == ""
	if m.editing {
		m.input.Focus()
	}
	m.arrange()
	return tea.Batch(closing, cmd, m.openCorpus())
}

// forgetCorpus takes everything off the screen that the present corpus has put
// there, and closes it once nothing asks it any more.
func (m *Model) forgetCorpus() tea.Cmd {
	for _, w := range []*work{&m.ask, &m.opening, &m.examining, &m.tune.asking, &m.tune.basing, &m.rendering, &m.arriving} {
		w.end()
	}
	old := m.corpus
	m.corpus, m.outage, m.stats, m.tails = nil, nil, nil, nil
	m.loading, m.waiting, m.running, m.spin, m.resumed = false, false, false, 0, false
	m.asked, m.answers, m.read = "", 0, nil
	m.opened, m.texts, m.past, m.trail = nil, sectionTexts{}, nil, readingTrail{}
	m.reading = map[string]bool{}
	m.pages = newPageCache(pagesKept)
	m.forgetAnswer()
	m.tune.pending = ""
	m.pipe = pipeline{}
	m.watch.open("")
	m.snapshots = nil // other corpora have other ids
	m.results.tails, m.results.level, m.preview.tails = nil, false, nil
	m.fail(nil)
	m.list("")
	m.preview.show(nil, nil)
	if old == nil || old.Close == nil {
		return nil
	}
	return func() tea.Msg { return corpusClosed{old.Close()} }
}

// corpusClosed ends the closing of a corpus that was left.
type corpusClosed struct{ err error }

func (msg corpusClosed) arrive(m *Model) tea.Cmd {
	if msg.err != nil {
		return m.say("the corpus that was left could not be closed: "+msg.err.Error(), true)
	}
	return nil
}

// errNoPlace says that nothing was typed.
var errNoPlace = errors.New("type the path of a corpus, or the address of a database")
