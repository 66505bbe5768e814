package embedder

import (
	_ "embed" // the weight table
	"strings"
)

// shippedWeights is the weight table of NewBuiltin; internal/buildidf makes it,
// builtin_weights.md says from what. It is plain text because a table that can
// be read and compared is worth more than the 90 kB that packing would save.
//
//go:embed builtin_weights.txt
var shippedWeights string

// unknownWeight is that of a stem that the table lacks: it is rare.
const unknownWeight = 255

// weightTable holds lines "stem<space>q", sorted by the bytes of stem, q from 1
// to 255 in decimal: inverse document frequencies from a fixed collection, so
// that vectors do not depend on the corpus they are stored in. It is searched
// as it is; reading it into a map would cost more at each start than the few
// searches that the cache of stems lets through.
type weightTable string

// weight returns the weight of a stem.
func (t weightTable) weight(stem string) int64 {
	lo, hi := 0, len(t) // byte positions of line starts
	for lo < hi {
		mid := lo + (hi-lo)/2
		start := lo + strings.LastIndexByte(string(t[lo:mid]), '\n') + 1
		end := start + strings.IndexByte(string(t[start:]), '\n')
		key, q, _ := strings.Cut(string(t[start:end]), " ")
		switch {
		case key == stem:
			return parseWeight(q)
		case key < stem:
			lo = end + 1
		default:
			hi = start
		}
	}
	return unknownWeight
}

func parseWeight(q string) int64 {
	var n int64
	for _, c := range q {
		n = 10*n + int64(c-'0')
	}
	return n
}
