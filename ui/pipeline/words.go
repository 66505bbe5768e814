package pipeline

import (
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
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

// stageNote is what a stage did beside how many came out of it, in few words.
func stageNote(s *retrieval.Stage) string {
	switch {
	case len(s.Dropped) > 0:
		return wording.Count(len(s.Dropped)) + " dropped"
	case len(s.Merged) > 0:
		return wording.Count(len(s.Merged)) + " merged"
	case s.Added > 0:
		return wording.Count(s.Added) + " added"
	}
	return wording.Line(s.Brief())
}

// stageWords say what a stage did, for a screen that is read aloud.
func stageWords(s *retrieval.Stage) string {
	left, took := "", ""
	if retrieval.StageOf(s.Name).Phase != retrieval.PhasePrepare {
		left = wording.Plural(s.Out, "candidate")
	}
	if s.Duration > 0 {
		took = "took " + wording.Took(s.Duration)
	}
	return wording.Aloud(stageTitle(s.Name), left, stageNote(s), took)
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

// mergedWords say why candidates became one in a stage.
func mergedWords(stage string) string {
	switch stage {
	case param.StageFusion:
		return "found by both searches"
	case param.StageParents:
		return "into the section of a better passage"
	default:
		return "into a neighbour"
	}
}

// toggleWords say what leaving a stage out would change.
func toggleWords(c *retrieval.Comparison) string {
	if c.IsIdentical() {
		return phrase.ChangesNothing
	}
	return phrase.Without.With(len(c.Entered), len(c.Left), len(c.Moved)).String()
}

// valueIn is a value at the right of w cells: its number stands out from what it is a
// number of, as in "rank 12".
func valueIn(s *theme.Styles, value string, w int) string {
	of, number := "", strings.TrimSpace(value)
	if at := strings.LastIndexByte(number, ' '); at >= 0 {
		of, number = number[:at+1], number[at+1:]
	}
	return widget.FitRight("", w-len([]rune(of+number))) + s.Faint.Render(of) + s.Score.Render(number)
}
