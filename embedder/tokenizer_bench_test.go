package embedder

import (
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder/internal/bpe"
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

// BenchmarkTokenizerWhole is the same work without a memory of segments.
func BenchmarkTokenizerWhole(b *testing.B) {
	text := strings.Join(proseLike(100, 200), "\n\n")
	encoding := bpe.CL100K()
	b.SetBytes(int64(len(text)))
	var lengths []byte
	for b.Loop() {
		lengths = encoding.AppendLengths(lengths[:0], text)
	}
}
