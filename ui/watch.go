package ui

import (
	"cmp"
	"image"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/compare"
)

// newCompare is the view of what compares rankings, with what it needs of the explorer.
func (m *Model) newCompare() *compare.View {
	return compare.New(shell{m}, compare.Needs{
		Page: m.results.SelectedPage,
		Ask: func(query string) tea.Cmd {
			cmd := m.showView(viewExplore)
			m.input.Set(query)
			return tea.Batch(cmd, m.submitQuery())
		},
		Keep:   m.keepNow,
		Folder: comparisonsFolder(m.opts.StatePath),
		Place: func() string {
			if m.opts.Tour != nil { // what a tour has left is nobody's
				return ""
			}
			return cmp.Or(m.opts.Place, m.corpusName())
		},
	})
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
