package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
)

// Snapshot is a ranking that was kept under a name.
type Snapshot struct {
	Name, Query string
	Setting     Setting
	// Result holds ids, names, ranks and scores, and no texts.
	Result retrieval.Result
}

// mostSnapshots bounds how many rankings are kept; the oldest make room.
const mostSnapshots = 50

// snapshotName is the longest name of a snapshot, in code points.
const snapshotName = 40

// Snapshots are the rankings that were kept, the latest last.
func (s *Session) Snapshots() []*Snapshot { return s.snapshots }

// Snapshot is the one of a name, nil for none.
func (s *Session) Snapshot(name string) *Snapshot {
	for _, sn := range s.snapshots {
		if sn.Name == name {
			return sn
		}
	}
	return nil
}

// Present is the present ranking as a snapshot, which is not kept; nil without one.
func (s *Session) Present(name string) *Snapshot {
	if s.result == nil {
		return nil
	}
	return &Snapshot{Name: name, Query: s.query, Setting: Setting{s.Name(), s.params}, Result: bare(s.result)}
}

// SnapshotName is the name of a new snapshot: what was typed, or else that of the
// parameters, with a number where it is taken. One that is too long, or taken, comes with
// an error.
func (s *Session) SnapshotName(typed string) (string, error) {
	free := s.Name()
	for n := 2; s.Snapshot(free) != nil; n++ {
		free = fmt.Sprintf("%s %d", s.Name(), n)
	}
	name := cmp.Or(strings.TrimSpace(typed), free)
	switch {
	case len([]rune(name)) > snapshotName:
		return name, fmt.Errorf("at most %d characters", snapshotName)
	case s.Snapshot(name) != nil:
		return name, fmt.Errorf("there is a snapshot called %s already", name)
	}
	return name, nil
}

// Keep keeps the present ranking under a name. The oldest makes room for the fifty-first.
func (s *Session) Keep(name string) {
	now := s.Present(name)
	if now == nil {
		return
	}
	s.snapshots = append(s.snapshots, now)
	if over := len(s.snapshots) - mostSnapshots; over > 0 {
		s.snapshots = slices.Delete(s.snapshots, 0, over)
	}
}

// Drop forgets a snapshot.
func (s *Session) Drop(sn *Snapshot) {
	s.snapshots = slices.DeleteFunc(s.snapshots, func(o *Snapshot) bool { return o == sn })
}

// bare is what a comparison needs of a result.
func bare(r *retrieval.Result) retrieval.Result {
	b := retrieval.Result{
		Mode: r.Mode, ChildrenFound: r.ChildrenFound, KeywordFound: r.KeywordFound, Floor: r.Floor,
		Items: make([]retrieval.Item, len(r.Items)),
	}
	for i := range r.Items {
		it := &r.Items[i]
		b.Items[i] = retrieval.Item{
			ChunkID: it.ChunkID, ParentID: it.ParentID, Level: it.Level, SourceURL: it.SourceURL, Title: it.Title, SectionHeading: it.SectionHeading, HeadingPath: it.HeadingPath,
			Rank: it.Rank, Score: it.Score, Scale: it.Scale, RawSimilarity: it.RawSimilarity, HasRaw: it.HasRaw,
			Vector: it.Vector, Keyword: it.Keyword, Hop: it.Hop,
		}
	}
	return b
}
