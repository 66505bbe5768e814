package widget

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/theme"
)

// Marked draws a name in at most room cells, with what is searched for marked.
func Marked(s *theme.Styles, name, hit string, style lipgloss.Style, room int) string {
	name = ansi.Truncate(name, max(1, room), s.Signs.Ellipsis)
	at := FoldIndex(name, hit)
	if at < 0 {
		return style.Render(name)
	}
	runes := []rune(name)
	end := at + len([]rune(hit))
	return style.Render(string(runes[:at])) + s.Hit.Render(string(runes[at:end])) + style.Render(string(runes[end:]))
}

// Repeat is s n times, and nothing for less than one.
func Repeat(s string, n int) string { return strings.Repeat(s, max(0, n)) }

// FirstFitting is the first text of at most room cells, empty if there is none.
func FirstFitting(room int, texts ...string) string {
	for _, t := range texts {
		if ansi.StringWidth(t) <= room {
			return t
		}
	}
	return ""
}

// Padded fills text up to at least w cells.
func Padded(text string, w int) string {
	return text + strings.Repeat(" ", max(0, w-ansi.StringWidth(text)))
}

// HitAt is which of the hits a row is, from 1, or else the next.
func HitAt(hits []int, row int) (at, of int) {
	if len(hits) == 0 {
		return 0, 0
	}
	i, _ := slices.BinarySearch(hits, row)
	return i%len(hits) + 1, len(hits)
}

// NextOf is the n-th stop from a place, going round; the place itself where there
// are none.
func NextOf(stops []int, at, n int) int {
	if len(stops) == 0 {
		return at
	}
	i, on := slices.BinarySearch(stops, at)
	if !on && n > 0 {
		n-- // the one that follows is the first
	}
	return stops[((i+n)%len(stops)+len(stops))%len(stops)]
}
