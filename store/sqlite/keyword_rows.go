package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/sqlite/internal/postings"
)

// ref is where a child of the index is.
func (w *wordSearch) ref(at int) ref {
	c := &w.index.children[at]
	return ref{w.sn.numbered[c.number], c.row}
}

func (w *wordSearch) id(at int) uuid.UUID { return w.ref(at).id() }

// compare orders children by (score descending, chunk id).
func (w *wordSearch) compare(a, b int) int {
	if c := cmp.Compare(w.scores[b], w.scores[a]); c != 0 {
		return c
	}
	x, y := w.id(a), w.id(b)
	return bytes.Compare(x[:], y[:])
}

// bestWords keeps the best of many matches.
type bestWords struct {
	search *wordSearch
	limit  int
	// kept is a heap: none comes before its parent, so that the first is the last in
	// the order of compare.
	kept []int
	// floor is the score of the first of limit.
	floor float64
}

func (b *bestWords) add(at int) {
	if b.search.scores[at] < b.floor {
		return
	}
	if b.place(at); len(b.kept) == b.limit {
		b.floor = b.search.scores[b.kept[0]]
	}
}

func (b *bestWords) place(at int) {
	if len(b.kept) < b.limit {
		b.kept = append(b.kept, at)
		for i := len(b.kept) - 1; i > 0 && b.search.compare(b.kept[(i-1)/2], b.kept[i]) < 0; i = (i - 1) / 2 {
			b.kept[i], b.kept[(i-1)/2] = b.kept[(i-1)/2], b.kept[i]
		}
		return
	}
	if b.search.compare(b.kept[0], at) < 0 {
		return
	}
	b.kept[0] = at
	for i := 0; ; {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(b.kept); child++ {
			if b.search.compare(b.kept[last], b.kept[child]) < 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		b.kept[i], b.kept[last] = b.kept[last], b.kept[i]
		i = last
	}
}

// sorted returns the best in their order.
func (b *bestWords) sorted() []int {
	slices.SortFunc(b.kept, b.search.compare)
	return b.kept
}

// rows makes rows of matches: the counts of their terms are read once more from the
// lists, for these alone.
func (w *wordSearch) rows(matches []int) ([]store.KeywordRow, error) {
	if len(matches) == 0 {
		return nil, nil
	}
	distinct := len(w.query.Terms)
	counts := make([]store.FieldCounts, len(matches)*distinct)
	order := make([]int, len(matches)) // by their place in the index, as lists are
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(matches[a], matches[b]) })
	for t, lists := range w.lists {
		left := order
		for s, l := range lists {
			from, c := w.index.segments[s].from, postings.Cursor{Child: -1}
			if len(l) > 0 {
				c = l.Cursor()
			}
			for len(left) > 0 && matches[left[0]] < from+w.index.segments[s].n {
				want := matches[left[0]] - from
				for int(c.Child) < want && c.Next() {
				}
				if int(c.Child) == want {
					counts[left[0]*distinct+t] = w.found.Fields.Of(c.Counts)
				}
				left = left[1:]
			}
			if c.Damaged {
				return nil, postings.ErrDamaged
			}
		}
	}
	out := make([]store.KeywordRow, len(matches))
	for i, at := range matches {
		r := w.ref(at)
		out[i] = store.KeywordRow{
			ID: r.id().String(), ParentID: r.doc.part.ParentID(r.row), DocumentID: r.doc.id.String(),
			TF: w.query.Frequencies(counts[i*distinct : (i+1)*distinct]), Length: w.index.children[at].length(), Score: w.scores[at],
		}
	}
	return out, nil
}

// textsAtOnce is how many texts are asked for in one statement.
const textsAtOnce = 500

// checkRuns reads the terms of doubtful children and refuses those that lack a phrase
// or have what is excluded.
func (w *wordSearch) checkRuns(ctx context.Context, doubtful, refused map[int]bool) error {
	bySeq := make(map[int64]int, len(doubtful))
	seqs := make([]int64, 0, len(doubtful))
	for at := range doubtful {
		r := w.ref(at)
		seq := r.doc.part.Rows[r.row].Seq
		bySeq[seq] = at
		seqs = append(seqs, seq)
	}
	slices.Sort(seqs)
	for some := range slices.Chunk(seqs, textsAtOnce) {
		list, err := json.Marshal(some)
		if err != nil {
			return err
		}
		err = eachTerms(ctx, w.view.conn, `WHERE seq IN (SELECT value FROM json_each(?))`, func(seq int64, f *keyword.Fields) {
			if !w.query.HasRuns(f) {
				refused[bySeq[seq]] = true
			}
		}, string(list))
		if err != nil {
			return err
		}
	}
	return nil
}
