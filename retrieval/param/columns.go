package param

import "slices"

// Change gives one parameter another value. Field is as in [Spec]; From and To
// are values as [Params.Set] reads them.
type Change struct {
	Field, From, To string
}

// Switches are the parameters whose off value leaves out a stage, in the order of
// those.
func Switches() []Spec {
	return slices.DeleteFunc(Specs(), func(s Spec) bool { return !s.Switch })
}

// StageOff is p without a stage, named as in the trace; false for a stage that
// cannot be left out. A stage that is off already leaves p as it is.
func StageOff(p Params, stage string) (Params, bool) {
	specs := table()
	for i := range specs {
		if s := &specs[i]; s.Switch && (s.Stage == stage || s.leaves == stage) {
			err := s.Set(&p, s.Off)
			return p, err == nil
		}
	}
	return p, false
}

// UsedIn reports whether the parameter has a part in what p does: its stage is not
// switched off, and no other value leaves it without effect.
func (s *Spec) UsedIn(p *Params) bool {
	return !(s.Switch && s.Get(p) == s.Off) && (s.usedWhen == nil || s.usedWhen(p))
}

// IdleIn reports whether the parameter has no effect in p for another reason than
// that it switches its own stage off, or only steers this program.
func (s *Spec) IdleIn(p *Params) bool { return s.own || s.usedWhen != nil && !s.usedWhen(p) }

// Waits reports whether a ranking by p waits on a server, for money or seconds.
func (p Params) Waits() bool { return p != p.WithoutWaits() }

// WithoutWaits is p with what waits on a server switched off.
func (p Params) WithoutWaits() Params {
	specs := table()
	for i := range specs {
		if s := &specs[i]; s.waits != nil && slices.Contains(s.waits, s.Get(&p)) {
			_ = s.Set(&p, s.Off) // accepted, as the test of columns holds
		}
	}
	return p
}

// Decides is the stage from which on the parameter can change with p what becomes
// of a candidate: dropped there or later, it may stay. can is false where it
// changes nothing about that, or if it is never suggested, as what only arranges.
func (s *Spec) Decides(p *Params) (stage string, can bool) {
	if s.decides == nil {
		return s.Stage, true
	}
	return s.decides(p)
}

// decidesFrom is a column for what decides from a stage on while something is so.
func decidesFrom(stage string, when func(*Params) bool) func(*Params) (string, bool) {
	return func(p *Params) (string, bool) { return stage, when(p) }
}

// from is a column for what always decides from a stage on.
func from(stage string) func(*Params) (string, bool) {
	return decidesFrom(stage, func(*Params) bool { return true })
}

// always decides whatever was dropped wherever: it changes what is searched, or
// opens another way in.
func always(*Params) (stage string, can bool) { return StageMode, true }

func never(*Params) (stage string, can bool) { return "", false }

// unlessLimited decides how much is searched where [Params.ArmRows] goes by TopK,
// else only how much is returned.
func unlessLimited(p *Params) (stage string, can bool) {
	if p.TopKChildrenLimit == 0 {
		return StageMode, true
	}
	return StageTopK, true
}

func searchesWords(p *Params) bool  { return p.KeywordWeight > 0 }
func fusesRanks(p *Params) bool     { return searchesWords(p) && p.Fusion == FusionRRF }
func addsWords(p *Params) bool      { return searchesWords(p) && p.UsesFeedback() }
func followsEdges(p *Params) bool   { return p.MaxHops > 0 }
func reranks(p *Params) bool        { return p.Reranker != RerankerNone }
func asksAnIndex(p *Params) bool    { return p.Search != SearchExact }
func hasBudget(p *Params) bool      { return p.ContextBudget != Unlimited }
func mayBeWhole(p *Params) bool     { return p.Mode != ModeChunk }
func reranksByScore(p *Params) bool { return p.Reranker == RerankerScore }

// feedsBack says that words would be added if they had a share.
func feedsBack(p *Params) bool {
	return searchesWords(p) && p.FeedbackTerms > 0 && p.takesFeedback()
}

// armsGoByTopK says that nothing but TopK limits the arms.
func armsGoByTopK(p *Params) bool {
	return p.TopKChildrenLimit == 0 && (p.MaxHops == 0 || p.SeedTopK == 0)
}

// LeavesArmOut reports whether the change does without an arm of the search.
func (c Change) LeavesArmOut() bool {
	s := find(c.Field)
	return s != nil && slices.Contains(s.armless, c.To)
}

// MovesFloor reports whether the change is one of where similarities are cut.
func (c Change) MovesFloor() bool {
	return c.Field == FieldSimilarityFloor || c.Field == FieldFloorScale
}
