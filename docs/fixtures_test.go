package docs_test

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/webrag/webrag-tui/testdata"
)

// fixturePages reads the pages outside of the guide that are judged.
func fixturePages(t *testing.T) map[string]*page {
	t.Helper()
	pages := map[string]*page{}
	for _, pattern := range []string{"everest.html", "pages/*"} {
		names, err := fs.Glob(testdata.Files, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			raw, err := testdata.Files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			pages[name] = readPage(t, name, raw)
		}
	}
	return pages
}

// markup are the characters that a converter may escape, so that a quote with
// one of them might not occur in a page's markdown.
const markup = "`*_[]<>\\|#~$"

// TestQuotesOccurOnce holds that each judgment names exactly one section, and no
// two of a query the same: one result would count twice.
func TestQuotesOccurOnce(t *testing.T) {
	t.Parallel()
	pages := fixturePages(t)
	for name, p := range guidePages(t) {
		pages[name] = p
	}
	judgments, err := testdata.Judgments()
	if err != nil {
		t.Fatal(err)
	}
	queries, judged, kinds := map[string]string{}, map[string]bool{}, map[string]int{}
	answers := map[string]string{}
	last := ""
	for _, j := range judgments {
		if text, seen := queries[j.QueryID]; seen && (text != j.Query || last != j.QueryID) {
			t.Errorf("%s stands twice, as %q and %q, or apart", j.QueryID, text, j.Query)
		} else if !seen {
			kinds[j.Kind]++
		}
		queries[j.QueryID], last, judged[j.Source] = j.Query, j.QueryID, true

		p := pages[j.Source]
		if p == nil {
			t.Errorf("%s: no page %s", j.QueryID, j.Source)
			continue
		}
		if strings.ContainsAny(j.Quote, markup) || len(strings.Fields(j.Quote)) == 0 {
			t.Errorf("%s: quote %q is empty or has markup", j.QueryID, j.Quote)
		}
		in := 0
		for _, s := range p.sections() {
			n := strings.Count(s.text, j.Quote)
			in += n
			answer := j.QueryID + " " + j.Source + " " + s.heading
			if other, taken := answers[answer]; taken && n > 0 {
				t.Errorf("%s: %q and %q lie in one section, %q", j.QueryID, other, j.Quote, s.heading)
			} else if n > 0 {
				answers[answer] = j.Quote
			}
		}
		if in != 1 {
			t.Errorf("%s: %q occurs %d times in %s", j.QueryID, j.Quote, in, j.Source)
		}
	}
	if len(queries) < 35 {
		t.Errorf("only %d queries", len(queries))
	}
	for _, kind := range []string{"word", "words", "question", "identifier", "paraphrase"} {
		if kinds[kind] < 3 {
			t.Errorf("only %d queries of the kind %q", kinds[kind], kind)
		}
	}
	for name := range pages {
		if !judged[name] && name != "pages/letter.html" {
			t.Errorf("no query judges %s", name)
		}
	}
}

// TestEverestPage holds that the page has what encyclopaedia pages trouble a
// converter with.
func TestEverestPage(t *testing.T) {
	t.Parallel()
	raw, err := testdata.Files.ReadFile("everest.html")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(raw); n < 30_000 || n > 45_000 {
		t.Errorf("%d bytes", n)
	}
	p := fixturePages(t)["everest.html"]
	count := map[string]int{}
	for d := range p.root.Descendants() {
		if d.Type == html.ElementNode {
			count[d.Data]++
			for c := range strings.FieldsSeq(attr(d, "class")) {
				count[d.Data+"."+c]++
			}
		}
	}
	for what, atLeast := range map[string]int{
		"h2": 10, "h3": 6, "table.infobox": 1, "table.wikitable": 3, "span.mw-editsection": 15, "sup.reference": 20,
		"ol.references": 1, "dl": 1, "div.navbox": 1, "footer": 1,
	} {
		if count[what] < atLeast {
			t.Errorf("%d %s, want %d", count[what], what, atLeast)
		}
	}
	widest := 0
	for _, tr := range p.all("tr") {
		widest = max(widest, len(below(tr, "td")))
	}
	if widest < 9 {
		t.Errorf("the widest table has %d columns", widest)
	}
	notes := map[string]bool{}
	for _, li := range p.all("li") {
		notes[attr(li, "id")] = true
	}
	for _, sup := range p.all("sup") {
		if a := below(sup, "a"); len(a) != 1 || !notes[strings.TrimPrefix(attr(a[0], "href"), "#")] {
			t.Errorf("footnote %s leads nowhere", textOf(sup))
		}
	}
	for _, img := range p.all("img") {
		if attr(img, "alt") == "" {
			t.Error("an image has no alternative text")
		}
		if _, err := fs.Stat(testdata.Files, attr(img, "src")); err != nil {
			t.Error(err)
		}
	}
}

// TestBadInputIsBad holds that the files still have their faults: an editor or
// a checkout repairs such things without asking.
func TestBadInputIsBad(t *testing.T) {
	t.Parallel()
	has := func(sub string) func([]byte) bool {
		return func(raw []byte) bool { return bytes.Contains(raw, []byte(sub)) }
	}
	for name, checks := range map[string][]func([]byte) bool{
		"binary.html":     {has("\x89PNG"), has("\x00")},
		"blank.md":        {func(raw []byte) bool { return len(raw) > 0 && len(bytes.TrimSpace(raw)) == 0 }},
		"empty.md":        {func(raw []byte) bool { return len(raw) == 0 }},
		"empty.html":      {func(raw []byte) bool { return len(raw) == 0 }},
		"bom-crlf.md":     {has("\xef\xbb\xbf"), has("\r\n"), has("characters,\rand")},
		"hostile.html":    {has("\x1b]0;"), has("\x00"), has("\u202e"), has("\x9b"), has("&#27;"), utf8.Valid},
		"hostile.md":      {has(`\e[5m`), has("\x1b["), has("\x00")},
		"invalid-utf8.md": {has("\xff\xfe"), func(raw []byte) bool { return !utf8.Valid(raw) }},
		"latin1.html":     {has("iso-8859-1"), func(raw []byte) bool { return !utf8.Valid(raw) }},
		"latin1.md":       {has("Gr\xf6\xdfe")},
		"unclosed.md":     {func(raw []byte) bool { return bytes.Count(raw, []byte("```")) == 1 }},
	} {
		raw, err := testdata.Files.ReadFile(path.Join("bad", name))
		if err != nil {
			t.Error(err)
			continue
		}
		for i, check := range checks {
			if !check(raw) {
				t.Errorf("bad/%s: fault %d is gone", name, i+1)
			}
		}
	}
	if _, err := html.Parse(strings.NewReader(testdata.Nested(600))); err == nil {
		t.Error("600 nested elements parse: the fixture no longer shows the parser's limit")
	}
	if n := len(testdata.Large(100_000)); n < 100_000 || n > 110_000 {
		t.Errorf("Large(100000) has %d bytes", n)
	}
	if heads := fixturePages(t)["pages/letter.html"].all("h1", "h2", "h3"); !slices.Equal(heads, nil) {
		t.Errorf("letter.html has %d headings", len(heads))
	}
}
