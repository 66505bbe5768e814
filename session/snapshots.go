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
	// Result holds ids, names, ranks and scores, and of texts the first words of parts of
	// sections, which name them: of Places many, the first thousand.
	Result retrieval.Result
	Places int
}

// mostSnapshots bounds how many rankings are kept, the oldest making room, and mostPlaces
// how much of each.
const (
	mostSnapshots = 50
	mostPlaces    = 1000
)

// snapshotName is the longest name of a snapshot, in code points.
const snapshotName = 40

// snapshots are the rankings that were kept.
type snapshots struct {
	works *works
	list  []*Snapshot
}

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
	s.bound()
	s.works.tell(ComparisonsChanged)
}

func (s *snapshots) bound() {
	if over := len(s.list) - mostSnapshots; over > 0 {
		s.list = slices.Delete(s.list, 0, over)
	}
}

// Drop forgets a snapshot.
func (s *snapshots) Drop(sn *Snapshot) {
	s.list = slices.DeleteFunc(s.list, func(o *Snapshot) bool { return o == sn })
	s.works.tell(ComparisonsChanged)
}

// bare is what a comparison needs of a result: its first places, by rank.
func bare(r *retrieval.Result) retrieval.Result {
	all := r.ByRank()
	all = all[:min(len(all), mostPlaces)]
	b := retrieval.Result{Mode: r.Mode, Items: make([]retrieval.Item, len(all))}
	for i, it := range all {
		b.Items[i] = retrieval.Item{
			ChunkID: it.ChunkID, ParentID: it.ParentID, Level: it.Level, SourceURL: it.SourceURL, Title: brief(it.Title, mostName),
			SectionHeading: brief(it.SectionHeading, mostName), HeadingPath: briefPath(it.HeadingPath), Rank: it.Rank, Score: it.Score, Scale: it.Scale,
			Part: it.Part, Parts: it.Parts,
		}
		if it.Parts > 1 {
			b.Items[i].ChunkText = OpeningOf(it)
		}
		if it.ParentID != "" { // passages are told apart by it
			b.Items[i].ChunkIndex = it.ChunkIndex
		}
	}
	return b
}

// mostHeadings is how many of the headings above a section are kept.
const mostHeadings = 16

// briefPath are the first of the headings above a section.
func briefPath(path []string) []string {
	var out []string
	for _, name := range path[:min(len(path), mostHeadings)] {
		out = append(out, brief(name, mostName))
	}
	return out
}

// brief is the beginning of a text that is longer than most code points.
func brief(text string, most int) string {
	if len(text) <= most {
		return text
	}
	runes := []rune(text)
	return string(runes[:min(len(runes), most)])
}
