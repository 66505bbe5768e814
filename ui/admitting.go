package ui

import (
	"context"
	"errors"

	"github.com/webrag/webrag-tui/ui/view"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
)

func (m *Model) admittingActions() []view.Action {
	return []view.Action{{
		ID: "results.admit", Title: "Results: Let the nearest in", Short: "let the nearest in",
		Help: "After a query without results: let the nearest section in, by the change that alters the rest least.",
		Keys: []string{"A"}, Contexts: inResults, Footer: 96, Enabled: m.canAdmit, Run: m.admit,
	}}
}

func (m *Model) canAdmit() (bool, string) {
	switch {
	case m.session.Result() == nil || m.session.Evidence() == nil:
		return false, "ask a query first"
	case len(m.session.Result().Items) > 0:
		return false, "there are results; why not says what lets another section in"
	case len(m.session.Result().NearMisses) == 0:
		return false, "nothing came near enough to let in"
	}
	return true, ""
}

// admit looks for the smallest change that lets the nearest section in, and makes
// it.
func (m *Model) admit() tea.Cmd {
	look := m.start(m.session.Admit())
	return tea.Batch(m.say(phrase.LookingFor+" "+m.styles.Signs.Ellipsis, false), look)
}

// onAdmission takes what would let a section in.
func (m *Model) onAdmission(d session.Done) tea.Cmd {
	m.session.Apply(d)
	switch {
	case d.Params != m.session.Params() || errors.Is(d.Err, context.Canceled):
		return nil
	case d.Err != nil:
		return m.say("no change could be found: "+d.Err.Error(), true)
	case len(d.Report.Suggestions) == 0:
		return m.say(phrase.NothingBrief+d.Report.Verdict, false)
	}
	return admissionJudged{gen: m.session.Generation(session.KindAdmit), params: d.Params, report: d.Report}.arrive(m)
}

// admissionJudged asks what the watched queries say of one suggestion after the
// other, as [whyJudged] does, and makes the change that is listed first then.
type admissionJudged struct {
	gen     int
	params  param.Params
	report  whynot.Report
	watched []watchedBy
}

func (msg admissionJudged) arrive(m *Model) tea.Cmd {
	if msg.gen != m.session.Generation(session.KindAdmit) || msg.params != m.session.Params() {
		return nil
	}
	r := &msg.report
	if n := len(msg.watched); n < len(r.Suggestions) && len(m.session.Watched()) > 0 {
		msg.watched = append(msg.watched, m.watchedWith(msg.params, &r.Suggestions[n]))
		return m.after(0, msg)
	}
	preferWatched(r, msg.watched)
	first := &r.Suggestions[0]
	p, err := changedBy(msg.params, first)
	if err != nil {
		return m.say(err.Error(), true)
	}
	said := changeWords(r, first, &m.styles.Signs) + " applied; {tune.undo} takes it back"
	if r.NoTermMatch {
		said = phrase.NoTermMatchBrief + said
	}
	return tea.Batch(m.setParams(p, ""), m.say(m.keyed(said), false))
}
