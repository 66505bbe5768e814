package bpe

import (
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// reference encodes as the definitions of the encodings read, without regard to
// time: their pattern in Go's syntax, and merges found by trying all of them.
type reference struct {
	pattern *regexp.Regexp
	ranks   map[string]int
}

// The last group is \s+(?!\S)|\s+, of which Go can say only the half.
var referencePatterns = map[string]string{
	"cl100k_base": `^(?:'(?:[sStTmMdD]|[rRvV][eE]|[lL][lL])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|` +
		` ?[^\s\v\x{85}\p{Z}\p{L}\p{N}]+[\r\n]*|[\s\v\x{85}\p{Z}]*[\r\n]+|([\s\v\x{85}\p{Z}]+))`,
	"o200k_base": `^(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'(?:[sStTmMdD]|[rRvV][eE]|[lL][lL]))?|` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'(?:[sStTmMdD]|[rRvV][eE]|[lL][lL]))?|` +
		`\p{N}{1,3}| ?[^\s\v\x{85}\p{Z}\p{L}\p{N}]+[\r\n/]*|[\s\v\x{85}\p{Z}]*[\r\n]+|([\s\v\x{85}\p{Z}]+))`,
}

func newReference(library *codec.Codec) *reference {
	r := &reference{regexp.MustCompile(referencePatterns[library.GetName()]), map[string]int{}}
	for rank, token := range libraryTokens(library) {
		r.ranks[token] = rank
	}
	return r
}

// libraryTokens are the tokens in the order of their ranks.
func libraryTokens(library *codec.Codec) []string {
	var tokens []string
	for id := uint(0); ; id++ {
		token, err := library.Decode([]uint{id})
		if err != nil {
			return tokens // the first id of a special token, or behind the last one
		}
		tokens = append(tokens, token)
	}
}

func (r *reference) pieces(text string) []string {
	var pieces []string
	for len(text) > 0 {
		at := r.pattern.FindStringSubmatchIndex(text)
		end := at[1]
		if at[2] >= 0 && end < len(text) { // (?!\S) gives one back, if it has two
			if _, size := utf8.DecodeLastRuneInString(text[:end]); size < end {
				end -= size
			}
		}
		pieces = append(pieces, text[:end])
		text = text[end:]
	}
	return pieces
}

func (r *reference) lengths(text string) []byte {
	lengths := []byte{}
	for _, piece := range r.pieces(text) {
		for _, token := range r.merge(piece) {
			lengths = append(lengths, byte(len(token)))
		}
	}
	return lengths
}

func (r *reference) merge(piece string) []string {
	tokens := make([]string, len(piece))
	for i := range tokens {
		tokens[i] = piece[i : i+1]
	}
	if _, ok := r.ranks[piece]; ok {
		return []string{piece}
	}
	for {
		best, at := len(r.ranks), -1
		for i := 1; i < len(tokens); i++ {
			if rank, ok := r.ranks[tokens[i-1]+tokens[i]]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			return tokens
		}
		tokens[at-1] += tokens[at]
		tokens = append(tokens[:at], tokens[at+1:]...)
	}
}

// The id of a merged token is above those of its parts: 'b' and 'c' go first
// only if they are the lower rank.
func TestReferenceMergesTheLowestRankFirst(t *testing.T) {
	r := &reference{ranks: map[string]int{"a": 0, "b": 1, "c": 2, "bc": 3, "ab": 4, "abc": 5}}
	if got := r.merge("abcab"); len(got) != 2 || got[0] != "abc" || got[1] != "ab" {
		t.Errorf("merged to %q", got)
	}
}
