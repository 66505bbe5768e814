//go:build unix

// Package bleve measures how long bleve takes for the keyword queries of
// BenchmarkKeyword in store/sqlite, so that "make bench" can show both in one run. It
// is a module of its own: the program does not depend on bleve.
package bleve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
)

// benchWords is how many words each text has, as in store/sqlite.
const benchWords = 120

// BenchmarkBleve asks ten words of texts of Zipf-distributed words, on disk as bleve
// keeps them by default, for 200 hits.
func BenchmarkBleve(b *testing.B) {
	for _, texts := range []int{5000, 100_000} {
		b.Run(fmt.Sprintf("ten words, %d texts", texts), func(b *testing.B) {
			index := benchIndex(b, texts)
			query := bleve.NewDisjunctionQuery()
			for _, w := range strings.Fields("w20 w40 w60 w100 w160 w300 w600 w1200 w5000 w20000") {
				t := bleve.NewTermQuery(w)
				t.SetField("text")
				query.AddQuery(t)
			}
			request := bleve.NewSearchRequestOptions(query, 200, 0, false)
			var times []time.Duration
			var hits uint64
			for b.Loop() {
				start := processorTime(b)
				found, err := index.Search(request)
				if err != nil {
					b.Fatal(err)
				}
				times = append(times, processorTime(b)-start)
				hits = found.Total
			}
			slices.Sort(times)
			b.ReportMetric(float64(hits), "matches")
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "reference_ms")
		})
	}
}

// processorTime is what the process has used until now, its garbage collection
// included.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func benchIndex(b *testing.B, texts int) bleve.Index {
	b.Helper()
	mapping := bleve.NewIndexMapping()
	field := bleve.NewTextFieldMapping()
	field.Analyzer = "simple_words"
	field.Store, field.IncludeTermVectors, field.IncludeInAll, field.DocValues = false, false, false, false
	if err := mapping.AddCustomAnalyzer("simple_words", map[string]any{"type": custom.Name, "tokenizer": whitespace.Name}); err != nil {
		b.Fatal(err)
	}
	mapping.DefaultMapping.AddFieldMappingsAt("text", field)
	index, err := bleve.New(b.TempDir()+"/index", mapping)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = index.Close() })
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 3, 50_000)
	batch := index.NewBatch()
	for i := range texts {
		words := make([]string, benchWords)
		for j := range words {
			words[j] = fmt.Sprintf("w%d", zipf.Uint64())
		}
		if err := batch.Index(fmt.Sprint(i), map[string]string{"text": strings.Join(words, " ")}); err != nil {
			b.Fatal(err)
		}
		if batch.Size() == 1000 || i == texts-1 {
			if err := index.Batch(batch); err != nil {
				b.Fatal(err)
			}
			batch.Reset()
		}
	}
	return index
}
