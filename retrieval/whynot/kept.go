package whynot

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// AskKept is [Ask] of evidence that was kept of one query, the first of which is that of
// the result in question, where there is no corpus. Of texts that the first does not have,
// and of what takes a new search to tell, it fails with [ErrUnkept]; changes that take one
// are not tried, and the report says so.
func AskKept(ctx context.Context, all []retrieval.Evidence, p param.Params, t Target) (Report, error) {
	if len(all) == 0 {
		return Report{Target: t}, ErrUnkept
	}
	report, err := ask(ctx, newMemory(all), p, t)
	if err == nil && !all[0].IsExact() && report.Meant > 0 {
		report.Notices = append(report.Notices, retrieval.Worded(phrase.NoticeKeptRanks))
	}
	return report, err
}

// memory is a source of evidence that was kept: what its first one knows of chunks.
type memory struct {
	all []retrieval.Evidence
	kept.Evidence
	at map[string]int32 // rows by id
}

func newMemory(all []retrieval.Evidence) *memory {
	m := &memory{all: all, Evidence: retrieval.Keep(all[0])}
	m.at = make(map[string]int32, len(m.Rows))
	for i := range m.Rows {
		m.at[m.Rows[i].ID] = int32(i)
	}
	return m
}

func (m *memory) name() string { return "recorded" }

func (m *memory) scope() store.Scope { return m.all[0].Query().Scope }

func (m *memory) hasEdges() bool { return m.Graph.Missing == "" && m.Graph.Error == "" }

// gather is the first evidence that reaches as far as p.
func (m *memory) gather(ctx context.Context, p param.Params, _ int) (retrieval.Evidence, error) {
	for _, ev := range m.all {
		if ok, _ := ev.Covers(p); ok {
			return ev, ctx.Err()
		}
	}
	return retrieval.Evidence{}, ErrUnkept
}

func (m *memory) extend(context.Context, retrieval.Evidence, retrieval.Needs) (retrieval.Evidence, error) {
	return retrieval.Evidence{}, ErrUnkept
}

func (m *memory) read(context.Context) (view, error) { return m, nil }

func (m *memory) Close() error { return nil }

// chunk is what is known of a row, without its text.
func (m *memory) chunk(at int32) store.Chunk {
	c := m.all[0].Chunk(at)
	c.ChunkText, c.HTMLText = "", ""
	return c
}

// Find knows chunks by their ids, pages by their addresses, and what stands in texts that
// were kept. What it does not find it does not know.
func (m *memory) Find(_ context.Context, q store.FindQuery) (chunks []store.Chunk, total int, err error) {
	var found []int32
	switch {
	case q.ChunkID != "":
		if at, ok := m.at[q.ChunkID]; ok {
			found = append(found, at)
		}
	case q.SourceURL != "":
		found = m.ofPage(q.SourceURL, q.Level)
	default:
		found = m.quoted(q.Quote, q.Level)
	}
	if len(found) == 0 && q.Level != store.Child {
		return nil, 0, ErrUnkept
	}
	for _, at := range found[:min(len(found), q.Limit)] {
		chunks = append(chunks, m.chunk(at))
	}
	return chunks, len(found), nil
}

func (m *memory) ofPage(url string, level store.Level) (found []int32) {
	url, _, _ = strings.Cut(url, "#")
	for i := range m.Rows {
		r := &m.Rows[i]
		page, _, _ := strings.Cut(m.Documents[r.Document].URL, "#")
		if page == url && r.Child == (level == store.Child) {
			found = append(found, int32(i))
		}
	}
	return found
}

// quoted are the chunks of a level that hold a quote: first those that hold all of it.
func (m *memory) quoted(text string, level store.Level) []int32 {
	quote, ok := store.NewQuote(text)
	if !ok {
		return nil
	}
	passages := map[int32]store.Passages{} // by the row that has the text
	in := func(row int32) store.Passages {
		p, known := passages[row]
		if !known {
			c := m.chunk(row)
			c.ChunkText = m.Texts[c.ID].Markdown
			p = quote.Passages([]store.Chunk{c})
			passages[row] = p
		}
		return p
	}
	var whole, some []int32
	for i := range m.Rows {
		r := &m.Rows[i]
		if r.Child != (level == store.Child) {
			continue
		}
		from := int32(i)
		if r.Child && r.Parent != kept.None && m.Texts[r.ID].Markdown == "" {
			from = r.Parent
		}
		switch meets, all := in(from).Meet(int(r.Chars[0]), int(r.Chars[1])); {
		case all:
			whole = append(whole, int32(i))
		case meets:
			some = append(some, int32(i))
		}
	}
	return append(whole, some...)
}

// Children are the passages that were found of sections, by index.
func (m *memory) Children(_ context.Context, parentIDs []string, _ store.Fields) (chunks []store.Chunk, err error) {
	for i := range m.Rows {
		if r := &m.Rows[i]; r.Child && r.Parent != kept.None && slices.Contains(parentIDs, m.Rows[r.Parent].ID) {
			chunks = append(chunks, m.chunk(int32(i)))
		}
	}
	slices.SortStableFunc(chunks, func(a, b store.Chunk) int { return cmp.Compare(a.Index, b.Index) })
	return chunks, nil
}

// Chunks are those of ids that are known.
func (m *memory) Chunks(_ context.Context, ids []string, _ store.Fields) (chunks []store.Chunk, err error) {
	for _, id := range ids {
		if at, ok := m.at[id]; ok {
			chunks = append(chunks, m.chunk(at))
		}
	}
	return chunks, nil
}

// exact stands for the search that was made.
func (m *memory) exact(context.Context, param.Params, bool) (spec store.Search, own int, err error) {
	if m.all[0].HasDirection() {
		spec.Vector = []float32{}
	}
	for _, t := range m.Keyword.Terms {
		spec.Terms = append(spec.Terms, t.Term)
	}
	return spec, m.Keyword.Own, nil
}

// Search gives what the search that was made gave.
func (m *memory) Search(context.Context, store.Search) (found store.Found, err error) {
	for i := range m.Nearest {
		found.Vector = append(found.Vector, store.VectorRow{ID: m.Rows[m.Nearest[i].Row].ID})
	}
	for i := range m.Keyword.Rows {
		found.Keyword = append(found.Keyword, store.KeywordRow{ID: m.Rows[m.Keyword.Rows[i].Row].ID})
	}
	return found, nil
}

// Place is where the search that was made found a chunk. What similarity did not find is
// nowhere only where the search came to its end; else its place is not known. Where words
// are concerned, it is left out that it is not known.
func (m *memory) Place(_ context.Context, spec store.Search, id string) (p store.Placement, err error) {
	at, ok := m.at[id]
	if !ok {
		return p, ErrUnkept
	}
	p.Chunk = m.chunk(at)
	if n := slices.IndexFunc(m.Nearest, func(h kept.Hit) bool { return h.Row == at }); n >= 0 {
		p.HasVector, p.Similarity, p.VectorRank = true, m.Nearest[n].Score, n+1
	} else if spec.Vector == nil && m.Rows[at].Child {
		p.HasVector = true // as far as is known: the query has none
	} else if spec.Vector == nil || !m.Coverage.Exact || m.Coverage.Returned >= m.Coverage.Rows {
		return p, ErrUnkept
	}
	k := &m.Keyword
	if n := slices.IndexFunc(k.Rows, func(h kept.KeywordHit) bool { return h.Row == at }); n >= 0 {
		p.HasKeyword, p.KeywordRank, p.KeywordAtLeast, p.Terms = true, n+1, k.Sampled, k.Terms
		p.Keyword.Score = k.Rows[n].Score
		for _, c := range k.Rows[n].Counts {
			p.Keyword.TF = append(p.Keyword.TF, store.FieldCounts{Body: int(c[0]), Heading: int(c[1]), Title: int(c[2])})
		}
	} else if m.foundAllWords() {
		p.Terms = k.Terms
	}
	return p, nil
}

// foundAllWords reports that whatever holds any word of the query was found.
func (m *memory) foundAllWords() bool {
	k, match := &m.Keyword, param.KeywordMatch(m.Coverage.Match)
	return m.Coverage.Keyword && k.Error == "" && !k.Sampled && len(k.Rows) < m.Coverage.Rows &&
		(match == param.MatchAuto || match == param.MatchOr) && !slices.ContainsFunc(k.Terms, func(t store.TermStat) bool { return !t.Used })
}

// Edges are those at nodes all of whose edges were read.
func (m *memory) Edges(_ context.Context, q store.EdgeQuery) (edges []store.Edge, err error) {
	within := q.Scope.IsZero()
	taken := map[int32]bool{}
	for _, id := range q.Nodes {
		at, ok := m.at[id]
		n, read := slices.BinarySearchFunc(m.Graph.Nodes, at, func(n kept.Node, at int32) int { return cmp.Compare(n.Row, at) })
		if !ok || !read {
			return nil, ErrUnkept
		}
		for _, i := range slices.Concat(m.Graph.Nodes[n].Out, m.Graph.Nodes[n].In) {
			e := &m.Graph.Edges[i]
			if taken[i] || !within && (m.Rows[e.Source].Outside || m.Rows[e.Target].Outside) {
				continue
			}
			taken[i] = true
			edges = append(edges, store.Edge{
				ID: e.ID, SourceID: m.Rows[e.Source].ID, TargetID: m.Rows[e.Target].ID, Relation: e.Relation, Weight: e.Weight, Description: e.Description,
			})
		}
	}
	return edges, nil
}

// Deleted is not known.
func (m *memory) Deleted(context.Context) ([]store.Document, error) { return nil, ErrUnkept }
