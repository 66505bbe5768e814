package ui

import (
	"cmp"
	"image"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/compare"
	"github.com/webrag/webrag-tui/ui/judge"
	"github.com/webrag/webrag-tui/ui/view"
)

// newCompare is the view of what compares rankings, with what it needs of the explorer.
func (m *Model) newCompare() *compare.View { return compare.New(shell{m}, comparing(m)) }

// comparing is what comparing needs of the explorer.
func comparing(m *Model) compare.Needs {
	return compare.Needs{
		Page: func() view.Page { return selectedPage(m) },
		Ask: func(query string) tea.Cmd {
			cmd := tea.Batch(m.leaveDialogs(), m.showView(viewExplore))
			m.input.Set(query)
			return tea.Batch(cmd, m.submitQuery())
		},
		Why: func(query, page string) tea.Cmd {
			return tea.Batch(comparing(m).Ask(query), m.why.AskOf(query, whynot.Target{SourceURL: page}))
		},
		Keep:     m.keepNow,
		MakeSet:  func() tea.Cmd { return judge.FromWatched(m.judge) },
		Profiles: m.opts.Profiles, Suit: func(p session.Profile) session.Profile {
			if m.profiles.Suit == nil {
				return p
			}
			return m.profiles.Suit(p)
		},
		IsOpen: func(d view.Dialog) bool { return slices.Contains(m.dialogs.open, d) }, Close: m.closeFrom,
		Folder: comparisonsFolder(m.opts.StatePath),
		Place: func() string {
			if m.opts.Tour != nil { // what a tour has left is nobody's
				return ""
			}
			return cmp.Or(m.opts.Place, m.corpusName())
		},
	}
}

// selectedPage is the page that is selected in the view that is shown: in the pane that has
// the keys, else in the first one that has one; empty for none.
func selectedPage(m *Model) view.Page {
	if m.view == viewExplore {
		url, title := m.results.SelectedPage()
		return view.Page{URL: url, Title: title}
	}
	for _, name := range append([]view.Context{m.focus}, m.panesOf(m.view)...) {
		if p, ok := m.panel(name).(view.Selector); ok {
			if chunk, ok := p.Selected(); ok && chunk.Page.URL != "" {
				return chunk.Page
			}
		}
	}
	return view.Page{}
}

// comparisonsFolder is where the comparisons of corpora are kept, beside the file of the
// state; empty where nothing is.
func comparisonsFolder(state string) string {
	if state == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(state), "comparisons")
}

// stripHeight is the height of the screen from which the watch list has a line.
const stripHeight = 12

// showsStrip says whether the watch list has its line: while parameters are being
// tuned, and for as long as a watched query shows that they were.
func (m *Model) showsStrip() bool {
	return len(m.session.Watched()) > 0 && m.height >= stripHeight &&
		(m.showTune && m.view == viewExplore || m.session.WatchDiffers())
}

// showWatched gives the watch list its line, or takes it away.
func (m *Model) showWatched() {
	if (m.place.strip != image.Rectangle{}) != m.showsStrip() {
		m.arrange()
	}
}
