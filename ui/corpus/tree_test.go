package corpus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

func entry(url string, depth int) session.PageEntry {
	return session.PageEntry{ID: url, URL: url, Depth: depth, Keys: []string{store.PageKey(url)}}
}

// outline writes a tree with two blanks for each level.
func outline(t *pageTree) string {
	var b strings.Builder
	for _, r := range t.Rows() {
		fmt.Fprintf(&b, "%s%s\n", strings.Repeat("  ", r.Level), t.pages[r.Node].URL)
	}
	return b.String()
}

func TestPagesHangFromThoseThatLinkToThem(t *testing.T) {
	const site = "https://a.example/"
	var tree pageTree
	tree.add([]session.PageEntry{
		entry(site, 0), entry(site+"guide", 1), entry(site+"news", 1),
		entry(site+"guide/ranking", 2), entry(site+"misc", 2), entry(site+"guide/alone", 2),
	})
	if got := tree.linksWanted(10); len(got) != 3 {
		t.Errorf("the links of %v are wanted: those of the deepest pages lead nowhere", got)
	}
	tree.link([][]string{
		{store.PageKey(site + "guide"), store.PageKey(site + "news"), store.PageKey(site + "misc")},
		{store.PageKey(site + "misc"), store.PageKey(site)},
		{store.PageKey(site + "guide/ranking"), store.PageKey(site + "misc")},
	})
	// "misc" is two links away: the page at depth 0 that links to it too did not
	// lead there. "alone" is linked to by nobody and stands under its folder.
	want := site + `
  ` + site + `guide
    ` + site + `misc
    ` + site + `guide/alone
  ` + site + `news
    ` + site + `guide/ranking
`
	if got := outline(&tree); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPagesWithoutDepthsHangFromTheirFolders(t *testing.T) {
	var tree pageTree
	tree.add([]session.PageEntry{
		entry("file:guide/a/b.md", 0), entry("file:guide/a/index.md", 0), entry("file:guide/index.md", 0), entry("file:guide/x.html", 0),
		entry("file:guide/x/y.html", 0), entry("file:other/z.md", 0),
	})
	want := `file:guide/index.md
  file:guide/a/index.md
    file:guide/a/b.md
  file:guide/x.html
    file:guide/x/y.html
file:other/z.md
`
	if got := outline(&tree); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	tree.Fold(tree.byID["file:guide/index.md"])
	if got := outline(&tree); got != "file:guide/index.md\nfile:other/z.md\n" {
		t.Errorf("folded:\n%s", got)
	}
}

// Whatever links to whatever, and whatever the depths say, the tree has each page
// once, under a page that is not deeper.
func TestTheTreeHasEachPageOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringMatching(`(https?://[ab]\.example|file:)(/[ab]{1,2}){0,3}(/index\.html)?`), 1, 12).Draw(t, "pages")
		var pages []session.PageEntry
		for _, n := range names {
			pages = append(pages, entry(n, rapid.IntRange(-1, 3).Draw(t, "depth")))
		}
		slices.SortStableFunc(pages, func(a, b session.PageEntry) int {
			return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.URL, b.URL))
		})
		var tree pageTree
		for block := range slices.Chunk(pages, 3) {
			tree.add(block)
			for ids := tree.linksWanted(2); len(ids) > 0 && rapid.Bool().Draw(t, "read links"); ids = tree.linksWanted(2) {
				links := make([][]string, len(ids))
				for i := range links {
					for _, to := range rapid.SliceOf(rapid.SampledFrom(pages)).Draw(t, "links") {
						links[i] = append(links[i], to.Keys[0])
					}
				}
				tree.link(links)
			}
		}
		seen := map[string]int{}
		for _, r := range tree.Rows() {
			p := tree.pages[r.Node]
			seen[p.ID]++
			if up := tree.Parent[r.Node]; up >= 0 && tree.pages[up].Depth > p.Depth {
				t.Fatalf("%s, of depth %d, hangs from %s, of depth %d", p.URL, p.Depth, tree.pages[up].URL, tree.pages[up].Depth)
			}
		}
		for _, p := range pages {
			if seen[p.ID] != 1 {
				t.Fatalf("%s is listed %d times", p.ID, seen[p.ID])
			}
		}
		if rows := tree.sorted(orderTitle, false, func(e *session.PageEntry) string { return e.Title }); len(rows) != len(seen) {
			t.Fatalf("the table has %d rows for %d pages", len(rows), len(seen))
		}
	})
}
