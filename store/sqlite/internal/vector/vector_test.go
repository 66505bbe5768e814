package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernels agree with the exact sum for every length, also those that no
// unrolled loop divides.
func TestKernelsAgree(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 300; n++ {
		a, b := make([]float32, n), make([]float32, n)
		for i := range a {
			a[i], b[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
		}
		for _, v := range [][]float32{a, b} {
			length := float32(math.Sqrt(Exact(v, v)))
			for i := range v {
				v[i] /= length
			}
		}
		want := Exact(a, b)
		for name, dot := range map[string]func(a, b []float32) float32{"plain": plain, "fast": Kernel()} {
			if got := float64(dot(a, b)); math.Abs(got-want) > 1e-5 {
				t.Errorf("%s, %d dimensions: %v, want %v", name, n, got, want)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 0})
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		v := make([]float32, len(b)/4)
		err := Decode(v, b)
		if (err == nil) != (len(b)%4 == 0) {
			t.Fatalf("%d bytes: %v", len(b), err)
		}
		if err == nil && !slices.Equal(Encode(v), b) {
			t.Error("the bytes do not come back")
		}
	})
}
