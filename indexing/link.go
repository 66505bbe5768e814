package indexing

import (
	"sort"
	"strings"

	"github.com/webrag/webrag-tui/indexing/convert"
	"github.com/webrag/webrag-tui/store"
)

// links lists the page's hyperlinks with the parents that hold them. A link that
// occurs twice in a parent with the same text is one.
func (w *derivation) links() {
	seen := map[store.Link]bool{}
	add := func(l store.Link) {
		if l.TargetURL != "" && !seen[l] {
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
		target, anchor := convert.Resolve(w.doc.SourceURL, m.target)
		text := plainInline(w.page.text[m.labelStart:m.labelEnd])
		if text == "" {
			text = m.target
		}
		add(store.Link{ChunkID: w.parentAt(m.start), TargetURL: target, Anchor: anchor, Text: strings.Join(strings.Fields(text), " ")})
	}
	if w.page.text != "" && len(w.page.marks) == 0 {
		w.given(add)
	}
}

// given adds the links that came with the page, which know no place: they belong
// to the first parent.
func (w *derivation) given(add func(store.Link)) {
	for _, l := range w.src.Links {
		target, anchor, _ := strings.Cut(l.URL, "#")
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
