package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A query that is being typed makes room for the next; one that somebody stayed with is
// remembered, each once, with the pages that it reached last.
func TestHistory(t *testing.T) {
	s, _, _ := begin(t)
	s.Recall([]string{"before", "depth"})
	for _, q := range []string{"d", "de", "depth", "f", "floor", "depth"} {
		finish(t, s, s.Ask(q))
		if len(q) > 2 {
			s.CommitQuery()
		}
	}
	if got, want := s.History(), []string{"before", "floor", "depth"}; !slices.Equal(got, want) {
		t.Errorf("the history is %q, want %q", got, want)
	}
	past := s.HistoryEntries()
	if len(past) != 2 || past[1].Query != "depth" || past[1].Ranks["page"] != 1 {
		t.Errorf("asked: %+v", past)
	}
	finish(t, s, s.Ask("typed"))
	if got := s.History(); slices.Contains(got, "typed") || len(s.HistoryEntries()) != 3 {
		t.Errorf("what is being typed is in the history: %q", got)
	}
	for i := range 300 {
		finish(t, s, s.Ask(fmt.Sprintf("question %d", i)))
		s.CommitQuery()
	}
	if len(s.HistoryEntries()) != 200 || len(s.History()) != 200 || s.History()[199] != "question 299" {
		t.Errorf("%d queries are remembered, %d kept", len(s.HistoryEntries()), len(s.History()))
	}
	if s.Leave(); len(s.HistoryEntries()) != 0 {
		t.Error("the pages of a corpus that was left are remembered")
	}
}

func TestSnapshots(t *testing.T) {
	s, _, _ := begin(t)
	if s.Keep("nothing"); len(s.Snapshots()) != 0 || s.Present("now") != nil {
		t.Error("a ranking was kept where there is none")
	}
	finish(t, s, s.Ask("depth"))
	for _, want := range []string{"webrag", "webrag 2", "webrag 3"} {
		name, err := s.SnapshotName(" ")
		if err != nil || name != want {
			t.Fatalf("the name is %q, %v, want %q", name, err, want)
		}
		s.Keep(name)
	}
	for _, typed := range []string{"webrag", strings.Repeat("é", 41)} {
		if name, err := s.SnapshotName(typed); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
	if name, err := s.SnapshotName(strings.Repeat("é", 40)); err != nil {
		t.Errorf("%q: %v", name, err)
	}
	s.Set(floor(s, .75), "similarity_floor")
	s.Keep("steep")
	steep := s.Snapshot("steep")
	if steep == nil || steep.Setting.Name != "webrag*" || len(steep.Result.Items) != 3 || len(s.Snapshots()[0].Result.Items) != 8 {
		t.Fatalf("kept: %+v", steep)
	}
	if it := steep.Result.Items[0]; it.Explanation != nil || it.Rank != 1 || it.Score == 0 {
		t.Errorf("kept of an item: %+v", it)
	}
	if s.Drop(steep); s.Snapshot("steep") != nil || len(s.Snapshots()) != 3 {
		t.Error("it is still kept")
	}
	for i := range 60 {
		s.Keep(fmt.Sprint(i))
	}
	if n := len(s.Snapshots()); n != 50 || s.Snapshots()[0].Name != "10" {
		t.Errorf("%d rankings are kept, the first is %s", n, s.Snapshots()[0].Name)
	}
	if s.Leave(); len(s.Snapshots()) != 0 {
		t.Error("rankings of a corpus that was left are kept")
	}
}
