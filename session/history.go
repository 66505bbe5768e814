package session

import "slices"

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

// Past are the queries that were answered, latest last.
func (s *Session) Past() []Past { return s.past }

// noteAnswer keeps what the present answer reached. A query that was asked before moves to
// the end, with what it reaches now; one that was still being typed is replaced.
func (s *Session) noteAnswer() {
	q := Past{Query: s.query, Ranks: map[string]int{}}
	if s.result != nil {
		for i := range s.result.Items {
			it := &s.result.Items[i]
			if rank, ok := q.Ranks[it.SourceURL]; !ok || it.Rank < rank {
				q.Ranks[it.SourceURL] = it.Rank
			}
		}
	}
	if n := len(s.past); n > 0 && !s.past[n-1].settled {
		s.past = s.past[:n-1]
	}
	s.past = slices.DeleteFunc(s.past, func(p Past) bool { return p.Query == s.query })
	s.past = append(s.past, q)
	if over := len(s.past) - MostKept; over > 0 {
		s.past = slices.Delete(s.past, 0, over)
	}
}

// Settle says that somebody stays with the query that was answered. One that is not
// settled is a query that is being typed: the next takes its place in the history.
func (s *Session) Settle() {
	if n := len(s.past); n > 0 && s.past[n-1].Query == s.query {
		s.past[n-1].settled = true
	}
}

// Recall gives the session the history of earlier ones, latest last.
func (s *Session) Recall(earlier []string) { s.earlier = earlier }

// History are the settled queries of earlier sessions and of this one, latest last, each
// once.
func (s *Session) History() []string {
	all := slices.Clone(s.earlier)
	for i := range s.past {
		if s.past[i].settled {
			all = append(all, s.past[i].Query)
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
