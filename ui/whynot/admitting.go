package whynot

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
)

// AdmitActions are what can be done where results are listed.
func (v *View) AdmitActions() []view.Action {
	return []view.Action{{
		ID: "results.admit", Title: "Results: Let the nearest in", Short: "let the nearest in",
		Help: "After a query without results: let the nearest section in, by the change that alters the rest least.",
		Keys: []string{"A"}, Contexts: v.needs.InResults, Footer: 96, Enabled: v.CanAdmit, Run: v.admit,
	}}
}

// CanAdmit reports whether something can be let into a result that has nothing, and if
// not why.
func (v *View) CanAdmit() (bool, string) {
	switch {
	case v.Session().Result() == nil || v.Session().Evidence() == nil:
		return false, "ask a query first"
	case len(v.Session().Result().Items) > 0:
		return false, "there are results; why not says what lets another section in"
	case len(v.Session().Result().NearMisses) == 0:
		return false, "nothing came near enough to let in"
	}
	return true, ""
}

// admit looks for the smallest change that lets the nearest section in, and makes
// it.
func (v *View) admit() tea.Cmd {
	look := v.Begin(v.Session().Admit())
	return tea.Batch(v.Say(phrase.LookingFor+" "+v.Styles().Signs.Ellipsis, false), look)
}

// admitted makes the change that lets a section in, which the session has found.
func (v *View) admitted(d session.Done) tea.Cmd {
	switch {
	case d.Query != v.Session().Query() || d.Params != v.Session().Params() || errors.Is(d.Err, context.Canceled):
		return nil
	case d.Err != nil:
		return v.Say("no change could be found: "+d.Err.Error(), true)
	case len(d.Report.Suggestions) == 0:
		return v.Say(phrase.NothingBrief+d.Report.Shown(), false)
	}
	gen, r := v.Session().Generation(session.KindAdmit), &d.Report
	var watched []watchedBy
	return v.judge(&v.admitting, d.Params, r, &watched, func() tea.Cmd {
		if gen != v.Session().Generation(session.KindAdmit) || d.Params != v.Session().Params() {
			return nil
		}
		return v.admitFirst(r, watched, d.Params)
	})
}

// admitFirst makes the change that is listed first, once it is known what the watched queries
// say of all of them.
func (v *View) admitFirst(r *whynot.Report, watched []watchedBy, params param.Params) tea.Cmd {
	preferWatched(r, watched)
	first := &r.Suggestions[0]
	p, err := first.Applied(params)
	if err != nil {
		return v.Say(err.Error(), true)
	}
	said := changeWords(r, first, &v.Styles().Signs) + " applied; {tune.undo} takes it back, {tune.save} saves the parameters"
	if r.NoTermMatch {
		said = phrase.NoTermMatchBrief + said
	}
	return tea.Batch(v.Set(p, ""), v.Say(said, false))
}
