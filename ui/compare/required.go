package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// requiring is the choice of the page that a watched query must return: the one that is
// selected behind the list, those that the query returns or nearly did, and all others.
type requiring struct {
	*view.Chooser
	// pages are those that are offered, by address.
	pages map[string]view.Page
	more  []widget.Choice // that are to be added
}

// offer adds a page, each once.
func (r *requiring) offer(page view.Page, note string) {
	if _, known := r.pages[page.URL]; known || page.URL == "" {
		return
	}
	r.pages[page.URL] = page
	name := nameOfPage(&session.WatchedQuery{Page: page.URL, Title: page.Title})
	r.more = append(r.more, widget.Choice{Value: page.URL, Title: name, Key: note, About: wording.ShortURL(page.URL, 1<<10)})
}

// show lists what is offered.
func (r *requiring) show() {
	r.Add(r.more)
	r.more = nil
}

// mostListed is how many sections the pages are taken from.
const mostListed = 20_000

// chooseRequired has the page chosen that a watched query must return.
func (v *View) chooseRequired(query string) tea.Cmd {
	w := v.Session().WatchedQuery(query)
	if w == nil {
		return nil
	}
	r := &requiring{Chooser: view.NewChooser("It must return", nil, true), pages: map[string]view.Page{}}
	selected, required := v.needs.Page(), w.Required()
	if selected.URL != required {
		r.offer(selected, "selected")
	}
	note := "as it was"
	if w.Page == required {
		note = "as it is"
	}
	r.offer(view.Page{URL: w.Page, Title: w.Title}, note)
	anything := widget.Choice{Title: "any page: it must return something"}
	pages := v.Session().WatchedPages(query)
	returned := slices.IndexFunc(pages, func(p session.RankedPage) bool { return p.Rank == 0 })
	if returned < 0 {
		returned = len(pages)
	}
	for _, p := range pages[:returned] {
		r.offer(view.Page{URL: p.URL, Title: v.PageTitle(p.Title)}, "rank "+strconv.Itoa(p.Rank))
	}
	r.more = append(r.more, anything)
	for _, p := range pages[returned:] {
		r.offer(view.Page{URL: p.URL, Title: v.PageTitle(p.Title)}, "came near")
	}
	r.show()
	r.Wide = 84
	r.Then = func(url string) tea.Cmd { return v.require(query, r.pages[url]) }
	v.requiring = r
	return tea.Batch(v.Push(r), v.Begin(v.Session().ListSections(mostListed, -1)))
}

// Take implements [view.Taker]: it offers all pages of the corpus, once they are listed.
func (v *View) Take(d session.Done) tea.Cmd {
	r := v.requiring
	if d.Kind != session.KindSections || r == nil || !v.needs.IsOpen(r) {
		return nil
	}
	v.requiring = nil
	if d.Err != nil {
		return v.Say("the other pages could not be listed: "+wording.FirstLine(d.Err), true)
	}
	for i := range d.List.Sections {
		n := &d.List.Sections[i]
		r.offer(view.Page{URL: n.SourceURL, Title: v.PageTitle(n.Title)}, "")
	}
	r.show()
	if d.List.More > 0 {
		r.None = fmt.Sprintf("none of the pages of the first %s; enter takes it for the address of another", wording.Plural(mostListed, "section"))
		r.Else = func(text string) tea.Cmd {
			url := strings.TrimSpace(text)
			r.pages[url] = view.Page{URL: url}
			return r.Then(url)
		}
	}
	return nil
}
