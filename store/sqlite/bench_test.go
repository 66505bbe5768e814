package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/viterin/vek/vek32"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/quantise"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
	"github.com/webrag/webrag-tui/testdata/cputime"
)

// The benchmarks share one corpus of 100,000 children: documents of 4 parents
// with 5 children each, of about 1 kB. The words are Zipf-distributed, so that
// w0 is in nearly every child.
const (
	benchDocuments = 5000
	benchParents   = 4
	benchChildren  = 5 // of each parent
	benchDims      = 384
	benchWords     = 120 // of each child
)

// bench are the corpora that the benchmarks of a run share, by their number of
// documents; none is there until one asks for it. TestMain removes them.
var bench struct {
	sync.Mutex
	dir string
}

// benchStore opens the shared corpus, which is written when first asked for.
func benchStore(b *testing.B) *Store { return benchStoreOf(b, benchDocuments) }

// benchStoreOf opens a shared corpus of some documents.
func benchStoreOf(b *testing.B, documents int) *Store { return benchStoreWith(b, documents, benchDims) }

// benchStoreWith opens one with vectors of some dimensions.
func benchStoreWith(b *testing.B, documents, dims int) *Store {
	b.Helper()
	bench.Lock()
	defer bench.Unlock()
	if bench.dir == "" {
		dir, err := os.MkdirTemp("", "webrag-bench-")
		if err != nil {
			b.Fatal(err)
		}
		bench.dir = dir
	}
	path := filepath.Join(bench.dir, fmt.Sprintf("corpus-%d-%d.db", documents, dims))
	if _, err := os.Stat(path); err != nil {
		start := cputime.Now()
		writeBench(b, path, documents, dims)
		b.Logf("wrote %d children in %v", documents*benchParents*benchChildren, (cputime.Now() - start).Round(time.Millisecond))
		if info, err := os.Stat(path); err == nil {
			b.Logf("the file has %.1f MB", float64(info.Size())/1e6)
		}
	}
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

func writeBench(b *testing.B, path string, documents, dims int) {
	b.Helper()
	ctx := context.Background()
	s, err := Open(ctx, path, Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	w, err := s.Write(ctx)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	if err := w.SetMeta(ctx, store.Meta{EmbedderID: "bench", Dimensions: dims}); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 3, 50_000)
	for i := range documents {
		if _, err := w.Put(ctx, benchDocumentOf(r, zipf, i, dims)); err != nil {
			b.Fatal(err)
		}
	}
}

func benchDocument(r *rand.Rand, zipf *rand.Zipf, n int) store.Bundle {
	return benchDocumentOf(r, zipf, n, benchDims)
}

func benchDocumentOf(r *rand.Rand, zipf *rand.Zipf, n, dims int) store.Bundle {
	url := fmt.Sprintf("https://docs.example.org/guide/page-%d.html", n)
	id := func(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(url+name)).String() }
	d := store.Document{
		ID: id(""), URL: url, SourceURL: url, Title: fmt.Sprintf("The title of page %d", n), Depth: n % 4,
		FetchedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), CurrentIngestionID: id("ingestion"),
	}
	bundle := store.Bundle{Document: d}
	var terms store.Analyzer
	for p := range benchParents {
		heading := fmt.Sprintf("Section %d of page %d", p, n)
		parent := store.Chunk{
			ID: id(fmt.Sprint("p", p)), DocumentID: d.ID, Level: store.Parent, Index: p,
			SectionHeading: heading, HeadingPath: []string{d.Title, heading}, Anchor: fmt.Sprintf("section-%d", p),
			CharEnd: 5000, TokenEnd: 1000,
		}
		var text strings.Builder
		var children []store.Chunk
		for c := range benchChildren {
			words := make([]string, benchWords)
			for i := range words {
				words[i] = fmt.Sprintf("w%d", zipf.Uint64())
			}
			own := strings.Join(words, " ")
			text.WriteString(own)
			child := parent
			child.ID, child.ParentID, child.Level, child.Index = id(fmt.Sprint("c", p, " ", c)), parent.ID, store.Child, c
			child.ChunkText, child.Terms = own, own
			terms.Name(&child)
			child.EmbedHash = strings.ReplaceAll(child.ID+parent.ID, "-", "")
			child.Embedding = make([]float32, dims)
			for i := range child.Embedding {
				child.Embedding[i] = float32(r.NormFloat64())
			}
			normalise(child.Embedding)
			children = append(children, child)
		}
		parent.ChunkText = text.String()
		bundle.Chunks = append(append(bundle.Chunks, parent), children...)
	}
	return bundle
}

// reportRatio prints a measurement beside its budget.
func reportRatio(b *testing.B, measured, budget float64) {
	b.Helper()
	b.ReportMetric(measured, "measured")
	b.ReportMetric(budget, "budget")
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// BenchmarkScan compares the exact search by bytes with one that compares all floats,
// and with reading the floats, in turns, by the faster of two readers.
func BenchmarkScan(b *testing.B) {
	s := benchStore(b)
	ctx := context.Background()
	v, sn := benchView(b, s)
	defer v.Close()
	q := randomQuery(7)
	var scans, floats []time.Duration
	var reads [2][]time.Duration
	var sink float32
	dot := vector.Kernel()
	all := allFloats(b, v, sn)
	for b.Loop() {
		start := cputime.Now()
		rows, scanned, err := sn.nearest(ctx, q, 60, sn.scanned(sn.in(store.Scope{})), sn.floats(v.conn))
		if err != nil || len(rows) != 60 || scanned != sn.live {
			b.Fatal(len(rows), scanned, err)
		}
		scans = append(scans, cputime.Now()-start)
		start = cputime.Now()
		best := quantise.Top{Limit: 60}
		for at := 0; at < len(all); at += benchDims {
			best.Add(dot(q, all[at:at+benchDims]))
		}
		floats = append(floats, cputime.Now()-start)
		for i, sum := range []func([]float32) float32{sumWords, vek32.Sum} {
			start = cputime.Now()
			sink += sum(all)
			reads[i] = append(reads[i], cputime.Now()-start)
		}
	}
	runtime.KeepAlive(sink)
	scan, float, read := median(scans), median(floats), min(median(reads[0]), median(reads[1]))
	b.ReportMetric(float64(scan.Microseconds())/1000, "scan-ms")
	b.ReportMetric(float64(float.Microseconds())/1000, "floats-ms")
	b.ReportMetric(float64(read.Microseconds())/1000, "read-ms")
	budget := 1.0
	if runtime.GOARCH == "amd64" {
		budget = 0.37
	}
	reportRatio(b, float64(scan)/float64(float), budget)
}

// sumWords reads memory with eight sums, so that no addition waits for another.
func sumWords(b []float32) float32 {
	var s [8]float32
	for ; len(b) >= 8; b = b[8:] {
		s[0] += b[0]
		s[1] += b[1]
		s[2] += b[2]
		s[3] += b[3]
		s[4] += b[4]
		s[5] += b[5]
		s[6] += b[6]
		s[7] += b[7]
	}
	return s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7]
}

// allFloats are all vectors, one after the other.
func allFloats(b *testing.B, v *View, sn *snapshot) []float32 {
	b.Helper()
	all := make([]float32, 0, sn.live*benchDims)
	for _, sp := range sn.scanned(sn.in(store.Scope{})) {
		refs := make([]ref, 0, sp.to-sp.from)
		for r := sp.from; r < sp.to; r++ {
			refs = append(refs, ref{sp.doc, int32(r)})
		}
		if err := sn.floats(v.conn)(context.Background(), refs, func(_ int, v []float32) { all = append(all, v...) }); err != nil {
			b.Fatal(err)
		}
	}
	return all
}

func randomQuery(seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, seed))
	q := make([]float32, benchDims)
	for i := range q {
		q[i] = float32(r.NormFloat64())
	}
	normalise(q)
	return q
}

func benchView(b *testing.B, s *Store) (*View, *snapshot) {
	b.Helper()
	v, err := s.Read(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	sn, err := v.(*View).loaded(context.Background(), nil)
	if err != nil {
		b.Fatal(err)
	}
	return v.(*View), sn
}

// BenchmarkMemory compares what a loaded corpus takes with its vectors as bytes, and
// 200 bytes a chunk.
func BenchmarkMemory(b *testing.B) {
	s := benchStore(b)
	before := heap()
	v, sn := benchView(b, s)
	// The first search for words makes what they need.
	if _, err := v.Search(context.Background(), store.Search{Terms: []string{"w300"}, KeywordRows: 1}); err != nil {
		b.Fatal(err)
	}
	_ = v.Close()
	used := heap() - before
	for b.Loop() {
		// What is measured is there already.
	}
	chunks := 0
	for _, d := range sn.docs {
		chunks += len(d.part.Rows)
	}
	vectors := quantise.Size(sn.live, benchDims)
	b.ReportMetric(float64(used-vectors)/float64(chunks), "B/chunk")
	reportRatio(b, float64(used)/float64(vectors+200*chunks), 1)
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// questionOfTen are ten words of a question, from one in half of the children to one
// in a few.
func questionOfTen() []string {
	return []string{"w20", "w40", "w60", "w100", "w160", "w300", "w600", "w1200", "w5000", "w20000"}
}

// BenchmarkKeyword measures keyword queries over 100,000 children and over 5,000; its
// ratio is in milliseconds of processor time.
func BenchmarkKeyword(b *testing.B) {
	half := store.Scope{}
	for i := 0; i < benchDocuments; i += 2 {
		half.DocumentIDs = append(half.DocumentIDs, benchID(i))
	}
	few := store.Scope{DocumentIDs: half.DocumentIDs[:5]}
	six := []string{"w0", "w40", "w300", "w900", "w2000", "w20000"}
	for _, c := range []struct {
		name string
		spec store.Search
	}{
		{"ten words", store.Search{Terms: questionOfTen()}},
		{"rare", store.Search{Terms: []string{"w20000"}}},
		{"medium", store.Search{Terms: []string{"w300"}}},
		{"common", store.Search{Terms: []string{"w0"}}},
		{"common, half of the documents", store.Search{Terms: []string{"w0"}, Scope: half}},
		{"common, five documents", store.Search{Terms: []string{"w0"}, Scope: few}},
		{"question", store.Search{Terms: six}},
		{"question, half of the documents", store.Search{Terms: six, Scope: half}},
		{"all of three", store.Search{Terms: []string{"w0", "w40", "w300"}, Match: store.MatchAnd}},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchKeyword(b, benchStore(b), c.spec, 15)
		})
	}
	b.Run("ten words, 5000 children", func(b *testing.B) {
		benchKeyword(b, benchStoreOf(b, 5000/(benchParents*benchChildren)), store.Search{Terms: questionOfTen()}, 3)
	})
}

func benchKeyword(b *testing.B, s *Store, spec store.Search, budget float64) {
	b.Helper()
	v, _ := benchView(b, s)
	defer v.Close()
	spec.KeywordRows, spec.Fields = 200, store.FieldWeights{Heading: 1, Title: 1}
	var times []time.Duration
	var found store.Found
	for b.Loop() {
		start := cputime.Now()
		var err error
		if found, err = v.Search(context.Background(), spec); err != nil {
			b.Fatal(err)
		}
		times = append(times, cputime.Now()-start)
	}
	df := 0
	for _, t := range found.Terms {
		df += t.DF
	}
	b.ReportMetric(float64(df), "postings")
	b.ReportMetric(float64(found.KeywordMatches), "matches")
	reportRatio(b, float64(median(times).Microseconds())/1000, budget)
}

func benchID(n int) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "https://docs.example.org/guide/page-%d.html", n)).String()
}

// BenchmarkChunks measures the numbers of 200 chunks, without texts and with.
func BenchmarkChunks(b *testing.B) {
	s := benchStore(b)
	v, sn := benchView(b, s)
	defer v.Close()
	rows, _, err := sn.nearest(context.Background(), randomQuery(3), 200, sn.scanned(sn.in(store.Scope{})), sn.floats(v.conn))
	if err != nil {
		b.Fatal(err)
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	for name, fields := range map[string]store.Fields{"numbers": 0, "texts": store.FieldText} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if got, err := v.Chunks(context.Background(), ids, fields); err != nil || len(got) != 200 {
					b.Fatal(len(got), err)
				}
			}
		})
	}
}

// BenchmarkRead measures opening a view of an unchanged corpus.
func BenchmarkRead(b *testing.B) {
	s := benchStore(b)
	v, _ := benchView(b, s)
	_ = v.Close()
	for b.Loop() {
		v, err := s.Read(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		_ = v.Close()
	}
}

// BenchmarkPut measures writing a page of 24 chunks into a growing corpus, with
// its keyword index and vectors.
func BenchmarkPut(b *testing.B) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "corpus.db"), Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	w, err := s.Write(ctx)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	if err := w.SetMeta(ctx, store.Meta{EmbedderID: "bench", Dimensions: benchDims}); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 3, 50_000)
	var spent time.Duration
	n := 0
	for b.Loop() {
		bundle := benchDocument(r, zipf, n)
		start := cputime.Now()
		if _, err := w.Put(ctx, bundle); err != nil {
			b.Fatal(err)
		}
		spent += cputime.Now() - start
		n++
	}
	b.ReportMetric(float64(spent.Microseconds())/float64(n)/1000, "cpu-ms/page")
}
