package store

import "math"

// The constants of [BM25], as Robertson and Zaragoza recommend them ("The
// Probabilistic Relevance Framework: BM25 and Beyond", 2009).
const (
	BM25K1 = 1.2
	BM25B  = 0.75
)

// BM25IDF is the weight of a term that df of rows children hold:
// ln(1 + (rows-df+0.5)/(df+0.5)). It is positive for every df up to rows.
func BM25IDF(df, rows int) float64 {
	return math.Log1p((float64(rows-df) + 0.5) / (float64(df) + 0.5))
}

// BM25 is the share of one query term in the score of one child: the term
// occurs tf times among the child's length terms and in df of rows children,
// whose mean length is avgLength. A child's score is the sum of its shares, in
// the order of the query's terms.
//
//	idf * tf*(k1+1) / (tf + k1*(1 - b + b*length/avgLength))
func BM25(tf, df, length, rows int, avgLength float64) float64 {
	if tf <= 0 || rows <= 0 || avgLength <= 0 {
		return 0
	}
	f := float64(tf)
	norm := BM25K1 * (1 - BM25B + BM25B*float64(length)/avgLength)
	return BM25IDF(df, rows) * (f * (BM25K1 + 1) / (f + norm))
}

// Shares returns what each term of the query adds to the score of row, in the
// order of f.Terms. Their sum is row.Score.
func (f *Found) Shares(row KeywordRow) []float64 {
	shares := make([]float64, len(f.Terms))
	for i, t := range f.Terms {
		shares[i] = BM25(row.TF[i], t.DF, row.Length, f.KeywordRows, f.AvgLength)
	}
	return shares
}
