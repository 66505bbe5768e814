package indexing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// edgeWords writes edges as "source index relation target index description".
func edgeWords(d Derived) []string {
	at := map[string]int{}
	for _, c := range d.Bundle.Chunks {
		if c.Level == store.Parent {
			at[c.ID] = c.Index
		}
	}
	var out []string
	for _, e := range d.Bundle.Edges {
		out = append(out, fmt.Sprintf("%d %s %d %g %s", at[e.SourceID], e.Relation, at[e.TargetID], e.Weight, e.Description))
	}
	return out
}

func TestStructureEdges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a page of one section", "# Ensembles\n\nMany trees.\n", nil},
		{"sections of a page", "# Ensembles\n\nMany trees.\n\n## Bagging\n\nOn samples.\n\n## Boosting\n\nOne by one.\n", []string{
			"0 sequence 1 0.5 “Ensembles” is followed by “Bagging”",
			"1 part_of 0 0.8 “Bagging” is a subsection of “Ensembles”",
			"1 sequence 2 0.5 “Bagging” is followed by “Boosting”",
			"2 part_of 0 0.8 “Boosting” is a subsection of “Ensembles”",
		}},
		{"text before the first heading encloses nothing", "Hello.\n\n## One\n\nx\n\n## Two\n\ny\n", []string{
			"0 sequence 1 0.5 the beginning of “Page” is followed by “One”",
			"1 sequence 2 0.5 “One” is followed by “Two”",
		}},
		{"a title with nothing under it is no section", "# T\n\n## One\n\nx\n\n## Two\n\ny\n", []string{
			"0 sequence 1 0.5 “One” is followed by “Two”",
		}},
		{"headings of the same words", "# A\n\nx\n\n## N\n\nx\n\n# B\n\ny\n\n## N\n\ny\n", []string{
			"0 sequence 1 0.5 “A” is followed by “N”",
			"1 part_of 0 0.8 “N” is a subsection of “A”",
			"1 sequence 2 0.5 “N” is followed by “B”",
			"2 sequence 3 0.5 “B” is followed by “N”",
			"3 part_of 2 0.8 “N” is a subsection of “B”",
		}},
		{"a section of several parts", "# A\n\nx\n\n## N\n\n" + strings.Repeat("word ", 30) + "\n\n" + strings.Repeat("term ", 30) + "\n", []string{
			"0 sequence 1 0.5 “A” is followed by “N”",
			"1 part_of 0 0.8 “N” is a subsection of “A”",
			"1 sequence 2 0.5 “N” goes on in its next part",
			"2 part_of 0 0.8 “N” is a subsection of “A”",
		}},
	} {
		d := deriveTitled(t, "Page", c.text)
		if got := edgeWords(d); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
		}
	}
}

// A section is part of what stands nearest, not of what has the longest path.
func TestTheNearestEncloses(t *testing.T) {
	t.Parallel()
	var parents []store.Chunk
	for i, path := range []string{"A", "A/B", "A", "A/B/C"} {
		parents = append(parents, store.Chunk{ID: fmt.Sprint(i), HeadingPath: strings.Split(path, "/")})
	}
	var got []string
	for _, e := range structureEdges(&store.Document{ID: "d"}, parents) {
		if e.Relation == store.PartOf {
			got = append(got, e.SourceID+" of "+e.TargetID)
		}
	}
	if want := []string{"1 of 0", "3 of 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func deriveTitled(t interface{ Fatal(...any) }, title, text string) Derived {
	d, err := NewDeriver(Options{Embedder: fakeEmbedder{}, Tokenizer: wordTokens{}, ChildTargetTokens: 32, ParentMaxTokens: 40})
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Derive(contextOf(t), source.NormalizedDocument{SourceURL: "https://example.org/p.md", Title: title, Markdown: text})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The graph of any tree of sections is one of its parents: a chain in reading
// order, and links up to something that encloses.
func TestStructureEdgesOfAnyTree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for range rapid.IntRange(1, 14).Draw(t, "sections") {
			level := rapid.IntRange(0, 5).Draw(t, "level")
			if level > 0 {
				fmt.Fprintf(&text, "%s %s\n\n", strings.Repeat("#", level), rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "title"))
			}
			for i := range rapid.IntRange(0, 3).Draw(t, "paragraphs") {
				fmt.Fprintf(&text, "%s\n\n", strings.Repeat(rapid.SampledFrom([]string{"word ", "tree "}).Draw(t, "word"), 1+12*i))
			}
		}
		text.WriteString("end\n")
		d := deriveTitled(t, "", text.String())
		parents := map[string]store.Chunk{}
		total := 0
		for _, c := range d.Bundle.Chunks {
			if c.Level == store.Parent {
				parents[c.ID] = c
				total++
			}
		}
		followed, ids := map[string]int{}, map[string]bool{}
		for _, e := range d.Bundle.Edges {
			from, ok := parents[e.SourceID]
			to, ok2 := parents[e.TargetID]
			if !ok || !ok2 || e.DocumentID != d.Bundle.Document.ID || e.TargetDocumentID != e.DocumentID {
				t.Fatalf("%+v is no edge between parents of the page", e)
			}
			if ids[e.ID] || e.ID != store.EdgeID(e.SourceID, e.TargetID, e.Relation) || e.Origin != store.OriginStructure || e.Description == "" {
				t.Fatalf("%+v", e)
			}
			ids[e.ID] = true
			switch e.Relation {
			case store.Sequence:
				if to.Index != from.Index+1 || e.Weight != 0.5 {
					t.Fatalf("%d is followed by %d with %g", from.Index, to.Index, e.Weight)
				}
				followed[e.TargetID]++
			case store.PartOf:
				n := len(to.HeadingPath)
				if to.Index >= from.Index || n == 0 || n >= len(from.HeadingPath) || !slices.Equal(from.HeadingPath[:n], to.HeadingPath) || e.Weight != 0.8 {
					t.Fatalf("%d %q is part of %d %q with %g", from.Index, from.HeadingPath, to.Index, to.HeadingPath, e.Weight)
				}
				for _, c := range parents {
					if m := len(c.HeadingPath); c.Index > to.Index && c.Index < from.Index && m > 0 && m < len(from.HeadingPath) && slices.Equal(from.HeadingPath[:m], c.HeadingPath) {
						t.Fatalf("%d is part of %d, but %d is nearer", from.Index, to.Index, c.Index)
					}
				}
			default:
				t.Fatalf("%+v", e)
			}
		}
		for id, c := range parents {
			want := 1
			if c.Index == 0 {
				want = 0
			}
			if followed[id] != want {
				t.Fatalf("%d sequence edges lead to parent %d of %d", followed[id], c.Index, total)
			}
		}
	})
}

func TestAnchorsOfASection(t *testing.T) {
	t.Parallel()
	text := "<a id=\"top\"></a>\n\n# T\n\nx <span id='mid&amp;dle'></span>\n\n## One {#one}\n\ny\n\n### Deeper\n\nz\n\n```\n<a id=\"code\">\n```\n\n## Two\n\n<p id=\"one\">twice</p>\n"
	d := deriveTitled(t, "", text)
	var got []string
	for _, c := range d.Bundle.Chunks {
		if c.Level == store.Parent {
			got = append(got, strings.Join(c.Anchors, " "))
		} else if c.Anchors != nil {
			t.Errorf("a child has anchors %q", c.Anchors)
		}
	}
	if want := []string{"top", "t mid&dle", "one deeper", "two"}; !slices.Equal(got, want) {
		t.Errorf("anchors %q, want %q", got, want)
	}
}

func TestAnchorsOfTerms(t *testing.T) {
	t.Parallel()
	page := `<html><body><main><section id="glossary"><h1>Glossary<a class="headerlink" href="#glossary">¶</a></h1>
<dl class="glossary"><dt id="term-a">a</dt><dd><p>First.</p></dd><dt id="term-b">b</dt><dd><p>See <a href="#term-a">a</a>,
<a href="other.html#%C3%BCber%20uns"><img src="x.png" alt="a picture"></a> and <a href="/index.html"><img src="y.png"></a>.</p></dd></dl></section></main></body></html>`
	d := deriveHTML(t, source.NormalizedDocument{HTML: page}, Options{})
	parents, _ := levels(d.Bundle)
	if got, want := parents[0].Anchors, []string{"glossary", "term-a", "term-b"}; len(parents) != 1 || !slices.Equal(got, want) {
		t.Errorf("anchors %q, want %q", got, want)
	}
	want := []store.Link{
		{ChunkID: parents[0].ID, TargetURL: "https://example.org/a/page.html", Anchor: "term-a", Text: "a"},
		{ChunkID: parents[0].ID, TargetURL: "https://example.org/a/other.html", Anchor: "über uns", Text: "a picture"},
		{ChunkID: parents[0].ID, TargetURL: "https://example.org/index.html", Text: "https://example.org/index.html"},
	}
	if !slices.Equal(d.Bundle.Links, want) {
		t.Errorf("links\n got %q\nwant %q", d.Bundle.Links, want)
	}
}

func TestLinksOfAnyPageAreClean(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3000)
	text := "# T\n\n[a\x1bb\x07](b%0Ac.html#d) [" + long + "](c.html#" + long + ") [n](" + long + ")\n\n" +
		`<A class=x HREF="d.html#e&amp;f">see <b>it</b></A> and <a href='javascript:x'>no</a>` + "\n"
	d := deriveTitled(t, "", text)
	for _, l := range d.Bundle.Links {
		if len([]rune(l.Text)) > maxLinkText || len(l.TargetURL) > maxLinkTarget || len(l.Anchor) > maxFragment || l.Text != offset.Folded(l.Text) || l.Text == "" {
			t.Errorf("link %.80q %.80q %.80q", l.TargetURL, l.Anchor, l.Text)
		}
	}
	var got []string
	for _, l := range d.Bundle.Links {
		got = append(got, fmt.Sprintf("%s#%s %.4s", l.TargetURL, l.Anchor, l.Text))
	}
	want := []string{"https://example.org/b%0Ac.html#d ab", "https://example.org/c.html# xxxx", "https://example.org/d.html#e&f see"}
	if !slices.Equal(got, want) {
		t.Errorf("links %q\nwant %q", got, want)
	}
}

func TestGivenLinksAreResolved(t *testing.T) {
	t.Parallel()
	d, err := NewDeriver(Options{Embedder: fakeEmbedder{}, Tokenizer: wordTokens{}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Derive(t.Context(), source.NormalizedDocument{
		SourceURL: "https://example.org/p.md", Markdown: "# T\n\nx\n",
		Links: []source.Link{{URL: "../q.html#caf%C3%A9", Text: "a\x07 \n b"}, {URL: "data:x"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if l := out.Bundle.Links; len(l) != 1 || l[0].TargetURL != "https://example.org/q.html" || l[0].Anchor != "café" || l[0].Text != "a b" {
		t.Errorf("links %q", l)
	}
}
