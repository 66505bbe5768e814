package quantise

import "math"

// Top keeps the Limit greatest values that it is given, in a heap with the
// smallest first.
type Top struct {
	Limit int
	// Values are those that are kept, the smallest first and the others in no order.
	Values []float32
}

// Floor is the smallest value that is kept once there are Limit of them, and minus
// infinity before.
func (t *Top) Floor() float32 {
	if len(t.Values) < t.Limit {
		return float32(math.Inf(-1))
	}
	return t.Values[0]
}

// Add keeps v if it is among the greatest, and reports whether it is.
func (t *Top) Add(v float32) bool {
	if len(t.Values) < t.Limit {
		t.Values = append(t.Values, v)
		for i := len(t.Values) - 1; i > 0 && t.Values[i] < t.Values[(i-1)/2]; i = (i - 1) / 2 {
			t.Values[i], t.Values[(i-1)/2] = t.Values[(i-1)/2], t.Values[i]
		}
		return true
	}
	if v <= t.Values[0] {
		return false
	}
	t.Values[0] = v
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.Values); child++ {
			if t.Values[child] < t.Values[least] {
				least = child
			}
		}
		if least == i {
			return true
		}
		t.Values[i], t.Values[least] = t.Values[least], t.Values[i]
		i = least
	}
}
