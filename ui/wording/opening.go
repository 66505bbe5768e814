package wording

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
)

// openingSign divides a path from the words after it, which no heading has.
const openingSign = TrailSign + "“"

// leastOfOpening is what is shown of the words after a path, if any, in cells.
const leastOfOpening = 16

// opening are the first words of what matched in a part of a section, quoted: no heading
// says what it is about. They are empty for a whole section, and without its text.
func opening(it *retrieval.Item) string {
	if it.Parts < 2 {
		return ""
	}
	return quoted(it)
}

// quoted are the first words of what matched in a section, else of its text.
func quoted(it *retrieval.Item) string {
	if words := Line(session.OpeningOf(it)); words != "" {
		return "“" + words + "”"
	}
	return ""
}

// cutOpening shortens the words after a path to what it and the number of the part leave
// them in w cells, if need be without the headings below its page. It is the path without
// them where they get no room, or has none; ok reports that nothing else is to be cut.
func cutOpening(path string, w int) (_ string, ok bool) {
	part := partAtEnd.FindString(path)
	at := strings.LastIndex(path, openingSign)
	if part == "" || at < 0 {
		return path, false
	}
	way, words := path[:at], strings.TrimSuffix(path[at+len(TrailSign):], part)
	page, _, deep := strings.Cut(way, TrailSign)
	ways := []string{way}
	if deep {
		ways = append(ways, page+TrailSign+"…")
	}
	for _, before := range ways {
		before += TrailSign
		if room := w - ansi.StringWidth(before+part); room >= leastOfOpening {
			return before + ansi.Truncate(words, room, "…") + part, true
		}
	}
	return way + part, ansi.StringWidth(way+part) <= w
}
