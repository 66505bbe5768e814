package session

import (
	"context"
	"errors"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// answer is the query, what was gathered for it, and the ranking of that.
type answer struct {
	works  *works
	tuning *tuning
	opened *opened

	// asked is the query that was last sent; asking says that its answer is under way.
	asked  string
	asking bool
	// evidence is what was gathered for query, result what ranking it by rankedBy gave;
	// both are nil before there is an answer.
	query    string
	evidence Evidence
	result   *retrieval.Result
	rankedBy tuned
	// provisional says that result stands only until more is fetched.
	provisional bool
	id          EvidenceID
	// answers is id.Answers of the answer that result ranks.
	answers int
	// scratch is what the rankings work in that are made while a frame may be waiting.
	scratch retrieval.Scratch
	// pending says why the parameters need more than the evidence while that is
	// fetched; unasked is why the corpus did not give it.
	pending string
	unasked error
	// termsOf is a query that brought nothing, terms what was found of its words.
	termsOf string
	terms   TermMatch
}

// EvidenceID tells the evidences of a session apart.
type EvidenceID struct {
	// Answers counts the queries that were answered, Gathers how often more was
	// gathered for one of them.
	Answers, Gathers int
}

// explainedAtOnce is the most sections that are explained at once: a microsecond or
// more each, while a frame may be waiting.
const explainedAtOnce = 2000

// recorders are what is recorded of a ranking beside its order.
func recorders() retrieval.Options { return retrieval.Options{Trace: true, Explain: true} }

// gather asks a query.
func (a *answer) gather(query string) []Work {
	if a.works.engine == nil {
		return nil
	}
	if query != a.query {
		a.works.end(KindAdmit) // a change that is made for one query is none for another
	}
	a.asked, a.asking = query, true
	e, p := a.works.engine, a.tuning.params
	return []Work{a.works.begin(KindAnswer, 0, func(ctx context.Context) Done {
		ev, err := e.Gather(ctx, retrieval.Query{Text: query}, p)
		return Done{Query: query, Params: p, Evidence: ev, Err: err}
	})}
}

// Stop cancels the query that is being answered. What was answered before stays.
func (a *answer) Stop() {
	a.works.end(KindAnswer)
	a.asking = false
}

// forget forgets what was answered.
func (a *answer) forget() {
	a.works.end(KindEvidence, KindExplanation, KindAdmit)
	a.evidence, a.result, a.query, a.pending, a.unasked = nil, nil, "", "", nil
	a.works.tell(ResultChanged)
}

// take takes the evidence of another query.
func (a *answer) take(d Done) {
	a.evidence, a.query = d.Evidence, d.Query
	a.id.Answers++
}

// rank ranks the evidence by the parameters, if it reaches that far. Otherwise the
// result stays until the corpus was asked.
func (a *answer) rank() []Work {
	a.works.end(KindEvidence, KindExplanation)
	a.pending, a.unasked = "", nil
	a.works.tell(Ranked)
	p := a.tuning.params
	covered, why := a.evidence.Covers(p)
	record := recorders()
	// So many cannot be explained within a frame: they are once the parameters rest.
	bare := a.result != nil && len(a.result.Items) > explainedAtOnce
	if bare {
		record = retrieval.Options{}
	}
	record.Scratch = &a.scratch
	result, needs := a.evidence.Rank(p, record)
	switch {
	case !covered:
		a.pending = why
	case needs.IsProvisional():
		a.pending = "edges, words or scores have to be fetched"
	}
	if a.pending == "" || a.result == nil || a.answers != a.id.Answers {
		a.show(&result)
		a.works.tell(ResultChanged)
	}
	switch {
	case a.pending != "" || !needs.IsZero():
		return a.gatherMore(covered)
	case bare:
		ev := a.evidence
		return []Work{a.works.begin(KindExplanation, Pause, func(context.Context) Done {
			r, _ := ev.Rank(p, recorders())
			return Done{Params: p, Result: &r}
		})}
	}
	return nil
}

// gatherMore fetches what the parameters need beyond the evidence, and texts. covered
// says that no new search is needed for that.
func (a *answer) gatherMore(covered bool) []Work {
	if a.works.engine == nil {
		return nil
	}
	e, query, ev, p := a.works.engine, a.query, a.evidence, a.tuning.params
	return []Work{a.works.begin(KindEvidence, Pause, func(ctx context.Context) Done {
		d := Done{Query: query, Params: p}
		if covered {
			d.Evidence, d.Err = e.Complete(ctx, ev, p)
		} else {
			d.Evidence, d.Err = e.Gather(ctx, retrieval.Query{Text: query}, p)
		}
		return d
	})}
}

// extend takes evidence that reaches as far as the parameters, and reports whether there
// is any.
func (a *answer) extend(d Done) bool {
	a.pending = ""
	if d.Err != nil {
		if !errors.Is(d.Err, context.Canceled) {
			a.unasked = d.Err
		}
		return false
	}
	a.evidence = d.Evidence
	a.id.Gathers++
	// What was fetched is enough by construction: a second round would mean that the
	// corpus changes under it, and the next change of parameters asks again.
	result, _ := a.evidence.Rank(a.tuning.params, recorders())
	a.show(&result)
	a.works.tell(Ranked | ResultChanged)
	return true
}

// show takes a result of the present parameters: what is pending makes it provisional.
func (a *answer) show(r *retrieval.Result) {
	a.opened.setParts(r)
	a.result, a.answers, a.rankedBy = r, a.id.Answers, tuned{a.tuning.start, a.tuning.params}
	a.provisional = a.pending != ""
}

// IsCurrent reports whether Result is the ranking by the present parameters, of which
// texts may be missing: only then is it looked into by them.
func (a *answer) IsCurrent() bool {
	return a.result != nil && a.pending == "" && !a.provisional && a.rankedBy.params == a.tuning.params
}

// matchTerms looks whether the corpus has any word of a query that brought nothing: the
// search itself may have left words alone. It does so once for each query.
func (a *answer) matchTerms() []Work {
	r := a.result
	if a.works.engine == nil || r == nil || len(r.Items) > 0 || r.Mode != param.ModeChunk || a.termsOf == a.query {
		return nil
	}
	a.termsOf, a.terms = a.query, TermMatch{}
	e, query, p := a.works.engine, a.query, a.tuning.params
	return []Work{a.works.begin(KindTerms, 0, a.works.replayable(Done{Query: query, Asked: []string{AskedTerms}}, func(ctx context.Context, d *Done) {
		// Without an answer there is nothing to say: the results stand as they are.
		d.Terms, d.Err = e.MatchTerms(ctx, retrieval.Query{Text: query}, p)
	}))}
}

// forgetTerms forgets what was found of the words, and stops looking.
func (a *answer) forgetTerms() {
	a.works.end(KindTerms)
	a.termsOf, a.terms = "", TermMatch{}
}

// candidates is how many a ranking has to do with.
func (a *answer) candidates() int {
	if a.result == nil {
		return 0
	}
	return a.result.ChildrenFound + a.result.KeywordFound + len(a.result.Items)
}

// Asked is the query that was last sent, answered or not; empty for none.
func (a *answer) Asked() string { return a.asked }

// Asking reports whether a query is being answered.
func (a *answer) Asking() bool { return a.asking }

// Query is the query that Result answers, empty while there is none.
func (a *answer) Query() string { return a.query }

// Evidence is what was gathered for Query, nil while there is none.
func (a *answer) Evidence() Evidence { return a.evidence }

// EvidenceID tells Evidence from earlier ones.
func (a *answer) EvidenceID() EvidenceID { return a.id }

// Result is the ranking of the evidence, nil while there is none. It may be by earlier
// parameters, see IsCurrent.
func (a *answer) Result() *retrieval.Result { return a.result }

// RankedBy is what Result was ranked by: the parameters, and the preset or profile that
// they started from. It is of use where there is a Result.
func (a *answer) RankedBy() (start Setting, p param.Params) {
	if a.rankedBy.params == a.tuning.params {
		return a.tuning.start, a.tuning.params // they may have been saved in the meantime
	}
	return a.rankedBy.start, a.rankedBy.params
}

// Pending says why the parameters need more than the evidence, as long as that is being
// fetched; then it is empty.
func (a *answer) Pending() string { return a.pending }

// Unasked is why the corpus did not give what the parameters need, nil when it did: texts
// where Result is by these, see IsCurrent, else more than the evidence has.
func (a *answer) Unasked() error { return a.unasked }

// TermMatch is what is known of the words of a query that brought nothing.
func (a *answer) TermMatch() TermMatch {
	if a.termsOf != a.query {
		return TermMatch{}
	}
	return a.terms
}
