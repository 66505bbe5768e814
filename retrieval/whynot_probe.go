package retrieval

import (
	"context"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// prober ranks what was gathered for one query with many parameters. What the
// evidence does not cover it gathers anew, once for each way to search.
type prober struct {
	ctx  context.Context
	d    Deps
	q    Query
	base param.Params

	sought target
	// blind says that the query has no vector to compare anything with.
	blind bool
	// rows is how many rows of each arm are gathered.
	rows int
	// gathered is what was gathered, by how.
	gathered map[wayToSearch]Evidence
	// own is how many of the words searched for are the query's own, feedback the
	// search with those that were added; nil until they are asked for.
	own      int
	feedback *store.Search
	// asked counts the calls of a reranker, answers are those for the result in
	// question.
	asked   int
	answers map[string]rerankAnswer
	// runs counts rankings.
	runs   int
	effort effort

	notices []Notice
}

// mostAsked bounds the calls of a reranker, each of which costs seconds.
const mostAsked = 4

// errUnranked says that a ranking was not made, because it would cost too much.
var errUnranked = errors.New("not ranked")

// wayToSearch are the parameters that decide what a search returns.
type wayToSearch struct {
	search    param.Search
	policy    param.SearchPolicy
	iterative param.IterativeScan
	efSearch  int
	match     param.KeywordMatch
	words     wayOfWords
	whole     bool
}

func wayOf(p param.Params) wayToSearch {
	return wayToSearch{
		search: p.Search, policy: p.SearchPolicy, iterative: p.IterativeScan,
		efSearch: p.HNSWEfSearch, match: p.KeywordMatch, words: weighing(p), whole: p.Mode != param.ModeChunk,
	}
}

func newProber(ctx context.Context, d Deps, q Query, p param.Params) *prober {
	d.Embedder = &remembering{Embedder: d.Embedder}
	return &prober{ctx: ctx, d: d, q: q, base: p, rows: wideRows, gathered: map[wayToSearch]Evidence{}}
}

// remembering embeds a query once, however often it is searched.
type remembering struct {
	embedder.Embedder
	vector []float32
}

func (r *remembering) EmbedOne(ctx context.Context, text string, role embedder.Role) ([]float32, error) {
	if r.vector != nil {
		return r.vector, nil
	}
	vector, err := r.Embedder.EmbedOne(ctx, text, role)
	if err != nil {
		return nil, err
	}
	r.vector = vector
	return vector, nil
}

// gather searches as p says.
func (pr *prober) gather(p param.Params) (Evidence, error) {
	return Gather(pr.ctx, pr.d, pr.q, p)
}

// present is the result in question, with its trace.
func (pr *prober) present(ev Evidence) (Result, error) {
	result, extended, err := pr.settle(ev, pr.base, true, true)
	pr.answers = extended.answers
	return result, err
}

// deepen gathers so that the target is within reach, if a search can be made to
// return it at all. What is ranked with the parameters as they are stays the same,
// since a deeper search begins with the rows of a shallower one.
func (pr *prober) deepen() error {
	for _, rank := range []int{pr.sought.vector.VectorRank, pr.sought.keyword.KeywordRank} {
		if rank <= deepest {
			pr.rows = max(pr.rows, rank)
		}
	}
	_, err := pr.evidence(pr.base)
	return err
}

// evidence is what was gathered the way p searches: both arms, deep enough for p.
func (pr *prober) evidence(p param.Params) (Evidence, error) {
	way := wayOf(p)
	ev, ok := pr.gathered[way]
	if ok {
		if covers, _ := ev.Covers(p); covers {
			return ev, nil
		}
	}
	rows := max(pr.rows, p.ArmRows())
	if ok {
		rows = max(rows, min(2*ev.reach.rows, deepest))
		if rows <= ev.reach.rows {
			return ev, nil
		}
	}
	deep := p
	deep.Reach, deep.MaxHops, deep.TopKChildrenLimit = param.ReachWide, 0, rows
	deep.KeywordWeight = max(p.KeywordWeight, 0.5)
	ev, err := pr.gather(deep)
	if err != nil {
		return Evidence{}, err
	}
	ev.answers = pr.answers
	pr.gathered[way] = ev
	return ev, nil
}

// rank is the result that p would give. Without details it has no trace and may
// lack texts. It fails with errUnranked when it would cost too much.
func (pr *prober) rank(p param.Params, details bool) (Result, error) {
	if err := pr.ctx.Err(); err != nil {
		return Result{}, fmt.Errorf("why not: %w", err)
	}
	if pr.effort.isOver() {
		return Result{}, errUnranked
	}
	pr.runs++
	ev, err := pr.evidence(p)
	if err != nil {
		return Result{}, err
	}
	result, extended, err := pr.settle(ev, p, details, details && repeatsHTML(&p))
	if err == nil || errors.Is(err, errUnranked) {
		pr.gathered[wayOf(p)] = extended
	}
	pr.effort.spent += workOfRanking(&extended, &result)
	return result, err
}

// repeatsHTML reports whether the texts of what is returned decide what it costs:
// the HTML that passages of a section share is sent once.
func repeatsHTML(p *param.Params) bool {
	return p.Unit == param.UnitChunk && p.SurfacePolicy == param.SurfaceAuto
}

// settle ranks and extends until nothing is missing that could change the order,
// nor, with texts, what is shown.
func (pr *prober) settle(ev Evidence, p param.Params, trace, texts bool) (Result, Evidence, error) {
	for round := 0; ; round++ {
		result, needs := Rank(ev, p, Options{Trace: trace})
		if !texts {
			needs.Texts = nil
		}
		if needs.IsZero() || round == mostSettling {
			return result, ev, nil
		}
		if needs.Rerank != nil {
			if pr.asked++; pr.asked > mostAsked {
				pr.effort.unasked = true
				return Result{}, ev, errUnranked
			}
		}
		if !pr.effort.allows(&needs) {
			return Result{}, ev, errUnranked
		}
		extended, err := Extend(pr.ctx, pr.d, ev, needs)
		if err != nil {
			return Result{}, ev, err
		}
		ev = extended
	}
}

// mostSettling bounds the rounds of settle: the hops of a graph, one for words,
// one for scores, two for texts.
const mostSettling = param.MostHops + 4

// admits reports whether p lets the target in. What cannot be ranked does not.
func (pr *prober) admits(p param.Params) (bool, error) {
	result, err := pr.rank(p, false)
	if errors.Is(err, errUnranked) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return pr.sought.find(&result) != nil, nil
}

// spec is what both arms are asked for when the target's own chunks are ranked: the
// words are those of the query in its own scope, feedback included.
func (pr *prober) spec(view store.View, scope store.Scope, vector []float32) (store.Search, error) {
	spec := store.Search{Scope: scope, Exact: true, Policy: store.PolicySafe}
	if len(vector) > 0 && !isZero(vector) {
		spec.Vector, spec.VectorRows = vector, deepest
	}
	ev := Evidence{query: Query{Text: cutRunes(pr.q.Text, mostQueryRunes)}, reach: reach{rows: deepest}}
	ev.askWords(&pr.d, pr.base, &spec)
	if pr.own = len(spec.Terms); pr.own == 0 || !pr.base.UsesFeedback() {
		return spec, nil
	}
	if pr.feedback == nil {
		of := spec
		of.Scope = pr.q.Scope
		found, err := withFeedback(pr.ctx, view, of, pr.base)
		if err != nil {
			return spec, err
		}
		pr.feedback = &found
	}
	spec.Terms, spec.TermWeights = pr.feedback.Terms, pr.feedback.TermWeights
	return spec, nil
}
