package ui

import (
	"github.com/webrag/webrag-tui/ui/corpus"
	"github.com/webrag/webrag-tui/ui/judge"
	"github.com/webrag/webrag-tui/ui/keys"
	"github.com/webrag/webrag-tui/ui/measure"
	"github.com/webrag/webrag-tui/ui/pipeline"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/sweep"
	"github.com/webrag/webrag-tui/ui/view"
)

// The contexts beside those of panes.
const (
	// onWelcome is the list of results while there is no corpus to ask.
	onWelcome view.Context = "welcome"
	// onPassage is the text of a section while a passage of it is being selected.
	onPassage = reader.Passage
	// onQuery and onFind take text: only keys without a character of their own are
	// bound there.
	onQuery view.Context = "query"
	onFind  view.Context = "find"
)

// placeNames are the contexts as sentences call them.
var placeNames = map[view.Context]string{
	paneResults: "the list of results", panePreview: "the text of a section", paneScore: "the score", paneTune: "the parameters",
	pipeline.Stages: "the stages", pipeline.Outcome: "the outcome of a stage",
	corpus.Pages: "the list of pages", corpus.Page: "the page",
	judge.Candidate: "the candidate", judge.Queries: "the queries of the set", judge.Grading: "judging",
	measure.Table: "the measured queries",
	sweep.Knobs:   "what is swept", sweep.Finding: "what came of a sweep",
	onWelcome: "the welcome", onPassage: "the passage that is selected", onQuery: "the query line", onFind: "the line of what is found",
}

// Sets of contexts.
var (
	inResults = view.Contexts{paneResults}
	inPreview = view.Contexts{panePreview}
	inScore   = view.Contexts{paneScore}
	inTune    = view.Contexts{paneTune}
	inPages   = view.Contexts{corpus.Pages, corpus.Page}
	inStages  = view.Contexts{pipeline.Stages, pipeline.Outcome}
	inWelcome = view.Contexts{onWelcome}
	inPassage = view.Contexts{onPassage}
	inQuery   = view.Contexts{onQuery}
	inFind    = view.Contexts{onFind}

	// reading are the panes about one section of the result.
	reading = view.Contexts{paneResults, panePreview, paneScore}
	// exploring are the panes of the explorer's own view.
	exploring = reading.And(inTune)
	anyPane   = view.AnyPane
	anywhere  = anyPane.And(inPassage, inQuery, inFind)
)

// typing are the contexts in which text is typed.
var typing = view.Contexts{onQuery, onFind}

// CheckKeys reports what is wrong with a user's table of keys; see [keys.New].
func CheckKeys(table []keys.Rebinding) error {
	_, err := Keys(table)
	return err
}

// Keys lists all actions in the order of the help screen, with the keys of a
// user's table; nil gives the defaults. It fails as [CheckKeys] does.
func Keys(table []keys.Rebinding) ([]keys.Info, error) {
	b, err := keys.New(defaultActions(), typing, table)
	return b.List(), err
}
