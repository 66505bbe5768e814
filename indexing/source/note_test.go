package source_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing/source"
)

func TestParseMetadata(t *testing.T) {
	t.Parallel()
	got, err := source.ParseMetadata([]string{"module=trees", " Content-Type = lesson ", "a.b:c=x=y", "1=ü"})
	want := map[string]string{"module": "trees", "content_type": "lesson", "a.b:c": "x=y", "1": "ü"}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	many := make([]string, 65)
	for i := range many {
		many[i] = strings.Repeat("k", i%64+1) + string(rune('a'+i/64)) + "=v"
	}
	for _, c := range []struct {
		pairs []string
		says  string
	}{
		{[]string{"x"}, `"x" is no metadata`},
		{[]string{"=x"}, "key=value"},
		{[]string{"x="}, "no value"},
		{[]string{"x=1", "X=2"}, "again"},
		{[]string{"über=1"}, "letters, digits"},
		{[]string{"-x=1"}, "letters, digits"},
		{[]string{strings.Repeat("x", 65) + "=1"}, "at most 64"},
		{[]string{"webrag:root=1"}, "program's own"},
		{[]string{"x=a\x1b[31m"}, "control character"},
		{[]string{"x=\xff"}, "UTF-8"},
		{[]string{"x=" + strings.Repeat("v", 1001)}, "longer than 1000"},
		{many, "more than 64|at most 64"},
	} {
		_, err := source.ParseMetadata(c.pairs)
		if err == nil || !slices.ContainsFunc(strings.Split(c.says, "|"), func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Errorf("%.80q: %v, want %q", c.pairs, err, c.says)
		}
	}
}

func TestParseTags(t *testing.T) {
	t.Parallel()
	if got, err := source.ParseTags([]string{"b", " a ", "b"}); err != nil || !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", " ", "a\nb", "\xff", strings.Repeat("x", 101)} {
		if got, err := source.ParseTags([]string{bad}); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestPagesSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	root := write(t, map[string]string{
		"a.html": `<head><meta name="webrag:Module" content="trees"><meta name="webrag:tags" content="x, y"><meta name="webrag:content-type" content="lesson">` +
			`<meta name="webrag:root" content="forged"><meta name="webrag:webrag:root" content="forged"><meta name="author" content="me"></head>x`,
		"b.md":    "---\ntags: [z]\nkeywords: y, x\nchapter: 3\nContent-Type: exercise\n\"bad key\": x\n\"webrag:root\": forged\n---\n# B\n",
		"c.jsonl": `{"url":"https://example.org/c","markdown":"c","owner":"page","filename":"c.pdf","source_type":"upload","tags":["q"],"metadata":{"module":"m","chapter":3,"draft":true,"none":null}}` + "\n",
	})
	pages, failed := collect(t, scan(t, source.Options{Metadata: map[string]string{"chapter": "9"}, Tags: []string{"all"}}, root))
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	for url, want := range map[string]struct {
		tags     []string
		metadata source.Metadata
	}{
		"file:docs/a.html":      {[]string{"x", "y", "all"}, source.Metadata{"module": "trees", "content_type": "lesson", "root": "forged", "chapter": "9"}},
		"file:docs/b.md":        {[]string{"y", "x", "z", "all"}, source.Metadata{"chapter": "9", "content_type": "exercise"}},
		"https://example.org/c": {[]string{"q", "all"}, source.Metadata{"module": "m", "chapter": "9", "draft": "true"}},
	} {
		if got := pages[url]; !slices.Equal(got.Tags, want.tags) || !maps.Equal(got.Metadata, want.metadata) {
			t.Errorf("%s says %q, %q", url, got.Tags, got.Metadata)
		}
	}
	if c := pages["https://example.org/c"]; c.Owner != "page" || c.Filename != "c.pdf" || c.SourceType != "upload" {
		t.Errorf("c became %+v", c)
	}
	pages, _ = collect(t, scan(t, source.Options{SourceType: "text", Owner: "me"}, filepath.Join(root, "c.jsonl"), filepath.Join(root, "b.md")))
	for url, page := range pages {
		if page.SourceType != "text" || page.Owner != "me" {
			t.Errorf("%s is %q of %q", url, page.SourceType, page.Owner)
		}
	}
}

func TestLinesThatSayNonsense(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		`{"url":"u","markdown":"x","source_type":"pdf"}`:           "no source type; there are web, upload, text",
		`{"url":"u","markdown":"x","metadata":{"module":["a"]}}`:   "list or an object",
		`{"url":"u","markdown":"x","metadata":{"module":{"a":1}}}`: "list or an object",
		`{"url":"u","markdown":"x","metadata":[1]}`:                "metadata",
	} {
		root := write(t, map[string]string{"a.jsonl": line + "\n"})
		_, failed := collect(t, scan(t, source.Options{}, root))
		if len(failed) != 1 || !strings.Contains(failed[0].Error(), says) || !strings.Contains(failed[0].Error(), "a.jsonl:1") {
			t.Errorf("%s: %v", line, failed)
		}
	}
}
