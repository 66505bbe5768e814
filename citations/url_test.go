package citations_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/citations"
)

func TestBuildURL(t *testing.T) {
	const base = citations.TextbookBaseURL
	for _, c := range []struct{ base, path, heading, want string }{
		{
			base, "website/docs/module-1/1.1-introduction-to-physical-ai/physical-ai-foundations.md", "Embodiment",
			"/physical-ai-robotics-textbook/docs/module-1/1.1-introduction-to-physical-ai/physical-ai-foundations#embodiment",
		},
		{
			base, "module-1/1.1-introduction-to-physical-ai/physical-ai-foundations.md", "Embodiment",
			"/physical-ai-robotics-textbook/docs/module-1/1.1-introduction-to-physical-ai/physical-ai-foundations#embodiment",
		},
		{base, "module-1/1.1-introduction-to-physical-ai/index.md", "", "/physical-ai-robotics-textbook/docs/module-1/1.1-introduction-to-physical-ai/"},
		{base, "index.md", "", base},
		{base, "website/docs/index.md", "", base},
		{base, "index", "Start", base + "#start"},
		{base, "indexes.md", "", base + "indexes"},
		{base, "my-index.md", "", base + "my-index"},
		{base, "index/page.md", "", base + "index/page"},
		{base, "module-1/index.md", "Overview", base + "module-1/#overview"},
		{base, "a.md", "C++ & Python -- Setup", base + "a#c-python-setup"},
		{base, "a.md", "???", base + "a"},
		{base, "a.html", "", base + "a.html"},
		{base, "a.MD", "", base + "a.MD"},
		{base, "a.md.md", "", base + "a.md"},
		{base, "other/website/docs/a.md", "", base + "other/website/docs/a"},
		{base, "/a.md", "", base + "a"},
		{base, "", "", base},
		{"https://example.org/docs", "a.md", "", "https://example.org/docs/a"},
		{"https://example.org/docs/", "a b#c?d%e.md", "", "https://example.org/docs/a%20b%23c%3Fd%25e"},
		{base, "日本/é.md", "Größe", base + "日本/é#größe"},
		{base, "a\n\x1b]8;;x\xff\u202e.md", "", base + "a%0A%1B%5D8;;x%FF%E2%80%AE"},
		{"", "a.md", "B", "a#b"},
		{"", "//evil.example/a.md", "", "evil.example/a"},
		{"", "javascript:alert(1)", "", "./javascript:alert(1)"},
		{"https://example.org/ x", "a.md", "", "https://example.org/%20x/a"},
	} {
		if got := citations.BuildURL(c.base, c.path, c.heading, citations.SlugSpec); got != c.want {
			t.Errorf("%q %q %q:\n got %s\nwant %s", c.base, c.path, c.heading, got, c.want)
		}
	}
}

func TestSlug(t *testing.T) {
	for _, c := range []struct{ heading, spec, github string }{
		{"Embodiment", "embodiment", "embodiment"},
		{"C++ & Python -- Setup", "c-python-setup", "c--python----setup"},
		{"What's new?", "what-s-new", "whats-new"},
		{"  -- a_b --  ", "a-b", "---a_b---"},
		{"???", "", ""},
		{"-_-", "", ""},
		{"", "", ""},
		{"1.2 Übersicht", "1-2-übersicht", "12-übersicht"},
		{"हिन्दी", "हिन्दी", "हिन्दी"},
		{"a\tb", "a-b", "ab"},
		{"a\xffb", "a-b", "ab"},
	} {
		if got := citations.SlugSpec.Of(c.heading); got != c.spec {
			t.Errorf("spec: %q becomes %q, want %q", c.heading, got, c.spec)
		}
		if got := citations.SlugGitHub.Of(c.heading); got != c.github {
			t.Errorf("github: %q becomes %q, want %q", c.heading, got, c.github)
		}
		if got := citations.Slug("").Of(c.heading); got != c.spec {
			t.Errorf("the zero slug is not that of the specification: %q becomes %q", c.heading, got)
		}
	}
}

func FuzzBuildURL(f *testing.F) {
	f.Add(citations.TextbookBaseURL, "website/docs/module-1/index.md", "What's new?", false)
	f.Add("", "a:b.md", "\u202e", true)
	f.Add("https://example.org", "\x1b]8;;\a\xff.md", "İ\u0085\u2028ß", true)
	f.Add(" ", "\u3000", "a\u0301", false)
	f.Fuzz(func(t *testing.T, base, path, heading string, github bool) {
		slug := citations.SlugSpec
		if github {
			slug = citations.SlugGitHub
		}
		place := citations.Place{SourceURL: base, Anchor: heading, DocPath: path}
		web := place
		web.DocPath = ""
		for _, url := range []string{
			citations.BuildURL(base, path, heading, slug),
			citations.Cite(place, citations.Links{BaseURL: base, Slug: slug}).URL,
			citations.Cite(web, citations.Links{}).URL,
		} {
			if !utf8.ValidString(url) {
				t.Errorf("%q is not UTF-8", url)
			}
			if at := strings.IndexFunc(url, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }); at >= 0 {
				t.Errorf("%q has %U", url, []rune(url[at:])[0])
			}
		}
		if fragment := slug.Of(heading); strings.ContainsAny(fragment, "#?/%") {
			t.Errorf("%q is no fragment", fragment)
		}
	})
}

func TestCite(t *testing.T) {
	web := citations.Place{
		Title: "Trees", Section: "Random forests", SourceURL: "https://example.org/trees", Anchor: "forests",
		Module: "module-1", Chapter: "1.1",
	}
	file := web
	file.DocPath = "guide/trees.md"
	local := file
	local.SourceURL = "file:guide/trees.md"
	shouting := file
	shouting.SourceURL = "HTTP://EXAMPLE.ORG/trees"
	noAnchor := web
	noAnchor.Anchor = ""
	bare := citations.Place{SourceURL: "https://example.org/a"}
	fragment := citations.Place{SourceURL: "https://example.org/a#old", Anchor: "new one"}
	for _, c := range []struct {
		name  string
		place citations.Place
		links citations.Links
		want  string
	}{
		{"a web page", web, citations.Links{BaseURL: "https://docs.example.org/"}, "https://example.org/trees#forests"},
		{"a file with an address", file, citations.Links{}, "https://example.org/trees#forests"},
		{"a file with an address in capitals", shouting, citations.Links{}, "HTTP://EXAMPLE.ORG/trees#forests"},
		{"a file with an address, by its path", file, citations.Links{BaseURL: "https://docs.example.org/"}, "https://docs.example.org/guide/trees#random-forests"},
		{"a file", local, citations.Links{}, "file:guide/trees.md#forests"},
		{"a file of the textbook", local, citations.Links{BaseURL: citations.TextbookBaseURL}, "/physical-ai-robotics-textbook/docs/guide/trees#random-forests"},
		{"a file elsewhere", local, citations.Links{BaseURL: "https://docs.example.org/"}, "https://docs.example.org/guide/trees#random-forests"},
		{"a path without an address", citations.Place{DocPath: "b/a.md", Section: "Oaks"}, citations.Links{}, "b/a#oaks"},
		{"a heading without an anchor", noAnchor, citations.Links{}, "https://example.org/trees#random-forests"},
		{"a heading of no letters", citations.Place{SourceURL: "https://example.org/a", Section: "???"}, citations.Links{}, "https://example.org/a"},
		{"a heading without an anchor, on a page that is a fragment", citations.Place{SourceURL: "https://example.org/#/a", Section: "Oaks"}, citations.Links{}, "https://example.org/#/a"},
		{"no anchor", bare, citations.Links{}, "https://example.org/a"},
		{"an anchor in place of another", fragment, citations.Links{}, "https://example.org/a#new%20one"},
		{"nothing", citations.Place{}, citations.Links{}, ""},
		{"an anchor of nothing", citations.Place{Anchor: "x"}, citations.Links{}, ""},
	} {
		got := citations.Cite(c.place, c.links)
		want := citations.Citation{Title: c.place.Title, Section: c.place.Section, URL: c.want, Module: c.place.Module, Chapter: c.place.Chapter}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
}

func ExampleBuildURL() {
	fmt.Println(citations.BuildURL(citations.TextbookBaseURL, "website/docs/module-1/index.md", "Overview", citations.SlugSpec))
	// Output: /physical-ai-robotics-textbook/docs/module-1/#overview
}
