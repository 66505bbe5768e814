package postings

import (
	"encoding/binary"
	"math"

	"github.com/webrag/webrag-tui/store"
)

// Member is a child of a segment: its number in the file and its terms by field.
type Member struct {
	Seq    int64
	Length store.FieldCounts
}

// Roster are the children of a segment by their numbers in it: each the distance of
// its Seq from the one before, and its lengths.
type Roster []byte

func (r Roster) with(m Member, last int64) Roster {
	r = binary.AppendUvarint(r, uint64(m.Seq-last))
	r = binary.AppendUvarint(r, uint64(m.Length.Body))
	r = binary.AppendUvarint(r, uint64(m.Length.Heading))
	return binary.AppendUvarint(r, uint64(m.Length.Title))
}

// Members returns the children.
func (r Roster) Members(n int) ([]Member, error) {
	if n < 0 || n > len(r) {
		return nil, ErrDamaged
	}
	out := make([]Member, n)
	last := int64(0)
	for i := range out {
		var v [4]uint64
		for j := range v {
			x, size := binary.Uvarint(r)
			if size <= 0 || x > math.MaxInt64/2 || j > 0 && x > math.MaxInt32 {
				return nil, ErrDamaged
			}
			v[j], r = x, r[size:]
		}
		if v[0] == 0 || last > math.MaxInt64/2 {
			return nil, ErrDamaged
		}
		last += int64(v[0])
		out[i] = Member{last, store.FieldCounts{Body: int(v[1]), Heading: int(v[2]), Title: int(v[3])}}
	}
	if len(r) > 0 {
		return nil, ErrDamaged
	}
	return out, nil
}

// RosterOf returns the roster of children, which are in the order of Seq.
func RosterOf(members []Member) Roster {
	r := make(Roster, 0, 5*len(members))
	last := int64(0)
	for _, m := range members {
		r = r.with(m, last)
		last = m.Seq
	}
	return r
}
