package whynot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
)

// lookInto finds out why a text is not among the results.
func (v *View) lookInto(d *dialog, t whynot.Target) tea.Cmd {
	d.begin(t)
	look := v.Begin(v.Session().WhyNot(t, d.params))
	return tea.Batch(look, v.spinning.Rest(v.After, view.SpinnerDelay, v.turn))
}

// turn turns the spinner, as long as it is being looked.
func (v *View) turn() tea.Cmd {
	d := v.shown
	if d == nil || d.stage != looking {
		return nil
	}
	d.spin++
	return v.spinning.Rest(v.After, view.SpinnerStep, v.turn)
}

// takeReport shows a report, which the session has taken.
func (v *View) takeReport(found session.Done) tea.Cmd {
	d := v.shown
	if d == nil || errors.Is(found.Err, context.Canceled) {
		return nil
	}
	if found.Err != nil {
		d.stage, d.err = reported, found.Err
		return nil
	}
	d.show(found.Report)
	return v.judgeAll(d)
}

// judgeAll asks the watched queries, if there are any, what they say of each suggestion.
func (v *View) judgeAll(d *dialog) tea.Cmd {
	d.judging.End()
	d.watched, d.judgedFor = nil, mustReturn(v.Session())
	if len(v.Session().Watched()) == 0 {
		return nil
	}
	return v.judge(&d.judging, d.params, d.report, &d.watched, func() tea.Cmd {
		d.prefer()
		return nil
	})
}

// pageOf is the page that a report is about, empty where there is none of it.
func (v *View) pageOf(d *dialog) view.Page {
	if d.report == nil || d.query != v.Session().Query() {
		return view.Page{}
	}
	return view.Page{URL: d.report.Chunk.SourceURL, Title: v.PageTitle(d.report.Chunk.Title)}
}

// watch watches the query with the page that the report is about: from now on it is the one
// that must be returned.
func (v *View) watch(d *dialog) tea.Cmd {
	page := v.pageOf(d)
	if page.URL == "" {
		return nil
	}
	return v.needs.Watch(page)
}

// Rewatched asks the watched queries anew where others are watched than were asked, or other
// pages must be returned.
func (v *View) Rewatched() tea.Cmd {
	d := v.shown
	if d == nil || d.stage != reported || d.report == nil || slices.Equal(d.judgedFor, mustReturn(v.Session())) {
		return nil
	}
	return v.judgeAll(d)
}

// mustReturn is what is watched for.
func mustReturn(s *session.Session) (all []session.WatchedQuery) {
	for _, w := range s.Watched() {
		all = append(all, w.WatchedQuery)
	}
	return all
}

// watchVerb is what watching does now, empty for nothing.
func (v *View) watchVerb(d *dialog) string {
	page := v.pageOf(d)
	w := v.Session().WatchedQuery(d.query)
	switch {
	case page.URL == "":
		return ""
	case w != nil && w.Required() == page.URL:
		return "watch no longer"
	case !d.report.Present && d.picker.ranks[page.URL] > 0:
		// It is there by another section, and a page is all that can be watched for.
		return fmt.Sprintf("watch its page (rank %d)", d.picker.ranks[page.URL])
	}
	return "watch for this page"
}

// apply changes the parameters as a suggestion says, and selects what it lets
// in.
func (v *View) apply(d *dialog, s *whynot.Suggestion) tea.Cmd {
	p, err := s.Applied(d.params)
	if err != nil {
		return v.Say(err.Error(), true)
	}
	r := d.report
	v.wanted = &wanted{ids: []string{r.Chunk.ParentID, r.Chunk.ChunkID}, rank: s.Rank}
	if r.Target.SourceURL != "" {
		v.wanted.page = r.Chunk.DocumentID
	}
	return tea.Batch(
		v.needs.ShowResults(), v.Set(p, ""),
		v.Say(changeWords(r, s, &v.Styles().Signs)+" applied; {tune.undo} takes it back, {tune.save} saves the parameters", false),
	)
}

// Ranked asks what was to be asked of this ranking, and selects what a change was to bring,
// as soon as it is there.
func (v *View) Ranked() tea.Cmd {
	if v.Session().Result() == nil {
		return nil
	}
	v.reveal()
	switch later := v.later; {
	case later == nil:
	case later.query != v.Session().Asked():
		v.later = nil // another query was asked instead
	case later.query == v.Session().Query():
		v.later = nil
		return v.answer(later)
	}
	return nil
}

// asked is what is to be asked once a query is answered; without a target, one is picked.
type asked struct {
	query  string
	target whynot.Target
}

// AskOf answers why a text is not among the results of a query, in a dialog: once that is
// answered, if it is still being asked. Without a target, one is picked.
func (v *View) AskOf(query string, t whynot.Target) tea.Cmd {
	of := &asked{query, t}
	if v.Session().Asking() || v.Session().Query() != query {
		v.later = of
		return nil
	}
	return v.answer(of)
}

func (v *View) answer(of *asked) tea.Cmd {
	if of.target == (whynot.Target{}) {
		return v.Pick()
	}
	return v.Ask(of.target)
}

// reveal selects what a change was to bring.
func (v *View) reveal() {
	want := v.wanted
	if want == nil {
		return
	}
	for i := range v.Session().Result().Items {
		it := &v.Session().Result().Items[i]
		if want.is(it) {
			v.needs.Reveal(it)
			v.wanted = nil
			return
		}
	}
	if v.Session().Pending() == "" {
		v.wanted = nil // it is as it is: what the user does next is not to be undone
	}
}

// wanted is a text that a change is to bring.
type wanted struct {
	ids  []string // its chunk and its section
	page string   // the document, where all of a page is meant
	rank int      // what its rank was to be
}

// is reports whether an item is what was wanted.
func (w *wanted) is(it *retrieval.Item) bool {
	if w.page != "" {
		return it.DocumentID == w.page && it.Rank == w.rank
	}
	return slices.ContainsFunc(w.ids, func(id string) bool {
		return id != "" && (id == it.ChunkID || slices.Contains(it.Merged, id))
	})
}
