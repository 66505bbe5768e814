package quantise

import "github.com/viterin/vek/vek32"

// fast says that the processor has AVX2 and FMA.
var fast = vek32.Info().Acceleration

func dots(out []int32, q []int16, rows []int8) {
	if !fast || len(out) == 0 || len(q) == 0 {
		dotsPlain(out, q, rows)
		return
	}
	rows = rows[:len(out)*len(q)]
	dotsAVX2(&out[0], &q[0], &rows[0], len(q), len(out))
}

func round(row []int8, v []float32, inverse, scale float32) float32 {
	whole := len(v) &^ 7
	if !fast || whole == 0 {
		return roundPlain(row, v, inverse, scale)
	}
	row = row[:len(v)]
	return roundAVX2(&row[0], &v[0], whole, inverse, scale) + roundPlain(row[whole:], v[whole:], inverse, scale)
}

func largest(v []float32) float32 {
	if !fast || len(v) == 0 {
		return largestPlain(v)
	}
	return max(vek32.Max(v), -vek32.Min(v))
}

// dotsAVX2 writes the inner products of q and n rows of stride bytes, a multiple of
// group.
//
//go:noescape
func dotsAVX2(out *int32, q *int16, rows *int8, stride, n int)

// roundAVX2 is roundPlain for n components, a multiple of 8.
//
//go:noescape
func roundAVX2(row *int8, v *float32, n int, inverse, scale float32) float32
