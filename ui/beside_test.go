package ui

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
)

// besides runs a model as Bubble Tea does: each command in a goroutine of its
// own, beside the screen, which alone hears their messages. The driver of the
// other tests does all in one goroutine, in which nothing can race.
type besides struct {
	t       *testing.T
	m       *Model
	heard   chan tea.Msg
	running int
	// answered says that a query was, at some time.
	answered bool
}

func (r *besides) start(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	r.running++
	go func() { r.heard <- cmd() }()
}

// hear gives the model what a command brought.
func (r *besides) hear(msg tea.Msg) {
	r.running--
	r.give(msg)
}

func (r *besides) give(msg tea.Msg) {
	r.t.Helper()
	switch msg := msg.(type) {
	case nil:
		return
	case tea.QuitMsg, tea.InterruptMsg:
		r.t.Fatal("the program ended")
	case tea.BatchMsg:
		for _, cmd := range msg {
			r.start(cmd)
		}
		return
	}
	// A sequence: its type is the runtime's own.
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			r.start(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	_, cmd := r.m.Update(msg)
	_ = r.m.View()
	r.answered = r.answered || r.m.session.Result() != nil
	r.start(cmd)
}

// Whatever is pressed while work goes on beside the screen, the two share nothing
// that one of them changes. Only the race detector can see it fail.
func TestWorkBesideTheScreen(t *testing.T) {
	const query = "how does depth decay change the ranking"
	for seed := range uint64(2) {
		o, _ := fixedOptions(onGuide(t, []string{"webrag", "blend"}[seed], query))
		// What waits for a moment comes at once, when other work runs.
		o.After = func(wait time.Duration, msg tea.Msg) tea.Cmd {
			return func() tea.Msg { time.Sleep(min(wait, time.Millisecond)); return msg }
		}
		r := &besides{t: t, m: New(o), heard: make(chan tea.Msg, 64)}
		random := rand.New(rand.NewPCG(seed, 11))
		r.start(r.m.Init())
		r.give(tea.WindowSizeMsg{Width: 120, Height: 40})
		var actions []view.Action
		for _, a := range r.m.actionTable() {
			if a.ID != "program.quit" && a.ID != "program.interrupt" && a.ID != "program.suspend" {
				actions = append(actions, a)
			}
		}
		random.Shuffle(len(actions), func(i, k int) { actions[i], actions[k] = actions[k], actions[i] })
		keys := []string{"down", "enter", "right", "tab", "esc", "esc", "left", "up", "esc"}
		for i := range 2 * len(actions) {
			a := &actions[i%len(actions)]
			r.start(r.m.showView(viewID(random.IntN(len(r.m.views)))))
			r.start(r.m.run(a))
			for range random.IntN(4) {
				r.give(keyOf(keys[random.IntN(len(keys))]))
			}
			r.give(keyOf("esc"))
			r.give(keyOf("esc"))
			if i%8 == 0 { // other questions, while the last one is still asked; q would quit where a dialog came between
				for _, key := range []string{"/", "ctrl+u", "c", "u", "abcdefghijklmnoprstuvwxyz"[i%25 : i%25+1], "t", "enter"} {
					r.give(keyOf(key))
					r.hearSome(4)
				}
			}
			r.hearSome(random.IntN(6))
		}
		// The last question may have no answer, or ask what an action has hidden.
		for limit := time.After(time.Minute); !r.answered; {
			select {
			case msg := <-r.heard:
				r.hear(msg)
			case <-limit:
				t.Fatal("nothing came back")
			}
		}
	}
}

// hearSome hears up to n messages that come soon.
func (r *besides) hearSome(n int) {
	for range n {
		select {
		case msg := <-r.heard:
			r.hear(msg)
		case <-time.After(time.Millisecond):
		}
	}
}
