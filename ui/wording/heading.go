package wording

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// Heading names a section: its own heading, else its page. A part of a section that was
// cut into several says which it is, and so does a passage: "OPTIONS 2/4 ¶3". One without a
// heading of its own says how what matched begins, where its text is there.
func Heading(it *retrieval.Item) string {
	if words := opening(it); words != "" {
		return unparted(it) + TrailSign + words + part(it)
	}
	return unparted(it) + part(it)
}

// Brief is the [Heading] of a section for where its path stands beside it: of a part with words,
// these.
func Brief(it *retrieval.Item) string {
	if words := opening(it); words != "" {
		return words + part(it)
	}
	return Heading(it)
}

// part says which part of a section an item is, and which passage of it, of joined ones the
// first, with a blank before each; empty for a whole section.
func part(it *retrieval.Item) string {
	said := ""
	if it.Parts > 1 {
		said = fmt.Sprintf(" %d/%d", it.Part, it.Parts)
	}
	if it.ParentID != "" && it.ChunkIndex >= 0 {
		said += fmt.Sprintf(" ¶%d", it.ChunkIndex+1)
	}
	return said
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
	return Headless
}

// TrailSign divides the parts of a path: a page, then headings.
const TrailSign = " › "

// Path names a section and before it its page, which is already in one line. A page whose
// name begins with that of the section, as "Trees — a site" does, says nothing more than it.
func Path(page string, it *retrieval.Item) string {
	page, heading := Ends(page, it)
	if page == "" {
		return heading
	}
	return page + TrailSign + heading
}

// Ends are those of a [Path]; page is empty where it says nothing more than the heading.
func Ends(page string, it *retrieval.Item) (of, heading string) {
	switch own := unparted(it); {
	case page != "" && own == Line(it.Title): // it has no heading of its own
		if words := opening(it); words != "" {
			return page, words + part(it)
		}
		return "", page + part(it)
	case strings.HasPrefix(page, own):
		page = ""
	}
	return page, Heading(it)
}

// PathOf is the [Path] of a section whose page is called by its title.
func PathOf(it *retrieval.Item, t session.TitleSuffixes) string { return Path(t.Strip(it.Title), it) }

// leastOfPath is the width from which on a piece of a page and of a section say more than the
// section alone, in cells.
const leastOfPath = 15

// partAtEnd is what [Heading] says of a part and of a passage.
var partAtEnd = regexp.MustCompile(`( \d+/\d+)?( ¶\d+)?$`)

// numbering is what stands before the words of a numbered heading: "25.4 ".
var numbering = regexp.MustCompile(`^(\d+(\.\d+)*|[A-Z](\.\d+)+)\.? +`)

// saidOnce leaves out the page of a path whose first heading says its name, with a number
// perhaps.
func saidOnce(path string) string {
	page, rest, _ := strings.Cut(path, TrailSign)
	first, _, _ := strings.Cut(rest, TrailSign)
	first = strings.TrimSuffix(first, partAtEnd.FindString(first))
	if page != "" && strings.EqualFold(numbering.ReplaceAllString(first, ""), numbering.ReplaceAllString(page, "")) {
		return rest
	}
	return path
}

// CutPath shortens a path to w cells. A page goes that the first heading names again, then
// what stands between the ends, from the page on; of these, the longer one is cut, at its end:
// both say what tells it from others. Which part of a section it is stays. Below 15 cells the
// section stands alone.
func CutPath(path string, w int) string {
	if ansi.StringWidth(path) <= w {
		return path
	}
	if path = saidOnce(path); ansi.StringWidth(path) <= w {
		return path
	}
	path, ok := cutOpening(path, w)
	if ok {
		return path
	}
	names := strings.Split(path, TrailSign)
	last := len(names) - 1
	leaf, part := names[last], partAtEnd.FindString(names[last])
	if wide := ansi.StringWidth(part); part == leaf || w <= 2*wide {
		part = ""
	}
	leaf = strings.TrimSuffix(leaf, part)
	if w -= ansi.StringWidth(part); last == 0 || w+ansi.StringWidth(part) < leastOfPath {
		return ansi.Truncate(leaf, max(1, w), "…") + part
	}
	page, sign := names[0], TrailSign
	for from := 2; from <= last; from++ { // without the first names between
		sign = TrailSign + strings.Join(append([]string{"…"}, names[from:last]...), TrailSign) + TrailSign
		if ansi.StringWidth(page+sign+leaf) <= w {
			return page + sign + leaf + part
		}
	}
	room := w - ansi.StringWidth(sign)
	pageWide, leafWide := ansi.StringWidth(page), ansi.StringWidth(leaf)
	switch half := room / 2; {
	case leafWide <= half:
		page = ansi.Truncate(page, room-leafWide, "…")
	case pageWide <= half:
		leaf = ansi.Truncate(leaf, room-pageWide, "…")
	default:
		page, leaf = ansi.Truncate(page, half, "…"), ansi.Truncate(leaf, room-half, "…")
	}
	return page + sign + leaf + part
}

// Telling names sections that stand together, each by its heading, and where two would
// look alike by its page as well; of one page, by the headings above it, else by what tells it
// from the others. Parts of one section are named by their words, if they have any: its heading
// tells nothing.
func Telling(items []*retrieval.Item, t session.TitleSuffixes) []string {
	sharing, pages := map[[2]string]int{}, map[string]bool{}
	for _, it := range items {
		sharing[[2]string{it.SourceURL, unparted(it)}]++
		pages[it.SourceURL] = true
	}
	page := func(it *retrieval.Item) string {
		if len(pages) > 1 {
			return t.Strip(it.Title)
		}
		return ""
	}
	return distinct(items, func(it *retrieval.Item) string {
		switch {
		case sharing[[2]string{it.SourceURL, unparted(it)}] > 1 && it.Parts > 1:
			return Brief(it)
		case headless(it) != "" && it.Parts < 2 && t.Strip(it.Title) != "":
			return t.Strip(it.Title) + part(it)
		}
		return Heading(it)
	}, func(it *retrieval.Item) string {
		if len(pages) > 1 {
			return PathOf(it, t)
		}
		if headless(it) != "" {
			return Heading(it)
		}
		return wayTo("", it, "")
	}, func(it *retrieval.Item) string {
		return wayTo(page(it), it, headless(it))
	}, func(it *retrieval.Item) string {
		return wayTo(page(it), it, cmp.Or(quoted(it), headless(it)))
	})
}

// Shorter are a path and its shorter forms, of whole names, the longest first: without the words
// after it, then without what stands between its ends, and its page alone. Which part of a section
// it is stays.
func Shorter(path string) []string {
	forms, part := []string{path}, partAtEnd.FindString(path)
	way := strings.TrimSuffix(path, part)
	if at := strings.LastIndex(way, openingSign); at >= 0 {
		way = way[:at]
		forms = append(forms, way+part)
	}
	names := strings.Split(way, TrailSign)
	if last := len(names) - 1; last > 1 {
		forms = append(forms, names[0]+TrailSign+names[last]+part)
	}
	if len(names) > 1 {
		forms = append(forms, names[0]+part)
	}
	return forms
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

// ListedTrail is the [Trail] of a section where others may have the same one: a part of a
// section has its first words before its number, as in the results.
func ListedTrail(it *retrieval.Item, t session.TitleSuffixes) string {
	trail, said := Trail(it, t), part(it)
	if words := opening(it); words != "" {
		return strings.TrimSuffix(trail, said) + TrailSign + words + said
	}
	return trail
}

// SectionTrails are the [SectionTrail] of each of some sections, by page. One without a heading
// that would be called as another section of its page says that it has none.
func SectionTrails(all []session.SectionName, t session.TitleSuffixes) []string {
	names, same := make([]string, len(all)), make(map[[2]string]int, len(all))
	for i := range all {
		names[i] = SectionTrail(&all[i], t)
		same[[2]string{all[i].SourceURL, names[i]}]++
	}
	for i := range all {
		if n := &all[i]; len(n.Headings) == 0 && same[[2]string{n.SourceURL, names[i]}] > 1 {
			said := partAtEnd.FindString(names[i])
			names[i] = strings.TrimSuffix(names[i], said) + TrailSign + Headless + said
		}
	}
	return names
}

// SectionTrail is the [ListedTrail] of a section that is known by its name.
func SectionTrail(n *session.SectionName, t session.TitleSuffixes) string {
	return ListedTrail(&retrieval.Item{SourceURL: n.SourceURL, Title: n.Title, HeadingPath: n.Headings, Part: n.Part, Parts: n.Parts, ChunkText: n.Opening}, t)
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
