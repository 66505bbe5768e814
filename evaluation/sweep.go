package evaluation

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// SweptQuery is a query whose evidence was gathered once, for all settings.
type SweptQuery struct {
	// ID decides which half the query falls into, see [Swept.Choose].
	ID       string
	Evidence retrieval.Evidence
	// Score says how good a result is, the more the better. It is called from
	// several goroutines and must not keep the result.
	Score func(*retrieval.Result) float64
}

// Swept is what a sweep measured.
type Swept struct {
	// IDs are those of the queries. Scores[s][q] is the score of setting s for
	// query q.
	IDs    []string
	Scores [][]float64
}

// LackError reports a setting for which the evidence of a query must first be
// extended: without edges, words to compare or a reranker's scores its ranking is
// provisional, and a number measured on it would be of something else.
type LackError struct {
	// Setting and Query are indices of what was given to [Sweep].
	Setting, Query int
	// Needs is what [retrieval.Extend] is to fetch.
	Needs retrieval.Needs
}

func (e *LackError) Error() string {
	lacks := "a reranker's scores"
	switch {
	case len(e.Needs.Edges) > 0:
		lacks = "edges"
	case len(e.Needs.Words) > 0:
		lacks = "the words to compare chunks by"
	}
	return fmt.Sprintf("setting %d needs %s, which query %d was gathered without: extend its evidence first", e.Setting, lacks, e.Query)
}

// Sweep ranks every query with every setting. It bisects nothing, as the search for
// breakpoints does: a score may differ from every value to the next, and which
// setting is best is not known before all are measured. Nothing is searched, embedded or
// read again: a setting that reaches beyond the evidence is an error that says
// what to gather, or a [LackError]. Texts may be missing; Score sees none then. It
// uses all cores; the same input gives the same output.
func Sweep(ctx context.Context, queries []SweptQuery, settings []param.Params) (Swept, error) {
	swept := Swept{IDs: make([]string, len(queries)), Scores: make([][]float64, len(settings))}
	for i := range queries {
		swept.IDs[i] = queries[i].ID
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for s := range settings {
		g.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				swept.Scores[s], err = sweepOne(queries, settings[s], s)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return Swept{}, fmt.Errorf("sweep: %w", err)
	}
	return swept, nil
}

func sweepOne(queries []SweptQuery, p param.Params, setting int) ([]float64, error) {
	scores := make([]float64, len(queries))
	for i := range queries {
		q := &queries[i]
		if ok, why := q.Evidence.Covers(p); !ok {
			return nil, fmt.Errorf("setting %d: what was gathered for query %q does not reach that far: %s", setting, q.ID, why)
		}
		res, needs := retrieval.Rank(q.Evidence, p, retrieval.Options{})
		if needs.IsProvisional() {
			return nil, &LackError{Setting: setting, Query: i, Needs: needs}
		}
		scores[i] = q.Score(&res)
	}
	return scores, nil
}

// Choice is a setting that is best on some of the queries, and what it is worth on
// the others, which is what counts: on the queries that it was chosen on, luck
// counts too.
type Choice struct {
	// Setting is its index.
	Setting int
	// On is the mean score on the Chosen queries that it was chosen on, Held that
	// on the others.
	On, Held float64
	// Chosen and Others are how many queries these are.
	Chosen, Others int
}

// Choose splits the queries in two by a hash of seed and id and chooses a setting
// on each half: the one with the highest mean, of equal ones the first. Where a
// half is empty nothing can be held out, and the means of it are 0. Without any
// setting the index is -1.
func (s *Swept) Choose(seed uint64) [2]Choice {
	second := make([]bool, len(s.IDs))
	for i, id := range s.IDs {
		second[i] = inSecondHalf(seed, id)
	}
	return [2]Choice{s.choose(second, false), s.choose(second, true)}
}

func (s *Swept) choose(second []bool, half bool) Choice {
	best := Choice{Setting: -1}
	for i, scores := range s.Scores {
		c := Choice{Setting: i}
		for q, score := range scores {
			if second[q] == half {
				c.On += score
				c.Chosen++
			} else {
				c.Held += score
				c.Others++
			}
		}
		c.On /= float64(max(1, c.Chosen))
		c.Held /= float64(max(1, c.Others))
		if best.Setting < 0 || c.On > best.On {
			best = c
		}
	}
	return best
}

func inSecondHalf(seed uint64, id string) bool {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, seed))
	h.Write([]byte(id))
	// The lowest bit of FNV depends on the lowest bits of the input alone.
	return h.Sum64()>>32&1 == 1
}
