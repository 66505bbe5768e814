//go:build !amd64

package sqlite

// kernel returns the fastest inner product of this machine.
func kernel() func(a, b []float32) float32 { return dotGo }
