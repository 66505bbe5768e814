package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// howIndexed tells a reader what a result is. Chunking would measure the chunker,
// and published figures are over whole documents.
const howIndexed = "each document is one section with one chunk: its title, a space, its text"

// corpus is an indexed collection.
type corpus struct {
	*exchange.Collection
	name  string
	file  string
	store *sqlite.Store
	model *embedder.Builtin
	// scale is that of the cosines of unrelated documents.
	scale store.Calibration
	// blank counts the documents without a word, which have no vector.
	blank int
	// at is the place of a document, by its address and by the ids of the child and
	// the parent that it is.
	at map[string]int
}

// index writes the collection to a new file and opens it.
func index(ctx context.Context, file, name string, c *exchange.Collection) (_ *corpus, err error) {
	k := &corpus{Collection: c, name: name, file: file, model: embedder.NewBuiltin(), at: make(map[string]int, len(c.Documents))}
	if k.store, err = sqlite.Open(ctx, file, sqlite.Options{Create: true}); err != nil {
		return nil, err
	}
	if err := k.fill(ctx); err != nil {
		return nil, errors.Join(err, k.store.Close())
	}
	return k, nil
}

func (k *corpus) fill(ctx context.Context) (err error) {
	vectors, err := k.embedDocuments(ctx)
	if err != nil {
		return err
	}
	w, err := k.store.Write(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	info := k.model.Info()
	if err := w.SetMeta(ctx, store.Meta{EmbedderID: info.ID, Dimensions: info.Dims, Tokenizer: info.Tokenizer}); err != nil {
		return err
	}
	tokens, err := embedder.NewTokenizer(info.Tokenizer)
	if err != nil {
		return err
	}
	for i := range k.Documents {
		b := bundle(i, textOf(&k.Documents[i]), vectors[i], tokens)
		k.at[address(i)], k.at[b.Chunks[0].ID], k.at[b.Chunks[1].ID] = i, i, i
		if _, err := w.Put(ctx, b); err != nil {
			return fmt.Errorf("document %q: %w", k.Documents[i].ID, err)
		}
	}
	return k.calibrate(ctx, w)
}

// calibrate measures the scale of the cosines as indexing does.
func (k *corpus) calibrate(ctx context.Context, w store.Writer) (err error) {
	v, err := w.View(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	if k.scale, err = indexing.Calibrate(ctx, v, k.model); err != nil {
		return err
	}
	return w.SetCalibration(ctx, k.scale)
}

func textOf(d *exchange.Document) string { return d.Title + " " + d.Text }

// embedDocuments returns a vector for each document, nil for those without text.
func (k *corpus) embedDocuments(ctx context.Context) ([][]float32, error) {
	var texts []string
	var places []int
	for i := range k.Documents {
		if text := textOf(&k.Documents[i]); strings.TrimSpace(text) != "" {
			texts, places = append(texts, text), append(places, i)
		}
	}
	k.blank = len(k.Documents) - len(texts)
	vectors := make([][]float32, len(k.Documents))
	if len(texts) == 0 {
		return vectors, nil
	}
	made, err := k.model.EmbedMany(ctx, texts, embedder.RoleDocument)
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		if !isZero(made[i]) {
			vectors[place] = made[i]
		}
	}
	return vectors, nil
}

func isZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// address is that of document i.
func address(i int) string { return fmt.Sprintf("collection:%d", i) }

// bundle is document i as one parent with one child. Ids ascend with i, so that
// equal scores come in the order of the collection.
func bundle(i int, text string, vector []float32, tokens embedder.Tokenizer) store.Bundle {
	id := func(kind int) string { return fmt.Sprintf("%08x-0000-5000-8000-%012x", i, kind) }
	url := address(i)
	doc := store.Document{
		ID: id(1), URL: url, SourceURL: url, DocType: "markdown", SourceType: "text",
		ContentHash: id(2), DerivedHash: id(3), CurrentIngestionID: id(4),
	}
	parent := store.Chunk{
		ID: id(5), DocumentID: doc.ID, Level: store.Parent, ChunkText: text, SourceURL: url,
		CharEnd: utf8.RuneCountInString(text), TokenEnd: tokens.Count(text), IngestionID: doc.CurrentIngestionID,
	}
	child := parent
	child.ID, child.ParentID, child.Level = id(6), parent.ID, store.Child
	child.Terms, child.Embedding = strings.Join(store.Terms(text), " "), vector
	if vector != nil {
		child.EmbedHash = child.ID
	}
	return store.Bundle{Document: doc, Chunks: []store.Chunk{parent, child}}
}
