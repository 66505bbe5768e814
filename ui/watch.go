package ui

import (
	"image"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
)

// toggleWatch puts the answered query on the watch list with the selected page,
// or takes it off.
func (m *Model) toggleWatch() tea.Cmd {
	query := m.session.Query()
	if m.session.WatchedQuery(query) != nil {
		return tea.Batch(m.unwatch(query), m.say("no longer watched: "+query, false))
	}
	said := "watched: it must return something"
	url, title := m.selectedPage()
	if url == "" {
		title = ""
	}
	work, ok := m.session.Watch(url, title)
	if !ok {
		return m.say("the watch list is full (20 queries): {watch.list} shows it, and d takes one off", true)
	}
	if url != "" {
		said = "watched: it must return " + nameOfPage(&m.session.WatchedQuery(query).WatchedQuery)
	}
	return tea.Batch(m.showSession(m.selectedID(), work), m.keepNow(), m.say(said, false))
}

// showWatched gives the watch list its line, or takes it away.
func (m *Model) showWatched() {
	if (m.place.strip != image.Rectangle{}) != m.showsStrip() {
		m.arrange()
	}
}

// selectedPage is the page of the selected row.
func (m *Model) selectedPage() (url, title string) {
	if it := m.results.Selected(); it != nil {
		return it.SourceURL, m.tails.Strip(it.Title)
	}
	if m.results.OnGroup() {
		g := &m.results.Groups[m.results.Rows[m.results.At].Group]
		return g.URL, m.tails.Strip(g.Title)
	}
	return "", ""
}

// nameOfPage is what a required page is called.
func nameOfPage(q *session.WatchedQuery) string {
	if t := wording.Line(q.Title); t != "" {
		return t
	}
	return wording.ShortURL(q.Page, 40)
}

func (m *Model) canWatch() (bool, string) {
	return m.session.Result() != nil && m.session.Query() != "", "ask a query first: what is watched is a query that was answered"
}

func (m *Model) watchActions() []view.Action {
	return []view.Action{
		{
			ID: "watch.toggle", Title: "Watch: This query", Short: "watch", Help: "Put the query on the watch list, with the selected page as the one that it must return; again to take it off.",
			Keys: []string{"*"}, Contexts: anyPane, Footer: 44, Enabled: m.canWatch,
			Run: m.toggleWatch,
		},
		{
			ID: "watch.list", Title: "Watch: Show the list", Help: "Show the watched queries, what became of each, and ask, change or delete them.",
			Keys: []string{"#"}, Contexts: anyPane, Run: m.showWatchList,
		},
	}
}
