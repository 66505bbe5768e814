package sqlite

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// A damaged vector is found when it is loaded, and named.
func TestDamagedVectors(t *testing.T) {
	t.Parallel()
	nan := make([]float32, testDims)
	nan[0] = nanFloat()
	for name, c := range map[string]struct {
		query string
		arg   any
		want  string
	}{
		"cut short":   {`UPDATE vectors SET v = ?`, make([]byte, 7), "has 7 bytes instead of 32"},
		"zero":        {`UPDATE vectors SET v = ?`, make([]byte, 4*testDims), "the vector is zero"},
		"not numbers": {`UPDATE vectors SET v = ?`, encodeVector(nan), "not a finite number"},
		"too long":    {`UPDATE vectors SET v = ?`, encodeVector([]float32{2, 0, 0, 0, 0, 0, 0, 0}), "length 2 instead of 1"},
		"gone":        {`DELETE FROM vectors WHERE seq > ?`, 2, "is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTest(t, testPage("a", 1, 3))
			execTest(t, s.path, c.query, c.arg)
			_, err := readTest(t, s).Search(t.Context(), store.Search{Vector: testVector(1), VectorRows: 1})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "delete its document and index it again") {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			// Following the advice helps.
			w := writerTest(t, s)
			b := testPage("a", 1, 3)
			if _, err := w.Delete(t.Context(), b.Document.ID); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Put(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			generationOf(t, readTest(t, s), "a", 3)
		})
	}
}

func nanFloat() float32 { zero := float32(0); return zero / zero }

// A chunk that says it belongs to somebody else is not shown, even below a
// document that may be seen; nor is one of another ingestion.
func TestGuardOnChunks(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"owner":     `UPDATE chunks SET owner = 'bob'`,
		"ingestion": `UPDATE chunks SET ingestion_id = 'former'`,
		"deleted":   `UPDATE documents SET deleted_at = '2026-01-01T00:00:00.000000Z'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := testPage("a", 1, 3)
			s := newTest(t, b)
			execTest(t, s.path, change)
			v := readTest(t, openTest(t, s.path, Options{Owner: "alice"}))
			found, err := v.Search(t.Context(), store.Search{Vector: testVector(1), VectorRows: 9, Terms: []string{"gen1"}, KeywordRows: 9})
			if err != nil || len(found.Vector)+len(found.Keyword)+found.KeywordRows+found.Terms[0].DF != 0 {
				t.Errorf("found %+v, %v", found, err)
			}
			chunks, err := v.Chunks(t.Context(), []string{b.Chunks[0].ID, b.Chunks[1].ID}, store.FieldText)
			if err != nil || len(chunks) != 0 {
				t.Errorf("read %+v, %v", chunks, err)
			}
		})
	}
}

func TestDamagedFile(t *testing.T) {
	t.Parallel()
	bundles := make([]store.Bundle, 30)
	for i := range bundles {
		bundles[i] = testPage(string(rune('a'+i)), 1, 20)
	}
	s := newTest(t, bundles...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	noise := rand.NewChaCha8([32]byte{})
	_, _ = noise.Read(content[len(content)/8 : len(content)*7/8])
	if err := os.WriteFile(s.path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	err = func() error {
		s, err := Open(t.Context(), s.path, Options{})
		if err != nil {
			return err
		}
		defer s.Close()
		return s.Load(t.Context(), nil)
	}()
	if err == nil || !strings.Contains(err.Error(), "the file is damaged; restore a copy, or remove it and index again") {
		t.Errorf("got %v", err)
	}
}

// A keyword index that another program has changed is made anew by the next
// writer.
func TestKeywordIndexOutOfStep(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 3), testPage("b", 1, 3))
	execTest(t, s.path, `DELETE FROM fts WHERE rowid = (SELECT max(seq) FROM chunks)`)
	putTest(t, s)
	checkFile(t, s.path)
	generationOf(t, readTest(t, s), "b", 3)
}

func TestWrongDimensionIsTyped(t *testing.T) {
	t.Parallel()
	_, err := readTest(t, newTest(t, testPage("a", 1, 3))).Search(t.Context(), store.Search{Vector: []float32{1}, VectorRows: 1})
	var mismatch *store.MismatchError
	if !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "test (8 dimensions)") || strings.Contains(err.Error(), "reembed") {
		t.Errorf("got %v", err)
	}
}
