package embedder

// Shares is a cosine taken apart into what each word brings to it.
//
// A vector that is a sum over words, divided by its length, makes the cosine a sum
// over words as well: cos(q, t) = Σ qᵢ·T / (|Q| |T|), where Q = Σ qᵢ and T are the
// sums before they are divided. So Query adds up to Cosine, and so does Text; they
// are two views of the same number. A share is negative where a word points away
// from the other side.
type Shares struct {
	// Cosine is that of the sums, −1 to 1; the vectors' own differs by the rounding
	// of float32, less than 1e-6.
	Cosine float64
	// Query and Text hold the words of each side, in their order.
	Query, Text []WordShare
}

// WordShare is what one word brings to a cosine.
type WordShare struct {
	// Start and End are code points of the query or of the text. Words may overlap
	// in scripts that put no spaces between them.
	Start, End int
	// Share is part of the cosine. A word that occurs several times has as much of
	// its sum at each place.
	Share float64
	// Ignored marks a word that has no part in the vector: a stop word, or one that
	// the model does not know.
	Ignored bool
}

// Explainer is an embedder whose cosines can be taken apart exactly.
type Explainer interface {
	// Shares takes the cosine of a query and a text apart, both as they are
	// embedded. It needs no server and is as fast as embedding the two.
	Shares(query, text string) Shares
}

// ExplainerOf is e, or what e caches, as an Explainer; nil when its cosines
// cannot be taken apart, as those of a server cannot.
func ExplainerOf(e Embedder) Explainer {
	if c, ok := e.(*cached); ok {
		return ExplainerOf(c.Embedder)
	}
	x, _ := e.(Explainer)
	return x
}

// occurrence is a place of a text with the number of what stands there, or
// ignored.
type occurrence struct{ start, end, of int }

const ignored = -1

// shareOut gives each occurrence its share: sums has that of each number, counts how
// often it occurs.
func shareOut(places []occurrence, sums []float64, counts []int) []WordShare {
	out := make([]WordShare, len(places))
	for i, p := range places {
		out[i] = WordShare{Start: p.start, End: p.end, Ignored: p.of == ignored}
		if p.of != ignored {
			out[i].Share = sums[p.of] / float64(counts[p.of])
		}
	}
	return out
}

// product is the scalar product.
func product(a, b []float64) float64 {
	var s float64
	for i, x := range a {
		s += float64(x * b[i])
	}
	return s
}
