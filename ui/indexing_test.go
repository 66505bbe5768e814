package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/welcome"
	"github.com/webrag/webrag-tui/ui/widget"
)

// missing is an explorer without a corpus, which indexing makes. Its indexing
// reports one page and waits for what comes through finish.
type missing struct {
	made    bool
	sources []string
	finish  func(ctx context.Context) error
}

// absent is the error of a corpus that was never made.
type absent struct{}

func (absent) Missing() string      { return session.ErrNoCorpus.Error() + " at place" }
func (e absent) Error() string      { return e.Missing() + "; make one" }
func (absent) Is(target error) bool { return target == session.ErrNoCorpus }

func (x *missing) change(o *Options, f *fakeCorpus) {
	o.Place, o.Corpora = "place", []welcome.Corpus{{Name: "guide", Place: "guide:"}}
	o.Open = func(context.Context) (*session.Corpus, error) {
		if !x.made {
			return nil, absent{}
		}
		return &session.Corpus{Name: "made", Engine: answering{f}, Reader: f, Live: true}, nil
	}
	o.OpenPlace = func(_ context.Context, place string) (*session.Corpus, error) {
		return &session.Corpus{Name: "opened " + place, Engine: answering{f}, Reader: f, Live: true}, nil
	}
	o.Index = func(ctx context.Context, place, source string, progress func(indexing.Progress)) (string, error) {
		x.sources = append(x.sources, place+" < "+source)
		progress(indexing.Progress{PagesDone: 1, PagesTotal: 3, Chunks: 20, Vectors: 12})
		if x.finish != nil {
			if err := x.finish(ctx); err != nil {
				return "", err
			}
		}
		x.made = true
		return "3 pages added", nil
	}
}

func TestWelcome(t *testing.T) {
	t.Parallel()
	x := &missing{}
	d := drive(t, 1, 120, 40, x.change, "")
	d.mustShow("Nothing to search yet", "There is no corpus yet at place.", "i  index a folder", "d  open the bundled guide", "c  connect to PostgreSQL")
	d.press("i enter")
	d.mustShow("type the path of a folder")
	d.press("'docs' enter")
	d.mustShow("made", "ask the corpus", "3 pages added")
	if !slices.Equal(x.sources, []string{"place < docs"}) {
		t.Errorf("indexed %q", x.sources)
	}
	d.press("'decay' enter")
	d.mustShow("Depth decay")

	drive(t, 1, 120, 40, (&missing{}).change, "d").mustShow("opened guide:")
	drive(t, 1, 120, 40, (&missing{}).change, "c 'postgres://me@host/db' enter").mustShow("opened postgres://me@host/db")
}

// Keys of the welcome are single keys: what follows them is no query, nothing looks
// like a place to type, and nothing is offered that has nothing to work on.
func TestWelcomeTakesSingleKeys(t *testing.T) {
	t.Parallel()
	d := drive(t, 1, 120, 40, (&missing{}).change, "")
	d.mustShow("no corpus yet", "Press one of these keys")
	d.mustNotShow("ask the corpus", "tune", "zoom", "make one")
	d.press("/")
	d.mustShow("there is nothing to ask yet")
	for _, r := range "docs/guide" {
		d.send(keyOf(string(r))) // in one go
	}
	d.settle()
	d.mustShow("opened guide:")
	if d.dialogs() > 0 || d.session().IsPinned() {
		t.Error("letters of what was typed ran as keys")
	}
	if d.typing() || d.query() != "" {
		t.Errorf("the query line holds %q", d.query())
	}
	d.press("/ 'decay' enter")
	if d.session().Query() != "decay" {
		t.Errorf("asked %q", d.session().Query())
	}
}

// The guide is never written: from there pages go into a corpus of the user's own, which
// is opened then; a program that knows of none says so before anything is typed.
func TestIndexingFromTheGuideFillsAnotherCorpus(t *testing.T) {
	t.Parallel()
	x := &missing{made: true}
	guide := func(own string) func(o *Options, f *fakeCorpus) {
		return func(o *Options, f *fakeCorpus) {
			x.change(o, f)
			o.Place, o.Own = "guide:", own
		}
	}
	d := drive(t, 1, 120, 40, guide("mine.db"), "esc : 'index' enter")
	d.mustShow("Index pages into a corpus of your own", "it goes into mine.db")
	d.press("'docs' enter")
	d.mustShow("opened mine.db", "mine.db: 3 pages added")
	if !slices.Equal(x.sources, []string{"mine.db < docs"}) {
		t.Errorf("indexed %q", x.sources)
	}
	d = drive(t, 1, 120, 40, guide(""), "esc : 'corpus index'")
	d.mustShow("the guide stays as it is")
}

// A path that leads nowhere stays in its prompt, also when indexing finds it out.
func TestIndexingAPathThatLeadsNowhere(t *testing.T) {
	t.Parallel()
	x := &missing{}
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		x.change(o, f)
		o.CheckSource = func(source string) error {
			if source == "dcos" {
				return errors.New("there is no dcos in /home/me")
			}
			return nil
		}
		index := o.Index
		o.Index = func(ctx context.Context, at, source string, progress func(indexing.Progress)) (string, error) {
			if source == "empty" {
				return "", errors.New("no page found in empty")
			}
			return index(ctx, at, source, progress)
		}
	}, "i 'dcos' enter")
	d.mustShow("Index pages", "enter index", "dcos", "there is no dcos in /home/me")
	d.press("ctrl+u 'empty' enter")
	d.mustShow("Index pages", "no page found in empty")
	if len(x.sources) != 0 {
		t.Fatalf("indexed %q", x.sources)
	}
	d.press("ctrl+u 'docs' enter")
	d.mustShow("3 pages added", "made")
}

func TestAConnectionThatFailsKeepsTheChoices(t *testing.T) {
	t.Parallel()
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		(&missing{}).change(o, f)
		o.OpenPlace = func(context.Context, string) (*session.Corpus, error) { return nil, errors.New("connect: refused") }
	}, "c 'postgres://me@host/db' enter")
	d.mustShow("Open a corpus", "connect: refused", "postgres://me@host/db")
	d.press("esc")
	d.mustShow("Nothing to search yet", "i  index a folder")
	d.press("d")
	d.mustShow("could not be opened", "connect: refused")
	d.press("esc")
	d.mustShow("Nothing to search yet")
}

func TestWelcomeToAnEmptyCorpus(t *testing.T) {
	t.Parallel()
	x := &missing{made: true}
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) { x.change(o, f); f.stats = store.Stats{} }, "")
	d.mustShow("This corpus has no pages yet", "i  index a folder")
	d.press("i 'docs' enter")
	if len(x.sources) != 1 {
		t.Errorf("indexed %q", x.sources)
	}
}

func TestIndexingFails(t *testing.T) {
	t.Parallel()
	x := &missing{finish: func(context.Context) error { return errors.New("read \x1b[31mdocs: permission denied") }}
	d := drive(t, 1, 120, 40, x.change, "i 'docs' enter")
	d.mustShow("The pages could not be indexed", "permission denied", "What was written before stays")
	d.press("esc")
	d.mustShow("Nothing to search yet")
}

func TestIndexingShowsItsProgressAndStops(t *testing.T) {
	t.Parallel()
	shown := ""
	var d *driver
	x := &missing{}
	x.finish = func(ctx context.Context) error {
		shown = d.screen()
		for _, key := range []string{"R", "E", "/"} {
			d.send(keyOf(key))
			if said := d.status(); !contains(said, "being indexed; ctrl+c stops") || d.query() != "" || d.typing() || d.dialogs() != 0 {
				t.Errorf("%s says %q and types %q", key, said, d.query())
			}
		}
		d.interrupt() // as ctrl+c while the command runs
		<-ctx.Done()
		return ctx.Err()
	}
	d, _ = newDriver(t, 1, 120, 40, x.change)
	d.settle()
	d.press("i 'docs' enter")
	for _, words := range []string{"Indexing docs", "1 of 3 pages", "20 chunks", "ctrl+c stops", "ctrl+c stop   q quit"} {
		if !contains(shown, words) {
			t.Errorf("the progress lacks %q:\n%s", words, shown)
		}
	}
	d.mustShow("stopped; the pages that were written stay")
	if d.session().Indexing() != "" {
		t.Error("it is still indexing")
	}
}

func contains(screen, words string) bool {
	return len(words) > 0 && widget.FoldIndex(screen, words) >= 0
}

// One key lets the nearest section in where nothing came back.
func TestLetTheNearestIn(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	d.change("similarity_floor", "0.95")
	d.mustShow("No section is similar enough", "lets the nearest in")
	nearest := d.session().Result().NearMisses[0].ChunkID
	d.press("1 A")
	if got := shownIDs(d); !slices.Contains(got, nearest) {
		t.Fatalf("let in %v, want %s", got, nearest)
	}
	d.mustShow("floor .950 →", "takes it back")
	d.press("u")
	if len(shownIDs(d)) != 0 {
		t.Error("it was not taken back")
	}
	drive(t, 1, 120, 40, asking("decay"), "A").mustShow("there are results")
	drive(t, 1, 120, 40, nil, "esc A").mustShow("ask a query first")
	drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Query = "none"
		f.below = []retrieval.Item{}
	}, "A").mustShow("nothing came near enough")
}

func TestTryAgainAtOnce(t *testing.T) {
	t.Parallel()
	tries := 0
	d, _ := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Open = func(context.Context) (*session.Corpus, error) {
			if tries++; tries < 3 {
				return nil, fmt.Errorf("connect to host: %w", store.ErrUnavailable)
			}
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: true}, nil
		}
	})
	d.pass(time.Second / 2)
	if tries != 1 {
		t.Fatalf("tried %d times", tries)
	}
	d.mustShow("The corpus's server cannot be reached", "R tries at once", "next try in 1s")
	d.send(keyOf("R"))
	d.pass(0)
	if tries != 2 {
		t.Errorf("tried %d times after R", tries)
	}
	d.send(keyOf("R"))
	d.pass(0)
	if d.session().Corpus() == nil {
		t.Error("the server answers, and the corpus is not open")
	}
	d.press("esc R")
	d.mustShow("nothing to try again")
}

// The dialog of a missing text gets what it waits for of the pages that came with indexing.
func TestWhyNotWhilePagesAreIndexed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ask  func(d *driver) tea.Cmd
		want string
	}{
		{func(d *driver) tea.Cmd { return d.why().Ask(whynot.Target{ChunkID: "missing"}) }, "It is not among the results."},
		{func(d *driver) tea.Cmd { return d.why().Pick() }, "Ranking and depth"},
	} {
		var d *driver
		x := &missing{made: true}
		x.finish = func(context.Context) error {
			d.push(c.ask(d))
			return nil
		}
		d, _ = newDriver(t, 1, 120, 40, x.change)
		d.settle()
		d.press("'decay' enter")
		d.push(d.welcome().Index("docs"))
		d.settle()
		d.mustShow(c.want)
		d.mustNotShow("reading the names", "looking for")
	}
}

// Where pages were indexed into a corpus that was left, the end of that shows the welcome
// to an empty one, on the whole screen.
func TestWelcomeAfterIndexingElsewhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(d *driver) error
		said string
	}{
		"done":    {func(*driver) error { return nil }, "3 pages added"},
		"failed":  {func(*driver) error { return errors.New("disk full") }, "disk full"},
		"stopped": {func(d *driver) error { d.push(d.interrupt()); return context.Canceled }, "stopped"},
	} {
		var d *driver
		x := &missing{}
		x.finish = func(context.Context) error {
			d.push(d.welcome().SwitchTo("empty", nil))
			d.settle()
			if len(d.place().Slots) == 1 {
				t.Errorf("%s: while pages are indexed elsewhere, the list is alone", name)
			}
			return c.end(d)
		}
		d, _ = newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
			x.change(o, f)
			f.stats = store.Stats{}
		})
		d.settle()
		d.press("i 'docs' enter")
		d.mustShow(c.said)
		d.press("esc")
		d.mustShow("This corpus has no pages yet", "i  index a folder")
		if len(d.place().Slots) != 1 {
			t.Errorf("%s: the welcome has %d panes beside it:\n%s", name, len(d.place().Slots)-1, d.screen())
		}
	}
}

// Tab completes the path that is asked for, as far as the names of its folder agree, and
// then goes through them.
func TestAPathIsCompleted(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"pages", "papers"} {
		if err := os.MkdirAll(filepath.Join(dir, name, "deep"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d := drive(t, 1, 120, 40, (&missing{}).change, "i '"+dir+"/p' tab")
	d.mustShow("/pa", "pages/   papers/", "tab complete the path")
	d.press("tab")
	d.mustShow("/pages/")
	d.press("tab 'd' tab")
	d.mustShow("/papers/deep/")
	d.press("'none/x' tab")
	d.mustShow("there is no such folder")
}
