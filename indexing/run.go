package indexing

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/remote"
	"github.com/webrag/webrag-tui/store"
)

// Run indexes pages into a corpus. Pages are cut by several workers while
// earlier ones are embedded and written, in their order; each page is one
// transaction, so that a crash or a cancelled context leaves a valid corpus with
// the pages so far. A page that cannot be read or cut is reported and the others
// go on; a failure to embed or to write ends the run. pages may be nil for a run
// that only embeds anew.
//
// A corpus of another embedder is refused with a [store.MismatchError] unless
// Reembed is set, one of another tokenizer with a [TokenizerError].
func Run(ctx context.Context, st store.Store, pages iter.Seq2[source.NormalizedDocument, error], o Options) (report Report, err error) {
	d, err := NewDeriver(o)
	if err != nil {
		return report, err
	}
	report.Tokenizer = d.o.Tokenizer.ID()
	r := &run{Deriver: d, report: &report, began: d.o.Now(), seen: map[string]first{}, owners: map[string]bool{}, roots: map[string]bool{}}
	defer func() { report.Elapsed = r.elapsed() }()
	done := remote.While(ctx, "the right to write to the corpus")
	r.w, err = st.Write(ctx)
	done()
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, r.w.Close()) }()

	if err := r.checkTokenizer(ctx); err != nil {
		return report, err
	}
	if r.o.Reembed {
		if err := r.reembed(ctx); err != nil {
			return report, err
		}
	}
	if err := r.agree(ctx); err != nil {
		return report, err
	}
	if pages != nil {
		if err := r.index(ctx, pages); err != nil {
			return report, err
		}
		if err := r.prune(ctx); err != nil {
			return report, err
		}
	}
	if err := r.calibrate(ctx); err != nil {
		return report, err
	}
	return report, r.finish(ctx)
}

// finish lets the store do what it keeps for the end of a run, such as building
// an index.
func (r *run) finish(ctx context.Context) error {
	w, ok := r.w.(store.Finisher)
	if !ok {
		return nil
	}
	r.stage = StageFinish
	return w.Finish(ctx, func(done, total int) {
		r.done, r.total = done, total
		r.progress()
	})
}

// run is the state of one call of Run; everything but index's workers belongs to
// one goroutine, the writer's.
type run struct {
	*Deriver
	w      store.Writer
	report *Report
	began  time.Time
	stage  Stage
	// seen maps the ids of this run's documents to their pages.
	seen map[string]first
	// stored are the ids of the documents that were there before, nil until asked for.
	stored map[string]bool
	// owners are those of this run's documents.
	owners map[string]bool
	// roots are the marks of the folders that a page was read of.
	roots map[string]bool
	// done and total are pages, or documents to embed anew.
	done, total int
}

func (r *run) elapsed() time.Duration { return r.o.Now().Sub(r.began) }

func (r *run) progress() {
	r.o.Progress(Progress{
		Stage: r.stage, PagesDone: r.done, PagesTotal: r.total,
		Chunks:  r.report.Parents + r.report.Children,
		Vectors: r.report.Embedded + r.report.Reembedded, Elapsed: r.elapsed(),
	})
}

// checkTokenizer refuses a corpus whose sizes and offsets were counted otherwise,
// before anything is written.
func (r *run) checkTokenizer(ctx context.Context) error {
	have, want := r.w.Meta().Tokenizer, r.o.Tokenizer.ID()
	if have == "" || have == want {
		return nil
	}
	empty, err := r.empty(ctx)
	if err != nil || empty {
		return err
	}
	return &TokenizerError{Have: have, Want: want}
}

// agree makes the corpus's memory of itself that of this run.
func (r *run) agree(ctx context.Context) error {
	m, info := r.w.Meta(), r.o.Embedder.Info()
	want := m
	want.EmbedderID, want.Dimensions = info.ID, info.Dims
	want.Tokenizer, want.Fingerprint = r.o.Tokenizer.ID(), r.print
	if want == m {
		return nil
	}
	if m.EmbedderID != info.ID {
		want.Calibration = DefaultCalibration(r.o.Embedder)
	}
	defer remote.While(ctx, "the right to write to the corpus")()
	return r.w.SetMeta(ctx, want)
}

func (r *run) empty(ctx context.Context) (bool, error) {
	v, err := r.w.View(ctx)
	if err != nil {
		return false, err
	}
	defer v.Close()
	s, err := v.Stats(ctx, store.Scope{})
	return s.Documents == 0, err
}

// job is a page on its way to the writer.
type job struct {
	doc  source.NormalizedDocument
	err  error
	out  Derived
	done chan struct{}
}

// index cuts, embeds and writes the pages.
func (r *run) index(ctx context.Context, pages iter.Seq2[source.NormalizedDocument, error]) error {
	r.stage, r.done, r.total = StageIndex, 0, r.o.Pages
	r.progress()
	ctx, cancel := context.WithCancel(ctx)
	// ordered keeps the pages' order, work hands them to whoever is free.
	ordered, work := make(chan *job, 2*r.o.Workers), make(chan *job)
	e := newEmbedding(r.o.Embedder)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer e.stop()
	defer cancel()
	wg.Go(func() { e.serve(ctx) })
	wg.Go(func() {
		defer close(ordered)
		defer close(work)
		for doc, err := range pages {
			j := &job{doc: doc, err: err, done: make(chan struct{})}
			if !send(ctx, ordered, j) || !send(ctx, work, j) {
				return
			}
		}
	})
	// A run that is stopped does not wait for pages that are being cut, which may take
	// minutes: nothing but the page itself comes to know of it.
	for range r.o.Workers {
		go func() {
			for j := range work {
				r.cut(ctx, j)
				close(j.done)
			}
		}()
	}
	return r.write(ctx, ordered, e)
}

func send[T any](ctx context.Context, to chan<- T, v T) bool {
	select {
	case to <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

// cut derives a page. Whatever a hostile page triggers is that page's error.
func (r *run) cut(ctx context.Context, j *job) {
	if j.err != nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			j.err = fmt.Errorf("cannot be cut: %v", p)
			r.o.Log.ErrorContext(ctx, "a page cannot be cut", "page", pageName(&j.doc), "panic", p, "stack", string(debug.Stack()))
		}
	}()
	j.out, j.err = r.Derive(ctx, j.doc)
	j.doc.HTML, j.doc.Markdown = "", "" // the rest of the way needs the name only
}

// write is the loop of the one goroutine that talks to the store: it takes cut
// pages in order, hands them on in batches, and stores what comes back.
func (r *run) write(ctx context.Context, ordered <-chan *job, e *embedding) error {
	pending := &batch{}
	for ordered != nil || pending.pages > 0 || e.busy > 0 {
		if pending.full(r.o.BatchTexts) || ordered == nil && pending.pages > 0 {
			if e.busy < maxInFlight {
				if err := r.dispatch(ctx, pending, e); err != nil {
					return err
				}
				pending = &batch{}
				continue
			}
		}
		next := ordered
		if pending.full(r.o.BatchTexts) {
			next = nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("indexing stopped: %w", context.Cause(ctx))
		case b := <-e.out:
			e.busy--
			if err := r.put(ctx, b); err != nil {
				return err
			}
		case j, ok := <-next:
			if !ok {
				ordered = nil
				continue
			}
			select {
			case <-j.done:
			case <-ctx.Done():
				continue
			}
			if err := r.take(ctx, j, pending); err != nil {
				return err
			}
		}
	}
	// A cancelled context also ends the stream of pages.
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("indexing stopped: %w", context.Cause(ctx))
	}
	return nil
}

// take adds a cut page to the batch, unless it failed or is stored already.
func (r *run) take(ctx context.Context, j *job, pending *batch) error {
	r.report.Pages++
	if j.err != nil {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("indexing stopped: %w", context.Cause(ctx))
		}
		return r.fail(j)
	}
	r.roots[j.doc.Root] = true
	doc := &j.out.Bundle.Document
	switch one, twice := r.seen[doc.ID]; {
	case twice && one.text == doc.ContentHash:
		r.report.Copies = append(r.report.Copies, Copy{Path: pageName(&j.doc), First: one.name, SourceURL: doc.SourceURL})
		r.done++
		r.progress()
		return nil
	case twice:
		j.err = &DuplicateError{SourceURL: doc.SourceURL, First: one.name, InFolder: one.root != "" && one.root == j.doc.Root}
		return r.fail(j)
	}
	r.seen[doc.ID] = first{pageName(&j.doc), j.doc.Root, doc.ContentHash}
	r.owners[doc.Owner] = true
	r.report.Parents += doc.ParentCount
	r.report.Children += len(j.out.Bundle.Chunks) - doc.ParentCount
	if j.out.Unmatched > 0 {
		page := Unmatched{Path: pageName(&j.doc), SourceURL: doc.SourceURL, Sections: j.out.Foreign, Without: j.out.Unmatched}
		r.report.Unmatched = append(r.report.Unmatched, page)
		r.o.Log.DebugContext(ctx, "sections have no HTML that matches their markdown", "page", page.Path, "sections", page.Sections, "without", page.Without)
	}
	if j.doc.IsElsewhere {
		r.report.Elsewhere = append(r.report.Elsewhere, Replacement{Path: pageName(&j.doc), SourceURL: doc.SourceURL})
	}
	if err := r.disown(ctx, j); err != nil {
		return err
	}
	stored, exists, err := r.w.Document(ctx, doc.ID)
	if err != nil {
		return err
	}
	if exists && stored.DerivedHash == doc.DerivedHash && stored.PipelineFingerprint == doc.PipelineFingerprint && stored.DeletedAt.IsZero() {
		r.report.Unchanged++
		r.done++
		r.progress()
		return nil
	}
	if exists {
		r.noteRoot(j, &stored)
	}
	pending.add(j.out, exists)
	return nil
}

// first is the page that has an address in a run: what messages call it, the folder that it is
// of, and the hash of its text.
type first struct{ name, root, text string }

// noteRoot reports a page that replaces one of another folder. A page that was
// given by itself stays one of the folder that its document came from, and is reported
// unless it is the file of this name: a JSONL file may give any address.
func (r *run) noteRoot(j *job, stored *store.Document) {
	doc := &j.out.Bundle.Document
	from, to := stored.Metadata[rootKey], doc.Metadata[rootKey]
	switch {
	case from == "" || from == to:
	case to == "":
		doc.Metadata = withRoot(doc.Metadata, from)
		if stored.Filename != "" && stored.Filename != path.Base(filepath.ToSlash(j.doc.Path)) {
			r.report.Overtaken = append(r.report.Overtaken, Replacement{Path: pageName(&j.doc), SourceURL: doc.SourceURL})
		}
	default:
		r.report.Replaced = append(r.report.Replaced, Replacement{Path: pageName(&j.doc), SourceURL: doc.SourceURL})
	}
}

// fail reports a page. An error that is not a page's ends the run.
func (r *run) fail(j *job) error {
	var page *source.PageError
	if !errors.As(j.err, &page) {
		if j.doc.SourceURL == "" && j.doc.URL == "" && j.doc.DocPath == "" {
			return fmt.Errorf("read pages: %w", j.err)
		}
		page = &source.PageError{Path: pageName(&j.doc), URL: j.doc.SourceURL, Err: j.err}
	}
	r.report.Failed = append(r.report.Failed, page)
	r.done++
	r.progress()
	return nil
}

// pageName is what messages call a page: its path if it has one.
func pageName(d *source.NormalizedDocument) string {
	switch {
	case d.Path != "":
		return d.Path
	case d.DocPath != "":
		return d.DocPath
	case d.SourceURL != "":
		return d.SourceURL
	}
	return d.URL
}

// put stores the pages of an embedded batch.
func (r *run) put(ctx context.Context, b *batch) error {
	if b.err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("indexing stopped: %w", context.Cause(ctx))
		}
		return fmt.Errorf("embed %d texts of %s and the pages after it: %w", len(b.texts), b.items[0].out.Bundle.Document.SourceURL, b.err)
	}
	r.report.Embedded += len(b.texts)
	r.report.Reused += b.children - len(b.texts)
	for i := range b.items {
		item := &b.items[i]
		r.attach(item, b.vectors)
		item.out.Bundle.Document.IndexedAt = r.o.Now().UTC()
		done := remote.While(ctx, "the corpus to take a page: another program may be writing to it")
		changed, err := r.w.Put(ctx, item.out.Bundle)
		done()
		if err != nil {
			return err
		}
		switch {
		case !changed:
			r.report.Unchanged++
		case item.exists:
			r.report.Updated++
		default:
			r.report.Added++
		}
		r.done++
		r.progress()
	}
	return nil
}
