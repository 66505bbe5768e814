package indexing

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
)

// namespace is the UUIDv5 namespace of all ids. Changing it, or the form of the
// names below, would orphan every stored judgment, bookmark and citation.
const namespace = "5b0c8f52-4a3e-5d0b-9d7a-2f7c1d6a9e34"

// DocumentID is the id of the page with a canonical source URL, for an owner or,
// when owner is empty, for nobody in particular: a UUIDv5.
func DocumentID(sourceURL, owner string) string {
	return newID("document", sourceURL, owner)
}

// chunkID identifies a chunk by its text and not by its offsets, so that an edit
// leaves the ids of the other sections alone. ordinal counts equal texts of the
// document's level, from 0.
func chunkID(documentID string, level store.Level, text string, ordinal int) string {
	sum := sha256.Sum256([]byte(text))
	return newID("chunk", documentID, string(level), hex.EncodeToString(sum[:]), strconv.Itoa(ordinal))
}

// newID hashes fields, each written with its length, so that no two lists of
// fields give the same name.
func newID(fields ...string) string {
	var name []byte
	for _, f := range fields {
		name = strconv.AppendInt(name, int64(len(f)), 10)
		name = append(name, ':')
		name = append(name, f...)
	}
	return uuid.NewSHA1(uuid.MustParse(namespace), name).String()
}

// hasher sums values, each with its length.
type hasher struct{ hash.Hash }

func newHasher() hasher { return hasher{sha256.New()} }

func (h hasher) text(values ...string) {
	for _, v := range values {
		_, _ = h.Write(strconv.AppendInt(nil, int64(len(v)), 10)) // a hash never fails
		_, _ = h.Write([]byte{':'})
		_, _ = h.Write([]byte(v))
	}
}

func (h hasher) number(values ...int) {
	for _, v := range values {
		h.text(strconv.Itoa(v))
	}
}

func (h hasher) hex() string { return hex.EncodeToString(h.Sum(nil)) }

func hashText(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
