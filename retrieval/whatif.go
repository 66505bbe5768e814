package retrieval

import "github.com/webrag/webrag-tui/retrieval/param"

// Toggle is an optional stage left out, compared with the present result.
type Toggle struct {
	Stage string
	// On reports that the stage is not off already; if it is, there is nothing to
	// compare. Change is what switches it off.
	On     bool
	Change param.Change
	// Needs says why the evidence does not reach that far; empty when it does.
	// Comparison is then of what the evidence holds, not of what a search would give.
	Needs      string
	Comparison Comparison
}

// Toggles leaves out each optional stage in turn. It ranks once for each stage
// that is on and records nothing, so that it can follow every query.
func Toggles(ev Evidence, p param.Params) []Toggle {
	present, _ := Rank(ev, p, Options{})
	switches := param.Switches()
	toggles := make([]Toggle, len(switches))
	for i, s := range switches {
		toggles[i] = Toggle{Stage: s.Stage, Change: param.Change{Field: s.Field, From: p.Get(s.Field)}}
		t := &toggles[i]
		without, ok := param.StageOff(p, s.Stage)
		t.Change.To = without.Get(s.Field)
		if t.On = ok && without != p; !t.On {
			continue
		}
		_, t.Needs = ev.Covers(without)
		result, _ := Rank(ev, without, Options{})
		t.Comparison = Compare(present, result, 0)
	}
	return toggles
}
