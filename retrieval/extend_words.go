package retrieval

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
)

// wordSets are the texts read so far as sets of words, for telling near
// duplicates apart. Words are numbered from the rarest on, so that the first
// numbers of a set are those that fewest others share.
type wordSets struct {
	sets map[string]wordSet
	// words[n] is the digest of word n. Digests are of a cryptographic hash: a
	// page that could make words collide could make better pages fall out as its
	// duplicates.
	words []uint64
}

// wordSet is a text's distinct lower-cased words, in ascending order, and the
// digest of the text.
type wordSet struct {
	words  []uint32
	digest [16]byte
}

// with adds the words of texts by id. The sets given stay as they are.
func (w wordSets) with(texts map[string]string) wordSets {
	digests := make(map[string][]uint64, len(w.sets)+len(texts))
	out := wordSets{sets: make(map[string]wordSet, len(w.sets)+len(texts))}
	for id, set := range w.sets {
		list := make([]uint64, len(set.words))
		for i, n := range set.words {
			list[i] = w.words[n]
		}
		digests[id], out.sets[id] = list, wordSet{digest: set.digest}
	}
	for id, text := range texts {
		if _, known := digests[id]; known {
			continue
		}
		sum := sha256.Sum256([]byte(text))
		digests[id], out.sets[id] = wordDigests(text), wordSet{digest: [16]byte(sum[:16])}
	}

	counts := map[uint64]int{}
	for _, list := range digests {
		for _, d := range list {
			counts[d]++
		}
	}
	for d := range counts {
		out.words = append(out.words, d)
	}
	slices.SortFunc(out.words, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(counts[a], counts[b]), cmp.Compare(a, b))
	})
	number := make(map[uint64]uint32, len(out.words))
	for n, d := range out.words {
		number[d] = uint32(n)
	}
	for id, list := range digests {
		set := out.sets[id]
		set.words = make([]uint32, len(list))
		for i, d := range list {
			set.words[i] = number[d]
		}
		slices.Sort(set.words)
		out.sets[id] = set
	}
	return out
}

// wordDigests are the digests of the distinct words of a text: what white space
// separates, in lower case.
func wordDigests(text string) []uint64 {
	seen := map[string]bool{}
	var list []uint64
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), unicode.IsSpace) {
		if seen[word] {
			continue
		}
		seen[word] = true
		sum := sha256.Sum256([]byte(word))
		list = append(list, binary.LittleEndian.Uint64(sum[:8]))
	}
	return list
}
