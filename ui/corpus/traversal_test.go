package corpus

import (
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// answerOf has a section of each page in given, and drops one of each in dropped.
func answerOf(given, dropped []string) answerPages {
	r := &retrieval.Result{}
	for i, url := range given {
		r.Items = append(r.Items, retrieval.Item{ChunkID: url + "#", DocumentID: url, SourceURL: url, Rank: i + 1})
	}
	for _, url := range dropped {
		r.NearMisses = append(r.NearMisses, retrieval.Item{ChunkID: url + "#", DocumentID: url, SourceURL: url})
	}
	return evidenceOn(r)
}

// The example of the indexing specification: the base domain once, then the
// parts of the path that differ.
func TestTheTraversalOfTheSpecification(t *testing.T) {
	const site = "https://docs.example.com/"
	var tree pageTree
	tree.add([]session.PageEntry{entry(site+"intro", 0), entry(site+"ensemble-methods", 1), entry(site+"getting-started", 2), entry(site+"random-forests", 2)})
	tree.link([][]string{
		{store.PageKey(site + "ensemble-methods")},
		{store.PageKey(site + "random-forests"), store.PageKey(site + "getting-started")},
	})
	roots, more := traversal(&tree, answerOf([]string{site + "ensemble-methods", site + "random-forests"}, []string{site + "getting-started"}))
	draw := func(w int) string {
		d := traversalDrawing{styles: mapStyles(t), label: byPath(roots)}
		return ansi.Strip(strings.Join(d.diagram(roots, w), "\n"))
	}
	got := draw(120)
	want := `docs.example.com/intro → /ensemble-methods [✓] → /random-forests [✓]
                                               → /getting-started [–]`
	if got != want || more != 0 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = draw(40)
	want = `docs.example.com/intro
 → /ensemble-methods [✓]
    → /random-forests [✓]
    → /getting-started [–]`
	if got != want {
		t.Errorf("narrow:\n%s\nwant\n%s", got, want)
	}
}

func TestTraversalLabels(t *testing.T) {
	node := func(url, title, description string) *traversed {
		return &traversed{entry: session.PageEntry{URL: url, Title: title, Description: description}}
	}
	above := node("https://a.example/api/ensemble", "", "")
	for _, c := range []struct {
		n              *traversed
		title, address string
	}{
		{node("https://a.example/api/random-forests", "Forests — A", ""), "Forests", "/random-forests"},
		{node("https://a.example/api/ensemble/x", "", "What x is."), "What x is.", "/x"},
		{node("https://a.example/news/1", "", ""), "/news/1", "/news/1"},
		{node("https://b.example/", "", ""), "b.example", "b.example"},
		{node("file:guide/a.md", "", ""), "guide/a.md", "guide/a.md"},
		{node("https://a.example/api/ensemble", "\x1b[31mred", ""), wording.Line("\x1b[31mred"), "/ensemble"},
	} {
		if got := byTitle(session.TitleSuffixes{" — A"}.Strip)(c.n, above); got != c.title {
			t.Errorf("%s is called %q, want %q", c.n.entry.URL, got, c.title)
		}
		if got := byAddress(c.n, above); got != c.address {
			t.Errorf("%s has the address %q, want %q", c.n.entry.URL, got, c.address)
		}
	}
}

// A diagram fits, and has each page that the query reached, once.
func TestDiagramsFit(t *testing.T) {
	s := mapStyles(t)
	rapid.Check(t, func(t *rapid.T) {
		var tree pageTree
		var given, dropped []string
		n := rapid.IntRange(1, 20).Draw(t, "pages")
		for i := range n {
			url := "https://a.example/p" + string(rune('a'+i))
			e := entry(url, i/2)
			e.Title = rapid.SampledFrom([]string{"", "Title of a page", "\x1b[31mred\x1b]52;c;aGk=\x07\u202egnp\u009b31m\x00", "日本語のページ", strings.Repeat("long ", 30)}).Draw(t, "title")
			tree.add([]session.PageEntry{e})
			switch rapid.IntRange(0, 2).Draw(t, "found") {
			case 1:
				given = append(given, url)
			case 2:
				dropped = append(dropped, url)
			}
		}
		for i := range n {
			tree.link([][]string{{store.PageKey("https://a.example/p" + string(rune('a'+min(n-1, i+rapid.IntRange(1, 3).Draw(t, "to")))))}})
		}
		roots, _ := traversal(&tree, answerOf(given, dropped))
		w := rapid.IntRange(1, 120).Draw(t, "w")
		label := rapid.SampledFrom([]traversalLabels{byTitle(session.TitleSuffixes(nil).Strip), byPath(roots)}).Draw(t, "label")
		lines := (&traversalDrawing{styles: s, label: label, most: titleMost}).diagram(roots, w)
		for _, l := range lines {
			if ansi.StringWidth(l) > w {
				t.Fatalf("%q has more than %d cells", l, w)
			}
		}
		if w < 100 {
			return
		}
		if got := strings.Count(strings.Join(lines, ""), s.Signs.Check); got != len(given) {
			t.Fatalf("%d pages are shown to have given evidence, want %d:\n%s", got, len(given), ansi.Strip(strings.Join(lines, "\n")))
		}
	})
}

// Where there is room for some of it side by side, the rest stands below, and no address
// is cut.
func TestTraversalsInNarrowPanes(t *testing.T) {
	page := func(url string, given bool, next ...*traversed) *traversed {
		n := &traversed{entry: session.PageEntry{ID: url, URL: url}, visited: true, next: next}
		if given {
			n.pageEvidence = pageEvidence{1, 1}
		}
		return n
	}
	roots := []*traversed{page("file:guide/index.md", true,
		page("file:guide/chunking.html", false, page("file:guide/ranking.md", true), page("file:guide/citations.md", false), page("file:guide/scope.md", false)),
		page("file:guide/missing.md", false, page("file:guide/words.md", false)),
	)}
	roots = based(onlyEvidence(roots))
	d := traversalDrawing{styles: mapStyles(t), label: byPath(roots)}
	got := ansi.Strip(strings.Join(d.diagram(roots, 38), "\n"))
	want := `guide [✓]
 → /chunking [–] → /ranking [✓]
                 → 2 gave nothing
 → 2 gave nothing`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The address that pages have in common stands once before them, and each site has its own.
func TestTheBaseStandsOnce(t *testing.T) {
	draw := func(urls ...string) string {
		var roots []*traversed
		for _, url := range urls {
			roots = append(roots, &traversed{entry: session.PageEntry{ID: url, URL: url}, visited: true, pageEvidence: pageEvidence{1, 1}})
		}
		roots = based(onlyEvidence(roots))
		d := traversalDrawing{styles: mapStyles(t), label: byPath(roots)}
		return ansi.Strip(strings.Join(d.diagram(roots, 80), "\n"))
	}
	for _, c := range []struct {
		urls []string
		want string
	}{
		{[]string{"file:docs/git/a.html", "file:docs/git/howto/b.html"}, "docs/git → /a [✓]\n         → /howto/b [✓]"},
		{[]string{"https://a.example/x/y", "https://b.example/z", "https://a.example/x/w/"}, "a.example/x → /y [✓]\n            → /w [✓]\nb.example/z [✓]"},
		{[]string{"file:o/x.html/a.html", "file:o/x.html/b.html", "file:o/y.html/d.html", "file:o/x.html/c.html"}, "o → /x.html → /a [✓]\n            → /b [✓]\n            → /c [✓]\n  → /y.html/d [✓]"},
		{[]string{"file:a.md", "file:b.md"}, "a [✓]\nb [✓]"},
		{[]string{"file:docs/a.md", "file:docs/a.html"}, "docs → /a.md [✓]\n     → /a.html [✓]"},
	} {
		if got := draw(c.urls...); got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.urls, got, c.want)
		}
	}
}
