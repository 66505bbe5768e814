package embedder

import "github.com/webrag/webrag-tui/embedder/internal/words"

var _ Explainer = (*Builtin)(nil)

// Shares takes a cosine apart. A stem's part of a vector is its eight cells and
// those of its grams, times its weight and 1 + ln of its count; the places where it
// occurs have the same share each.
func (b *Builtin) Shares(query, text string) Shares {
	h := b.take()
	q, t := h.parts(query), h.parts(text)
	b.giveBack(h)
	s := Shares{Query: make([]WordShare, 0, len(q.places)), Text: make([]WordShare, 0, len(t.places))}
	norm := length(q.sum) * length(t.sum)
	if norm == 0 {
		norm = 1 // the sums are zero, and so is each share
	}
	s.Cosine = product(q.sum, t.sum) / norm
	s.Query = shareOut(q.places, q.against(t.sum, norm), q.counts)
	s.Text = shareOut(t.places, t.against(q.sum, norm), t.counts)
	return s
}

// parts is the vector of a text as the sum that it is.
type parts struct {
	places []occurrence
	// Each stem has its cells and the two factors of their values: for the word's
	// own, and for those of the grams.
	cells       [][]uint16
	words, gram []int64
	counts      []int
	sum         []float64
}

func (h *hasher) parts(text string) *parts {
	p := &parts{sum: make([]float64, builtinDims)}
	numbers := map[int32]int{}
	var feats []int32
	for _, w := range words.Places(text) {
		of := ignored
		if i := h.lookup([]byte(w.Word), w.Dense); i != stopped {
			n, ok := numbers[i]
			if !ok {
				n = len(feats)
				numbers[i], feats, p.counts = n, append(feats, i), append(p.counts, 0)
			}
			p.counts[n]++
			of = n
		}
		p.places = append(p.places, occurrence{w.Start, w.End, of})
	}
	clear(h.acc[:])
	for n, i := range feats {
		f := &h.feats[i]
		w := h.b.tf[min(p.counts[n], maxCount)] * f.weight
		word, gram := w*h.b.inv[wordBuckets], int64(0)
		if grams := f.cells[wordBuckets:]; len(grams) > 0 {
			gram = w * h.b.inv[len(grams)]
			h.add(grams, gram)
		}
		h.add(f.cells[:wordBuckets], word)
		p.cells, p.words, p.gram = append(p.cells, f.cells), append(p.words, word), append(p.gram, gram)
	}
	for i, v := range h.acc {
		p.sum[i] = float64(v)
	}
	return p
}

// against is what each stem brings to the product with other, divided by norm.
func (p *parts) against(other []float64, norm float64) []float64 {
	out := make([]float64, len(p.cells))
	for n, cells := range p.cells {
		out[n] = (float64(p.words[n])*along(cells[:wordBuckets], other) + float64(p.gram[n])*along(cells[wordBuckets:], other)) / norm
	}
	return out
}

// along sums a vector's components at cells, with their signs.
func along(cells []uint16, v []float64) float64 {
	var s float64
	for _, c := range cells {
		if x := v[c>>1&(builtinDims-1)]; c&1 == 0 {
			s += x
		} else {
			s -= x
		}
	}
	return s
}
