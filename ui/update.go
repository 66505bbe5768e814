package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/ui/input"
	"github.com/webrag/webrag-tui/ui/judge"
	"github.com/webrag/webrag-tui/ui/keys"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/tour"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Update routes a message. It never waits.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m.opts.Debug != nil {
		_, _ = fmt.Fprintf(m.opts.Debug, "%s %T %s\n", m.opts.Now().Format("15:04:05.000"), msg, brief(msg))
	}
	cmd := m.route(msg)
	if m.alone() != m.place.alone {
		m.arrange()
	}
	cmd = tea.Batch(cmd, m.follow(), m.followTune(), m.views[m.view].Follow())
	m.followMoves()
	return m, caught(cmd)
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return m.resize(msg.Width, msg.Height)
	case tea.ColorProfileMsg:
		if !m.opts.NoColor {
			m.profile = msg.Profile
			m.restyle()
		}
	case tea.BackgroundColorMsg:
		if m.opts.Dark == nil {
			m.dark = msg.IsDark()
			m.restyle()
		}
	case tea.KeyPressMsg:
		msg.Text = offset.Line(msg.Text) // where a terminal does not tell pastes, they are keys
		switch key := msg.String(); {
		case !m.tour.IsOn():
		case key == "ctrl+c":
			return m.quit()
		case key == "ctrl+z":
			return input.Suspend()
		default:
			return m.tour.Key(msg)
		}
		return m.key(msg)
	case tea.PasteMsg, tea.MouseClickMsg:
		if m.tour.IsOn() {
			return m.tour.End(tour.Ended)
		}
		return m.pointed(msg)
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tea.MouseMotionMsg:
		m.drag(msg.X, msg.Y)
	case tea.MouseReleaseMsg:
		m.drag(msg.X, msg.Y)
		m.dragging = false
	default:
		return m.done(msg)
	}
	return nil
}

// done takes what commands bring.
func (m *Model) done(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case copied:
		return m.onCopied(msg)
	case urlOpened:
		if msg.err != nil {
			return m.say(fmt.Sprintf("could not open %s: %v", msg.url, msg.err), true)
		}
		return m.say("opened "+msg.url, false)
	case view.Arrival:
		return msg.Apply()
	case workDue:
		if m.session.Awaits(msg.Kind, msg.Gen) {
			return m.begin(msg.Work)
		}
	case workDone:
		return m.workDone(msg.Done)
	case stateKept:
		if msg.err != nil {
			return m.say(msg.err.Error(), true)
		}
	case crashed:
		m.crash = msg.words
		return tea.Quit
	case draftWritten:
		if msg.err != nil {
			return m.say(msg.err.Error(), true)
		}
		return input.Edit(m.opts.Editor, msg.path, msg.line,
			func(err error) tea.Msg { return editorClosed{path: msg.path, err: err} })
	case editorClosed:
		cmd := removeCmd(msg.path)
		if msg.err != nil {
			return tea.Batch(cmd, m.say("the editor: "+msg.err.Error(), true))
		}
		return cmd
	}
	return nil
}

// key dispatches a key press: the top dialog gets everything but the keys that
// always work; then come the keys bound in the present context, then the text
// that is typed.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if !m.status.warning {
		m.unsay() // it has been seen: the next key wants its place back
	}
	context := m.context()
	a := m.At(context, msg.String())
	if g := m.At(judge.Grading, msg.String()); g != nil && !m.typing() && m.judge.Takes(context) {
		a = g
	}
	if drop, cmd := m.welcome.Drops(msg, a); drop {
		return cmd
	}
	if m.top() == nil && (a == nil || a.ID != "notices.show") {
		notices{m}.markRead()
		m.leftRead = m.leftRead || !m.typing()
	}
	if d := m.top(); d != nil && (a == nil || !a.Always) {
		lead := m.At(paneResults, msg.String())
		if lead != nil && (d.Cursor() == nil || !keys.IsTyped(msg.String())) {
			switch leads, away := leadsTo(d, lead.ID); {
			case away:
				return m.decide(view.Verdict{Action: lead.ID})
			case leads:
				return m.run(lead)
			}
		}
		return m.toDialog(msg)
	}
	if a == nil && !m.typing() {
		// The key's place on the keyboard, for layouts of other scripts.
		a = m.At(context, msg.Keystroke())
	}
	if a != nil {
		return m.run(a)
	}
	if m.typing() {
		return m.typed(msg)
	}
	if why := m.Elsewhere(msg.String(), placeNames); why != "" {
		return m.say(why, false)
	}
	return nil
}

func (m *Model) typing() bool { return m.editing || m.find.typing }

// run does an action, or says why it cannot be done.
func (m *Model) run(a *view.Action) tea.Cmd {
	if a.Outside && m.tour.Refuses(a.ID) {
		return nil
	}
	if a.Enabled != nil {
		if ok, why := a.Enabled(); !ok {
			if why == "" {
				return nil
			}
			return m.say(why, false)
		}
	}
	return a.Run()
}

// typed gives a key or a paste to the text that is being typed.
func (m *Model) typed(msg tea.Msg) tea.Cmd {
	switch {
	case m.top() != nil:
		return m.toDialog(msg)
	case m.editing:
		if key, ok := msg.(tea.KeyPressMsg); ok && m.atBeginning() {
			switch a := m.At(paneResults, key.String()); {
			case a == nil:
			case a.ID == "query.edit":
				return nil // pressed by habit where the cursor is there already
			case a.ID == "help.show", a.ID == "palette.show":
				return m.run(a)
			}
		}
		if m.input.Type(msg) {
			return m.queryChanged()
		}
	case m.find.typing:
		if m.find.input.Type(msg) {
			finding{m}.run()
		}
	}
	return nil
}

// atBeginning says that the query line is typed into and empty: the keys that lead to
// all others, and to the line itself, begin no question.
func (m *Model) atBeginning() bool { return m.editing && m.input.Value() == "" }

// toDialog gives a message to the top dialog.
func (m *Model) toDialog(msg tea.Msg) tea.Cmd {
	return m.decide(m.top().Handle(msg))
}

// decide acts on what the top dialog has answered.
func (m *Model) decide(v view.Verdict) tea.Cmd {
	if v.Closed {
		m.pop()
	}
	if a := m.ActionOf(v.Action); a != nil {
		left := m.leaveDialogs()
		return tea.Batch(left, m.run(a))
	}
	if v.Then != nil {
		return v.Then()
	}
	return nil
}

// pointed takes a paste or a click.
func (m *Model) pointed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		msg.Content = wording.Line(msg.Content)
		return m.typed(msg)
	case tea.MouseClickMsg:
		return m.click(msg)
	}
	return nil
}

func (m *Model) resize(w, h int) tea.Cmd {
	m.width, m.height = w, h-m.tour.Resize(h, minHeight)
	m.arrange()
	return nil
}

// brief is what the debug log says of a message beside its type.
func brief(msg tea.Msg) string {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return msg.String()
	case tea.WindowSizeMsg:
		return fmt.Sprintf("%dx%d", msg.Width, msg.Height)
	case tea.ColorProfileMsg:
		return msg.Profile.String()
	case workDone:
		return fmt.Sprintf("%s, gen %d, error %v", msg.Kind, msg.Gen, msg.Err)
	case reader.Rendered:
		return msg.String()
	}
	return ""
}
