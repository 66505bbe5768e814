package retrieval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// What is asked of an evidence by those who find out why a chunk is missing.

// Query is the query as it was searched: of a very long one the beginning.
func (ev *Evidence) Query() Query { return ev.query }

// IsBlank reports a query that reached neither the embedder nor the store.
func (ev *Evidence) IsBlank() bool { return ev.blank }

// IsLexical reports that similarity is one of words.
func (ev *Evidence) IsLexical() bool { return ev.lexical }

// IsExact reports that every vector in scope was compared, not only those that an
// index came by.
func (ev *Evidence) IsExact() bool { return ev.coverage.exact }

// RowsAsked is how many rows each arm was asked for.
func (ev *Evidence) RowsAsked() int { return ev.coverage.rows }

// RowsFound is how many rows both arms brought.
func (ev *Evidence) RowsFound() int { return len(ev.nearest) + len(ev.keyword.rows) }

// Returned reports whether the vector arm brought a chunk by itself.
func (ev *Evidence) Returned(chunkID string) bool {
	return slices.ContainsFunc(ev.nearest, func(n armRow) bool { return !n.missed && ev.rows[n.row].id == chunkID })
}

// Seeds are the ids of the sections that the arms find with p above floor: from
// where edges would be followed.
func (ev *Evidence) Seeds(p param.Params, floor param.Floor) map[string]bool {
	seeds, limit := map[string]bool{}, p.ArmRows()
	add := func(at int32) { seeds[ev.rows[ev.nodeOf(at)].id] = true }
	rows := 0
	for i := range ev.nearest {
		if n := &ev.nearest[i]; !n.missed && rows < limit && floor.Passes(n.score) {
			add(n.row)
			rows++
		}
	}
	if p.KeywordWeight > 0 {
		for i := range ev.keyword.rows[:min(len(ev.keyword.rows), limit)] {
			add(ev.keyword.rows[i].row)
		}
	}
	return seeds
}

// WithScoresOf is the evidence with what rerankers said about another one of the
// same query, so that they need not be asked again.
func (ev Evidence) WithScoresOf(other *Evidence) Evidence {
	ev.answers = other.answers
	return ev
}

// NoTermMatch reports that none of the query's words occurs in the corpus. It is
// false where no words were counted.
func (ev *Evidence) NoTermMatch() bool {
	return ev.keyword.err.isNone() && ev.keyword.missing == "" && NoTermMatch(ev.keyword.terms)
}

// MatchTerms finds out whether the corpus has any word of a query, by the fields that p
// searches: then none is false. It asks for nothing but how often each word occurs, so
// that a query that brought nothing is not searched for a second time. Where nothing is in
// scope there is nothing to say.
func MatchTerms(ctx context.Context, d Deps, q Query, p param.Params) (none bool, err error) {
	p.KeywordMatch = param.MatchOr
	ev := Evidence{query: Query{Text: cutRunes(q.Text, mostQueryRunes)}}
	spec := store.Search{Scope: q.Scope}
	if ev.askWords(&d, p, &spec); len(spec.Terms) == 0 {
		return false, nil
	}
	view, err := d.Store.Read(ctx)
	if err != nil {
		return false, fmt.Errorf("read corpus %s: %w", d.Store.Info().Name, err)
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	if ev.stats, err = view.Stats(ctx, q.Scope); err != nil || ev.isEmpty() {
		return false, err
	}
	found, err := view.Search(ctx, spec)
	if err != nil {
		return false, fmt.Errorf("search corpus %s: %w", d.Store.Info().Name, err)
	}
	return found.KeywordErr == nil && NoTermMatch(found.Terms), nil
}

// NoTermMatch reports that none of the terms occurs anywhere. Without any there is
// nothing to say, and it is false.
func NoTermMatch(terms []store.TermStat) bool {
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t store.TermStat) bool { return t.DF > 0 })
}

// ExactSearch is what a store is asked for to rank every chunk in the query's scope
// exactly, down to [param.MostRows] in each arm, by the words that p searches by
// even where it gives them no weight. Without a vector that arm is left out. The
// first own of its terms are the query's, the others those of feedback, for which
// view is searched; only that can fail.
func ExactSearch(ctx context.Context, view store.View, d *Deps, q Query, p param.Params, vector []float32) (spec store.Search, own int, err error) {
	spec = store.Search{Scope: q.Scope, Exact: true, Policy: store.PolicySafe}
	if !isZero(vector) {
		spec.Vector, spec.VectorRows = vector, param.MostRows
	}
	q.Text = cutRunes(q.Text, mostQueryRunes)
	ev := Evidence{query: q, coverage: coverage{rows: param.MostRows}}
	ev.askWords(d, p, &spec)
	if own = len(spec.Terms); own > 0 && p.UsesFeedback() {
		spec, err = withFeedback(ctx, view, spec, p)
	}
	return spec, own, err
}
