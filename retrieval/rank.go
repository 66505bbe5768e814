package retrieval

// Rank orders the evidence. It is pure and deterministic: the same evidence and
// parameters give the same result, and it neither waits nor asks the time.
//
// Without texts the result is complete but for ChunkText and HTMLText, and Needs
// lists the sections whose texts to fetch with [Extend]. Parameters that reach
// beyond the evidence (see [Evidence.Covers]) give what the evidence holds and a
// notice.
func Rank(ev Evidence, p Params, o Options) (Result, Needs) {
	r := &ranking{ev: &ev, p: p, o: o}
	r.res.Budget = p.ContextBudget
	r.res.QueryVector = ev.vector
	r.res.Timing = Timing{Embed: ev.timing.embed, Search: ev.timing.search(), Total: ev.timing.embed + ev.timing.search()}
	r.res.Stats = CorpusStats{TotalDocuments: ev.stats.Documents, TotalParentChunks: ev.stats.Parents, TotalTokens: ev.stats.Tokens}
	if o.Trace {
		r.res.Trace = &Trace{}
	}
	r.settle()
	if !r.nothingToRank() {
		r.measure()
		r.run()
	}
	r.report()
	return r.res, r.needs()
}

// ranking is one run of Rank: the candidates between two stages and what is
// being made of them.
type ranking struct {
	ev *Evidence
	p  Params
	o  Options

	// children are the candidates until they become sections: a prefix of the
	// evidence, whose order is the ranking.
	children []childRow
	// belowFloor and beyondLimit are what the first stages cut off.
	belowFloor, beyondLimit []childRow
	orphans                 int

	// sections are the candidates from then on. They carry their rank through
	// the grouping.
	sections []section
	// matches holds the matches of all sections, each a run of its own.
	matches []Match
	// unfit are the sections that the budget left out, in the order of leaving.
	unfit []unfit

	res Result
}

// section is a candidate section.
type section struct {
	parent int32
	// best is the highest cosine of its children, multiplier what its depth
	// makes of it, score their product; 1 in full context.
	best, multiplier, score float64
	// matches[from:to] are its children.
	from, to int32
	surface  Surface
	// cost is what the budget counts, used the sum after taking it.
	cost, used int
	rank       int
}

type unfit struct {
	section section
	drop    Drop
}

// stage is a named step from candidates to candidates. It may note what it did
// in s, which is nil unless a trace is wanted.
type stage struct {
	name string
	run  func(r *ranking, s *Stage)
}

// chunkStages are the steps of chunk mode, from children to sections.
func chunkStages() [7]stage {
	return [...]stage{
		{"floor", stageFloor},
		{"limit", stageLimit},
		{"parents", stageParents},
		{"depth", stageDepth},
		{"budget", stageBudget},
		{"grouping", stageGrouping},
		{"surface", stageSurface},
	}
}

// fullContextStages are the steps of full context.
func fullContextStages() [4]stage {
	return [...]stage{
		{"load", stageLoad},
		{"overflow", stageOverflow},
		{"grouping", stageGrouping},
		{"surface", stageSurface},
	}
}

// settle decides the mode and the floor, which no candidate can change.
func (r *ranking) settle() {
	mode, threshold, clamped := decideMode(r.p, r.ev.stats)
	if r.ev.blank && r.p.Mode == ModeAuto {
		mode = ModeFullContext
	}
	r.res.Mode = mode
	if r.res.Trace != nil {
		r.traceMode(threshold)
	}
	if clamped && !r.ev.blank {
		r.noticeClamped()
	}
	var uncalibrated bool
	r.res.Floor, uncalibrated = floorFor(r.p, r.ev.lexical, r.ev.calibration)
	if uncalibrated && !r.ev.blank && !r.ev.isEmpty() {
		r.noticeUncalibrated()
	}
}

// nothingToRank reports the cases in which no stage has anything to do, with
// their notices.
func (r *ranking) nothingToRank() bool {
	switch {
	case r.ev.blank:
		r.noticeBlank()
	case r.ev.isEmpty():
		r.noticeEmpty()
	default:
		if ok, why := r.ev.Covers(r.p); !ok {
			r.noticeBeyond(why)
			return r.res.Mode == ModeFullContext && !r.ev.reach.allParents
		}
		return false
	}
	return true
}

// measure counts what the search found within the limit.
func (r *ranking) measure() {
	limit := min(r.p.TopKChildrenLimit, len(r.ev.children))
	r.res.ChildrenFound = limit
	for i := range r.ev.children[:limit] {
		if !r.res.Floor.passes(r.ev.children[i].similarity) {
			break
		}
		r.res.ChildrenKept++
	}
}

// run passes the candidates through the stages of the mode and makes items of
// what comes out.
func (r *ranking) run() {
	if r.res.Trace != nil {
		r.traceSearch()
	}
	r.children = r.ev.children
	if r.res.Mode == ModeFullContext {
		r.children = nil
		for _, s := range fullContextStages() {
			r.step(s)
		}
	} else {
		for _, s := range chunkStages() {
			r.step(s)
		}
	}
	r.makeItems()
	r.makeBelow()
}

func (r *ranking) step(s stage) {
	if r.res.Trace == nil {
		s.run(r, nil)
		return
	}
	in := r.candidates()
	r.res.Trace.Stages = append(r.res.Trace.Stages, Stage{Name: s.name, In: in})
	rec := &r.res.Trace.Stages[len(r.res.Trace.Stages)-1]
	s.run(r, rec)
	rec.Out = r.candidates()
}

// candidates is how many there are: children before they became sections,
// sections after.
func (r *ranking) candidates() int { return len(r.children) + len(r.sections) }

// needs lists the sections that are shown without a text.
func (r *ranking) needs() Needs {
	var n Needs
	for i := range r.res.Items {
		id := r.res.Items[i].ChunkID
		if _, ok := r.ev.texts[id]; !ok {
			if n.Texts == nil {
				n.Texts = make([]string, 0, len(r.res.Items)-i)
			}
			n.Texts = append(n.Texts, id)
		}
	}
	return n
}
