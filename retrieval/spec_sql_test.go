package retrieval_test

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// The statements of the specification of small-to-large retrieval, sections 7, 8
// and 13, word for word but for the marks of the parameters.
const (
	specTokens = `
SELECT COALESCE(SUM(token_end - token_start), 0) AS total_tokens
FROM chunks
WHERE chunk_level = 'parent'
  AND source_url = ANY($1);`
	specDocuments = `
SELECT COUNT(*) AS total_documents
FROM documents
WHERE source_url = ANY($1);`
	specAllParents = `
SELECT
    id, document_id, parent_id, chunk_level,
    chunk_index, section_heading,
    chunk_text, html_text,
    has_table, has_code, has_math,
    has_definition_list, has_admonition, has_steps,
    char_start, char_end, token_start, token_end,
    source_url, fetched_at, depth, title
FROM chunks
WHERE chunk_level = 'parent'
  AND source_url = ANY($1)
ORDER BY depth ASC, source_url, chunk_index ASC;`
	specChildren = `
SELECT
    id, parent_id, document_id,
    chunk_index, section_heading,
    chunk_text, html_text,
    has_table, has_code, has_math,
    has_definition_list, has_admonition, has_steps,
    char_start, char_end, token_start, token_end,
    source_url, fetched_at, depth, title,
    (embedding <=> $1::vector) AS distance
FROM chunks
WHERE chunk_level = 'child'
  AND embedding IS NOT NULL
  AND (embedding <=> $2::vector) < $3
  AND source_url = ANY($4)
ORDER BY distance ASC
LIMIT $5;`
	specParents = `
SELECT
    id, document_id, chunk_index, section_heading,
    chunk_text, html_text,
    has_table, has_code, has_math,
    has_definition_list, has_admonition, has_steps,
    char_start, char_end, token_start, token_end,
    source_url, fetched_at, depth, title
FROM chunks
WHERE id = ANY($1);`
	specParentCount = `
SELECT COUNT(*) FROM chunks
WHERE chunk_level = 'parent'
  AND source_url = ANY($1);`
)

// unscoped takes the condition on source_url out of a statement, which leaves the
// specification's variant without a filter.
func unscoped(statement string) string {
	lines := slices.DeleteFunc(strings.Split(statement, "\n"), func(line string) bool { return strings.Contains(line, "source_url = ANY") })
	statement = strings.Join(lines, "\n")
	if !strings.Contains(statement, ";") {
		statement += ";"
	}
	return strings.ReplaceAll(statement, "$5", "$4")
}

// specification is the second opinion: the algorithm of the specification, step
// by step, on the same tables.
type specification struct {
	conn *pgx.Conn
	p    retrieval.Params
	urls []string
}

func (s *specification) rows(ctx context.Context, t *testing.T, statement string, args ...any) []map[string]any {
	t.Helper()
	switch {
	case s.urls == nil:
		statement = unscoped(statement)
	case statement == specChildren:
		args = slices.Insert(args, 3, any(s.urls))
	case statement != specParents:
		args = append(args, s.urls)
	}
	rows, err := s.conn.Query(ctx, statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToMap)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return list
}

// specResult is what the specification's system returns.
type specResult struct {
	mode      string
	ids       []string
	scores    []float64
	tokens    int64
	documents int64
	parents   int64
}

func idOf(row map[string]any, column string) string {
	id, _ := row[column].([16]byte)
	return formatUUID(id)
}

func formatUUID(id [16]byte) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for i, c := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b.WriteByte('-')
		}
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

func tokensOf(row map[string]any) int64 {
	return int64(row["token_end"].(int32) - row["token_start"].(int32))
}

func (s *specification) retrieve(ctx context.Context, t *testing.T, vector []float32) specResult {
	t.Helper()
	var r specResult
	r.tokens = s.rows(ctx, t, specTokens)[0]["total_tokens"].(int64)
	r.documents = s.rows(ctx, t, specDocuments)[0]["total_documents"].(int64)
	r.parents = s.rows(ctx, t, specParentCount)[0]["count"].(int64)
	if r.tokens <= int64(s.p.FullContextThreshold) {
		r.mode = "full_context"
		for _, row := range s.rows(ctx, t, specAllParents) {
			r.ids, r.scores = append(r.ids, idOf(row, "id")), append(r.scores, 1)
		}
		return r
	}
	r.mode = "chunk"
	v := pgvector.NewVector(vector)
	type scored struct {
		id    string
		score float64
	}
	best := map[string]float64{}
	for _, row := range s.rows(ctx, t, specChildren, v, v, 1-s.p.SimilarityFloor, s.p.TopKChildrenLimit) {
		similarity := 1 - row["distance"].(float64)
		weight := max(1-float64(row["depth"].(int32))*s.p.DepthDecayRate, s.p.DepthFloor)
		parent := idOf(row, "parent_id")
		best[parent] = max(best[parent], similarity*weight)
	}
	var list []scored
	ids := []string{}
	for id, score := range best {
		list, ids = append(list, scored{id, score}), append(ids, id)
	}
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.id, b.id)) })
	sizes := map[string]int64{}
	for _, row := range s.rows(ctx, t, specParents, ids) {
		sizes[idOf(row, "id")] = tokensOf(row)
	}
	used := int64(0)
	for _, one := range list {
		if used+sizes[one.id] > int64(s.p.ContextBudget) {
			if len(r.ids) == 0 {
				r.ids, r.scores = append(r.ids, one.id), append(r.scores, one.score)
			}
			break
		}
		used += sizes[one.id]
		r.ids, r.scores = append(r.ids, one.id), append(r.scores, one.score)
	}
	return r
}

// The preset webrag returns what the statements of its specification do.
func TestWebRAGIsItsSpecification(t *testing.T) {
	t.Parallel()
	g := openGuide(t)
	conn, err := pgx.Connect(t.Context(), g.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	// The specification relies on an index that finds what is nearest; a scan does.
	if _, err := conn.Exec(t.Context(), "SET enable_indexscan = off"); err != nil {
		t.Fatal(err)
	}
	preset, _ := retrieval.Preset(retrieval.PresetWebRAG)
	preset.FloorScale = retrieval.FloorScale("raw")
	changes := []func(p *retrieval.Params){
		func(p *retrieval.Params) { p.SimilarityFloor, p.FullContextThreshold = .1, 0 },
		func(p *retrieval.Params) { p.SimilarityFloor, p.FullContextThreshold, p.ContextBudget = .15, 1000, 900 },
		func(p *retrieval.Params) { p.FullContextThreshold, p.ContextBudget = 100, 1 },
		func(p *retrieval.Params) { p.TopKChildrenLimit, p.SimilarityFloor, p.FullContextThreshold = 7, -1, 0 },
		func(p *retrieval.Params) {
			p.DepthDecayRate, p.DepthFloor, p.SimilarityFloor, p.FullContextThreshold = .3, .2, .05, 0
		},
		func(*retrieval.Params) {},
	}
	scopes := [][]string{nil, {"file:guide/ranking.md", "file:guide/tuning.md", "file:guide/graph.html"}}
	compared := 0
	for i, question := range guideQuestions(t) {
		p := preset
		changes[i%len(changes)](&p)
		spec := specification{conn, p, scopes[i/2%2]}
		vector, err := g.model.EmbedOne(t.Context(), question, embedder.RoleQuery)
		if err != nil {
			t.Fatal(err)
		}
		want := spec.retrieve(t.Context(), t, vector)
		got := g.ask(t, g.database, retrieval.Query{Text: question, Scope: store.Scope{SourceURLs: spec.urls}}, p)
		if string(got.Mode) != want.mode || int64(got.Stats.TotalTokens) != want.tokens || int64(got.Stats.TotalDocuments) != want.documents ||
			int64(got.Stats.TotalParentChunks) != want.parents {
			t.Errorf("%q: mode %s, %+v, want %s, %d tokens, %d documents, %d parents", question, got.Mode, got.Stats, want.mode, want.tokens, want.documents, want.parents)
			continue
		}
		items := slices.Clone(got.Items)
		slices.SortStableFunc(items, func(a, b retrieval.Item) int { return a.Rank - b.Rank })
		if len(items) != len(want.ids) {
			t.Errorf("%q: %d results, want %d", question, len(items), len(want.ids))
			continue
		}
		for k, it := range items {
			if it.ChunkID != want.ids[k] || math.Abs(it.Score-want.scores[k]) > sameScore {
				t.Errorf("%q with changes %d: rank %d is %s with %v, want %s with %v", question, i%len(changes), k+1, it.ChunkID, it.Score, want.ids[k], want.scores[k])
			}
		}
		compared += len(items)
	}
	if compared < 100 {
		t.Errorf("only %d results were compared", compared)
	}
}
