package retrieval

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

func (r *ranking) warn(code, format string, args ...any) {
	r.res.Notices = append(r.res.Notices, Notice{Code: code, Text: fmt.Sprintf(format, args...), Warning: true})
}

func (r *ranking) info(code, format string, args ...any) {
	r.res.Notices = append(r.res.Notices, Notice{Code: code, Text: fmt.Sprintf(format, args...)})
}

func (r *ranking) noticeClamped() {
	r.warn(NoticeThresholdClamped, "the full-context threshold of %d tokens is above the budget of %d tokens: %d is used",
		r.p.FullContextThreshold, r.p.ContextBudget, r.p.ContextBudget)
}

func (r *ranking) noticeUncalibrated() {
	r.warn(NoticeUncalibrated, "the corpus has no calibrated scale for this embedder: the floor of %s is taken as a raw cosine", phrase.Short(r.p.SimilarityFloor))
}

func (r *ranking) noticeBlank() {
	r.info(NoticeEmptyQuery, "the query is empty: nothing was searched")
}

func (r *ranking) noticeEmpty() {
	switch {
	case !r.ev.query.Scope.IsZero():
		r.info(NoticeEmptyScope, "no page of the corpus is in the scope asked for")
	case r.ev.foreign:
		r.info(NoticeEmptyCorpus, "the corpus is empty: let the program that made it index pages")
	default:
		r.info(NoticeEmptyCorpus, "the corpus is empty: index some pages first")
	}
}

func (r *ranking) noticeBeyond(why string) {
	r.warn(NoticeBeyondEvidence, "these settings reach beyond what was gathered (%s): ask again", why)
}

// report adds the notices that depend on what came out, and the statistics of
// the result.
func (r *ranking) report() {
	r.res.Stats.DocumentsMatched = r.res.SourceURLs()
	if r.res.Mode != param.ModeFullContext {
		r.res.ParentsFound = r.countUnits()
	} else if r.ev.reach.allParents {
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
		r.warn(NoticeCorpusChanged, "the corpus was changed while it was read: ask again to see it as it is now")
	}
}

// countUnits is how many sections or chunks the children found came to.
func (r *ranking) countUnits() int {
	n := 0
	for i := range r.list {
		if r.list[i].child != noRow {
			n++
		}
	}
	for i := range r.cuts {
		if r.cuts[i].candidate.child != noRow {
			n++
		}
	}
	return n
}

func (r *ranking) reportSearch() {
	if r.ev.isCut {
		r.warn(NoticeQueryCut, "the query is very long: only its first %d characters were searched", mostQueryRunes)
	}
	if r.ev.embedErr != "" && r.res.Mode == param.ModeFullContext {
		r.warn(NoticeEmbedderFailed, "the query could not be compared with the sections, which are all returned: %s", r.ev.embedErr)
		return
	}
	if r.noArm() {
		return
	}
	if r.ev.embedErr != "" {
		r.warn(NoticeEmbedderFailed, "the query could not be embedded, so only its words were searched: %s", r.ev.embedErr)
		return
	}
	words := r.p.KeywordWeight > 0 && len(r.ev.keyword.rows) > 0
	if r.ev.directionless {
		if !words {
			r.warn(NoticeNoWords, "the query has no searchable words, so nothing was found: add a word that names the subject")
		}
		return
	}
	if len(r.ev.nearest) == 0 {
		if !words {
			r.warn(NoticeNoVectors, "no section in scope has a vector: the search found nothing")
		}
		return
	}
	if r.res.Mode != param.ModeChunk {
		return
	}
	if r.orphans > 0 && r.p.Unit == param.UnitParent {
		r.noticeOrphans()
	}
	if len(r.belowFloor) == len(r.ev.nearest) && !words {
		nearest := &r.belowFloor[0]
		r.info(NoticeNothingAbove, "nothing is above the floor of %s; the nearest is %s%s", r.res.Floor, phrase.Short(nearest.score), r.whereIs(nearest.row))
	}
	if want := min(r.p.ArmRows(), r.ev.stats.Children); !r.ev.reach.exact && r.ev.reach.returned-r.ev.reach.missed < want {
		r.warn(NoticeUnderReturn, "the index returned %d of %d rows asked for: a filter or its ef_search holds it back", r.ev.reach.returned-r.ev.reach.missed, want)
	}
}

// noArm reports whether nothing could be searched at all, and says why and what
// helps.
func (r *ranking) noArm() bool {
	kw := &r.ev.keyword
	if r.ev.embedErr == "" || kw.missing == "" && kw.err == "" {
		return false
	}
	words, way := "there is no keyword search here ("+kw.missing+")", "configure the embedder that made the vectors"
	switch {
	case kw.missing == "":
		words = "the keyword search failed (" + kw.err + ")"
	case kw.possible:
		way += ", or have the texts read one by one with " + param.FieldKeywordUnindexed + "=true"
	}
	r.warn(NoticeNoArm, "nothing was searched: the query could not be embedded (%s), and %s; %s", r.ev.embedErr, words, way)
	return true
}

func (r *ranking) noticeOrphans() {
	if r.p.MissingParent == param.MissingParentDrop {
		r.warn(NoticeNoParents, "%d of the children found belong to no section and were left out", r.orphans)
		return
	}
	r.warn(NoticeNoParents, "%d of the children found belong to no section and are returned as they are", r.orphans)
}

// reportArms says how the arms took part in the fusion.
func (r *ranking) reportArms() {
	if r.p.KeywordWeight == 0 {
		return
	}
	kw := &r.ev.keyword
	so := ", so only vectors were searched"
	switch {
	case r.ev.directionless:
		so = "" // what that means for the other arm was said
	case r.ev.embedErr != "":
		so = ", so nothing was found"
	}
	switch {
	case r.ev.embedErr != "" && (kw.missing != "" || kw.err != ""):
		// That neither arm could run was said.
	case kw.missing != "":
		way := ""
		if kw.possible {
			way = "; --set " + param.FieldKeywordUnindexed + "=true reads the texts one by one, up to a bound"
		}
		r.warn(NoticeKeywordMissing, "there is no keyword search here%s: %s%s", so, kw.missing, way)
	case kw.err != "":
		r.warn(NoticeKeywordFailed, "the keyword search failed%s: %s", so, kw.err)
	case len(kw.rows) == 0 && r.ev.directionless:
		// That there are no searchable words was said.
	case len(kw.rows) == 0 && len(kw.terms) == 0:
		r.info(NoticeKeywordEmpty, "the query has no words to search for%s", so)
	case len(kw.rows) == 0:
		r.info(NoticeKeywordEmpty, "no chunk holds the query's words (match %s)%s", r.p.KeywordMatch, so)
	}
	switch {
	case kw.unindexed && kw.sampled:
		r.warn(NoticeKeywordUnindexed, "the words were counted without an index, in the first texts only: rank and rarity of a word are those of what was read")
	case kw.unindexed:
		r.info(NoticeKeywordUnindexed, "the words were counted without an index, in all texts in scope")
	case kw.sampled:
		r.info(NoticeKeywordSampled, "the query's words are so common that only some of the %d matches were ranked", kw.matches)
	}
	if f := &r.fusing; f.single {
		if len(r.nearest) == 0 {
			r.warn(NoticeSingleArm, "only the keyword arm found anything, and weighs %s: these scores do not compare with those of other queries", phrase.Number(f.keyword))
		} else {
			r.warn(NoticeSingleArm, "only the vector arm found anything, and weighs %s: these scores do not compare with those of other queries; its best cosine is %s",
				phrase.Number(f.vector), phrase.Short(r.nearest[0].score))
		}
	} else if r.ev.lexical && f.on && r.p.Fusion == param.FusionRRF && len(r.nearest) > 0 && len(r.words) > 0 {
		r.info(NoticeBothLexical, "the embedder is lexical, so both arms look at words: fusing their ranks changes little, fusing their scores ("+param.FieldFusion+"=convex) more")
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
		r.warn(NoticeGraphMissing, "there are no edges here, so only seeds are returned: %s", g.missing)
	case g.err != "":
		r.warn(NoticeGraphFailed, "the edges could not be read, so only seeds are returned: %s", g.err)
	case len(g.edges) == 0 && len(r.walk.hops) == 0 && len(r.list) > 0:
		r.info(NoticeNoEdges, "no edge leads away from the seeds; webrag-tui doctor says whether any are left out; a corpus indexed by an older version has none until it is indexed again")
	}
	outside := 0
	for i := range r.list {
		if r.ev.rows[r.list[i].row].outside {
			outside++
		}
	}
	if outside > 0 {
		r.warn(NoticeOutsideScope, "%d of the results were reached by edges from outside of the scope; "+param.FieldGraphFilterScope+"=all leaves them out", outside)
	}
}

// reportChoice says what choosing among the candidates left.
func (r *ranking) reportChoice() {
	if r.pending {
		return
	}
	if n := len(r.dropsOf(param.StageDedup)); n > 0 && r.p.TopK > 0 && len(r.list) < r.p.TopK {
		r.info(NoticeDedupUnderfills, "%d near-duplicates were left out and are not made up for: %d of %d results", n, len(r.list), r.p.TopK)
	}
	if r.answer == nil {
		return
	}
	switch {
	case r.answer.err != "":
		r.warn(NoticeRerankFailed, "the reranking failed, so the order is as before: %s", r.answer.err)
	case len(r.answer.asked) > 0 && len(r.answer.scores) == 0:
		r.warn(NoticeRerankFailed, "%s scored nothing, so the order is as before", r.answer.by)
	case r.reranked > mostReranked:
		r.warn(NoticeRerankCut, "%s was asked about the first %d of %d candidates; the others stand below them on their old scale", r.answer.by, mostReranked, r.reranked)
	case r.unscored() > 0:
		r.warn(NoticeRerankPartial, "%s said nothing about %d of the results; their scores are on the old scale", r.answer.by, r.unscored())
	}
	if r.p.MinScore > 0 && r.onForeignScale() {
		r.warn(NoticeForeignScale, param.FieldMinScore+" is not compared with the scores of %s (%s)", r.answer.by, r.answer.scale)
	}
}

func (r *ranking) unscored() int {
	n := 0
	for i := range r.list {
		if !r.list[i].reranked {
			n++
		}
	}
	return n
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
			r.info(NoticeNearDuplicates, "%d of %d results nearly repeat a better one; "+param.FieldDedupThreshold+"=0.95 leaves them out", n, len(r.list))
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
		r.info(NoticeCrowding, "%d of %d results are from one page, %q", pages[most], len(r.list), r.ev.documents[most].url)
	}
}

// countRepeats counts the results that nearly repeat a better one, as far as
// their words are known.
func (r *ranking) countRepeats() int {
	order := make([]*candidate, 0, len(r.list))
	for i := range r.list {
		order = append(order, &r.list[i])
	}
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
	n := 0
	for _, o := range of {
		if o >= 0 {
			n++
		}
	}
	return n
}

// whereIs names the section of a chunk, quoted, since headings and addresses are
// whatever a page says.
func (r *ranking) whereIs(at int32) string {
	chunk := &r.ev.rows[r.nodeOf(at)]
	url := r.ev.documents[chunk.document].url
	heading := r.ev.namesOf(at).heading
	if heading == "" {
		return fmt.Sprintf(", in %q", url)
	}
	return fmt.Sprintf(", %q in %q", heading, url)
}

func (r *ranking) reportBudget() {
	if r.res.Mode == param.ModeFullContext && len(r.cuts) > 0 {
		r.warn(NoticeOverflow, "the corpus exceeds the budget of %d tokens: %d of %d sections were left out",
			r.res.Budget, len(r.cuts), len(r.cuts)+len(r.list))
	}
	if len(r.res.Items) == 0 {
		return
	}
	if len(r.res.Items) == 1 && int(r.list[0].cost) > r.res.Budget {
		r.warn(NoticeOversize, "the first section alone has %d tokens, %d over the budget of %d: it is returned all the same",
			r.list[0].cost, int(r.list[0].cost)-r.res.Budget, r.res.Budget)
	}
	if r.p.BudgetCount == param.CountMarkdown && r.res.SurfaceTokens > r.res.Budget && r.res.SurfaceTokens > r.res.Tokens {
		r.warn(NoticeSurfaceOver, "%d of %d tokens are counted, as markdown; %d are sent, because some sections go out as HTML: "+param.FieldBudgetCount+" surface counts what is sent",
			r.res.Tokens, r.res.Budget, r.res.SurfaceTokens)
	}
}
