package sqlite

import (
	"math"

	"github.com/google/uuid"
)

func (r ref) id() uuid.UUID { return r.doc.part.rows[r.row].id }

func (r ref) compareID(o ref) int { return compareIDs(r.id(), o.id()) }

// topRows keeps the limit best hits by (similarity descending, chunk id
// ascending). It is a heap with the worst hit first, so that most rows cost one
// comparison with floor. The tie-break is part of the order: without it, which
// of two equal rows stays would depend on where they are in memory.
type topRows struct {
	limit int
	hits  []hit
	// floor is the similarity below which a row is not kept: that of the worst
	// hit once there are limit hits, and minus infinity before.
	floor float32
}

func newTopRows(limit int) topRows {
	return topRows{limit: limit, floor: float32(math.Inf(-1))}
}

func (t *topRows) add(h hit) {
	if len(t.hits) < t.limit {
		t.hits = append(t.hits, h)
		t.up(len(t.hits) - 1)
		if len(t.hits) == t.limit {
			t.floor = t.hits[0].similarity
		}
		return
	}
	if worse(h, t.hits[0]) {
		return
	}
	t.hits[0] = h
	t.down(0)
	t.floor = t.hits[0].similarity
}

func (t *topRows) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !worse(t.hits[i], t.hits[parent]) {
			return
		}
		t.hits[i], t.hits[parent] = t.hits[parent], t.hits[i]
		i = parent
	}
}

func (t *topRows) down(i int) {
	for {
		worst := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(t.hits); c++ {
			if worse(t.hits[c], t.hits[worst]) {
				worst = c
			}
		}
		if worst == i {
			return
		}
		t.hits[i], t.hits[worst] = t.hits[worst], t.hits[i]
		i = worst
	}
}

// worse reports whether a comes after b in the order of results.
func worse(a, b hit) bool {
	if a.similarity != b.similarity {
		return a.similarity < b.similarity
	}
	return a.compareID(b.ref) > 0
}
