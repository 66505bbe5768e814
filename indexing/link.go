package indexing

import (
	"html"
	"regexp"
	"sort"
	"strings"

	"github.com/webrag/webrag-tui/indexing/convert"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

const (
	// maxLinkText is the most runes of a link's text that are kept: enough to
	// recognise it.
	maxLinkText = 200
	// maxLinkTarget is the longest address, in bytes, that is kept; a longer one
	// is data in disguise.
	maxLinkTarget = 2048
)

// links lists the page's hyperlinks with the parents that hold them. A link that
// occurs twice in a parent with the same text is one.
func (w *derivation) links() {
	seen := map[store.Link]bool{}
	add := func(l store.Link) {
		l.TargetURL, l.Anchor = offset.Folded(l.TargetURL), offset.Folded(l.Anchor)
		if l.TargetURL == "" || len(l.TargetURL) > maxLinkTarget {
			return
		}
		if len(l.Anchor) > maxFragment {
			l.Anchor = ""
		}
		if l.Text = shorten(offset.Folded(imageMarkup.ReplaceAllString(l.Text, "$1")), maxLinkText); l.Text == "" {
			l.Text = l.TargetURL
		}
		if !seen[l] && w.keeps(l.TargetURL) {
			seen[l] = true
			w.found = append(w.found, l)
		}
	}
	if w.page.html != nil {
		for _, l := range w.page.html.Links {
			add(store.Link{ChunkID: w.parentAt(l.At), TargetURL: l.TargetURL, Anchor: l.Anchor, Text: l.Text})
		}
		return
	}
	for _, m := range w.page.marks {
		if m.image || m.target == "" {
			continue
		}
		target, anchor := w.resolve(m.target)
		if target == "" {
			continue
		}
		text := plainInline(w.page.text[m.labelStart:m.labelEnd])
		add(store.Link{ChunkID: w.parentAt(m.start), TargetURL: target, Anchor: anchor, Text: text})
	}
	w.htmlLinks(add)
	if w.page.text != "" && len(w.found) == 0 {
		w.given(add)
	}
}

// resolve resolves a reference of the markdown, without a fragment that is too long to
// be kept. One whose address is too long leads nowhere; no more of it is looked at,
// because one definition may stand for a great many.
func (w *derivation) resolve(ref string) (target, anchor string) {
	path, _, found := strings.Cut(ref[:min(len(ref), maxLinkTarget+1)], "#")
	switch {
	case !found && len(ref) > maxLinkTarget:
		return "", ""
	case len(ref)-len(path) > 3*maxFragment: // percent-encoded
		ref = path
	}
	return convert.Resolve(w.doc.SourceURL, ref)
}

// keeps counts an address, and says whether there is still room for it.
func (w *derivation) keeps(address string) bool {
	w.addresses += len(address)
	return w.addresses <= maxAddresses
}

// imageMarkup matches an image in the text of a link, of which the words stay.
var imageMarkup = regexp.MustCompile(`!\[([^\]]*)\]\([^()\s]*\)`)

// htmlLink matches a link that a markdown page holds as HTML, up to the first
// element inside it.
var htmlLink = regexp.MustCompile(`(?i)<a\s[^<>]*?\bhref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')[^<>]*>([^<]*)`)

// htmlLinks adds the links that a markdown page holds as HTML.
func (w *derivation) htmlLinks(add func(store.Link)) {
	if !strings.Contains(w.page.text, "<") {
		return
	}
	for i := range w.page.blocks {
		b := &w.page.blocks[i]
		switch b.kind {
		case kindFence, kindIndented:
			continue
		default:
		}
		body := w.page.text[b.start:b.end]
		for _, m := range htmlLink.FindAllStringSubmatchIndex(body, -1) {
			from, to := m[2], m[3]
			if from < 0 {
				from, to = m[4], m[5]
			}
			target, anchor := convert.Resolve(w.doc.SourceURL, html.UnescapeString(body[from:to]))
			add(store.Link{
				ChunkID: w.parentAt(b.start + m[0]), TargetURL: target, Anchor: anchor,
				Text: html.UnescapeString(body[m[6]:m[7]]),
			})
		}
	}
}

// given adds the links that came with the page, which know no place: they belong
// to the first parent.
func (w *derivation) given(add func(store.Link)) {
	for _, l := range w.src.Links {
		target, anchor := convert.Resolve(w.doc.SourceURL, l.URL)
		add(store.Link{ChunkID: w.ids[0], TargetURL: target, Anchor: anchor, Text: l.Text})
	}
}

// marksIn returns the marks that may begin in a byte range. Marks are ordered
// by their ends, so those of the range lie between two binary searches.
func (w *derivation) marksIn(from, to int) []mark {
	marks := w.page.marks
	lo := sort.Search(len(marks), func(i int) bool { return marks[i].end > from })
	hi := lo
	for hi < len(marks) && marks[hi].labelStart < to+2 {
		hi++
	}
	return marks[lo:hi]
}
