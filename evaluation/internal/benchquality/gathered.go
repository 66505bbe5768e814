package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// gathered is what both arms know about one query, cut to a depth: each document
// that either returned is one candidate.
type gathered struct {
	*asked
	// places are the candidates' documents, ascending.
	places          []int
	vector, keyword arm
	// ideal is the BM25 score that a text with ever more of every term of the
	// query approaches.
	ideal float64
	scale store.Calibration
}

// arm holds an arm's scores and ranks in the order of the candidates. What it did
// not return has the rank [missing] and the score NaN.
type arm struct {
	scores []float64
	ranks  []int // from 0
}

const missing = -1

// gather cuts what was found to depth rows an arm.
func (k *corpus) gather(a *asked, depth int) *gathered {
	vector, keyword := a.byVector[:min(depth, len(a.byVector))], a.byKeyword[:min(depth, len(a.byKeyword))]
	g := &gathered{asked: a, scale: k.scale, places: slices.Concat(vector, keyword)}
	slices.Sort(g.places)
	g.places = slices.Compact(g.places)
	g.vector, g.keyword = newArm(len(g.places)), newArm(len(g.places))
	for rank, place := range vector {
		g.vector.put(g.candidate(place), rank, a.found.Vector[rank].Similarity)
	}
	for rank, place := range keyword {
		g.keyword.put(g.candidate(place), rank, a.found.Keyword[rank].Score)
	}
	for _, t := range a.found.Terms {
		if t.DF > 0 {
			g.ideal += store.BM25IDF(t.DF, a.found.KeywordRows) * (store.BM25K1 + 1)
		}
	}
	return g
}

func (g *gathered) candidate(place int) int {
	at, _ := slices.BinarySearch(g.places, place)
	return at
}

func newArm(n int) arm {
	a := arm{scores: make([]float64, n), ranks: make([]int, n)}
	for i := range n {
		a.scores[i], a.ranks[i] = math.NaN(), missing
	}
	return a
}

func (a *arm) put(candidate, rank int, score float64) {
	a.scores[candidate], a.ranks[candidate] = score, rank
}

// bounds are the least and the greatest score that is there, 0 and 0 for none.
func bounds(scores []float64) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, s := range scores {
		if !math.IsNaN(s) {
			least, most = min(least, s), max(most, s)
		}
	}
	if least > most {
		return 0, 0
	}
	return least, most
}

// fusion gives each candidate a score.
type fusion func(g *gathered) []float64

// rank lists the candidates' documents by score, equal ones in the order of the
// collection.
func (g *gathered) rank(f fusion) []int {
	scores := f(g)
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	for i, c := range order {
		order[i] = g.places[c]
	}
	return order
}
