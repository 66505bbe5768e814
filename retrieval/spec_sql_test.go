package retrieval_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
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
	p    param.Params
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
	preset, _ := param.Preset(param.PresetWebRAG)
	preset.FloorScale = param.FloorScale("raw")
	changes := []func(p *param.Params){
		func(p *param.Params) { p.SimilarityFloor, p.FullContextThreshold = .1, 0 },
		func(p *param.Params) { p.SimilarityFloor, p.FullContextThreshold, p.ContextBudget = .15, 1000, 900 },
		func(p *param.Params) { p.FullContextThreshold, p.ContextBudget = 100, 1 },
		func(p *param.Params) { p.TopKChildrenLimit, p.SimilarityFloor, p.FullContextThreshold = 7, -1, 0 },
		func(p *param.Params) {
			p.DepthDecayRate, p.DepthFloor, p.SimilarityFloor, p.FullContextThreshold = .3, .2, .05, 0
		},
		func(*param.Params) {},
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
		compared += sameAnswer(t, fmt.Sprintf("%q with changes %d", question, i%len(changes)), &got, &want)
	}
	if compared < 100 {
		t.Errorf("only %d results were compared", compared)
	}
}

// sameAnswer holds a result against the specification's, and counts what it
// compared.
func sameAnswer(t *testing.T, name string, got *retrieval.Result, want *specResult) (compared int) {
	t.Helper()
	if string(got.Mode) != want.mode || int64(got.Stats.TotalTokens) != want.tokens || int64(got.Stats.TotalDocuments) != want.documents ||
		int64(got.Stats.TotalParentChunks) != want.parents {
		t.Errorf("%s: mode %s, %+v, want %s, %d tokens, %d documents, %d parents", name, got.Mode, got.Stats, want.mode, want.tokens, want.documents, want.parents)
		return 0
	}
	items := slices.Clone(got.Items)
	slices.SortStableFunc(items, func(a, b retrieval.Item) int { return a.Rank - b.Rank })
	if len(items) != len(want.ids) {
		t.Errorf("%s: %d results, want %d", name, len(items), len(want.ids))
		return 0
	}
	for k, it := range items {
		if it.ChunkID != want.ids[k] || math.Abs(it.Score-want.scores[k]) > sameScore {
			t.Errorf("%s: rank %d is %s with %v, want %s with %v", name, k+1, it.ChunkID, it.Score, want.ids[k], want.scores[k])
		}
	}
	return len(items)
}

// systemSettings reads the lines of an environment file as the specification's
// system does: the variables that it has, and its own values for those left out.
func systemSettings(t *testing.T, env string) (p param.Params) {
	t.Helper()
	p.FullContextThreshold, p.ContextBudget, p.TopKChildrenLimit, p.SimilarityFloor = 30000, 40000, 60, .3
	p.DepthDecayRate, p.DepthFloor, p.HNSWEfSearch = .05, .8, 100
	for line := range strings.Lines(env) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Errorf("the system cannot read %q: %v", line, err)
		}
		switch name {
		case "RETRIEVAL_FULL_CONTEXT_THRESHOLD":
			p.FullContextThreshold = int(number)
		case "RETRIEVAL_CONTEXT_BUDGET":
			p.ContextBudget = int(number)
		case "RETRIEVAL_TOP_K_CHILDREN_LIMIT":
			p.TopKChildrenLimit = int(number)
		case "RETRIEVAL_SIMILARITY_FLOOR":
			p.SimilarityFloor = number
		case "RETRIEVAL_DEPTH_DECAY_RATE":
			p.DepthDecayRate = number
		case "RETRIEVAL_DEPTH_FLOOR":
			p.DepthFloor = number
		case "RETRIEVAL_HNSW_EF_SEARCH":
			p.HNSWEfSearch = int(number)
		default:
			t.Errorf("the system has no variable %s", name)
		}
	}
	return p
}

// What profile env writes makes the specification's system return what the program
// returns, also where the floor is on the scale of the corpus.
func TestExportedProfileIsTheSameRetriever(t *testing.T) {
	t.Parallel()
	g := openGuide(t)
	conn, err := pgx.Connect(t.Context(), g.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	if _, err := conn.Exec(t.Context(), "SET enable_indexscan = off"); err != nil {
		t.Fatal(err)
	}
	changes := []string{
		"similarity_floor=0.22 full_context_threshold=0",
		"full_context_threshold=1000 context_budget=2000 depth_decay_rate=0.2 depth_floor=0.5",
		"similarity_floor=0.5 full_context_threshold=0 top_k_children_limit=9",
		"similarity_floor=0.12 floor_scale=raw full_context_threshold=0",
	}
	compared, fell := 0, 0
	for i, question := range guideQuestions(t) {
		profile := param.Profile{Version: 1, Name: "tight", Preset: param.PresetWebRAG}
		profile.Params, _ = param.Preset(profile.Preset)
		for change := range strings.FieldsSeq(changes[i%len(changes)]) {
			field, value, _ := strings.Cut(change, "=")
			if err := profile.Params.Set(field, value); err != nil {
				t.Fatal(err)
			}
		}
		floor, uncalibrated := profile.Params.FloorOn(g.model.Info().Lexical, g.database.Info().Meta.Calibration)
		if uncalibrated {
			t.Fatal("the guide has no scale of cosines")
		}
		var env strings.Builder
		if err := profile.WriteSystemEnv(&env, param.KnownFloor{Floor: floor, Corpus: "guide"}); err != nil {
			t.Fatal(err)
		}
		spec := specification{conn: conn, p: systemSettings(t, env.String())}
		vector, err := g.model.EmbedOne(t.Context(), question, embedder.RoleQuery)
		if err != nil {
			t.Fatal(err)
		}
		want := spec.retrieve(t.Context(), t, vector)
		got := g.ask(t, g.database, retrieval.Query{Text: question}, profile.Params)
		compared += sameAnswer(t, fmt.Sprintf("%q with %s", question, changes[i%len(changes)]), &got, &want)
		if got.Floor.Scale == param.FloorCalibrated && len(got.Items) < 20 {
			fell++
		}
	}
	if compared < 100 || fell < 10 {
		t.Errorf("only %d results were compared, and the calibrated floor cut in %d answers only", compared, fell)
	}
}
