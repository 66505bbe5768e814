package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// guideStore opens a copy of the guide.
func guideStore(t *testing.T) store.Store {
	t.Helper()
	file, err := guideFile()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "guide.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	st, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st
}

func readerOf(st store.Store) session.Reader {
	return session.NewCorpus(retrieval.Deps{Store: st, Embedder: embedder.NewBuiltin()}).Reader
}

func TestPagesAreRead(t *testing.T) {
	ctx := t.Context()
	r := readerOf(guideStore(t))
	all, err := r.Pages(ctx, 0, 500)
	if err != nil || len(all) < 10 {
		t.Fatalf("%d pages, %v", len(all), err)
	}
	part, err := r.Pages(ctx, 3, 4)
	if err != nil || len(part) != 4 || part[0].ID != all[3].ID {
		t.Errorf("the fourth page and three more are %v, %v", part, err)
	}
	for _, e := range all {
		c, err := r.Page(ctx, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Sections) != e.Sections || len(c.Children) != len(c.Sections) {
			t.Errorf("%s has %d sections with %d lists of children, want %d", e.URL, len(c.Sections), len(c.Children), e.Sections)
		}
		var ids []string
		for i, s := range c.Sections {
			ids = append(ids, s.ID)
			if s.ChunkText != "" {
				t.Fatalf("the texts of %s are read with its sections", e.URL)
			}
			for _, child := range c.Children[i] {
				if child.ParentID != s.ID || child.CharStart < s.CharStart || child.CharEnd > s.CharEnd {
					t.Errorf("child %+v is not one of section %+v", child, s)
				}
			}
		}
		texts, err := r.SectionTexts(ctx, ids)
		if err != nil || len(texts) != len(ids) {
			t.Fatalf("%d texts of %d sections, %v", len(texts), len(ids), err)
		}
	}
	links, err := r.PageLinks(ctx, []string{all[0].ID})
	if err != nil || len(links) != 1 || len(links[0]) == 0 {
		t.Fatalf("links %v, %v", links, err)
	}
	if slices.Sort(links[0]); len(slices.Compact(slices.Clone(links[0]))) != len(links[0]) {
		t.Errorf("an address is listed twice in %v", links[0])
	}
}

// What was deleted is not listed, and opening it says so.
func TestDeletedPagesAreNotShown(t *testing.T) {
	ctx := t.Context()
	st := guideStore(t)
	r := readerOf(st)
	before, err := r.Pages(ctx, 0, 500)
	if err != nil {
		t.Fatal(err)
	}
	gone := before[3].ID
	softDelete(t, st, gone)
	after, err := r.Pages(ctx, 0, 500)
	if err != nil || len(after) != len(before)-1 || slices.ContainsFunc(after, func(e session.PageEntry) bool { return e.ID == gone }) {
		t.Errorf("%d of %d pages are listed, %v", len(after), len(before), err)
	}
	if _, err := r.Page(ctx, gone); err == nil || !strings.Contains(err.Error(), "no longer in the corpus") {
		t.Errorf("it opens with %v", err)
	}
}

func softDelete(t *testing.T, st store.Store, id string) {
	t.Helper()
	ctx := t.Context()
	w, err := st.Write(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := w.SoftDelete(ctx, id); err != nil || n != 1 {
		t.Fatalf("%d pages are deleted, %v", n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
