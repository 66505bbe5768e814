package whynot

import (
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Ablation is an optional stage left out, compared with the present result.
type Ablation struct {
	Stage string
	// On reports that the stage is not off already; if it is, there is nothing to
	// compare. Change is what switches it off.
	On     bool
	Change param.Change
	// Needs says why the evidence does not reach that far; empty when it does.
	// Comparison is then of what the evidence holds, not of what a search would give.
	Needs      string
	Comparison retrieval.Comparison
}

// Ablations leaves out each optional stage in turn. It ranks once for each stage
// that is on and records nothing, so that it can follow every query. stop, which may be
// nil, is asked before each ranking and ends it early, with nil.
func Ablations(ev retrieval.Evidence, p param.Params, stop func() bool) []Ablation {
	o := retrieval.Options{Scratch: new(retrieval.Scratch)}
	present, _ := retrieval.Rank(ev, p, o)
	switches := param.Switches()
	list := make([]Ablation, len(switches))
	for i, s := range switches {
		list[i] = Ablation{Stage: s.Stage, Change: param.Change{Field: s.Field, From: p.Get(s.Field)}}
		a := &list[i]
		without, ok := param.StageOff(p, s.Stage)
		a.Change.To = without.Get(s.Field)
		if a.On = ok && without != p; !a.On {
			continue
		}
		if stop != nil && stop() {
			return nil
		}
		_, a.Needs = ev.Covers(without)
		result, _ := retrieval.Rank(ev, without, o)
		a.Comparison = retrieval.Compare(present, result, 0)
	}
	return list
}
