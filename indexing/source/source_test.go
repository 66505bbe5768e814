package source_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf16"

	"github.com/webrag/webrag-tui/indexing/source"
)

// write makes files below a new folder named "docs" and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "docs")
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// collect reads a set: its pages by source URL, and its errors.
func collect(t *testing.T, set *source.Set) (map[string]source.NormalizedDocument, []*source.PageError) {
	t.Helper()
	pages := map[string]source.NormalizedDocument{}
	var failed []*source.PageError
	for doc, err := range set.All(t.Context()) {
		var page *source.PageError
		switch {
		case errors.As(err, &page):
			failed = append(failed, page)
		case err != nil:
			t.Fatal(err)
		default:
			pages[doc.SourceURL] = doc
		}
	}
	if set.Len() != 0 && set.Len() != len(pages)+len(failed) {
		t.Errorf("Len is %d, yielded %d pages and %d errors", set.Len(), len(pages), len(failed))
	}
	return pages, failed
}

func scan(t *testing.T, o source.Options, paths ...string) *source.Set {
	t.Helper()
	set, err := source.Scan(t.Context(), paths, o)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestScanFolder(t *testing.T) {
	t.Parallel()
	root := write(t, map[string]string{
		"index.html":           `<html lang="en"><head><title>Start</title><meta name="description" content="All of it"><meta name="webrag:depth" content="2"></head><body><p>x</body></html>`,
		"guide/a page.md":      "---\ntitle: A page\ndescription: Of two lines\n  in one\nlang: de\ntags: [one, two]\ndepth: 3\ndate: 2024-05-06\nmodule: trees\n---\n# A\n",
		"guide/canon.html":     `<head><link rel="canonical" href="https://example.org/x#top"></head>x`,
		"genindex.html":        "x",
		"genindex-A.html":      "x",
		"search.html":          "x",
		"search.md":            "how to search",
		"_sources/index.txt":   "x",
		"_modules/index.html":  "x",
		".git/a.md":            "x",
		".hidden.md":           "x",
		"page.html.gz":         "x",
		"logo.png":             "x",
		"guide/_static/x.html": "x",
	})
	set := scan(t, source.Options{Owner: "me", Tags: []string{"two", "three"}, Metadata: map[string]string{"k": "v"}}, root)
	pages, failed := collect(t, set)
	if len(failed) != 0 || len(pages) != 4 {
		t.Fatalf("%d pages, failed %v", len(pages), failed)
	}
	start := pages["file:docs/index.html"]
	if start.Title != "Start" || start.Description != "All of it" || start.Language != "en" || start.Depth != 2 ||
		start.DocType != "html" || start.SourceType != "upload" || start.Filename != "index.html" || start.DocPath != "index.html" ||
		start.URL != start.SourceURL || start.Markdown != "" || start.HTML == "" || start.FetchedAt.IsZero() || start.StatusCode != 0 {
		t.Errorf("index.html became %+v", start)
	}
	page := pages["file:docs/guide/a%20page.md"]
	if page.Title != "A page" || page.Description != "Of two lines in one" || page.Language != "de" || page.Depth != 3 ||
		!slices.Equal(page.Tags, []string{"one", "two", "three"}) || page.PublishedTime != "2024-05-06" || page.Owner != "me" ||
		page.Metadata["module"] != "trees" || page.Metadata["k"] != "v" || page.DocType != "markdown" ||
		page.Filename != "a page.md" || page.DocPath != "guide/a page.md" || len(page.ContentHash) != 64 ||
		page.Markdown != "# A\n" {
		t.Errorf("a page.md became %+v", page)
	}
	canon := pages["https://example.org/x"]
	if !slices.Equal(canon.URLAliases, []string{"file:docs/guide/canon.html"}) {
		t.Errorf("canon.html became %+v", canon)
	}
	if !slices.Equal(addresses(set), []string{"file:docs/"}) {
		t.Errorf("roots %q", set.Roots())
	}
	var skipped []string
	for _, s := range set.Skipped() {
		rel, err := filepath.Rel(root, s.Path)
		if err != nil {
			t.Fatal(err)
		}
		skipped = append(skipped, filepath.ToSlash(rel)+": "+s.Reason)
	}
	slices.Sort(skipped)
	want := []string{
		".git: hidden", ".hidden.md: hidden", "_modules: generated source listing", "_sources: sources of the pages beside it",
		"genindex-A.html: generated index", "genindex.html: generated index", "guide/_static: files of the theme",
		"logo.png: not a page", "page.html.gz: compressed", "search.html: search form",
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("skipped %q\nwant %q", skipped, want)
	}
}

// A folder of documents may have a query set in it, whose judgments are lines of JSON and
// no pages. Without queries beside it a file of that name is one of pages.
func TestQuerySetsAreLeftOut(t *testing.T) {
	t.Parallel()
	page := `{"url":"https://example.org/%s","markdown":"# P"}` + "\n"
	root := write(t, map[string]string{
		"a.md":                    "# A\n",
		"judged/set.json":         "{}",
		"judged/queries.tsv":      "q\tquery\n",
		"judged/judgments.jsonl":  `{"query_id":"q","source_url":"file:docs/a.md"}` + "\n",
		"judged/more.jsonl":       fmt.Sprintf(page, "more"),
		"by hand/queries.tsv":     "q\tquery\n",
		"by hand/judgments.jsonl": `{"query_id":"q","source_url":"file:docs/a.md"}` + "\n",
		"pages/judgments.jsonl":   fmt.Sprintf(page, "judgments"),
	})
	set := scan(t, source.Options{}, root)
	pages, failed := collect(t, set)
	if got := slices.Sorted(maps.Keys(pages)); len(failed) != 0 || set.Len() != 3 ||
		!slices.Equal(got, []string{"file:docs/a.md", "https://example.org/judgments", "https://example.org/more"}) {
		t.Errorf("%d pages: %q, failed %v", set.Len(), got, failed)
	}
	left := 0
	for _, s := range set.Skipped() {
		if s.Reason == "judgments of a query set" && filepath.Base(s.Path) == "judgments.jsonl" {
			left++
		}
	}
	if left != 2 {
		t.Errorf("left out %q", set.Skipped())
	}
	if pages, failed := collect(t, scan(t, source.Options{}, filepath.Join(root, "judged/judgments.jsonl"))); len(pages) != 0 || len(failed) != 1 {
		t.Errorf("a file that is named is read: %d pages, failed %v", len(pages), failed)
	}
}

func TestOptionsBeatThePage(t *testing.T) {
	t.Parallel()
	root := write(t, map[string]string{"a.md": "---\ndepth: 3\n---\n# A\n", "sub/b.html": "<p>b"})
	zero := 0
	set := scan(t, source.Options{BaseURL: "https://example.org/docs/", Depth: &zero}, root)
	pages, _ := collect(t, set)
	if a, ok := pages["https://example.org/docs/a.md"]; !ok || a.Depth != 0 || len(a.URLAliases) != 0 {
		t.Errorf("a.md became %+v", a)
	}
	if !slices.Equal(addresses(set), []string{"https://example.org/docs/"}) {
		t.Errorf("roots %q", set.Roots())
	}
	if _, ok := pages["https://example.org/docs/sub/b.html"]; !ok {
		t.Errorf("pages %v", pages)
	}
}

func TestSingleFilesAreReadWhateverTheirName(t *testing.T) {
	t.Parallel()
	root := write(t, map[string]string{"genindex.html": "<p>x", "README": "# Read me", "page": "<!doctype html><p>x", "notes.txt": "words"})
	for name, docType := range map[string]string{"genindex.html": "html", "README": "markdown", "page": "html", "notes.txt": "markdown"} {
		pages, failed := collect(t, scan(t, source.Options{}, filepath.Join(root, name)))
		if doc := pages["file:"+name]; len(failed) != 0 || doc.DocType != docType || doc.DocPath != name {
			t.Errorf("%s became %v, %+v", name, failed, doc)
		}
	}
}

func TestScanRefusesPaths(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
	_, err := source.Scan(t.Context(), []string{missing}, source.Options{})
	var path *source.PathError
	if !errors.As(err, &path) || path.Path != missing || !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), missing) != 1 {
		t.Errorf("a missing path: %v", err)
	}
	if _, err := source.Scan(t.Context(), []string{"-"}, source.Options{}); !errors.As(err, &path) {
		t.Errorf("no standard input: %v", err)
	}
	if os.Geteuid() == 0 {
		t.Log("permissions are not checked: the superuser may read everything")
		return
	}
	secret := filepath.Join(write(t, map[string]string{"a.md": "x"}), "a.md")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := source.Scan(t.Context(), []string{secret}, source.Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("an unreadable file: %v", err)
	}
}

// failingFS refuses to open one name.
type failingFS struct {
	fstest.MapFS
	name string
}

func (f failingFS) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.Open(name)
}

func (f failingFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.ReadDir(name)
}

func TestOneUnreadablePageIsNotTheEnd(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"a.md": {Data: []byte("# A")}, "b.md": {Data: []byte("# B")}, "sub/c.md": {Data: []byte("# C")}}
	for name, url := range map[string]string{"a.md": "file:guide/a.md", "sub": "file:guide/sub/"} {
		set, err := source.ScanFS(t.Context(), failingFS{files, name}, "guide", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pages, failed := collect(t, set)
		if len(pages) != 2 || len(failed) != 1 || failed[0].URL != url || !errors.Is(failed[0], fs.ErrPermission) {
			t.Errorf("without %s: %d pages, failed %v (%s)", name, len(pages), failed, failed[0].URL)
		}
	}
}

func TestScanFS(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC)
	set, err := source.ScanFS(t.Context(), fstest.MapFS{"sub/a.md": {Data: []byte("# A")}}, "guide", source.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := collect(t, set)
	if doc := pages["file:guide/sub/a.md"]; !doc.FetchedAt.Equal(now) || doc.DocPath != "sub/a.md" {
		t.Errorf("a.md became %+v", doc)
	}
}

func encode16(s string) string {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		b.WriteByte(byte(u))
		b.WriteByte(byte(u >> 8))
	}
	return b.String()
}

func TestCharsets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, raw, want string
		err                   error
	}{
		{name: "UTF-8", file: "a.html", raw: "<p>é検", want: "<p>é検"},
		{name: "the charset that the page names", file: "a.html", raw: "<meta charset=iso-8859-2><p>\xb1", want: "<meta charset=iso-8859-2><p>ą"},
		{name: "Shift JIS", file: "a.html", raw: "<meta charset=shift_jis><p>\x8c\x9f\x8d\xf5", want: "<meta charset=shift_jis><p>検索"},
		{name: "a page that names the wrong one", file: "a.html", raw: "<meta charset=iso-8859-1><p>é", want: "<meta charset=iso-8859-1><p>é"},
		{name: "UTF-16", file: "a.html", raw: encode16("<p>é"), want: "<p>é"},
		{name: "UTF-16 text", file: "a.md", raw: encode16("# é"), want: "# é"},
		{name: "what names none is Windows-1252", file: "a.md", raw: "# caf\xe9 \x93x\x94", want: "# café “x”"},
		{name: "a stray NUL makes no page binary", file: "a.html", raw: "<p>" + strings.Repeat("word ", 30) + "\x00", want: "<p>" + strings.Repeat("word ", 30)},
		{name: "nor do three controls a short one", file: "a.md", raw: "\x00# Short\x00 \a" + strings.Repeat("word ", 18), want: "# Short \a" + strings.Repeat("word ", 18)},
		{name: "short binary data", file: "a.md", raw: "\x01\x02\x03\x04abc\x05\x06\x07\x08", err: source.ErrBinary},
		{name: "an image", file: "a.md", raw: "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 20), err: source.ErrBinary},
		{name: "a document", file: "a.md", raw: "%PDF-1.4\n" + strings.Repeat("x", 100), err: source.ErrBinary},
		{name: "binary data", file: "a.html", raw: strings.Repeat("\x00\x01abc", 50), err: source.ErrBinary},
		{name: "nothing", file: "a.md", raw: "", err: source.ErrEmpty},
		{name: "blanks", file: "a.html", raw: " \n\t", err: source.ErrEmpty},
		{name: "nothing but a NUL", file: "a.html", raw: "\x00", err: source.ErrEmpty},
		{name: "only front matter", file: "a.md", raw: "---\ntitle: T\n---\n\n", err: source.ErrEmpty},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pages, failed := collect(t, scan(t, source.Options{}, write(t, map[string]string{c.file: c.raw})))
			if c.err != nil {
				if len(failed) != 1 || !errors.Is(failed[0], c.err) {
					t.Errorf("failed %v, want %v", failed, c.err)
				}
				return
			}
			doc := pages["file:docs/"+c.file]
			if got := strings.TrimPrefix(doc.HTML+doc.Markdown, "\ufeff"); got != c.want {
				t.Errorf("read %q, want %q (failed %v)", got, c.want, failed)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	root := write(t, map[string]string{"big.md": strings.Repeat("word ", 1000), "small.md": "word"})
	pages, failed := collect(t, scan(t, source.Options{MaxBytes: 4999}, root))
	if len(pages) != 1 || len(failed) != 1 || !errors.Is(failed[0], source.ErrTooLarge) || !strings.Contains(failed[0].Error(), "split it") {
		t.Errorf("%d pages, failed %v", len(pages), failed)
	}
}

func TestStandardInput(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC)
	read := func(in string) (map[string]source.NormalizedDocument, []*source.PageError) {
		return collect(t, scan(t, source.Options{Stdin: strings.NewReader(in), Now: now}, "-"))
	}
	for in, docType := range map[string]string{"# Title\n\ntext": "markdown", "  <!DOCTYPE html><p>x": "html"} {
		pages, failed := read(in)
		if len(failed) != 0 || len(pages) != 1 {
			t.Fatalf("%q: %v", in, failed)
		}
		for url, doc := range pages {
			if !strings.HasPrefix(url, "text:") || doc.SourceType != "text" || doc.Filename != "" || doc.DocType != docType || !doc.FetchedAt.Equal(now) || len(doc.URLAliases) != 0 {
				t.Errorf("%q became %+v", in, doc)
			}
		}
	}
	pages, failed := read(`{"url":"https://example.org/a","markdown":"# A"}` + "\n")
	if len(failed) != 0 || pages["https://example.org/a"].SourceType != "web" {
		t.Errorf("JSONL: %v, %v", pages, failed)
	}
	if _, failed := read(""); len(failed) != 1 || !errors.Is(failed[0], source.ErrEmpty) {
		t.Errorf("nothing: %v", failed)
	}
}

func TestJSONL(t *testing.T) {
	t.Parallel()
	whole := source.NormalizedDocument{
		URL: "https://example.org/b?x", SourceURL: "https://example.org/b", Title: "B", StatusCode: 200, DocType: "html",
		FetchedAt: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), HTML: "<p>b", Depth: 2, SourceType: "web", Tags: []string{"t"},
		Links: []source.Link{{URL: "https://example.org/c", Text: "c"}},
	}
	line, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	root := write(t, map[string]string{"pages.jsonl": strings.Join([]string{
		`{"url":"https://example.org/a","markdown":"# A"}`,
		``,
		`{"url":`,
		`{"url":"https://example.org/none"}`,
		`{"markdown":"# nowhere"}`,
		`{"url":"https://example.org/long","markdown":"` + strings.Repeat("x", 10000) + `"}`,
		`{"url":"https://example.org/longer","markdown":"` + strings.Repeat("x", 50000) + `"}`,
		string(line),
	}, "\n")})
	pages, failed := collect(t, scan(t, source.Options{MaxBytes: 9000}, root))
	if len(pages) != 2 || len(failed) != 5 {
		t.Fatalf("%d pages, failed %v", len(pages), failed)
	}
	if a := pages["https://example.org/a"]; a.DocType != "markdown" || a.URL != a.SourceURL || a.FetchedAt.IsZero() {
		t.Errorf("a became %+v", a)
	}
	got, err := json.Marshal(pages["https://example.org/b"])
	if err != nil || !bytes.Equal(got, line) {
		t.Errorf("b became %s\nwant %s", got, line)
	}
	for i, number := range []string{":3", ":4", ":5", ":6", ":7"} {
		if !strings.HasSuffix(failed[i].Path, "pages.jsonl"+number) {
			t.Errorf("error %d is at %s, want line %s", i, failed[i].Path, number)
		}
	}
}

// The documents of a test collection have ids in place of addresses, some numbers, and not
// all a title. Its queries are none.
func TestCollectionsInTheLayoutOfBEIR(t *testing.T) {
	t.Parallel()
	queries := `{"_id":"q1","text":"a query"}` + "\n" + `{"_id":2,"text":"another"}` + "\n"
	root := write(t, map[string]string{"queries.jsonl": queries, "only/queries.jsonl": queries, "corpus.jsonl": strings.Join([]string{
		`{"_id":"4983","title":"Microstructure","text":"Water diffusion."}`,
		`{"_id":"a b/c","title":"","text":"x\u2028y","metadata":{"year":1999}}`,
		`{"_id":"untitled","text":"without a title"}`,
		`{"_id":184,"title":null,"text":"with a number"}`,
		`{"_id":9007199254740993,"text":"with one that is no float"}`,
		`{"_id":"","title":"t","text":"x"}`,
		`{"_id":"5","title":"t","text":""}`,
		`{"_id":[6],"title":"t","text":"x"}`,
		`{"_id":"7","title":"t"}`,
		`{"_id":"6","title":"t","text":"beside","url":"https://example.org/6","markdown":"# Own"}`,
	}, "\n")})
	set := scan(t, source.Options{}, filepath.Join(root, "corpus.jsonl"))
	pages, failed := collect(t, set)
	if len(pages) != 6 || len(failed) != 4 {
		t.Fatalf("%d pages, failed %v", len(pages), failed)
	}
	if p := pages[source.BEIRAddress("4983")]; p.URL != "beir:4983" || p.Title != "Microstructure" || p.Markdown != "Water diffusion." || p.SourceType != "upload" {
		t.Errorf("4983 became %+v", p)
	}
	if p := pages["beir:a%20b/c"]; p.Markdown != "x\u2028y" || p.Metadata["year"] != "1999" {
		t.Errorf("a b/c became %+v", p)
	}
	if p := pages["https://example.org/6"]; p.Markdown != "# Own" {
		t.Errorf("a document with an address of its own became %+v", p)
	}
	for id, text := range map[string]string{"untitled": "without a title", "184": "with a number", "9007199254740993": "with one that is no float"} {
		if p := pages[source.BEIRAddress(id)]; p.Title != "" || p.Markdown != text {
			t.Errorf("%s became %+v", id, p)
		}
	}
	set = scan(t, source.Options{}, root)
	if pages, failed := collect(t, set); len(pages) != 6 || len(failed) != 6 {
		t.Errorf("with the queries in two folders: %d pages, failed %v", len(pages), failed)
	}
	if !slices.ContainsFunc(set.Skipped(), func(s source.Skipped) bool {
		return s.Reason == "queries of a collection" && s.Path == filepath.Join(root, "queries.jsonl")
	}) {
		t.Errorf("left out %q", set.Skipped())
	}
}

func TestAllStopsWhenAsked(t *testing.T) {
	t.Parallel()
	root := write(t, map[string]string{"a.md": "x", "b.md": "x", "c.jsonl": `{"url":"https://example.org/a","markdown":"# A"}`})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	set := scan(t, source.Options{}, root)
	n := 0
	for _, err := range set.All(ctx) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			break
		}
		n++
		cancel()
	}
	if n != 1 {
		t.Errorf("%d pages after the end", n)
	}
}

// A header is about the page and no part of its text, which begins with the first
// line below that holds something.
func TestFrontMatterIsNoText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, raw, title, text string }{
		{"a header", "---\ntitle: T\n---\n# Head\n", "T", "# Head\n"},
		{"blank lines below", "---\ntitle: T\n---\n \n\n    code\n", "T", "    code\n"},
		{"other line ends and a byte order mark", "\ufeff---\r\ntitle: T\r\n---\r\n\r\n# Head\r\n", "T", "# Head\n"},
		{"dots at the end", "---\ntitle: T\n...\nx", "T", "x"},
		{"an empty header", "---\n---\nx", "", "x"},
		{"a header of comments", "---\n# title: no\n---\nx", "", "x"},
		{"not quite YAML", "---\n# ours\ntitle: a: b: c\ntags: [\n---\nx", "", "x"},
		{"TOML", "+++\ntitle = \"T\"\ndate = 2024-05-06\n[extra]\nx = [1]\n+++\n\n# Head\n", "T", "# Head\n"},
		{"not quite TOML", "+++\ntitle = T\n+++\nx", "", "x"},
		{"two kinds of fences", "+++\ntitle = \"T\"\n---\nx", "", "+++\ntitle = \"T\"\n---\nx"},
		{"another one below", "---\ntitle: T\n---\n---\ntitle: U\n---\n", "T", "---\ntitle: U\n---\n"},
		{"text between rulers", "---\nWe say \"this, and so it is\".\n---\n", "", "---\nWe say \"this, and so it is\".\n---\n"},
		{"a list between rulers", "---\n- a\n- b\n---\nx", "", "---\n- a\n- b\n---\nx"},
		{"a ruler and a blank line", "---\n\na: b\n---\n", "", "---\n\na: b\n---\n"},
		{"no end", "---\na: b\n", "", "---\na: b\n"},
		{"not at the beginning", "text\n---\na: b\n---\n", "", "text\n---\na: b\n---\n"},
		{"too many dashes", "----\na: b\n----\n", "", "----\na: b\n----\n"},
		{"far too long", "---\ntitle: T\n" + strings.Repeat("#\n", 40<<10) + "---\nx", "", "---\ntitle: T\n" + strings.Repeat("#\n", 40<<10) + "---\nx"},
	} {
		lines, err := json.Marshal(map[string]string{"url": "https://example.org/a", "markdown": c.raw})
		if err != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{"a.md": {Data: []byte(c.raw)}, "b.jsonl": {Data: lines}}
		set, err := source.ScanFS(t.Context(), files, "docs", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pages, failed := collect(t, set)
		if len(pages) != 2 || len(failed) != 0 {
			t.Fatalf("%s: %d pages, failed %v", c.name, len(pages), failed)
		}
		for _, page := range pages {
			if page.Markdown != c.text {
				t.Errorf("%s: the text of %s is %.80q, want %.80q", c.name, page.Path, page.Markdown, c.text)
			}
			if page.Filename != "" && page.Title != c.title {
				t.Errorf("%s: the title is %q, want %q", c.name, page.Title, c.title)
			}
		}
	}
}

// FuzzPage reads any bytes as any kind of page.
func FuzzPage(f *testing.F) {
	for _, s := range []string{
		"---\ntitle: [\n---\n", "---\na: &a [*a]\ntags: {x: y}\ndepth: -1\ncanonical: http://[::1\n---\n", "<meta charset=utf-7><link rel=canonical href='//'>",
		`{"url":"x","markdown":"y"}`, `{"_id":184,"text":"y"}`, `{"_id":-1e400,"title":null,"text":"y"}`, `{"_id":{},"text":""}`, "\xff\xfe\x00\xd8", "<head><title>", "\x1b$B", "---\n? [a]\n: b\n---\nx", "+++\n[a]\nb=1979-05-27T07:32:00Z\ntags=[1,[2]]\n+++\nx", "+++\na={b=[{\n+++\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		files := fstest.MapFS{"a.md": {Data: raw}, "b.html": {Data: raw}, "c.jsonl": {Data: raw}}
		set, err := source.ScanFS(t.Context(), files, "docs", source.Options{MaxBytes: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for doc, err := range set.All(t.Context()) {
			n++
			if err == nil && (doc.SourceURL == "" || doc.Depth < 0 || doc.Markdown == "" && doc.HTML == "") {
				t.Errorf("%q became %+v", raw, doc)
			}
		}
		if n != set.Len() {
			t.Errorf("%d pages of %d", n, set.Len())
		}
	})
}

func addresses(set *source.Set) []string {
	var out []string
	for _, r := range set.Roots() {
		out = append(out, r.Address)
	}
	return out
}

// TestRootsAreToldApart gives folders of one name, and one folder under several
// names and addresses.
func TestRootsAreToldApart(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"s1/html", "s2/html"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "a.md"), []byte("# A\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	mark := func(o source.Options, path string) string {
		t.Helper()
		set := scan(t, o, path)
		pages, failed := collect(t, set)
		if len(pages) != 1 || len(failed) != 0 || len(set.Roots()) != 1 || set.Roots()[0].Path != path {
			t.Fatalf("%s: pages %+v, roots %+v", path, pages, set.Roots())
		}
		for _, page := range pages {
			if want := filepath.ToSlash(filepath.Join(path, "a.md")); page.Path != want || page.Root != set.Roots()[0].Mark {
				t.Errorf("the page is called %s, want %s, of folder %s", page.Path, want, page.Root)
			}
		}
		return set.Roots()[0].Mark
	}
	first := mark(source.Options{}, "s1/html")
	for _, same := range []string{"./s1/html/", "s2/../s1/html", filepath.Join(dir, "s1", "html")} {
		if mark(source.Options{}, same) != first {
			t.Errorf("%s is another folder than s1/html", same)
		}
	}
	if mark(source.Options{}, "s2/html") == first || mark(source.Options{BaseURL: "https://example.org"}, "s1/html") == first {
		t.Error("another folder, or another address, has the same mark")
	}
	if len(first) != 16 || strings.Contains(first, "html") {
		t.Errorf("the mark is %s", first)
	}
}

func TestATimeThatIsNoneIsSaidInASentence(t *testing.T) {
	root := write(t, map[string]string{"a.jsonl": `{"url":"https://example.org/a","markdown":"# A","fetched_at":"yesterday"}`})
	set, err := source.Scan(t.Context(), []string{root}, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range set.All(t.Context()) {
		if err == nil || !strings.HasSuffix(err.Error(), `not a document: fetched_at is "yesterday", which is no time: write it as 2026-01-31T12:00:00Z`) {
			t.Errorf("%v", err)
		}
	}
}

func TestAKeyThatIsThereTwiceKeepsTheHeader(t *testing.T) {
	root := write(t, map[string]string{"a.md": "---\ntitle: First\ntags: [a, b]\ntitle: Second\n---\n\n# Heading\n"})
	set, err := source.Scan(t.Context(), []string{root}, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for doc, err := range set.All(t.Context()) {
		if err != nil || doc.Title != "Second" || !slices.Equal(doc.Tags, []string{"a", "b"}) {
			t.Errorf("title %q, tags %q, %v", doc.Title, doc.Tags, err)
		}
	}
}
