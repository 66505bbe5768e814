package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/store"
)

// A corpus that takes more memory than the setting allows is a mistake in settings or
// input, told in words that say what to do.
func TestMemorySetting(t *testing.T) {
	t.Parallel()
	c, err := config.Load(settings(), config.Inputs{Environ: []string{"WEBRAG_MEMORY=7"}, OwnPrefixes: ownPrefixes, Reserved: reservedVariables})
	if err != nil {
		t.Fatal(err)
	}
	if got := corpusPlace(c).memory; got != 7<<20 {
		t.Errorf("it may take %d bytes", got)
	}
	p := place{path: filepath.Join(t.TempDir(), "corpus.db"), memory: 1}
	st, err := p.create(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	w, err := st.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	id := "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	_, err = w.Put(t.Context(), store.Bundle{Document: store.Document{ID: id, SourceURL: "https://example.org/", CurrentIngestionID: id}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	err = st.(store.Preloader).Load(t.Context(), nil)
	if err == nil || exitCode(err) != exitUsage || !strings.Contains(err.Error(), p.path) || !strings.Contains(err.Error(), "WEBRAG_MEMORY") {
		t.Errorf("exit %d: %v", exitCode(err), err)
	}
}
