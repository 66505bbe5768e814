package postgres

import (
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

func TestTheFormOfAnIndex(t *testing.T) {
	v := &View{store: &Store{}, layout: &layout{schema: "public", foreign: true}}
	for _, c := range []struct {
		vector vectorColumn
		want   string
	}{
		{
			vectorColumn{dims: 3, kind: "vector", index: vectorIndex{expression: "embedding", queryType: "vector", predicate: "(chunk_level = 'child'::text)"}},
			"SELECT c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text, c.embedding <=> $1::vector, true FROM public.chunks c" +
				" WHERE c.chunk_level = 'child' AND c.embedding IS NOT NULL AND (chunk_level = 'child'::text) AND CASE WHEN true AND true THEN true ELSE false END" +
				" ORDER BY c.embedding <=> $1::vector LIMIT $2",
		},
		{
			vectorColumn{dims: 3, kind: "vector", index: vectorIndex{expression: "(embedding::halfvec(3))", queryType: "halfvec(3)"}},
			"SELECT c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text, c.embedding <=> $1::vector, true FROM public.chunks c" +
				" WHERE c.chunk_level = 'child' AND c.embedding IS NOT NULL AND CASE WHEN true AND true THEN true ELSE false END" +
				" ORDER BY (embedding::halfvec(3)) <=> $1::vector::halfvec(3) LIMIT $2",
		},
		{
			vectorColumn{dims: 3, kind: "halfvec", index: vectorIndex{expression: "embedding", queryType: "halfvec"}},
			"SELECT c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text, c.embedding <=> $1::vector::halfvec(3), true FROM public.chunks c" +
				" WHERE c.chunk_level = 'child' AND c.embedding IS NOT NULL AND CASE WHEN true AND true THEN true ELSE false END" +
				" ORDER BY c.embedding <=> $1::vector::halfvec LIMIT $2",
		},
	} {
		v.layout.vector = c.vector
		q := v.nearest([]float32{1, 0, 0}, store.Scope{}, 60, false)
		if q.sql != c.want || len(q.args) != 2 || q.args[1] != 60 {
			t.Errorf("%+v\nis asked\n%s\nwant\n%s", c.vector, q.sql, c.want)
		}
	}
}

// An index that is to be used is asked with nothing beside the conditions of its
// own that the planner could estimate.
func TestAForcedSearchHidesTheScope(t *testing.T) {
	v := &View{store: &Store{opts: Options{Owner: "ann"}}, layout: &layout{schema: "public", vector: vectorColumn{dims: 3, kind: "vector"}}}
	scope := store.Scope{DocumentIDs: []string{"00000000-0000-0000-0000-000000000001"}}
	for forced, want := range map[bool]string{
		true:  "c.embedding IS NOT NULL AND CASE WHEN d.owner = $2 AND ",
		false: "c.embedding IS NOT NULL AND d.owner = $2 AND ",
	} {
		q := v.nearest([]float32{1, 0, 0}, scope, 10, forced)
		if !strings.Contains(q.sql, want) {
			t.Errorf("forced: %v\n%s", forced, q.sql)
		}
		if inside := strings.Index(q.sql, "c.document_id = ANY") > strings.Index(q.sql, "CASE"); inside != forced {
			t.Errorf("forced: %v, the scope is hidden: %v\n%s", forced, inside, q.sql)
		}
	}
}

// Every table of chunks that a search names is joined by its document.
func TestEveryStatementCarriesTheDocument(t *testing.T) {
	v := &View{store: &Store{opts: Options{Owner: "ann"}}, layout: &layout{
		schema: "public", vector: vectorColumn{dims: 3, kind: "vector"},
		documents: map[string]bool{"url": true, "tags": true}, chunks: map[string]bool{"heading_path": true},
	}}
	q := []float32{1, 0, 0}
	scope := store.Scope{SourceURLs: []string{"'; DROP TABLE chunks; --"}, Headings: []string{`"'`}, Tags: []string{"$1"}}
	for name, s := range map[string]statement{
		"nearest": v.nearest(q, scope, 10, false), "forced": v.nearest(q, scope, 10, true),
		"exactly": v.exactly(q, scope, 10), "whole": v.exactlyWhole(q, scope, 10), "count": v.count(scope),
		"before": v.before(&store.Search{Vector: q, Scope: scope}, .5, "00000000-0000-0000-0000-000000000001"),
	} {
		for i, part := range strings.Split(s.sql, "chunks ")[1:] {
			if !strings.Contains(part, "document_id") {
				t.Errorf("%s: chunks %d without a document in\n%s", name, i, s.sql)
			}
		}
		if strings.Contains(s.sql, "DROP") || strings.Contains(s.sql, "ann'") || strings.Contains(s.sql, `"'`) {
			t.Errorf("%s holds a value:\n%s", name, s.sql)
		}
	}
}
