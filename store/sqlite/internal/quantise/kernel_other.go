//go:build !amd64

package quantise

func dots(out []int32, q []int16, rows []int8) { dotsPlain(out, q, rows) }

func round(row []int8, v []float32, inverse, scale float32) float32 {
	return roundPlain(row, v, inverse, scale)
}

func largest(v []float32) float32 { return largestPlain(v) }
