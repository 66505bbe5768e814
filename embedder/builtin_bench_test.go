package embedder

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder/internal/words"
)

// proseLike returns texts of n words whose frequencies fall as those of prose
// do. The words are stems of the weight table and stop words.
func proseLike(texts, n int) []string {
	vocabulary := strings.Fields("the of and to in is for a that on with as be are it by this from an or")
	for line := range strings.Lines(shippedWeights) {
		stem, _, _ := strings.Cut(line, " ")
		vocabulary = append(vocabulary, stem+"s")
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rnd, 1.05, 4, uint64(len(vocabulary)-1))
	out := make([]string, texts)
	for i := range out {
		var sb strings.Builder
		for range n {
			sb.WriteString(vocabulary[zipf.Uint64()])
			sb.WriteByte(' ')
		}
		out[i] = sb.String()
	}
	return out
}

// BenchmarkBuiltin embeds on one core.
func BenchmarkBuiltin(b *testing.B) {
	texts := proseLike(500, 200)
	h := newHasher(NewBuiltin())
	b.SetBytes(totalLen(texts))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			h.embed(text)
		}
	}
}

// BenchmarkTokeniseAndCount is what a keyword index does with the same texts
// before it stores anything: words, stems with a cache, counts, lengths. The
// embedder's time is stated as a multiple of it.
func BenchmarkTokeniseAndCount(b *testing.B) {
	texts := proseLike(500, 200)
	var scan words.Scanner
	stems := map[string]string{}
	b.SetBytes(totalLen(texts))
	b.ReportAllocs()
	for b.Loop() {
		postings := map[string][]int{}
		for doc, text := range texts {
			counts := map[string]int{}
			scan.Reset(text)
			for scan.Next() {
				if words.IsStop(scan.Word()) {
					continue
				}
				stem, ok := stems[string(scan.Word())]
				if !ok {
					stem = words.Stem(scan.Word())
					stems[string(scan.Word())] = stem
				}
				counts[stem]++
			}
			for stem, n := range counts {
				postings[stem] = append(postings[stem], doc, n)
			}
		}
	}
}

func BenchmarkNewBuiltin(b *testing.B) {
	for b.Loop() {
		NewBuiltin()
	}
}

func totalLen(texts []string) (n int64) {
	for _, text := range texts {
		n += int64(len(text))
	}
	return n
}
