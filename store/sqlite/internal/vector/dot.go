// Package vector reads and writes vectors of float32 and multiplies them.
package vector

// plain is the inner product of two vectors of equal length in plain Go. Four
// sums keep the processor busy where one would wait for each addition.
func plain(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// Exact is the inner product in float64, summed in index order: the score
// that counts, the same on every machine. The conversion of each product
// forbids a fused multiply-add, which would round differently.
func Exact(a, b []float32) float64 {
	b = b[:len(a)]
	var s float64
	for i, x := range a {
		s += float64(float64(x) * float64(b[i]))
	}
	return s
}
