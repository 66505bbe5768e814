package session_test

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
)

// What is asked of a corpus that is opened again is no longer asked of the closed one.
func TestAReopenedCorpusIsReadAnew(t *testing.T) {
	s, _ := examining(t, &knife{cost: 1})
	s.KeepWatchLists(map[string][]session.WatchedQuery{"library": {{Query: "floor"}}})
	s.OpenWatchList("library")
	rest := s.Judge()
	work := s.Apply(rest[0].Run(t.Context()))
	for _, more := range [][]session.Work{
		s.ReadText("a"), s.ListSections(1, 0), s.ReadPages(0, 1), s.ReadPageLinks(nil), s.ReadPage("a"), s.ReadPageTexts(nil), s.ReadLinks("a"),
		s.WhyNot(whynot.Target{}, s.Params()), s.Set(keywords(s, .5), ""), s.Ask("other"),
	} {
		work = append(work, more...)
	}
	if len(work) != 11 {
		t.Fatalf("there is %v", kinds(work))
	}
	next := s.Take(&session.Corpus{Engine: &corpus{sections: 2}, Reader: &shelf{}}, nil)
	for _, w := range work {
		if w.Run(t.Context()); s.Awaits(w.Kind, w.Gen) {
			t.Errorf("%v is awaited of the corpus that was closed", w.Kind)
		}
	}
	finish(t, s, next)
	finish(t, s, s.Ask("other"))
	if w := s.WatchedQuery("floor"); s.Query() != "other" || len(ids(s)) != 2 || s.Pending() != "" || w.Now.Found != 2 {
		t.Errorf("of the new one %q, %v, pending %q, watched %+v", s.Query(), ids(s), s.Pending(), w.Now)
	}
	if same := s.Corpus(); s.ReadText("a") == nil || slices.Contains(kinds(s.Take(same, nil)), session.KindClose) || !s.Awaits(session.KindText, s.Generation(session.KindText)) {
		t.Error("the same corpus, taken again, is read no longer")
	}
}

// What the parameters and the baseline need is no longer awaited of a corpus that was
// closed: who stops asking the new one can try again.
func TestWhatTheClosedCorpusWasAskedIsTriedAgain(t *testing.T) {
	s, _, _ := asked(t)
	s.Set(keywords(s, .5), "keyword_weight")
	s.Take(&session.Corpus{Engine: &corpus{sections: 8}, Reader: &shelf{}}, nil)
	if s.Stop(); s.Asking() || s.Pending() != "" || s.Unasked() == nil || s.IsCurrent() {
		t.Errorf("asking %v, pending %q, unasked %v", s.Asking(), s.Pending(), s.Unasked())
	}
	finish(t, s, s.Retry())
	if s.Unasked() != nil || !s.IsCurrent() || s.Result().Items[0].ChunkID != "depth-7" {
		t.Errorf("tried again: unasked %v, %v", s.Unasked(), ids(s))
	}

	s, _, _ = begin(t)
	s.Set(keywords(s, .5), "keyword_weight")
	if work := s.Apply(s.Ask("depth")[0].Run(t.Context())); !slices.Contains(kinds(work), session.KindBaseline) {
		t.Fatalf("after the answer: %v", kinds(work))
	}
	s.Take(&session.Corpus{Engine: &corpus{sections: 8}, Reader: &shelf{}}, nil)
	s.Stop()
	finish(t, s, s.Set(floor(s, .05), "similarity_floor"))
	if s.BaselineResult() == nil {
		t.Error("the baseline is not asked for again")
	}
}
