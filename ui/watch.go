package ui

import (
	"image"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// mostWatched is how many queries the watch list holds: what is ranked on every
// step of a slider has to fit into a frame.
const mostWatched = 20

// watchedQuery is a query of the watch list, as it is kept between runs.
type watchedQuery struct {
	Query string `json:"query"`
	// Page is the address of the page that it must return, Title its name; empty
	// for none.
	Page  string `json:"page,omitempty"`
	Title string `json:"title,omitempty"`
	// AnyPage lets every answer pass, whatever Page is.
	AnyPage bool `json:"any_page,omitempty"`
}

// required is the page that must be returned, empty for none.
func (q *watchedQuery) required() string {
	if q.AnyPage {
		return ""
	}
	return q.Page
}

// watchEntry is a watched query with what was gathered for it.
type watchEntry struct {
	watchedQuery
	evidence session.Evidence // nil until it was gathered
	// base is what baseOf returns, nil while that is not known.
	base   *retrieval.Result
	baseOf param.Params
	// asked is what was last asked for, so that one question is put once.
	asked *watchAsked
	// failed is why the corpus did not answer, empty when it did.
	failed string
	now    watchOutcome
}

// watchAsked are the parameters that evidence was gathered for.
type watchAsked struct{ live, base param.Params }

// watchOutcome is what ranking a watched query gave.
type watchOutcome struct {
	// known is false while the evidence does not reach as far as the parameters,
	// or there is none; why says so then.
	known, passed bool
	why           string
	// rank and was are the best ranks of the required page now and by the
	// baseline, 0 where it is not returned. found is the number of sections.
	rank, was, found int
	// compared says that the baseline is known: entered and left count sections,
	// rbo is as in [retrieval.Comparison], and shown where both are of the
	// sameLength, see [measures].
	compared      bool
	sameLength    bool
	entered, left int
	moved         bool
	rbo           float64
}

// differs reports that the baseline gives something else.
func (o *watchOutcome) differs() bool {
	return o.known && o.compared && (o.entered > 0 || o.left > 0 || o.moved)
}

// watchList are the queries that must not suffer from tuning another one.
type watchList struct {
	// corpus is the name of the corpus that entries belong to; kept are the lists
	// of all corpora, by name.
	corpus  string
	kept    map[string][]watchedQuery
	entries []*watchEntry
	// asking is the one query that is being gathered; pause is the generation of
	// the rest before the next.
	asking work
	busy   bool
	pause  int
}

// open changes to the list of a corpus.
func (w *watchList) open(corpus string) {
	w.kept = w.all()
	w.corpus, w.entries = corpus, nil
	w.asking.end()
	w.busy = false
	for _, q := range w.kept[corpus] {
		q.Query = strings.TrimSpace(oneLine(q.Query)) // the file may have been written by anyone
		if len(w.entries) < mostWatched && q.Query != "" && w.find(q.Query) == nil {
			w.entries = append(w.entries, &watchEntry{watchedQuery: q})
		}
	}
}

// all are the lists of all corpora as they are now.
func (w *watchList) all() map[string][]watchedQuery {
	all := map[string][]watchedQuery{}
	for name, list := range w.kept {
		all[name] = list
	}
	if w.corpus == "" {
		return all
	}
	delete(all, w.corpus)
	for _, e := range w.entries {
		all[w.corpus] = append(all[w.corpus], e.watchedQuery)
	}
	return all
}

func (w *watchList) find(query string) *watchEntry {
	for _, e := range w.entries {
		if e.Query == query {
			return e
		}
	}
	return nil
}

func (w *watchList) remove(query string) {
	w.entries = slices.DeleteFunc(w.entries, func(e *watchEntry) bool { return e.Query == query })
}

// counts are the queries that pass, and all of them; ok is false while one is not
// known.
func (w *watchList) counts() (passed, total int, ok bool) {
	ok = len(w.entries) > 0
	for _, e := range w.entries {
		if e.now.passed {
			passed++
		}
		ok = ok && e.now.known
	}
	return passed, len(w.entries), ok
}

// differs reports that a watched query no longer returns what the baseline does,
// or not what it must.
func (w *watchList) differs() bool {
	return slices.ContainsFunc(w.entries, func(e *watchEntry) bool {
		return e.now.differs() || e.now.known && !e.now.passed
	})
}

// ranked ranks the query by parameters. Without a result, why says what is
// missing.
func (e *watchEntry) ranked(p param.Params) (r *retrieval.Result, why string) {
	if e.evidence == nil {
		return nil, "not asked yet"
	}
	if ok, why := e.evidence.Covers(p); !ok {
		return nil, why
	}
	result, needs := e.evidence.Rank(p, retrieval.Options{})
	switch {
	case needs.Rerank != nil && costly(p):
		return nil, "the reranker is not asked for watched queries"
	case needs.IsProvisional():
		return nil, "edges, words or scores have to be fetched"
	}
	return &result, ""
}

// judge ranks the query by parameters and holds the result against what it must
// return and, if it is known, against the baseline.
func (e *watchEntry) judge(p param.Params) (o watchOutcome) {
	r, why := e.ranked(p)
	if r == nil {
		if e.failed != "" {
			why = e.failed
		}
		return watchOutcome{why: why}
	}
	o.known, o.found = true, len(r.Items)
	page := e.required()
	o.rank = pageRank(r, page)
	o.passed = o.found > 0
	if page != "" {
		o.passed = o.rank > 0
	}
	if e.base == nil {
		return o
	}
	if session.UnlikeUnits(e.base, r) {
		return o
	}
	c := retrieval.Compare(*e.base, *r, session.OverlapDepth)
	o.compared, o.was = true, pageRank(e.base, page)
	o.entered, o.left = len(c.Entered), len(c.Left)
	o.rbo, o.sameLength = c.RBO, c.LengthA == c.LengthB
	o.moved = movedRanks(&c) > 0
	return o
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

// watchVerdict ranks all watched queries by parameters that are not those on the
// screen, and counts the ones that would pass. ok is false where there are none,
// or the evidence of one does not reach that far.
func (m *Model) watchVerdict(p param.Params) (passed, total int, ok bool) {
	ok = len(m.watch.entries) > 0
	for _, e := range m.watch.entries {
		r, _ := e.ranked(p)
		if r == nil {
			ok = false
			continue
		}
		if page := e.required(); page == "" && len(r.Items) > 0 || pageRank(r, page) > 0 {
			passed++
		}
	}
	return passed, len(m.watch.entries), ok
}

// judgeWatched ranks all watched queries by the present parameters, and sees to
// it that what is missing for that is gathered.
func (m *Model) judgeWatched() tea.Cmd {
	w := &m.watch
	m.judgeAll()
	if w.busy || !slices.ContainsFunc(w.entries, m.needsAsking) {
		return nil
	}
	w.pause++
	return m.after(session.Pause, watchDue{w.pause})
}

func (m *Model) judgeAll() {
	base := m.session.Baseline().Params
	for _, e := range m.watch.entries {
		if e.Query == m.session.Query() && m.session.Evidence() != nil {
			// It is on the screen: what is known there is known here.
			e.evidence, e.failed = m.session.Evidence(), ""
			if m.session.BaselineResult() != nil {
				e.base, e.baseOf = m.session.BaselineResult(), m.session.Baseline().Params
			}
		}
		if e.base == nil || e.baseOf != base {
			e.baseOf = base
			e.base, _ = e.ranked(base)
		}
		e.now = e.judge(m.session.Params())
	}
	if (m.place.strip != image.Rectangle{}) != m.showsStrip() {
		m.arrange()
	}
}

// toggleWatch puts the answered query on the watch list with the selected page,
// or takes it off.
func (m *Model) toggleWatch() tea.Cmd {
	w, query := &m.watch, m.session.Query()
	if w.find(query) != nil {
		w.remove(query)
		return tea.Batch(m.judgeWatched(), m.keepNow(), m.say("no longer watched: "+query, false))
	}
	if len(w.entries) >= mostWatched {
		return m.say("the watch list is full (20 queries): {watch.list} shows it, and d takes one off", true)
	}
	q := watchedQuery{Query: query}
	said := "watched: it must return something"
	if url, title := m.selectedPage(); url != "" {
		q.Page, q.Title = url, title
		said = "watched: it must return " + nameOfPage(&q)
	}
	// The query on the screen has its evidence and its baseline already.
	w.entries = append(w.entries, &watchEntry{watchedQuery: q, evidence: m.session.Evidence(), base: m.session.BaselineResult(), baseOf: m.session.Baseline().Params})
	return tea.Batch(m.judgeWatched(), m.keepNow(), m.say(said, false))
}

// selectedPage is the page of the selected row.
func (m *Model) selectedPage() (url, title string) {
	if it := m.results.selected(); it != nil {
		return it.SourceURL, m.tails.strip(it.Title)
	}
	if m.results.onGroup() {
		g := &m.results.groups[m.results.rows[m.results.At].group]
		return g.url, m.tails.strip(g.title)
	}
	return "", ""
}

// nameOfPage is what a required page is called.
func nameOfPage(q *watchedQuery) string {
	if t := oneLine(q.Title); t != "" {
		return t
	}
	return shortURL(q.Page, 40)
}

func canWatch(m *Model) (bool, string) {
	return m.session.Result() != nil && m.session.Query() != "", "ask a query first: what is watched is a query that was answered"
}

func watchActions() []action {
	return []action{
		{
			ID: "watch.toggle", Title: "Watch: This query", Short: "watch", Help: "Put the query on the watch list, with the selected page as the one that it must return; again to take it off.",
			Keys: []string{"*"}, Contexts: anyPane, Footer: 44, Enabled: canWatch,
			Run: func(m *Model) tea.Cmd { return m.toggleWatch() },
		},
		{
			ID: "watch.list", Title: "Watch: Show the list", Help: "Show the watched queries, what became of each, and ask, change or delete them.",
			Keys: []string{"#"}, Contexts: anyPane, Run: func(m *Model) tea.Cmd { return m.showWatchList() },
		},
	}
}
