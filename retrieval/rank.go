package retrieval

import (
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Rank orders the evidence. It is pure and deterministic: the same evidence and
// parameters give the same result, and it neither waits nor asks the time.
//
// Where something is missing, such as edges, scores or texts, the result is what
// the evidence allows, and Needs lists what to fetch with [Extend]. Parameters
// that reach beyond the evidence (see [Evidence.Covers]) give what the evidence
// holds and a notice.
func Rank(ev Evidence, p param.Params, o Options) (Result, Needs) {
	s := o.Scratch
	if s == nil {
		s = new(Scratch)
	}
	s.ev = ev
	r := s.begin(&s.ev, p, o)
	defer s.end()
	r.res.Budget = p.ContextBudget
	r.res.QueryVector = ev.vector
	search := ev.timing.reading()
	r.res.Timing = Timing{Embed: ev.timing.embed, Search: search, Total: ev.timing.embed + search}
	r.res.Stats = CorpusStats{TotalDocuments: ev.stats.Documents, TotalParentChunks: ev.stats.Parents, TotalTokens: ev.stats.Tokens}
	if o.Trace {
		r.res.Trace = &Trace{Stages: make([]Stage, 0, len(stageTable))}
	}
	r.decide()
	if !r.nothingToRank() {
		r.measure()
		r.run()
	}
	r.report()
	r.needTexts()
	return r.res, r.needs
}

// ranking is one run of Rank: the candidates between two stages and what is
// being made of them.
type ranking struct {
	ev *Evidence
	p  param.Params
	o  Options
	// bare says that no items are made of the candidates: only their order counts.
	bare bool
	memory

	// nearest and words are the rows of the arms until they are fused: prefixes of
	// the evidence, whose orders are the rankings. belowFloor, beyondLimit and
	// beyondWords are what the first stages cut off.
	nearest                 []armRow
	words                   []keywordRow
	belowFloor, beyondLimit []armRow
	beyondWords             []keywordRow
	fusing                  fusing

	// found are the children found, best first; they stay when they become
	// sections.
	found   []candidate
	orphans int
	// list are the candidates from then on. They carry their rank through the
	// grouping.
	list []candidate
	// matches holds the matches of all candidates, each a run of its own.
	matches []Match
	// cuts are the candidates that a stage dropped, in the order of dropping.
	cuts []cut

	walk   walk
	scale  string
	answer *rerankAnswer
	// reranked is how many candidates there were when they were reranked.
	reranked int
	// runs are the chunks that were joined, by the row that stands for them.
	runs map[int32][]int32
	// sentHTML are the sections whose HTML stands in the result, so that their
	// children do not repeat it.
	sentHTML map[htmlKey]bool

	// pending says that a stage lacks something, so that what follows is
	// provisional and asks for nothing of its own.
	pending bool
	needs   Needs
	// nodes and places are blocks of what items point to.
	nodes  []Explanation
	places armPlaces
	// depths are explanations of the weights of depths.
	depths map[int]*Explanation
	res    Result
}

// candidate is a child or a section on its way through the stages. It holds no
// pointers, so that moving candidates about costs little, and its size is a multiple
// of 16 bytes: copies of others end in a move that overlaps the one before, for which
// the copy after it has to wait, and sorting copies candidates again and again.
type candidate struct {
	// row is the chunk that would be returned, child the one that was found: of a
	// section its best. child is noRow for what an edge found.
	row, child int32
	// vector and keyword are 1 plus the best rows in the arms, 0 for none;
	// ownVector and ownKeyword are those of child.
	vector, keyword, ownVector, ownKeyword int32
	// fused is the cosine or the fused score of child, score what the last stage
	// made it.
	fused, score float64
	// matches[from:to] are its children.
	from, to int32
	// before is its rank before the reranking, used what the budget counts up to and
	// with it.
	before, used, rank int32
	// hop is how far from a seed an edge found it, 0 for a seed, at most
	// [param.MostHops].
	hop int8
	// reranked says that the reranker scored it, joined that it stands for a run
	// of chunks, html that its HTML is handed on.
	reranked, joined, html bool
}

// cut is a candidate that a stage dropped.
type cut struct {
	candidate candidate
	stage     string
	drop      Drop
}

// decide chooses the mode and the floor, which no candidate can change.
func (r *ranking) decide() {
	r.step(&modeStage)
	var uncalibrated bool
	r.res.Floor, uncalibrated = r.p.FloorOn(r.ev.lexical, r.ev.calibration)
	if uncalibrated && !r.ev.blank && !r.ev.isEmpty() {
		r.note(phrase.NoticeUncalibrated, r.p.SimilarityFloor)
	}
}

// nothingToRank reports the cases in which no stage has anything to do, with
// their notices.
func (r *ranking) nothingToRank() bool {
	switch {
	case r.ev.blank:
		r.note(phrase.NoticeEmptyQuery)
	case r.ev.isEmpty():
		r.noticeEmpty()
	default:
		if ok, why := r.ev.Covers(r.p); !ok {
			r.note(phrase.NoticeBeyondEvidence, why)
			return r.res.Mode == param.ModeFullContext && !r.ev.coverage.allParents
		}
		return false
	}
	return true
}

// measure counts what the arms found within the limit.
func (r *ranking) measure() {
	limit := r.p.ArmRows()
	r.res.ChildrenFound = min(limit, len(r.ev.nearest))
	for i := range r.ev.nearest[:r.res.ChildrenFound] {
		if !r.res.Floor.Passes(r.ev.nearest[i].score) {
			break
		}
		r.res.ChildrenKept++
	}
	if r.p.KeywordWeight > 0 {
		r.res.KeywordFound = min(limit, len(r.ev.keyword.rows))
		r.res.Terms = r.ev.keyword.terms
	}
}

// run passes the candidates through the stages and makes items of what comes out.
func (r *ranking) run() {
	r.pass()
	r.makeItems()
	r.makeNearMisses()
}

// pass passes the candidates through the stages that the mode and the parameters
// have.
func (r *ranking) pass() {
	r.scale = scaleCosine
	for _, s := range stageTable {
		if r.takesPart(s) {
			r.step(s)
		}
	}
}

// candidates is how many there are: rows of the arms before they are fused and
// become sections, candidates after.
func (r *ranking) candidates() int {
	if r.list != nil {
		return len(r.list)
	}
	if r.found != nil {
		return len(r.found)
	}
	return len(r.nearest) + len(r.words)
}

// drop takes a candidate out of the list for good.
func (r *ranking) drop(stage string, c *candidate, d Drop) {
	d.ID = r.ev.rows[c.row].id
	r.cuts = append(r.cuts, cut{*c, stage, d})
}

// keep drops the candidates that do not stay, for the reason given. Those that stay
// move up in the list.
func (r *ranking) keep(stage string, stays func(i int, c *candidate) (bool, Drop)) {
	kept := r.list[:0]
	for i := range r.list {
		c := &r.list[i]
		stay, why := stays(i, c)
		if stay {
			kept = append(kept, *c)
			continue
		}
		why.Rank = i + 1
		r.drop(stage, c, why)
	}
	r.list = kept
}

// dropsOf are the drops of one stage, for the trace.
func (r *ranking) dropsOf(stage string) []Drop {
	var drops []Drop
	for i := range r.cuts {
		if r.cuts[i].stage == stage {
			drops = append(drops, r.cuts[i].drop)
		}
	}
	return drops
}

// needTexts lists the items that are shown without a text.
func (r *ranking) needTexts() {
	if r.pending {
		return
	}
	for i := range r.res.Items {
		it := &r.res.Items[i]
		if r.textless[i] {
			r.needText(it.ChunkID, len(r.res.Items)-i)
		}
		for _, id := range it.Merged {
			if !has(r.ev.texts, id) {
				r.needText(id, len(it.Merged))
			}
		}
	}
}

func (r *ranking) needText(id string, room int) {
	if r.needs.Texts == nil {
		r.needs.Texts = make([]string, 0, room)
	}
	r.needs.Texts = append(r.needs.Texts, id)
}

// less orders candidates by score, and at equal scores by id.
func (r *ranking) less(a, b *candidate) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	case a.row == b.row:
		return 0
	case r.ev.rows[a.row].id < r.ev.rows[b.row].id:
		return -1
	default:
		return 1
	}
}
