package session

import (
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
)

// Past is a query that was answered, and the pages that it reached.
type Past struct {
	Query string
	// Ranks are the best ranks of the pages that it returned, by their address.
	Ranks map[string]int
	// settled says that somebody has stayed with it: before, it is a query that is
	// being typed.
	settled bool
}

// MostKept is how many queries are remembered, of a session and between sessions.
const MostKept = 200

// history are the queries that were answered.
type history struct {
	past []Past
	// earlier are those of earlier sessions, latest last.
	earlier []string
}

// Past are the queries that were answered, latest last.
func (h *history) Past() []Past { return h.past }

// note keeps what the answer of a query reached. A query that was asked before moves to
// the end, with what it reaches now; one that was still being typed is replaced.
func (h *history) note(query string, result *retrieval.Result) {
	q := Past{Query: query, Ranks: map[string]int{}}
	if result != nil {
		for i := range result.Items {
			it := &result.Items[i]
			if rank, ok := q.Ranks[it.SourceURL]; !ok || it.Rank < rank {
				q.Ranks[it.SourceURL] = it.Rank
			}
		}
	}
	if n := len(h.past); n > 0 && !h.past[n-1].settled {
		h.past = h.past[:n-1]
	}
	h.past = slices.DeleteFunc(h.past, func(p Past) bool { return p.Query == query })
	h.past = append(h.past, q)
	if over := len(h.past) - MostKept; over > 0 {
		h.past = slices.Delete(h.past, 0, over)
	}
}

// settle says that somebody stays with a query, if it is the last that was answered.
func (h *history) settle(query string) {
	if n := len(h.past); n > 0 && h.past[n-1].Query == query {
		h.past[n-1].settled = true
	}
}

// Recall gives the session the history of earlier ones, latest last.
func (h *history) Recall(earlier []string) { h.earlier = earlier }

// History are the settled queries of earlier sessions and of this one, latest last, each
// once.
func (h *history) History() []string {
	all := slices.Clone(h.earlier)
	for i := range h.past {
		if h.past[i].settled {
			all = append(all, h.past[i].Query)
		}
	}
	seen := map[string]bool{}
	kept := make([]string, 0, len(all))
	for _, q := range slices.Backward(all) {
		if !seen[q] && len(kept) < MostKept {
			seen[q] = true
			kept = append(kept, q)
		}
	}
	slices.Reverse(kept)
	return kept
}
