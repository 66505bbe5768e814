package retrieval

import (
	"context"
	"log/slog"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/store"
)

// Deps are what Gather and Extend wait on.
type Deps struct {
	Store    store.Store
	Embedder embedder.Embedder
	// Now is the clock of the timings; nil is time.Now.
	Now func() time.Time
	Log *slog.Logger // nil logs nothing
}

// Query is what is asked.
type Query struct {
	Text  string
	Scope store.Scope
}

// Options select the optional recorders of Rank.
type Options struct {
	Trace, Explain bool
}

// Gather embeds the query, searches and returns the evidence. It reaches wider
// than p asks, so that most changes of parameters need no second call.
func Gather(ctx context.Context, d Deps, q Query, p Params) (Evidence, error) { panic("being built") }

// Extend fetches what Rank needs beyond the evidence.
func Extend(ctx context.Context, d Deps, ev Evidence, n Needs) (Evidence, error) {
	panic("being built")
}

// Retrieve gathers, then ranks and extends until nothing is missing.
func Retrieve(ctx context.Context, d Deps, q Query, p Params, o Options) (Result, error) {
	panic("being built")
}

// Rank orders the evidence. It is pure and deterministic.
func Rank(ev Evidence, p Params, o Options) (Result, Needs) { panic("being built") }

// Needs lists what Rank could not find in the evidence.
type Needs struct {
	// Texts are ids of chunks whose text is to be shown.
	Texts []string
}

// IsZero reports whether nothing is missing.
func (n Needs) IsZero() bool { return len(n.Texts) == 0 }

// Evidence is what was gathered for one query. It holds ids and numbers; the
// texts that Extend fetched are kept beside them.
type Evidence struct{}

// Covers reports whether the evidence reaches far enough for p, and if not why.
func (ev Evidence) Covers(p Params) (ok bool, why string) { panic("being built") }
