package retrieval_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// memory is a corpus in memory whose similarities are given, not computed.
type memory struct {
	documents []store.Document
	chunks    []store.Chunk
	// similar maps a child's id to its similarity to every query.
	similar map[string]float64
	meta    store.Meta
	version int64
	// words maps a child's id to how often it holds the first word of every query.
	// failWords makes the keyword arm fail, failEdges the reading of edges.
	words                map[string]int
	failWords, failEdges error
	edges                []store.Edge
	owner                string
	hidden               store.Hidden
	hasOwners            bool
	// shuffle reorders what a read returns, nil leaves the order alone.
	shuffle func(n int, swap func(i, j int))
	// fail makes every read fail.
	fail error
	// calls counts the reads by name.
	calls map[string]int
	// most is the highest number of rows that a search was asked for.
	most int
}

func newMemory() *memory {
	return &memory{
		similar: map[string]float64{},
		meta:    store.Meta{EmbedderID: "double", Dimensions: 2},
		calls:   map[string]int{},
	}
}

// page adds a document.
func (m *memory) page(url string, depth int) {
	m.documents = append(m.documents, store.Document{ID: "doc-" + url, URL: url, SourceURL: url, Title: "Page " + url, Depth: depth})
}

// section adds a parent of tokens tokens to the page with this URL, with a child
// for each similarity, and returns it for further changes.
func (m *memory) section(id, url string, index, tokens int, similarities ...float64) *store.Chunk {
	at := slices.IndexFunc(m.documents, func(d store.Document) bool { return d.SourceURL == url })
	doc := &m.documents[at]
	parent := store.Chunk{
		ID: id, DocumentID: doc.ID, Level: store.Parent, Index: index,
		SectionHeading: "Section " + id, HeadingPath: []string{"Section " + id},
		CharStart: doc.TokenCount * 4, CharEnd: (doc.TokenCount + tokens) * 4,
		TokenStart: doc.TokenCount, TokenEnd: doc.TokenCount + tokens,
		Depth: doc.Depth, Title: doc.Title, SourceURL: url, FetchedAt: time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC),
		ChunkText: "text of " + id,
	}
	doc.TokenCount += tokens
	doc.ParentCount++
	m.chunks = append(m.chunks, parent)
	for i, s := range similarities {
		child := parent
		child.ID, child.ParentID, child.Level, child.Index = fmt.Sprintf("%s.%d", id, i), id, store.Child, i
		child.CharEnd = parent.CharStart + i + 1
		m.chunks = append(m.chunks, child)
		m.similar[child.ID] = s
	}
	return m.chunk(id)
}

func (m *memory) chunk(id string) *store.Chunk {
	return &m.chunks[slices.IndexFunc(m.chunks, func(c store.Chunk) bool { return c.ID == id })]
}

func (m *memory) Info() store.Info {
	return store.Info{Name: "memory", Meta: m.meta, Owner: m.owner, HasOwners: m.hasOwners}
}

func (m *memory) Close() error                                { return nil }
func (m *memory) Write(context.Context) (store.Writer, error) { return nil, store.ErrReadOnly }
func (m *memory) Read(ctx context.Context) (store.View, error) {
	return &memoryView{memory: m}, ctx.Err()
}

type memoryView struct{ *memory }

// edge adds an edge of the given id and weight.
func (m *memory) edge(id, source, target string, relation store.Relation, weight float64) {
	m.edges = append(m.edges, store.Edge{
		ID: id, SourceID: source, TargetID: target, Relation: relation, Weight: weight,
		Description: source + " leads to " + target,
	})
}

func (v *memoryView) Edges(ctx context.Context, q store.EdgeQuery) ([]store.Edge, error) {
	if err := v.count(ctx, "edges"); err != nil || v.failEdges != nil {
		return nil, errors.Join(err, v.failEdges)
	}
	var found []store.Edge
	for _, e := range v.edges {
		out := q.Direction != store.Incoming && slices.Contains(q.Nodes, e.SourceID)
		in := q.Direction != store.Outgoing && slices.Contains(q.Nodes, e.TargetID)
		if out || in {
			found = append(found, e)
		}
	}
	if v.shuffle != nil {
		v.shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	}
	return found, nil
}

func (v *memoryView) Within(ctx context.Context, scope store.Scope, ids []string) (map[string]bool, error) {
	in := map[string]bool{}
	for i := range v.chunks {
		if c := &v.chunks[i]; slices.Contains(ids, c.ID) && inScope(scope, c.SourceURL) {
			in[c.ID] = true
		}
	}
	return in, v.count(ctx, "within")
}

func (v *memoryView) Hidden(context.Context) (store.Hidden, error) { return v.hidden, nil }

func (v *memoryView) Links(context.Context, string) ([]store.Link, error) { return nil, nil }

func (v *memoryView) Deleted(context.Context) ([]store.Document, error) { return nil, nil }

func (v *memoryView) Place(context.Context, store.Search, string) (store.Placement, error) {
	return store.Placement{}, errors.ErrUnsupported
}

func (v *memoryView) Find(context.Context, store.FindQuery) ([]store.Chunk, int, error) {
	return nil, 0, errors.ErrUnsupported
}

func (v *memoryView) Version() int64   { return v.version }
func (v *memoryView) Meta() store.Meta { return v.meta }

func (v *memoryView) count(ctx context.Context, name string) error {
	v.calls[name]++
	return errors.Join(ctx.Err(), v.fail)
}

func inScope(s store.Scope, url string) bool {
	return len(s.SourceURLs) == 0 || slices.Contains(s.SourceURLs, url)
}

func (v *memoryView) Stats(ctx context.Context, scope store.Scope) (store.Stats, error) {
	var sum store.Stats
	for _, d := range v.documents {
		if inScope(scope, d.SourceURL) {
			sum.Documents++
			sum.Parents += d.ParentCount
			sum.Tokens += d.TokenCount
		}
	}
	for i := range v.chunks {
		if c := &v.chunks[i]; c.Level == store.Child && inScope(scope, c.SourceURL) {
			sum.Children++
		}
	}
	return sum, v.count(ctx, "stats")
}

func (v *memoryView) Search(ctx context.Context, spec store.Search) (store.Found, error) {
	v.most = max(v.most, spec.VectorRows)
	var rows []store.VectorRow
	for _, c := range v.chunks {
		if s, ok := v.similar[c.ID]; ok && inScope(spec.Scope, c.SourceURL) {
			rows = append(rows, store.VectorRow{ID: c.ID, ParentID: c.ParentID, DocumentID: c.DocumentID, Similarity: s})
		}
	}
	slices.SortFunc(rows, func(a, b store.VectorRow) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), strings.Compare(a.ID, b.ID))
	})
	scanned := len(rows)
	rows = rows[:min(len(rows), spec.VectorRows)]
	if v.shuffle != nil {
		v.shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
	found := store.Found{Vector: rows, VectorScanned: scanned, VectorReturned: len(rows), Exact: true, KeywordErr: v.failWords}
	if spec.Vector == nil {
		found.Vector = nil
	}
	if spec.Terms != nil && v.failWords == nil {
		v.searchWords(spec, &found)
	}
	return found, v.count(ctx, "search")
}

// searchWords finds each child of words by the first term.
func (v *memoryView) searchWords(spec store.Search, found *store.Found) {
	for _, term := range spec.Terms {
		found.Terms = append(found.Terms, store.TermStat{Term: term, DF: len(v.words), Used: true, Weight: 1})
	}
	found.KeywordRows, found.AvgLength, found.KeywordMatches = len(v.similar), store.FieldLengths{Body: 10}, len(v.words)
	for i := range v.chunks {
		c := &v.chunks[i]
		times, ok := v.words[c.ID]
		if !ok || !inScope(spec.Scope, c.SourceURL) {
			continue
		}
		tf := make([]store.FieldCounts, len(spec.Terms))
		tf[0].Body = times
		length := store.FieldCounts{Body: 10}
		score := store.BM25F(found.Terms[0], tf[0], length, found.KeywordRows, found.AvgLength, found.Fields)
		found.Keyword = append(found.Keyword, store.KeywordRow{ID: c.ID, ParentID: c.ParentID, DocumentID: c.DocumentID, TF: tf, Length: length, Score: score})
	}
	slices.SortFunc(found.Keyword, func(a, b store.KeywordRow) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	found.Keyword = found.Keyword[:min(len(found.Keyword), spec.KeywordRows)]
	found.KeywordReturned = len(found.Keyword)
	if v.shuffle != nil {
		rows := found.Keyword
		v.shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
}

func (v *memoryView) strip(c store.Chunk, fields store.Fields) store.Chunk {
	if fields&store.FieldText == 0 {
		c.ChunkText = ""
	}
	if fields&store.FieldHTML == 0 {
		c.HTMLText = ""
	}
	return c
}

func (v *memoryView) Chunks(ctx context.Context, ids []string, fields store.Fields) ([]store.Chunk, error) {
	var found []store.Chunk
	for _, c := range v.chunks {
		if slices.Contains(ids, c.ID) {
			found = append(found, v.strip(c, fields))
		}
	}
	if v.shuffle != nil {
		v.shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	}
	return found, v.count(ctx, "chunks")
}

func (v *memoryView) Parents(ctx context.Context, scope store.Scope, fields store.Fields, _ store.Page) ([]store.Chunk, error) {
	var found []store.Chunk
	for _, c := range v.chunks {
		if c.Level == store.Parent && inScope(scope, c.SourceURL) {
			found = append(found, v.strip(c, fields))
		}
	}
	slices.SortFunc(found, func(a, b store.Chunk) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), strings.Compare(a.SourceURL, b.SourceURL), cmp.Compare(a.Index, b.Index))
	})
	return found, v.count(ctx, "parents")
}

func (v *memoryView) Children(context.Context, []string, store.Fields) ([]store.Chunk, error) {
	return nil, errors.New("not used by retrieval")
}

func (v *memoryView) Documents(ctx context.Context, scope store.Scope, _ store.Page) ([]store.Document, error) {
	var found []store.Document
	for _, d := range v.documents {
		if len(scope.DocumentIDs) == 0 || slices.Contains(scope.DocumentIDs, d.ID) {
			found = append(found, d)
		}
	}
	return found, v.count(ctx, "documents")
}

// double is an embedder that gives one vector for everything.
type double struct {
	info   embedder.Info
	vector []float32
	fail   error
	calls  int
}

func newDouble() *double {
	return &double{info: embedder.Info{ID: "double", Dims: 2}, vector: []float32{1, 0}}
}

func (d *double) Info() embedder.Info { return d.info }

func (d *double) EmbedOne(context.Context, string, embedder.Role) ([]float32, error) {
	d.calls++
	return d.vector, d.fail
}

func (d *double) EmbedMany(context.Context, []string, embedder.Role) ([][]float32, error) {
	return nil, errors.New("retrieval embeds one text")
}

// bench is a corpus with an embedder and a clock that ticks at each look.
type bench struct {
	*memory
	*double
	params param.Params
	tick   time.Duration
}

func newBench() *bench {
	p, _ := param.Preset(param.PresetWebRAG)
	return &bench{newMemory(), newDouble(), p, time.Millisecond}
}

func (b *bench) deps() retrieval.Deps {
	at := time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)
	return retrieval.Deps{Store: b.memory, Embedder: b.double, Now: func() time.Time {
		at = at.Add(b.tick)
		return at
	}}
}

func (b *bench) set(t testing.TB, fields ...string) *bench {
	t.Helper()
	for i := 0; i < len(fields); i += 2 {
		if err := b.params.Set(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b *bench) retrieve(t testing.TB) retrieval.Result {
	t.Helper()
	r, err := retrieval.Retrieve(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params, retrieval.Options{Trace: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ids(items []retrieval.Item) string {
	var all []string
	for i := range items {
		all = append(all, items[i].ChunkID)
	}
	return strings.Join(all, " ")
}

func stageOf(t testing.TB, r retrieval.Result, name string) retrieval.Stage {
	t.Helper()
	for _, s := range r.Trace.Stages {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("the trace has no stage %q", name)
	return retrieval.Stage{}
}

func dropped(s retrieval.Stage) string {
	var all []string
	for _, d := range s.Dropped {
		all = append(all, fmt.Sprintf("%s %s %s", d.ID, d.Reason, shortest(d.Value)))
	}
	return strings.Join(all, ", ")
}

func shortest(f float64) string { return fmt.Sprint(f) }

func codes(r retrieval.Result) string {
	var all []string
	for _, n := range r.Notices {
		all = append(all, n.Code)
	}
	return strings.Join(all, " ")
}
