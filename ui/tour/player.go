package tour

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// The pace of a tour, at speed 1.
const (
	// letterPause is between two letters that it types, notchPause between two
	// places of a slider that it moves.
	letterPause = 45 * time.Millisecond
	notchPause  = 110 * time.Millisecond
	// stepPause follows a step that changes the screen, so that it can be seen.
	stepPause = 350 * time.Millisecond
	// pollPause is how often it looks whether the program has done what the step
	// before has asked for, patience how often at most: a server that does
	// not answer holds up no stage.
	pollPause = 60 * time.Millisecond
	patience  = 500
	// notches is how many places a slider stops at on its way.
	notches = 24
)

// Ended is what is said when somebody takes the keys.
const Ended = "the tour has ended: the keys are yours"

// Stage is the explorer that a tour is played on.
type Stage interface {
	// After is a message that comes later.
	After(d time.Duration, msg tea.Msg) tea.Cmd
	// Warn shows a line that stays.
	Warn(text string)
	// Ended gives back the rows that the captions had, and says why the tour is over.
	Ended(rows int, said string) tea.Cmd
	// Keep keeps what is on the screen, with the parameters; back puts it back.
	Keep() (back func() tea.Cmd)

	// HasFailed says that there is no corpus and will be none, IsBusy that something is
	// under way whose end the next step may need.
	HasFailed() bool
	IsBusy() bool

	// Key presses a key, Run runs an action; ok is false where there is none.
	Key(msg tea.KeyPressMsg) tea.Cmd
	Run(action string) (cmd tea.Cmd, ok bool)
	// BeginTyping puts the cursor into the emptied query line, unless something else takes
	// text. AskPause is how long typing rests before what is typed is asked.
	BeginTyping() tea.Cmd
	AskPause() time.Duration
	// Params are the parameters, Set changes them; Tune shows a parameter where the eye can
	// follow, and Turn gives it a value there.
	Params() param.Params
	Set(p param.Params, field string) tea.Cmd
	// StartFrom starts from a preset; it does nothing for a name that is none.
	StartFrom(preset string) tea.Cmd
	Tune(field string) tea.Cmd
	Turn(field, text string) tea.Cmd
	// Show shows a view, counted from 1, and a pane of it, empty for none; ok is false
	// where there is no such view.
	Show(number int, pane string) (cmd tea.Cmd, ok bool)
	// Select selects the first thing that has an id, or one of whose names is meant;
	// missing says that there is none.
	Select(id string, is func(names ...string) bool) (cmd tea.Cmd, missing string)
}

// Player plays a tour.
type Player struct {
	stage  Stage
	on     bool
	paused bool
	// asked says that the script waits for the space bar, not the user.
	asked  bool
	script Script
	at     int
	// back leaves everything as it was before the first step, nil before that and for a
	// tour that stays.
	back func() tea.Cmd
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

// NewPlayer plays a script at a speed, 0 being 1. A nil script plays nothing.
func NewPlayer(stage Stage, s *Script, speed float64) *Player {
	t := &Player{stage: stage, speed: speed}
	if speed <= 0 {
		t.speed = 1
	}
	if s != nil {
		t.script = *s
	}
	t.on = len(t.script.Steps) > 0
	return t
}

// Begin begins the tour.
func (t *Player) Begin() tea.Cmd {
	if !t.on {
		return nil
	}
	return t.in(stepPause)
}

// IsOn says that the tour has the keys.
func (t *Player) IsOn() bool { return t.on }

// Missed are the steps that could not be done, and why.
func (t *Player) Missed() []string { return t.missed }

// At is how many steps are done.
func (t *Player) At() int { return t.at }

// next does what comes next of the tour.
func (t *Player) next() tea.Cmd {
	if !t.on || t.paused {
		return nil
	}
	if t.stage.HasFailed() {
		return t.End("there is nothing to tour")
	}
	if t.polls < patience && t.stage.IsBusy() {
		t.polls++
		return t.in(pollPause)
	}
	t.polls = 0
	if t.at == len(t.script.Steps) {
		return t.End("the tour is over: the keys are yours")
	}
	if t.back == nil && !t.script.Stays {
		t.back = t.stage.Keep()
	}
	step := t.script.Steps[t.at]
	cmd, wait, done := t.step(step)
	t.begun = !done
	if done {
		t.at++
		t.left = nil
	}
	if t.paused {
		return cmd
	}
	return tea.Batch(cmd, t.in(wait))
}

// in goes on after a while.
func (t *Player) in(wait time.Duration) tea.Cmd {
	return t.rest.Rest(t.stage.After, time.Duration(float64(wait)/t.speed), t.next)
}

// step does a part of a step, and says when to go on, and whether the step is
// done.
func (t *Player) step(s Step) (cmd tea.Cmd, wait time.Duration, done bool) {
	switch s.Verb {
	case Caption:
		t.caption = wording.Line(s.Text)
		return nil, 0, true
	case Wait:
		return nil, s.Wait, true
	case Pause:
		t.paused, t.asked = true, true
		return nil, 0, true
	case Type:
		return t.typed(s.Text)
	case Key:
		return t.press(s.Keys)
	case Run:
		cmd, ok := t.stage.Run(s.Text)
		if !ok {
			t.miss(s, "there is no such action")
			return nil, 0, true
		}
		return cmd, stepPause, true
	case Set:
		return t.turn(s)
	case Apply:
		var begun tea.Cmd
		if s.Text != "" {
			begun = t.stage.StartFrom(s.Text)
		}
		p := t.stage.Params()
		for _, v := range s.Values {
			if err := p.Set(v.Field, v.Text); err != nil {
				t.miss(s, err.Error())
			}
		}
		return tea.Batch(begun, t.stage.Set(p, "")), stepPause, true
	case View:
		cmd, ok := t.stage.Show(s.View, s.Pane)
		if !ok { // of a recording
			t.miss(s, "there is no such view")
			return nil, 0, true
		}
		return cmd, stepPause, true
	case Select:
		want := strings.ToLower(s.Text)
		cmd, missing := t.stage.Select(s.Text, func(names ...string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(strings.ToLower(wording.Line(n)), want) })
		})
		if missing != "" {
			t.miss(s, missing)
		}
		return cmd, stepPause, true
	}
	return nil, 0, true
}

// typed types the next letter, in the query line if nothing else takes text.
func (t *Player) typed(text string) (cmd tea.Cmd, wait time.Duration, done bool) {
	if !t.begun {
		for _, r := range text {
			t.left = append(t.left, string(r))
		}
		cmd = t.stage.BeginTyping()
	}
	letter := t.left[0]
	t.left = t.left[1:]
	r := []rune(letter)[0]
	cmd = tea.Batch(cmd, t.stage.Key(tea.KeyPressMsg{Code: r, Text: letter}))
	if len(t.left) == 0 {
		// A query that follows the typing is asked after a pause.
		return cmd, max(stepPause, time.Duration(float64(t.stage.AskPause()+50*time.Millisecond)*t.speed)), true
	}
	return cmd, letterPause, false
}

func (t *Player) press(keys []string) (cmd tea.Cmd, wait time.Duration, done bool) {
	if !t.begun {
		t.left = slices.Clone(keys)
	}
	key := t.left[0]
	t.left = t.left[1:]
	return t.stage.Key(keyNamed(key)), stepPause, len(t.left) == 0
}

// turn moves a parameter by a part of its way, in the tune pane, where the eye
// can follow.
func (t *Player) turn(s Step) (cmd tea.Cmd, wait time.Duration, done bool) {
	v := s.Values[0]
	target := t.stage.Params()
	if err := target.Set(v.Field, v.Text); err != nil {
		t.miss(s, err.Error())
		return nil, 0, true
	}
	spec, _ := param.SpecOf(v.Field)
	if !t.begun {
		return t.stage.Tune(v.Field), stepPause, false
	}
	now, to := t.stage.Params().Get(v.Field), target.Get(v.Field)
	next := notch(&spec, t.stage.Params(), to)
	cmd = t.stage.Turn(v.Field, next)
	if t.stage.Params().Get(v.Field) == to || next == now {
		return tea.Batch(cmd, t.stage.Set(target, v.Field)), 2 * stepPause, true
	}
	return cmd, notchPause, false
}

// notch is the next value on the way to another one along the track.
func notch(spec *param.Spec, p param.Params, to string) string {
	now := p.Get(spec.Field)
	if spec.Kind != param.KindInt && spec.Kind != param.KindFloat {
		return to
	}
	positions := spec.Positions()
	from, end := spec.Place(now), spec.Place(to)
	stride := max(1, (len(positions)+notches-1)/notches)
	sign := cmp.Compare(end, from)
	next := spec.Walk(p, sign*stride)
	if sign == 0 || next == now || cmp.Compare(end, spec.Place(next)) != sign {
		return to
	}
	return next
}

// miss notes a step that cannot be done. The tour goes on: on a stage, a step
// that is left out is better than an end.
func (t *Player) miss(s Step, why string) {
	t.missed = append(t.missed, fmt.Sprintf("line %d: %s: %s", s.Line, s, why))
	t.stage.Warn(fmt.Sprintf("tour, line %d: %s", s.Line, why))
}

// OnlyByHand is why a tour does not do what leaves the explorer.
const OnlyByHand = "writes files or the clipboard, starts a program or opens another corpus: a tour may be a stranger's, so do that by hand"

// Refuses says that the present step of a tour asks for what leaves the
// explorer, and notes it. What the user does has ended the tour before.
func (t *Player) Refuses(what string) bool {
	if !t.on || t.at >= len(t.script.Steps) {
		return t.on
	}
	t.miss(t.script.Steps[t.at], what+" "+OnlyByHand)
	return true
}

// Key takes a key of the user while a tour is played: the space bar pauses it and goes on,
// any other ends it.
func (t *Player) Key(msg tea.KeyPressMsg) tea.Cmd {
	if key := msg.String(); key != "space" && key != " " {
		return t.End(Ended)
	}
	t.paused = !t.paused
	if t.paused {
		t.rest.End()
		return nil
	}
	t.asked = false
	return t.in(0)
}

// End gives back the keys, the room of the captions and what was on the screen before the
// tour, and says why.
func (t *Player) End(said string) tea.Cmd {
	rows, back := t.rows, t.back
	t.on, t.paused, t.rows, t.caption, t.back = false, false, 0, "", nil
	t.rest.End()
	var cmd tea.Cmd
	if back != nil {
		cmd = back()
	}
	return tea.Batch(cmd, t.stage.Ended(rows, said))
}
