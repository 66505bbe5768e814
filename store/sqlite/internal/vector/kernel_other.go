//go:build !amd64

package vector

// Kernel returns the fastest inner product of this machine.
func Kernel() func(a, b []float32) float32 { return plain }
