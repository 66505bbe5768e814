package sqlite

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		if err := runChild(mode, os.Args[1]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	if bench.dir != "" {
		_ = os.RemoveAll(bench.dir)
	}
	os.Exit(code)
}

// normalise scales v to length 1.
func normalise(v []float32) {
	n := math.Sqrt(vector.Exact(v, v))
	for i := range v {
		v[i] = float32(float64(v[i]) / n)
	}
}
