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
	avg := store.FieldLengths{Body: 6}
	body := func(weight float64, tf, df, length int) float64 {
		return store.BM25F(store.TermStat{DF: df, Weight: weight}, store.FieldCounts{Body: tf}, store.FieldCounts{Body: length}, 3, avg, store.FieldWeights{})
	}
	near(t, "share", body(1, 2, 2, 4), 0.7131089)
	near(t, "share of a word said twice", body(2, 2, 2, 4), 2*0.7131089)
	// "leaf" is in the first child only, once: ln(1+2.5/1.5) * 2.2/1.9.
	near(t, "rare share", body(1, 1, 1, 4), 0.9808293*2.2/1.9)

	f := store.Found{
		Terms:       []store.TermStat{{Term: "tree", DF: 2, Used: true, Weight: 1}, {Term: "leaf", DF: 1, Used: true, Weight: 1}, {Term: "root", Weight: 1}},
		KeywordRows: 3, AvgLength: avg,
	}
	shares := f.Shares(store.KeywordRow{TF: []store.FieldCounts{{Body: 2}, {Body: 1}, {}}, Length: store.FieldCounts{Body: 4}})
	near(t, "first share", shares[0], 0.7131089)
	near(t, "second share", shares[1], 1.1356971)
	near(t, "absent term", shares[2], 0)
}

// The first child again, whose heading has "tree" once among 3 terms (mean 2) and
// its title once among 2 (mean 4); headings weigh 2, titles 0.5, the term 3:
//
//	body    = 2/0.75                                = 2.6666667
//	heading = 2 * 1/(0.25 + 0.75*3/2)               = 1.4545455
//	title   = 0.5 * 1/(0.25 + 0.75*2/4)             = 0.8
//	share   = 3 * 0.4700036 * 4.9212121*2.2/6.1212121 = 2.4939043
func TestBM25FWorkedExample(t *testing.T) {
	t.Parallel()
	f := store.Found{
		Terms:       []store.TermStat{{Term: "tree", DF: 2, Used: true, Weight: 3}},
		KeywordRows: 3, AvgLength: store.FieldLengths{Body: 6, Heading: 2, Title: 4}, Fields: store.FieldWeights{Heading: 2, Title: .5},
	}
	row := store.KeywordRow{
		TF:     []store.FieldCounts{{Body: 2, Heading: 1, Title: 1}},
		Length: store.FieldCounts{Body: 4, Heading: 3, Title: 2},
	}
	near(t, "share", f.Shares(row)[0], 2.4939043)
	row.TF[0] = f.Fields.Of(store.FieldCounts{Title: 1})
	near(t, "share of the title alone", f.Shares(row)[0], 3*0.4700036*(0.8*2.2)/(0.8+1.2))
	if got := (store.FieldWeights{Heading: 1}).Of(store.FieldCounts{Body: 1, Heading: 2, Title: 3}); got != (store.FieldCounts{Body: 1, Heading: 2}) {
		t.Errorf("a field that is not searched counts: %+v", got)
	}
}

func TestBM25Edges(t *testing.T) {
	t.Parallel()
	share := func(tf, df, length, rows int, avg float64) float64 {
		return store.BM25F(store.TermStat{DF: df, Weight: 1}, store.FieldCounts{Body: tf}, store.FieldCounts{Body: length}, rows, store.FieldLengths{Body: avg}, store.FieldWeights{})
	}
	if got := share(0, 5, 10, 100, 10); got != 0 {
		t.Errorf("a term that does not occur adds %v", got)
	}
	if got := share(1, 0, 0, 0, 0); got != 0 {
		t.Errorf("an empty corpus gives %v", got)
	}
	if got := store.BM25IDF(100, 100); got <= 0 {
		t.Errorf("a term of every child weighs %v, want more than 0", got)
	}
	if rare, common := store.BM25IDF(1, 100), store.BM25IDF(50, 100); rare <= common {
		t.Errorf("a rare term weighs %v, a common one %v", rare, common)
	}
	if short, long := share(1, 1, 5, 9, 10), share(1, 1, 20, 9, 10); short <= long {
		t.Errorf("a short child scores %v, a long one %v", short, long)
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s = %.7f, want %.7f", what, got, want)
	}
}
