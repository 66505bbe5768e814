package session

import (
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
)

// HistoryEntry is a query that was answered, and the pages that it reached.
type HistoryEntry struct {
	Query string
	// Ranks are the best ranks of the pages that it returned, by their address.
	Ranks map[string]int
	// committed says that somebody has stayed with it: before, it is a query that is
	// being typed.
	committed bool
}

// MostKept is how many queries are remembered, of a session and between sessions.
const MostKept = 200

// history are the queries that were answered.
type history struct {
	entries []HistoryEntry
	// earlier are those of earlier sessions, latest last.
	earlier []string
}

// HistoryEntries are the queries that were answered, latest last.
func (h *history) HistoryEntries() []HistoryEntry { return h.entries }

// note keeps what the answer of a query reached. A query that was asked before moves to
// the end, with what it reaches now, and stays one that somebody stayed with; one that was
// still being typed is replaced.
func (h *history) note(query string, result *retrieval.Result) {
	q := HistoryEntry{Query: query, Ranks: map[string]int{}}
	if result != nil {
		for i := range result.Items {
			it := &result.Items[i]
			if rank, ok := q.Ranks[it.SourceURL]; !ok || it.Rank < rank {
				q.Ranks[it.SourceURL] = it.Rank
			}
		}
	}
	if n := len(h.entries); n > 0 && !h.entries[n-1].committed {
		h.entries = h.entries[:n-1]
	}
	h.entries = slices.DeleteFunc(h.entries, func(p HistoryEntry) bool {
		q.committed = q.committed || p.Query == query && p.committed
		return p.Query == query
	})
	h.entries = append(h.entries, q)
	if over := len(h.entries) - MostKept; over > 0 {
		h.entries = slices.Delete(h.entries, 0, over)
	}
}

// commit says that somebody stays with a query, if it is the last that was answered.
func (h *history) commit(query string) {
	if n := len(h.entries); n > 0 && h.entries[n-1].Query == query {
		h.entries[n-1].committed = true
	}
}

// Recall gives the session the history of earlier ones, latest last.
func (h *history) Recall(earlier []string) { h.earlier = earlier }

// History are the committed queries of earlier sessions and of this one, latest last, each
// once.
func (h *history) History() []string {
	all := slices.Clone(h.earlier)
	for i := range h.entries {
		if h.entries[i].committed {
			all = append(all, h.entries[i].Query)
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
