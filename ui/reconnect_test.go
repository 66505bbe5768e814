package ui

import (
	"context"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

func gone() error {
	return fmt.Errorf("search corpus postgres://db.example/rag: the server is shutting down; try again when it is up (%w)", store.ErrUnavailable)
}

// A server that goes away leaves the screen as it is; the query is asked again by
// itself, after pauses that grow, until the server answers.
func TestALostServerIsTriedAgain(t *testing.T) {
	d, f := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) { o.Query = "depth decay" })
	d.settle()
	d.mustShow("Depth decay")
	before := len(f.asked)
	f.down = gone()
	d.press("/ up 's' enter")
	d.mustShow("Depth decay", "no connection, next try in 2s")
	d.mustNotShow("could not be answered")
	if len(f.asked) < before+2 {
		t.Errorf("%d queries, want a retry after the first second", len(f.asked)-before)
	}
	asked := len(f.asked)
	d.pass(2 * time.Minute)
	if n := len(f.asked) - asked; n < 4 || n > 9 {
		t.Errorf("%d retries in two minutes", n)
	}
	d.mustShow("next try in 30s")
	f.down = nil
	d.pass(31 * time.Second)
	d.mustNotShow("no connection")
	d.mustShow("(depth decays)", "answers again, after")
	asked = len(f.asked)
	d.pass(5 * time.Minute)
	if len(f.asked) != asked {
		t.Error("it is still asking")
	}
}

// Without an answer to keep, the screen says what is the matter.
func TestAServerThatIsAwayFromTheStart(t *testing.T) {
	var f *fakeCorpus
	down := true
	d, _ := newDriver(t, 1, 120, 40, func(o *Options, fake *fakeCorpus) {
		f = fake
		open := o.Open
		o.Query = "depth decay"
		o.Open = func(ctx context.Context) (*session.Corpus, error) {
			if down {
				return nil, gone()
			}
			return open(ctx)
		}
	})
	d.settle()
	d.mustShow("cannot be reached", "shutting down", "R tries at once", "no connection")
	down = false
	d.pass(3 * time.Second)
	d.mustNotShow("cannot be reached", "no connection")
	d.mustShow("Depth decay", "answers again, after")
	if len(f.asked) != 1 {
		t.Errorf("%d queries, want one", len(f.asked))
	}
}

// What was being read of a corpus that is opened again is read anew, and nothing waits for
// what the closed one would have brought.
func TestAReopenedCorpusIsReadAnew(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "esc")
	d.send(keyOf("G"))
	d.ready = nil // the text of the last near miss never comes
	if it := d.reader().Item(); it == nil || it.ChunkText != "" {
		t.Fatalf("%v is selected, want a section without its text", it)
	}
	d.press("w 'batches'")
	d.send(keyOf("enter"))
	d.ready = nil // nor does the report
	d.push(d.reopen())
	d.settle()
	if d.dialogs() != 0 || d.why().IsLooking() {
		t.Errorf("%d dialogs wait for what nobody brings", d.dialogs())
	}
	if d.reader().Item().ChunkText == "" {
		t.Error("the text is not read again")
	}
}

// What has changed before a corpus is taken is shown with it.
func TestTakingACorpusLosesNoChange(t *testing.T) {
	fails := true
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		open := o.Open
		o.Query = "decay"
		o.Open = func(ctx context.Context) (*session.Corpus, error) {
			if fails {
				return nil, errBroken
			}
			return open(ctx)
		}
	}, "")
	d.mustShow("The corpus could not be opened")
	fails = false
	d.push(d.start(d.session().Reopen())) // which takes the failure out of the way
	d.settle()
	d.mustShow("Depth decay")
	if f := d.welcome().Failure(); f != nil {
		t.Errorf("the screen still has the failure %q", f.What)
	}
}

// A corpus file that is removed leaves the answer on the screen; the file that is
// found in its place is opened by itself, or at once with R.
func TestAFileThatIsReplacedIsOpenedAgain(t *testing.T) {
	for _, key := range []string{"", "R"} {
		var f *fakeCorpus
		opened, there := 0, true
		d, _ := newDriver(t, 1, 120, 40, func(o *Options, fake *fakeCorpus) {
			f = fake
			open := o.Open
			o.Query = "depth decay"
			o.Open = func(ctx context.Context) (*session.Corpus, error) {
				opened++
				if !there {
					return nil, fmt.Errorf("open corpus: %w", fs.ErrNotExist)
				}
				return open(ctx)
			}
		})
		d.settle()
		d.mustShow("Depth decay")
		f.down, there = fmt.Errorf("read corpus /docs.db: %w: the file was removed", store.ErrReplaced), false
		d.press("/ up 's' enter")
		d.mustShow("Depth decay", "the corpus file was removed or replaced, next try in")
		d.mustNotShow("could not be answered", "no connection")
		d.pass(2 * time.Second)
		d.mustShow("it cannot be opened yet: open corpus: file does not exist")
		d.pass(20 * time.Second)
		if opened < 3 {
			t.Errorf("opened %d times, want the tries of 20 seconds", opened)
		}
		d.mustShow("Depth decay", "removed or replaced, next try in")
		d.mustNotShow("could not be opened")
		f.down, there = nil, true
		if key != "" {
			d.press(key)
		} else {
			d.pass(12 * time.Second)
		}
		d.mustShow("(depth decays)", "the corpus was opened again")
		d.mustNotShow("next try in")
	}
}
