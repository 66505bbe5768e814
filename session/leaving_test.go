package session_test

import (
	"context"
	"testing"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
)

// Who leaves a corpus has nothing asked of it any more, whatever that was: only its closing
// goes on, and the indexing of pages, which has its own end.
func TestLeavingEndsAllWork(t *testing.T) {
	s, c := examining(t, &knife{cost: 1})
	c.fails = nil
	s.KeepWatchLists(map[string][]session.WatchedQuery{"library": {{Query: "lost"}}})
	s.OpenWatchList("library")
	finish(t, s, s.Set(floor(s, .75), param.FieldSimilarityFloor))
	health := func(context.Context, string) (session.IndexHealth, error) { return session.IndexHealth{}, nil }
	load := func(context.Context, func(int, int)) error { return nil }
	open := func(context.Context) (*session.Corpus, error) { return nil, errBroken }
	s.Corpus().Health, s.Corpus().Load = health, load
	index := s.Index("pages", func(context.Context, func(indexing.Progress)) (string, error) { return "", nil })
	work := s.Ask("other")
	for _, more := range [][]session.Work{
		s.WhyNot(whynot.Target{}, s.Params()), s.Admit(), s.Ablate(), s.LookAlong(param.FieldTopK, nil, true), s.Examine(item(s, 0)), s.OpenCosines(),
		s.Set(keywords(s, .5), ""), s.Judge(), s.Open(open), s.OpenBeside(open), s.Take(s.Corpus(), open), s.ReadText("a"), s.ReadSection("a"),
		s.ListSections(1, 0), s.ReadPages(0, 1), s.ReadPageLinks(nil), s.ReadPage("a"), s.ReadPageTexts(nil), s.TestIndex("q"), index,
	} {
		work = append(work, more...)
	}
	awaited := map[session.Kind]bool{}
	for _, w := range work {
		awaited[w.Kind] = awaited[w.Kind] || s.Awaits(w.Kind, w.Gen)
	}
	if len(awaited) < 22 || !awaited[session.KindWhy] || !awaited[session.KindAdmit] || !awaited[session.KindAblations] {
		t.Fatalf("there are %d kinds of work: %v", len(awaited), awaited)
	}
	s.Leave()
	for _, w := range work {
		if s.Awaits(w.Kind, w.Gen) != (w.Kind == session.KindIndex) {
			t.Errorf("after leaving, %v is awaited: %v", w.Kind, s.Awaits(w.Kind, w.Gen))
		}
	}
	if s.Indexing() != "pages" {
		t.Error("the indexing has ended")
	}
}

// What is found out late about a text of one corpus says nothing of the next.
func TestALateReportIsNoOutageOfTheNextCorpus(t *testing.T) {
	s, c, _ := asked(t)
	c.broken = away()
	late := s.WhyNot(whynot.Target{}, s.Params())[0]
	s.Leave()
	finish(t, s, s.Take(&session.Corpus{Engine: &corpus{sections: 2}, Reader: &shelf{}}, nil))
	if s.Apply(late.Run(t.Context())); s.Outage() != nil {
		t.Errorf("the next corpus is away: %+v", s.Outage())
	}
}
