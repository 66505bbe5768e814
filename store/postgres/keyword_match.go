package postgres

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// match is a child that matches, and its score.
type match struct {
	id, parent, document uuid.UUID
	length               store.FieldCounts
	// counts are those of the query's distinct terms.
	counts []store.FieldCounts
	score  float64
}

// row returns the match as a search returns it.
func (m *match) row(q *keyword.Query) store.KeywordRow {
	row := store.KeywordRow{
		ID: m.id.String(), DocumentID: m.document.String(),
		TF: q.Frequencies(m.counts), Length: m.length, Score: m.score,
	}
	if m.parent != uuid.Nil {
		row.ParentID = m.parent.String()
	}
	return row
}

// compareMatches orders by (score descending, id): ids are ordered as their texts.
func compareMatches(a, b match) int {
	return cmp.Or(cmp.Compare(b.score, a.score), bytes.Compare(a.id[:], b.id[:]))
}

// nameCounter counts a query's terms in the headings and titles of matches, of which
// those that follow one another mostly have the same.
type nameCounter struct {
	keyword.Counter
	last   keyword.Fields
	length store.FieldCounts
}

func newNameCounter(q *keyword.Query) nameCounter { return nameCounter{Counter: keyword.NewCounter(q)} }

// count makes Counts and length those of a heading and a title, and the body's 0.
func (n *nameCounter) count(heading, title []byte) {
	if bytes.Equal(n.last.Heading, heading) && bytes.Equal(n.last.Title, title) {
		return
	}
	n.last.Heading = append(n.last.Heading[:0], heading...)
	n.last.Title = append(n.last.Title[:0], title...)
	n.Count(&n.last)
	n.length = n.last.Lengths()
}

// bestMatches keeps the best of many matches.
type bestMatches struct {
	limit int
	kept  []match
	// worst is a match that only better ones come before, once limit are kept.
	worst *match
}

// add takes a match, whose counts remain the caller's.
func (b *bestMatches) add(m *match) {
	if b.worst != nil && compareMatches(*b.worst, *m) < 0 {
		return
	}
	kept := *m
	kept.counts = slices.Clone(m.counts)
	b.kept = append(b.kept, kept)
	if len(b.kept) == 2*b.limit {
		b.kept = b.sorted()
		worst := b.kept[b.limit-1]
		b.worst = &worst
	}
}

// sorted returns the best in their order.
func (b *bestMatches) sorted() []match {
	slices.SortFunc(b.kept, compareMatches)
	return b.kept[:min(b.limit, len(b.kept))]
}

// eachMatch calls do with every child in scope that matches, in no order, and
// returns how many they were. sampled says that a term is so common that only the
// first of its children were looked at. do must copy the counts that it keeps.
//
// What a child costs is what this is about. Measured for 100,000 passages of a
// hundred words and a query of three terms with 19,000 matches, against 28 ms for
// finding and counting them: 51 ms with the rank of each term (0.25 µs a term and
// row, so 83 ms for ten terms), 110 to 190 ms with array_position in an array of
// words, 390 ms with the vectors sent over to be counted here, 1200 ms with the
// vectors unnested. For 500 matches the first is 1.3 ms of 0.5 ms. The order is
// that of BM25 itself, which no ts_rank of the whole query is.
func (v *View) eachMatch(ctx context.Context, tx pgx.Tx, spec *store.Search, q *keyword.Query, found *store.Found, do func(*match)) (total int, sampled bool, err error) {
	limits := v.store.keywords.limits
	limit := 0
	if q.Bound > limits.matches && q.Match != store.MatchOr {
		limit = limits.sampled
	}
	scale := *v.store.keywords.scale.Load()
	usable := scale.usable()
	s := v.matching(spec, q, limit)
	rows, err := tx.Query(ctx, s.sql, s.args...)
	if err != nil {
		return 0, false, err
	}
	score := newScorer(q, spec, found)
	m := match{counts: make([]store.FieldCounts, len(q.Terms))}
	counted, names := heldTerms(q), newNameCounter(q)
	var cut []match
	var isCut bool
	var body int
	var heading, title pgtype.DriverBytes
	var ranks []float32
	columns := []any{(*[16]byte)(&m.id), (*[16]byte)(&m.parent), (*[16]byte)(&m.document), &body, &isCut, &ranks}
	if !isOfBodies(q) {
		columns = append(columns, &heading, &title)
	}
	read := 0
	_, err = pgx.ForEachRow(rows, columns, func() error {
		if read++; limit > 0 && read > limit {
			sampled = true
			return nil
		}
		names.count(heading, title)
		m.length = names.length
		m.length.Body = body
		if isCut || !usable {
			cut = append(cut, match{id: m.id, parent: m.parent, document: m.document, length: m.length})
			return nil
		}
		copy(m.counts, names.Counts)
		for i, at := range counted {
			m.counts[at].Body = scale.count(ranks[i])
		}
		if !q.Matches(m.counts) {
			return nil
		}
		m.score = score.of(&m)
		total++
		do(&m)
		return nil
	})
	if err != nil {
		return 0, false, err
	}
	more, err := v.countCut(ctx, tx, cut, q, score, do)
	return total + more, sampled, err
}
