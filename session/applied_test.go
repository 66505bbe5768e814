package session_test

import (
	"testing"

	"github.com/webrag/webrag-tui/session"
)

// told is an engine that is told what work has brought.
type told struct {
	session.Engine
	done *[]session.Done
}

func (e told) Applied(d session.Done) { *e.done = append(*e.done, d) }

// An engine is told once of what work has brought, with the evidence that it gathered,
// and not of what nobody waits for any more.
func TestAnEngineIsToldWhatIsApplied(t *testing.T) {
	var done []session.Done
	s := session.New(session.Setting{Name: "start"}, nil)
	s.Take(&session.Corpus{Engine: told{&corpus{sections: 3}, &done}, Reader: &shelf{}}, nil)
	old := s.Ask("first")
	work := s.Ask("second")
	s.Apply(old[0].Run(t.Context()))
	if len(done) != 0 {
		t.Fatalf("told of what was superseded: %+v", done)
	}
	brought := work[0].Run(t.Context())
	work = s.Apply(brought)
	s.Apply(brought)
	if len(done) != 1 || done[0].Kind != session.KindAnswer || done[0].Query != "second" || done[0].Evidence == nil {
		t.Fatalf("told %+v", done)
	}
	finish(t, s, work)
	s.KeepWatchLists(map[string][]session.WatchedQuery{"library": {{Query: "other"}}})
	s.OpenWatchList("library")
	finish(t, s, s.Set(keywords(s, 0.5), "keyword_weight"))
	finish(t, s, s.Ask("third")) // the baseline of which has to be gathered
	kinds := map[session.Kind]session.Done{}
	for _, d := range done {
		kinds[d.Kind] = d
	}
	// The baseline is of the start, which the new evidence does not reach.
	for _, k := range []session.Kind{session.KindEvidence, session.KindBaseline, session.KindWatch} {
		if kinds[k].Evidence == nil || (kinds[k].BaseEvidence != nil) != (k == session.KindWatch) {
			t.Errorf("%s: evidence %v, of the baseline %v, among %d", k, kinds[k].Evidence, kinds[k].BaseEvidence, len(done))
		}
	}
}
