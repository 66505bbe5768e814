package reader

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
)

// fetcher fetches the texts of sections that came without them.
type fetcher struct{ *View }

// follow forgets what the corpus was asked for before it was opened anew, which does not
// come any more, and what could not be read in it.
func (v fetcher) follow() {
	if c := v.Session().Corpus(); c != v.of {
		v.of, v.fetching, v.texts.unread = c, map[string]bool{}, nil
	}
}

// fetch reads the texts of a section that came without them. Of a passage, the
// section around it is read.
func (v fetcher) fetch(it *retrieval.Item) tea.Cmd {
	id := it.SectionID()
	v.shown.loading = true
	if v.fetching[id] || v.of == nil {
		return nil
	}
	v.fetching[id] = true
	return v.Begin(v.Session().ReadText(id))
}

// take keeps the texts of a section, and shows them if it is still selected.
func (v fetcher) take(d session.Done) tea.Cmd {
	delete(v.fetching, d.ID)
	if d.Err == nil {
		v.texts.keep(d.Section)
	}
	it := v.needs.List.Selected()
	if it == nil || it.SectionID() != d.ID || it.ChunkText != "" {
		return nil
	}
	v.shown.loading = false
	if d.Err != nil {
		v.texts.giveUp(it)
		return v.Say("the section could not be read: "+d.Err.Error(), true)
	}
	v.ShowAnew()
	return v.Begin(v.Session().Examine(nil)) // its texts are there now
}
