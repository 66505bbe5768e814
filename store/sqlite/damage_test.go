package sqlite

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
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
		"not numbers": {`UPDATE vectors SET v = ?`, vector.Encode(nan), "not a finite number"},
		"too long":    {`UPDATE vectors SET v = ?`, vector.Encode([]float32{2, 0, 0, 0, 0, 0, 0, 0}), "length 2 instead of 1"},
		"gone":        {`DELETE FROM vectors WHERE seq > ?`, 2, "is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTest(t, testPage("a", 1, 3))
			foreignTest(t, s.path, c.query, c.arg)
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
	if err == nil || !strings.Contains(err.Error(), "the file is damaged (") || !strings.Contains(err.Error(), "); webrag-tui doctor --corpus "+s.path+" says more; restore a copy, or index the pages into a new file") {
		t.Errorf("got %v", err)
	}
}

// A keyword index that another program has changed is made anew by the next writer, in a
// file without checksums; those find it otherwise.
func TestKeywordIndexOutOfStep(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"a segment is gone":  `DELETE FROM term_segments WHERE id = (SELECT min(id) FROM term_segments)`,
		"lists are gone":     `DELETE FROM term_blocks WHERE segment = (SELECT max(segment) FROM term_blocks)`,
		"all is gone":        `DELETE FROM term_blocks; DELETE FROM term_segments`,
		"other lists":        `UPDATE term_blocks SET lists = (SELECT b.lists FROM term_blocks b ORDER BY segment LIMIT 1)`,
		"no lists":           `UPDATE term_blocks SET lists = x'ff00ff00ff'`,
		"no roster":          `UPDATE term_segments SET roster = x'ff'`,
		"a chunk of no text": `UPDATE chunks SET term_count = term_count + 1 WHERE seq = 2`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTest(t)
			s.mostTail = 1
			// The second page is larger, so that its segment stays apart.
			putTest(t, s, testPage("b", 1, 9))
			putTest(t, s, testPage("a", 1, 3))
			execTest(t, s.path, damage+`; UPDATE corpus_meta SET schema_version = 8`)
			s = openTest(t, s.path, Options{})
			if name == "a chunk of no text" {
				if c := examined(t, s, "keyword index"); c.State != store.CheckBroken {
					t.Errorf("%+v", c)
				}
				execTest(t, s.path, `UPDATE chunks SET term_count = term_count - 1 WHERE seq = 2`)
			}
			putTest(t, s)
			checkFile(t, s.path)
			generationOf(t, readTest(t, s), "b", 9)
			found, err := readTest(t, s).Search(t.Context(), store.Search{Terms: []string{"gen1"}, KeywordRows: 50})
			if err != nil || len(found.Keyword) != 12 {
				t.Errorf("%d rows, %v, want 12", len(found.Keyword), err)
			}
		})
	}
}

// A keyword index that cannot be read leaves the vector arm alone, and is an error
// when nothing else was asked for.
func TestKeywordIndexFails(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"damaged lists":  `UPDATE term_blocks SET lists = x'ff00ff00ff00ff00ff'`,
		"damaged roster": `UPDATE term_segments SET roster = x'00'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTest(t, testPage("a", 1, 3))
			execTest(t, s.path, damage)
			v := readTest(t, s)
			spec := store.Search{Vector: testVector(1), VectorRows: 9, Terms: []string{"gen1", "a"}, KeywordRows: 9}
			found, err := v.Search(t.Context(), spec)
			if err != nil || len(found.Vector) != 3 || found.KeywordErr == nil || len(found.Keyword) != 0 {
				t.Fatalf("both arms: %+v, %v", found, err)
			}
			if !strings.Contains(found.KeywordErr.Error(), "keyword index is out of step") || len(found.Terms) != 2 || found.Terms[0].Term != "gen1" {
				t.Errorf("the error is %q, the terms %+v", found.KeywordErr, found.Terms)
			}
			spec.Vector = nil
			if found, err = v.Search(t.Context(), spec); err == nil {
				t.Errorf("the keyword arm alone: %+v", found)
			}
			// A quote is found all the same, by reading.
			if got, n, err := v.Find(t.Context(), store.FindQuery{Quote: "a child1 gen1", Level: store.Child}); err != nil || n != 1 || len(got) != 1 {
				t.Errorf("a quote: %v, %d, %v", got, n, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			spec.Vector = testVector(1)
			if _, err := v.Search(ctx, spec); !errors.Is(err, context.Canceled) {
				t.Errorf("a cancelled search: %v", err)
			}
		})
	}
}

func TestWrongDimensionIsTyped(t *testing.T) {
	t.Parallel()
	_, err := readTest(t, newTest(t, testPage("a", 1, 3))).Search(t.Context(), store.Search{Vector: []float32{1}, VectorRows: 1})
	var mismatch *store.MismatchError
	if !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "test (8 dimensions)") || strings.Contains(err.Error(), "reembed") {
		t.Errorf("got %v", err)
	}
}
