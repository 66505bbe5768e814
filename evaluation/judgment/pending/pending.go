// Package pending keeps judgments until they are in the files of their sets: in the order in
// which they were said, each written once, whoever writes, and none lost because a file could
// not be written for a while.
package pending

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// judged is a judgment that can be taken back.
type judged struct {
	query  string
	record judgment.Record
}

// unwritten is what was judged, or is to be taken back, until it is in the files of its set.
type unwritten struct {
	sets, name string
	// query is the text of the query that is judged. It becomes one of the set if it is none.
	query   string
	records []judgment.Record
	// undo is taken back, nil for nothing; at says when that was said.
	undo *judgment.Record
	at   time.Time
	// became is what came of the last try to write it, nil before the first. Work tells it to
	// the session, whether anybody still waits for that work or not.
	became atomic.Pointer[attempt]
}

// attempt is what came of trying to write something: over says that it is not tried again,
// as it is written, or for good reasons is not.
type attempt struct {
	over bool
	err  error
}

// Writing is what is to be written to a set before it is read, each once: what is written by
// whoever comes first is left alone by all others.
type Writing struct {
	list []*unwritten
	// turn is held by who writes: all write in the order of what was said.
	turn *sync.Mutex
}

// Open reads a set, and writes to it. What cannot be written is no error: it says so itself.
// remember is called before the first judgment.
func (w Writing) Open(ctx context.Context, sets, name string, remember func(*judgment.Set) error) (*judgment.Set, []judgment.Problem, error) {
	if len(w.list) > 0 {
		w.turn.Lock()
		defer w.turn.Unlock()
	}
	set, problems, err := judgment.Open(sets, name)
	if err != nil {
		return nil, nil, err
	}
	for _, u := range w.list {
		if err == nil && len(u.records) > 0 && u.isWaiting() {
			err = remember(set)
		}
		if err != nil {
			u.fail(err)
			continue // what comes after it does not come before it
		}
		err = u.write(ctx, set)
	}
	return set, problems, nil
}

// Fail says why nothing was written.
func (w Writing) Fail(err error) {
	for _, u := range w.list {
		u.fail(err)
	}
}

func (u *unwritten) isWaiting() bool {
	a := u.became.Load()
	return a == nil || !a.over
}

func (u *unwritten) fail(err error) {
	if u.isWaiting() {
		u.became.Store(&attempt{err: err})
	}
}

// write writes it unless that was done. It returns an error only where others would come to
// the same.
func (u *unwritten) write(ctx context.Context, set *judgment.Set) error {
	if !u.isWaiting() {
		return nil
	}
	err := u.to(ctx, set)
	if errors.Is(err, context.Canceled) {
		err = judgment.ErrBusy // only another program keeps it waiting
	}
	passes := err != nil && mayPass(err)
	u.became.Store(&attempt{!passes, err})
	if passes {
		return err
	}
	return nil
}

// mayPass says of a failure to write that it is one of files, and not of what is written.
func mayPass(err error) bool {
	var system syscall.Errno
	return errors.Is(err, judgment.ErrBusy) || errors.Is(err, judgment.ErrNoSet) || errors.As(err, &system)
}

// to writes to a set.
func (u *unwritten) to(ctx context.Context, set *judgment.Set) error {
	id := ""
	if at := slices.IndexFunc(set.Queries, func(q judgment.Query) bool { return q.Text == u.query }); at >= 0 {
		id = set.Queries[at].ID
	}
	if u.undo != nil {
		undone := *u.undo
		undone.QueryID = id
		_, err := set.Undo(ctx, undone, u.at)
		return err
	}
	if id == "" {
		q, err := set.AddQuery(ctx, judgment.Query{Text: u.query})
		if err != nil {
			return err
		}
		id = q.ID
	}
	records := slices.Clone(u.records)
	for i := range records {
		records[i].QueryID = id
	}
	return set.Append(ctx, records...)
}

// Queue are judgments on their way into the files of their sets. It is used by one goroutine,
// but for what it hands out as a [Writing].
type Queue struct {
	turn sync.Mutex
	// queue is what is not known to be written, in its order; history is what can be taken
	// back of the open set, latest last.
	queue   []*unwritten
	history []judged
	// refused is why the last try to write something failed, nil where it did not.
	refused error
}

// Unwritten counts what could not be written so far. It is tried again with the next
// judgment, and by [Queue.Flush].
func (w *Queue) Unwritten() (n int) {
	for _, u := range w.queue {
		if a := u.became.Load(); a != nil && !a.over {
			n++
		}
	}
	return n
}

// Failed is why what was judged last could not be written or taken back, nil where it
// was.
func (w *Queue) Failed() error { return w.refused }

// IsUnwritten reports whether a judgment of a text, by its key without a query, could not be
// written so far.
func (w *Queue) IsUnwritten(query string, key judgment.Key) bool {
	return slices.ContainsFunc(w.queue, func(u *unwritten) bool {
		a := u.became.Load()
		return a != nil && !a.over && u.query == query && slices.ContainsFunc(u.records, func(r judgment.Record) bool { return r.Key == key })
	})
}

// Last is the judgment that [Queue.Undo] takes back, by the text of its query
// and its key, which has none; ok is false for none.
func (w *Queue) Last() (query string, key judgment.Key, ok bool) {
	n := len(w.history)
	if n == 0 {
		return "", key, false
	}
	return w.history[n-1].query, w.history[n-1].record.Key, true
}

// Of is what is to be written to a set.
func (w *Queue) Of(sets, name string) Writing { return w.of(sets, name, false) }

// Aside is what is to be written to all sets but one.
func (w *Queue) Aside(sets, name string) Writing { return w.of(sets, name, true) }

func (w *Queue) of(sets, name string, others bool) Writing {
	to := Writing{turn: &w.turn}
	for _, u := range w.queue {
		if (u.sets == sets && u.name == name) != others {
			to.list = append(to.list, u)
		}
	}
	return to
}

// Settle takes what is written out of the queue. What was not taken back can be again.
func (w *Queue) Settle() {
	tried := false
	var failed error
	kept := w.queue[:0]
	for _, u := range w.queue {
		a := u.became.Load()
		if a == nil || !a.over {
			kept = append(kept, u)
		}
		if a == nil {
			continue
		}
		tried = true
		failed = errors.Join(failed, a.err)
		switch {
		case a.err == nil || !a.over:
		case u.undo != nil:
			w.history = append(w.history, judged{u.query, *u.undo})
		default:
			w.history = slices.DeleteFunc(w.history, func(j judged) bool {
				return j.query == u.query && slices.ContainsFunc(u.records, func(r judgment.Record) bool { return r.Key == j.record.Key && r.JudgedAt.Equal(j.record.JudgedAt) })
			})
		}
	}
	clear(w.queue[len(kept):])
	if w.queue = kept; tried {
		w.refused = failed
	}
}

// Flush writes to all sets.
func (w Writing) Flush(ctx context.Context) {
	for len(w.list) > 0 {
		sets, name := w.list[0].sets, w.list[0].name
		of, rest := Writing{turn: w.turn}, Writing{turn: w.turn}
		for _, u := range w.list {
			if u.sets == sets && u.name == name {
				of.list = append(of.list, u)
			} else {
				rest.list = append(rest.list, u)
			}
		}
		if _, _, err := of.Open(ctx, sets, name, func(*judgment.Set) error { return nil }); err != nil {
			of.Fail(err)
		}
		w = rest
	}
}

// IsEmpty reports whether there is nothing to write.
func (w Writing) IsEmpty() bool { return len(w.list) == 0 }

// IsNew reports whether there is something that nobody has tried to write.
func (w Writing) IsNew() bool {
	return slices.ContainsFunc(w.list, func(u *unwritten) bool { return u.became.Load() == nil })
}

// Forget has nothing be taken back that was judged so far. What is queued stays.
func (w *Queue) Forget() { w.history, w.refused = nil, nil }

// Judge queues judgments of a query, which becomes one of the set if it is none. They have
// their times, in whole seconds of UTC as they are read again.
func (w *Queue) Judge(sets, name, query string, records ...judgment.Record) {
	for i := range records {
		w.history = append(w.history, judged{query, records[i]})
	}
	w.queue = append(w.queue, &unwritten{sets: sets, name: name, query: query, records: slices.Clone(records)})
}

// Undo queues that the last judgment is taken back; ok is false where there is none. Where that
// fails, it can be taken back again.
func (w *Queue) Undo(sets, name string, at time.Time) (ok bool) {
	n := len(w.history)
	if n == 0 {
		return false
	}
	last := w.history[n-1]
	w.history = w.history[:n-1]
	w.queue = append(w.queue, &unwritten{sets: sets, name: name, query: last.query, undo: &last.record, at: at})
	return true
}

// Flush writes what is still queued, and waits for what is being written. It says what could
// not be, which stays queued.
func (w *Queue) Flush(ctx context.Context) error {
	if len(w.queue) == 0 {
		return nil
	}
	w.of("", "", true).Flush(ctx)
	w.Settle()
	if n := w.Unwritten(); n > 0 {
		return fmt.Errorf("%s not written to the query set %s: %w", phrase.Counted(n, "judgment"), w.queue[0].name, w.refused)
	}
	return w.refused
}
