package sweep

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Terrain says along which parameters there is anything to find: at which of their values the
// queries come out otherwise, when each moves alone.
type Terrain struct {
	// prints are what came of all queries, by parameter and value: alike where all numbers are.
	prints map[string]map[string]uint64
}

// mostSurveyed bounds the rankings of a survey: a few seconds of all cores.
const mostSurveyed = 300_000

// Survey ranks every query by each value of each axis, the other parameters being those of
// the base. It takes as many of the axes, from the first on, as [mostSurveyed] allows, and keeps
// nothing of what it gathers.
func Survey(ctx context.Context, base param.Params, axes []evaluation.Axis, m evaluation.Measure, x *experiment.Experiment, d retrieval.Deps) (*Terrain, error) {
	type place struct{ field, value string }
	var settings []param.Params
	var places []place
	t := &Terrain{prints: map[string]map[string]uint64{}}
	for _, a := range axes {
		if (len(settings)+len(a.Values))*len(x.Questions) > mostSurveyed {
			break
		}
		t.prints[a.Field] = map[string]uint64{}
		for _, value := range a.Values {
			p := base
			if err := p.Set(a.Field, value); err != nil {
				return nil, err
			}
			settings, places = append(settings, p), append(places, place{a.Field, value})
		}
	}
	if len(settings) == 0 {
		return t, nil // nothing is asked then
	}
	err := x.Sweep(ctx, d, settings, experiment.SweepOptions{
		Measures: []evaluation.Measure{m, m.Judged()},
		// A sum does not depend on the order in which queries are through.
		Through: func(question int, by []experiment.Numbers) error {
			for i := range by {
				t.prints[places[i].field][places[i].value] += printOf(question, &by[i])
			}
			return nil
		},
	})
	return t, err
}

// printOf is a number for what came of a query, which other numbers hardly have.
func printOf(question int, n *experiment.Numbers) uint64 {
	h := fnv.New64a()
	all := make([]byte, 0, 64)
	all = binary.LittleEndian.AppendUint64(all, uint64(question))
	for _, score := range n.Scores {
		all = binary.LittleEndian.AppendUint64(all, math.Float64bits(score))
	}
	all = binary.LittleEndian.AppendUint64(all, uint64(n.Returned))
	all = binary.LittleEndian.AppendUint64(all, uint64(n.Tokens))
	_, _ = h.Write(all) // it never fails
	return h.Sum64()
}

// Pieces is into how many pieces the values of an axis fall, in each of which every query has
// the same scores, as many results and as many tokens: 1 where the parameter changes nothing.
// ok is false where a value was not surveyed; a nil t knows none.
func (t *Terrain) Pieces(a evaluation.Axis) (n int, ok bool) {
	if t == nil {
		return 0, false
	}
	var before uint64
	for i, value := range a.Values {
		now, known := t.prints[a.Field][value]
		if !known {
			return 0, false
		}
		if i == 0 || now != before {
			n++
		}
		before = now
	}
	return n, n > 0
}
