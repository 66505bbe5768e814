package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/sqlite/internal/postings"
)

// The keyword index is a list of segments, each of the children with terms in a range
// of seq, one range after the other. A child whose terms change gets a new seq, so
// that a segment never changes: what it says of a child that is gone, or may not be
// seen, is passed over. Children after the last segment are counted by each reader
// itself; the writer makes a segment of them when there are many, and when it ends.
const (
	// defaultTail is how many children may be in no segment, beyond those of one
	// document. A reader takes some 8 ms to count them.
	defaultTail = 1024
	// rebuiltAtOnce is how many children make a segment where all are made anew.
	rebuiltAtOnce = 16 * defaultTail
	// leastDead is from how many dead children on they are worth leaving out.
	leastDead = 4 * defaultTail
)

// segment is one row of term_segments.
type segment struct {
	id int64
	// last is the seq up to which it has all children with terms; n is their number
	// and members, if they were asked for, these children.
	last    int64
	n       int
	members []postings.Member
}

// readSegments reads the segments in their order.
func readSegments(ctx context.Context, conn *sql.Conn, members bool) ([]segment, error) {
	query := `SELECT id, last, children, x'' FROM term_segments ORDER BY last`
	if members {
		query = `SELECT id, last, children, roster FROM term_segments ORDER BY last`
	}
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []segment
	for rows.Next() {
		var s segment
		var roster sql.RawBytes
		if err := rows.Scan(&s.id, &s.last, &s.n, &roster); err != nil {
			return nil, err
		}
		if members {
			if s.members, err = postings.Roster(roster).Members(s.n); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// covered is the seq up to which children are in segments.
func covered(segments []segment) int64 {
	if len(segments) == 0 {
		return 0
	}
	return segments[len(segments)-1].last
}

// segmentWriter writes segments, in the transaction of its caller.
type segmentWriter struct{ conn *sql.Conn }

// addTail makes a segment of the children that are in none, and joins it with those
// before it that are not much larger: so the segments remain few, and each child is
// written a few times only.
func (w segmentWriter) addTail(ctx context.Context) error {
	segments, err := readSegments(ctx, w.conn, false)
	if err != nil {
		return err
	}
	tail, err := readTail(ctx, w.conn, covered(segments))
	if err != nil || len(tail.Members()) == 0 {
		return err
	}
	added, err := w.add(ctx, tail)
	if err != nil {
		return err
	}
	segments = append(segments, added)
	from, n := len(segments)-1, added.n
	for from > 0 && segments[from-1].n <= 2*n {
		from--
		n += segments[from].n
	}
	return w.join(ctx, segments[from:])
}

// add writes a segment.
func (w segmentWriter) add(ctx context.Context, b *postings.Builder) (segment, error) {
	members := b.Members()
	s, err := w.insert(ctx, members, members[len(members)-1].Seq)
	if err != nil {
		return segment{}, err
	}
	return s, w.writeBlocks(ctx, s.id, b.Blocks)
}

func (w segmentWriter) insert(ctx context.Context, members []postings.Member, last int64) (segment, error) {
	s := segment{last: last, n: len(members)}
	res, err := w.conn.ExecContext(ctx, `INSERT INTO term_segments (last, children, roster) VALUES (?, ?, ?)`,
		last, s.n, []byte(postings.RosterOf(members)))
	if err == nil {
		s.id, err = res.LastInsertId()
	}
	return s, err
}

// writeBlocks writes the blocks that from gives.
func (w segmentWriter) writeBlocks(ctx context.Context, id int64, from func(put func(string, postings.Block) error) error) (err error) {
	stmt, err := w.conn.PrepareContext(ctx, `INSERT INTO term_blocks (segment, term, lists) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	return from(func(first string, b postings.Block) error {
		_, err := stmt.ExecContext(ctx, id, first, []byte(b))
		return err
	})
}

// join makes one segment of several that follow one another, without the children
// that are gone.
func (w segmentWriter) join(ctx context.Context, segments []segment) error {
	if len(segments) < 2 {
		return nil
	}
	return w.rewrite(ctx, segments)
}

// rewrite is join, for a single segment too.
func (w segmentWriter) rewrite(ctx context.Context, segments []segment) error {
	var members []postings.Member
	sources := make([]*postings.Source, len(segments))
	for i := range segments {
		s := &segments[i]
		var roster []byte
		if err := w.conn.QueryRowContext(ctx, `SELECT roster FROM term_segments WHERE id = ?`, s.id).Scan(&roster); err != nil {
			return err
		}
		own, err := postings.Roster(roster).Members(s.n)
		if err != nil {
			return err
		}
		renumber, err := w.living(ctx, own, &members)
		if err != nil {
			return err
		}
		sources[i] = &postings.Source{Renumber: renumber, Next: w.blocks(ctx, s.id)}
	}
	joined, err := w.insert(ctx, members, covered(segments))
	if err != nil {
		return err
	}
	err = w.writeBlocks(ctx, joined.id, func(put func(string, postings.Block) error) error { return postings.Merge(sources, put) })
	if err != nil {
		return err
	}
	for i := range segments {
		if err := w.remove(ctx, segments[i].id); err != nil {
			return err
		}
	}
	return nil
}

func (w segmentWriter) remove(ctx context.Context, id int64) error {
	_, err := w.conn.ExecContext(ctx, `DELETE FROM term_blocks WHERE segment = ?1; DELETE FROM term_segments WHERE id = ?1`, id)
	return err
}

// living adds those of own that are not gone to members, and returns the number that
// each has there.
func (w segmentWriter) living(ctx context.Context, own []postings.Member, members *[]postings.Member) ([]int32, error) {
	renumber := make([]int32, len(own))
	for i := range renumber {
		renumber[i] = -1
	}
	if len(own) == 0 {
		return renumber, nil
	}
	rows, err := w.conn.QueryContext(ctx, `SELECT seq FROM chunks WHERE seq BETWEEN ? AND ? AND term_count > 0 ORDER BY seq`,
		own[0].Seq, own[len(own)-1].Seq)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for i := 0; rows.Next(); {
		var seq int64
		if err := rows.Scan(&seq); err != nil {
			return nil, err
		}
		for i < len(own) && own[i].Seq < seq {
			i++
		}
		if i < len(own) && own[i].Seq == seq {
			renumber[i] = int32(len(*members))
			*members = append(*members, own[i])
		}
	}
	return renumber, rows.Err()
}

// blocksAtOnce is how many blocks are read at a time.
const blocksAtOnce = 64

// blocks returns what reads the blocks of a segment one after the other.
func (w segmentWriter) blocks(ctx context.Context, id int64) func() (postings.Block, error) {
	var waiting []postings.Block
	after := ""
	return func() (postings.Block, error) {
		if len(waiting) == 0 {
			rows, err := w.conn.QueryContext(ctx, `SELECT term, lists FROM term_blocks WHERE segment = ? AND term > ? ORDER BY term LIMIT ?`,
				id, after, blocksAtOnce)
			if err != nil {
				return nil, err
			}
			defer rows.Close()
			for rows.Next() {
				var b []byte
				if err := rows.Scan(&after, &b); err != nil {
					return nil, err
				}
				waiting = append(waiting, b)
			}
			if err := rows.Err(); err != nil || len(waiting) == 0 {
				return nil, err
			}
		}
		b := waiting[0]
		waiting = waiting[1:]
		return b, nil
	}
}

// rebuild makes all segments anew, of the texts.
func (w segmentWriter) rebuild(ctx context.Context) error {
	if _, err := w.conn.ExecContext(ctx, `DELETE FROM term_blocks; DELETE FROM term_segments`); err != nil {
		return err
	}
	var segments []segment
	for last := int64(0); ; {
		var b postings.Builder
		n := 0
		err := eachTerms(ctx, w.conn, `WHERE seq > ? ORDER BY seq LIMIT ?`, func(seq int64, f *keyword.Fields) {
			b.Add(seq, f)
			last, n = seq, n+1
		}, last, rebuiltAtOnce)
		if err != nil {
			return err
		}
		if len(b.Members()) > 0 {
			s, err := w.add(ctx, &b)
			if err != nil {
				return err
			}
			segments = append(segments, s)
		}
		if n < rebuiltAtOnce {
			return w.join(ctx, segments)
		}
	}
}

// tidy makes segments of what is in none, and leaves the dead out once they are as
// many as the living.
func (w segmentWriter) tidy(ctx context.Context) error {
	if err := w.addTail(ctx); err != nil {
		return err
	}
	segments, err := readSegments(ctx, w.conn, false)
	if err != nil {
		return err
	}
	numbered, living := 0, 0
	for i := range segments {
		numbered += segments[i].n
	}
	if err := w.conn.QueryRowContext(ctx, `SELECT coalesce(sum(child_count), 0) FROM documents`).Scan(&living); err != nil {
		return err
	}
	if numbered < 2*living || numbered-living < leastDead {
		return nil
	}
	return w.rewrite(ctx, segments)
}

// erase leaves the dead out of every segment that has some, with their words.
func (w segmentWriter) erase(ctx context.Context) error {
	segments, err := readSegments(ctx, w.conn, true)
	if err != nil {
		return err
	}
	for _, s := range segments {
		var living []postings.Member
		if _, err := w.living(ctx, s.members, &living); err != nil {
			return err
		}
		if len(living) == s.n {
			continue
		}
		if err := w.rewrite(ctx, []segment{s}); err != nil {
			return err
		}
	}
	return nil
}

// examineSegments holds the keyword index against the chunks: what is wrong with it,
// in words, or nothing. Of a child that is there it must have every term, as far as
// their number tells.
func examineSegments(ctx context.Context, conn *sql.Conn) (wrong string, err error) {
	segments, err := readSegments(ctx, conn, true)
	if err != nil {
		return damaged(err)
	}
	has := make(map[int64]store.FieldCounts)
	for i := range segments {
		if err := checkLists(ctx, conn, &segments[i]); err != nil {
			return damaged(err)
		}
		for _, m := range segments[i].members {
			has[m.Seq] = m.Length
		}
	}
	rows, err := conn.QueryContext(ctx, `SELECT seq, term_count FROM chunks WHERE seq <= ? AND term_count > 0`, covered(segments))
	if err != nil {
		return "", err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var terms int
		if err := rows.Scan(&seq, &terms); err != nil {
			return "", err
		}
		if length := has[seq]; length.Sum() != terms {
			return "passages are missing in it", nil
		}
	}
	return "", rows.Err()
}

func damaged(err error) (string, error) {
	if isDamaged(err) {
		return "it cannot be read", nil
	}
	return "", err
}

// checkLists counts the terms of each child of a segment in its lists.
func checkLists(ctx context.Context, conn *sql.Conn, s *segment) error {
	counted := make([]store.FieldCounts, s.n)
	next := segmentWriter{conn}.blocks(ctx, s.id)
	for {
		b, err := next()
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		err = b.Each(func(_ string, l postings.List) error {
			c := l.Cursor()
			for c.Next() {
				if int(c.Child) >= s.n {
					return postings.ErrDamaged
				}
				counted[c.Child] = sumCounts(counted[c.Child], c.Counts)
			}
			if c.Damaged {
				return postings.ErrDamaged
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for i, m := range s.members {
		if counted[i] != m.Length {
			return postings.ErrDamaged
		}
	}
	return nil
}
