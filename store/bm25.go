package store

import "math"

// The constants of [BM25F], as Robertson and Zaragoza recommend them ("The
// Probabilistic Relevance Framework: BM25 and Beyond", 2009). One b serves all
// fields: from 0 to .75 for headings and titles, nDCG@10 differed by .002 on two
// test collections and four manuals; k1 from .9 to 2 and b from .4 to .9 made no
// difference on all three either.
const (
	BM25K1 = 1.2
	BM25B  = 0.75
)

// BM25IDF is the weight of a term that df of rows children hold:
// ln(1 + (rows-df+0.5)/(df+0.5)). It is positive for every df up to rows.
func BM25IDF(df, rows int) float64 {
	return math.Log1p((float64(rows-df) + 0.5) / (float64(df) + 0.5))
}

// BM25F is the share of a query term in the score of a child, as Robertson, Zaragoza
// and Taylor define it ("Simple BM25 Extension to Multiple Weighted Fields", CIKM
// 2004): tf says how often the child holds the term, length how many terms it has,
// avg what rows children have on average. A child's score is the sum of its shares,
// in the order of the query's terms. Where only the body counts, it is BM25.
//
//	f     = Σ weight of the field * tf / (1 - b + b*length/avg), over the fields
//	share = weight of the term * idf * f*(k1+1) / (f + k1)
func BM25F(t TermStat, tf, length FieldCounts, rows int, avg FieldLengths, fields FieldWeights) float64 {
	if rows <= 0 {
		return 0
	}
	return BM25Saturated(t.Weight*BM25IDF(t.DF, rows), tf, length, avg, fields)
}

// BM25Saturated is [BM25F] of a term whose weight times its idf is known, for those
// who score many children.
func BM25Saturated(weight float64, tf, length FieldCounts, avg FieldLengths, fields FieldWeights) float64 {
	f := fieldFrequency(tf.Body, length.Body, BM25B, avg.Body)
	// The conversions keep a product and a sum apart on every processor, so that
	// equal counts give equal bits.
	if tf.Heading > 0 {
		f += float64(fields.Heading * fieldFrequency(tf.Heading, length.Heading, BM25B, avg.Heading))
	}
	if tf.Title > 0 {
		f += float64(fields.Title * fieldFrequency(tf.Title, length.Title, BM25B, avg.Title))
	}
	if f == 0 {
		return 0
	}
	return float64(weight * (f * (BM25K1 + 1) / (f + BM25K1)))
}

// fieldFrequency is the frequency of a term in a field of a length, normalised.
func fieldFrequency(tf, length int, b, avg float64) float64 {
	if tf <= 0 || avg <= 0 {
		return 0
	}
	return float64(tf) / (1 - b + b*float64(length)/avg)
}

// Shares returns what each term of the query adds to the score of row, in the
// order of f.Terms. Their sum is row.Score.
func (f *Found) Shares(row KeywordRow) []float64 {
	shares := make([]float64, len(f.Terms))
	for i, t := range f.Terms {
		shares[i] = BM25F(t, row.TF[i], row.Length, f.KeywordRows, f.AvgLength, f.Fields)
	}
	return shares
}
