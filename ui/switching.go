package ui

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// CorpusChoice is a corpus that the explorer can switch to.
type CorpusChoice struct {
	Name string `json:"name"`
	// Place tells corpora apart and opens this one: a path, or the address of a
	// database without its password.
	Place string `json:"place"`
}

func (m *Model) canSwitch() (bool, string) {
	return m.opts.OpenPlace != nil, "this program opens one corpus only"
}

// chooseCorpus lists the corpora that are known: those of the settings, and those
// that were opened before.
func (m *Model) chooseCorpus() tea.Cmd {
	var all []widget.Choice
	known := map[string]bool{}
	for _, c := range m.knownCorpora() {
		if known[c.Place] {
			continue
		}
		known[c.Place] = true
		one := widget.Choice{Value: c.Place, Title: wording.Line(c.Name), Key: wording.ShortURL(c.Place, 30)}
		if c.Place == m.opts.Place && m.session.Corpus() != nil {
			one.Off = "this one"
		}
		all = append(all, one)
	}
	const other = ""
	all = append(all, widget.Choice{Value: other, Title: "a file or database…"})
	c := view.NewChooser("Switch to a corpus", all, true)
	c.Then = func(place string) tea.Cmd {
		if place == other {
			return m.promptCorpus()
		}
		return m.switchTo(place, nil)
	}
	return m.push(c)
}

func (m *Model) knownCorpora() []CorpusChoice {
	return append(slices.Clone(m.opts.Corpora), m.recent...)
}

// promptCorpus asks for the place of a corpus, and stays until it is open.
func (m *Model) promptCorpus() tea.Cmd {
	m.leaveTyping()
	var p *view.Prompt
	p = view.NewPrompt("Open a corpus", "a path, or the address of a PostgreSQL database", "", func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errNoPlace
		}
		return nil
	}, func(text string) tea.Cmd { return m.switchTo(strings.TrimSpace(text), p) })
	p.Input.Placeholder, p.Stays = "postgres://USER@HOST/DATABASE", true
	p.Left = func() tea.Cmd {
		if m.switching.from == p {
			m.session.StopOpeningBeside()
		}
		return nil
	}
	return m.push(p)
}

// switchTo opens another corpus. The present one stays until the other is open,
// so that a mistyped place costs nothing. from is the prompt that the place was
// typed into, nil for none.
func (m *Model) switchTo(place string, from *view.Prompt) tea.Cmd {
	m.switching = switching{place, from}
	open := m.opts.OpenPlace
	return m.start(m.session.OpenBeside(func(ctx context.Context) (*session.Corpus, error) { return open(ctx, place) }))
}

// switching is what another corpus is opened for: its place, and the prompt that this was
// typed into, nil for none.
type switching struct {
	place string
	from  *view.Prompt
}

// onOpenedBeside takes another corpus that was opened.
func (m *Model) onOpenedBeside(d session.Done) tea.Cmd {
	to := m.switching
	if d.Err != nil {
		m.typeahead.on = false
	}
	switch {
	case to.from != nil && !m.isOpen(to.from):
		return m.start(m.session.CloseCorpus(d.Corpus))
	case d.Err != nil && to.from != nil:
		m.answerPrompt(to.from, d.Err)
		return nil
	case d.Err != nil:
		lines := []string{wording.Display(d.Err.Error())}
		if m.session.Corpus() != nil {
			lines = append(lines, m.corpusName()+" stays open.")
		}
		return m.push(&view.TextDialog{Title: wording.ShortURL(to.place, 40) + " could not be opened", Wanted: 76, Text: view.PlainText(lines...)})
	}
	// From the welcome one key has opened it: what is typed after it is no query.
	asking := m.session.Corpus() != nil || to.from != nil
	m.answerPrompt(to.from, nil)
	return m.takeCorpus(to.place, d.Corpus, asking)
}

// takeCorpus puts a corpus that was opened in place of the present one. Its
// session goes on where it ended; the parameters stay as they are, but for what
// belongs to one of the two. asking puts the cursor into the query line, if there
// is nothing to ask again.
func (m *Model) takeCorpus(place string, c *session.Corpus, asking bool) tea.Cmd {
	m.keepSession()
	closing := m.forgetCorpus()
	open := m.opts.OpenPlace
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
	m.adapt()
	m.arrange()
	m.session.Changed() // nothing of it is on the screen yet
	cmd = tea.Batch(cmd, m.showCorpus(m.session.Take(c, func(ctx context.Context) (*session.Corpus, error) { return open(ctx, place) })))
	if !asking {
		m.leaveTyping()
		cmd = tea.Batch(cmd, m.after(typingPause, typingRested{m.typeahead.gen}))
	}
	return tea.Batch(closing, cmd)
}

// forgetCorpus takes everything off the screen that the present corpus has put
// there, and closes it once nothing asks it any more.
func (m *Model) forgetCorpus() tea.Cmd {
	m.rendering.End()
	closing := m.session.Leave()
	m.spin, m.resumed, m.read = 0, false, nil
	m.opened, m.texts, m.trail = nil, sectionTexts{}, readingTrail{}
	m.reading = map[string]bool{}
	m.pages = newPageCache(pagesKept)
	for _, row := range m.views {
		row.Leave()
	}
	m.why.Leave()
	cmd := m.showSession("", closing)
	m.preview.show(nil, nil)
	return cmd
}

// onClosed ends the closing of a corpus that was left.
func (m *Model) onClosed(d session.Done) tea.Cmd {
	if d.Err != nil {
		return m.say("the corpus that was left could not be closed: "+d.Err.Error(), true)
	}
	return nil
}

// errNoPlace says that nothing was typed.
var errNoPlace = errors.New("type the path of a corpus, or the address of a database")
