package retrieval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/store"
)

// Deps are what Gather and Extend wait on.
type Deps struct {
	Store    store.Store
	Embedder embedder.Embedder
	// Scorers are what the rerankers of [Params] ask; one that is missing leaves
	// the order as it is, with a notice.
	Scorers map[RerankerKind]Scorer
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
}

// Options select the optional recorders of Rank.
type Options struct {
	Trace, Explain bool
}

const (
	// wideRows is the fewest rows that Gather asks of the vector arm. Beyond
	// what a preset uses they are the near misses, and room for the limit to move.
	wideRows = 200
	// wideParents is the number of parents up to which all of them are read, so
	// that switching to full context needs no second call. It keeps the evidence
	// under 100 kB.
	wideParents = 200
)

// Gather embeds the query, searches and returns the evidence. It reaches wider
// than p asks, so that most changes of parameters need no second call.
//
// A blank query reaches neither the embedder nor the store, and an empty corpus
// not the embedder; neither is an error. Vectors of another embedder are one: it
// wraps a [store.MismatchError]. Parameters outside of their range are
// [ParamError]s.
func Gather(ctx context.Context, d Deps, q Query, p Params) (Evidence, error) {
	if err := p.Validate(); err != nil {
		return Evidence{}, fmt.Errorf("retrieve: %w", err)
	}
	ev := Evidence{query: q}
	if strings.TrimSpace(q.Text) == "" {
		ev.blank = true
		return ev, nil
	}
	meta, err := ev.count(ctx, &d)
	if err != nil || ev.isEmpty() {
		return ev, err
	}
	if err := ev.embed(ctx, &d, meta); err != nil {
		var blank *embedder.EmptyInputError
		if errors.As(err, &blank) { // blank to the embedder, such as zero-width characters
			return Evidence{query: q, blank: true}, nil
		}
		return Evidence{}, err
	}
	if err := ev.read(ctx, &d, p); err != nil {
		return Evidence{}, err
	}
	d.log().DebugContext(ctx, "gathered", "parents", len(ev.parents), "children", len(ev.children),
		"compared", ev.reach.scanned, "embed", ev.timing.embed, "search", ev.timing.search())
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
	ev.version = view.Version()
	if ev.stats, err = view.Stats(ctx, ev.query.Scope); err != nil {
		return meta, fmt.Errorf("count corpus %s: %w", d.Store.Info().Name, err)
	}
	ev.timing.mode = d.now().Sub(start)
	return view.Meta(), nil
}

// read searches in a view of its own: none is held open while a server embeds.
// If the corpus was written in between it is counted again.
func (ev *Evidence) read(ctx context.Context, d *Deps, p Params) (err error) {
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
// those of the corpus.
func (ev *Evidence) embed(ctx context.Context, d *Deps, meta store.Meta) error {
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
		return fmt.Errorf("embed the query: %w", err)
	}
	if len(vector) != meta.Dimensions {
		mismatch.WantDims = len(vector)
		return refuse(d, mismatch)
	}
	ev.vector, ev.directionless = vector, isZero(vector)
	return nil
}

// refuse says what to do about a corpus of another embedder, here and not where
// it is shown, because a script and the explorer need the same way out.
func refuse(d *Deps, mismatch *store.MismatchError) error {
	return fmt.Errorf("search corpus %s: %w; select the embedder that made it, or embed it anew: webrag-tui index --reembed --corpus %s",
		d.Store.Info().Name, mismatch, d.Store.Info().Location)
}

// search runs the vector arm and reads the numbers of everything it may select.
func (ev *Evidence) search(ctx context.Context, d *Deps, view store.View, p Params) error {
	start := d.now()
	ev.reach = reach{vectorRows: max(wideRows, p.TopKChildrenLimit), efSearch: p.HNSWEfSearch, exact: true}
	var found store.Found
	if !ev.directionless {
		var err error
		found, err = view.Search(ctx, store.Search{Scope: ev.query.Scope, Vector: ev.vector, VectorRows: ev.reach.vectorRows})
		if err != nil {
			return fmt.Errorf("vector arm: %w", err)
		}
		ev.reach.exact, ev.reach.scanned, ev.reach.returned = found.Exact, found.VectorScanned, len(found.Vector)
	}
	ev.timing.vector = d.now().Sub(start)

	start = d.now()
	defer func() { ev.timing.rows = d.now().Sub(start) }()
	mode, _, _ := decideMode(p, ev.stats)
	all := mode == ModeFullContext || ev.stats.Parents <= wideParents
	children, parents, err := readRows(ctx, view, ev.query.Scope, found.Vector, all)
	if err != nil {
		return err
	}
	ev.addRows(found.Vector, children, parents)
	if all {
		ev.orderForReading()
	}
	return nil
}

// readRows reads the numbers of the children found and of their parents, or of
// all parents in scope.
func readRows(ctx context.Context, view store.View, scope store.Scope, found []store.VectorRow, all bool) (children, parents []store.Chunk, err error) {
	if all {
		parents, err = view.Parents(ctx, scope, 0, store.Page{})
		if err != nil {
			return nil, nil, fmt.Errorf("read sections: %w", err)
		}
	}
	ids := make([]string, 0, 2*len(found))
	for i := range found {
		ids = append(ids, found[i].ID)
	}
	if !all {
		asked := make(map[string]bool, len(found))
		for i := range found {
			if id := found[i].ParentID; id != "" && !asked[id] {
				asked[id] = true
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return nil, parents, nil
	}
	chunks, err := view.Chunks(ctx, ids, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("read sections: %w", err)
	}
	for i := range chunks {
		if chunks[i].Level == store.Parent {
			parents = append(parents, chunks[i])
		} else {
			children = append(children, chunks[i])
		}
	}
	return children, parents, nil
}

// Needs lists what Rank could not find in the evidence.
type Needs struct {
	// Texts are ids of chunks whose text is to be shown.
	Texts []string
}

// IsZero reports whether nothing is missing.
func (n Needs) IsZero() bool { return len(n.Texts) == 0 }

// Extend fetches what Rank needs beyond the evidence. The evidence given stays
// as it is.
func Extend(ctx context.Context, d Deps, ev Evidence, n Needs) (_ Evidence, err error) {
	if n.IsZero() {
		return ev, nil
	}
	start := d.now()
	view, err := d.Store.Read(ctx)
	if err != nil {
		return Evidence{}, fmt.Errorf("read corpus %s: %w", d.Store.Info().Name, err)
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	chunks, err := view.Chunks(ctx, n.Texts, store.FieldText|store.FieldHTML)
	if err != nil {
		return Evidence{}, fmt.Errorf("read texts of corpus %s: %w", d.Store.Info().Name, err)
	}
	known := make(map[string]texts, len(ev.texts)+len(n.Texts))
	maps.Copy(known, ev.texts)
	for _, id := range n.Texts {
		known[id] = texts{gone: true}
	}
	for i := range chunks {
		known[chunks[i].ID] = texts{markdown: chunks[i].ChunkText, html: chunks[i].HTMLText}
	}
	ev.texts = known
	ev.changed = ev.changed || view.Version() != ev.version
	ev.timing.texts += d.now().Sub(start)
	return ev, nil
}

// maxRounds bounds how often Retrieve extends: once for the texts of what was
// ranked, and once for those of what replaced it when a text showed that a
// section has no HTML.
const maxRounds = 2

// Retrieve gathers, then ranks and extends until nothing is missing.
func Retrieve(ctx context.Context, d Deps, q Query, p Params, o Options) (Result, error) {
	start := d.now()
	ev, err := Gather(ctx, d, q, p)
	if err != nil {
		return Result{}, err
	}
	for range maxRounds {
		_, needs := Rank(ev, p, Options{})
		if needs.IsZero() {
			break
		}
		if ev, err = Extend(ctx, d, ev, needs); err != nil {
			return Result{}, err
		}
	}
	result, _ := Rank(ev, p, o)
	result.Timing.Total = d.now().Sub(start)
	result.Timing.Search = max(0, result.Timing.Total-result.Timing.Embed)
	return result, nil
}

func isZero(vector []float32) bool {
	for _, x := range vector {
		if x != 0 {
			return false
		}
	}
	return true
}
