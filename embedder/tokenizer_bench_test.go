package embedder

import (
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer/codec"
)

func BenchmarkTokenizerStarts(b *testing.B) {
	text := strings.Join(proseLike(100, 200), "\n\n")
	tok := mustTokenizer(b, TokenizerCL100K)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tok.Starts(text)
	}
}

// BenchmarkTokenizerLibrary is the same work by the library alone.
func BenchmarkTokenizerLibrary(b *testing.B) {
	text := strings.Join(proseLike(100, 200), "\n\n")
	c := codec.NewCl100kBase()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := c.Count(text); err != nil {
			b.Fatal(err)
		}
	}
}
