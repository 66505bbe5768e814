package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	if m.top() != nil {
		return m.toDialog(msg)
	}
	v := view.WheelVerb(msg)
	if p, ok := m.place.At(image.Pt(msg.X, msg.Y)); ok && v != 0 {
		m.panel(p).Move(v)
	}
	return nil
}

func (m *Model) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	if d := m.top(); d != nil {
		box, at := frame{m}.dialogBox(d)
		if !image.Pt(msg.X, msg.Y).In(at) || len(box) == 0 {
			return nil
		}
		msg.X, msg.Y = msg.X-at.Min.X, msg.Y-at.Min.Y
		return m.toDialog(msg)
	}
	at := image.Pt(msg.X, msg.Y)
	m.dragging = at.In(m.place.Split.Handle)
	switch {
	case at.In(m.place.query):
		return m.editQuery()
	case at.In(m.place.header):
		if v, ok := (frame{m}).tabAt(msg.X); ok {
			return m.showView(v)
		}
	case at.In(m.place.footer):
		return m.clickFooter(msg.X)
	}
	p, ok := m.place.At(at)
	if !ok {
		return nil
	}
	m.leaveTyping()
	cmd := m.focusOn(p)
	s, ok := m.place.Slot(p)
	if !ok || !at.In(s.Body) {
		return cmd
	}
	if example := m.welcome.Click(at.Y - s.Body.Min.Y); example != "" && m.place.alone {
		m.input.Set(wording.Line(example))
		return m.submitQuery()
	}
	return tea.Batch(cmd, m.panel(p).Click(at.X-s.Body.Min.X, at.Y-s.Body.Min.Y))
}

// drag moves the split to a cell, while its line is held.
func (m *Model) drag(x, y int) {
	if !m.dragging || m.top() != nil {
		return
	}
	m.split = m.place.Split.To(x, y)
	m.arrange()
}

// clickFooter does what a hint in the footer names.
func (m *Model) clickFooter(x int) tea.Cmd {
	if m.find.typing {
		return nil
	}
	line := footer{m}
	at := 1
	for _, part := range [][]hint{line.here(), line.everywhere()} {
		for _, h := range part {
			if a := m.ActionOf(h.action); a != nil && x >= at && x < at+h.wide() {
				return m.run(a)
			}
			at += h.wide() + len(hintGap)
		}
		at = m.width - 1 - ansi.StringWidth(line.hintLine(line.everywhere()))
	}
	return nil
}

// frameTime is the time of a frame: more motions of the mouse in it than one
// would all be drawn as one.
const frameTime = 16 * time.Millisecond

// steadyMouse drops motions and turns of the wheel that follow the last within a
// frame. A release always comes through, so that a drag ends where the mouse did.
func steadyMouse(now func() time.Time) func(tea.Model, tea.Msg) tea.Msg {
	var last time.Time
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		switch msg.(type) {
		case tea.MouseMotionMsg, tea.MouseWheelMsg:
			t := now()
			if since := t.Sub(last); since >= 0 && since < frameTime {
				return nil
			}
			last = t
		}
		return msg
	}
}
