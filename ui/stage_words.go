package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
)

// stageTitle is a stage as the screen calls it.
func stageTitle(name string) string {
	switch name {
	case retrieval.StageMinScore:
		return "least score"
	case retrieval.StageTopK:
		return "top k"
	case retrieval.StageGrouping:
		return "group"
	default:
		return oneLine(name)
	}
}

// stageAbout says in a sentence what a stage does.
func stageAbout(name string) string {
	switch name {
	case retrieval.StageMode:
		return "A corpus within the threshold is sent whole; a larger one is searched."
	case retrieval.StageEmbed:
		return "The query becomes a vector."
	case retrieval.StageVector:
		return "The children nearest to the query's vector, by cosine."
	case retrieval.StageKeyword:
		return "The children that hold the query's words, by BM25."
	case retrieval.StageLoad:
		return "All sections, in reading order."
	case retrieval.StageFloor:
		return "Children whose cosine is not above the floor fall."
	case retrieval.StageLimit:
		return "Each arm hands on so many rows."
	case retrieval.StageFusion:
		return "The arms' ranks become one score."
	case retrieval.StageParents:
		return "Children lift to their sections; the best child gives the score."
	case retrieval.StageGraph:
		return "Edges lead from what was found to more sections."
	case retrieval.StageDepth:
		return "What is far from the start page loses some of its score."
	case retrieval.StageRecency:
		return "What is old loses some of its score."
	case retrieval.StageDedup:
		return "Sections that repeat a better one fall."
	case retrieval.StageRerank:
		return "A model scores the best sections anew."
	case retrieval.StageMinScore:
		return "Sections below the least score fall."
	case retrieval.StageTopK:
		return "The first k sections are kept."
	case retrieval.StageMerge:
		return "Passages that touch become one."
	case retrieval.StageBudget:
		return "Sections are taken, best first, until the tokens are spent."
	case retrieval.StageOverflow:
		return "What does not fit the budget falls."
	case retrieval.StageGrouping:
		return "Sections of a page stand together, in reading order."
	case retrieval.StageSurface:
		return "Sections that markdown would spoil are sent as HTML."
	default:
		return ""
	}
}

// withoutTitle says what the parameters are without a stage.
func withoutTitle(name string, p retrieval.Params) string {
	if name == retrieval.StageMode {
		return "in " + modeName(p.Mode)
	}
	return "without " + stageTitle(name)
}

// stageNote is what is worth saying of a stage beside how many came out of it: in
// few words, for the line of stages.
func stageNote(s *retrieval.Stage, minus string) string {
	switch {
	case len(s.Dropped) > 0:
		return minus + count(len(s.Dropped))
	case len(s.Merged) > 0:
		return count(len(s.Merged)) + " merged"
	case s.Added > 0 && s.In > 0:
		return "+" + count(s.Added)
	case s.Name == retrieval.StageMode && len(s.Notes) > 1:
		mode, _, _ := strings.Cut(s.Notes[1], ":")
		return strings.ReplaceAll(oneLine(mode), "_", " ")
	case s.Name == retrieval.StageVector && slices.ContainsFunc(s.Notes, func(n string) bool { return strings.HasPrefix(n, "not used") }):
		return "not used"
	case s.Name == retrieval.StageEmbed && len(s.Notes) > 0:
		return strings.Replace(oneLine(s.Notes[0]), "dimensions", "dims", 1)
	case slices.Contains([]string{
		retrieval.StageVector, retrieval.StageKeyword, retrieval.StageParents, retrieval.StageFusion,
		retrieval.StageLoad, retrieval.StageBudget, retrieval.StageOverflow,
	}, s.Name):
		return "" // what they note is a sentence
	case s.Name == retrieval.StageSurface && len(s.Notes) > 0:
		sent, _, _ := strings.Cut(oneLine(s.Notes[0]), ",")
		return sent
	case len(s.Notes) > 0:
		return oneLine(s.Notes[0])
	}
	return ""
}

// stageCount is how many candidates leave a stage, empty before there are any.
func stageCount(s *retrieval.Stage) string {
	if s.Name == retrieval.StageMode || s.Name == retrieval.StageEmbed {
		return ""
	}
	return count(s.Out)
}

// flowsInto says that candidates pass through a stage: those before the search
// have none yet.
func flowsInto(s *retrieval.Stage) bool { return s.In > 0 || s.Out > 0 }

// toggleWords say what leaving a stage out would change.
func toggleWords(c *retrieval.Comparison) string {
	if c.IsIdentical() {
		return "changes nothing"
	}
	return fmt.Sprintf("%d enter, %d leave, %d move", len(c.Entered), len(c.Left), len(c.Moved))
}
