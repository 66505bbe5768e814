package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// match is how the words of a query combine in all rows: as in the program.
const match = store.MatchAuto

// asked is what the two arms returned for one query.
type asked struct {
	query exchange.Query
	// grades are those of the judged documents by place, pool all of them, also
	// of documents that are not there.
	grades map[int]int
	pool   *evaluation.Pool
	found  store.Found
	// byVector and byKeyword are the places of the documents that an arm returned, the
	// best first.
	byVector, byKeyword []int
	// unused says that not all words of the query found rows, because they are
	// too common.
	unused bool
	// evidence is what the program gathered, where it was asked.
	evidence retrieval.Evidence
}

// ask searches both arms for every judged query, depth rows each. A repeated word
// counts as often as it stands there, as in the program and in published runs.
func (k *corpus) ask(ctx context.Context, depth int) (_ []*asked, err error) {
	v, err := k.store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	place := make(map[string]int, len(k.Documents))
	for i := range k.Documents {
		place[k.Documents[i].ID] = i
	}
	var all []*asked
	for _, q := range k.Judged() {
		one := &asked{query: q, grades: map[int]int{}, pool: evaluation.NewPool(slices.Collect(maps.Values(k.Qrels[q.ID])))}
		for id, grade := range k.Qrels[q.ID] {
			if at, ok := place[id]; ok {
				one.grades[at] = grade
			}
		}
		if one.found, err = k.search(ctx, v, q.Text, depth); err != nil {
			return nil, fmt.Errorf("query %q: %w", q.ID, err)
		}
		for _, row := range one.found.Vector {
			one.byVector = append(one.byVector, k.at[row.ID])
		}
		for _, row := range one.found.Keyword {
			one.byKeyword = append(one.byKeyword, k.at[row.ID])
		}
		for _, t := range one.found.Terms {
			one.unused = one.unused || t.DF > 0 && !t.Used
		}
		all = append(all, one)
	}
	return all, nil
}

func (k *corpus) search(ctx context.Context, v store.View, text string, depth int) (store.Found, error) {
	vector, err := k.model.EmbedOne(ctx, text, embedder.RoleQuery)
	if err != nil {
		return store.Found{}, err
	}
	if isZero(vector) {
		vector = nil
	}
	found, err := v.Search(ctx, store.Search{
		Vector: vector, VectorRows: depth, Exact: true,
		Terms: store.Terms(text), KeywordRows: depth, Match: match,
	})
	if err != nil {
		return store.Found{}, err
	}
	return found, found.KeywordErr
}

var ndcg10, recall60 = evaluation.MustMeasure("nDCG@10"), evaluation.MustMeasure("R@60")

// score is how good a ranking is: nDCG@10 and Recall@60.
type score struct{ ndcg, recall float64 }

func (s score) String() string { return judged.Figure(s.ndcg) + " " + judged.Figure(s.recall) }

// measure scores a ranking of documents by their places.
func (a *asked) measure(ranking []int) score {
	j := evaluation.Judged{Grades: make([]int, len(ranking)), Pool: a.pool}
	for i, at := range ranking {
		j.Grades[i] = a.grades[at]
	}
	return score{ndcg10.Of(j), recall60.Of(j)}
}

func mean(scores []score) score {
	var sum score
	for _, s := range scores {
		sum.ndcg += s.ndcg
		sum.recall += s.recall
	}
	n := float64(len(scores))
	return score{sum.ndcg / n, sum.recall / n}
}
