package ui

import (
	"slices"
	"strings"
)

// pastQuery is a query of this session and the pages that it reached.
type pastQuery struct {
	text string
	// ranks are the best ranks of the pages it returned, by their address.
	ranks map[string]int
}

// pastKept is how many queries of a session are remembered.
const pastKept = 200

// remember keeps what the present answer reached. A query that was asked before
// moves to the end, with what it reaches now.
func (m *Model) remember(query string) {
	q := pastQuery{text: query, ranks: map[string]int{}}
	if m.result != nil {
		for i := range m.result.Items {
			it := &m.result.Items[i]
			if rank, ok := q.ranks[it.SourceURL]; !ok || it.Rank < rank {
				q.ranks[it.SourceURL] = it.Rank
			}
		}
	}
	if n := len(m.past); n > 0 && m.editing && (strings.HasPrefix(query, m.past[n-1].text) || strings.HasPrefix(m.past[n-1].text, query)) {
		m.past = m.past[:n-1] // one query, while it is being typed
	}
	m.past = slices.DeleteFunc(m.past, func(p pastQuery) bool { return p.text == query })
	m.past = append(m.past, q)
	if len(m.past) > pastKept {
		m.past = slices.Delete(m.past, 0, len(m.past)-pastKept)
	}
}
