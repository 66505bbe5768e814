package vector

import "github.com/viterin/vek/vek32"

// Kernel returns the fastest inner product of this machine. vek has assembly
// for amd64 with AVX2 and FMA only; its plain form is slower than ours.
func Kernel() func(a, b []float32) float32 {
	if vek32.Info().Acceleration {
		return vek32.Dot
	}
	return plain
}
