package docs_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/webrag/webrag-tui/docs"
)

func TestPagesDescribeThemselves(t *testing.T) {
	t.Parallel()
	depths := map[int]bool{}
	for name, p := range guidePages(t) {
		switch {
		case p.title == "" || p.description == "" || len(p.tags) == 0:
			t.Errorf("%s: title %q, description %q, tags %q: none may be empty", name, p.title, p.description, p.tags)
		case p.depth < 0 || p.depth > 3:
			t.Errorf("%s: depth %d", name, p.depth)
		case path.Ext(name) == ".html" && p.language != "en":
			t.Errorf("%s: language %q", name, p.language)
		}
		if h1 := p.all("h1"); len(h1) != 1 || textOf(h1[0]) != p.title {
			t.Errorf("%s: want one first-level heading, %q", name, p.title)
		}
		depths[p.depth] = true
	}
	if got := slices.Sorted(maps.Keys(depths)); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("depths %v: the guide shows depth decay only if all of 0 to 3 occur", got)
	}
}

// link is where a page points to.
type link struct{ page, anchor string }

func (p *page) links(t *testing.T) []link {
	t.Helper()
	var links []link
	for _, a := range p.all("a") {
		u, err := url.Parse(attr(a, "href"))
		if err != nil {
			t.Errorf("%s: %v", p.path, err)
			continue
		}
		if u.IsAbs() {
			continue
		}
		l := link{page: p.path, anchor: u.Fragment}
		if u.Path != "" {
			l.page = path.Join(path.Dir(p.path), u.Path)
		}
		links = append(links, l)
	}
	return links
}

func TestLinksResolve(t *testing.T) {
	t.Parallel()
	pages := guidePages(t)
	for name, p := range pages {
		for _, l := range p.links(t) {
			target := pages[l.page]
			switch {
			case target == nil:
				t.Errorf("%s links to %s, which does not exist", name, l.page)
			case l.anchor != "" && !target.anchors[l.anchor]:
				t.Errorf("%s links to %s#%s; its anchors are %q", name, l.page, l.anchor, slices.Sorted(maps.Keys(target.anchors)))
			}
		}
		for _, img := range p.all("img") {
			if strings.TrimSpace(attr(img, "alt")) == "" {
				t.Errorf("%s: image %s has no alternative text", name, attr(img, "src"))
			}
			raw, err := docs.Guide.ReadFile(path.Join(path.Dir(name), attr(img, "src")))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if err := wellFormed(raw); err != nil {
				t.Errorf("%s: %s: %v", name, attr(img, "src"), err)
			}
		}
	}
}

func wellFormed(svg []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestDepthIsDistance holds that a page's depth is the number of links that a
// crawler would follow to it, as the guide says of itself.
func TestDepthIsDistance(t *testing.T) {
	t.Parallel()
	pages := guidePages(t)
	distance := map[string]int{"guide/index.md": 0}
	for queue := []string{"guide/index.md"}; len(queue) > 0; queue = queue[1:] {
		for _, l := range pages[queue[0]].links(t) {
			if _, seen := distance[l.page]; !seen {
				distance[l.page] = distance[queue[0]] + 1
				queue = append(queue, l.page)
			}
		}
	}
	for name, p := range pages {
		if d, reached := distance[name]; !reached || d != p.depth {
			t.Errorf("%s says depth %d, its distance from the index is %d (reached: %v)", name, p.depth, d, reached)
		}
	}
}

// TestSizes holds that the guide is what the demo needs: more than its threshold
// of 4,000 tokens, in sections among which a search has to choose, and less than
// the default of 30,000, so that the guide shows both modes.
func TestSizes(t *testing.T) {
	t.Parallel()
	codec, err := tokenizer.Get(tokenizer.Cl100kBase)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for name, p := range guidePages(t) {
		for _, s := range p.sections() {
			n, err := codec.Count(s.text)
			if err != nil {
				t.Fatal(err)
			}
			total += n
			if n > 600 {
				t.Errorf("%s: section %q has %d tokens", name, s.heading, n)
			}
		}
	}
	// The visible text; the markdown adds about a tenth.
	if total < 10_000 || total > 20_000 {
		t.Errorf("the guide has %d tokens", total)
	}
}

// TestSectionsHaveParts holds that most sections show why passages are searched
// and sections returned: they have subheadings, each of which is a passage.
func TestSectionsHaveParts(t *testing.T) {
	t.Parallel()
	sections, parts := 0, 0
	for name, p := range guidePages(t) {
		in := map[string]int{}
		last := ""
		for _, h := range p.all("h2", "h3") {
			if h.Data == "h2" {
				last = textOf(h)
				in[last] = 0
				continue
			}
			in[last]++
			parts++
		}
		sections += len(in)
		for heading, n := range in {
			if n == 0 {
				t.Errorf("%s: section %q has no parts", name, heading)
			}
		}
	}
	if sections < 50 || sections > 70 || parts < 2*sections-sections/4 {
		t.Errorf("%d sections with %d parts", sections, parts)
	}
}

// TestEveryKindOfContent holds that the guide shows what the product can draw.
func TestEveryKindOfContent(t *testing.T) {
	t.Parallel()
	found := map[string][]string{}
	for name, p := range guidePages(t) {
		for _, n := range p.all("table", "pre", "math", "dl", "ol", "ul", "img", "blockquote", "caption", "figcaption") {
			found[path.Ext(name)] = append(found[path.Ext(name)], n.Data)
		}
		for _, n := range p.all("div") {
			if strings.HasPrefix(attr(n, "class"), "admonition ") {
				found[".html"] = append(found[".html"], "admonition")
			}
		}
		for _, n := range p.all("p") {
			if textOf(n) == "Note" {
				found[path.Ext(name)] = append(found[path.Ext(name)], "bare note")
			}
		}
	}
	for _, want := range []struct{ ext, kinds string }{
		{".html", "table math dl ul img admonition caption figcaption"},
		{".md", "table pre ol ul img blockquote"},
	} {
		for kind := range strings.FieldsSeq(want.kinds) {
			if !slices.Contains(found[want.ext], kind) {
				t.Errorf("no %s page has a %s", want.ext, kind)
			}
		}
	}
	if !slices.Contains(found[".md"], "bare note") {
		t.Error("no markdown page has an admonition by a line of its own")
	}
}
