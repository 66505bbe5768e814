package ui

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// fakeCorpus answers from hand-made results. The words of a query choose what
// happens: "fail", "none", "whole", "many"; anything else brings the guide.
type fakeCorpus struct {
	// down is what every query fails with.
	down  error
	asked []string
	// hold, when set, keeps answers back until their context ends.
	hold     bool
	stats    store.Stats
	suffixes []string
	level    bool
	// below, when it is not nil, is what stands below the cuts.
	below []retrieval.Item
	// entries, when set, are the pages in place of those of the answers; longPage
	// is the size of each. What follows is what reading fails with.
	entries                     []session.PageEntry
	longPage                    int
	pagesErr, pageErr, textsErr error
	// notices come with every answer.
	notices []retrieval.Notice
}

const guideURL = "https://guide.example/docs/"

const decayText = `## Depth decay

A page that the crawler found three links away from the seed is probably less central. Its score is multiplied by ` + "`max(1 − depth × rate, floor)`" + `, so that a page three links away keeps 85 % of its similarity.

| depth | multiplier |
| ---: | ---: |
| 0 | 1.00 |
| 4 | 0.80 |

### When it matters

Only between close scores: similarity dominates. A section that says exactly what was asked stays first, however far away its page is.

1. Search returns children.
2. Children lift to their parents.
3. **Depth** is multiplied in.
`

const hostile = "\x1b[31mred\x1b]52;c;aGk=\x07\u202egnp\u009b31m\x00"

// section makes an item whose quotes are its matches, best first.
func section(id, page, title, head string, depth, start, rank int, similarity float64, text string, quotes ...string) retrieval.Item {
	it := retrieval.Item{
		ChunkID: id, DocumentID: page, SourceURL: page, Title: title, SectionHeading: head,
		HeadingPath: []string{head}, Depth: depth, Rank: rank, ChunkText: text,
		CharStart: start, CharEnd: start + utf8.RuneCountInString(text),
		TokenStart: start / 4, TokenEnd: (start + len(text)) / 4,
		Surface: retrieval.SurfaceMarkdown, HasRaw: true, RawSimilarity: similarity,
	}
	factor := max(1-0.05*float64(depth), 0.8)
	it.Score = similarity * factor
	best := &retrieval.Explanation{Op: retrieval.OpMax, Value: similarity, Label: fmt.Sprintf("cosine, best of %d", len(quotes))}
	for i, q := range quotes {
		at := strings.Index(text, q)
		if at < 0 {
			panic("the fixture's text lacks its quote " + q)
		}
		from := start + utf8.RuneCountInString(text[:at])
		s := similarity - 0.07*float64(i)
		it.Matches = append(it.Matches, retrieval.Match{
			ChunkID: fmt.Sprintf("%s.%d", id, i), CharStart: from, CharEnd: from + utf8.RuneCountInString(q),
			Similarity: s, Rank: rank + i,
		})
		best.Children = append(best.Children, &retrieval.Explanation{Op: retrieval.OpLeaf, Value: s, Label: fmt.Sprintf("passage %d", i+1)})
	}
	it.Explanation = &retrieval.Explanation{
		Op: retrieval.OpProduct, Value: it.Score, Label: "similarity × depth", Scale: "cosine, depth-adjusted",
		Formula: fmt.Sprint(similarity, " × ", factor),
		Children: []*retrieval.Explanation{best, {
			Op: retrieval.OpMax, Value: factor, Label: fmt.Sprintf("depth %d", depth),
			Formula: fmt.Sprintf("max(1 − %d×0.05, 0.80)", depth), Children: []*retrieval.Explanation{
				{Op: retrieval.OpLeaf, Value: 0.8, Label: "depth floor"}, {Op: retrieval.OpLeaf, Value: factor, Label: "linear decay"},
			},
		}},
	}
	return it
}

// guideItems are eight sections of four pages, with a table shown as HTML, a
// page in Japanese, emoji, and a page that attacks the terminal.
func guideItems() []retrieval.Item {
	scales := section("never", guideURL+"scores", "Scores and their scales", "Never compare across scales", 0, 900, 8, .310,
		"## Never compare\n\n| arm | range |\n| --- | --- |\n| cosine | −1 to 1 |\n\nNever compare them.\n", "Never compare them.")
	scales.HTMLText = "<h2>Never compare</h2><table><tr><td>cosine</td><td>−1 to 1</td></tr></table><p>Never compare them.</p>"
	scales.Surface, scales.Flags, scales.HTMLTokens = retrieval.SurfaceHTML, store.HasTable, 44
	evil := section("evil", "file:pages/"+hostile+".md", hostile+" title", hostile+" heading", 0, 0, 7, .36,
		"# "+hostile+"\n\nText with "+hostile+" inside.\n", "inside.")
	return []retrieval.Item{
		section("decay", guideURL+"ranking", "Ranking and depth", "Depth decay", 1, 1204, 1, .644, decayText,
			"probably less central. Its score is multiplied by `max(1 − depth × rate, floor)`", "similarity dominates", "Search returns children."),
		section("worked", guideURL+"ranking", "Ranking and depth", "Worked example", 1, 3000, 3, .512,
			"## Worked example\n\nTwo pages with the same cosine 0.644, one at depth 1 and one at depth 4.\n", "Two pages with the same cosine 0.644"),
		section("cosine", guideURL+"scores", "Scores and their scales", "What a cosine says", 0, 300, 2, .530,
			"## What a cosine says\n\nThe angle between two texts. 余弦相似度 👍🏽 👨‍👩‍👧 café ✈️ 🇩🇪\n", "The angle between two texts."),
		scales,
		section("knobs", guideURL+"tuning", "Tuning by hand", "The depth knobs", 2, 100, 4, .523,
			"## The depth knobs\n\nRate and floor. Move the rate first.\n", "Move the rate first."),
		section("nihongo", "file:pages/日本語.md", "日本語のページ", "検索の深さと順位", 0, 0, 5, .41,
			"# 検索の深さ\n\n深さの減衰は順位を変えます。離れたページのスコアは小さくなります。\n", "深さの減衰は順位を変えます。"),
		section("emoji", "file:pages/日本語.md", "日本語のページ", "👨‍👩‍👧 Family ✈️", 0, 200, 6, .40, "## 👨‍👩‍👧\n\nFamily and ✈️ flight.\n", "flight"),
		evil,
	}
}

func belowItems() []retrieval.Item {
	drop := func(id, title, head string, value float64, rank int) retrieval.Item {
		return retrieval.Item{
			ChunkID: id, SourceURL: guideURL + "crawling", Title: title, HeadingPath: []string{head},
			Why: &retrieval.Drop{ID: id, Reason: "below_floor", Value: value, Threshold: .3, Rank: rank},
		}
	}
	return []retrieval.Item{
		drop("far", "Crawling", "How far to go", .297, 23),
		drop("batches", "Embedding", "Batches and workers", .291, 24),
		drop("tokens", "Budgets", "Counting tokens", .214, 31),
	}
}

func (f *fakeCorpus) Retrieve(ctx context.Context, q retrieval.Query, _ param.Params, _ retrieval.Options) (retrieval.Result, error) {
	f.asked = append(f.asked, q.Text)
	if f.down != nil {
		return retrieval.Result{}, f.down
	}
	if f.hold || ctx.Err() != nil {
		<-ctx.Done()
		return retrieval.Result{}, fmt.Errorf("search: %w", ctx.Err())
	}
	r := retrieval.Result{
		Mode: param.ModeChunk, ChildrenFound: 60, ChildrenKept: 22, ParentsFound: 14, Tokens: 2914, Budget: 40000,
		Timing:     retrieval.Timing{Embed: 100 * time.Microsecond, Search: 900 * time.Microsecond},
		NearMisses: belowItems(), Notices: f.notices,
	}
	if strings.Contains(q.Text, "calibrated") {
		r.Floor = param.Floor{Setting: .3, Scale: param.FloorCalibrated, Raw: .327}
		for i := range r.NearMisses {
			r.NearMisses[i].Why.Threshold = .327
		}
	}
	if f.below != nil {
		r.NearMisses = f.below
	}
	switch {
	case strings.Contains(q.Text, "fail"):
		return retrieval.Result{}, fmt.Errorf("embed the query: %w: POST https://embeddings.example/v1/embeddings: connection refused", embedder.ErrUnavailable)
	case strings.Contains(q.Text, "none"):
		r.ChildrenKept, r.ParentsFound, r.Tokens = 0, 0, 0
	case strings.Contains(q.Text, "whole"):
		r.Mode, r.Items, r.NearMisses = param.ModeFullContext, guideItems(), nil
		if strings.Contains(q.Text, "far") {
			r.Items[4].Matches[0].Similarity = .9
		}
		for i := range r.Items {
			r.Items[i].Score, r.Items[i].Rank = 1, i+1
			r.Items[i].Explanation = &retrieval.Explanation{Op: retrieval.OpLeaf, Value: 1, Label: "the whole corpus is returned"}
		}
	case strings.Contains(q.Text, "many"):
		r.Items = manyItems(10_000)
	default:
		r.Items = guideItems()
		r.Items[0].Title += " (" + q.Text + ")"
	}
	return r, nil
}

// manyItems are n sections of pages with ten sections each.
func manyItems(n int) []retrieval.Item {
	items := make([]retrieval.Item, n)
	for i := range items {
		page := fmt.Sprintf("%spage/%d", guideURL, i/10)
		items[i] = section(fmt.Sprintf("s%d", i), page, fmt.Sprintf("Page %d", i/10), fmt.Sprintf("Section %d of many", i), 0, i*100, i+1,
			0.9-0.6*float64(i)/float64(n), "## Section\n\nSome text that matched, and some that did not.\n", "Some text that matched")
	}
	return items
}

func (f *fakeCorpus) Summary(context.Context) (session.CorpusSummary, error) {
	return session.CorpusSummary{Stats: f.stats, TitleSuffixes: f.suffixes, Level: f.level}, nil
}

func (f *fakeCorpus) Section(_ context.Context, id string) (store.Chunk, error) {
	if id == "tokens" {
		return store.Chunk{}, fmt.Errorf("section %s is no longer in the corpus", id)
	}
	return store.Chunk{
		ID: id, SourceURL: guideURL + "crawling", Title: "Crawling", HeadingPath: []string{"How far to go"},
		CharStart: 100, CharEnd: 155, TokenEnd: 12, ChunkText: "## How far to go\n\nThe crawler follows links to a depth.\n",
	}, nil
}

func (f *fakeCorpus) Sections(ctx context.Context, limit int, known int64) (session.SectionList, error) {
	if f.down != nil {
		return session.SectionList{}, f.down
	}
	if known == 1 {
		return session.SectionList{Version: 1}, nil
	}
	items := guideItems()
	list := session.SectionList{Version: 1}
	for i := range items[:min(len(items), limit)] {
		it := &items[i]
		list.Sections = append(list.Sections, session.SectionName{ChunkID: it.ChunkID, SourceURL: it.SourceURL, Title: it.Title, Headings: it.HeadingPath})
	}
	return list, ctx.Err()
}

func (f *fakeCorpus) SectionAt(_ context.Context, url string, at int) (store.Chunk, error) {
	length := 0
	for _, it := range guideItems() {
		if it.SourceURL != url {
			continue
		}
		length = max(length, it.CharEnd)
		if it.CharStart <= at && at < it.CharEnd {
			return store.Chunk{
				ID: it.ChunkID, SourceURL: url, Title: it.Title, HeadingPath: it.HeadingPath, Depth: it.Depth,
				CharStart: it.CharStart, CharEnd: it.CharEnd, TokenStart: it.TokenStart, TokenEnd: it.TokenEnd, ChunkText: it.ChunkText,
			}, nil
		}
	}
	return store.Chunk{}, &session.NoSectionError{URL: url, At: at, Len: length}
}
