package wording

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// Heading names a section: its own heading, else its page. A part of a section that was
// cut into several says which it is.
func Heading(it *retrieval.Item) string { return unparted(it) + part(it) }

// part says which part of a section an item is, with a blank before it; empty for a whole
// one.
func part(it *retrieval.Item) string {
	if it.Parts < 2 {
		return ""
	}
	return fmt.Sprintf(" %d/%d", it.Part, it.Parts)
}

func unparted(it *retrieval.Item) string {
	if n := len(it.HeadingPath); n > 0 && strings.TrimSpace(it.HeadingPath[n-1]) != "" {
		return Line(it.HeadingPath[n-1])
	}
	if h := Line(it.SectionHeading); h != "" {
		return h
	}
	if t := Line(it.Title); t != "" {
		return t
	}
	return "(without heading)"
}

// TrailSign divides the parts of a path: a page, then headings.
const TrailSign = " › "

// Path names a section and before it its page, which is already in one line. A page whose
// name begins with that of the section, as "Trees — a site" does, says nothing more than it.
func Path(page string, it *retrieval.Item) string {
	if page == "" || strings.HasPrefix(page, unparted(it)) {
		return Heading(it)
	}
	return page + TrailSign + Heading(it)
}

// PathOf is the [Path] of a section whose page is called by its title.
func PathOf(it *retrieval.Item, t session.TitleSuffixes) string { return Path(t.Strip(it.Title), it) }

// leastOfPath is what each end of a path keeps where it is cut, in cells.
const leastOfPath = 6

// partAtEnd is what [Heading] says of a part.
var partAtEnd = regexp.MustCompile(` \d+/\d+$`)

// CutPath shortens a path to w cells. What stands between its ends goes first; of these,
// the longer one is cut, at its end: both say what tells it from others. Which part of a
// section it is stays.
func CutPath(path string, w int) string {
	if ansi.StringWidth(path) <= w {
		return path
	}
	if part := partAtEnd.FindString(path); part != "" && w > 2*len(part) {
		return CutPath(strings.TrimSuffix(path, part), w-len(part)) + part
	}
	first, last := strings.Index(path, TrailSign), strings.LastIndex(path, TrailSign)
	if first < 0 {
		return ansi.Truncate(path, max(1, w), "…")
	}
	page, leaf, sign := path[:first], path[last+len(TrailSign):], TrailSign
	if last > first {
		sign = TrailSign + "…" + TrailSign
	}
	room := w - ansi.StringWidth(sign)
	if room < 2*leastOfPath { // a piece of each says nothing
		return ansi.Truncate(leaf, max(1, w), "…")
	}
	pageWide, leafWide := ansi.StringWidth(page), ansi.StringWidth(leaf)
	switch half := room / 2; {
	case leafWide <= half:
		page = ansi.Truncate(page, room-leafWide, "…")
	case pageWide <= half:
		leaf = ansi.Truncate(leaf, room-pageWide, "…")
	default:
		page, leaf = ansi.Truncate(page, half, "…"), ansi.Truncate(leaf, room-half, "…")
	}
	return page + sign + leaf
}

// Telling names sections that stand together, each by its heading, and where two would
// look alike by its page as well; of one page, by the headings above it.
func Telling(items []*retrieval.Item, t session.TitleSuffixes) []string {
	names, same := make([]string, len(items)), make(map[string][]int, len(items))
	for i, it := range items {
		names[i] = Heading(it)
		same[names[i]] = append(same[names[i]], i)
	}
	for _, alike := range same {
		if len(alike) < 2 {
			continue
		}
		pages := map[string]bool{}
		for _, i := range alike {
			pages[items[i].SourceURL] = true
		}
		for _, i := range alike {
			switch it := items[i]; {
			case len(pages) == len(alike):
				names[i] = PathOf(it, t)
			case len(pages) == 1 && len(it.HeadingPath) > 1:
				names[i] = strings.Join(lines(it.HeadingPath), TrailSign) + part(it)
			case len(pages) > 1:
				names[i] = Trail(it, t)
			}
		}
	}
	return names
}

func lines(texts []string) []string {
	out := make([]string, 0, len(texts))
	for _, s := range texts {
		if s = Line(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Trail is the whole way to a section: page, then headings. A title that begins with
// the first heading, as "Trees — a site" does, says nothing more than it.
func Trail(it *retrieval.Item, t session.TitleSuffixes) string {
	var parts []string
	add := func(s string) {
		s = Line(s)
		if s != "" && (len(parts) == 0 || !strings.EqualFold(parts[len(parts)-1], s)) {
			parts = append(parts, s)
		}
	}
	if len(it.HeadingPath) == 0 || !strings.HasPrefix(Line(it.Title), Line(it.HeadingPath[0])) {
		add(t.Strip(it.Title))
	}
	for _, h := range it.HeadingPath {
		add(h)
	}
	if len(it.HeadingPath) == 0 {
		add(it.SectionHeading)
	}
	if len(parts) == 0 {
		return Heading(it)
	}
	return strings.Join(parts, TrailSign) + part(it)
}

// SectionTrail is the [Trail] of a section that is known by its name.
func SectionTrail(n *session.SectionName, t session.TitleSuffixes) string {
	return Trail(&retrieval.Item{SourceURL: n.SourceURL, Title: n.Title, HeadingPath: n.Headings, Part: n.Part, Parts: n.Parts}, t)
}

// Mode is a mode of retrieval as the screen calls it.
func Mode(mode param.Mode) string {
	switch mode {
	case param.ModeFullContext:
		return "full context"
	case param.ModeChunk:
		return "chunk mode"
	default:
		return string(mode)
	}
}
