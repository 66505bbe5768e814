package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// A page of one section and one passage is written and found again by its
// words.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, err := sqlite.Open(ctx, filepath.Join(dir, "corpus.db"), sqlite.Options{Create: true})
	if err != nil {
		panic(err)
	}
	defer s.Close()

	const url, text = "https://example.org/everest", "Mount Everest is the highest mountain above sea level."
	id := func(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(url+name)).String() }
	parent := store.Chunk{ID: id("#section"), DocumentID: id(""), Level: store.Parent, ChunkText: text, CharEnd: len(text)}
	child := parent
	child.ID, child.ParentID, child.Level = id("#passage"), parent.ID, store.Child
	child.Terms = strings.Join(store.Terms(text), " ")

	w, err := s.Write(ctx)
	if err != nil {
		panic(err)
	}
	defer w.Close()
	page := store.Bundle{Document: store.Document{ID: id(""), SourceURL: url, CurrentIngestionID: id("ingestion")}, Chunks: []store.Chunk{parent, child}}
	for range 2 {
		changed, err := w.Put(ctx, page)
		fmt.Println("changed:", changed, err)
	}

	v, err := s.Read(ctx)
	if err != nil {
		panic(err)
	}
	defer v.Close()
	found, err := v.Search(ctx, store.Search{Terms: store.Terms("What are the highest mountains?"), KeywordRows: 10})
	if err != nil {
		panic(err)
	}
	for i, share := range found.Shares(found.Keyword[0]) {
		fmt.Printf("%s: %.3f\n", found.Terms[i].Term, share)
	}

	// Output:
	// changed: true <nil>
	// changed: false <nil>
	// highest: 0.288
	// mountain: 0.288
}
