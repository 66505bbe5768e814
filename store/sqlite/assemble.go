package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

// assemble gives each document its part, made of raw, which is in the order of
// seq. slots[i] is the slot of the vector of raw[i], -1 for none; the first one
// given is first. vectors is their number. A row whose parent may not be seen goes to
// no document.
func assemble(docs []*document, raw []rawRow, first int) (slots []int32, vectors int) {
	byDoc := groupByDocument(len(docs), raw)
	slots = make([]int32, len(raw))
	arena := make([]row, 0, len(raw))
	var hashes [][32]byte
	parentRows := make(map[uuid.UUID]int32)
	for i, d := range docs {
		own, parents, alone := sortChunks(raw, byDoc[i], parentRows)
		for _, j := range alone {
			slots[j] = -1
		}
		if need := len(own) - parents; cap(hashes)-len(hashes) < need {
			hashes = make([][32]byte, 0, max(need, min(len(raw), 4096)))
		}
		p := &part{parents: parents, slot: first + vectors}
		from := len(arena)
		for r, j := range own {
			x := &raw[j]
			slots[j] = -1
			if x.state&rowEmbedded != 0 {
				slots[j] = int32(p.slot + p.vectors)
				p.vectors++
			}
			x.section = p.intern(x.shared)
			if r >= parents {
				hashes = append(hashes, p.setHash(x, int32(r)))
			}
			arena = append(arena, x.row)
		}
		p.rows = arena[from:len(arena):len(arena)]
		p.hashes = hashes[len(hashes)-(len(own)-parents) : len(hashes) : len(hashes)]
		p.nameVectorRows()
		p.sections = slices.Clip(p.sections)
		vectors += p.vectors
		d.part = p
	}
	return slots, vectors
}

// groupByDocument returns the indexes of raw by document.
func groupByDocument(n int, raw []rawRow) [][]int32 {
	starts := make([]int32, n+1)
	for i := range raw {
		starts[raw[i].doc+1]++
	}
	for i := range n {
		starts[i+1] += starts[i]
	}
	all := make([]int32, len(raw))
	groups := make([][]int32, n)
	for i := range groups {
		groups[i] = all[starts[i]:starts[i]:starts[i+1]]
	}
	for i := range raw {
		d := raw[i].doc
		groups[d] = append(groups[d], int32(i))
	}
	return groups
}

// sortChunks brings the chunks of one document in the order of part.rows and sets
// the parent's row of each child. The first parents of kept are parents; orphans
// are the children whose parent is not among them. rows is scratch space.
func sortChunks(raw []rawRow, own []int32, rows map[uuid.UUID]int32) (kept []int32, parents int, orphans []int32) {
	slices.SortFunc(own, func(a, b int32) int {
		x, y := &raw[a], &raw[b]
		if c := compareBool(x.parentID != uuid.Nil, y.parentID != uuid.Nil); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(x.index, y.index), cmp.Compare(x.seq, y.seq))
	})
	parents, _ = slices.BinarySearchFunc(own, true, func(i int32, want bool) int {
		return compareBool(raw[i].parentID != uuid.Nil, want)
	})
	clear(rows)
	for r, i := range own[:parents] {
		rows[raw[i].id] = int32(r)
	}
	kept = own[:parents]
	for _, i := range own[parents:] {
		r, ok := rows[raw[i].parentID]
		if !ok {
			orphans = append(orphans, i)
			continue
		}
		raw[i].parent = r
		kept = append(kept, i)
	}
	// Stable, so that the children of a parent stay in the order of index.
	slices.SortStableFunc(kept[parents:], func(a, b int32) int { return cmp.Compare(raw[a].parent, raw[b].parent) })
	return kept, parents, orphans
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// intern returns the number of a section. Chunks of one section follow each
// other, and the children begin again where the parents did.
func (p *part) intern(s section) int32 {
	n := len(p.sections)
	if n > 0 && p.sections[n-1] == s {
		return int32(n - 1)
	}
	if i := slices.Index(p.sections[max(0, n-maxSectionSearch):], s); i >= 0 {
		return int32(max(0, n-maxSectionSearch) + i)
	}
	p.sections = append(p.sections, s)
	return int32(n)
}

// maxSectionSearch bounds the search for an equal section, so that a document
// of thousands of sections loads in linear time.
const maxSectionSearch = 64

// setHash marks a row that has an embed hash and returns what goes into hashes.
func (p *part) setHash(x *rawRow, r int32) (h [32]byte) {
	if x.hash == "" {
		return h
	}
	x.state |= rowHashed
	if len(x.hash) == 2*len(h) {
		if _, err := hex.Decode(h[:], []byte(x.hash)); err == nil && hex.EncodeToString(h[:]) == x.hash {
			return h
		}
	}
	if p.oddHashes == nil {
		p.oddHashes = make(map[int32]string)
	}
	p.oddHashes[r] = x.hash
	return h
}

// nameVectorRows fills vectorRows unless all children are embedded.
func (p *part) nameVectorRows() {
	if p.vectors == len(p.rows)-p.parents && !slices.ContainsFunc(p.rows[:p.parents], isEmbedded) {
		return
	}
	p.vectorRows = make([]int32, 0, p.vectors)
	for r, x := range p.rows {
		if isEmbedded(x) {
			p.vectorRows = append(p.vectorRows, int32(r))
		}
	}
}

func isEmbedded(x row) bool { return x.state&rowEmbedded != 0 }

// vectors reads the vectors of raw into their slots of blocks. Without only, the
// whole table is read.
func (l *loader) vectors(ctx context.Context, raw []rawRow, slots []int32, only []string, blocks vectorBlocks, read func(done int)) error {
	query, args := `SELECT seq, v FROM vectors ORDER BY seq`, []any(nil)
	if only != nil {
		ids, err := json.Marshal(only)
		if err != nil {
			return err
		}
		query = `SELECT v.seq, v.v FROM chunks c JOIN vectors v ON v.seq = c.seq
			WHERE c.document_id IN (SELECT value FROM json_each(?)) ORDER BY v.seq`
		args = []any{string(ids)}
	}
	rows, err := l.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	dot := vector.Kernel()
	done, i := 0, 0
	for rows.Next() {
		var seq int64
		var blob sql.RawBytes
		if err := rows.Scan(&seq, &blob); err != nil {
			return err
		}
		for ; i < len(raw) && raw[i].seq < seq; i++ {
			if slots[i] >= 0 {
				return missingVector(raw[i].id)
			}
		}
		if i == len(raw) || raw[i].seq != seq || slots[i] < 0 {
			continue // a vector of a chunk that may not be seen
		}
		v := blocks.at(int(slots[i]))
		if err := vector.Decode(v, blob); err != nil {
			return damagedVector(raw[i].id, err)
		}
		// Written so that NaN fails.
		if n := dot(v, v); !(n > 1-2*store.UnitTolerance && n < 1+2*store.UnitTolerance) {
			return damagedVector(raw[i].id, store.CheckUnit(v))
		}
		blocks.encode(int(slots[i]))
		i++
		if done++; done%4096 == 0 {
			read(done)
		}
	}
	for ; i < len(raw); i++ {
		if slots[i] >= 0 && rows.Err() == nil {
			return missingVector(raw[i].id)
		}
	}
	return rows.Err()
}

func missingVector(chunk uuid.UUID) error {
	return fmt.Errorf("the vector of chunk %s is missing; delete its document and index it again", chunk)
}

func damagedVector(chunk uuid.UUID, err error) error {
	return fmt.Errorf("the vector of chunk %s is damaged (%w); delete its document and index it again", chunk, err)
}
