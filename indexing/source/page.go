package source

import (
	"crypto/sha256"
	"hash"
	"iter"
	"maps"
	"slices"
	"strconv"
)

// Page is a page that was found. Its bytes are here, and what they say is told by Read.
type Page struct {
	// Path and Root are those of the document.
	Path, Root string
	// Sum is a SHA-256 of the bytes and of all besides that decides what Read makes of
	// them: where the file is below its folder, and what the options say of every page.
	// Path, Root and the time of fetching are left out. Zero is a page without one.
	Sum [sha256.Size]byte
	// Read makes the document, or fails with a *PageError. It may be called from another
	// goroutine, and keeps the bytes for as long as it is kept.
	Read func() (NormalizedDocument, error)
}

// Pages are documents that were read already, as pages without a sum.
func Pages(docs iter.Seq2[NormalizedDocument, error]) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for doc, err := range docs {
			page := Page{Path: doc.Path, Root: doc.Root, Read: func() (NormalizedDocument, error) { return doc, nil }}
			if !yield(page, err) {
				return
			}
		}
	}
}

// summed writes values into a hash, each with its length, so that no two lists of
// values are the same bytes.
func summed(h hash.Hash, values ...string) {
	for _, v := range values {
		_, _ = h.Write(strconv.AppendInt(nil, int64(len(v)), 10)) // a hash never fails
		_, _ = h.Write([]byte{':'})
		_, _ = h.Write([]byte(v))
	}
}

// sum makes Page.Sum; besides is what decides about this page, options left out.
func (s *Set) sum(raw []byte, besides ...string) (sum [sha256.Size]byte) {
	h := sha256.New()
	summed(h, s.settings...)
	summed(h, besides...)
	_, _ = h.Write(raw)
	h.Sum(sum[:0])
	return sum
}

// settings are those of the options that decide what becomes of a page's bytes, each
// at its place. What a new option decides belongs here too.
func settings(o *Options) []string {
	depth := ""
	if o.Depth != nil {
		depth = strconv.Itoa(*o.Depth)
	}
	out := []string{o.BaseURL, depth, o.Owner, o.SourceType, strconv.FormatInt(o.MaxBytes, 10), strconv.Itoa(len(o.Tags))}
	out = append(out, o.Tags...)
	out = append(out, strconv.Itoa(len(o.Metadata)))
	for _, key := range slices.Sorted(maps.Keys(o.Metadata)) {
		out = append(out, key, o.Metadata[key])
	}
	return out
}
