package sqlite

import (
	"context"
	"database/sql"
	"slices"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/sqlite/internal/postings"
)

// wordIndex is what memory holds of the keyword index of a snapshot: which of the
// children that the segments number may be seen, and where they are. The lists stay
// in the file.
type wordIndex struct {
	segments []wordSegment
	// children are those of all segments, one segment after the other.
	children []wordChild
	// rows counts the children that may be seen, and terms their terms.
	rows  int
	terms store.FieldCounts
}

// wordSegment is a segment of the file, or the last one, which is not in the file
// yet.
type wordSegment struct {
	id int64
	// from is where its children begin, n their number; all says that each of them may
	// be seen.
	from, n int
	all     bool
	// lists are those of the segment that is not in the file, nil for others.
	lists map[string]postings.List
}

// wordChild is a child of a segment: 20 bytes. number is that of its document, -1
// for one that may not be seen or is gone.
type wordChild struct {
	number, row          int32
	body, heading, title int32
}

func (c *wordChild) length() store.FieldCounts {
	return store.FieldCounts{Body: int(c.body), Heading: int(c.heading), Title: int(c.title)}
}

// words returns the keyword index of the view's snapshot. It is made anew if the
// segments are no more those that it was made of: joining them changes nothing that
// a version counts.
func (v *View) words(ctx context.Context, sn *snapshot) (*wordIndex, error) {
	segments, err := readSegments(ctx, v.conn, false)
	if err != nil {
		return nil, err
	}
	if w := sn.words.Load(); w != nil && w.isOf(segments) {
		return w, nil
	}
	if segments, err = readSegments(ctx, v.conn, true); err != nil {
		return nil, err
	}
	tail, err := readTail(ctx, v.conn, covered(segments))
	if err != nil {
		return nil, err
	}
	w := sn.number(segments, tail)
	sn.words.Store(w)
	return w, nil
}

func (w *wordIndex) isOf(segments []segment) bool {
	return slices.EqualFunc(w.segments[:len(w.segments)-1], segments, func(a wordSegment, b segment) bool { return a.id == b.id })
}

// number finds the children of segments in the snapshot; tail are those of none.
func (s *snapshot) number(segments []segment, tail *postings.Builder) *wordIndex {
	members := make([][]postings.Member, 0, len(segments)+1)
	w := &wordIndex{segments: make([]wordSegment, 0, len(segments)+1)}
	add := func(id int64, m []postings.Member) {
		members = append(members, m)
		w.segments = append(w.segments, wordSegment{id: id, from: len(w.children), n: len(m)})
		for _, x := range m {
			w.children = append(w.children, wordChild{
				number: -1, body: int32(x.Length.Body), heading: int32(x.Length.Heading), title: int32(x.Length.Title),
			})
		}
	}
	total := len(tail.Members())
	for i := range segments {
		total += len(segments[i].members)
	}
	w.children = make([]wordChild, 0, total)
	for i := range segments {
		add(segments[i].id, segments[i].members)
	}
	add(0, tail.Members())
	w.segments[len(segments)].lists = tail.Lists()
	seen := make([]int, len(members))
	for _, d := range s.numbered {
		if d != nil {
			w.show(d, members, seen)
		}
	}
	for i := range w.segments {
		w.segments[i].all = seen[i] == w.segments[i].n
	}
	return w
}

// show marks the children of a document that may be seen.
func (w *wordIndex) show(d *document, members [][]postings.Member, seen []int) {
	bySeq := func(m postings.Member, seq int64) int { return compareSeq(m.Seq, seq) }
	at, in := 0, 0 // the children of a document mostly follow one another
	for r := d.part.Parents; r < len(d.part.Rows); r++ {
		seq := d.part.Rows[r].Seq
		if at++; at >= len(members[in]) || members[in][at].Seq != seq {
			found := false
			for i, m := range members {
				if len(m) == 0 || seq < m[0].Seq || seq > m[len(m)-1].Seq {
					continue
				}
				var j int
				if j, found = slices.BinarySearchFunc(m, seq, bySeq); found {
					at, in = j, i
					break
				}
			}
			if !found {
				continue // it has no terms
			}
		}
		c := &w.children[w.segments[in].from+at]
		c.number, c.row = d.number, int32(r)
		seen[in]++
		w.rows++
		w.terms = sumCounts(w.terms, c.length())
	}
}

func compareSeq(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// listReader looks up lists. It is closed after use.
type listReader struct {
	index *wordIndex
	stmt  *sql.Stmt
}

func (v *View) listReader(ctx context.Context, w *wordIndex) (*listReader, error) {
	stmt, err := v.conn.PrepareContext(ctx, `SELECT lists FROM term_blocks WHERE segment = ? AND term <= ? ORDER BY term DESC LIMIT 1`)
	return &listReader{w, stmt}, err
}

func (r *listReader) close() { _ = r.stmt.Close() }

// lists returns the list of a term in each segment, nil where there is none.
func (r *listReader) lists(ctx context.Context, term string) ([]postings.List, error) {
	out := make([]postings.List, len(r.index.segments))
	for i := range out {
		s := &r.index.segments[i]
		if s.lists != nil {
			out[i] = s.lists[term]
			continue
		}
		rows, err := r.stmt.QueryContext(ctx, s.id, term)
		if err != nil {
			return nil, err
		}
		if out[i], err = listIn(rows, term); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// listIn finds a list in the block that rows returns, and closes them.
func listIn(rows *sql.Rows, term string) (postings.List, error) {
	defer rows.Close()
	var found postings.List
	if rows.Next() {
		var block sql.RawBytes
		if err := rows.Scan(&block); err != nil {
			return nil, err
		}
		l, err := postings.Block(block).Find(term)
		if err != nil {
			return nil, err
		}
		found = slices.Clone(l)
	}
	return found, rows.Err()
}

// frequency counts the children that may be seen and hold a term in any field.
func (w *wordIndex) frequency(lists []postings.List) (int, error) {
	df := 0
	for i, l := range lists {
		s := &w.segments[i]
		if s.all {
			df += l.Len()
			continue
		}
		err := w.each(i, l, func(*wordChild, *postings.Cursor) { df++ })
		if err != nil {
			return 0, err
		}
	}
	return df, nil
}

// each calls do with the postings of children that may be seen.
func (w *wordIndex) each(segment int, l postings.List, do func(*wordChild, *postings.Cursor)) error {
	if len(l) == 0 {
		return nil
	}
	s := &w.segments[segment]
	children := w.children[s.from : s.from+s.n]
	c := l.Cursor()
	for c.Next() {
		if int(c.Child) >= len(children) {
			return postings.ErrDamaged
		}
		if child := &children[c.Child]; child.number >= 0 {
			do(child, &c)
		}
	}
	if c.Damaged {
		return postings.ErrDamaged
	}
	return nil
}

// readTail reads the terms of the children after one.
func readTail(ctx context.Context, conn *sql.Conn, after int64) (*postings.Builder, error) {
	var b postings.Builder
	return &b, eachTerms(ctx, conn, `WHERE seq > ? ORDER BY seq`, func(seq int64, f *keyword.Fields) { b.Add(seq, f) }, after)
}

// eachTerms calls do with the terms of children.
func eachTerms(ctx context.Context, conn *sql.Conn, where string, do func(seq int64, f *keyword.Fields), args ...any) error {
	rows, err := conn.QueryContext(ctx, `SELECT seq, terms, heading_terms, title_terms FROM chunk_texts `+where, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var body, heading, title sql.RawBytes
		if err := rows.Scan(&seq, &body, &heading, &title); err != nil {
			return err
		}
		do(seq, &keyword.Fields{Body: body, Heading: heading, Title: title})
	}
	return rows.Err()
}
