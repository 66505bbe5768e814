package session_test

import (
	"context"
	"errors"
	"testing"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
)

// Pages are indexed beside whatever else is done, with or without a corpus.
func TestIndexing(t *testing.T) {
	s := session.New(session.Setting{Name: "webrag"}, nil)
	if s.Indexing() != "" || s.IndexProgress() != nil {
		t.Error("before anything is indexed there is progress")
	}
	var fails error
	run := func(ctx context.Context, progress func(indexing.Progress)) (string, error) {
		progress(indexing.Progress{PagesDone: 2})
		return "2 pages", errors.Join(fails, ctx.Err())
	}
	work := s.Index("docs", run)
	if len(work) != 1 || work[0].Kind != session.KindIndex || s.Indexing() != "docs" || s.IndexProgress() != nil {
		t.Fatalf("indexing takes %+v", work)
	}
	d := work[0].Run(t.Context())
	if p := s.IndexProgress(); p == nil || p.PagesDone != 2 || d.Said != "2 pages" || d.ID != "docs" || d.Err != nil {
		t.Errorf("%+v brings %+v", p, d)
	}
	if s.Apply(d); s.Indexing() != "" || s.IndexProgress() == nil {
		t.Error("what was indexed is being indexed, or nothing is known of how far it came")
	}
	fails = errBroken
	if d := s.Index("docs", run)[0].Run(t.Context()); !errors.Is(d.Err, errBroken) {
		t.Errorf("it fails with %v", d.Err)
	}
	work = s.Index("more", run)
	if s.StopIndexing(); s.Indexing() != "" || s.Awaits(work[0].Kind, work[0].Gen) {
		t.Error("what was stopped goes on")
	}
	if d := work[0].Run(t.Context()); !errors.Is(d.Err, context.Canceled) {
		t.Errorf("what was stopped ended with %v", d.Err)
	}
}

// Each kind of work has a name of its own: lines of the log are told apart by it.
func TestKindsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for k := session.KindAnswer; k.String() != "unknown"; k++ {
		if name := k.String(); name == "" || seen[name] {
			t.Errorf("kind %d is called %q", int(k), name)
		} else {
			seen[name] = true
		}
	}
	for k, want := range map[session.Kind]string{
		session.KindBreakpoints: "breakpoints", session.KindRetry: "pause before the next try", session.KindText: "text", session.KindPageTexts: "texts of a page",
		session.KindIndex: "indexing", session.KindHealth: "index", session.KindCosines: "cosines", session.KindAblations: "ablations",
	} {
		if k.String() != want {
			t.Errorf("%q should be called %q", k, want)
		}
	}
}

// What is being read of the pages as they were is none of those that came with indexing,
// nor are the cosines that were taken apart.
func TestIndexingEndsReading(t *testing.T) {
	s, _ := examining(t, &knife{})
	it := item(s, 1)
	finish(t, s, s.Examine(it))
	if s.Cosines(it) == nil {
		t.Fatal("the cosines are not known")
	}
	finish(t, s, s.Set(floor(s, .75), "similarity_floor"))
	var work []session.Work
	for _, more := range [][]session.Work{
		s.WhyNot(whynot.Target{}, s.Params()), s.Admit(), s.ListSections(1, 0), s.ReadPages(0, 1), s.ReadPageLinks(nil), s.ReadPage("a"), s.ReadPageTexts(nil),
		s.Examine(item(s, 2)),
	} {
		work = append(work, more...)
	}
	if len(work) != 8 {
		t.Fatalf("there is %v", kinds(work))
	}
	s.Reindexed()
	for _, w := range work {
		if s.Awaits(w.Kind, w.Gen) {
			t.Errorf("%v is awaited of the pages as they were", w.Kind)
		}
	}
	if s.Cosines(it) != nil {
		t.Error("the cosines are those of the pages as they were")
	}
	if s.Examine(it) == nil || s.ListSections(1, 0) == nil {
		t.Error("the new pages are not read")
	}
}
