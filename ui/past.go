package ui

import "slices"

// pastQuery is a query of this session and the pages that it reached.
type pastQuery struct {
	text string
	// ranks are the best ranks of the pages it returned, by their address.
	ranks map[string]int
	// settled says that the user has left the query line with it: before, it is
	// a query that is being typed.
	settled bool
}

// pastKept is how many queries are remembered, of a session and between runs.
const pastKept = 200

// remember keeps what the present answer reached. A query that was asked before
// moves to the end, with what it reaches now; one that was still being typed is
// replaced.
func (m *Model) remember(query string) {
	q := pastQuery{text: query, ranks: map[string]int{}, settled: !m.editing}
	if m.session.Result() != nil {
		for i := range m.session.Result().Items {
			it := &m.session.Result().Items[i]
			if rank, ok := q.ranks[it.SourceURL]; !ok || it.Rank < rank {
				q.ranks[it.SourceURL] = it.Rank
			}
		}
	}
	if n := len(m.past); n > 0 && !m.past[n-1].settled {
		m.past = m.past[:n-1]
	}
	m.past = slices.DeleteFunc(m.past, func(p pastQuery) bool { return p.text == query })
	m.past = append(m.past, q)
	if len(m.past) > pastKept {
		m.past = slices.Delete(m.past, 0, len(m.past)-pastKept)
	}
}

// settle says that the query line was left with what stands in it.
func (m *Model) settle() {
	if n := len(m.past); n > 0 && m.past[n-1].text == m.session.Query() {
		m.past[n-1].settled = true
	}
}

// history are the queries of earlier sessions and of this one, latest last, each
// once.
func (m *Model) history() []string {
	all := slices.Clone(m.earlier)
	for i := range m.past {
		if m.past[i].settled {
			all = append(all, m.past[i].text)
		}
	}
	seen := map[string]bool{}
	kept := make([]string, 0, len(all))
	for _, q := range slices.Backward(all) {
		if !seen[q] && len(kept) < pastKept {
			seen[q] = true
			kept = append(kept, q)
		}
	}
	slices.Reverse(kept)
	return kept
}
