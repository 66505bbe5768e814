package recording

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// engine tells the recorder what work of the session has brought.
type engine struct {
	session.Engine
	r *Recorder
}

// Applied implements [session.Applier].
func (e engine) Applied(d session.Done) { e.r.applied(d) }

// reader records what is read.
type reader struct {
	session.Reader
	r *Recorder
}

// noted records a value that was read.
func noted[T any](r *Recorder, call string, args []string, value T, err error) (T, error) {
	if err == nil {
		r.read(call, "", args, value)
	}
	return value, err
}

func (x reader) Survey(ctx context.Context) (session.Survey, error) {
	v, err := x.Reader.Survey(ctx)
	return noted(x.r, callSurvey, nil, v, err)
}

func (x reader) Section(ctx context.Context, id string) (store.Chunk, error) {
	v, err := x.Reader.Section(ctx, id)
	return noted(x.r, callSection, []string{id}, v, err)
}

func (x reader) SectionAt(ctx context.Context, url string, at int) (store.Chunk, error) {
	v, err := x.Reader.SectionAt(ctx, url, at)
	return noted(x.r, callAt, []string{url, fmt.Sprint(at)}, v, err)
}

func (x reader) Sections(ctx context.Context, limit int, known int64) (session.SectionList, error) {
	v, err := x.Reader.Sections(ctx, limit, known)
	if err == nil && v.Version != known {
		x.r.read(callNames, "", []string{fmt.Sprint(limit)}, v)
	}
	return v, err
}

func (x reader) Pages(ctx context.Context, from, n int) ([]session.PageEntry, error) {
	v, err := x.Reader.Pages(ctx, from, n)
	return noted(x.r, callPages, []string{fmt.Sprint(from), fmt.Sprint(n)}, v, err)
}

func (x reader) PageLinks(ctx context.Context, ids []string) ([][]string, error) {
	v, err := x.Reader.PageLinks(ctx, ids)
	return noted(x.r, callLinks, ids, v, err)
}

func (x reader) Page(ctx context.Context, id string) (*session.PageContent, error) {
	v, err := x.Reader.Page(ctx, id)
	return noted(x.r, callPage, []string{id}, v, err)
}

func (x reader) SectionTexts(ctx context.Context, ids []string) ([]store.Chunk, error) {
	v, err := x.Reader.SectionTexts(ctx, ids)
	return noted(x.r, callTexts, ids, v, err)
}

func (x reader) Links(ctx context.Context, id string) ([]session.SectionLink, error) {
	v, err := x.Reader.Links(ctx, id)
	return noted(x.r, callInside, []string{id}, v, err)
}

func (x reader) SectionByURL(ctx context.Context, url string) (store.Chunk, error) {
	v, err := x.Reader.SectionByURL(ctx, url)
	return noted(x.r, callAddress, []string{url}, v, err)
}

// cosiner records cosines that were taken apart.
type cosiner struct {
	session.Cosiner
	r *Recorder
}

func (x cosiner) Cosines(ctx context.Context, query string, vector []float32, it *retrieval.Item) (session.Cosines, error) {
	v, err := x.Cosiner.Cosines(ctx, query, vector, it)
	if err == nil {
		x.r.read(callCosines, query, cosineArgs(it), v)
	}
	return v, err
}

// cosineArgs name the passages of an item.
func cosineArgs(it *retrieval.Item) []string {
	args := []string{it.ChunkID}
	for _, m := range it.Matches {
		args = append(args, m.ChunkID)
	}
	return args
}
