package whynot

import (
	"context"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// prober ranks what was gathered for one query with many parameters. What the
// evidence does not cover it gathers anew, once for each way to search.
type prober struct {
	ctx  context.Context
	from source
	base param.Params

	sought target
	// blind says that the query has no vector to compare anything with.
	blind bool
	// rows is how many rows of each arm are gathered.
	rows int
	// gathered is what was gathered, by how.
	gathered map[wayToSearch]retrieval.Evidence
	// own is how many of the words searched for are the query's own.
	own int
	// asked counts the calls of a reranker, first is the evidence of the result in
	// question with what it answered.
	asked int
	first retrieval.Evidence
	// runs counts rankings; err is why there are no more of them.
	runs   int
	err    error
	effort effort
	// scratch is what all rankings work in.
	scratch retrieval.Scratch

	notices []retrieval.Notice
}

// mostAsked bounds the calls of a reranker, each of which costs seconds.
const mostAsked = 4

// errUnranked says that a ranking was not made, because it would cost too much.
var errUnranked = errors.New("not ranked")

// wayToSearch decides what a search returns.
type wayToSearch struct {
	retrieval.SearchWay
	whole bool
}

func wayOf(p param.Params) wayToSearch {
	return wayToSearch{retrieval.WayOf(p), p.Mode != param.ModeChunk}
}

func newProber(ctx context.Context, from source, p param.Params) *prober {
	return &prober{ctx: ctx, from: from, base: p, rows: retrieval.WideRows, gathered: map[wayToSearch]retrieval.Evidence{}}
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
func (pr *prober) evidence(p param.Params) (retrieval.Evidence, error) {
	way := wayOf(p)
	ev, ok := pr.gathered[way]
	if ok {
		if covers, _ := ev.Covers(p); covers {
			return ev, nil
		}
	}
	rows := max(pr.rows, p.ArmRows())
	if ok {
		rows = max(rows, min(2*ev.RowsAsked(), deepest))
		if rows <= ev.RowsAsked() {
			return ev, nil
		}
	}
	ev, err := pr.from.gather(pr.ctx, p, rows)
	if err != nil {
		return retrieval.Evidence{}, err
	}
	ev = ev.WithScoresOf(&pr.first)
	pr.gathered[way] = ev
	return ev, nil
}

// rank is the result that p would give. Without details it has no trace and may
// lack texts. It is false when that would cost too much, or has failed: then err
// says why, and nothing is ranked from then on.
func (pr *prober) rank(p param.Params, details bool) (result retrieval.Result, ok bool) {
	if err := pr.ctx.Err(); err != nil && pr.err == nil {
		pr.err = fmt.Errorf("why not: %w", err)
	}
	if pr.err != nil || pr.effort.isOver() {
		return result, false
	}
	pr.runs++
	ev, err := pr.evidence(p)
	if errors.Is(err, ErrUnkept) {
		pr.effort.unkept = true
		return result, false
	}
	if err == nil {
		result, ev, err = pr.complete(ev, p, details, details && repeatsHTML(&p))
	}
	if err != nil && !errors.Is(err, errUnranked) {
		pr.err = err
		return result, false
	}
	pr.gathered[wayOf(p)] = ev
	pr.effort.spent += workOfRanking(&ev, &result)
	return result, err == nil
}

// repeatsHTML reports whether the texts of what is returned decide what it costs:
// the HTML that passages of a section share is sent once.
func repeatsHTML(p *param.Params) bool {
	return p.Unit == param.UnitChunk && p.SurfacePolicy == param.SurfaceAuto
}

// complete ranks and extends until nothing is missing that could change the order,
// nor, with texts, what is shown.
func (pr *prober) complete(ev retrieval.Evidence, p param.Params, trace, texts bool) (retrieval.Result, retrieval.Evidence, error) {
	for round := 0; ; round++ {
		result, needs := retrieval.Rank(ev, p, retrieval.Options{Trace: trace, Scratch: &pr.scratch})
		if !texts {
			needs.Texts = nil
		}
		if needs.IsZero() || round == mostRounds {
			return result, ev, nil
		}
		if needs.Rerank != nil {
			if pr.asked++; pr.asked > mostAsked {
				pr.effort.unasked = true
				return retrieval.Result{}, ev, errUnranked
			}
		}
		if !pr.effort.allows(&needs) {
			return retrieval.Result{}, ev, errUnranked
		}
		extended, err := pr.from.extend(pr.ctx, ev, needs)
		switch {
		case errors.Is(err, ErrUnkept) && !needs.IsProvisional():
			return result, ev, nil // the order is that of the corpus, without the texts
		case errors.Is(err, ErrUnkept):
			pr.effort.unkept = true
			return retrieval.Result{}, ev, errors.Join(errUnranked, err)
		case err != nil:
			return retrieval.Result{}, ev, err
		}
		ev = extended
	}
}

// mostRounds bounds the rounds of complete: the hops of a graph, one for words,
// one for scores, two for texts.
const mostRounds = param.MostHops + 4

// admits reports whether p lets the target in. What cannot be ranked does not.
func (pr *prober) admits(p param.Params) bool {
	result, ok := pr.rank(p, false)
	return ok && pr.sought.find(&result) != nil
}
