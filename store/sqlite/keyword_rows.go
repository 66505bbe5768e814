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
	kept   []int
	// worst is a match that only better ones come before, once limit are kept.
	worst int
	full  bool
}

func (b *bestWords) add(at int) {
	if b.full && (b.search.scores[at] < b.search.scores[b.worst] || b.search.compare(b.worst, at) < 0) {
		return
	}
	b.kept = append(b.kept, at)
	if len(b.kept) == 2*b.limit {
		b.kept = b.sorted()
		b.worst, b.full = b.kept[b.limit-1], true
	}
}

// sorted returns the best in their order.
func (b *bestWords) sorted() []int {
	slices.SortFunc(b.kept, b.search.compare)
	return b.kept[:min(b.limit, len(b.kept))]
}

// rows makes rows of matches: the counts of their terms are read once more from the
// lists, for these alone.
func (w *wordSearch) rows(matches []int) ([]store.KeywordRow, error) {
	if len(matches) == 0 {
		return nil, nil
	}
	distinct := len(w.query.Terms)
	counts := make([]store.FieldCounts, len(matches)*distinct)
	clear(w.held) // from here on 1 + the place among matches
	for i, at := range matches {
		w.held[at] = int32(1 + i)
	}
	for t, lists := range w.lists {
		for s, l := range lists {
			from := w.index.segments[s].from
			err := w.index.each(s, l, func(_ *wordChild, c *postings.Cursor) {
				if i := w.held[from+int(c.Child)]; i > 0 {
					counts[int(i-1)*distinct+t] = w.found.Fields.Of(c.Counts)
				}
			})
			if err != nil {
				return nil, err
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
