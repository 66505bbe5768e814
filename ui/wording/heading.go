package wording

import (
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// Heading names a section: its own heading, else its page.
func Heading(it *retrieval.Item) string {
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

// LeafFirst names a section and then its page, for lists in which what stands
// last is cut.
func LeafFirst(it *retrieval.Item, t session.TitleSuffixes) string {
	name, title := Heading(it), t.Strip(it.Title)
	if title == "" || strings.HasPrefix(title, name) {
		return name
	}
	return name + " ‹ " + title
}

// TrailSign divides the parts of a [Trail].
const TrailSign = " › "

// Trail is the way to a section: page, then headings. A title that begins with
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
	return strings.Join(parts, TrailSign)
}

// SectionTrail is the [Trail] of a section that is known by its name.
func SectionTrail(n *session.SectionName, t session.TitleSuffixes) string {
	return Trail(&retrieval.Item{SourceURL: n.SourceURL, Title: n.Title, HeadingPath: n.Headings}, t)
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
