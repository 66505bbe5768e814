package indexing_test

import (
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// checkLinks counts how the links of a package's pages end: most of those to pages of
// the same folder must name a section by its fragment.
func checkLinks(t *testing.T, folder string, bundles []store.Bundle) {
	t.Helper()
	pages := map[string]*store.Bundle{}
	sections := map[[2]string]string{}
	for i := range bundles {
		b := &bundles[i]
		for _, address := range append([]string{b.Document.SourceURL, b.Document.URL}, b.Document.URLAliases...) {
			pages[store.PageKey(address)] = b
		}
		for _, c := range b.Chunks {
			for _, a := range c.Anchors {
				if first, twice := sections[[2]string{b.Document.ID, a}]; twice {
					t.Errorf("%s: #%s is in %s and in %s", b.Document.SourceURL, a, first, c.ID)
				}
				sections[[2]string{b.Document.ID, a}] = c.ID
			}
		}
	}
	counts, example := map[string]int{}, map[string]string{}
	edges := map[[2]string]bool{}
	for i := range bundles {
		for _, l := range bundles[i].Links {
			end, target := linkEnd(pages, sections, l)
			if target == l.ChunkID {
				end = "inside its own section"
			}
			if counts[end]++; example[end] == "" {
				example[end] = bundles[i].Document.SourceURL + " -> " + l.TargetURL + "#" + l.Anchor + " " + l.Text
			}
			if target != "" && target != l.ChunkID {
				edges[[2]string{l.ChunkID, target}] = true
			}
		}
	}
	t.Logf("%s: %d references edges; links %v", folder, len(edges), counts)
	for end, e := range example {
		t.Logf("  %s: %s", end, e)
	}
	if inside := counts["by fragment"] + counts["inside its own section"]; inside < 20*counts["fragment unknown"] {
		t.Errorf("%s: only %d of the fragments are known, %d are not", folder, inside, counts["fragment unknown"])
	}
}

// linkEnd says how a link ends, and the section that it leads to.
func linkEnd(pages map[string]*store.Bundle, sections map[[2]string]string, l store.Link) (end, target string) {
	b := pages[store.PageKey(l.TargetURL)]
	switch {
	case strings.HasPrefix(l.TargetURL, "mailto:"):
		return "mail", ""
	case b == nil && !strings.HasPrefix(l.TargetURL, "file:"):
		return "the web", ""
	case b == nil && !strings.HasSuffix(l.TargetURL, ".html"):
		return "no page", ""
	case b == nil:
		return "page not indexed", ""
	case l.Anchor == "":
		return "to a page", b.Chunks[0].ID
	}
	if id, ok := sections[[2]string{b.Document.ID, l.Anchor}]; ok {
		return "by fragment", id
	}
	return "fragment unknown", b.Chunks[0].ID
}
