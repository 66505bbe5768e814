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

func (m *memory) Info() store.Info                            { return store.Info{Name: "memory", Meta: m.meta} }
func (m *memory) Close() error                                { return nil }
func (m *memory) Write(context.Context) (store.Writer, error) { return nil, store.ErrReadOnly }
func (m *memory) Read(ctx context.Context) (store.View, error) {
	return &memoryView{memory: m}, ctx.Err()
}

type memoryView struct {
	*memory
	noGraph
}

// noGraph stands for what no test of sections asks for.
type noGraph struct{}

func (noGraph) Edges(context.Context, store.EdgeQuery) ([]store.Edge, error) { return nil, nil }

func (noGraph) Deleted(context.Context) ([]store.Document, error) { return nil, nil }

func (noGraph) Place(context.Context, store.Search, string) (store.Placement, error) {
	return store.Placement{}, errors.ErrUnsupported
}

func (noGraph) Find(context.Context, store.FindQuery) ([]store.Chunk, int, error) {
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
	return store.Found{Vector: rows, VectorScanned: scanned, VectorReturned: len(rows), Exact: true}, v.count(ctx, "search")
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

func (v *memoryView) Documents(context.Context, store.Scope, store.Page) ([]store.Document, error) {
	return nil, errors.New("not used by retrieval")
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

// bench is a corpus with an embedder and a clock that ticks a millisecond at
// each look.
type bench struct {
	*memory
	*double
	params retrieval.Params
}

func newBench() *bench {
	p, _ := retrieval.Preset(retrieval.PresetWebRAG)
	return &bench{newMemory(), newDouble(), p}
}

func (b *bench) deps() retrieval.Deps {
	at := time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)
	return retrieval.Deps{Store: b.memory, Embedder: b.double, Now: func() time.Time {
		at = at.Add(time.Millisecond)
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
