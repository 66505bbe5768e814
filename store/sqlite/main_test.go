package sqlite

import (
	"math"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if bench.dir != "" {
		_ = os.RemoveAll(bench.dir)
	}
	os.Exit(code)
}

// normalise scales v to length 1.
func normalise(v []float32) {
	n := math.Sqrt(dotExact(v, v))
	for i := range v {
		v[i] = float32(float64(v[i]) / n)
	}
}
