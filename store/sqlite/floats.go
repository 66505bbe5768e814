package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

// floatReader calls do with the vector of each of refs, in any order. do keeps nothing
// of it.
type floatReader func(ctx context.Context, refs []ref, do func(i int, v []float32)) error

// floatsAtOnce is how many vectors are asked for in one statement.
const floatsAtOnce = 500

// floatCache keeps vectors by their slots, which hold the same one as long as there are
// blocks that share it. It may be used from several goroutines.
type floatCache struct {
	sync.Mutex
	bySlot map[int][]float32
}

// mostCached is how many components are kept: 64 MB.
const mostCached = 16 << 20

func (c *floatCache) get(slot int) []float32 {
	c.Lock()
	defer c.Unlock()
	return c.bySlot[slot]
}

func (c *floatCache) put(slot int, v []float32) {
	c.Lock()
	defer c.Unlock()
	if c.bySlot == nil || len(c.bySlot) >= max(1, mostCached/len(v)) {
		c.bySlot = make(map[int][]float32)
	}
	c.bySlot[slot] = slices.Clone(v)
}

// floats is the floatReader of the snapshot and of the file that a connection reads.
func (s *snapshot) floats(conn *sql.Conn) floatReader {
	return func(ctx context.Context, refs []ref, do func(i int, v []float32)) error {
		var left []int
		for i, r := range refs {
			if f := s.vectors.floats.get(r.doc.part.VectorOf(r.row)); f != nil {
				do(i, f)
			} else {
				left = append(left, i)
			}
		}
		for some := range slices.Chunk(left, floatsAtOnce) {
			if err := s.readFloats(ctx, conn, refs, some, do); err != nil {
				return err
			}
		}
		return nil
	}
}

// readFloats reads the vectors of those of refs.
func (s *snapshot) readFloats(ctx context.Context, conn *sql.Conn, refs []ref, those []int, do func(i int, v []float32)) error {
	at := make(map[int64]int, len(those))
	query := []byte(`SELECT seq, v FROM vectors WHERE seq IN (`)
	for _, i := range those {
		seq := refs[i].doc.part.Rows[refs[i].row].Seq
		at[seq] = i
		query = append(strconv.AppendInt(query, seq, 10), ',')
	}
	query[len(query)-1] = ')'
	scratch := make([]float32, s.vectors.dims)
	err := eachVector(ctx, conn, string(query), func(seq int64, blob []byte) error {
		i := at[seq]
		delete(at, seq)
		if err := decodeUnit(scratch, blob); err != nil {
			return damagedVector(refs[i].id(), err)
		}
		do(i, scratch)
		s.vectors.floats.put(refs[i].doc.part.VectorOf(refs[i].row), scratch)
		return nil
	})
	if err != nil {
		return err
	}
	for _, i := range at {
		return missingVector(refs[i].id())
	}
	return nil
}

// encode makes the bytes of the vectors of docs, which have their slots, of the table
// of vectors. Without only, the whole table is read.
func (l *loader) encode(ctx context.Context, docs []*document, only []string, vectors vectorBlocks) error {
	type want struct {
		seq  int64
		slot int
		id   uuid.UUID
	}
	var wanted []want
	for _, d := range docs {
		for i := range d.part.Vectors {
			x := &d.part.Rows[d.part.RowOf(i)]
			wanted = append(wanted, want{x.Seq, d.part.Slot + i, x.ID})
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	slices.SortFunc(wanted, func(a, b want) int { return cmp.Compare(a.seq, b.seq) })
	query, args := `SELECT seq, v FROM vectors ORDER BY seq`, []any(nil)
	if only != nil {
		query, args = `SELECT v.seq, v.v FROM chunks c JOIN vectors v ON v.seq = c.seq
			WHERE c.document_id IN (SELECT value FROM json_each(?)) ORDER BY v.seq`, []any{idList(only)}
	}
	scratch := make([]float32, l.dims)
	err := eachVector(ctx, l.conn, query, func(seq int64, blob []byte) error {
		if len(wanted) == 0 || seq < wanted[0].seq {
			return nil // a vector of a chunk that may not be seen
		}
		if seq > wanted[0].seq {
			return missingVector(wanted[0].id)
		}
		if err := decodeUnit(scratch, blob); err != nil {
			return damagedVector(wanted[0].id, err)
		}
		vectors.encode(wanted[0].slot, scratch)
		wanted = wanted[1:]
		return nil
	}, args...)
	if err == nil && len(wanted) > 0 {
		err = missingVector(wanted[0].id)
	}
	return err
}

// eachVector calls do with the rows of a query over the table of vectors.
func eachVector(ctx context.Context, conn *sql.Conn, query string, do func(seq int64, blob []byte) error, args ...any) error {
	rows, err := conn.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var blob sql.RawBytes
		if err := rows.Scan(&seq, &blob); err != nil {
			return err
		}
		if err := do(seq, blob); err != nil {
			return err
		}
	}
	return rows.Err()
}

// decodeUnit fills v from a value of the table, which must be of length 1.
func decodeUnit(v []float32, blob []byte) error {
	if err := vector.Decode(v, blob); err != nil {
		return err
	}
	// Written so that NaN fails.
	if n := vector.Kernel()(v, v); !(n > 1-2*store.UnitTolerance && n < 1+2*store.UnitTolerance) {
		return store.CheckUnit(v)
	}
	return nil
}

func missingVector(chunk uuid.UUID) error {
	return fmt.Errorf("the vector of chunk %s is missing; delete its document and index it again", chunk)
}

func damagedVector(chunk uuid.UUID, err error) error {
	return fmt.Errorf("the vector of chunk %s is damaged (%w); delete its document and index it again", chunk, err)
}
