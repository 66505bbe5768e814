package compare

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"
)

// toggleWatch puts the answered query on the watch list with the selected page,
// or takes it off.
func (v *View) toggleWatch() tea.Cmd {
	query := v.Session().Query()
	if v.Session().WatchedQuery(query) != nil {
		return tea.Batch(v.unwatch(query), v.Say("no longer watched: "+query, false))
	}
	said := "watched: it must return something"
	url, title := v.needs.Page()
	if url == "" {
		title = ""
	}
	work, ok := v.Session().Watch(url, title)
	if !ok {
		return v.Say("the watch list is full (20 queries): {watch.list} shows it, and d takes one off", true)
	}
	if url != "" {
		said = "watched: it must return " + nameOfPage(&v.Session().WatchedQuery(query).WatchedQuery)
	}
	return tea.Batch(v.Begin(work), v.needs.Keep(), v.Say(said, false))
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
