package session_test

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// shelf is a reader of made-up pages.
type shelf struct{ fails error }

func (r *shelf) Summary(context.Context) (session.CorpusSummary, error) {
	return session.CorpusSummary{Stats: store.Stats{Documents: 3}}, r.fails
}

func (r *shelf) Section(_ context.Context, id string) (store.Chunk, error) {
	return store.Chunk{ID: id}, r.fails
}

func (r *shelf) SectionAt(_ context.Context, url string, at int) (store.Chunk, error) {
	return store.Chunk{ID: fmt.Sprint(url, ":", at)}, r.fails
}

func (r *shelf) Sections(_ context.Context, limit int, known int64) (session.SectionList, error) {
	return session.SectionList{Version: known + 1, More: limit}, r.fails
}

func (r *shelf) Pages(_ context.Context, from, n int) ([]session.PageEntry, error) {
	return []session.PageEntry{{Depth: from, Tokens: n}}, r.fails
}

func (r *shelf) PageLinks(_ context.Context, ids []string) ([][]string, error) {
	return [][]string{ids}, r.fails
}

func (r *shelf) Page(_ context.Context, id string) (*session.PageContent, error) {
	return &session.PageContent{Document: store.Document{ID: id}, Sections: []store.Chunk{{ID: id + "/1"}}}, r.fails
}

func (r *shelf) SectionTexts(_ context.Context, ids []string) (texts []store.Chunk, err error) {
	for _, id := range ids {
		texts = append(texts, store.Chunk{ID: id, ChunkText: "text of " + id})
	}
	return texts, r.fails
}

func (r *shelf) Links(_ context.Context, id string) ([]session.SectionLink, error) {
	return []session.SectionLink{{Text: id}}, r.fails
}

func (r *shelf) SectionByURL(_ context.Context, url string) (store.Chunk, error) {
	return store.Chunk{ID: url}, r.fails
}
