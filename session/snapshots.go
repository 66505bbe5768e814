package session

import (
	"fmt"
	"slices"

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

// snapshots are the rankings that were kept.
type snapshots struct{ list []*Snapshot }

// Snapshots are the rankings that were kept, the latest last.
func (s *snapshots) Snapshots() []*Snapshot { return s.list }

// Snapshot is the one of a name, nil for none.
func (s *snapshots) Snapshot(name string) *Snapshot {
	for _, sn := range s.list {
		if sn.Name == name {
			return sn
		}
	}
	return nil
}

// free is a name with a number where it is taken.
func (s *snapshots) free(name string) string {
	free := name
	for n := 2; s.Snapshot(free) != nil; n++ {
		free = fmt.Sprintf("%s %d", name, n)
	}
	return free
}

// keep keeps a snapshot. The oldest makes room for the fifty-first.
func (s *snapshots) keep(sn *Snapshot) {
	s.list = append(s.list, sn)
	if over := len(s.list) - mostSnapshots; over > 0 {
		s.list = slices.Delete(s.list, 0, over)
	}
}

// Drop forgets a snapshot.
func (s *snapshots) Drop(sn *Snapshot) {
	s.list = slices.DeleteFunc(s.list, func(o *Snapshot) bool { return o == sn })
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
