package ui

import (
	"fmt"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/tour"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// CheckTour reports the first step of a tour that asks for a view or an action that
// does not exist, or for an action that no tour can do. What the keys of a tour do shows when it is
// played.
func CheckTour(s tour.Script) error {
	var ids []string
	outside, views := map[string]bool{}, len(closed().views)
	for _, a := range defaultActions() {
		ids = append(ids, a.ID)
		outside[a.ID] = a.Outside
	}
	for _, step := range s.Steps {
		if step.Verb == tour.Run && outside[step.Text] {
			return &tour.Error{Line: step.Line, Why: step.Text + " " + tour.OnlyByHand}
		}
		if step.Verb == tour.View && step.View > views {
			return &tour.Error{Line: step.Line, Why: fmt.Sprintf("the views are 1 to %d", views)}
		}
		if step.Verb != tour.Run || slices.Contains(ids, step.Text) {
			continue
		}
		why := fmt.Sprintf("there is no action %q", wording.Line(step.Text))
		if near, ok := config.Nearest(step.Text, ids); ok {
			why += fmt.Sprintf(" (did you mean %q?)", near)
		}
		return &tour.Error{Line: step.Line, Why: why + "; webrag-tui keys lists them"}
	}
	return nil
}

// stage is the explorer as tours see it.
type stage struct{ shell }

var _ tour.Stage = stage{}

func (s stage) HasFailed() bool {
	return s.m.session.Corpus() == nil && s.m.welcome.Failure() != nil
}

func (s stage) IsBusy() bool {
	m := s.m
	if m.session.Corpus() == nil {
		return true
	}
	if v, ok := m.views[m.view].View.(view.Toured); ok && v.IsBusy() {
		return true
	}
	return m.session.Loading() || m.session.Asking() || m.session.Waiting() || m.session.Pending() != "" || m.why.IsLooking()
}

func (s stage) Warn(text string) { s.m.warn(text) }

// Ended leaves a warning on the screen: it says what was missed.
func (s stage) Ended(rows int, said string) tea.Cmd {
	cmd := s.m.resize(s.m.width, s.m.height+rows)
	if s.m.status.warning {
		return cmd
	}
	return tea.Batch(cmd, s.m.say(said, false))
}

// Keep keeps what somebody would miss whom a tour has shown around.
func (s stage) Keep() (back func() tea.Cmd) {
	m := s.m
	tuning, query, editing := m.session.KeepTuning(), m.input.Value(), m.editing
	at, focus, focusIn, selected := m.view, m.focus, maps.Clone(m.focusIn), m.selectedID()
	tune, score, chosen, split, zoomed := m.showTune, m.showScore, m.scoreChosen, m.split, m.zoomed
	flat, opened, boxes := m.results.IsFlat(), m.opened, len(m.open)
	return func() tea.Cmd {
		if boxes < len(m.open) {
			m.closeFrom(m.open[boxes])
		}
		cmds := []tea.Cmd{finding{m}.end()}
		m.leaveTyping()
		if m.showTune && !tune {
			cmds = append(cmds, m.closeTune())
		}
		m.showTune, m.showScore, m.scoreChosen, m.split, m.opened = tune, score, chosen, split, opened
		m.results.SetFlat(flat)
		cmds = append(cmds, m.retuned(tuning()))
		if query != m.input.Value() {
			m.input.Set(query)
			cmds = append(cmds, m.sendQuery(true))
		} else {
			m.list(selected)
		}
		cmds = append(cmds, m.showView(at))
		m.focusIn, m.zoomed = focusIn, zoomed
		if editing {
			cmds = append(cmds, m.editQuery())
		}
		return tea.Batch(append(cmds, m.focusOn(focus))...)
	}
}

func (s stage) Key(msg tea.KeyPressMsg) tea.Cmd { return s.m.key(msg) }
func (s stage) AskPause() time.Duration         { return askPause }
func (s stage) Params() param.Params            { return s.m.session.Params() }

func (s stage) Turn(field, text string) tea.Cmd { return s.m.tune.SetValue(field, text) }

func (s stage) Run(action string) (cmd tea.Cmd, ok bool) {
	a := s.m.ActionOf(action)
	if a == nil {
		return nil, false
	}
	return s.m.run(a), true
}

func (s stage) StartFrom(preset string) tea.Cmd {
	for _, p := range session.Presets() {
		if p.Name == preset {
			p := s.m.profiles.Know(p)
			return s.m.retuned(s.m.session.StartFrom(session.Setting{Name: p.Name, Params: p.Params}))
		}
	}
	return nil
}

func (s stage) BeginTyping() tea.Cmd {
	if s.m.top() != nil || s.m.find.typing {
		return nil
	}
	cmd := s.m.editQuery()
	s.m.input.SetValue("")
	return cmd
}

func (s stage) Tune(field string) tea.Cmd {
	cmd := s.pane("tune")
	s.m.tune.GoTo(field)
	return cmd
}

func (s stage) Show(number int, pane string) (cmd tea.Cmd, ok bool) {
	if number > len(s.m.views) {
		return nil, false
	}
	return tea.Batch(s.m.showView(viewID(number-1)), s.pane(pane)), true
}

// pane shows a pane of the explorer, whatever is on the screen.
func (s stage) pane(name string) tea.Cmd {
	m := s.m
	switch name {
	case "results":
		return m.focusOn(paneResults)
	case "preview":
		return m.focusOn(panePreview)
	case "score":
		if m.showTune {
			m.closeTune()
		}
		if m.arrangement() != single && !m.zoomed {
			m.showScore, m.scoreChosen = true, true
		}
		return m.focusOn(paneScore)
	case "tune":
		if m.showTune && m.view == viewExplore {
			return m.focusOn(paneTune)
		}
		return m.toggleTune()
	}
	return nil
}

// Select selects the first row of the list that is called so; in the view of the corpus,
// the first page.
func (s stage) Select(id string, is func(names ...string) bool) (cmd tea.Cmd, missing string) {
	m := s.m
	if v, ok := m.views[m.view].View.(view.Toured); ok {
		return v.SelectNamed(is)
	}
	if m.session.Result() != nil {
		for _, items := range [][]retrieval.Item{m.session.Result().Items, m.session.Result().NearMisses} {
			for i := range items {
				if it := &items[i]; it.ChunkID == id || is(wording.Trail(it, m.session.TitleSuffixes()), it.SourceURL) {
					m.results.Select(it.ChunkID)
					return nil, ""
				}
			}
		}
	}
	return nil, "no result is called so"
}
