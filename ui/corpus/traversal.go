package corpus

import (
	"net/url"
	"strings"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// traversed is a page in the diagram of a traversal, with the pages that were
// reached from it.
type traversed struct {
	entry session.PageEntry
	pageEvidence
	// visited says that the query had to do with the page; others only stand
	// between such pages.
	visited bool
	next    []*traversed
}

const (
	// traversalMost is how many pages the diagram shows, besides those between.
	traversalMost = 60
	// climbMost is how many pages stand above one that the query reached.
	climbMost = 12
)

// traversal are the pages that an answer reached, as far as the most of them go,
// under those by which they are reached. more is how many are left out.
func traversal(t *pageTree, a answerPages) (roots []*traversed, more int) {
	nodes := map[string]*traversed{}
	var place func(at, climbed int) *traversed
	place = func(at, climbed int) *traversed {
		e := t.pages[at]
		if n := nodes[e.ID]; n != nil {
			return n
		}
		n := &traversed{entry: e}
		nodes[e.ID] = n
		if up := t.Parent[at]; up >= 0 && climbed < climbMost {
			above := place(up, climbed+1)
			above.next = append(above.next, n)
		} else {
			roots = append(roots, n)
		}
		return n
	}
	for i, it := range a.order {
		if i >= traversalMost {
			return roots, len(a.order) - i
		}
		var n *traversed
		if at, ok := t.byID[it.DocumentID]; ok {
			n = place(at, 0)
		} else { // not read yet
			n = &traversed{entry: session.PageEntry{ID: it.DocumentID, URL: it.SourceURL, Title: it.Title, Depth: it.Depth}}
			nodes[it.DocumentID] = n
			roots = append(roots, n)
		}
		n.pageEvidence, n.visited = a.pages[it.DocumentID], true
	}
	return roots, 0
}

// traversalLabels name the pages of a diagram.
type traversalLabels func(n, above *traversed) string

// byTitle labels pages with their titles, as pages are called by them, or, without one, what they say of
// themselves, else with their addresses.
func byTitle(named func(title string) string) traversalLabels {
	return func(n, above *traversed) string {
		if title := named(n.entry.Title); title != "" {
			return title
		}
		if says := wording.Line(n.entry.Description); says != "" {
			return says
		}
		return byAddress(n, above)
	}
}

// byAddress labels a root with its host and path, and each further page with the
// part of its path that differs from that of the page before.
func byAddress(n, above *traversed) string {
	host, way := hostAndPath(n.entry.URL)
	if above != nil {
		hostAbove, wayAbove := hostAndPath(above.entry.URL)
		if host == hostAbove {
			for len(way) > 1 && len(wayAbove) > 0 && way[0] == wayAbove[0] {
				way, wayAbove = way[1:], wayAbove[1:]
			}
			return "/" + strings.Join(way, "/")
		}
	}
	if host == "" {
		return strings.Join(way, "/")
	}
	return strings.TrimSuffix(host+"/"+strings.Join(way, "/"), "/")
}

// hostAndPath takes an address apart, for the eye alone.
func hostAndPath(address string) (host string, way []string) {
	address = wording.Line(address)
	rest := strings.TrimPrefix(address, "file:")
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host = u.Host
		_, rest, _ = strings.Cut(address, u.Host)
	}
	rest = strings.Trim(rest, "/")
	if rest == "" {
		return host, nil
	}
	return host, strings.Split(rest, "/")
}

// labelWidths are how many cells the labels of a diagram have at most, where there
// is room from left to right.
var labelWidths = [...]int{32, 24, 18}

// diagram draws the pages from left to right, in at most w cells:
//
//	guide → /retrieval [✓] → /ranking [✓]
//	                       → /budget [–]
//
// Where that leaves too little for the labels, what is reached from a page
// stands under it instead.
func diagram(s *theme.Styles, roots []*traversed, label traversalLabels, w int) []string {
	d := traversalDrawing{styles: s, label: label}
	for _, d.most = range labelWidths {
		lines, wide := d.all(roots)
		if wide <= w {
			return lines
		}
	}
	d.under, d.most = true, labelWidths[0]
	lines, _ := d.all(roots)
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], w, s.Signs.Ellipsis)
	}
	return lines
}

// all draws all roots, and says how wide the widest line is.
func (d *traversalDrawing) all(roots []*traversed) (lines []string, wide int) {
	for _, n := range roots {
		lines = append(lines, d.lines(n, nil)...)
	}
	for _, l := range lines {
		wide = max(wide, ansi.StringWidth(l))
	}
	return lines, wide
}

type traversalDrawing struct {
	styles *theme.Styles
	label  traversalLabels
	most   int
	under  bool
}

func (d *traversalDrawing) lines(n, above *traversed) []string {
	s := d.styles
	text := ansi.Truncate(d.label(n, above), max(1, d.most), s.Signs.Ellipsis)
	switch {
	case n.given():
		text = s.Text.Render(text) + " " + s.Score.Render("["+s.Signs.Check+"]")
	case n.visited || above != nil:
		text = s.Faint.Render(text + " [" + s.Signs.Dash + "]")
	default:
		text = s.Faint.Render(text)
	}
	arrow := s.Rule.Render(" " + s.Signs.ArrowRight + " ")
	indent := widget.Repeat(" ", ansi.StringWidth(text))
	lines := []string{text}
	for i, next := range n.next {
		for j, l := range d.lines(next, n) {
			switch {
			case d.under && j == 0:
				lines = append(lines, arrow+l)
			case d.under:
				lines = append(lines, "  "+l)
			case i == 0 && j == 0:
				lines[0] += arrow + l
			case j == 0:
				lines = append(lines, indent+arrow+l)
			default:
				lines = append(lines, indent+"   "+l)
			}
		}
	}
	return lines
}
