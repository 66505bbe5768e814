package spelling_test

import (
	"testing"

	"github.com/webrag/webrag-tui/spelling"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"topk", "topk", 0},
		{"topk", "top_k", 1},
		{"top_k", "topk", 1},
		{"tpok", "topk", 2},
		{"", "abc", 3},
		{"abc", "", 3},
		{"kitten", "sitting", 3},
	} {
		if got := spelling.Distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
