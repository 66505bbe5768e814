package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/view"
)

// shell is what views see of the explorer.
type shell struct{ m *Model }

var _ view.Shell = shell{}

func (s shell) Session() *session.Session                { return s.m.session }
func (s shell) Styles() *theme.Styles                    { return s.m.styles }
func (s shell) Set(p param.Params, field string) tea.Cmd { return s.m.setParams(p, field) }
func (s shell) Context() context.Context                 { return s.m.ctx }
func (s shell) Say(text string, warning bool) tea.Cmd    { return s.m.say(text, warning) }
func (s shell) Push(d view.Dialog) tea.Cmd               { return s.m.push(d) }
func (s shell) Answer(p *view.Prompt, err error) bool    { return s.m.answerPrompt(p, err) }
func (s shell) LeaveTyping()                             { s.m.leaveTyping() }
func (s shell) Copy(what, text string) tea.Cmd           { return s.m.clip(what, text) }
func (s shell) Focus(pane view.Context) tea.Cmd          { return s.m.focusOn(pane) }
func (s shell) Focused() view.Context                    { return s.m.focus }
func (s shell) IsSingle() bool                           { return s.m.place.arrangement == single }
func (s shell) KeyOf(action string) string               { return s.m.KeyOf(action) }
func (s shell) Keyed(text string) string                 { return s.m.Keyed(text) }
func (s shell) PageTitle(title string) string            { return s.m.session.TitleSuffixes().Strip(title) }
func (s shell) IsEstimated() bool                        { return s.m.estimated() }

func (s shell) Begin(work []session.Work) tea.Cmd          { return s.m.showSession(s.m.selectedID(), work) }
func (s shell) After(d time.Duration, msg tea.Msg) tea.Cmd { return s.m.opts.After(d, msg) }
func (s shell) TitleSuffixes() session.TitleSuffixes       { return s.m.session.TitleSuffixes() }

func (s shell) Browse(address string) (tea.Cmd, string) { return s.m.browse(address) }

func (s shell) OpenSection(id string, at int) tea.Cmd {
	if at < 0 {
		return navigation{s.m}.openSection(id, reader.Landing{})
	}
	return navigation{s.m}.openSection(id, reader.At(at))
}

func (s shell) OpenResult(ids ...string) (cmd tea.Cmd, ok bool) {
	for _, id := range ids {
		if s.m.results.Has(id) {
			cmd := s.m.showView(viewExplore)
			s.m.results.Select(id)
			return tea.Batch(cmd, s.m.focusOn(paneResults)), true
		}
	}
	return nil, false
}
