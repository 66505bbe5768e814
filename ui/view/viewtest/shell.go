// Package viewtest has a shell for the tests of views: one that does what it is asked at
// once and remembers it.
package viewtest

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
)

// Shell implements [view.Shell] without a screen.
type Shell struct {
	Of   *session.Session
	Look *theme.Styles
	// At is the pane that has the keys, Single what IsSingle says.
	At     view.Context
	Single bool
	// Saids are what was said, Copied what was copied last, Pushed the dialogs.
	Saids  []string
	Copied string
	Pushed []view.Dialog
	// Opened is the id of the section that was opened last, OpenedAt where in it.
	Opened   string
	OpenedAt int
	// Browsed is the address that was opened last.
	Browsed string
	// Begun is the work that was begun.
	Begun []session.Work
}

var _ view.Shell = (*Shell)(nil)

// New is a shell around a session in which nothing was asked, in the dark theme.
func New(t testing.TB) *Shell {
	t.Helper()
	styles, err := theme.New("", theme.Options{Dark: true})
	if err != nil {
		t.Fatal(err)
	}
	return &Shell{Of: session.New(session.Setting{}, nil), Look: styles}
}

// Session is Of.
func (s *Shell) Session() *session.Session { return s.Of }

// Styles is Look.
func (s *Shell) Styles() *theme.Styles { return s.Look }

// Context is that of a test that has no end.
func (s *Shell) Context() context.Context { return context.Background() }

// Begin begins nothing and remembers the work.
func (s *Shell) Begin(work []session.Work) tea.Cmd {
	s.Begun = append(s.Begun, work...)
	return nil
}

// After has the message come at once.
func (s *Shell) After(_ time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg { return msg }
}

// Set sets the parameters of the session.
func (s *Shell) Set(p param.Params, field string) tea.Cmd {
	s.Of.Set(p, field)
	return nil
}

// Say remembers the text.
func (s *Shell) Say(text string, _ bool) tea.Cmd {
	s.Saids = append(s.Saids, text)
	return nil
}

// Push remembers the dialog.
func (s *Shell) Push(d view.Dialog) tea.Cmd {
	s.Pushed = append(s.Pushed, d)
	return nil
}

// Answer has a prompt show the error, if there is one.
func (s *Shell) Answer(p *view.Prompt, err error) bool {
	if p == nil {
		return false
	}
	p.Answer(err)
	return true
}

// LeaveTyping does nothing: no test types into the query line.
func (s *Shell) LeaveTyping() {}

// Copy remembers the text.
func (s *Shell) Copy(_, text string) tea.Cmd {
	s.Copied = text
	return nil
}

// OpenResult finds none.
func (s *Shell) OpenResult(...string) (tea.Cmd, bool) { return nil, false }

// OpenSection remembers the section.
func (s *Shell) OpenSection(id string, at int) tea.Cmd {
	s.Opened, s.OpenedAt = id, at
	return nil
}

// Browse remembers the address.
func (s *Shell) Browse(address string) (tea.Cmd, string) {
	s.Browsed = address
	return nil, ""
}

// Focus gives a pane the keys.
func (s *Shell) Focus(pane view.Context) tea.Cmd {
	s.At = pane
	return nil
}

// Focused is At.
func (s *Shell) Focused() view.Context { return s.At }

// IsSingle is Single.
func (s *Shell) IsSingle() bool { return s.Single }

// KeyOf is the name of the action.
func (s *Shell) KeyOf(action string) string { return "<" + action + ">" }

// Keyed leaves the text as it is.
func (s *Shell) Keyed(text string) string { return text }

// PageTitle is the whole title.
func (s *Shell) PageTitle(title string) string { return offset.Line(title) }

// TitleSuffixes are none.
func (s *Shell) TitleSuffixes() session.TitleSuffixes { return nil }

// IsEstimated is false.
func (s *Shell) IsEstimated() bool { return false }

// Bare is drawn lines as text, without their styles and the blanks at their ends.
func Bare(lines []string) string {
	bare := make([]string, len(lines))
	for i, l := range lines {
		bare[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(bare, "\n")
}
