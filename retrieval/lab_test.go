package retrieval_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// lab is a whole corpus in memory: owners, deleted and replaced pages, words,
// edges. Similarities are given, everything else is worked out chunk by chunk, as
// slowly and plainly as it can be.
type lab struct {
	owner     string
	documents []store.Document
	chunks    []store.Chunk
	// similar maps a child to its similarity to every query; a child that is not
	// in it has no vector.
	similar map[string]float64
	edges   []store.Edge
	// unindexed are children that an index does not find; nil is an exact store.
	unindexed map[string]bool
	meta      store.Meta
	info      embedder.Info
	// directionless queries have a vector of zeros.
	directionless bool
	// shuffle reorders what reads return, nil leaves the order alone.
	shuffle func(n int, swap func(i, j int))
}

func newLab() *lab {
	return &lab{
		similar: map[string]float64{},
		meta:    store.Meta{EmbedderID: "lab", Dimensions: 2},
		info:    embedder.Info{ID: "lab", Dims: 2},
	}
}

var labDay = time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)

// page adds a document.
func (l *lab) page(url string, depth int) *store.Document {
	l.documents = append(l.documents, store.Document{
		ID: "doc-" + url, URL: url, SourceURL: url, Title: "Page " + url, Depth: depth, SourceType: "web",
		FetchedAt: labDay, CurrentIngestionID: "1",
	})
	return &l.documents[len(l.documents)-1]
}

// section adds a parent to the last page.
func (l *lab) section(id string, index, tokens int) *store.Chunk {
	d := &l.documents[len(l.documents)-1]
	start := 0
	for i := range l.chunks {
		if c := &l.chunks[i]; c.DocumentID == d.ID && c.Level == store.Parent {
			start = c.CharEnd
		}
	}
	l.chunks = append(l.chunks, store.Chunk{
		ID: id, DocumentID: d.ID, Level: store.Parent, Index: index, SectionHeading: "Section " + id, HeadingPath: []string{"Section " + id},
		CharStart: start, CharEnd: start + 4*tokens + 10, TokenStart: d.TokenCount, TokenEnd: d.TokenCount + tokens,
		Depth: d.Depth, Title: d.Title, Owner: d.Owner, SourceURL: d.SourceURL, FetchedAt: d.FetchedAt, IngestionID: d.CurrentIngestionID,
		ChunkText: "text of " + id,
	})
	d.TokenCount += tokens
	d.ParentCount++
	return &l.chunks[len(l.chunks)-1]
}

// child adds a child to the last section.
func (l *lab) child(id string, similarity float64, text string) *store.Chunk {
	at := len(l.chunks) - 1
	for l.chunks[at].Level != store.Parent {
		at--
	}
	c := l.chunks[at]
	c.ParentID, c.ID, c.Level = c.ID, id, store.Child
	c.Index = len(l.chunks) - at - 1
	c.CharStart += c.Index
	c.CharEnd = c.CharStart + 1
	c.TokenStart = min(c.TokenEnd, c.TokenStart+c.Index)
	c.TokenEnd = min(c.TokenEnd, c.TokenStart+1)
	c.ChunkText, c.Terms = text, strings.Join(store.Terms(text), " ")
	l.chunks = append(l.chunks, c)
	l.similar[id] = similarity
	return &l.chunks[len(l.chunks)-1]
}

// edge adds an edge between two nodes.
func (l *lab) edge(source, target string, r store.Relation, weight float64) {
	l.edges = append(l.edges, store.Edge{
		ID: store.EdgeID(source, target, r), SourceID: source, TargetID: target,
		DocumentID: l.chunk(source).DocumentID, TargetDocumentID: l.chunk(target).DocumentID,
		Relation: r, Weight: weight, Description: source + " to " + target,
	})
}

func (l *lab) chunk(id string) *store.Chunk {
	at := slices.IndexFunc(l.chunks, func(c store.Chunk) bool { return c.ID == id })
	if at < 0 {
		return nil
	}
	return &l.chunks[at]
}

func (l *lab) document(id string) *store.Document {
	at := slices.IndexFunc(l.documents, func(d store.Document) bool { return d.ID == id })
	if at < 0 {
		return nil
	}
	return &l.documents[at]
}

func (l *lab) mine(owner string) bool { return owner == "" || owner == l.owner }

// absence is the first reason for which a chunk cannot be found.
func (l *lab) absence(c *store.Chunk, s store.Scope) (store.Absence, string) {
	if c == nil {
		return store.AbsentUnknown, ""
	}
	d := l.document(c.DocumentID)
	switch {
	case d == nil || !l.mine(d.Owner) && !l.mine(c.Owner):
		return store.AbsentUnknown, ""
	case !l.mine(d.Owner) || !l.mine(c.Owner):
		return store.AbsentOwner, ""
	case !d.DeletedAt.IsZero():
		return store.AbsentDeleted, ""
	case d.CurrentIngestionID == "" || c.IngestionID != d.CurrentIngestionID:
		return store.AbsentStale, ""
	case len(s.SourceURLs) > 0 && !slices.Contains(s.SourceURLs, d.SourceURL):
		return store.AbsentScope, "source"
	case len(s.DocumentIDs) > 0 && !slices.Contains(s.DocumentIDs, d.ID), slices.Contains(s.ExcludeDocumentIDs, d.ID):
		return store.AbsentScope, "document"
	case s.MaxDepth != nil && d.Depth > *s.MaxDepth:
		return store.AbsentFilter, "depth"
	case len(s.Tags) > 0 && !slices.ContainsFunc(d.Tags, func(tag string) bool { return slices.Contains(s.Tags, tag) }):
		return store.AbsentFilter, "tag"
	case len(s.Headings) > 0 && !slices.ContainsFunc(s.Headings, func(h string) bool {
		return strings.EqualFold(h, c.SectionHeading) || slices.ContainsFunc(c.HeadingPath, func(p string) bool { return strings.EqualFold(p, h) })
	}):
		return store.AbsentFilter, "heading"
	}
	return store.AbsentNone, ""
}

func (l *lab) visible(c *store.Chunk) bool { return l.in(c, store.Scope{}) }

func (l *lab) in(c *store.Chunk, s store.Scope) bool {
	a, _ := l.absence(c, s)
	return a == store.AbsentNone
}

func (l *lab) Info() store.Info                            { return store.Info{Name: "lab", Meta: l.meta} }
func (l *lab) Close() error                                { return nil }
func (l *lab) Write(context.Context) (store.Writer, error) { return nil, store.ErrReadOnly }
func (l *lab) Read(ctx context.Context) (store.View, error) {
	return &labView{l}, ctx.Err()
}

type labView struct{ *lab }

func (v *labView) Version() int64   { return 1 }
func (v *labView) Meta() store.Meta { return v.meta }

func (v *labView) Stats(_ context.Context, scope store.Scope) (store.Stats, error) {
	var sum store.Stats
	documents := map[string]bool{}
	for i := range v.chunks {
		c := &v.chunks[i]
		if !v.in(c, scope) {
			continue
		}
		documents[c.DocumentID] = true
		if c.Level == store.Child {
			sum.Children++
			continue
		}
		sum.Parents++
		sum.Tokens += c.Tokens()
	}
	sum.Documents = len(documents)
	return sum, nil
}

// words counts the terms of a query in a child, and whether they match.
func (l *lab) words(c *store.Chunk, spec *store.Search) (row store.KeywordRow, matches bool) {
	row = store.KeywordRow{ID: c.ID, ParentID: c.ParentID, DocumentID: c.DocumentID, TF: make([]store.FieldCounts, len(spec.Terms))}
	terms := strings.Fields(c.Terms)
	row.Length.Body = len(terms)
	stats, rows, mean := l.termStats(spec)
	held := 0
	for i, t := range spec.Terms {
		for _, have := range terms {
			if have == t {
				row.TF[i].Body++
			}
		}
		if row.TF[i].Body > 0 {
			held++
		}
		row.Score += store.BM25F(stats[i], row.TF[i], row.Length, rows, mean, spec.Fields)
	}
	if spec.Match == store.MatchAnd || spec.Match == store.MatchWebsearch {
		return row, held == len(spec.Terms)
	}
	return row, held > 0
}

// termStats are those of all children that the owner may see.
func (l *lab) termStats(spec *store.Search) (stats []store.TermStat, rows int, mean store.FieldLengths) {
	terms := spec.Terms
	stats = make([]store.TermStat, len(terms))
	length := 0
	for i := range terms {
		stats[i] = store.TermStat{Term: terms[i], Used: true, Weight: spec.TermWeights[i]}
	}
	for i := range l.chunks {
		c := &l.chunks[i]
		if c.Level != store.Child || !l.visible(c) {
			continue
		}
		have := strings.Fields(c.Terms)
		rows++
		length += len(have)
		for t := range terms {
			if slices.Contains(have, terms[t]) {
				stats[t].DF++
			}
		}
	}
	if rows > 0 {
		mean.Body = float64(length) / float64(rows)
	}
	return stats, rows, mean
}

func (v *labView) all(spec *store.Search) (vector []store.VectorRow, keyword []store.KeywordRow) {
	for i := range v.chunks {
		c := &v.chunks[i]
		if c.Level != store.Child || !v.in(c, spec.Scope) {
			continue
		}
		if s, ok := v.similar[c.ID]; ok && spec.Vector != nil {
			vector = append(vector, store.VectorRow{ID: c.ID, ParentID: c.ParentID, DocumentID: c.DocumentID, Similarity: s})
		}
		if spec.Terms != nil {
			if row, ok := v.words(c, spec); ok {
				keyword = append(keyword, row)
			}
		}
	}
	slices.SortFunc(vector, func(a, b store.VectorRow) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), strings.Compare(a.ID, b.ID))
	})
	slices.SortFunc(keyword, func(a, b store.KeywordRow) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	return vector, keyword
}

func (v *labView) Search(ctx context.Context, spec store.Search) (store.Found, error) {
	vector, keyword := v.all(&spec)
	found := store.Found{Exact: true, VectorScanned: len(vector), KeywordMatches: len(keyword)}
	if v.unindexed != nil && !spec.Exact {
		found.Exact, found.EfSearch = false, max(spec.EfSearch, 1)
		vector = slices.DeleteFunc(vector, func(r store.VectorRow) bool { return v.unindexed[r.ID] })
	}
	found.Vector = vector[:min(len(vector), spec.VectorRows)]
	found.Keyword = keyword[:min(len(keyword), spec.KeywordRows)]
	found.VectorReturned, found.KeywordReturned = len(found.Vector), len(found.Keyword)
	if spec.Terms != nil {
		found.Terms, found.KeywordRows, found.AvgLength = v.termStats(&spec)
		found.Fields = spec.Fields
	}
	mix(v.lab, found.Vector)
	mix(v.lab, found.Keyword)
	return found, ctx.Err()
}

func mix[T any](l *lab, list []T) {
	if l.shuffle != nil {
		l.shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
}

func (v *labView) Chunks(_ context.Context, ids []string, _ store.Fields) ([]store.Chunk, error) {
	var found []store.Chunk
	for i := range v.chunks {
		if slices.Contains(ids, v.chunks[i].ID) && v.visible(&v.chunks[i]) {
			found = append(found, v.chunks[i])
		}
	}
	mix(v.lab, found)
	return found, nil
}

func (v *labView) Parents(_ context.Context, scope store.Scope, _ store.Fields, _ store.Page) ([]store.Chunk, error) {
	var found []store.Chunk
	for i := range v.chunks {
		if c := &v.chunks[i]; c.Level == store.Parent && v.in(c, scope) {
			found = append(found, *c)
		}
	}
	slices.SortFunc(found, func(a, b store.Chunk) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), strings.Compare(a.SourceURL, b.SourceURL), cmp.Compare(a.Index, b.Index))
	})
	return found, nil
}

func (v *labView) Children(_ context.Context, parents []string, _ store.Fields) ([]store.Chunk, error) {
	var found []store.Chunk
	for i := range v.chunks {
		if c := &v.chunks[i]; slices.Contains(parents, c.ParentID) && v.visible(c) {
			found = append(found, *c)
		}
	}
	return found, nil
}

func (v *labView) Documents(_ context.Context, scope store.Scope, _ store.Page) ([]store.Document, error) {
	var found []store.Document
	for _, d := range v.documents {
		if v.in(&store.Chunk{DocumentID: d.ID, Owner: d.Owner, IngestionID: d.CurrentIngestionID}, scope) {
			found = append(found, d)
		}
	}
	return found, nil
}

func (v *labView) Hidden(ctx context.Context) (store.Hidden, error) {
	deleted, err := v.Deleted(ctx)
	return store.Hidden{Deleted: len(deleted)}, err
}

func (v *labView) Links(context.Context, string) ([]store.Link, error) { return nil, nil }

func (v *labView) Deleted(context.Context) ([]store.Document, error) {
	var found []store.Document
	for _, d := range v.documents {
		if !d.DeletedAt.IsZero() && v.mine(d.Owner) {
			found = append(found, d)
		}
	}
	return found, nil
}

// Within is which of the chunks are in scope.
func (v *labView) Within(_ context.Context, scope store.Scope, ids []string) (map[string]bool, error) {
	in := map[string]bool{}
	for _, id := range ids {
		if v.in(v.chunk(id), scope) {
			in[id] = true
		}
	}
	return in, nil
}

func (v *labView) Edges(_ context.Context, q store.EdgeQuery) ([]store.Edge, error) {
	edges := slices.Clone(v.edges)
	slices.SortFunc(edges, func(a, b store.Edge) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.ID, b.ID))
	})
	var found []store.Edge
	out, in := map[[2]string]int{}, map[[2]string]int{} // by node and relation
	for _, e := range edges {
		if !v.in(v.chunk(e.SourceID), q.Scope) || !v.in(v.chunk(e.TargetID), q.Scope) {
			continue
		}
		if q.Relations != nil && !slices.Contains(q.Relations, e.Relation) {
			continue
		}
		takes := q.Nodes == nil
		if q.Direction != store.Incoming && slices.Contains(q.Nodes, e.SourceID) {
			at := [2]string{e.SourceID, string(e.Relation)}
			out[at]++
			takes = takes || q.PerNode == 0 || out[at] <= q.PerNode
		}
		if q.Direction != store.Outgoing && slices.Contains(q.Nodes, e.TargetID) {
			at := [2]string{e.TargetID, string(e.Relation)}
			in[at]++
			takes = takes || q.PerNode == 0 || in[at] <= q.PerNode
		}
		if takes {
			found = append(found, e)
		}
	}
	mix(v.lab, found)
	return found, nil
}

func (v *labView) Place(_ context.Context, spec store.Search, id string) (store.Placement, error) {
	c := v.chunk(id)
	p := store.Placement{}
	p.Absence, p.Condition = v.absence(c, spec.Scope)
	if p.Absence == store.AbsentUnknown {
		return p, nil
	}
	p.Chunk = *c
	if spec.Terms != nil {
		p.Terms, _, _ = v.termStats(&spec)
		p.Keyword, p.HasKeyword = v.words(c, &spec)
		p.HasKeyword = p.HasKeyword && c.Level == store.Child
	}
	p.Similarity, p.HasVector = v.similar[id]
	vector, keyword := v.all(&spec)
	p.VectorRank = 1 + slices.IndexFunc(vector, func(r store.VectorRow) bool { return r.ID == id })
	p.KeywordRank = 1 + slices.IndexFunc(keyword, func(r store.KeywordRow) bool { return r.ID == id })
	return p, nil
}

func (v *labView) Find(_ context.Context, q store.FindQuery) ([]store.Chunk, int, error) {
	quote := strings.ToLower(strings.Join(strings.Fields(q.Quote), " "))
	var found []store.Chunk
	for i := range v.chunks {
		c := &v.chunks[i]
		d := v.document(c.DocumentID)
		if q.Level != "" && c.Level != q.Level || d == nil || !v.in(c, q.Scope) {
			continue
		}
		text := strings.ToLower(strings.Join(strings.Fields(c.ChunkText), " "))
		if c.ID == q.ChunkID || q.SourceURL != "" && d.SourceURL == q.SourceURL || quote != "" && strings.Contains(text, quote) {
			found = append(found, *c)
		}
	}
	limit := q.Limit
	if limit == 0 {
		limit = 100
	}
	return found[:min(len(found), limit)], len(found), nil
}

// labEmbedder gives one vector for everything.
type labEmbedder struct {
	info          embedder.Info
	directionless bool
}

func (e *labEmbedder) Info() embedder.Info { return e.info }

func (e *labEmbedder) EmbedOne(context.Context, string, embedder.Role) ([]float32, error) {
	if e.directionless {
		return []float32{0, 0}, nil
	}
	return []float32{1, 0}, nil
}

func (e *labEmbedder) EmbedMany(context.Context, []string, embedder.Role) ([][]float32, error) {
	return nil, fmt.Errorf("retrieval embeds one text")
}

func (l *lab) deps() retrieval.Deps {
	at := labDay
	return retrieval.Deps{Store: l, Embedder: &labEmbedder{info: l.info, directionless: l.directionless}, Now: func() time.Time { return at }}
}

// labOf is the corpus of a bench, whose sections are worked examples.
func labOf(m *memory) *lab {
	l := newLab()
	l.meta, l.info = m.meta, embedder.Info{ID: m.meta.EmbedderID, Dims: m.meta.Dimensions}
	l.documents, l.chunks = slices.Clone(m.documents), slices.Clone(m.chunks)
	for i := range l.documents {
		l.documents[i].CurrentIngestionID = "1"
	}
	for i := range l.chunks {
		l.chunks[i].IngestionID = "1"
	}
	l.similar = maps.Clone(m.similar)
	return l
}

func (l *lab) retrieve(t testing.TB, query string, p param.Params) retrieval.Result {
	t.Helper()
	r, err := retrieval.Retrieve(t.Context(), l.deps(), retrieval.Query{Text: query}, p, retrieval.Options{Trace: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
