package bpe

import "math"

// merger merges the bytes of a piece into tokens. Its memory is used again for
// the next piece.
type merger struct {
	parts []part
	queue Queue
}

// part is the beginning of a token in the making, or nothing any more if it has
// been merged into the one before it. The last one stands behind the piece.
type part struct {
	prev, next int32
	// rank is that of the token that it would be together with the next part,
	// unmergeable if there is none.
	rank uint32
}

const unmergeable = math.MaxUint32

// appendLengths appends the lengths of the tokens of a piece.
func (m *merger) appendLengths(lengths []byte, v *vocabulary, piece string) []byte {
	n := int32(len(piece))
	m.parts, m.queue = m.parts[:0], m.queue[:0]
	for i := range n + 1 {
		m.parts = append(m.parts, part{prev: i - 1, next: i + 1, rank: unmergeable})
	}
	for i := range n {
		m.offer(v, piece, i)
	}
	for len(m.queue) > 0 {
		rank, i := m.queue.Pop()
		if m.parts[i].rank != rank {
			continue // from before one of the two was merged with another
		}
		gone := m.parts[i].next
		next := m.parts[gone].next
		m.parts[gone].rank = unmergeable
		m.parts[i].next, m.parts[next].prev = next, i
		m.offer(v, piece, i)
		if prev := m.parts[i].prev; prev >= 0 {
			m.offer(v, piece, prev)
		}
	}
	for i := int32(0); i < n; i = m.parts[i].next {
		lengths = append(lengths, byte(m.parts[i].next-i))
	}
	return lengths
}

// offer queues the merge of a part with the one behind it, if they are a token.
func (m *merger) offer(v *vocabulary, piece string, i int32) {
	p := &m.parts[i]
	p.rank = unmergeable
	if int(p.next) == len(piece) {
		return
	}
	if rank, ok := v.rank(piece[i:m.parts[p.next].next]); ok {
		p.rank = rank
		m.queue.Push(rank, i)
	}
}

// Queue is a heap of merges, the lowest rank on top and of equal ones the
// leftmost: a rank in the upper half of a number, a part in the lower.
type Queue []uint64

// Push adds the merge of the part i with the one behind it.
func (q *Queue) Push(rank uint32, i int32) {
	*q = append(*q, uint64(rank)<<32|uint64(i))
	h := *q
	for at := len(h) - 1; at > 0; {
		parent := (at - 1) / 2
		if h[parent] <= h[at] {
			break
		}
		h[parent], h[at] = h[at], h[parent]
		at = parent
	}
}

// Pop removes the merge on top. The queue must not be empty.
func (q *Queue) Pop() (rank uint32, i int32) {
	h := *q
	top, last := h[0], len(h)-1
	h[0], h = h[last], h[:last]
	for at := 0; ; {
		child := 2*at + 1
		if child >= last {
			break
		}
		if right := child + 1; right < last && h[right] < h[child] {
			child = right
		}
		if h[at] <= h[child] {
			break
		}
		h[at], h[child] = h[child], h[at]
		at = child
	}
	*q = h
	return uint32(top >> 32), int32(uint32(top))
}
