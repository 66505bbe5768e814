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
	v := newVocabulary(w.words)
	out := wordSets{sets: make(map[string]wordSet, len(w.sets)+len(texts))}
	for id, set := range w.sets {
		out.sets[id] = wordSet{words: slices.Clone(set.words), digest: set.digest}
		for _, n := range set.words {
			v.counts[n]++
		}
	}
	for id, text := range texts {
		if _, known := out.sets[id]; known {
			continue
		}
		sum := sha256.Sum256([]byte(text))
		out.sets[id] = wordSet{words: v.read(text), digest: [16]byte(sum[:16])}
	}

	order := make([]uint32, len(v.digests))
	for n := range order {
		order[n] = uint32(n) //nolint:gosec // far fewer words than that
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(v.counts[a], v.counts[b]), cmp.Compare(v.digests[a], v.digests[b]))
	})
	out.words = make([]uint64, len(order))
	number := make([]uint32, len(order))
	for n, old := range order {
		out.words[n], number[old] = v.digests[old], uint32(n) //nolint:gosec // as above
	}
	for _, set := range out.sets {
		for i, old := range set.words {
			set.words[i] = number[old]
		}
		slices.Sort(set.words)
	}
	return out
}

// vocabulary numbers words as they come. A word is hashed once, however many texts
// have it: most words of a corpus are in many.
type vocabulary struct {
	digests []uint64
	// counts are the texts that have a word, last the last one of them.
	counts, last []int
	byDigest     map[uint64]uint32
	byWord       map[string]uint32
	texts        int
}

func newVocabulary(digests []uint64) *vocabulary {
	v := &vocabulary{
		digests: slices.Clone(digests), counts: make([]int, len(digests)), last: make([]int, len(digests)),
		byDigest: make(map[uint64]uint32, len(digests)), byWord: map[string]uint32{},
	}
	for n, d := range digests {
		v.byDigest[d] = uint32(n) //nolint:gosec // far fewer words than that
	}
	return v
}

// read returns the distinct words of a text: what white space separates, in lower
// case.
func (v *vocabulary) read(text string) []uint32 {
	v.texts++
	var list []uint32
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), unicode.IsSpace) {
		n, known := v.byWord[word]
		if !known {
			n = v.add(word)
		}
		if v.last[n] == v.texts {
			continue
		}
		v.last[n] = v.texts
		v.counts[n]++
		list = append(list, n)
	}
	return list
}

func (v *vocabulary) add(word string) uint32 {
	sum := sha256.Sum256([]byte(word))
	n := v.number(binary.LittleEndian.Uint64(sum[:8]))
	v.byWord[word] = n
	return n
}

// number is the number of a word by its digest.
func (v *vocabulary) number(digest uint64) uint32 {
	n, known := v.byDigest[digest]
	if !known {
		n = uint32(len(v.digests)) //nolint:gosec // far fewer words than that
		v.digests, v.counts, v.last = append(v.digests, digest), append(v.counts, 0), append(v.last, 0)
		v.byDigest[digest] = n
	}
	return n
}
