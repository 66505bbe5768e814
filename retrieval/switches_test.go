package retrieval

import (
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// A stage that can be off has a parameter that switches it off, and what a parameter
// switches off can be off: its row says when it is on.
func TestWhatCanBeOffHasASwitch(t *testing.T) {
	// These two say where the tokens and the forms came from, also without a choice.
	always := []*StageSpec{&budgetStage, &surfaceStage}
	for _, s := range stageTable {
		p, ok := param.StageOff(param.Params{}, s.Name)
		runs := s.on == nil
		for _, a := range always {
			runs = runs && a != s
		}
		if ok == runs {
			t.Errorf("%s can be off: %v, and a parameter switches it off: %v", s.Name, !runs, ok)
		}
		if ok && s.on != nil && s.on(&p) {
			t.Errorf("%s is on with %+v, where it is switched off", s.Name, p)
		}
	}
}
