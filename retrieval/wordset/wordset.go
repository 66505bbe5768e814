// Package wordset has texts as sets of words, and finds those that nearly repeat
// another.
package wordset

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/webrag/webrag-tui/retrieval/kept"
)

// Sets are texts as sets of words, by ids of the texts, for telling near duplicates
// apart. They are never changed. The zero value has none.
type Sets struct {
	// Words are numbered from the rarest on, so that the first numbers of a set are
	// those that fewest others share.
	sets map[string]Set
	// words[n] is the digest of word n. Digests are of a cryptographic hash: a
	// page that could make words collide could make better pages fall out as its
	// duplicates.
	words []uint64
}

// Set is a text's distinct lower-cased words, in ascending order, and the digest of
// the text.
type Set struct {
	words  []uint32
	digest [16]byte
}

// Of is the set of a text by its id, false for one that was not read.
func (w *Sets) Of(id string) (Set, bool) {
	set, ok := w.sets[id]
	return set, ok
}

// With adds the words of texts, by their ids. A text that is known already stays.
func (w *Sets) With(texts map[string]string) Sets {
	v := newVocabulary(w.words)
	out := Sets{sets: make(map[string]Set, len(w.sets)+len(texts))}
	for id, set := range w.sets {
		out.sets[id] = Set{words: slices.Clone(set.words), digest: set.digest}
		for _, n := range set.words {
			v.counts[n]++
		}
	}
	for id, text := range texts {
		if _, known := out.sets[id]; known {
			continue
		}
		sum := sha256.Sum256([]byte(text))
		out.sets[id] = Set{words: v.read(text), digest: [16]byte(sum[:16])}
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

// Keep are the sets of the texts that are wanted, as plain data.
func (w *Sets) Keep(wanted func(id string) bool) map[string]kept.Words {
	all := map[string]kept.Words{}
	for id, set := range w.sets {
		if wanted(id) {
			all[id] = w.keep(&set)
		}
	}
	return all
}

// keep is a set with the digests of its words, in an order that no other text has a part
// in.
func (w *Sets) keep(set *Set) kept.Words {
	digests := make([]uint64, len(set.words))
	for i, n := range set.words {
		digests[i] = w.words[n]
	}
	slices.Sort(digests)
	k := kept.Words{Digest: set.digest[:], Words: make([]byte, 0, kept.WordSize*len(digests))}
	for _, digest := range digests {
		k.Words = binary.LittleEndian.AppendUint64(k.Words, digest)
	}
	return k
}

// Take takes over words that were kept; an error says what is none. Their numbers are in
// no order yet, which [Sets.With] brings them into.
func Take(texts map[string]kept.Words) (Sets, error) {
	v := newVocabulary(nil)
	w := Sets{sets: make(map[string]Set, len(texts))}
	for id, k := range texts {
		if err := k.Check(); err != nil {
			return Sets{}, fmt.Errorf("kept evidence: %w", err)
		}
		set := Set{digest: [16]byte(k.Digest)}
		for at := 0; at < len(k.Words); at += kept.WordSize {
			set.words = append(set.words, v.number(binary.LittleEndian.Uint64(k.Words[at:])))
		}
		slices.Sort(set.words)
		set.words = slices.Compact(set.words)
		w.sets[id] = set
	}
	w.words = v.digests
	return w, nil
}
