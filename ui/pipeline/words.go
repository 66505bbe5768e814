package pipeline

import (
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/ui/wording"
)

// stageTitle is a stage as the screen calls it. A recording may name any.
func stageTitle(name string) string { return wording.Line(retrieval.StageOf(name).Title) }

// withoutTitle says what the parameters are without a stage.
func withoutTitle(name string, p param.Params) string {
	if name == param.StageMode {
		return "in " + wording.Mode(p.Mode)
	}
	return "without " + stageTitle(name)
}

// stageNote is what is worth saying of a stage beside how many came out of it: in
// few words, for the line of stages.
func stageNote(s *retrieval.Stage, minus string) string {
	switch {
	case len(s.Dropped) > 0:
		return minus + wording.Count(len(s.Dropped))
	case len(s.Merged) > 0:
		return wording.Count(len(s.Merged)) + " merged"
	case s.Added > 0 && s.In > 0:
		return "+" + wording.Count(s.Added)
	}
	return wording.Line(s.Brief())
}

// stageCount is how many candidates leave a stage, empty before there are any.
func stageCount(s *retrieval.Stage) string {
	if retrieval.StageOf(s.Name).Phase == retrieval.PhasePrepare {
		return ""
	}
	return wording.Count(s.Out)
}

// flowsInto says that candidates pass through a stage: those before the search
// have none yet.
func flowsInto(s *retrieval.Stage) bool { return s.In > 0 || s.Out > 0 }

// toggleWords say what leaving a stage out would change.
func toggleWords(c *retrieval.Comparison) string {
	if c.IsIdentical() {
		return phrase.ChangesNothing
	}
	return phrase.Without.With(len(c.Entered), len(c.Left), len(c.Moved)).String()
}
