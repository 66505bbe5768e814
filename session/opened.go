package session

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/webrag/webrag-tui/store"
)

// OpenFunc opens a corpus. The corpus lives on in ctx.
type OpenFunc func(ctx context.Context) (*Corpus, error)

// opened is the corpus that is open, or on its way.
type opened struct {
	works *works
	now   func() time.Time

	// open opens the corpus, also again; corpus is nil while none is open.
	open   OpenFunc
	corpus *Corpus
	// summary is what is known of the corpus as a whole, nil while it is not.
	summary *CorpusSummary
	// loading says that the corpus is being brought into memory, of which progress
	// tells.
	loading  bool
	progress *progress
	// failure is what stands in the way of an answer, nil for nothing; outage is nil
	// while the corpus is there, recovered the one that ended last.
	failure   *Failure
	outage    *Outage
	recovered Outage
	// waiting says that a query waits for the corpus, awaiting is that query.
	waiting  bool
	awaiting string
}

// Failure is an error that stands in the way of an answer.
type Failure struct {
	// Kind is [KindOpen], [KindLoad] or [KindAnswer].
	Kind Kind
	Err  error
}

// progress is how far the loading is: it is written while that goes on, and read while a
// frame is made.
type progress struct{ done, total atomic.Int64 }

func (p *progress) set(done, total int) {
	p.done.Store(int64(done))
	p.total.Store(int64(total))
}

// Outage is a time in which the corpus is away: its server cannot be reached, or its file
// is not in its place. What was answered stays, and the query is asked again after pauses
// that grow, of a corpus that is opened again if it is a file.
type Outage struct {
	Since time.Time
	// Tries counts the tries that were made or are due, Err is what the last question met.
	Tries int
	Err   error
	// Reopening is why the file could not be opened again when that was tried last, nil
	// before.
	Reopening error
}

// The pauses before the query is asked again: the first, and the longest.
const (
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
)

// Pause is how long the try that is due waits: 1, 2, 4 … 30 seconds.
func (o *Outage) Pause() time.Duration {
	return min(lastRetry, firstRetry<<min(max(o.Tries-1, 0), 5))
}

// IsFile reports whether the outage is that of a file which was removed or replaced.
func (o *Outage) IsFile() bool { return o != nil && errors.Is(o.Err, store.ErrReplaced) }

// IsOutage reports whether the corpus is away and may come back: its server does not
// answer, or its file is not in its place. A corpus that another process writes is there.
func IsOutage(err error) bool {
	return errors.Is(err, store.ErrUnavailable) && !errors.Is(err, store.ErrLocked)
}

// Open opens a corpus, in place of any that is still being opened.
func (o *opened) Open(open OpenFunc) []Work {
	o.open = open
	return o.openAgain()
}

func (o *opened) openAgain() []Work {
	open := o.open
	if open == nil {
		return nil
	}
	return []Work{o.opening(KindOpen, open)}
}

// Reopen opens the corpus again: it could not be opened or loaded.
func (o *opened) Reopen() []Work {
	o.fail(nil)
	return o.openAgain()
}

// OpenBeside opens another corpus, while the present one stays. It is in what the work
// brings, for [Session.Take], or [Session.CloseCorpus].
func (o *opened) OpenBeside(open OpenFunc) []Work { return []Work{o.opening(KindOpenBeside, open)} }

// StopOpeningBeside gives up opening another corpus: one that is opened all the same is
// closed.
func (o *opened) StopOpeningBeside() { o.works.end(KindOpenBeside) }

func (o *opened) opening(k Kind, open OpenFunc) Work {
	w := o.works.begin(k, 0, func(ctx context.Context) Done {
		c, err := open(ctx)
		return Done{Corpus: c, Err: err}
	})
	w.lasts = true
	return w
}

// CloseCorpus closes a corpus that nothing asks any more.
func (o *opened) CloseCorpus(c *Corpus) []Work {
	if c == nil || c.Close == nil {
		return nil
	}
	return []Work{o.works.beside(KindClose, func(context.Context) Done { return Done{Err: c.Close()} })}
}

// summarise reads what is said of the corpus as a whole.
func (o *opened) summarise() []Work {
	r := o.corpus.Reader
	return []Work{o.works.begin(KindSummary, 0, o.works.replayable(Done{Asked: []string{AskedSummary}}, func(ctx context.Context, d *Done) {
		s, err := r.Summary(ctx)
		d.Summary, d.Err = &s, err
	}))}
}

// load brings into memory what the first search needs.
func (o *opened) load() []Work {
	o.works.end(KindLoad)
	o.loading = false
	load := o.corpus.Load
	if load == nil {
		return nil
	}
	p := &progress{}
	o.loading, o.progress = true, p
	return []Work{o.works.begin(KindLoad, 0, func(ctx context.Context) Done { return Done{Err: load(ctx, p.set)} })}
}

// fail puts a failure in the way, or takes it out.
func (o *opened) fail(f *Failure) {
	if o.failure != nil || f != nil {
		o.works.tell(FailureChanged)
	}
	o.failure = f
}

// lose notes that the corpus is away, and comes back to it.
func (o *opened) lose(err error) []Work {
	if o.outage == nil {
		o.outage = &Outage{Since: o.now()}
	}
	o.outage.Err = err
	o.outage.Tries++
	return []Work{o.rest()}
}

// rest is the pause before the try that is due.
func (o *opened) rest() Work {
	return o.works.begin(KindRetry, o.outage.Pause(), func(context.Context) Done { return Done{} })
}

// foundAgain ends an outage: the corpus is there again.
func (o *opened) foundAgain() {
	if o.outage != nil {
		o.recovered = *o.outage
		o.endOutage()
		o.works.tell(Recovered)
	}
}

func (o *opened) endOutage() {
	o.works.end(KindRetry)
	o.outage = nil
}

// leave forgets the corpus.
func (o *opened) leave() {
	o.endOutage()
	o.fail(nil)
	o.corpus, o.works.engine, o.summary = nil, nil, nil
	o.loading, o.waiting = false, false
	o.works.tell(SummaryChanged)
}

// Corpus is the one that is open, nil while none is.
func (o *opened) Corpus() *Corpus { return o.corpus }

// Summary is what is known of the corpus as a whole, nil while it is not.
func (o *opened) Summary() *CorpusSummary { return o.summary }

// TitleSuffixes are what the titles of the corpus's pages have in common at their end, as
// far as that is known.
func (o *opened) TitleSuffixes() TitleSuffixes {
	if o.summary == nil {
		return nil
	}
	return o.summary.TitleSuffixes
}

// Loading reports whether the corpus is being brought into memory: no query is asked until
// it is.
func (o *opened) Loading() bool { return o.loading }

// Progress is how far the loading is; total is 0 while that is not known.
func (o *opened) Progress() (done, total int) {
	if o.progress == nil {
		return 0, 0
	}
	return int(o.progress.done.Load()), int(o.progress.total.Load())
}

// Waiting reports whether a query waits for the corpus.
func (o *opened) Waiting() bool { return o.waiting }

// Failure is what stands in the way of an answer, nil for nothing.
func (o *opened) Failure() *Failure { return o.failure }

// Outage is nil while the corpus is there.
func (o *opened) Outage() *Outage { return o.outage }

// RecoveredFrom is the outage that ended last.
func (o *opened) RecoveredFrom() Outage { return o.recovered }
