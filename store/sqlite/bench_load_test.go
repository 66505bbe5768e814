package sqlite

import (
	"context"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata/cputime"
)

// BenchmarkLoad compares what the first search waits for with reading as many bytes of
// the file as the packs have.
func BenchmarkLoad(b *testing.B) { benchLoad(b, benchStore(b), 2.5) }

// BenchmarkLoadUnpacked measures what the first search of a corpus without packs waits
// for, which is read chunk by chunk, with all its vectors.
func BenchmarkLoadUnpacked(b *testing.B) {
	s := benchStore(b)
	for b.Loop() {
		start := cputime.Now()
		v, err := s.read(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		l := v.loader()
		l.packed = false
		if _, err := l.load(context.Background(), v.snapshot, func(int, int) {}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64((cputime.Now() - start).Milliseconds()), "cpu-ms")
		_ = v.Close()
	}
}

func benchLoad(b *testing.B, s *Store, budget float64) {
	b.Helper()
	ctx := context.Background()
	v, sn := benchView(b, s)
	_ = v.Close()
	besideReading(b, s, budget, func() {
		s.current.Store(nil)
		if err := s.Load(ctx, nil); err != nil {
			b.Fatal(err)
		}
	})
	b.ReportMetric(float64(sn.live)/1e6, "Mvectors")
}

// besideReading compares what do takes with reading as many bytes of the file as the
// packs have.
func besideReading(b *testing.B, s *Store, budget float64, do func()) {
	b.Helper()
	var size int64
	err := rawTest(b, s.path).QueryRowContext(context.Background(), `SELECT sum(length(rows) + length(codes)) FROM packs`).Scan(&size)
	if err != nil {
		b.Fatal(err)
	}
	file, err := os.Open(s.path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	var times, reads []time.Duration
	block := make([]byte, 4096)
	for b.Loop() {
		start := cputime.Now()
		do()
		times = append(times, cputime.Now()-start)
		start = cputime.Now()
		kept := make([]byte, 0, size)
		for at := int64(0); at < size; at += int64(len(block)) {
			if _, err := file.ReadAt(block, at); err != nil {
				b.Fatal(err)
			}
			kept = append(kept, block...)
		}
		runtime.KeepAlive(kept)
		reads = append(reads, cputime.Now()-start)
	}
	took, read := median(times), median(reads)
	b.ReportMetric(float64(took.Microseconds())/1000, "cpu-ms")
	b.ReportMetric(float64(read.Microseconds())/1000, "read-ms")
	reportRatio(b, float64(took)/float64(read), budget)
}

// BenchmarkOneShot is one search by words and a vector of a corpus of 21,600 passages of
// 1,024 dimensions that nothing is in memory of, with the texts of what it finds.
func BenchmarkOneShot(b *testing.B) {
	s := benchStoreWith(b, 21_600/(benchParents*benchChildren), 1024)
	q := make([]float32, 1024)
	for i := range q {
		q[i] = float32(i%7) - 3
	}
	normalise(q)
	ctx := context.Background()
	besideReading(b, s, 3.5, func() {
		s, err := Open(ctx, s.path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		v, err := s.Read(ctx)
		if err != nil {
			b.Fatal(err)
		}
		defer v.Close()
		found, err := v.Search(ctx, store.Search{Vector: q, VectorRows: 60, Terms: questionOfTen(), KeywordRows: 60})
		if err != nil || len(found.Vector) != 60 {
			b.Fatal(len(found.Vector), err)
		}
		ids := make([]string, len(found.Vector))
		for i, r := range found.Vector {
			ids[i] = r.ID
		}
		if _, err := v.Chunks(ctx, ids, store.FieldText); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkFileSize is how many bytes of the file a passage of 1,024 dimensions takes,
// with its part of a section and of all indexes, beside those of its vector.
func BenchmarkFileSize(b *testing.B) {
	s := benchStoreWith(b, 21_600/(benchParents*benchChildren), 1024)
	info, err := os.Stat(s.path)
	if err != nil {
		b.Fatal(err)
	}
	v, sn := benchView(b, s)
	_ = v.Close()
	for b.Loop() {
		// What is measured is there already.
	}
	each := float64(info.Size()) / float64(sn.live)
	b.ReportMetric(each/1000, "kB/passage")
	reportRatio(b, each/(4*1024), 2.3)
}
