package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// stageTitle is a stage as the screen calls it.
func stageTitle(name string) string {
	switch name {
	case param.StageMinScore:
		return "least score"
	case param.StageTopK:
		return "top k"
	case param.StageGrouping:
		return "group"
	default:
		return oneLine(name)
	}
}

// stageAbout says in a sentence what a stage does.
func stageAbout(name string) string {
	switch name {
	case param.StageMode:
		return "A corpus within the threshold is sent whole; a larger one is searched."
	case param.StageEmbed:
		return "The query becomes a vector."
	case param.StageVector:
		return "The children nearest to the query's vector, by cosine."
	case param.StageKeyword:
		return "The children that hold the query's words, by BM25."
	case param.StageLoad:
		return "All sections, in reading order."
	case param.StageFloor:
		return "Children whose cosine is not above the floor fall."
	case param.StageLimit:
		return "Each arm hands on so many rows."
	case param.StageFusion:
		return "The arms' ranks become one score."
	case param.StageParents:
		return "Children lift to their sections; the best child gives the score."
	case param.StageGraph:
		return "Edges lead from what was found to more sections."
	case param.StageDepth:
		return "What is far from the start page loses some of its score."
	case param.StageRecency:
		return "What is old loses some of its score."
	case param.StageDedup:
		return "Sections that repeat a better one fall."
	case param.StageRerank:
		return "A model scores the best sections anew."
	case param.StageMinScore:
		return "Sections below the least score fall."
	case param.StageTopK:
		return "The first k sections are kept."
	case param.StageMerge:
		return "Passages that touch become one."
	case param.StageBudget:
		return "Sections are taken, best first, until the tokens are spent."
	case param.StageOverflow:
		return "What does not fit the budget falls."
	case param.StageGrouping:
		return "Sections of a page stand together, in reading order."
	case param.StageSurface:
		return "Sections that markdown would spoil are sent as HTML."
	default:
		return ""
	}
}

// withoutTitle says what the parameters are without a stage.
func withoutTitle(name string, p param.Params) string {
	if name == param.StageMode {
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
	case s.Name == param.StageMode && len(s.Notes) > 1:
		mode, _, _ := strings.Cut(s.Notes[1], ":")
		return strings.ReplaceAll(oneLine(mode), "_", " ")
	case s.Name == param.StageVector && slices.ContainsFunc(s.Notes, func(n string) bool { return strings.HasPrefix(n, "not used") }):
		return "not used"
	case s.Name == param.StageEmbed && len(s.Notes) > 0:
		return strings.Replace(oneLine(s.Notes[0]), "dimensions", "dims", 1)
	case slices.Contains([]string{
		param.StageVector, param.StageKeyword, param.StageParents, param.StageFusion,
		param.StageLoad, param.StageBudget, param.StageOverflow,
	}, s.Name):
		return "" // what they note is a sentence
	case s.Name == param.StageSurface && len(s.Notes) > 0:
		sent, _, _ := strings.Cut(oneLine(s.Notes[0]), ",")
		return sent
	case len(s.Notes) > 0:
		return oneLine(s.Notes[0])
	}
	return ""
}

// stageCount is how many candidates leave a stage, empty before there are any.
func stageCount(s *retrieval.Stage) string {
	if s.Name == param.StageMode || s.Name == param.StageEmbed {
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
