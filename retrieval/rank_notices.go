package retrieval

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

func (r *ranking) note(n phrase.Notice, parts ...any) {
	r.res.Notices = append(r.res.Notices, Notice{Code: n.Code, Text: n.Words.With(parts...).String(), Warning: n.Warning})
}

func (r *ranking) noticeEmpty() {
	switch {
	case !r.ev.query.Scope.IsZero():
		r.note(phrase.NoticeEmptyScope)
	case r.ev.foreign:
		r.note(phrase.NoticeEmptyForeign)
	default:
		r.note(phrase.NoticeEmptyCorpus)
	}
}

// report adds the notices that depend on what came out, and the statistics of
// the result.
func (r *ranking) report() {
	r.res.Stats.DocumentsMatched = r.res.SourceURLs()
	if r.res.Mode != param.ModeFullContext {
		r.res.ParentsFound = r.countUnits()
	} else if r.ev.coverage.allParents {
		r.res.ParentsFound = len(r.ev.reading)
	}
	if r.ev.blank || r.ev.isEmpty() {
		return
	}
	r.reportSearch()
	if r.res.Mode == param.ModeChunk {
		r.reportArms()
		r.reportGraph()
		r.reportChoice()
	}
	r.reportBudget()
	if r.o.Trace && !r.pending {
		r.reportCrowding()
	}
	if r.ev.changed {
		r.note(phrase.NoticeCorpusChanged)
	}
}

// countUnits is how many sections or chunks the children found came to.
func (r *ranking) countUnits() int {
	return count(r.list, (*candidate).wasFound) + count(r.cuts, func(c *cut) bool { return c.candidate.wasFound() })
}

func (r *ranking) reportSearch() {
	if r.ev.isCut {
		r.note(phrase.NoticeQueryCut, mostQueryRunes)
	}
	words := r.p.KeywordWeight > 0 && len(r.ev.keyword.rows) > 0
	switch kw := &r.ev.keyword; {
	case r.ev.embedErr != "" && r.res.Mode == param.ModeFullContext:
		r.note(phrase.NoticeUnembeddedWhole, r.ev.embedErr)
	case r.ev.embedErr != "" && (kw.missing != "" || kw.err != ""):
		r.noticeNoArm()
	case r.ev.embedErr != "":
		r.note(phrase.NoticeEmbedderFailed, r.ev.embedErr)
	case r.ev.directionless && !words:
		r.note(phrase.NoticeNoWords)
	case r.ev.directionless:
	case len(r.ev.nearest) == 0 && !words:
		r.note(phrase.NoticeNoVectors)
	case len(r.ev.nearest) > 0 && r.res.Mode == param.ModeChunk:
		r.reportFound(words)
	}
}

// reportFound says what became of what similarity found; words says that the other
// arm found something.
func (r *ranking) reportFound(words bool) {
	switch {
	case r.orphans == 0 || r.p.Unit != param.UnitParent:
	case r.p.MissingParent == param.MissingParentDrop:
		r.note(phrase.NoticeOrphansDropped, r.orphans)
	default:
		r.note(phrase.NoticeNoParents, r.orphans)
	}
	if len(r.belowFloor) == len(r.ev.nearest) && !words {
		nearest := &r.belowFloor[0]
		r.note(phrase.NoticeNothingAbove, r.res.Floor, nearest.score, r.whereIs(nearest.row))
	}
	if want := min(r.p.ArmRows(), r.ev.stats.Children); !r.ev.coverage.exact && r.ev.coverage.returned-r.ev.coverage.missed < want {
		r.note(phrase.NoticeUnderReturn, r.ev.coverage.returned-r.ev.coverage.missed, want)
	}
}

// noticeNoArm says why nothing could be searched at all, and what helps.
func (r *ranking) noticeNoArm() {
	kw := &r.ev.keyword
	words, way := phrase.NoArmMissing.With(kw.missing), phrase.Phrase(nil)
	switch {
	case kw.missing == "":
		words = phrase.NoArmFailed.With(kw.err)
	case kw.possible:
		way = phrase.NoArmUnindexed.With(param.FieldKeywordUnindexed)
	}
	r.note(phrase.NoticeNoArm, r.ev.embedErr, words, way)
}

// reportArms says how the arms took part in the fusion.
func (r *ranking) reportArms() {
	if r.p.KeywordWeight == 0 {
		return
	}
	kw := &r.ev.keyword
	so := phrase.SoOnlyVectors
	switch {
	case r.ev.directionless:
		so = "" // what that means for the other arm was said
	case r.ev.embedErr != "":
		so = phrase.SoNothing
	}
	switch {
	case r.ev.embedErr != "" && (kw.missing != "" || kw.err != ""):
		// That neither arm could run was said.
	case kw.missing != "":
		var way phrase.Phrase
		if kw.possible {
			way = phrase.KeywordUnindexed.With(param.FieldKeywordUnindexed)
		}
		r.note(phrase.NoticeKeywordMissing, so, kw.missing, way)
	case kw.err != "":
		r.note(phrase.NoticeKeywordFailed, so, kw.err)
	case len(kw.rows) == 0 && r.ev.directionless:
		// That there are no searchable words was said.
	case len(kw.rows) == 0 && len(kw.terms) == 0:
		r.note(phrase.NoticeNoQueryWords, so)
	case len(kw.rows) == 0:
		r.note(phrase.NoticeKeywordEmpty, r.p.KeywordMatch, so)
	}
	switch {
	case kw.unindexed && kw.sampled:
		r.note(phrase.NoticeUnindexedPart)
	case kw.unindexed:
		r.note(phrase.NoticeKeywordUnindexed)
	case kw.sampled:
		r.note(phrase.NoticeKeywordSampled, kw.matches)
	}
	if f := &r.fusing; f.single {
		if len(r.nearest) == 0 {
			r.note(phrase.NoticeSingleArmWords, phrase.Number(f.keyword))
		} else {
			r.note(phrase.NoticeSingleArm, phrase.Number(f.vector), r.nearest[0].score)
		}
	} else if r.ev.lexical && f.on && r.p.Fusion == param.FusionRRF && len(r.nearest) > 0 && len(r.words) > 0 {
		r.note(phrase.NoticeBothLexical, param.FieldFusion, param.FusionConvex)
	}
}

// reportGraph says how far edges led.
func (r *ranking) reportGraph() {
	if r.p.MaxHops == 0 || r.pending {
		return
	}
	g := &r.ev.graph
	switch {
	case g.missing != "":
		r.note(phrase.NoticeGraphMissing, g.missing)
	case g.err != "":
		r.note(phrase.NoticeGraphFailed, g.err)
	case len(g.edges) == 0 && len(r.walk.hops) == 0 && len(r.list) > 0:
		r.note(phrase.NoticeNoEdges)
	}
	if outside := count(r.list, func(c *candidate) bool { return r.ev.rows[c.row].outside }); outside > 0 {
		r.note(phrase.NoticeOutsideScope, outside, param.FieldGraphFilterScope, param.FilterAll)
	}
}

// reportChoice says what choosing among the candidates left.
func (r *ranking) reportChoice() {
	if r.pending {
		return
	}
	if n := len(r.dropsOf(param.StageDedup)); n > 0 && r.p.TopK > 0 && len(r.list) < r.p.TopK {
		r.note(phrase.NoticeDedupUnderfills, n, len(r.list), r.p.TopK)
	}
	if r.answer == nil {
		return
	}
	switch {
	case r.answer.err != "":
		r.note(phrase.NoticeRerankFailed, r.answer.err)
	case len(r.answer.asked) > 0 && len(r.answer.scores) == 0:
		r.note(phrase.NoticeRerankSilent, r.answer.by)
	case r.reranked > mostReranked:
		r.note(phrase.NoticeRerankCut, r.answer.by, mostReranked, r.reranked)
	case r.unscored() > 0:
		r.note(phrase.NoticeRerankPartial, r.answer.by, r.unscored())
	}
	if r.p.MinScore > 0 && r.onForeignScale() {
		r.note(phrase.NoticeForeignScale, param.FieldMinScore, r.answer.by, r.answer.scale)
	}
}

func (r *ranking) unscored() int {
	return count(r.list, func(c *candidate) bool { return !c.reranked })
}

// nearDuplicate is the similarity above which results are reported as repeating
// one another where nothing drops them.
const nearDuplicate = 0.95

// reportCrowding tells of places taken by near-duplicates and by a single page.
func (r *ranking) reportCrowding() {
	const few = 5
	if len(r.list) < few {
		return
	}
	if r.p.DedupThreshold == 0 {
		if n := r.countRepeats(); n > 0 {
			r.note(phrase.NoticeNearDuplicates, n, len(r.list), param.FieldDedupThreshold, phrase.Number(nearDuplicate))
		}
	}
	pages := map[int32]int{}
	var most int32
	for i := range r.list {
		doc := r.ev.rows[r.list[i].row].document
		pages[doc]++
		if pages[doc] > pages[most] || pages[doc] == pages[most] && doc < most {
			most = doc
		}
	}
	if r.ev.stats.Documents > 1 && 2*pages[most] > len(r.list) {
		r.note(phrase.NoticeCrowding, pages[most], len(r.list), strconv.Quote(r.ev.documents[most].url))
	}
}

// countRepeats counts the results that nearly repeat a better one, as far as
// their words are known.
func (r *ranking) countRepeats() int {
	order := each(r.list, func(c *candidate) *candidate { return c })
	slices.SortStableFunc(order, func(a, b *candidate) int { return cmp.Compare(a.rank, b.rank) })
	sets := make([]wordSet, 0, len(order))
	for _, c := range order {
		set, ok := r.ev.words.sets[r.ev.rows[c.row].id]
		if !ok {
			return 0
		}
		sets = append(sets, set)
	}
	of, _ := similar(sets, len(r.ev.words.words), nearDuplicate)
	return count(of, func(o *int32) bool { return *o >= 0 })
}

// whereIs names the section of a chunk, quoted, since headings and addresses are
// whatever a page says.
func (r *ranking) whereIs(at int32) phrase.Phrase {
	chunk := &r.ev.rows[r.ev.nodeOf(at)]
	url := r.ev.documents[chunk.document].url
	heading := r.ev.namesOf(at).heading
	if heading == "" {
		return phrase.InPage.With(strconv.Quote(url))
	}
	return phrase.InSection.With(strconv.Quote(heading), strconv.Quote(url))
}

func (r *ranking) reportBudget() {
	if r.res.Mode == param.ModeFullContext && len(r.cuts) > 0 {
		r.note(phrase.NoticeOverflow, r.res.Budget, len(r.cuts), len(r.cuts)+len(r.list))
	}
	if len(r.res.Items) == 0 {
		return
	}
	if len(r.res.Items) == 1 && int(r.list[0].used) > r.res.Budget {
		r.note(phrase.NoticeOversize, int(r.list[0].used), int(r.list[0].used)-r.res.Budget, r.res.Budget)
	}
	if r.p.BudgetCount == param.CountMarkdown && r.res.SurfaceTokens > r.res.Budget && r.res.SurfaceTokens > r.res.Tokens {
		r.note(phrase.NoticeSurfaceOver, r.res.Tokens, r.res.Budget, r.res.SurfaceTokens, param.FieldBudgetCount, param.CountSurface)
	}
}
