package session

import (
	"slices"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// MostWatched is how many queries the watch list holds: all are ranked on every change of
// the parameters.
const MostWatched = 20

// WatchedQuery is a query of the watch list, as it is kept between sessions.
type WatchedQuery struct {
	Query string `json:"query"`
	// Page is the address of the page that it must return, Title its name; empty
	// for none.
	Page  string `json:"page,omitempty"`
	Title string `json:"title,omitempty"`
	// AnyPage lets every answer pass, whatever Page is.
	AnyPage bool `json:"any_page,omitempty"`
}

// Required is the page that must be returned, empty for none.
func (q *WatchedQuery) Required() string {
	if q.AnyPage {
		return ""
	}
	return q.Page
}

// Watched is a watched query with what became of it.
type Watched struct {
	WatchedQuery
	// Failed is why the corpus did not answer, on one line; empty when it did.
	Failed string
	// Now is what ranking it by the present parameters gave.
	Now Outcome

	evidence Evidence // nil until it was gathered
	// base is what baseOf returns, nil while that is not known.
	base   *retrieval.Result
	baseOf param.Params
	// asked is what was last asked for, so that one question is put once.
	asked *watchAsked
}

// watchAsked are the parameters that evidence was gathered for.
type watchAsked struct{ live, base param.Params }

// Outcome is what ranking a watched query gave.
type Outcome struct {
	// Known is false while the evidence does not reach as far as the parameters, or
	// there is none; Why says so then.
	Known, Passed bool
	Why           string
	// Rank and Was are the best ranks of the required page now and by the baseline,
	// 0 where it is not returned. Found is the number of sections.
	Rank, Was, Found int
	// Compared says that the baseline is known: Entered and Left count sections,
	// Moved says that some have another rank.
	Compared      bool
	Entered, Left int
	Moved         bool
}

// Differs reports that the baseline gives something else.
func (o *Outcome) Differs() bool {
	return o.Known && o.Compared && (o.Entered > 0 || o.Left > 0 || o.Moved)
}

// watchList are the queries that must not suffer from tuning another one.
type watchList struct {
	works    *works
	opened   *opened
	tuning   *tuning
	answer   *answer
	baseline *baseline

	// name is that of the corpus that watched belongs to; kept are the lists of all
	// corpora, by name.
	name    string
	kept    map[string][]WatchedQuery
	watched []*Watched
	// gathering is set while one query is being gathered.
	gathering bool
}

// forget forgets what was gathered, and what is being gathered.
func (l *watchList) forget() {
	l.works.end(KindWatchRest, KindWatch)
	l.gathering = false
	for _, w := range l.watched {
		w.evidence, w.base, w.asked = nil, nil, nil
	}
}

// KeepWatchLists gives the session the watch lists of all corpora, by name. None is open.
func (l *watchList) KeepWatchLists(kept map[string][]WatchedQuery) { l.kept = kept }

// OpenWatchList changes to the list of a corpus, empty for none. What may have been
// written by anyone is made fit to be shown.
func (l *watchList) OpenWatchList(name string) {
	l.kept = l.WatchLists()
	l.name, l.watched = name, nil
	l.forget()
	for _, q := range l.kept[name] {
		q.Query = offset.Trimmed(q.Query)
		if len(l.watched) < MostWatched && q.Query != "" && l.WatchedQuery(q.Query) == nil {
			l.watched = append(l.watched, &Watched{WatchedQuery: q})
		}
	}
	l.works.tell(WatchChanged)
}

// WatchLists are the lists of all corpora as they are now, by name.
func (l *watchList) WatchLists() map[string][]WatchedQuery {
	all := map[string][]WatchedQuery{}
	for name, list := range l.kept {
		all[name] = list
	}
	if l.name == "" {
		return all
	}
	delete(all, l.name)
	for _, w := range l.watched {
		all[l.name] = append(all[l.name], w.WatchedQuery)
	}
	return all
}

// Watched are the queries of the open list, in the order in which they were put there.
func (l *watchList) Watched() []*Watched { return l.watched }

// WatchedQuery is a query of the open list, nil for none.
func (l *watchList) WatchedQuery(query string) *Watched {
	for _, w := range l.watched {
		if w.Query == query {
			return w
		}
	}
	return nil
}

// Watch puts the answered query on the list; ok is false where the list is full, or there
// is no answer. page is the address of the page that it must return, title its name.
func (l *watchList) Watch(page, title string) (work []Work, ok bool) {
	if l.answer.query == "" || len(l.watched) >= MostWatched {
		return nil, false
	}
	// The present query has its evidence and its baseline already.
	l.watched = append(l.watched, &Watched{
		WatchedQuery: WatchedQuery{Query: l.answer.query, Page: page, Title: title},
		evidence:     l.answer.evidence, base: l.baseline.base, baseOf: l.baseline.baseOf.Params,
	})
	return l.Judge(), true
}

// Unwatch takes a query off the list.
func (l *watchList) Unwatch(query string) []Work {
	l.watched = slices.DeleteFunc(l.watched, func(w *Watched) bool { return w.Query == query })
	l.works.tell(WatchChanged)
	return l.Judge()
}

// Require changes what a watched query must return.
func (l *watchList) Require(q WatchedQuery) []Work {
	if w := l.WatchedQuery(q.Query); w != nil {
		w.WatchedQuery = q
	}
	return l.Judge()
}

// WatchCounts are the watched queries that pass, and all of them; ok is false while one is
// not known.
func (l *watchList) WatchCounts() (passed, total int, ok bool) {
	ok = len(l.watched) > 0
	for _, w := range l.watched {
		if w.Now.Passed {
			passed++
		}
		ok = ok && w.Now.Known
	}
	return passed, len(l.watched), ok
}

// WatchMRR is the mean reciprocal rank of the pages that watched queries must return: 1 where
// all are first, and a page that is not returned counts 0. now is by the present parameters,
// was by the baseline. ok is false where none must return a page, or one is not known.
func (l *watchList) WatchMRR() (now, was float64, ok bool) {
	n := 0
	for _, w := range l.watched {
		if w.Required() == "" {
			continue
		}
		if !w.Now.Known || !w.Now.Compared {
			return 0, 0, false
		}
		n++
		now, was = now+reciprocal(w.Now.Rank), was+reciprocal(w.Now.Was)
	}
	if n == 0 {
		return 0, 0, false
	}
	return now / float64(n), was / float64(n), true
}

// reciprocal is 1 over a rank, and 0 for none.
func reciprocal(rank int) float64 {
	if rank == 0 {
		return 0
	}
	return 1 / float64(rank)
}

// RankedPage is a page with its best rank, 0 for one that came near and is not returned.
type RankedPage struct {
	URL, Title string
	Rank       int
}

// WatchedPages are the pages that a watched query returns by the present parameters, by
// rank, and then those that came nearest; nil where that is not known.
func (l *watchList) WatchedPages(query string) []RankedPage {
	w := l.WatchedQuery(query)
	if w == nil {
		return nil
	}
	r, _ := w.ranked(l.tuning.params, &l.answer.scratch)
	if r == nil {
		return nil
	}
	var pages []RankedPage
	seen := map[string]bool{}
	all := r.ByRank()
	for i := range r.NearMisses {
		all = append(all, &r.NearMisses[i])
	}
	for _, it := range all {
		if !seen[it.SourceURL] {
			seen[it.SourceURL] = true
			pages = append(pages, RankedPage{it.SourceURL, it.Title, it.Rank})
		}
	}
	return pages
}

// WatchDiffers reports that a watched query no longer returns what the baseline does, or
// not what it must.
func (l *watchList) WatchDiffers() bool {
	return slices.ContainsFunc(l.watched, func(w *Watched) bool {
		return w.Now.Differs() || w.Now.Known && !w.Now.Passed
	})
}

// WatchVerdict ranks all watched queries by parameters that are not the present ones, and
// counts those that would pass. ok is false where there are none, or the evidence of one
// does not reach that far.
func (l *watchList) WatchVerdict(p param.Params) (passed, total int, ok bool) {
	ok = len(l.watched) > 0
	for _, w := range l.watched {
		r, _ := w.ranked(p, &l.answer.scratch)
		if r == nil {
			ok = false
			continue
		}
		if page := w.Required(); page == "" && len(r.Items) > 0 || pageRank(r, page) > 0 {
			passed++
		}
	}
	return passed, len(l.watched), ok
}

// ranked ranks the query by parameters, in scratch. Without a result, why says what is missing.
func (w *Watched) ranked(p param.Params, scratch *retrieval.Scratch) (r *retrieval.Result, why string) {
	if w.evidence == nil {
		return nil, "not asked yet"
	}
	if ok, why := w.evidence.Covers(p); !ok {
		return nil, why
	}
	result, needs := w.evidence.Rank(p, retrieval.Options{Scratch: scratch})
	switch {
	case needs.Rerank != nil && p.Waits():
		return nil, "the reranker is not asked for watched queries"
	case needs.IsProvisional():
		return nil, "edges, words or scores have to be fetched"
	}
	return &result, ""
}

// judge ranks the query by parameters, in scratch, and holds the result against what it must return
// and, if it is known, against the baseline.
func (w *Watched) judge(p param.Params, scratch *retrieval.Scratch) (o Outcome) {
	r, why := w.ranked(p, scratch)
	if r == nil {
		if w.Failed != "" {
			why = w.Failed
		}
		return Outcome{Why: why}
	}
	o.Known, o.Found = true, len(r.Items)
	page := w.Required()
	o.Rank = pageRank(r, page)
	o.Passed = o.Found > 0
	if page != "" {
		o.Passed = o.Rank > 0
	}
	if w.base == nil || UnlikeOf(w.base, r) != Alike {
		return o
	}
	c := retrieval.Compare(*w.base, *r, OverlapDepth)
	o.Compared, o.Was = true, pageRank(w.base, page)
	o.Entered, o.Left = len(c.Entered), len(c.Left)
	o.Moved = MovedRanks(&c) > 0
	return o
}

// MovedRanks counts the sections that both results have at different ranks.
func MovedRanks(c *retrieval.Comparison) int {
	n := 0
	for i := range c.Moved {
		if c.Moved[i].RankDelta() != 0 {
			n++
		}
	}
	return n
}

// pageRank is the best rank of a page, 0 if the result has none of it.
func pageRank(r *retrieval.Result, page string) int {
	best := 0
	for i := range r.Items {
		if it := &r.Items[i]; page != "" && it.SourceURL == page && (best == 0 || it.Rank < best) {
			best = it.Rank
		}
	}
	return best
}
