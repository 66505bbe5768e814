package welcome

import (
	"context"
	"errors"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// Failure is an error that stands in the way, as opposed to a status that fades.
type Failure struct {
	// What happened, in a line, and Next what to do; both may name keys as Keyed has them.
	What, Next string
	// Again says that the corpus is open but of no use, so that it is opened anew.
	Again bool
	Err   error
}

// Failure is what stands in the way, nil for nothing.
func (v *View) Failure() *Failure { return v.failure }

// Follow puts the session's failure in the way, or takes one out of it.
func (v *View) Follow() {
	had := v.failure != nil
	v.failure = failureOf(v.Session().Failure())
	if had != (v.failure != nil) {
		v.needs.Failed()
	}
}

// failureOf is a failure of the session in words, nil for none.
func failureOf(f *session.Failure) *Failure {
	switch {
	case f == nil:
		return nil
	case session.IsOutage(f.Err):
		return unreachable(f.Err)
	case f.Kind == session.KindOpen:
		return &Failure{What: "The corpus could not be opened.", Next: "{corpus.reopen} tries again; {palette.show} switches to another corpus; {program.quit} quits", Err: f.Err}
	case f.Kind == session.KindLoad:
		return &Failure{What: "The corpus could not be loaded.", Next: "{corpus.reopen} tries again; {palette.show} switches to another corpus", Err: f.Err, Again: true}
	}
	return unanswered(f.Err)
}

// unanswered is the failure of a query. It says to ask again only where that may
// help.
func unanswered(err error) *Failure {
	f := &Failure{What: "The query could not be answered.", Err: err}
	var limited *embedder.RateLimitError
	var unseen *session.NotRecordedError
	switch {
	case errors.As(err, &unseen):
		f.What = "The recording has no answer."
		f.Next = "{query.edit} lists what was asked, {program.quit} quits"
	case errors.Is(err, retrieval.ErrNoOwner):
		f.What = "No query can be asked with these settings."
		f.Next = "{program.quit} quits; other presets search all pages (--preset webrag)"
	case errors.Is(err, embedder.ErrAuth), errors.Is(err, llm.ErrAuth):
		f.Next = "{program.quit} quits; check the key in the configuration"
	case errors.Is(err, embedder.ErrModelNotFound), errors.Is(err, llm.ErrModelNotFound):
		f.Next = "{program.quit} quits; check the model's name in the configuration"
	case errors.Is(err, embedder.ErrUnavailable), errors.Is(err, llm.ErrUnavailable),
		errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrLocked),
		errors.Is(err, context.DeadlineExceeded), errors.As(err, &limited):
		f.Next = "{query.edit} and enter ask again"
	default:
		f.Next = "{query.edit} asks something else, {program.quit} quits"
	}
	return f
}
