package retrieval

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/wordset"
)

// Worded puts a notice into words, for the command line and for a screen.
func Worded(n phrase.Notice, parts ...any) Notice {
	said := n.Words.With(parts...)
	notice := Notice{Code: n.Code, Text: said.String(), Warning: n.Warning}
	if shown := said.OnScreen(); shown != notice.Text {
		notice.screen = shown
	}
	return notice
}

func (r *ranking) note(n phrase.Notice, parts ...any) {
	var placeless []any // nil where no place is named
	for i := range parts {
		why, ok := parts[i].(reason)
		if !ok {
			continue
		}
		if placeless == nil && why.said != why.placeless {
			placeless = slices.Clone(parts)
		}
		parts[i] = why.said
		if placeless != nil {
			placeless[i] = why.placeless
		}
	}
	notice := Worded(n, parts...)
	if placeless != nil {
		notice.Placeless = n.Words.With(placeless...).String()
	}
	r.res.Notices = append(r.res.Notices, notice)
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
	r.res.Stats.DocumentsMatched = urlsOf(r)
	if r.res.Mode != param.ModeFullContext {
		r.res.ParentsFound = count(r.list, (*candidate).wasFound) + count(r.cuts, func(c *cut) bool { return c.candidate.wasFound() })
	} else if r.ev.coverage.allParents {
		r.res.ParentsFound = len(r.ev.reading)
	}
	if r.ev.blank || r.ev.isEmpty() {
		return
	}
	r.reportSearch()
	for _, stage := range stageTable {
		if stage.notices != nil && r.takesPart(stage) {
			stage.notices(r)
		}
	}
	if r.o.Trace && !r.pending {
		r.reportCrowding()
	}
	if r.ev.changed {
		r.note(phrase.NoticeCorpusChanged)
	}
}

// urlsOf is [Result.SourceURLs]. The candidates are those that items were made of.
func urlsOf(r *ranking) []string {
	if len(r.res.Items) == 0 {
		return nil
	}
	of, n := r.pages(r.ev, r.list)
	urls := make([]string, 0, n)
	for i := range r.res.Items {
		if of[r.ev.rows[r.list[i].row].document] == int32(len(urls)+1) {
			urls = append(urls, r.res.Items[i].SourceURL)
		}
	}
	return urls
}

func (r *ranking) reportSearch() {
	if r.ev.isCut {
		r.note(phrase.NoticeQueryCut, mostQueryRunes)
	}
	words := r.p.KeywordWeight > 0 && len(r.ev.keyword.rows) > 0
	switch kw := &r.ev.keyword; {
	case !r.ev.embedErr.isNone() && r.res.Mode == param.ModeFullContext:
		r.note(phrase.NoticeUnembeddedWhole, r.ev.embedErr)
	case !r.ev.embedErr.isNone() && (kw.missing != "" || !kw.err.isNone()):
		r.noticeNoArm()
	case !r.ev.embedErr.isNone():
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
	r.noticeOrphans()
	if len(r.belowFloor) == len(r.ev.nearest) && !words {
		nearest := &r.belowFloor[0]
		r.note(phrase.NoticeNothingAbove, r.res.Floor.Worded(r.res.Floor.Raw).Number(), nearest.score, r.whereIs(nearest.row))
	}
	if want := min(r.p.ArmRows(), r.ev.stats.Children); !r.ev.coverage.exact && r.ev.coverage.returned-r.ev.coverage.missed < want {
		r.note(phrase.NoticeUnderReturn, r.ev.coverage.returned-r.ev.coverage.missed, want)
	}
}

// noticeNoArm says why nothing could be searched at all, and what helps.
func (r *ranking) noticeNoArm() {
	kw := &r.ev.keyword
	words, way := ours(phrase.NoArmMissing.With(kw.missing).String()), phrase.Phrase(nil)
	switch {
	case kw.missing == "":
		words = reason{phrase.NoArmFailed.With(kw.err.said).String(), phrase.NoArmFailed.With(kw.err.placeless).String()}
	case kw.possible:
		way = phrase.NoArmUnindexed.With(param.As(param.FieldKeywordUnindexed, "true"))
	}
	r.note(phrase.NoticeNoArm, r.ev.embedErr, words, way)
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
			r.note(phrase.NoticeNearDuplicates, n, len(r.list), param.As(param.FieldDedupThreshold, phrase.Number(nearDuplicate)))
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
	sets := make([]wordset.Set, 0, len(order))
	for _, c := range order {
		set, ok := r.ev.words.Of(r.ev.rows[c.row].id)
		if !ok {
			return 0
		}
		sets = append(sets, set)
	}
	of, _ := r.alike.Similar(&r.ev.words, sets, nearDuplicate)
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
