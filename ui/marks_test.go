package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
)

// A section that is sent as HTML opens where its marks are, in the markdown.
func TestAnHTMLSectionOpensAtItsMarks(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("how does depth decay work"), "j j j")
	if it := d.m.results.selected(); it.Surface != retrieval.SurfaceHTML {
		t.Fatalf("the fixture's fourth section is %s", it.Surface)
	}
	d.mustShow("match 1/", "sent to the model as HTML · m shows it")
	first, _ := d.m.preview.marked.At(d.m.preview.stops[d.m.preview.focus])
	if p := &d.m.preview; first < p.top || first >= p.top+p.textHeight() {
		t.Errorf("the best match, in line %d, is out of sight: lines %d to %d are shown", first, p.top, p.top+p.textHeight())
	}
	d.press("m")
	d.mustShow("as the model reads it", "cosine │ −1 to 1")
	d.mustNotShow("match 1/")
}

func TestSteppingFromHTMLShowsTheMarks(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("how does depth decay work"), "j j j m")
	d.mustShow("as the model reads it")
	d.press("n")
	d.mustShow("match 1/", "markdown, which the marks refer to")
	d.mustNotShow("as the model reads it")
	d.press("m m m m m")
	d.mustShow("as the model reads it")
}

func TestAnOpenedSpanIsPaintedOnHTMLPages(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, asking("how does depth decay work"))
	d.settle()
	d.press("j j j")
	it := d.m.results.selected()
	if it.Surface != retrieval.SurfaceHTML {
		t.Fatalf("the fixture's fourth section is %s", it.Surface)
	}
	d.push(d.m.openSpan(Span{URL: it.SourceURL, Start: it.CharStart + 2, End: it.CharStart + 9}))
	d.settle()
	d.mustNotShow("as the model reads it")
	d.mustShow("citation")
}

func TestSectionNamesKeepWhatTellsThemApart(t *testing.T) {
	it := &retrieval.Item{Title: "2.3. Clustering — a library 1.2", HeadingPath: []string{"2.3. Clustering", "2.3.1. Overview"}}
	if got, want := leafFirst(it, nil), "2.3.1. Overview ‹ 2.3. Clustering — a library 1.2"; got != want {
		t.Errorf("in a list: %q, want %q", got, want)
	}
	if got, want := trail(it, nil), "2.3. Clustering › 2.3.1. Overview"; got != want {
		t.Errorf("above the text: %q, want %q", got, want)
	}
	if got, want := cutLeft(trail(it, nil), 18), "…› 2.3.1. Overview"; got != want {
		t.Errorf("cut: %q, want %q", got, want)
	}
}

func TestTheScorePaneSeesATextThatComesLater(t *testing.T) {
	styles, err := theme.New("", theme.Options{Dark: true})
	if err != nil {
		t.Fatal(err)
	}
	it := &retrieval.Item{ChunkID: "a", Matches: []retrieval.Match{{ChunkID: "b", Similarity: .2, Rank: 1}}}
	var p scorePane
	p.setSize(40, 20)
	p.show(it, nil, -1)
	if before := strings.Join(p.view(styles), "\n"); strings.Contains(before, "¶1") {
		t.Fatalf("a block is numbered without a text:\n%s", before)
	}
	it.ChunkText = "A text."
	p.show(it, nil, -1)
	if after := strings.Join(p.view(styles), "\n"); !strings.Contains(after, "¶1") {
		t.Errorf("the text came and the pane stands still:\n%s", after)
	}
}

func TestStartNoticesLeaveWithTheSecondAnswer(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query = "how does depth decay work"
		o.Notices = []retrieval.Notice{{Code: "start", Text: "said once at the start"}}
	})
	d.settle()
	d.mustShow("said once at the start")
	d.press("/")
	d.press("'decay'")
	d.settle()
	d.mustNotShow("said once at the start")
}

func TestAnAnswersNoticeComesBeforeTheStarts(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query = "how does depth decay work"
		o.Notices = []retrieval.Notice{{Code: "start", Text: "said at the start"}}
	})
	d.settle()
	d.m.result.Notices = []retrieval.Notice{{Code: "answer", Text: "said of this answer"}}
	d.mustShow("said of this answer", "! shows 1 more")
	d.mustNotShow("said at the start")
}

// What is no warning leaves with the first key that is not typed, and does not
// come back with the next answer; a warning stays for as long as it is true.
func TestNoticesAreSaidOnce(t *testing.T) {
	info := retrieval.Notice{Code: "both", Text: "both arms look at words"}
	warning := retrieval.Notice{Code: "over", Text: "over the budget", Warning: true}
	d, f := newDriver(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) { o.Query = "how does depth decay work" })
	f.notices = []retrieval.Notice{info}
	d.settle()
	d.mustShow(info.Text)
	d.press("j")
	d.mustNotShow(info.Text)
	d.press("/ 'decay'")
	d.mustNotShow(info.Text)
	d.press("enter !")
	d.mustShow(info.Text)
	d.press("esc")

	f.notices = []retrieval.Notice{info, warning}
	d.press("/ 'x' enter j j")
	d.mustShow("! " + warning.Text)
	d.mustNotShow(info.Text)
}

func TestALongNoticeIsCutAtAWordAndShownInFull(t *testing.T) {
	const said = "The demo lowers the threshold of the full-context mode, so that the ranking can be seen at all: it is 4,000 tokens here."
	d, _ := newDriver(t, 1, 80, 24, func(o *Options, _ *fakeCorpus) {
		o.Query = "decay"
		o.Notices = []retrieval.Notice{{Code: "demo", Text: said}}
	})
	d.settle()
	d.mustShow("mode, so …  ! shows all")
	d.press("!")
	d.mustShow("it is 4,000", "tokens here.")
}

// Asking again is offered only where it may help.
func TestFailuresSayWhatHelps(t *testing.T) {
	for _, c := range []struct {
		err   error
		again bool
	}{
		{retrieval.ErrNoOwner, false},
		{fmt.Errorf("embed the query: %w", embedder.ErrAuth), false},
		{fmt.Errorf("embed the query: %w", embedder.ErrUnavailable), true},
		{fmt.Errorf("search: %w", store.ErrLocked), true},
		{errors.New("something else"), false},
	} {
		if got := unanswered(c.err); strings.Contains(got.next, "ask again") != c.again || got.next == "" {
			t.Errorf("%v: %q", c.err, got.next)
		}
	}
}

// A preset that needs an owner says so before anything is typed, and nothing is
// shown of a score that cannot be.
func TestAMissingOwnerIsSaidAtOnce(t *testing.T) {
	d, f := newDriver(t, 1, 150, 42, func(o *Options, f *fakeCorpus) {
		o.Params.RequireOwner = true
		o.Open = func(context.Context) (*Corpus, error) {
			return &Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: true, NeedsOwner: true}, nil
		}
	})
	d.settle()
	d.mustShow("--owner NAME", "q quits; other presets")
	d.mustNotShow("Score", "ask again")
	if len(f.asked) != 0 {
		t.Error("a query was asked")
	}
}
