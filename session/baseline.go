package session

import (
	"context"
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// baseline is what the result is compared with.
type baseline struct {
	works  *works
	tuning *tuning
	answer *answer

	// base is the result of the baseline for the present query, nil while it is not
	// known; baseOf is what it was made by.
	base   *retrieval.Result
	baseOf Setting
	// baseAsked is set while the corpus is asked for it, baseFailed when it did not
	// answer.
	baseAsked, baseFailed bool
	// diff is how the result differs from base, and compared the two; unlike says why
	// they cannot be compared.
	diff     *retrieval.Comparison
	compared [2]*retrieval.Result
	unlike   Unlike
}

// Baseline is what the parameters are compared with: what was pinned, or what they
// started from when the comparison began. That searches where they do: against a corpus
// that is sent whole, in reading order, ranks would say nothing.
func (b *baseline) Baseline() Setting {
	of, tokens := b.tuning.against, 0
	if b.answer.result != nil {
		tokens = b.answer.result.Stats.TotalTokens
	}
	if !b.tuning.pinned && b.tuning.params.Mode == param.ModeChunk && of.Params.SendsWhole(tokens) {
		of.Name += " (chunk mode)"
		of.Params.Mode = param.ModeChunk
	}
	return of
}

// DiffersByMode reports whether nothing but the mode tells the parameters from what they
// are compared with, which for that searches, too: then nothing is compared.
func (b *baseline) DiffersByMode() bool {
	return b.tuning.params != b.tuning.against.Params && b.tuning.params == b.Baseline().Params
}

// OverlapDepth is the k of the overlap in [Session.Difference].
const OverlapDepth = 10

// BaselineResult is what the baseline gives for the present query, nil while that is not
// known.
func (b *baseline) BaselineResult() *retrieval.Result { return b.base }

// Difference is how Result differs from that of the baseline, nil while that is not
// known or they are [Unlike].
func (b *baseline) Difference() *retrieval.Comparison { return b.diff }

// Unlike is why Result and that of the baseline cannot be compared, [Alike] where they can.
func (b *baseline) Unlike() Unlike { return b.unlike }

// forget forgets what the baseline gives.
func (b *baseline) forget() {
	b.works.end(KindBaseline)
	b.base, b.baseOf, b.baseAsked, b.baseFailed = nil, Setting{}, false, false
}

// rankBaseline makes the result that the present one is compared with: from the evidence
// if it reaches that far, else by asking the corpus. It is asked once for each.
func (b *baseline) rankBaseline() []Work {
	of := b.Baseline()
	if b.answer.evidence == nil || b.baseOf == of && (b.base != nil || b.baseAsked || b.baseFailed) {
		b.compare()
		return nil
	}
	b.forget()
	b.baseOf = of
	if ok, _ := b.answer.evidence.Covers(of.Params); ok {
		if r, needs := b.answer.evidence.Rank(of.Params, retrieval.Options{Scratch: &b.answer.scratch}); !needs.IsProvisional() {
			b.base = &r
			b.compare()
			return nil
		}
	}
	b.compare()
	if b.works.engine == nil {
		return nil
	}
	b.baseAsked = true
	e, query := b.works.engine, b.answer.query
	return []Work{b.works.begin(KindBaseline, Pause, func(ctx context.Context) Done {
		d := Done{Query: query, Params: of.Params}
		if d.Evidence, d.Err = e.Gather(ctx, retrieval.Query{Text: query}, of.Params); d.Err == nil {
			r, _ := d.Evidence.Rank(of.Params, retrieval.Options{})
			d.Result = &r
		}
		return d
	})}
}

// takeBaseline takes the result of the baseline, and reports whether there is one: without it
// nothing is compared.
func (b *baseline) takeBaseline(d Done) bool {
	b.baseAsked = false
	if d.Err != nil {
		b.baseFailed = true
		return false
	}
	b.base = d.Result
	b.compare()
	return true
}

// compare finds out how the result differs from that of the baseline.
func (b *baseline) compare() {
	b.answer.opened.setParts(b.base)
	b.works.tell(Compared)
	b.unlike = Alike
	if b.base != nil && b.answer.result != nil {
		b.unlike = UnlikeOf(b.base, b.answer.result)
	}
	if b.base == nil || b.answer.result == nil || b.unlike != Alike {
		b.diff, b.compared = nil, [2]*retrieval.Result{}
	} else if of := [2]*retrieval.Result{b.base, b.answer.result}; of != b.compared {
		c := retrieval.Compare(*b.base, *b.answer.result, OverlapDepth)
		b.diff, b.compared = &c, of
	}
}

// Unlike is why two results cannot be compared.
type Unlike int

const (
	// Alike results can be.
	Alike Unlike = iota
	// UnlikeUnits says that one lists sections and the other passages: then no item of one
	// is in the other, whatever they say.
	UnlikeUnits
	// UnlikeOrder says that one ranks what it found, and the other has all of the corpus
	// in the order in which it is read.
	UnlikeOrder
)

// UnlikeOf is why two results cannot be compared, [Alike] where they can.
func UnlikeOf(a, b *retrieval.Result) Unlike {
	if len(a.Items) == 0 || len(b.Items) == 0 {
		return Alike
	}
	section := func(it retrieval.Item) bool { return it.Level == store.Parent }
	switch {
	case (a.Mode == param.ModeFullContext) != (b.Mode == param.ModeFullContext):
		return UnlikeOrder
	case slices.ContainsFunc(a.Items, section) != slices.ContainsFunc(b.Items, section):
		return UnlikeUnits
	}
	return Alike
}
