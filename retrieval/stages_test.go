package retrieval_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

func newWorkedResult(t *testing.T, mode string) retrieval.Result {
	return worked(t).set(t, "mode", mode).retrieve(t)
}

// everythingOn is the worked example with no stage switched off.
func everythingOn(t *testing.T) *bench {
	b := worked(t).set(t, "unit", "chunk")
	for _, s := range param.Switches() {
		if b.params.Get(s.Field) != s.Off {
			continue
		}
		on := s.At(.5)
		if !s.Ordered() {
			positions := s.Positions()
			on = positions[slices.IndexFunc(positions, func(value string) bool { return value != s.Off })]
		}
		b.set(t, s.Field, on)
	}
	return b
}

// A parameter says which stage reads it, by the name that the stage has in a trace.
func TestEveryParameterBelongsToAStage(t *testing.T) {
	var stages []string
	for _, r := range []retrieval.Result{everythingOn(t).retrieve(t), newWorkedResult(t, "chunk"), newWorkedResult(t, "full_context")} {
		for _, s := range r.Trace.Stages {
			stages = append(stages, s.Name)
		}
	}
	for _, s := range param.Specs() {
		if !slices.Contains(stages, s.Stage) {
			t.Errorf("%s belongs to the stage %q, which no trace has", s.Field, s.Stage)
		}
	}
}

// stageNames are the names of the stages as package param declares them.
func stageNames(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("param", "stages.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok {
			name, err := strconv.Unquote(text.Value)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		return true
	})
	return names
}

// The table has the stages that are named, each once and in the order of their names,
// and each says what it is. Every mode passes its stages in that order, and phase after
// phase.
func TestStagesRunInOneOrder(t *testing.T) {
	names := stageNames(t)
	if len(names) < 20 {
		t.Fatalf("stages %v", names)
	}
	for i, name := range names {
		if at := retrieval.StageIndex(name); at != i {
			t.Errorf("%s is named as number %d and runs as number %d", name, i, at)
		}
		if spec := retrieval.StageOf(name); spec.Name != name || spec.Title == "" || !strings.HasSuffix(spec.About, ".") {
			t.Errorf("%s: %q, %q", name, spec.Title, spec.About)
		}
	}
	for _, r := range []retrieval.Result{everythingOn(t).retrieve(t), newWorkedResult(t, "chunk"), newWorkedResult(t, "full_context")} {
		last, phase := -1, retrieval.PhasePrepare
		for _, s := range r.Trace.Stages {
			if at := slices.Index(names, s.Name); at <= last {
				t.Errorf("%s is number %d and runs after number %d", s.Name, at, last)
			} else {
				last = at
			}
			of := retrieval.StageOf(s.Name).Phase
			if of < phase {
				t.Errorf("%s runs in phase %d, after one of phase %d", s.Name, of, phase)
			}
			phase = of
		}
	}
	if unknown := retrieval.StageOf("no such stage"); unknown.Title != "no such stage" || unknown.About != "" || retrieval.StageIndex("no such stage") != -1 {
		t.Errorf("an unknown stage is %+v", unknown)
	}
}

// Ablations are in the order of the rows of the parameters: it is that of the stages.
func TestSwitchesAreInTheOrderOfStages(t *testing.T) {
	last := -1
	for _, s := range param.Switches() {
		at := retrieval.StageIndex(s.Stage)
		if at <= last {
			t.Errorf("%s switches off stage %s, number %d, and stands behind number %d", s.Field, s.Stage, at, last)
		}
		last = at
	}
}

// What a parameter switches off does not run: the parameter's row and the stage's
// say the same.
func TestAStageThatIsSwitchedOffDoesNotRun(t *testing.T) {
	w := everythingOn(t)
	names := func() (list []string) {
		for _, s := range w.retrieve(t).Trace.Stages {
			list = append(list, s.Name)
		}
		return list
	}
	on := w.params
	ran := names()
	for _, s := range ran {
		off, ok := param.StageOff(on, s)
		if !ok {
			continue
		}
		w.params = off
		// These two say where the tokens and the forms came from, also without a choice.
		always := s == param.StageBudget || s == param.StageSurface
		if still := slices.Contains(names(), s); still != always {
			t.Errorf("%s runs, switched off: %v", s, still)
		}
	}
	for _, s := range param.Switches() {
		if !slices.Contains(ran, s.Stage) {
			t.Errorf("%s was not tried", s.Stage)
		}
	}
}
