package recording

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui"
)

// Recording is a session that was recorded. It is never changed.
type Recording struct {
	// Program is the version of the program that wrote it.
	Program string
	// Corpus is the name of the corpus, Preset and Params what the session started
	// from.
	Corpus string
	Preset string
	Params param.Params
	// Notices are those of the session's start.
	Notices []retrieval.Notice
	// Queries are those that were asked, each once, in their order.
	Queries []string
	// Truncated says that the last line is not whole: the program that wrote it
	// was ended.
	Truncated bool

	estimated, foreign bool
	// found, texts and words are the parts of evidence, by their numbers.
	found []found
	texts []kept.Text
	words []kept.Words
	// gathered are the evidences of each query, in the order in which they came.
	gathered map[string][]*gathered
	reports  map[string]whynot.Report
	terms    map[string]session.TermMatch
	answers  map[string]any // what was read
	moves    []move
	// sections are the chunks whose texts came with evidence, by their ids.
	sections map[string]section
}

// found is what a search found, as it was kept and as evidence that is not completed.
type found struct {
	kept *kept.Found
	ev   retrieval.Evidence
}

// gathered is evidence with the parameters that it was gathered for.
type gathered struct {
	evidence
	params param.Params
}

// section is a chunk with a text.
type section struct{ found, text int }

// NewCorpus is what the explorer is opened on.
func (r *Recording) NewCorpus() *session.Corpus {
	return &session.Corpus{
		Name: r.Corpus, Engine: player{r}, Reader: shelf{r}, Cosines: shelf{r},
		Estimated: r.estimated, Foreign: r.foreign,
	}
}

const noMore = "this was not looked at in the recorded session"

// find is what was read of the corpus.
func find[T any](r *Recording, call, query string, args ...string) (value T, err error) {
	v, ok := r.answers[readKey(call, query, args)].(T)
	if !ok {
		return value, &ui.NotRecordedError{Why: noMore}
	}
	return v, nil
}

// shelf reads what was read.
type shelf struct{ r *Recording }

func (s shelf) Survey(context.Context) (session.Survey, error) {
	return find[session.Survey](s.r, callSurvey, "")
}

// Section is one that was read, or one whose text came with evidence.
func (s shelf) Section(_ context.Context, id string) (store.Chunk, error) {
	c, err := find[store.Chunk](s.r, callSection, "", id)
	if err == nil {
		return c, nil
	}
	own, ok := s.r.sections[id]
	if !ok {
		return store.Chunk{}, err
	}
	ev := &s.r.found[own.found].ev
	at, ok := ev.NumberOf(id)
	if !ok {
		return store.Chunk{}, err
	}
	c = ev.Chunk(at)
	c.ChunkText, c.HTMLText = s.r.texts[own.text].Markdown, s.r.texts[own.text].HTML
	return c, nil
}

func (s shelf) SectionAt(_ context.Context, url string, at int) (store.Chunk, error) {
	return find[store.Chunk](s.r, callAt, "", url, fmt.Sprint(at))
}

func (s shelf) Sections(_ context.Context, limit int, known int64) (session.SectionList, error) {
	list, err := find[session.SectionList](s.r, callNames, "", fmt.Sprint(limit))
	if err == nil && list.Version == known {
		return session.SectionList{Version: known}, nil
	}
	return list, err
}

func (s shelf) Pages(_ context.Context, from, n int) ([]session.PageEntry, error) {
	return find[[]session.PageEntry](s.r, callPages, "", fmt.Sprint(from), fmt.Sprint(n))
}

func (s shelf) PageLinks(_ context.Context, ids []string) ([][]string, error) {
	links, err := find[[][]string](s.r, callLinks, "", ids...)
	if err == nil && len(links) != len(ids) {
		return nil, &ui.NotRecordedError{Why: noMore}
	}
	return links, err
}

func (s shelf) Page(_ context.Context, id string) (*session.PageContent, error) {
	page, err := find[session.PageContent](s.r, callPage, "", id)
	if err != nil {
		return nil, err
	}
	return &page, nil
}

func (s shelf) SectionTexts(_ context.Context, ids []string) ([]store.Chunk, error) {
	return find[[]store.Chunk](s.r, callTexts, "", ids...)
}

func (s shelf) Links(_ context.Context, id string) ([]session.SectionLink, error) {
	return find[[]session.SectionLink](s.r, callInside, "", id)
}

func (s shelf) SectionByURL(_ context.Context, url string) (store.Chunk, error) {
	return find[store.Chunk](s.r, callAddress, "", url)
}

// Cost implements [session.Cosiner]: nobody is asked.
func (s shelf) Cost(string) int { return 0 }

func (s shelf) Cosines(_ context.Context, query string, _ []float32, it *retrieval.Item) (session.Cosines, error) {
	return find[session.Cosines](s.r, callCosines, query, cosineArgs(it)...)
}
