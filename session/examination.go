package session

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// Examination is what is found out about one section beyond its ranking: what its cosines
// are made of, and what would change its rank. What is known of it stays while it is
// examined in another ranking.
type Examination struct {
	// Item is the section, nil for none.
	Item *retrieval.Item
	// RankBreakpoints are the changes of one parameter that change its rank, nil while
	// they are not known; Stale says that they are those of the ranking before.
	RankBreakpoints []whynot.RankBreakpoint
	Stale           bool
	// HasCosines says that the section has cosines that can be taken apart, and Cost
	// how many texts doing so has embedded by a server. Asking says that it is being
	// done, Failed why it was not.
	HasCosines bool
	Cost       int
	Asking     bool
	Failed     error
}

// examination looks into one section.
type examination struct {
	works  *works
	tuning *tuning
	answer *answer
	opened *opened

	of Examination
	// cosines are those of the sections that were looked at, by cosineKey.
	cosines map[string]*Cosines
}

// cosinesKept bounds the sections whose cosines are kept: about 10 kB each.
const cosinesKept = 200

// examinePause is how long the section and the parameters rest before they are looked
// into: a ranking has to be made some hundred times.
const examinePause = 180 * time.Millisecond

// cosineKey tells the cosines of sections apart: of one section, other children may match
// with other parameters.
func cosineKey(query string, it *retrieval.Item) string {
	var b strings.Builder
	b.WriteString(query)
	for i := range it.Matches {
		b.WriteByte('\n')
		b.WriteString(it.Matches[i].ChunkID)
	}
	return b.String()
}

// Examine looks into a section, or into the same one in a new ranking, once it has
// rested; nil is none.
func (e *examination) Examine(it *retrieval.Item) []Work {
	x := &e.of
	if it == x.Item {
		return nil
	}
	if it == nil || x.Item == nil || it.ChunkID != x.Item.ChunkID {
		x.RankBreakpoints = nil
	}
	e.works.end(KindExamine, KindCosines, KindRankBreakpoints)
	*x = Examination{Item: it, RankBreakpoints: x.RankBreakpoints, Stale: true, HasCosines: e.hasCosines(it)}
	e.works.tell(Examined)
	if it == nil || e.opened.corpus == nil {
		return nil
	}
	if c := e.opened.corpus.Cosines; c != nil {
		x.Cost = c.Cost(e.answer.query)
	}
	if e.answer.evidence == nil && !x.HasCosines {
		return nil
	}
	return []Work{e.works.begin(KindExamine, examinePause, func(context.Context) Done { return Done{} })}
}

// Examination is what was found out about the section that is examined.
func (e *examination) Examination() *Examination { return &e.of }

// Cosines are those of a section with the present query, taken apart; nil while they are
// not known.
func (e *examination) Cosines(it *retrieval.Item) *Cosines {
	if it == nil || len(it.Matches) == 0 {
		return nil
	}
	return e.cosines[cosineKey(e.answer.query, it)]
}

// hasCosines reports whether an item has cosines that somebody can take apart.
func (e *examination) hasCosines(it *retrieval.Item) bool {
	c := e.opened.corpus
	if c == nil || c.Cosines == nil || e.answer.result == nil || it == nil {
		return false
	}
	for i := range it.Matches {
		if it.Matches[i].Rank > 0 {
			return true
		}
	}
	return false
}

// examine looks into the section that has rested: what costs nothing.
func (e *examination) examine() []Work {
	x := &e.of
	if x.Item == nil || e.opened.corpus == nil {
		return nil
	}
	var work []Work
	if x.Cost == 0 && e.Cosines(x.Item) == nil {
		work = e.OpenCosines()
	}
	return append(work, e.findRankBreakpoints()...)
}

// OpenCosines takes the cosines of the examined section apart, whatever that costs.
func (e *examination) OpenCosines() []Work {
	x := &e.of
	if x.HasCosines = e.hasCosines(x.Item); !x.HasCosines {
		return nil
	}
	c, it, query, vector := e.opened.corpus.Cosines, x.Item, e.answer.query, e.answer.result.QueryVector
	x.Asking, x.Failed = true, nil
	e.works.tell(Examined)
	asked := []string{AskedCosines, it.ChunkID}
	for i := range it.Matches {
		asked = append(asked, it.Matches[i].ChunkID)
	}
	return []Work{e.works.begin(KindCosines, 0, e.works.replayable(Done{Query: query, Asked: asked}, func(ctx context.Context, d *Done) {
		found, err := c.Cosines(ctx, query, vector, it)
		d.Cosines, d.Err = &found, err
	}))}
}

// findRankBreakpoints looks for what would change the rank of the section.
func (e *examination) findRankBreakpoints() []Work {
	if !e.answer.IsCurrent() || e.answer.result.Mode == param.ModeFullContext {
		return nil
	}
	ev, p, id := e.answer.evidence, e.tuning.params, e.of.Item.ChunkID
	return []Work{e.works.begin(KindRankBreakpoints, 0, func(ctx context.Context) Done {
		found := ev.RankBreakpoints(p, id, func() bool { return ctx.Err() != nil })
		return Done{Params: p, RankBreakpoints: found}
	})}
}

// takeCosines takes what the cosines of the section are made of.
func (e *examination) takeCosines(d Done) {
	x := &e.of
	x.Asking = false
	switch {
	case errors.Is(d.Err, context.Canceled):
	case d.Err != nil:
		x.Failed = d.Err
	default:
		if e.cosines == nil || len(e.cosines) >= cosinesKept {
			e.cosines = map[string]*Cosines{}
		}
		e.cosines[cosineKey(d.Query, x.Item)] = d.Cosines
		x.Cost = e.opened.corpus.Cosines.Cost(e.answer.query)
	}
	e.works.tell(Examined | CosinesChanged)
}

// takeRankBreakpoints takes what would change the rank of the section.
func (e *examination) takeRankBreakpoints(d Done) {
	e.of.RankBreakpoints, e.of.Stale = d.RankBreakpoints, false
	e.works.tell(Examined)
}

// forget forgets what is known of the sections of a corpus: two may have the same pages,
// embedded in two ways.
func (e *examination) forget() {
	e.Examine(nil)
	e.cosines = nil
}
