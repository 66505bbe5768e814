package spans

import (
	"io/fs"
	"testing"

	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata"
	"github.com/webrag/webrag-tui/ui/surface"
)

// TestMarksOnTheHTMLOfAnotherConvertersMarkdown paints the passages of sections
// whose markdown another converter made on the HTML that the indexer found for
// them. Most of what is not painted alike are the links to edit a section, which
// its HTML does not have.
func TestMarksOnTheHTMLOfAnotherConvertersMarkdown(t *testing.T) {
	t.Parallel()
	tok, err := embedder.NewTokenizer("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	deriver, err := indexing.NewDeriver(indexing.Options{Embedder: embedder.NewBuiltin(), Tokenizer: tok, ChildTargetTokens: 64})
	if err != nil {
		t.Fatal(err)
	}
	sections, passages := 0, tally{}
	for _, name := range []string{"everest.html", "pages/bicycle-gears.html", "pages/btree.html", "pages/green-tea.html", "pages/tides.html"} {
		page, err := fs.ReadFile(testdata.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		markdown, err := htmltomarkdown.ConvertString(string(page))
		if err != nil {
			t.Fatal(err)
		}
		derived, err := deriver.Derive(t.Context(), source.NormalizedDocument{SourceURL: "https://example.org/" + name, HTML: string(page), Markdown: markdown})
		if err != nil {
			t.Fatal(err)
		}
		var x *crossing
		var section store.Chunk
		for _, c := range derived.Bundle.Chunks {
			if c.Level == store.Parent {
				if x, section = nil, c; c.HTMLText == "" {
					continue
				}
				shown, err := surface.Markdown(c.HTMLText)
				if err != nil {
					t.Fatal(err)
				}
				x = newCrossing(t, c.ChunkText, shown)
				if sections++; !x.x.Holds() {
					t.Errorf("%s, section %q: the forms share %.2f", name, c.SectionHeading, x.x.Shared())
				}
				continue
			}
			if x == nil {
				continue
			}
			got, want, _ := x.judge(Span{Start: c.CharStart - section.CharStart, End: c.CharEnd - section.CharStart, Level: Found})
			if want == "" {
				continue
			}
			if passages.all++; got == want || near(got, want) {
				passages.exact++
			}
		}
	}
	t.Logf("%d sections; %d of %d passages are painted", sections, passages.exact, passages.all)
	if sections < 10 || passages.share() < 0.75 {
		t.Errorf("of %d sections, %d of %d passages are painted", sections, passages.exact, passages.all)
	}
}
