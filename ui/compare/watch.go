package compare

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// toggleWatch watches the answered query with the selected page.
func (v *View) toggleWatch() tea.Cmd { return v.Watch(v.needs.Page()) }

// Watch puts the answered query on the watch list with a page that it must return, which may
// be none. One that is watched must return this page from now on; again, or without a page,
// it is taken off.
func (v *View) Watch(page view.Page) tea.Cmd {
	query := v.Session().Query()
	if w := v.Session().WatchedQuery(query); w != nil {
		if page.URL != "" && w.Required() != page.URL {
			before := ""
			if w.Required() != "" {
				before = ", no longer " + nameOfPage(&w.WatchedQuery)
			}
			cmd := v.require(query, page)
			return tea.Batch(cmd, v.Say("watched: it must return "+nameOfPage(&w.WatchedQuery)+" from now on"+before, false))
		}
		return tea.Batch(v.unwatch(query), v.Say("no longer watched: "+query, false))
	}
	said := "watched: it must return something"
	work, ok := v.Session().Watch(page.URL, page.Title)
	if !ok {
		return v.Say("the watch list is full (20 queries): {watch.list} shows it, and d takes one off", true)
	}
	if w := v.Session().WatchedQuery(query); page.URL != "" {
		said = "watched: it must return " + nameOfPage(&w.WatchedQuery) + standing(&w.Now)
	}
	return tea.Batch(v.Begin(work), v.needs.Keep(), v.Say(said+"; {watch.list} shows the list", false))
}

// standing says of a page that must be returned whether it is: it may be by another section
// than the one that was selected.
func standing(o *session.Outcome) string {
	switch {
	case o.Known && o.Passed && o.Rank > 0:
		return fmt.Sprintf(", which it does at rank %d", o.Rank)
	case o.Known && !o.Passed:
		return ", and does not yet"
	}
	return ""
}

// require changes the page that a watched query must return; without an address, any will do.
func (v *View) require(query string, page view.Page) tea.Cmd {
	w := v.Session().WatchedQuery(query)
	if w == nil {
		return nil
	}
	q := w.WatchedQuery
	if q.AnyPage = page.URL == ""; !q.AnyPage {
		q.Page, q.Title = page.URL, page.Title
	}
	return tea.Batch(v.Begin(v.Session().Require(q)), v.needs.Keep())
}

// nameOfPage is what a required page is called.
func nameOfPage(q *session.WatchedQuery) string {
	if t := wording.Line(q.Title); t != "" {
		return t
	}
	return wording.ShortURL(q.Page, 40)
}

func (v *View) canWatch() (bool, string) {
	return v.Session().Result() != nil && v.Session().Query() != "", "ask a query first: what is watched is a query that was answered"
}
