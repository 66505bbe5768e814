package indexing

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/webrag/webrag-tui/indexing/convert"
)

// maxFragment is the longest fragment, in bytes, that names a place; a longer one
// is data in disguise.
const maxFragment = 256

// targets returns the places of the page that a fragment can name, in order and
// each fragment once: as in a browser, the first place with an id is the one.
func (p *page) targets() []convert.Target {
	var all []convert.Target
	if p.html != nil {
		all = append(all, p.html.Targets...)
	} else {
		all = append(all, markdownTargets(p)...)
	}
	if p.aligned != nil {
		all = append(all, p.aligned.targets()...)
	}
	for block, id := range p.anchors() {
		all = append(all, convert.Target{At: p.contentStart(&p.blocks[block]), ID: id})
	}
	slices.SortStableFunc(all, func(a, b convert.Target) int {
		if a.At != b.At {
			return a.At - b.At
		}
		return strings.Compare(a.ID, b.ID)
	})
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(t convert.Target) bool {
		bad := t.ID == "" || len(t.ID) > maxFragment || strings.ContainsFunc(t.ID, unicode.IsControl) || seen[t.ID]
		seen[t.ID] = true
		return bad
	})
}

// htmlID matches the id of an element that a markdown page holds as HTML.
var htmlID = regexp.MustCompile(`<[a-zA-Z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"<>]+)"|'([^'<>]+)')`)

// markdownTargets are the places that elements of HTML in a markdown page name.
func markdownTargets(p *page) []convert.Target {
	if !strings.Contains(p.text, "<") {
		return nil
	}
	var out []convert.Target
	for i := range p.blocks {
		b := &p.blocks[i]
		switch b.kind {
		case kindFence, kindIndented:
			continue
		default:
		}
		for _, m := range htmlID.FindAllStringSubmatchIndex(p.text[b.start:b.end], -1) {
			from, to := m[2], m[3]
			if from < 0 {
				from, to = m[4], m[5]
			}
			out = append(out, convert.Target{At: b.start + m[0], ID: html.UnescapeString(p.text[b.start+from : b.start+to])})
		}
	}
	return out
}

// noteAnchors gives each parent the fragments inside it.
func (w *derivation) noteAnchors() {
	targets := w.page.targets()
	ends := w.ends
	at := 0
	for i := range w.out {
		if w.out[i].ParentID != "" {
			continue
		}
		for len(targets) > 0 && (targets[0].At < ends[at] || at == len(ends)-1) {
			w.out[i].Anchors = append(w.out[i].Anchors, targets[0].ID)
			targets = targets[1:]
		}
		at++
	}
}
