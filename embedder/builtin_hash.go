package embedder

import (
	"math"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder/internal/words"
)

const (
	wordBuckets  = 8  // components a word is spread over
	wordSeed     = 16 // seeds 16 to 23 are those of the word's components
	gramSeed     = 32
	minGram      = 3
	maxGram      = 5
	maxCount     = 255
	gramLead     = '<' // marks the beginning of a stem in its grams
	gramTail     = '>'
	maxStemRunes = words.MaxRunes + 2
	// maxGrams is the number of grams of the longest stem with its two marks.
	maxGrams = 3*maxStemRunes - (minGram - 1) - minGram - (maxGram - 1)
	// maxCached bounds the words that a hasher remembers, about 10 MB.
	maxCached = 32768
	stopped   = -1 // stands for a stop word
)

// hasher computes vectors and remembers the words it has met. Stemming and
// hashing a word costs far more than finding it again. It is for one goroutine.
type hasher struct {
	b     *Builtin
	scan  words.Scanner
	plain map[string]int32 // word -> index into feats, or stopped
	dense map[string]int32
	stems map[string]int32
	feats []features
	seen  []int32 // the features of the current text
	acc   [builtinDims]int64
	runes []rune
}

// features says what one stem adds to a vector. A cell is bucket<<1 | sign, the
// low bits of the hash.
type features struct {
	weight int64    // 1 to 255, from the table
	cells  []uint16 // wordBuckets cells of the word, then those of its grams
	count  int      // occurrences in the current text
}

func newHasher(b *Builtin) *hasher {
	h := &hasher{b: b}
	h.forget()
	return h
}

func (h *hasher) forget() {
	h.plain, h.dense, h.stems = map[string]int32{}, map[string]int32{}, map[string]int32{}
	h.feats = nil
}

// embed returns the unit vector of text, or the zero vector.
func (h *hasher) embed(text string) []float32 {
	h.sum(text)
	return unit(h.acc[:])
}

// sum leaves the integer sums of text in h.acc. Integers make the result
// independent of the order of words and of the machine.
func (h *hasher) sum(text string) {
	h.count(text)
	clear(h.acc[:])
	for _, i := range h.seen {
		f := &h.feats[i]
		w := h.b.tf[min(f.count, maxCount)] * f.weight
		f.count = 0
		h.add(f.cells[:wordBuckets], w*h.b.inv[wordBuckets])
		if grams := f.cells[wordBuckets:]; len(grams) > 0 {
			h.add(grams, w*h.b.inv[len(grams)])
		}
	}
	// A single text may pass the bound; what it left is dropped here.
	if len(h.plain)+len(h.dense) > maxCached {
		h.forget()
	}
}

func (h *hasher) add(cells []uint16, v int64) {
	for _, c := range cells {
		if c&1 == 0 {
			h.acc[c>>1&(builtinDims-1)] += v
		} else {
			h.acc[c>>1&(builtinDims-1)] -= v
		}
	}
}

// count leaves the distinct stems of text in h.seen, with their counts.
func (h *hasher) count(text string) {
	h.seen = h.seen[:0]
	h.scan.Reset(text)
	for h.scan.Next() {
		i := h.lookup(h.scan.Word(), h.scan.Dense())
		if i == stopped {
			continue
		}
		if h.feats[i].count == 0 {
			h.seen = append(h.seen, i)
		}
		h.feats[i].count++
	}
}

func (h *hasher) lookup(word []byte, dense bool) int32 {
	if dense {
		i, ok := h.dense[string(word)]
		if !ok {
			i = h.learn(string(word), false)
			h.dense[string(word)] = i
		}
		return i
	}
	i, ok := h.plain[string(word)]
	if ok {
		return i
	}
	if words.IsStop(word) {
		i = stopped
	} else {
		stem := words.Stem(word)
		if i, ok = h.stems[stem]; !ok {
			i = h.learn(stem, true)
			h.stems[stem] = i
		}
	}
	h.plain[string(word)] = i
	return i
}

// learn hashes a stem, with its character grams unless it is dense.
func (h *hasher) learn(stem string, grams bool) int32 {
	cells := make([]uint16, 0, wordBuckets+3*len(stem))
	for k := range uint64(wordBuckets) {
		cells = append(cells, cell(hash64(stem, wordSeed+k)))
	}
	if grams {
		h.runes = append(h.runes[:0], gramLead)
		for _, r := range stem {
			h.runes = append(h.runes, r)
		}
		h.runes = append(h.runes, gramTail)
		cells = appendGrams(cells, h.runes)
	}
	h.feats = append(h.feats, features{weight: h.b.weights.weight(stem), cells: cells})
	return int32(len(h.feats) - 1)
}

// appendGrams appends the cell of every substring of 3 to 5 runes, repeats
// included.
func appendGrams(cells []uint16, runes []rune) []uint16 {
	for i := range runes {
		state := hashStart(gramSeed)
		for n, r := range runes[i:min(i+maxGram, len(runes))] {
			state = hashRune(state, r)
			if n+1 >= minGram {
				cells = append(cells, cell(hashEnd(state)))
			}
		}
	}
	return cells
}

func cell(h uint64) uint16 { return uint16(h & (2*builtinDims - 1)) }

// hash64 is FNV-1a over the UTF-8 bytes, seeded, finished as murmur3 does so
// that its low bits are as good as its high ones.
func hash64(s string, seed uint64) uint64 {
	state := hashStart(seed)
	for i := range len(s) {
		state = hashByte(state, s[i])
	}
	return hashEnd(state)
}

func hashStart(seed uint64) uint64 { return 14695981039346656037 ^ seed*0x9E3779B97F4A7C15 }

func hashByte(state uint64, b byte) uint64 { return (state ^ uint64(b)) * 1099511628211 }

func hashRune(state uint64, r rune) uint64 {
	if r < utf8.RuneSelf {
		return hashByte(state, byte(r))
	}
	var buf [utf8.UTFMax]byte
	for _, b := range buf[:utf8.EncodeRune(buf[:], r)] {
		state = hashByte(state, b)
	}
	return state
}

func hashEnd(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h
}

// unit divides sums by their length. All zeros stay zeros.
func unit(sums []int64) []float32 {
	out := make([]float32, len(sums))
	var s float64
	for _, v := range sums {
		x := float64(v)
		// The conversion forbids fusing the product into the sum, which would
		// round differently on machines that can.
		s += float64(x * x)
	}
	if s == 0 {
		return out
	}
	norm := math.Sqrt(s)
	for i, v := range sums {
		out[i] = float32(float64(v) / norm)
	}
	return out
}
