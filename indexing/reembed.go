package indexing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/store"
)

// reembed makes all vectors anew with the run's embedder. They are kept beside
// the present ones until all are there and then replace them at once, so that a
// stopped run leaves the corpus as it was, and the next one goes on.
func (r *run) reembed(ctx context.Context) error {
	m, info := r.w.Meta(), r.o.Embedder.Info()
	v, err := r.w.View(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	docs, err := v.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		return err
	}
	if m.EmbedderID == info.ID && m.Dimensions == info.Dims {
		if never, err := neverEmbedded(ctx, v, docs); err != nil || !never {
			return err
		}
	}
	staged, err := r.w.Staged(ctx, info.ID)
	if err != nil {
		return err
	}
	r.stage, r.done, r.total = StageReembed, 0, len(docs)
	r.progress()
	var ids, texts []string
	pages := 0
	flush := func() error {
		if err := r.stageVectors(ctx, ids, texts); err != nil {
			return err
		}
		r.done += pages
		ids, texts, pages = nil, nil, 0
		r.progress()
		return nil
	}
	for i := range docs {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("re-embedding stopped: %w", context.Cause(ctx))
		}
		more, moreTexts, err := storedTexts(ctx, v, &docs[i], staged)
		if err != nil {
			return fmt.Errorf("re-embed %s: %w", docs[i].SourceURL, err)
		}
		ids, texts = append(ids, more...), append(texts, moreTexts...)
		if pages++; len(texts) >= r.o.BatchTexts {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	m.EmbedderID, m.Dimensions = info.ID, info.Dims
	m.Calibration = DefaultCalibration(r.o.Embedder)
	m.Fingerprint = withEmbedder(m.Fingerprint, info)
	return r.w.SwitchEmbedder(ctx, m)
}

// stageVectors embeds texts and stages their vectors. A text without a word that
// the embedder knows gets none, as it would if its page were indexed.
func (r *run) stageVectors(ctx context.Context, ids, texts []string) error {
	byID := make(map[string][]float32, len(ids))
	var wordy, wordyTexts []string
	for i, id := range ids {
		byID[id] = nil
		if texts[i] != "" {
			wordy, wordyTexts = append(wordy, id), append(wordyTexts, texts[i])
		}
	}
	if len(byID) == 0 {
		return nil
	}
	made := 0
	if len(wordy) > 0 {
		vectors, err := r.o.Embedder.EmbedMany(ctx, wordyTexts, embedder.RoleDocument)
		if err != nil {
			return fmt.Errorf("re-embed: %w", err)
		}
		if len(vectors) != len(wordy) {
			return fmt.Errorf("re-embed: %d vectors for %d texts", len(vectors), len(wordy))
		}
		for i, id := range wordy {
			if !isZero(vectors[i]) {
				byID[id] = vectors[i]
				made++
			}
		}
	}
	if err := r.w.StageVectors(ctx, r.o.Embedder.Info().ID, byID); err != nil {
		return err
	}
	r.report.Reembedded += made
	r.report.Blank += len(byID) - made
	return nil
}

// neverEmbedded says that a child with words has neither a vector nor the hash of a
// text that was embedded: a copy of what another program made, which was stopped
// before it embedded all.
func neverEmbedded(ctx context.Context, v store.View, docs []store.Document) (bool, error) {
	for i := range docs {
		p, children, err := storedPage(ctx, v, docs[i].ID, store.FieldText)
		if err != nil {
			return false, fmt.Errorf("re-embed %s: %w", docs[i].SourceURL, err)
		}
		var ids []string
		for j := range children {
			if c := &children[j]; c.EmbedHash == "" && p.reembedText(c) != "" {
				ids = append(ids, c.ID)
			}
		}
		chunks, err := v.Chunks(ctx, ids, store.FieldEmbedding)
		if err != nil {
			return false, fmt.Errorf("re-embed %s: %w", docs[i].SourceURL, err)
		}
		if slices.ContainsFunc(chunks, func(c store.Chunk) bool { return c.Embedding == nil }) {
			return true, nil
		}
	}
	return false, nil
}

// storedTexts makes the texts to embed of a stored document again, for the
// children that nothing is staged for yet, whatever is known of an embedding before:
// what another program made has no hashes. A text is empty where indexing would find
// no word.
func storedTexts(ctx context.Context, v store.View, d *store.Document, staged map[string]bool) (ids, texts []string, err error) {
	p, children, err := storedPage(ctx, v, d.ID, store.FieldText)
	if err != nil {
		return nil, nil, err
	}
	for i := range children {
		c := &children[i]
		if staged[c.ID] {
			continue
		}
		ids = append(ids, c.ID)
		texts = append(texts, p.reembedText(c))
	}
	return ids, texts, nil
}

// reembedText is what is embedded for a stored child with its text. Where the page's
// sections do not hold that text at its offsets, because another program cut the
// page and left something out, the child's text stands for itself.
func (p *page) reembedText(c *store.Chunk) string {
	if from, to := p.index.Byte(c.CharStart), p.index.Byte(c.CharEnd); from <= to && p.text[from:to] == c.ChunkText {
		return p.embedTextOf(c)
	}
	alone := &page{text: c.ChunkText}
	alone.scan()
	return embedText(c.Title, c.HeadingPath, "", alone.embedBody(0, len(alone.text)))
}

// withEmbedder is a fingerprint with another embedder.
func withEmbedder(fingerprint string, info embedder.Info) string {
	parts := strings.Split(fingerprint, ";")
	for i, part := range parts {
		switch {
		case strings.HasPrefix(part, "embedder="):
			parts[i] = "embedder=" + info.ID
		case strings.HasPrefix(part, "dimensions="):
			parts[i] = fmt.Sprintf("dimensions=%d", info.Dims)
		}
	}
	return strings.Join(parts, ";")
}
