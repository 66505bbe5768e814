package ui

import (
	"context"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

func TestScreens(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		keys string
		with func(*Options, *fakeCorpus)
	}{
		{"three columns", 150, 42, "", asking("how does depth decay work")},
		{"score under the results", 120, 40, "j", asking("how does depth decay work")},
		{"results above the preview", 80, 24, "", asking("how does depth decay work")},
		{"score as a drawer", 90, 30, "e", asking("how does depth decay work")},
		{"one pane, results", 40, 12, "", asking("how does depth decay work")},
		{"one pane, section", 50, 15, "enter", asking("how does depth decay work")},
		{"one pane, score", 40, 12, "e", asking("how does depth decay work")},
		{"too small", 20, 5, "", asking("how does depth decay work")},
		{"tiny", 10, 3, "", asking("how does depth decay work")},
		{"by rank", 120, 40, "r", asking("how does depth decay work")},
		{"a page folded", 120, 40, "space j", asking("how does depth decay work")},
		{"hostile page", 120, 40, "r G k k k", asking("how does depth decay work")},
		{"japanese page", 100, 24, "r j j j j enter", asking("how does depth decay work")},
		{"html surface", 120, 40, "j j j m", asking("how does depth decay work")},
		{"html surface in 80 columns", 80, 24, "j j j m tab", asking("how does depth decay work")},
		{"html surface in 50 columns", 50, 15, "j j j enter m", asking("how does depth decay work")},
		{"html surface without its marks", 120, 40, "j j j m", func(o *Options, _ *fakeCorpus) {
			o.Query = "how does depth decay work"
			o.HTMLToMarkdown = func(string) (string, error) { return otherText, nil }
		}},
		{"html surface in markdown", 120, 40, "j j j", asking("how does depth decay work")},
		{"html source", 120, 40, "j j j m m m", asking("how does depth decay work")},
		{"markdown source", 120, 40, "m", asking("how does depth decay work")},
		{"below the floor", 120, 40, "G k k", asking("how does depth decay work")},
		{"nothing found", 120, 40, "", asking("none")},
		{"full context", 120, 40, "", asking("whole")},
		{"a query failed", 100, 24, "", asking("fail")},
		{"details of an error", 100, 24, "E", asking("fail")},
		{"first screen", 120, 40, "", func(o *Options, _ *fakeCorpus) { o.Examples = []string{"what is a floor"} }},
		{"empty corpus", 120, 40, "", func(_ *Options, f *fakeCorpus) { f.stats = store.Stats{} }},
		{"broken corpus", 120, 40, "", func(o *Options, _ *fakeCorpus) {
			o.Open = func(context.Context) (*session.Corpus, error) { return nil, errBroken }
		}},
		{"notices", 120, 24, "", func(o *Options, _ *fakeCorpus) {
			o.Query = "decay"
			o.Notices = []retrieval.Notice{
				{Code: "demo", Text: "The demo lowers the full-context threshold to 4,000 tokens."},
				{Code: "clamped", Text: "The threshold is above the budget; the budget holds.", Warning: true},
			}
		}},
		{"opened span alone", 120, 40, "", func(o *Options, _ *fakeCorpus) {
			o.Span = &citations.PageSpan{URL: guideURL + "scores", Start: 320, End: 350}
		}},
		{"opened span among results", 120, 40, "", func(o *Options, _ *fakeCorpus) {
			o.Query, o.Span = "decay", &citations.PageSpan{URL: guideURL + "ranking", Start: 1230, End: 1280}
		}},
		{"all keys", 100, 40, "?", asking("decay")},
		{"palette", 100, 30, ": 'split'", asking("decay")},
		{"copy menu", 100, 30, "y", asking("decay")},
		{"prompt for a span", 100, 30, ": 'open a span' enter 'nonsense' enter", asking("decay")},
		{"finding in the list", 120, 40, "f 'depth'", asking("decay")},
		{"finding in the text", 120, 40, "enter f 'score' enter n", asking("decay")},
		{"zoomed", 120, 40, "enter z", asking("decay")},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := drive(t, 1, c.w, c.h, c.with, c.keys)
			golden.RequireEqual(t, d.screen())
		})
	}
}

// Until a terminal confirms grapheme clusters, Bubble Tea counts code points;
// then emoji of several move what follows them on their line, and nothing else.
func TestCodePointWidths(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "")
	golden.RequireEqual(t, d.screenBy(ansi.WcWidth))
}
