package corpus

import (
	"net/url"
	"path"
	"slices"
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
	// between such pages, or are the address that all begin with.
	visited bool
	// base says that it is a folder that pages share.
	base bool
	// folded is how many pages it stands for that gave nothing, 0 for a page.
	folded int
	next   []*traversed

	// label is what it is called in the diagram that was drawn last, alone and all how many
	// cells it took with its sign, and with all that is reached from it beside it.
	label      string
	alone, all int
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

// walkTraversed goes through all pages of a diagram.
func walkTraversed(nodes []*traversed, do func(*traversed)) {
	for _, n := range nodes {
		do(n)
		walkTraversed(n.next, do)
	}
}

// leads says that a page or one that was reached from it gave evidence.
func (n *traversed) leads() bool {
	return n.given() || slices.ContainsFunc(n.next, (*traversed).leads)
}

// onlyEvidence are the ways to the pages that gave evidence: of pages beside them that
// gave nothing, and lead to nothing, only the number is left.
func onlyEvidence(nodes []*traversed) []*traversed {
	var kept, quiet []*traversed
	for _, n := range nodes {
		if !n.leads() {
			quiet = append(quiet, n)
			continue
		}
		way := *n
		way.next = onlyEvidence(n.next)
		kept = append(kept, &way)
	}
	count := 0
	walkTraversed(quiet, func(n *traversed) {
		if n.visited {
			count++
		}
	})
	switch {
	case count == 1 && len(quiet) == 1 && len(quiet[0].next) == 0:
		return append(kept, quiet...) // its name is as short
	case count > 0:
		return append(kept, &traversed{folded: count})
	}
	return kept
}

// based has the pages of a site, of which several were reached from nowhere, hang from the
// address that they have in common, and those of a folder with several of them from it: what
// they share is said once.
func based(roots []*traversed) []*traversed {
	var hosts []string
	of := map[string][]*traversed{}
	for _, n := range roots {
		host, _ := hostAndPath(n.entry.URL)
		if of[host] == nil {
			hosts = append(hosts, host)
		}
		of[host] = append(of[host], n)
	}
	var all []*traversed
	for _, host := range hosts {
		pages := of[host]
		if shared := sharedFolder(pages); len(pages) > 1 && (host != "" || len(shared) > 0) {
			all = append(all, folder(host, shared, pages))
			continue
		}
		all = append(all, inFolders(host, 0, pages)...)
	}
	return all
}

// sharedFolder is the way to the folder that all pages are in.
func sharedFolder(pages []*traversed) []string {
	_, shared := hostAndPath(pages[0].entry.URL)
	shared = shared[:max(0, len(shared)-1)]
	for _, n := range pages[1:] {
		_, way := hostAndPath(n.entry.URL)
		same := 0
		for same < len(shared) && same < len(way)-1 && shared[same] == way[same] {
			same++
		}
		shared = shared[:same]
	}
	return shared
}

// folder has pages hang from the folder that they share.
func folder(host string, shared []string, pages []*traversed) *traversed {
	address := "file:" + strings.Join(shared, "/")
	if host != "" {
		address = "//" + host + "/" + strings.Join(shared, "/")
	}
	return &traversed{entry: session.PageEntry{URL: address}, base: true, next: inFolders(host, len(shared), pages)}
}

// leastInFolder is how many pages of one folder hang from it.
const leastInFolder = 3

// inFolders has pages, of whose ways so many folders stand above them, hang from the further
// ones that several of them share.
func inFolders(host string, above int, pages []*traversed) []*traversed {
	of := map[string][]*traversed{}
	first := func(n *traversed) string {
		if _, way := hostAndPath(n.entry.URL); len(way) > above+1 {
			return way[above]
		}
		return ""
	}
	for _, n := range pages {
		of[first(n)] = append(of[first(n)], n)
	}
	var all []*traversed
	for _, n := range pages {
		switch name := first(n); {
		case name == "" || len(of[name]) < leastInFolder:
			all = append(all, n)
		case of[name][0] == n:
			all = append(all, folder(host, sharedFolder(of[name]), of[name]))
		}
	}
	return all
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
func byAddress(n, above *traversed) string { return addressFrom(n, above, hostAndPath) }

// byPath is as [byAddress], without the extensions of pages, and the index of a folder is
// called as the folder; unless two pages would be called the same then.
func byPath(roots []*traversed) traversalLabels {
	plain, clash := map[string]bool{}, false
	walkTraversed(roots, func(n *traversed) {
		if n.folded == 0 {
			host, way := plainPath(n.entry.URL)
			if n.base {
				host, way = hostAndPath(n.entry.URL)
			}
			called := host + "/" + strings.Join(way, "/")
			clash = clash || plain[called]
			plain[called] = true
		}
	})
	if clash {
		return byAddress
	}
	return func(n, above *traversed) string { return addressFrom(n, above, plainPath) }
}

// plainPath is [hostAndPath] without what most pages of a site have in common.
func plainPath(address string) (host string, way []string) {
	host, way = hostAndPath(address)
	last := len(way) - 1
	if last < 0 {
		return host, way
	}
	if ext := path.Ext(way[last]); len(ext) < len(way[last]) && slices.Contains(pageExtensions[:], strings.ToLower(ext)) {
		way[last] = strings.TrimSuffix(way[last], ext)
	}
	if isIndex(way[last]) && (last > 0 || host != "") {
		way = way[:last]
	}
	return host, way
}

// addressFrom is what is said of an address after that of the page before.
func addressFrom(n, above *traversed, split func(address string) (host string, way []string)) string {
	of := func(n *traversed) (host string, way []string) {
		if n.base { // a folder keeps what looks like an extension
			return hostAndPath(n.entry.URL)
		}
		return split(n.entry.URL)
	}
	host, way := of(n)
	if above != nil {
		hostAbove, wayAbove := of(above)
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

// traversalDrawing draws pages from left to right:
//
//	guide → /retrieval [✓] → /ranking [✓]
//	                       → /budget [–]
//
// What is reached from a page stands under it where that is too wide.
type traversalDrawing struct {
	styles *theme.Styles
	label  traversalLabels
	// most is how many cells a label has at most, 0 for any number: what differs in an
	// address is never cut as long as there is room for it alone.
	most int
	// current is the id of the page that is selected, empty for none.
	current string
}

// titleMost is how many cells a title has at most in a diagram.
const titleMost = 32

// diagram draws all pages in at most w cells.
func (d *traversalDrawing) diagram(roots []*traversed, w int) []string {
	var lines []string
	for _, n := range roots {
		d.measure(n, nil)
		lines = append(lines, d.lines(n, w)...)
	}
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], w, d.styles.Signs.Ellipsis)
	}
	return lines
}

// The cells of the sign behind a page, and of an arrow.
const signWidth, arrowWidth = 4, 3

// measure labels a page and those that were reached from it.
func (d *traversalDrawing) measure(n, above *traversed) {
	if n.folded > 0 {
		n.label = wording.Count(n.folded) + " gave nothing"
	} else {
		n.label = d.label(n, above)
	}
	if d.most > 0 {
		n.label = ansi.Truncate(n.label, d.most, d.styles.Signs.Ellipsis)
	}
	n.alone = ansi.StringWidth(n.label)
	if n.visited {
		n.alone += signWidth
	}
	n.all = n.alone
	for _, next := range n.next {
		d.measure(next, n)
		n.all = max(n.all, n.alone+arrowWidth+next.all)
	}
}

// text is the label of a page in at most room cells, with its sign.
func (d *traversalDrawing) text(n *traversed, room int) string {
	s := d.styles
	text := n.label
	if n.alone > room {
		text = ansi.Truncate(text, max(1, room-signWidth), s.Signs.Ellipsis)
	}
	look := s.Faint
	switch {
	case d.current != "" && n.entry.ID == d.current:
		look = s.Title
	case n.given():
		look = s.Text
	}
	text = look.Render(text)
	switch {
	case n.given():
		text += " " + s.Score.Render("["+s.Signs.Check+"]")
	case n.visited:
		text += s.Faint.Render(" [" + s.Signs.Dash + "]")
	}
	return text
}

// lines draw a page and those that were reached from it: beside it, where all of that has
// room, else under it.
func (d *traversalDrawing) lines(n *traversed, room int) []string {
	arrow := d.styles.Rule.Render(" " + d.styles.Signs.ArrowRight + " ")
	indent, beside := 0, n.all <= room
	if beside {
		indent = n.alone
	}
	lines := []string{d.text(n, room)}
	for i, next := range n.next {
		for j, l := range d.lines(next, room-indent-arrowWidth) {
			switch {
			case i == 0 && j == 0 && beside:
				lines[0] += arrow + l
			case j == 0:
				lines = append(lines, widget.Repeat(" ", indent)+arrow+l)
			default:
				lines = append(lines, widget.Repeat(" ", indent+arrowWidth)+l)
			}
		}
	}
	return lines
}
