// Package chunkindex finds where in memory the chunk of an id is.
package chunkindex

import (
	"cmp"
	"slices"
	"sort"
)

// Place is where a chunk is in memory: the number of its document in the
// snapshot, and its row there.
type Place struct {
	Number, Row int32
}

// Entry is a place with its key.
type Entry struct {
	Key uint64
	Place
}

// Index finds places by key. It is immutable: With returns another one that
// shares the large, older part. Places of documents that are gone stay in it
// until the parts are merged; who looks up must check that the document lives.
//
// Sorted entries take 16 bytes a chunk, where a map takes two to three times as
// much and would have to be copied for each version.
type Index struct {
	base, recent []Entry
}

// With returns the index with more entries; added is taken over. live says
// whether the document with a number is still there.
func (x Index) With(added []Entry, live func(number int32) bool) Index {
	recent := make([]Entry, 0, len(x.recent)+len(added))
	for _, e := range x.recent {
		if live(e.Number) {
			recent = append(recent, e)
		}
	}
	recent = append(recent, added...)
	sortEntries(recent)
	if len(recent) <= len(x.base)/8 {
		return Index{base: x.base, recent: recent}
	}
	all := make([]Entry, 0, len(x.base)+len(recent))
	for _, e := range x.base {
		if live(e.Number) {
			all = append(all, e)
		}
	}
	all = append(all, recent...)
	sortEntries(all)
	return Index{base: all}
}

// Find calls try with each place of key until it returns true.
func (x Index) Find(key uint64, try func(Place) bool) {
	for _, part := range [2][]Entry{x.recent, x.base} {
		i := sort.Search(len(part), func(i int) bool { return part[i].Key >= key })
		for ; i < len(part) && part[i].Key == key; i++ {
			if try(part[i].Place) {
				return
			}
		}
	}
}

func sortEntries(e []Entry) {
	slices.SortFunc(e, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
}
