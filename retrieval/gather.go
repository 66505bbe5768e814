package retrieval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Deps are what Gather and Extend wait on.
type Deps struct {
	Store    store.Store
	Embedder embedder.Embedder
	// Scorers are what the rerankers of [param.Params] ask; one that is missing leaves
	// the order as it is, with a notice.
	Scorers map[param.RerankerKind]Scorer
	// Now is the clock of the timings and of the age of pages; nil is time.Now.
	Now func() time.Time
	Log *slog.Logger // nil logs nothing
	// Tracer makes a span "retriever.retrieve" of each retrieval and one of each
	// of its stages; nil makes none.
	Tracer trace.Tracer
}

func (d *Deps) now() time.Time {
	if d.Now == nil {
		return time.Now()
	}
	return d.Now()
}

func (d *Deps) log() *slog.Logger {
	if d.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return d.Log
}

// Query is what is asked.
type Query struct {
	Text  string
	Scope store.Scope
	// Plan asks the database for the plan of the vector search, for the trace.
	Plan bool
}

// Options select the optional recorders of Rank, and what it works in. They change
// nothing of the order.
type Options struct {
	Trace, Explain bool
	// Scratch is memory that [Rank] works in; nil is memory of its own.
	Scratch *Scratch
}

// Errors of a query that cannot be asked.
var (
	// ErrBlankQuery refuses a query without text where EmptyQuery is error.
	ErrBlankQuery = errors.New("the query is empty: give it some words")
	// ErrNoOwner refuses a search without an owner where RequireOwner is set and
	// the corpus has owners.
	ErrNoOwner = errors.New("the corpus has owners and this preset searches the pages of one: start with --owner NAME, as in: webrag-tui explore --owner NAME")
)

const (
	// WideRows is the fewest rows that Gather asks of each arm. Beyond what a
	// preset uses they are the near misses, and room for the limit to move.
	WideRows = 200
	// wideParents is the number of parents up to which all of them are read, so
	// that switching to full context needs no second call. It keeps the evidence
	// under 100 kB.
	wideParents = 200
	// mostQueryRunes is how much of a query is searched. No embedder reads more,
	// and a query of that size is a page pasted by mistake.
	mostQueryRunes = 32_768
)

// Gather embeds the query, searches every arm and returns the evidence. It
// reaches wider than p asks, so that most changes of parameters need no second
// call.
//
// A blank query reaches neither the embedder nor the store, and an empty corpus
// not the embedder; neither is an error unless p says so ([ErrBlankQuery]).
// Vectors of another embedder are one: it wraps a [store.MismatchError].
// Parameters outside of their range are [param.Error]s. A keyword arm that fails
// is no error, nor is an embedder that does while there is a keyword arm: the
// result says so.
func Gather(ctx context.Context, d Deps, q Query, p param.Params) (Evidence, error) {
	if err := p.Validate(); err != nil {
		return Evidence{}, fmt.Errorf("retrieve: %w", err)
	}
	ev := Evidence{query: q, now: d.now()}
	if strings.TrimSpace(q.Text) == "" {
		if p.EmptyQuery == param.EmptyIsError {
			return Evidence{}, ErrBlankQuery
		}
		ev.blank = true
		return ev, nil
	}
	if info := d.Store.Info(); p.RequireOwner && info.HasOwners && info.Owner == "" {
		return Evidence{}, ErrNoOwner
	}
	ev.query.Text = cutRunes(q.Text, mostQueryRunes)
	ev.isCut = len(ev.query.Text) < len(q.Text)
	meta, err := ev.count(ctx, &d)
	if err != nil || ev.isEmpty() {
		return ev, err
	}
	if err := ev.embed(ctx, &d, meta, p); err != nil {
		var blank *embedder.EmptyInputError
		if errors.As(err, &blank) { // blank to the embedder, such as zero-width characters
			if p.EmptyQuery == param.EmptyIsError {
				return Evidence{}, ErrBlankQuery
			}
			return Evidence{query: q, now: ev.now, blank: true}, nil
		}
		// What another program made is shown as far as it can be: a corpus that is
		// returned whole needs no vector.
		if mode, _, _ := decideMode(p, ev.stats); mode != param.ModeFullContext || !d.Store.Info().Foreign || ctx.Err() != nil {
			return Evidence{}, err
		}
		ev.embedErr = reasonOf(err)
	}
	if err := ev.read(ctx, &d, p); err != nil {
		return Evidence{}, err
	}
	d.log().DebugContext(ctx, "gathered", "chunks", len(ev.rows), "vector", len(ev.nearest), "keyword", len(ev.keyword.rows),
		"compared", ev.coverage.scanned, "embed", ev.timing.embed, "search", ev.timing.reading())
	return ev, nil
}

// count reads how much there is, which decides whether anything is embedded.
func (ev *Evidence) count(ctx context.Context, d *Deps) (meta store.Meta, err error) {
	start := d.now()
	view, err := d.Store.Read(ctx)
	if err != nil {
		return meta, fmt.Errorf("read corpus %s: %w", d.Store.Info().Name, err)
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	ev.version, ev.foreign = view.Version(), d.Store.Info().Foreign
	if ev.stats, err = view.Stats(ctx, ev.query.Scope); err != nil {
		return meta, fmt.Errorf("count corpus %s: %w", d.Store.Info().Name, err)
	}
	ev.timing.mode = d.now().Sub(start)
	return view.Meta(), nil
}

// read searches in a view of its own: none is held open while a server embeds.
// If the corpus was written in between it is counted again.
func (ev *Evidence) read(ctx context.Context, d *Deps, p param.Params) (err error) {
	view, err := d.Store.Read(ctx)
	if err != nil {
		return fmt.Errorf("read corpus %s: %w", d.Store.Info().Name, err)
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	if view.Version() != ev.version {
		ev.version = view.Version()
		if ev.stats, err = view.Stats(ctx, ev.query.Scope); err != nil {
			return fmt.Errorf("count corpus %s: %w", d.Store.Info().Name, err)
		}
	}
	if err := ev.search(ctx, d, view, p); err != nil {
		return fmt.Errorf("search corpus %s: %w", d.Store.Info().Name, err)
	}
	return nil
}

// embed fills the query's vector, after making sure that it may be compared with
// those of the corpus. With a keyword arm a failing embedder is borne: the query
// is searched by its words.
func (ev *Evidence) embed(ctx context.Context, d *Deps, meta store.Meta, p param.Params) error {
	info := d.Embedder.Info()
	ev.lexical, ev.calibration = info.Lexical, meta.Calibration
	mismatch := &store.MismatchError{Have: meta.EmbedderID, HaveDims: meta.Dimensions, Want: info.ID, WantDims: info.Dims}
	if meta.EmbedderID != info.ID {
		return refuse(d, mismatch)
	}
	start := d.now()
	vector, err := d.Embedder.EmbedOne(ctx, ev.query.Text, embedder.RoleQuery)
	ev.timing.embed = d.now().Sub(start)
	if err != nil {
		var blank *embedder.EmptyInputError
		if p.KeywordWeight > 0 && ctx.Err() == nil && !errors.As(err, &blank) {
			d.log().WarnContext(ctx, "embed the query", "error", err)
			ev.embedErr = reasonOf(err)
			return nil
		}
		return fmt.Errorf("embed the query: %w", err)
	}
	if len(vector) != meta.Dimensions {
		mismatch.WantDims = len(vector)
		return refuse(d, mismatch)
	}
	ev.vector, ev.dimensions, ev.directionless = vector, len(vector), isZero(vector)
	return nil
}

// refuse says what to do about a corpus of another embedder, here and not where
// it is shown, because a script and the explorer need the same way out.
func refuse(d *Deps, mismatch *store.MismatchError) error {
	return fmt.Errorf("search corpus %s: %w; select the embedder that made it, or embed it anew: webrag-tui index --reembed --corpus %s",
		d.Store.Info().Name, mismatch, d.Store.Info().Location)
}

func isZero(vector []float32) bool {
	return !slices.ContainsFunc(vector, func(x float32) bool { return x != 0 })
}

func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// reasonOf is an error as a reason. Errors that know what they may say without a place say
// it; of others it is only known of what kind they are.
func reasonOf(err error) reason {
	var knows interface{ Placeless() string }
	why := reason{said: err.Error()}
	switch {
	case errors.As(err, &knows):
		why.placeless = knows.Placeless()
	case errors.Is(err, context.DeadlineExceeded):
		why.placeless = "it took too long"
	case errors.Is(err, store.ErrUnavailable):
		why.placeless = store.ErrUnavailable.Error()
	default:
		why.placeless = "what the error said was not kept, since it may name a place"
	}
	return why
}
