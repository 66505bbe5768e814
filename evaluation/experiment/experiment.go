// Package experiment asks the queries of a set of a corpus, and ranks what came by any
// number of settings: what [evaluation] measures, from the judgments of [judgment].
//
// A query is asked once for all settings that its evidence reaches; ranking it again
// asks nothing.
//
//	x := experiment.New(set, anchors, experiment.Options{})
//	outcomes, err := x.Try(ctx, deps, []param.Params{a, b}, nil)
//	report := evaluation.Measured(outcomes[0].Answers, evaluation.Options{})
package experiment

import (
	"sync"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
)

// Options say what is asked and what counts.
type Options struct {
	// Query is what all queries have but their texts, such as a scope.
	Query retrieval.Query
	// Level says what is graded.
	//
	// Defaults to the one at which all that was judged counts: whole pages where any was
	// judged as a whole, else passages.
	Level *judgment.Level
	// Judges says whose opinions count.
	//
	// Defaults to everybody's.
	Judges judgment.Keep
	// All asks the queries without judgments as well, as a run that others will judge
	// needs it.
	All bool
}

// Experiment is a query set on one corpus.
type Experiment struct {
	// Questions are the queries that are asked, in the order of the set.
	Questions []*Question
	// Level is what is graded.
	Level judgment.Level
	// Unjudged is the number of queries for which nothing was judged that is still there.
	Unjudged int

	// measuring is held by whoever ranks all questions and keeps what it gathers.
	measuring sync.Mutex
}

// New makes an experiment of a set whose judgments were anchored on the pages of a corpus.
func New(set *judgment.Set, anchors *judgment.Anchors, o Options) *Experiment {
	prepared := anchors.Prepare(o.Judges)
	x := &Experiment{Level: levelOf(prepared)}
	if o.Level != nil {
		x.Level = *o.Level
	}
	for _, query := range set.Queries {
		p := prepared[query.ID]
		if p == nil {
			x.Unjudged++
			if !o.All {
				continue
			}
		}
		q := &Question{Query: query, template: o.Query}
		if p != nil {
			q.grader = p.Grader(x.Level)
		}
		x.Questions = append(x.Questions, q)
	}
	return x
}

func levelOf(prepared map[string]*judgment.Prepared) judgment.Level {
	for _, p := range prepared {
		if _, pages := p.Count(); pages > 0 {
			return judgment.WholePages
		}
	}
	return judgment.Passages
}
