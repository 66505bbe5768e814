package postgres

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// scorer computes the BM25 sums of many matches.
type scorer struct {
	found *store.Found
	// places is where among the query's distinct terms each of its words is, -1 for
	// what is no term.
	places []int
}

func newScorer(q *keyword.Query, spec *store.Search, found *store.Found) scorer {
	at := make(map[string]int, len(q.Terms))
	for i, t := range q.Terms {
		at[t.Text] = i
	}
	s := scorer{found: found, places: make([]int, len(spec.Terms))}
	for i, word := range spec.Terms {
		place, ok := at[word]
		if !ok {
			place = -1
		}
		s.places[i] = place
	}
	return s
}

// of adds up the shares in the order of the query's words, as Found.Shares gives
// them, so that the sum is the same to the last bit.
func (s scorer) of(m *match) float64 {
	var sum float64
	for i, place := range s.places {
		if place >= 0 {
			sum += store.BM25F(s.found.Terms[i], m.counts[place], m.length, s.found.KeywordRows, s.found.AvgLength, s.found.Fields)
		}
	}
	return sum
}

// heldTerms returns the places of the terms that any child holds; the others need
// not be counted.
func heldTerms(q *keyword.Query) []int {
	var held []int
	for i, t := range q.Terms {
		if t.DF > 0 {
			held = append(held, i)
		}
	}
	return held
}

// rankWeights are the weights with which ts_rank counts the places of a body alone.
const rankWeights = "'{1,0,0,0}'"

// rankScale is what ts_rank says of a term with 1, 2, ... places in a body. It grows
// with their number and depends on nothing else, not on the places in headings and
// titles behind them, so that the number can be read off it: the cheapest way to get
// a count out of a tsvector. The scale is the server's own, so that no version's
// formula is taken for granted.
type rankScale []float32

// queueScale asks the server for its scale: 0 where places behind the body count.
func queueScale(batch *pgx.Batch, scale *rankScale) {
	batch.Queue(`
		SELECT array_agg(CASE s.body WHEN s.named THEN s.body ELSE 0 END ORDER BY s.n)
		FROM (SELECT t.n, ts_rank(`+rankWeights+`, t.ts, 'a'::tsquery), ts_rank(`+rankWeights+`, t.ts || 'a:1B,2A'::tsvector, 'a'::tsquery)
			FROM (SELECT n, ('a:' || (SELECT string_agg(i::text, ',') FROM generate_series(1, n) i))::tsvector
				FROM generate_series(1, $1::int) n) t (n, ts)) s (n, body, named)`, record.MaxLexemePositions).QueryRow(func(row pgx.Row) error {
		return row.Scan((*[]float32)(scale))
	})
}

// usable reports whether the scale tells all counts apart. If not, all children
// are counted by their terms.
func (s rankScale) usable() bool {
	for i, rank := range s {
		if rank <= 0 || i > 0 && rank <= s[i-1] {
			return false
		}
	}
	return len(s) > 0
}

// count returns the number of places that gives a rank. Another server of a
// cluster may round differently: the nearest counts.
func (s rankScale) count(rank float32) int {
	if rank <= 0 {
		return 0
	}
	i, exact := slices.BinarySearch(s, rank)
	switch {
	case exact, i == 0:
		return i + 1
	case i == len(s), rank-s[i-1] < s[i]-rank:
		return i
	}
	return i + 1
}
