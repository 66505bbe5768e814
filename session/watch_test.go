package session_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// watching is a session with an answer and two watched queries that were kept.
func watching(t *testing.T) (*session.Session, *corpus) {
	t.Helper()
	s, c, _ := begin(t)
	s.KeepWatchLists(map[string][]session.WatchedQuery{"library": {{Query: "floor", Page: "page"}, {Query: "budget"}}})
	s.OpenWatchList("library")
	finish(t, s, s.Ask("depth"))
	s.Changed()
	c.gathers = 0
	return s, c
}

// A list that was kept is gathered behind the first answer, one query at a time.
func TestAKeptWatchListIsGathered(t *testing.T) {
	s, c, _ := begin(t)
	s.KeepWatchLists(map[string][]session.WatchedQuery{"library": {{Query: "floor", Page: "page"}, {Query: "budget", Page: "lost"}}})
	s.OpenWatchList("library")
	var kinds []session.Kind
	work := s.Ask("depth")
	for len(work) > 0 {
		if len(work) != 1 {
			t.Fatalf("at once: %+v", work)
		}
		kinds = append(kinds, work[0].Kind)
		work = s.Apply(work[0].Run(t.Context()))
	}
	if want := []session.Kind{session.KindAnswer, session.KindWatchRest, session.KindWatch, session.KindWatch}; !slices.Equal(kinds, want) || c.gathers != 3 {
		t.Errorf("done: %v, %d questions", kinds, c.gathers)
	}
	if passed, total, ok := s.WatchCounts(); passed != 1 || total != 2 || !ok || !s.WatchDiffers() {
		t.Errorf("%d of %d pass, known %v", passed, total, ok)
	}
	if o := s.WatchedQuery("floor").Now; !o.Passed || o.Rank != 1 || o.Was != 1 || o.Found != 8 || o.Differs() {
		t.Errorf("floor: %+v", o)
	}
}

func TestWatchedQueriesAreJudged(t *testing.T) {
	s, c := watching(t)
	if work := s.Set(floor(s, .75), "similarity_floor"); len(work) != 0 || c.gathers != 0 {
		t.Errorf("what is known is asked for: %+v", work)
	}
	for _, w := range s.Watched() {
		if w.Now.Left != 5 || !w.Now.Differs() || !w.Now.Passed {
			t.Errorf("%s: %+v", w.Query, w.Now)
		}
	}
	if !s.Changed().Has(session.WatchChanged) || !s.WatchDiffers() {
		t.Error("nobody was told")
	}
	if passed, total, ok := s.WatchVerdict(floor(s, 1.5)); passed != 0 || total != 2 || !ok {
		t.Errorf("above 1.5 %d of %d pass, known %v", passed, total, ok)
	}
	if _, _, ok := s.WatchVerdict(keywords(s, .5)); ok {
		t.Error("keywords were not searched, and still the verdict is known")
	}
	// Pinning changes what they are compared with, too.
	if s.Pin(); s.WatchDiffers() || !s.Watched()[0].Now.Compared {
		t.Errorf("pinned: %+v", s.Watched()[0].Now)
	}
	// Beyond the evidence both are gathered for the parameters and for the baseline.
	work := s.Set(keywords(s, .5), "keyword_weight")
	if _, _, ok := s.WatchCounts(); ok {
		t.Error("all is known although no keywords were searched")
	}
	finish(t, s, work)
	for _, w := range s.Watched() {
		if !w.Now.Known || !w.Now.Compared || !w.Now.Moved {
			t.Errorf("%s: %+v", w.Query, w.Now)
		}
	}
}

func TestTheWatchListChanges(t *testing.T) {
	s, _ := watching(t)
	if work, ok := s.Watch("page", "Page"); !ok || len(work) != 0 {
		t.Errorf("what was answered is asked again: %v, %+v", ok, work)
	}
	w := s.WatchedQuery("depth")
	if w == nil || w.Required() != "page" || w.Now.Rank != 1 || !w.Now.Compared {
		t.Fatalf("watched: %+v", w)
	}
	q := w.WatchedQuery
	q.Page = "lost"
	if s.Require(q); w.Now.Passed || w.Now.Rank != 0 {
		t.Errorf("another page is required: %+v", w.Now)
	}
	q.AnyPage = true
	if s.Require(q); !w.Now.Passed || w.Required() != "" {
		t.Errorf("any page will do: %+v", w.Now)
	}
	s.Changed()
	if s.Unwatch("depth"); s.WatchedQuery("depth") != nil || !s.Changed().Has(session.WatchChanged) {
		t.Error("it is still watched")
	}
	for i := len(s.Watched()); i < session.MostWatched; i++ {
		finish(t, s, s.Ask(fmt.Sprint(i)))
		s.Watch("", "")
	}
	finish(t, s, s.Ask("one more"))
	if _, ok := s.Watch("", ""); ok || len(s.Watched()) != session.MostWatched {
		t.Errorf("%d queries are watched", len(s.Watched()))
	}
}

// A worked example. One page must be returned and is the first of four that are, one must be
// and is not: MRR is (1 + 0) / 2. A query that any page answers does not count. Lists of two
// and of ten with nothing but the two in common would have an RBO of 1.
func TestTheMeanReciprocalRank(t *testing.T) {
	s, _, _ := begin(t)
	s.KeepWatchLists(map[string][]session.WatchedQuery{"library": {{Query: "floor", Page: "page"}, {Query: "budget", Page: "lost"}, {Query: "any"}}})
	s.OpenWatchList("library")
	if _, _, ok := s.WatchMRR(); ok {
		t.Error("it is known before anything was asked")
	}
	finish(t, s, s.Ask("depth"))
	if now, was, ok := s.WatchMRR(); now != .5 || was != .5 || !ok {
		t.Errorf("MRR %v, was %v, known %v", now, was, ok)
	}
	s.Set(floor(s, 1.5), "similarity_floor")
	if now, was, ok := s.WatchMRR(); now != 0 || was != .5 || !ok {
		t.Errorf("above the floor MRR %v, was %v, known %v", now, was, ok)
	}
	if pages := s.WatchedPages("floor"); len(pages) != 1 || pages[0].Rank != 0 {
		t.Errorf("pages above the floor: %+v", pages)
	}
	s.Undo()
	if pages := s.WatchedPages("floor"); len(pages) != 1 || pages[0].URL != "page" || pages[0].Rank != 1 || s.WatchedPages("none") != nil {
		t.Errorf("pages: %+v", pages)
	}
	s.OpenWatchList("")
	if _, _, ok := s.WatchMRR(); ok {
		t.Error("nothing is watched")
	}
}

// A watched query that cannot be asked says so and holds up nothing.
func TestAWatchedQueryThatFails(t *testing.T) {
	for _, c := range []struct {
		err  error
		said string
		rest bool // are the others still asked
	}{{fmt.Errorf("embed:\n\x1b[31mno"), "embed: ", true}, {fmt.Errorf("search: %w", store.ErrUnavailable), "no connection", false}} {
		s, corpus, _ := begin(t)
		s.KeepWatchLists(map[string][]session.WatchedQuery{"library": {{Query: "lost"}, {Query: "floor"}}})
		s.OpenWatchList("library")
		corpus.fails = func(query string, _ param.Params) error {
			if query == "lost" {
				return c.err
			}
			return nil
		}
		finish(t, s, s.Ask("depth"))
		if w := s.WatchedQuery("lost"); !strings.HasPrefix(w.Failed, c.said) || strings.ContainsAny(w.Failed, "\x1b\n") || w.Now.Known || w.Now.Why != w.Failed {
			t.Errorf("%q, %+v", w.Failed, w.Now)
		}
		if known := s.WatchedQuery("floor").Now.Known; known != c.rest {
			t.Errorf("after %q the next is known: %v", c.said, known)
		}
		before := corpus.gathers
		finish(t, s, s.Judge())
		if asked := corpus.gathers - before; c.rest && asked != 0 {
			t.Errorf("what was refused is asked %d times more", asked)
		}
	}
}

// Where the evidence for the parameters does not reach the baseline, both are gathered.
func TestTheBaselineOfWatchedQueries(t *testing.T) {
	s, c, _ := begin(t)
	s.KeepWatchLists(map[string][]session.WatchedQuery{"library": {{Query: "floor"}}})
	s.OpenWatchList("library")
	s.Set(keywords(s, .5), "keyword_weight")
	finish(t, s, s.Ask("depth"))
	if o := s.WatchedQuery("floor").Now; !o.Compared || !o.Moved || c.gathers != 4 {
		t.Errorf("after %d questions: %+v", c.gathers, o)
	}
}

// A list that is left is not gathered any more, and another one is.
func TestWatchListsTakeTurns(t *testing.T) {
	s, _, _ := begin(t)
	s.KeepWatchLists(map[string][]session.WatchedQuery{"a": {{Query: "floor"}}, "b": {{Query: "budget"}}})
	s.OpenWatchList("a")
	rest := s.Apply(s.Ask("depth")[0].Run(t.Context()))[0]
	if s.Unwatch("floor"); s.Awaits(rest.Kind, rest.Gen) {
		t.Error("there is nothing to gather, and still it is waited for")
	}
	s.Watch("", "")
	s.KeepWatchLists(map[string][]session.WatchedQuery{"a": {{Query: "floor"}}, "b": {{Query: "budget"}}})
	s.OpenWatchList("")
	s.OpenWatchList("b")
	under := s.Apply(s.Judge()[0].Run(t.Context()))[0]
	if under.Kind != session.KindWatch || s.Judge() != nil {
		t.Errorf("while one is gathered, another is: %+v", under)
	}
	s.OpenWatchList("b")
	finish(t, s, s.Judge())
	if s.Awaits(under.Kind, under.Gen) || !s.WatchedQuery("budget").Now.Known {
		t.Errorf("after a change of lists: %+v", s.WatchedQuery("budget").Now)
	}
}

// Indexing forgets what was gathered; loading has the watched queries wait.
func TestWatchedQueriesOfAnotherState(t *testing.T) {
	s, c := watching(t)
	loading := s.Take(&session.Corpus{Engine: c, Reader: &shelf{}, Load: func(context.Context, func(int, int)) error { return nil }}, nil)
	if work := s.Reindexed(); len(work) != 1 || work[0].Kind != session.KindSummary || s.Watched()[0].Now.Known || s.BaselineResult() != nil {
		t.Errorf("while loading: %+v, %+v", work, s.Watched()[0].Now)
	}
	finish(t, s, loading)
	finish(t, s, s.Judge())
	if _, _, ok := s.WatchCounts(); !ok || c.gathers < 2 {
		t.Errorf("asked anew %d times, all known %v", c.gathers, ok)
	}
}

// What is being gathered of the pages as they were is none of those that came with
// indexing: it is gathered anew, and so is whether the words occur.
func TestIndexingForgetsWhatIsUnderWay(t *testing.T) {
	s, c := watching(t)
	rest := s.Set(keywords(s, .5), "keyword_weight")
	finishOnce(t, s, rest, session.KindEvidence)
	work := s.Judge()
	if len(work) != 1 || work[0].Kind != session.KindWatchRest {
		t.Fatalf("judging takes %v", kinds(work))
	}
	old := s.Apply(work[0].Run(t.Context()))[0].Run(t.Context()) // it has read the old pages
	c.sections = 3
	again := s.Reindexed()
	if s.Awaits(old.Kind, old.Gen) || !slices.Contains(kinds(again), session.KindWatchRest) {
		t.Errorf("what was gathered of old pages is awaited: %v, then %v", s.Awaits(old.Kind, old.Gen), kinds(again))
	}
	finish(t, s, append(s.Apply(old), again...))
	if w := s.WatchedQuery(old.Query); !w.Now.Known || w.Now.Found != 3 {
		t.Errorf("of the new pages %+v", w.Now)
	}

	finish(t, s, s.Set(floor(s, 1.5), ""))
	if !s.TermMatch().None {
		t.Fatal("the words occur")
	}
	before := c.matched
	if finish(t, s, s.Reindexed()); s.TermMatch().None {
		t.Error("of new pages it is known that no word occurs")
	}
	finish(t, s, s.Ask(s.Query()))
	if c.matched != before+1 {
		t.Errorf("asked again, it was looked %d times", c.matched-before)
	}
}

// The list belongs to a corpus, and comes back with it.
func TestTheWatchListIsKeptPerCorpus(t *testing.T) {
	s, _, _ := begin(t)
	s.KeepWatchLists(map[string][]session.WatchedQuery{"a": {{Query: "one"}, {Query: "one"}, {Query: " "}}, "b": {{Query: "two", Page: "p"}}})
	s.OpenWatchList("a")
	if len(s.Watched()) != 1 {
		t.Fatalf("%d entries, want one of each query", len(s.Watched()))
	}
	finish(t, s, s.Ask("three"))
	s.Watch("", "")
	s.OpenWatchList("b")
	if len(s.Watched()) != 1 || s.Watched()[0].Required() != "p" {
		t.Errorf("list of b: %+v", s.Watched())
	}
	s.Unwatch("two")
	if all := s.WatchLists(); len(all) != 1 || len(all["a"]) != 2 || all["a"][1].Query != "three" {
		t.Errorf("kept: %+v", all)
	}
}
