package ui

import (
	"context"
	"errors"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// failure is an error that stands in the way, as opposed to a status that fades.
type failure struct {
	what string // one line: what happened
	next string // what to do
	// again says that the corpus is open but of no use, so that it is opened anew.
	again bool
	err   error
}

// failureOf is a failure of the session in words, nil for none.
func failureOf(f *session.Failure) *failure {
	switch {
	case f == nil:
		return nil
	case session.IsOutage(f.Err):
		return unreachable(f.Err)
	case f.Kind == session.KindOpen:
		return &failure{what: "The corpus could not be opened.", next: "{corpus.reopen} tries again; {palette.show} switches to another corpus; {program.quit} quits", err: f.Err}
	case f.Kind == session.KindLoad:
		return &failure{what: "The corpus could not be loaded.", next: "{corpus.reopen} tries again; {palette.show} switches to another corpus", err: f.Err, again: true}
	}
	return unanswered(f.Err)
}

// unanswered is the failure of a query. It says to ask again only where that may
// help.
func unanswered(err error) *failure {
	f := &failure{what: "The query could not be answered.", err: err}
	var limited *embedder.RateLimitError
	var unseen *NotRecordedError
	switch {
	case errors.As(err, &unseen):
		f.what = "The recording has no answer."
		f.next = "{query.edit} with an empty line lists what was asked, {program.quit} quits"
	case errors.Is(err, retrieval.ErrNoOwner):
		f.what = "No query can be asked with these settings."
		f.next = "{program.quit} quits; other presets search all pages (--preset webrag)"
	case errors.Is(err, embedder.ErrAuth), errors.Is(err, llm.ErrAuth):
		f.next = "{program.quit} quits; check the key in the configuration"
	case errors.Is(err, embedder.ErrModelNotFound), errors.Is(err, llm.ErrModelNotFound):
		f.next = "{program.quit} quits; check the model's name in the configuration"
	case errors.Is(err, embedder.ErrUnavailable), errors.Is(err, llm.ErrUnavailable),
		errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrLocked),
		errors.Is(err, context.DeadlineExceeded), errors.As(err, &limited):
		f.next = "{query.edit} and enter ask again"
	default:
		f.next = "{query.edit} asks something else, {program.quit} quits"
	}
	return f
}

// fail puts a failure in the way, or takes one out of it. The score pane gives
// its place away while there is nothing to take apart.
func (m *Model) fail(f *failure) {
	had := m.failure != nil
	m.failure = f
	if had != (f != nil) {
		m.arrange()
	}
}
