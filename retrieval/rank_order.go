package retrieval

import (
	"fmt"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// Order is what [Rank] would list, and nothing else about it: enough to see where a
// ranking changes, at a fraction of its cost. It names chunks by their numbers in
// the evidence, see [Evidence.NumberOf].
type Order struct {
	// Listed are the chunks as the result lists them, Ranked by rank, from 1.
	Listed, Ranked []int32
	// Beyond is why the evidence does not reach far enough to tell, empty where it
	// does; what is listed is then provisional.
	Beyond string
}

// Order ranks like [Rank] and returns the order alone.
func (ev *Evidence) Order(p param.Params) Order { return new(Scratch).Order(ev, p) }

// Order is [Evidence.Order] with memory that is used again.
func (s *Scratch) Order(ev *Evidence, p param.Params) Order {
	r := s.begin(ev, p, Options{})
	defer s.end()
	r.bare = true
	r.decide()
	var o Order
	if _, o.Beyond = ev.Covers(p); o.Beyond != "" || r.nothingToRank() {
		return o
	}
	r.measure()
	r.pass()
	if r.pending {
		o.Beyond = "edges, words or scores have to be fetched"
	}
	n := len(r.list)
	both := make([]int32, 2*n)
	o.Listed, o.Ranked = both[:n:n], both[n:]
	for i := range r.list {
		o.Listed[i] = r.list[i].row
		o.Ranked[r.list[i].rank-1] = r.list[i].row
	}
	return o
}

// Chunks is how many chunks the evidence knows. They are numbered from 0.
func (ev *Evidence) Chunks() int { return len(ev.rows) }

// NumberOf is the number of a chunk, false for one that the evidence does not know.
func (ev *Evidence) NumberOf(chunkID string) (int32, bool) {
	for i := range ev.rows {
		if ev.rows[i].id == chunkID {
			return int32(i), true
		}
	}
	return noRow, false
}

// NameOf is the nearest heading above a chunk, given by its number, else its page's
// title; of a passage with its number in its section.
func (ev *Evidence) NameOf(chunk int32) string {
	name := ev.namesOf(chunk).own()
	if name == "" {
		name = ev.TitleOf(chunk)
	}
	if ev.rows[chunk].isChild {
		name += fmt.Sprintf(" ¶%d", ev.rows[chunk].index+1)
	}
	return name
}

// TitleOf is the title of a chunk's page.
func (ev *Evidence) TitleOf(chunk int32) string { return ev.documents[ev.rows[chunk].document].title }
