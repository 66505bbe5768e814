package sqlite

import (
	"math"

	"github.com/google/uuid"
)

func (r ref) id() uuid.UUID { return r.doc.part.rows[r.row].id }

func (r ref) compareID(o ref) int { return compareIDs(r.id(), o.id()) }

// topValues keeps the limit greatest values that it is given, in a heap with the
// smallest first.
type topValues struct {
	limit  int
	values []float32
}

// floor is the smallest value that is kept once there are limit of them, and minus
// infinity before.
func (l *topValues) floor() float32 {
	if len(l.values) < l.limit {
		return float32(math.Inf(-1))
	}
	return l.values[0]
}

// add keeps v if it is among the greatest, and reports whether it is.
func (l *topValues) add(v float32) bool {
	if len(l.values) < l.limit {
		l.values = append(l.values, v)
		for i := len(l.values) - 1; i > 0 && l.values[i] < l.values[(i-1)/2]; i = (i - 1) / 2 {
			l.values[i], l.values[(i-1)/2] = l.values[(i-1)/2], l.values[i]
		}
		return true
	}
	if v <= l.values[0] {
		return false
	}
	l.values[0] = v
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(l.values); child++ {
			if l.values[child] < l.values[least] {
				least = child
			}
		}
		if least == i {
			return true
		}
		l.values[i], l.values[least] = l.values[least], l.values[i]
		i = least
	}
}
