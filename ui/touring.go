package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/tour"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// The pace of a tour, at speed 1.
const (
	// tourLetter is between two letters that it types, tourNotch between two
	// places of a slider that it moves.
	tourLetter = 45 * time.Millisecond
	tourNotch  = 110 * time.Millisecond
	// tourRest follows a step that changes the screen, so that it can be seen.
	tourRest = 350 * time.Millisecond
	// tourPoll is how often it looks whether the program has done what the step
	// before has asked for, tourPatience how often at most: a server that does
	// not answer holds up no stage.
	tourPoll     = 60 * time.Millisecond
	tourPatience = 500
	// tourNotches is how many places a slider stops at on its way.
	tourNotches = 24
)

const tourEnded = "the tour has ended: the keys are yours"

// touring is a tour that is being played.
type touring struct {
	on     bool
	paused bool
	// asked says that the script waits for the space bar, not the user.
	asked bool
	steps []tour.Step
	at    int
	// begun says that a part of the present step is done; left are the letters
	// that it has still to type, or the keys to press.
	begun bool
	left  []string
	polls int
	speed float64
	rest  view.Work // before what comes next

	caption string
	// rows are the lines under the screen that captions have.
	rows int
	// missed are the steps that could not be done.
	missed []string
}

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
			return &tour.Error{Line: step.Line, Why: step.Text + " " + onlyByHand}
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

func newTouring(s *tour.Script, speed float64) touring {
	if s == nil || len(s.Steps) == 0 {
		return touring{}
	}
	if speed <= 0 {
		speed = 1
	}
	return touring{on: true, steps: s.Steps, speed: speed}
}

// tourOn does what comes next of the tour.
func (m *Model) tourOn() tea.Cmd {
	t := &m.tour
	if !t.on || t.paused {
		return nil
	}
	if m.session.Corpus() == nil && m.welcome.Failure() != nil {
		return m.endTour("there is nothing to tour")
	}
	if t.polls < tourPatience && m.isBusy() {
		t.polls++
		return m.tourIn(tourPoll)
	}
	t.polls = 0
	if t.at == len(t.steps) {
		return m.endTour("the tour is over: the keys are yours")
	}
	step := t.steps[t.at]
	cmd, wait, done := m.tourStep(step)
	t.begun = !done
	if done {
		t.at++
		t.left = nil
	}
	if t.paused {
		return cmd
	}
	return tea.Batch(cmd, m.tourIn(wait))
}

// tourIn goes on after a while.
func (m *Model) tourIn(wait time.Duration) tea.Cmd {
	t := &m.tour
	return t.rest.Rest(m.after, time.Duration(float64(wait)/t.speed), m.tourOn)
}

// isBusy says that something is under way whose end the next step may need.
func (m *Model) isBusy() bool {
	if m.session.Corpus() == nil {
		return m.welcome.Failure() == nil
	}
	if v, ok := m.views[m.view].View.(view.Toured); ok && v.IsBusy() {
		return true
	}
	return m.session.Loading() || m.session.Asking() || m.session.Waiting() || m.session.Pending() != "" || m.why.IsLooking()
}

// tourStep does a part of a step, and says when to go on, and whether the step is
// done.
func (m *Model) tourStep(s tour.Step) (cmd tea.Cmd, wait time.Duration, done bool) {
	t := &m.tour
	switch s.Verb {
	case tour.Caption:
		t.caption = wording.Line(s.Text)
		return nil, 0, true
	case tour.Wait:
		return nil, s.Wait, true
	case tour.Pause:
		t.paused, t.asked = true, true
		return nil, 0, true
	case tour.Type:
		return m.tourType(s.Text)
	case tour.Key:
		return m.tourKeys(s.Keys)
	case tour.Run:
		if a := m.actionOf(s.Text); a != nil {
			return m.run(a), tourRest, true
		}
		m.missed(s, "there is no such action")
		return nil, 0, true
	case tour.Set:
		return m.tourSet(s)
	case tour.Apply:
		p := m.session.Params()
		for _, v := range s.Values {
			if err := p.Set(v.Field, v.Text); err != nil {
				m.missed(s, err.Error())
			}
		}
		return m.setParams(p, ""), tourRest, true
	case tour.View:
		if s.View > len(m.views) { // of a recording
			m.missed(s, "there is no such view")
			return nil, 0, true
		}
		return tea.Batch(m.showView(viewID(s.View-1)), m.tourPane(s.Pane)), tourRest, true
	case tour.Select:
		return m.tourSelect(s), tourRest, true
	}
	return nil, 0, true
}

// tourType types the next letter, in the query line if nothing else takes text.
func (m *Model) tourType(text string) (cmd tea.Cmd, wait time.Duration, done bool) {
	t := &m.tour
	if !t.begun {
		for _, r := range text {
			t.left = append(t.left, string(r))
		}
		if len(m.dialogs) == 0 && !m.find.typing {
			cmd = m.editQuery()
			m.input.SetValue("")
		}
	}
	letter := t.left[0]
	t.left = t.left[1:]
	r := []rune(letter)[0]
	cmd = tea.Batch(cmd, m.key(tea.KeyPressMsg{Code: r, Text: letter}))
	if len(t.left) == 0 {
		// A query that follows the typing is asked after a pause.
		return cmd, max(tourRest, time.Duration(float64(askPause+50*time.Millisecond)*t.speed)), true
	}
	return cmd, tourLetter, false
}

func (m *Model) tourKeys(keys []string) (cmd tea.Cmd, wait time.Duration, done bool) {
	t := &m.tour
	if !t.begun {
		t.left = slices.Clone(keys)
	}
	key := t.left[0]
	t.left = t.left[1:]
	return m.key(tourKey(key)), tourRest, len(t.left) == 0
}

// tourKey is the message of a key by its name.
func tourKey(name string) tea.KeyPressMsg {
	var mod tea.KeyMod
	for {
		if rest, ok := strings.CutPrefix(name, "ctrl+"); ok && rest != "" {
			mod, name = mod|tea.ModCtrl, rest
		} else if rest, ok := strings.CutPrefix(name, "shift+"); ok && rest != "" {
			mod, name = mod|tea.ModShift, rest
		} else {
			break
		}
	}
	k := tea.KeyPressMsg{Mod: mod}
	switch name {
	case "enter":
		k.Code = tea.KeyEnter
	case "esc":
		k.Code = tea.KeyEscape
	case "tab":
		k.Code = tea.KeyTab
	case "space":
		k.Code, k.Text = tea.KeySpace, " "
	case "backspace":
		k.Code = tea.KeyBackspace
	case "delete":
		k.Code = tea.KeyDelete
	case "up":
		k.Code = tea.KeyUp
	case "down":
		k.Code = tea.KeyDown
	case "left":
		k.Code = tea.KeyLeft
	case "right":
		k.Code = tea.KeyRight
	case "home":
		k.Code = tea.KeyHome
	case "end":
		k.Code = tea.KeyEnd
	case "pgup":
		k.Code = tea.KeyPgUp
	case "pgdown":
		k.Code = tea.KeyPgDown
	default:
		k.Code = []rune(name)[0]
		if mod&tea.ModCtrl == 0 {
			k.Text = name
		}
	}
	return k
}

// tourSet moves a parameter by a part of its way, in the tune pane, where the eye
// can follow.
func (m *Model) tourSet(s tour.Step) (cmd tea.Cmd, wait time.Duration, done bool) {
	v := s.Values[0]
	target := m.session.Params()
	if err := target.Set(v.Field, v.Text); err != nil {
		m.missed(s, err.Error())
		return nil, 0, true
	}
	spec, _ := param.SpecOf(v.Field)
	if !m.tour.begun {
		if !m.showTune || m.view != viewExplore {
			cmd = m.toggleTune()
		} else {
			cmd = m.focusOn(paneTune)
		}
		m.tune.GoTo(v.Field)
		return cmd, tourRest, false
	}
	now, to := m.session.Params().Get(v.Field), target.Get(v.Field)
	next := notch(&spec, m.session.Params(), to)
	cmd = m.tune.SetValue(v.Field, next)
	if m.session.Params().Get(v.Field) == to || next == now {
		return tea.Batch(cmd, m.setParams(target, v.Field)), 2 * tourRest, true
	}
	return cmd, tourNotch, false
}

// notch is the next value on the way to another one along the track.
func notch(spec *param.Spec, p param.Params, to string) string {
	now := p.Get(spec.Field)
	if spec.Kind != param.KindInt && spec.Kind != param.KindFloat {
		return to
	}
	positions := spec.Positions()
	from, end := spec.Place(now), spec.Place(to)
	stride := max(1, (len(positions)+tourNotches-1)/tourNotches)
	sign := cmp.Compare(end, from)
	next := spec.Walk(p, sign*stride)
	if sign == 0 || next == now || cmp.Compare(end, spec.Place(next)) != sign {
		return to
	}
	return next
}

// tourPane shows a pane of the explorer, whatever is on the screen.
func (m *Model) tourPane(name string) tea.Cmd {
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
		if m.showTune {
			return m.focusOn(paneTune)
		}
		return m.toggleTune()
	}
	return nil
}

// tourSelect selects the first row of the list that is called so; in the view of
// the corpus, the first page.
func (m *Model) tourSelect(s tour.Step) tea.Cmd {
	want := strings.ToLower(s.Text)
	is := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(strings.ToLower(wording.Line(n)), want) })
	}
	if v, ok := m.views[m.view].View.(view.Toured); ok {
		cmd, missing := v.SelectNamed(is)
		if missing != "" {
			m.missed(s, missing)
		}
		return cmd
	}
	if m.session.Result() != nil {
		for _, items := range [][]retrieval.Item{m.session.Result().Items, m.session.Result().NearMisses} {
			for i := range items {
				if it := &items[i]; it.ChunkID == s.Text || is(wording.Trail(it, m.tails), it.SourceURL) {
					m.results.Reveal(it)
					return nil
				}
			}
		}
	}
	m.missed(s, "no result is called so")
	return nil
}

// missed notes a step that cannot be done. The tour goes on: on a stage, a step
// that is left out is better than an end.
func (m *Model) missed(s tour.Step, why string) {
	t := &m.tour
	t.missed = append(t.missed, fmt.Sprintf("line %d: %s: %s", s.Line, s, why))
	m.status = status{text: wording.Line(fmt.Sprintf("tour, line %d: %s", s.Line, why)), warning: true}
	m.fading.End()
}

// onlyByHand is why a tour does not do what leaves the explorer.
const onlyByHand = "writes files or the clipboard, starts a program or opens another corpus: a tour may be a stranger's, so do that by hand"

// refusesTour says that the present step of a tour asks for what leaves the
// explorer, and notes it. What the user does has ended the tour before.
func (m *Model) refusesTour(what string) bool {
	t := &m.tour
	if !t.on || t.at >= len(t.steps) {
		return t.on
	}
	m.missed(t.steps[t.at], what+" "+onlyByHand)
	return true
}

// duringTour takes a key of the user while a tour is played.
func (m *Model) duringTour(msg tea.KeyPressMsg) tea.Cmd {
	t := &m.tour
	switch msg.String() {
	case "ctrl+c":
		return m.quit()
	case "ctrl+z":
		return tea.Suspend
	case "space", " ":
		t.paused = !t.paused
		if t.paused {
			t.rest.End()
			return nil
		}
		t.asked = false
		return m.tourIn(0)
	}
	return m.endTour(tourEnded)
}

// endTour gives the keys and the room of the captions back.
func (m *Model) endTour(said string) tea.Cmd {
	t := &m.tour
	h := m.height + t.rows
	t.on, t.paused, t.rows, t.caption = false, false, 0, ""
	t.rest.End()
	cmd := m.resize(m.width, h)
	if m.status.warning {
		return cmd
	}
	return tea.Batch(cmd, m.say(said, false))
}
