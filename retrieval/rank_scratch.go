package retrieval

import (
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/wordset"
)

// Scratch is memory that rankings need while they are made, for whoever makes many of
// them one after the other: it is used again for each. No result has a part of it, so
// results stay as they are, and are the same bytes with any scratch. It grows with the
// largest evidence that was ranked. The zero value is ready; it is used by one goroutine
// at a time, and not copied.
type Scratch struct {
	r  ranking
	ev Evidence
}

func (s *Scratch) begin(ev *Evidence, p param.Params, o Options) *ranking {
	s.r = ranking{ev: ev, p: p, o: o, memory: s.r.memory, cuts: s.r.cutsIn[:0]}
	return &s.r
}

// end lets go of all but the memory.
func (s *Scratch) end() {
	s.r.cutsIn = s.r.cuts
	s.r, s.ev = ranking{memory: s.r.memory}, Evidence{}
}

// memory is what a ranking works in, and no result has a part of. What is in it before
// a ranking is of no meaning.
type memory struct {
	// foundIn, listIn and cutsIn are where the candidates of those names are put first.
	foundIn, listIn []candidate
	cutsIn          []cut
	// byRow and taken have a value for each row of the evidence, byPage one for each
	// document, byURL for each address that was seen.
	byRow  []int32
	taken  []bool
	byPage []int32
	byURL  map[string]int32
	// textless says of each item that its text is not known.
	textless []bool
	lifting  []lifted
	walking  walking
	sets     []wordset.Set
	alike    wordset.Comparer
}

// zeroed is a list of n zeros, in the memory of another if that has room.
func zeroed[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// emptied is an empty list with room for n, in the memory of another if that has it.
func emptied[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, 0, n)
	}
	return list[:0]
}

// rows are zeros for the rows of the evidence. Each call gives the same list.
func (m *memory) rows(ev *Evidence) []int32 {
	m.byRow = zeroed(m.byRow, len(ev.rows))
	return m.byRow
}

// pages numbers the addresses of the candidates' documents in the order in which they
// come, from 1, by document, and counts them. Owners may have pages of the same
// address.
func (m *memory) pages(ev *Evidence, list []candidate) (of []int32, n int) {
	of = zeroed(m.byPage, len(ev.documents))
	if m.byPage = of; m.byURL == nil {
		m.byURL = map[string]int32{}
	}
	clear(m.byURL)
	for i := range list {
		doc := ev.rows[list[i].row].document
		if of[doc] != 0 {
			continue
		}
		url := ev.documents[doc].url
		at, ok := m.byURL[url]
		if !ok {
			at = int32(len(m.byURL) + 1)
			m.byURL[url] = at
		}
		of[doc] = at
	}
	return of, len(m.byURL)
}
