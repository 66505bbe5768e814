package sqlite

import (
	"encoding/json"
	"slices"
)

// rowFilter restricts a keyword search to some rows.
type rowFilter struct {
	// condition starts with AND and has args; it is empty for no restriction.
	condition string
	args      []any
	// seqs are the permitted rows.
	seqs []int64
}

// newRowFilter permits the children in a selection.
//
// The rows are looked up in a map of one byte for each row number from the first
// to the last, which costs little to make and to ask, however many rows there
// are; a list would be sorted into a tree for each search. Only if the numbers
// are spread very widely is there a list. Its plus sign keeps FTS5 from starting
// its search anew for each row of the list.
func newRowFilter(sel selection, widest int64) rowFilter {
	var f rowFilter
	for _, sp := range sel.children() {
		for _, x := range sp.doc.part.rows[sp.from:sp.to] {
			if x.lengths().Sum() > 0 {
				f.seqs = append(f.seqs, x.seq)
			}
		}
	}
	if len(f.seqs) == 0 {
		return f
	}
	first, last := slices.Min(f.seqs), slices.Max(f.seqs)
	f.condition = ` AND rowid BETWEEN ? AND ?`
	f.args = []any{first, last}
	if last-first < widest {
		permitted := make([]byte, last-first+1)
		for _, seq := range f.seqs {
			permitted[seq-first] = 1
		}
		f.condition += ` AND substr(?, rowid - ?, 1) = x'01'`
		f.args = append(f.args, permitted, first-1)
		return f
	}
	f.condition += ` AND +rowid IN (SELECT value FROM json_each(?))`
	f.args = append(f.args, jsonList(f.seqs))
	return f
}

func jsonList(seqs []int64) string {
	b, _ := json.Marshal(seqs) // numbers always marshal
	return string(b)
}
