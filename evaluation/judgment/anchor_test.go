package judgment_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata"
)

// texts are pages by their address, each of one section.
type texts map[string]string

func (p texts) EachPage(_ context.Context, addresses []string, each func(address, page string, sections []store.Chunk) error) error {
	for _, address := range addresses {
		if text, ok := p[address]; ok {
			if err := each(address, address, []store.Chunk{{ID: address, ChunkText: text, CharEnd: len([]rune(text))}}); err != nil {
				return err
			}
		}
	}
	return nil
}

func anchored(t testing.TB, s *judgment.Set, pages judgment.Pages) *judgment.Anchors {
	t.Helper()
	a, err := s.Anchor(t.Context(), pages)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestJudgmentsFollowTheirTexts(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q", "gone")
	before := texts{"a": "one two three two", "b": "four", "c": "five"}
	must(t, s,
		graded("q", "a", "one", 0, "ana", 3), graded("q", "a", "three", 8, "ana", 2), graded("q", "a", "two", 14, "ana", 1),
		graded("q", "b", "four", 0, "ana", 1), graded("q", "c", "five", 0, "ana", 1), graded("q", "a", "", 0, "ana", 2),
		graded("q", "c", "", 0, "ana", 2), graded("q", "b", "withdrawn", 0, "ana", -2), graded("gone", "b", "four", 0, "ana", 1),
	)
	if err := s.RemoveQuery(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	all := anchored(t, s, before)
	if want := (judgment.Summary{Exact: 7}); all.Summary != want || len(all.Judgments) != 7 || all.Summary.IsAlarming() {
		t.Errorf("where they were judged: %+v", all.Summary)
	}
	after := texts{"a": "one: a new beginning, two three two", "b": "4"}
	all = anchored(t, s, after)
	if want := (judgment.Summary{Exact: 2, Moved: 1, Ambiguous: 1, Orphaned: 1, PageGone: 2}); all.Summary != want || all.Summary.Total() != 7 || all.Summary.Lost() != 3 || !all.Summary.IsAlarming() {
		t.Errorf("afterwards: %+v", all.Summary)
	}
	for i, want := range []struct {
		quote      string
		state      judgment.State
		start, end int
	}{
		{"one", judgment.Exact, 0, 3},
		{"three", judgment.Moved, 26, 31},
		{"two", judgment.Ambiguous, 22, 25},
		{"", judgment.Exact, 0, 0},
	} {
		j := all.Judgments[i]
		if j.Quote != want.quote || j.State != want.state || j.Start != want.start || j.End != want.end || j.Page != "a" {
			t.Errorf("%q: %+v", want.quote, j)
		}
	}
	if len(all.Lost) != 3 || all.Lost[0].Quote != "four" || all.Lost[0].State != judgment.Orphaned || all.Lost[2].State != judgment.PageGone {
		t.Errorf("lost are %+v", all.Lost)
	}
	broken := errors.New("broken")
	if _, err := s.Anchor(t.Context(), failing{broken}); !errors.Is(err, broken) {
		t.Errorf("a corpus that fails: %v", err)
	}
}

type failing struct{ err error }

func (f failing) EachPage(context.Context, []string, func(string, string, []store.Chunk) error) error {
	return f.err
}

// A text that was judged again after it moved has another key, and is the same text.
func TestWhatMovedIsJudgedOnce(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q")
	must(t, s, graded("q", "a", "the text", 0, "ana", 1), graded("q", "a", "the text", 0, "ben", 1), graded("q", "a", "the text", 5, "ana", 3))
	pages := texts{"a": "here the text"}
	all := anchored(t, s, pages)
	if len(all.Judgments) != 1 || all.Summary != (judgment.Summary{Exact: 1, Moved: 1}) {
		t.Fatalf("%+v", all)
	}
	if g, _ := all.Judgments[0].Grade(judgment.Only("ana")); g != 3 {
		t.Errorf("the last record does not count: %d", g)
	}
	if spans, _ := all.Prepare(nil)["q"].Count(); spans != 1 {
		t.Errorf("it counts %d times", spans)
	}
	must(t, s, graded("q", "a", "the text", 5, "ana", -2))
	if g, ok := anchored(t, s, pages).Judgments[0].Grade(judgment.Only("ana")); ok {
		t.Errorf("withdrawn at its new place, it still has the grade %d", g)
	}
}

// guide indexes the bundled guide, with the embedded store.
func guide(t testing.TB) (store.View, retrieval.Deps) {
	t.Helper()
	pages, err := fs.Sub(docs.Guide, "guide")
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.ScanFS(t.Context(), pages, "guide", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st, _, err := judged.Index(t.Context(), filepath.Join(t.TempDir(), "guide.db"), set)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	view, err := st.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { view.Close() })
	return view, retrieval.Deps{Store: st, Embedder: embedder.NewBuiltin()}
}

// TestTheGuideIsJudged puts the judged quotes of the guide into a set and finds them in
// the corpus: first anywhere, then exactly where they were found, through any address.
func TestTheGuideIsJudged(t *testing.T) {
	t.Parallel()
	view, deps := guide(t)
	list, err := testdata.Judgments()
	if err != nil {
		t.Fatal(err)
	}
	s, n := newSet(t, "absent"), 0
	var records []judgment.Record
	for _, j := range list {
		page, ok := strings.CutPrefix(j.Source, "guide/")
		if !ok {
			continue
		}
		if s.Query(j.QueryID) == nil {
			if _, err := s.AddQuery(t.Context(), judgment.Query{ID: j.QueryID, Text: j.Query, Tags: []string{j.Kind}}); err != nil {
				t.Fatal(err)
			}
		}
		address := "file:guide/" + page
		if n++; n%2 == 0 {
			address = "file:guide/./" + page + "#anywhere"
		}
		records = append(records, graded(j.QueryID, address, j.Quote, 0, "ana", j.Grade))
	}
	must(t, s, append(records, graded("absent", "file:guide/absent.md", "a text", 0, "ana", 1), graded("absent", "file:guide/"+"index.md", "no such text", 0, "ana", 1))...)
	all := anchored(t, s, judgment.InView(view))
	if sum := all.Summary; n < 50 || sum.Exact+sum.Moved != n || sum.Orphaned != 1 || sum.PageGone != 1 {
		for _, l := range all.Lost {
			t.Logf("lost: %s %q", l.SourceURL, l.Quote)
		}
		t.Fatalf("of %d judgments %+v", n, sum)
	}
	var again []judgment.Record
	for _, j := range all.Judgments {
		again = append(again, graded(j.QueryID, j.Page, j.Quote, j.Start, "ana", 1))
		chunks, _, err := view.Find(t.Context(), store.FindQuery{Quote: j.Quote, Scope: store.Scope{SourceURLs: []string{j.Page}}, Level: store.Parent, Limit: 10})
		if err != nil || len(chunks) == 0 || chunks[0].SourceURL != j.Page || j.Start < chunks[0].CharStart || j.End > chunks[0].CharEnd {
			t.Fatalf("%q is at %d to %d of %s, and not where the store finds it: %v", j.Quote, j.Start, j.End, j.Page, err)
		}
	}
	second := newSet(t)
	if _, err := second.AddQueries(t.Context(), s.Queries...); err != nil {
		t.Fatal(err)
	}
	must(t, second, again...)
	if sum := anchored(t, second, judgment.InView(view)).Summary; sum != (judgment.Summary{Exact: n}) {
		t.Errorf("where they were found: %+v", sum)
	}
	gradeTheGuide(t, s, all, deps)
}

// gradeTheGuide asks all queries, and holds the grades of the sections against what their
// texts have: none of the quotes is cut.
func gradeTheGuide(t *testing.T, s *judgment.Set, all *judgment.Anchors, deps retrieval.Deps) {
	t.Helper()
	prepared := all.Prepare(judgment.People)
	params, _ := param.Preset(param.PresetBlend)
	relevant := 0
	for _, q := range s.Queries {
		if prepared[q.ID] == nil {
			continue
		}
		res, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: q.Text}, judged.Params(params), retrieval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := make([]int, len(res.Items))
		for i, it := range res.ByRank() {
			want[i] = evaluation.Unjudged
			for _, j := range all.Judgments {
				if grade, _ := j.Grade(nil); j.QueryID == q.ID && j.Page == it.SourceURL && strings.Contains(strings.Join(strings.Fields(it.ChunkText), " "), j.Quote) {
					want[i] = max(want[i], grade)
					relevant++
				}
			}
		}
		if got := prepared[q.ID].Grader(judgment.Passages).Grades(judgment.Ranking(nil, &res)); !slices.Equal(got, want) {
			t.Errorf("%s: the grades are %v, want %v", q.Text, got, want)
		}
	}
	if relevant < 50 {
		t.Errorf("only %d judged texts are returned", relevant)
	}
}

// listing is a corpus of pages, each of two sections that come in the wrong order.
type listing struct {
	store.View
	documents []store.Document
	reads     int
}

func (l *listing) Documents(_ context.Context, scope store.Scope, page store.Page) ([]store.Document, error) {
	var found []store.Document
	for _, d := range l.documents {
		if len(scope.SourceURLs) == 0 || slices.ContainsFunc(append([]string{d.SourceURL, d.URL}, d.URLAliases...), func(own string) bool { return slices.Contains(scope.SourceURLs, own) }) {
			found = append(found, d)
		}
	}
	found = found[min(page.Offset, len(found)):]
	return found[:min(page.Limit, len(found))], nil
}

func (l *listing) Parents(_ context.Context, scope store.Scope, _ store.Fields, _ store.Page) ([]store.Chunk, error) {
	l.reads++
	var found []store.Chunk
	for _, id := range scope.DocumentIDs {
		found = append(found, store.Chunk{DocumentID: id, Index: 1, CharStart: 5, ChunkText: id}, store.Chunk{DocumentID: id, ChunkText: "page "})
	}
	return found, nil
}

func TestPagesAreFoundByAnyAddress(t *testing.T) {
	t.Parallel()
	l := &listing{}
	for i := range 2500 {
		id := strconv.Itoa(i)
		l.documents = append(l.documents, store.Document{ID: id, SourceURL: "https://example.org/" + id, URL: "https://short.example/" + id, URLAliases: []string{"file:" + id + ".md"}, TokenCount: 2000})
	}
	l.documents[0].URLAliases = []string{"https://example.org/7"} // which is page 7
	want := map[string]string{
		"https://example.org/7": "7", "https://short.example/8": "8", "file:2499.md": "2499", "http://EXAMPLE.org:80/9/index.html": "9",
		"https://example.org/9": "9",
	}
	addresses := []string{"https://example.org/gone"}
	for address := range want {
		addresses = append(addresses, address)
	}
	for i := range 2000 {
		if i < 7 || i > 9 {
			addresses = append(addresses, l.documents[i].SourceURL)
			want[l.documents[i].SourceURL] = l.documents[i].ID
		}
	}
	seen := map[string]bool{}
	err := judgment.InView(l).EachPage(t.Context(), addresses, func(address, page string, sections []store.Chunk) error {
		if id := want[address]; seen[address] || page != "https://example.org/"+id || len(sections) != 2 || sections[0].ChunkText != "page " || sections[1].ChunkText != id {
			t.Errorf("%s leads to %s, %+v", address, page, sections)
		}
		seen[address] = true
		return nil
	})
	if err != nil || len(seen) != len(want) {
		t.Errorf("%d of %d addresses lead to a page, %v", len(seen), len(want), err)
	}
	if l.reads != 4 { // at most 524 pages of 2,000 tokens each at once
		t.Errorf("texts were read %d times", l.reads)
	}
	broken := errors.New("broken")
	if err := judgment.InView(l).EachPage(t.Context(), addresses, func(string, string, []store.Chunk) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("stopped: %v", err)
	}
}

func TestCorporaAreIdentified(t *testing.T) {
	t.Parallel()
	view, _ := guide(t)
	c, err := judgment.Identify(t.Context(), "guide", view)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := view.Stats(t.Context(), store.Scope{})
	if err != nil || c.Documents != stats.Documents || len(c.Hash) != 64 || c.Name != "guide" {
		t.Errorf("%+v of %+v, %v", c, stats, err)
	}
	same := c
	same.Name = "other"
	changed := c
	changed.Hash = "00"
	if !c.IsSame(same) || c.IsSame(changed) {
		t.Error("corpora are not told apart by their pages")
	}
	for what, other := range map[string]store.View{
		"cut":      indexed{View: view, cut: "otherwise"},
		"embedded": indexed{View: view, embedder: "another"},
		"written":  indexed{View: view, writes: 1},
	} {
		again, err := judgment.Identify(t.Context(), "guide", other)
		if err != nil || !c.IsSame(again) || again.Index == c.Index {
			t.Errorf("an index that was %s otherwise: %+v, %v", what, again, err)
		}
	}
}

// indexed is a view of the same pages, cut, embedded or written otherwise.
type indexed struct {
	store.View
	cut, embedder string
	writes        int64
}

func (v indexed) Version() int64 { return v.View.Version() + v.writes }

func (v indexed) Meta() store.Meta {
	m := v.View.Meta()
	m.EmbedderID += v.embedder
	return m
}

func (v indexed) Documents(ctx context.Context, scope store.Scope, page store.Page) ([]store.Document, error) {
	documents, err := v.View.Documents(ctx, scope, page)
	documents = slices.Clone(documents)
	for i := range documents {
		documents[i].DerivedHash += v.cut
	}
	return documents, err
}

// many are n judgments on pages of 20,000 characters, each in its middle.
func many(t testing.TB, n, pages int) (*judgment.Set, texts) {
	s := newSet(t, "q")
	all := texts{}
	sentence := "The quick brown fox jumps over the lazy dog, and nobody minds. "
	for i := range pages {
		address := "https://example.org/" + strconv.Itoa(i)
		var b strings.Builder
		for j := range n / pages {
			b.WriteString(strings.Repeat(sentence, 20_000/len(sentence)/(n/pages)))
			quote := fmt.Sprintf("This is said on page %d for the time %d.", i, j)
			s.Records = append(s.Records, graded("q", address, quote, b.Len()-100*(i%2), "ana", 1))
			b.WriteString(quote + " ")
		}
		all[address] = b.String()
	}
	return s, all
}

func BenchmarkAnchor(b *testing.B) {
	s, pages := many(b, 10_000, 1_000)
	b.ReportAllocs()
	for b.Loop() {
		if sum := anchored(b, s, pages).Summary; sum.Exact != 5_000 || sum.Moved != 5_000 {
			b.Fatal(sum)
		}
	}
}
