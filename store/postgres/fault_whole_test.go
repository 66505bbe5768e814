package postgres

import (
	"testing"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// rowsOf are the rows of each document in all tables but that of edges, which
// depend on other documents too, by source URL. What counts changes is left out.
const rowsOf = `SELECT coalesce(jsonb_object_agg(d.source_url, concat_ws(E'\n', (to_jsonb(d) - 'changed')::text,
	(SELECT string_agg(to_jsonb(x)::text, E'\n' ORDER BY x.id) FROM chunks x WHERE x.document_id = d.id),
	(SELECT string_agg(to_jsonb(x)::text, E'\n' ORDER BY x.id) FROM chunk_terms x WHERE x.document_id = d.id),
	(SELECT string_agg(to_jsonb(x)::text, E'\n' ORDER BY x.position) FROM links x WHERE x.document_id = d.id),
	(SELECT string_agg(to_jsonb(x)::text, E'\n' ORDER BY x.key) FROM addresses x WHERE x.document_id = d.id))), '{}')
	FROM documents d`

// betweenDocuments are the rows that several documents have a share in.
const betweenDocuments = `SELECT concat_ws(E'\n',
	(SELECT string_agg(to_jsonb(x)::text, E'\n' ORDER BY x.id) FROM chunk_edges x),
	(SELECT string_agg(to_jsonb(x)::text, E'\n' ORDER BY x.term, x.owner) FROM term_stats x))`

// state is what a corpus holds.
type state struct {
	documents map[string]string
	between   string
}

func stateOf(t testing.TB, dsn string) state {
	t.Helper()
	return state{pgtest.Value[map[string]string](t, dsn, rowsOf), pgtest.Value[string](t, dsn, betweenDocuments)}
}

// eachWhole fails unless every document is either as it was before or as it is
// meant to be, and returns how many are new.
func (got state) eachWhole(t testing.TB, old, meant state) (written int) {
	t.Helper()
	for url := range meant.documents {
		switch got.documents[url] {
		case meant.documents[url]:
			written++
		case old.documents[url]:
		default:
			t.Errorf("%s is\n%s\nwas\n%s\nand is to be\n%s", url, got.documents[url], old.documents[url], meant.documents[url])
		}
	}
	for url := range got.documents {
		if _, known := meant.documents[url]; !known {
			t.Errorf("%s has come out of nowhere", url)
		}
	}
	return written
}

// contradictions counts rows of a corpus that do not fit together.
const contradictions = `SELECT array_remove(ARRAY[
	(SELECT 'sums of ' || count(*) || ' documents' FROM documents d WHERE concat_ws(' ', parent_count, child_count, term_rows, term_length, heading_length, title_length) <>
		(SELECT concat_ws(' ', count(*) FILTER (WHERE chunk_level = 'parent'), count(*) FILTER (WHERE chunk_level = 'child'), count(t.id),
			coalesce(sum(array_length(string_to_array(terms, ' '), 1)), 0), coalesce(sum(array_length(string_to_array(heading_terms, ' '), 1)), 0),
			coalesce(sum(array_length(string_to_array(title_terms, ' '), 1)), 0))
			FROM chunks c LEFT JOIN chunk_terms t ON t.document_id = c.document_id AND t.id = c.id WHERE c.document_id = d.id) HAVING count(*) > 0),
	(SELECT count(*) || ' chunks of another ingestion' FROM chunks c JOIN documents d ON d.id = c.document_id
		WHERE c.ingestion_id IS DISTINCT FROM d.current_ingestion_id HAVING count(*) > 0),
	(SELECT count(*) || ' children without a section' FROM chunks c LEFT JOIN chunks p ON p.document_id = c.document_id AND p.id = c.parent_id AND p.chunk_level = 'parent'
		WHERE c.chunk_level = 'child' AND p.id IS NULL HAVING count(*) > 0),
	(SELECT count(*) || ' sections without children' FROM chunks p WHERE p.chunk_level = 'parent'
		AND NOT EXISTS (SELECT FROM chunks c WHERE c.document_id = p.document_id AND c.parent_id = p.id) HAVING count(*) > 0),
	(SELECT count(*) || ' vectors without a text that was embedded' FROM chunks WHERE embedding IS NOT NULL AND embed_hash IS NULL HAVING count(*) > 0),
	(SELECT count(*) || ' rows of terms' FROM (SELECT * FROM chunks WHERE chunk_level = 'child') c
		FULL JOIN chunk_terms t ON t.document_id = c.document_id AND t.id = c.id
		WHERE t.id IS NULL AND c.terms IS NOT NULL OR t.id IS NOT NULL AND (t.parent_id, t.length, tsvector_to_array(t.ts)) IS DISTINCT FROM
			(c.parent_id, coalesce(array_length(string_to_array(c.terms, ' '), 1), 0),
			ARRAY(SELECT DISTINCT unnest(string_to_array(btrim(concat_ws(' ', c.terms, nullif(t.heading_terms, ''), nullif(t.title_terms, ''))), ' ')) COLLATE "C" ORDER BY 1)) HAVING count(*) > 0),
	(SELECT count(*) || ' counts of terms' FROM term_stats s FULL JOIN
		(SELECT term, coalesce(d.owner, '') AS owner, count(*) AS df FROM chunk_terms c JOIN documents d ON d.id = c.document_id,
			unnest(tsvector_to_array(c.ts)) AS term
			WHERE d.deleted_at IS NULL GROUP BY 1, 2) r
		ON r.term = s.term AND r.owner = s.owner WHERE s.df IS DISTINCT FROM r.df HAVING count(*) > 0),
	(SELECT count(*) || ' edges without an end' FROM chunk_edges e
		LEFT JOIN chunks s ON s.document_id = e.document_id AND s.id = e.source_id AND s.chunk_level = 'parent'
		LEFT JOIN chunks t ON t.document_id = e.target_document_id AND t.id = e.target_id AND t.chunk_level = 'parent'
		WHERE s.id IS NULL OR t.id IS NULL HAVING count(*) > 0),
	(SELECT count(*) || ' links without an edge' FROM links l JOIN chunks c ON c.document_id = l.document_id AND c.id = l.chunk_id
		JOIN addresses a ON a.key = l.target_key AND a.document_id <> l.document_id
		WHERE NOT EXISTS (SELECT FROM chunk_edges e WHERE e.document_id = l.document_id AND e.source_id = coalesce(c.parent_id, c.id)
			AND e.target_document_id = a.document_id AND e.relation = 'references') HAVING count(*) > 0),
	(SELECT count(*) || ' links of no chunk' FROM links l LEFT JOIN chunks c ON c.document_id = l.document_id AND c.id = l.chunk_id
		WHERE c.id IS NULL HAVING count(*) > 0),
	(SELECT count(*) || ' documents without an address' FROM documents d
		WHERE NOT EXISTS (SELECT FROM addresses a WHERE a.document_id = d.id) HAVING count(*) > 0)
]::text[], NULL)`

// consistent fails if the sums, counts and edges of a corpus are not those of its
// documents.
func consistent(t testing.TB, dsn string) {
	t.Helper()
	for _, what := range pgtest.Value[[]string](t, dsn, contradictions) {
		t.Errorf("the corpus contradicts itself: %s", what)
	}
}
