package store_test

import (
	"math"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// Three children of 4, 6 and 8 terms, mean 6; "tree" is in two of them, twice
// in the first:
//
//	idf   = ln(1 + (3-2+0.5)/(2+0.5)) = ln 1.6             = 0.4700036
//	norm  = 1.2 * (0.25 + 0.75*4/6)                       = 0.9
//	share = 0.4700036 * 2*2.2/(2+0.9) = 0.4700036*1.5172414 = 0.7131089
func TestBM25WorkedExample(t *testing.T) {
	t.Parallel()
	near(t, "idf", store.BM25IDF(2, 3), 0.4700036)
	near(t, "share", store.BM25(2, 2, 4, 3, 6), 0.7131089)
	// "leaf" is in the first child only, once: ln(1+2.5/1.5) * 2.2/1.9.
	near(t, "rare share", store.BM25(1, 1, 4, 3, 6), 0.9808293*2.2/1.9)

	f := store.Found{
		Terms:       []store.TermStat{{Term: "tree", DF: 2, Used: true}, {Term: "leaf", DF: 1, Used: true}, {Term: "root"}},
		KeywordRows: 3, AvgLength: 6,
	}
	shares := f.Shares(store.KeywordRow{TF: []int{2, 1, 0}, Length: 4})
	near(t, "first share", shares[0], 0.7131089)
	near(t, "second share", shares[1], 1.1356971)
	near(t, "absent term", shares[2], 0)
}

func TestBM25Edges(t *testing.T) {
	t.Parallel()
	if got := store.BM25(0, 5, 10, 100, 10); got != 0 {
		t.Errorf("a term that does not occur adds %v", got)
	}
	if got := store.BM25(1, 0, 0, 0, 0); got != 0 {
		t.Errorf("an empty corpus gives %v", got)
	}
	if got := store.BM25IDF(100, 100); got <= 0 {
		t.Errorf("a term of every child weighs %v, want more than 0", got)
	}
	if rare, common := store.BM25IDF(1, 100), store.BM25IDF(50, 100); rare <= common {
		t.Errorf("a rare term weighs %v, a common one %v", rare, common)
	}
	if short, long := store.BM25(1, 1, 5, 9, 10), store.BM25(1, 1, 20, 9, 10); short <= long {
		t.Errorf("a short child scores %v, a long one %v", short, long)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s = %.7f, want %.7f", what, got, want)
	}
}
