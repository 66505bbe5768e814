package bpe

import (
	_ "embed" // the vocabularies
	"sync"
)

// Encoding splits texts into tokens. It is safe for concurrent use.
type Encoding struct {
	vocabulary *vocabulary
	pieceEnd   func(text string) int
}

// The packed vocabularies; vocabularies.md says where they come from.
var (
	//go:embed cl100k_base.vocab
	cl100kPacked []byte
	//go:embed o200k_base.vocab
	o200kPacked []byte
)

// CL100K returns the encoding cl100k_base. The first call takes some 6 ms.
var CL100K = sync.OnceValue(func() *Encoding { return open(cl100kPacked, cl100kPieceEnd) })

// O200K returns the encoding o200k_base. The first call takes some 13 ms.
var O200K = sync.OnceValue(func() *Encoding { return open(o200kPacked, o200kPieceEnd) })

// open panics if the packed vocabulary is broken: it is part of the program.
func open(packed []byte, pieceEnd func(string) int) *Encoding {
	v, err := unpack(packed)
	if err != nil {
		panic(err)
	}
	return &Encoding{vocabulary: v, pieceEnd: pieceEnd}
}

// AppendLengths appends the length in bytes of each token of text to lengths.
// They add up to the length of text; no token has more than 128 bytes. Names of
// special tokens ("<|endoftext|>") are text like any other. The time is linear
// in text but for pieces, in n bytes of which it is n·log n.
//
// The text must be valid UTF-8: other encoders differ in what they make of
// anything else.
func (e *Encoding) AppendLengths(lengths []byte, text string) []byte {
	var m merger
	for len(text) > 0 {
		piece := text[:e.pieceEnd(text)]
		text = text[len(piece):]
		if _, ok := e.vocabulary.rank(piece); ok {
			lengths = append(lengths, byte(len(piece)))
			continue
		}
		lengths = m.appendLengths(lengths, e.vocabulary, piece)
	}
	return lengths
}
