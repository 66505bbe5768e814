package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
)

// A new question begins with an empty line, and costs nothing of the one before.
func TestANewQuestionLeavesTheOneBefore(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "j j /")
	shown, selected := shownIDs(d), d.selected().ChunkID
	stands := func(after string) {
		t.Helper()
		if d.query() != depthQuestion || d.typing() || !slices.Equal(shownIDs(d), shown) || d.selected().ChunkID != selected {
			t.Errorf("after %s: %q in the line, %q answered, %s selected", after, d.query(), d.session().Query(), d.selected().ChunkID)
		}
	}
	if !d.atBeginning() || !slices.Equal(shownIDs(d), shown) {
		t.Errorf("the line has %q, the list %v", d.query(), shownIDs(d))
	}
	d.mustShow(depthQuestion, "↑ changes the question before")
	d.press("esc")
	stands("esc")
	d.press("/ enter")
	stands("enter")
	d.press("/ : esc")
	stands("the palette")
	d.press("/ 'budget'")
	if d.session().Query() != "budget" {
		t.Errorf("asked %q", d.session().Query())
	}
	d.press("ctrl+u esc")
	stands("another question that was taken back")
	d.press("/ up 's' enter")
	if d.session().Query() != depthQuestion+"s" {
		t.Errorf("asked %q", d.session().Query())
	}
}

// Up leads back through the questions, as in a shell, and moves nothing of the results
// while the line has what it has brought.
func TestUpLeadsBackThroughTheQuestions(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "/ 'budget' enter / 'floor' enter j /")
	for _, step := range []struct{ key, query string }{
		{"up", "floor"}, {"up", "budget"}, {"up", depthQuestion}, {"up", depthQuestion}, {"down", "budget"}, {"down", "floor"},
	} {
		if d.press(step.key); d.query() != step.query {
			t.Errorf("%s leads to %q, want %q", step.key, d.query(), step.query)
		}
	}
	d.press("up 's'")
	first := d.selected().ChunkID
	d.press("down")
	if d.query() != "budgets" || d.selected().ChunkID == first {
		t.Errorf("in a question that was changed, down leads to %q, %s", d.query(), d.selected().ChunkID)
	}
}

// The keys that lead to all others are keys at the beginning of a question, too.
func TestHelpAndPaletteAtTheBeginning(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "/ ?")
	d.mustShow("All keys")
	d.press("esc / :")
	d.mustShow("Actions")
	d.press("esc / 'a?:' f1")
	d.mustShow("All keys")
	d.press("esc")
	if d.query() != "a?:" {
		t.Errorf("the line has %q", d.query())
	}
}

// A recording lists what it has answers to as soon as there is nothing in the line.
func TestARecordingListsItsQuestions(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Query, o.Examples = "decay", []string{"decay", "budget"}
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Recorded: true}, nil
		}
	}, "j")
	selected := d.selected().ChunkID
	d.press("/")
	d.mustShow("decay", "budget")
	d.press("esc")
	if d.session().Query() != "decay" || d.selected().ChunkID != selected {
		t.Errorf("esc leads to %q, %s", d.session().Query(), d.selected().ChunkID)
	}
	d.press("/ 'x' backspace")
	d.mustShow("budget")
	d.press("'x' enter / ctrl+r")
	d.mustShow("Queries asked before", "budget")
}

// A section that the next query finds as well is read from that query's best place
// on, not from where the reader stood.
func TestAnotherQueryBeginsAtItsBestMatch(t *testing.T) {
	const more = " and what does each depth cost"
	want := openGuide(t, 120, 40, "blend", depthQuestion+more, "")
	d := openGuide(t, 120, 40, "blend", depthQuestion, "n n n")
	before := d.selected().ChunkID
	d.press("/ '" + more + "' enter")
	if got := d.selected().ChunkID; got != before {
		t.Fatalf("the queries find different sections first: %s and %s", before, got)
	}
	if got, want := d.reader().Place(), want.reader().Place(); got != want {
		t.Errorf("at %+v; asked at once it is %+v", got, want)
	}
}

// The first page has the whole screen until something was asked: what the program is for,
// questions to choose from, and the views.
func TestTheFirstPage(t *testing.T) {
	examples := func(o *Options, _ *fakeCorpus) { o.Examples = []string{"what is a floor", "budget"} }
	d := drive(t, 1, 80, 24, examples, "")
	d.mustShow("webrag-tui", "every drop explained", "what is a floor", "1  Explore", "3  Corpus", "↓ examples")
	d.mustNotShow("Results ─", "Score ─")
	d.press("down down")
	d.mustShow("▌ budget")
	d.press("enter")
	if d.session().Query() != "budget" {
		t.Errorf("asked %q", d.session().Query())
	}
	d.mustShow("Results ")
	d.press("/ 'x' ctrl+u")
	d.mustShow("every drop explained")
	for _, at := range []struct{ w, h int }{{200, 60}, {50, 15}, {40, 10}} {
		drive(t, 1, at.w, at.h, examples, "").mustShow("webrag-tui", "Ask in your own words")
	}
	d = drive(t, 1, 120, 40, examples, "")
	for y, l := range strings.Split(d.screen(), "\n") {
		if strings.Contains(l, "budget") {
			d.send(tea.MouseClickMsg{X: 30, Y: y, Button: tea.MouseLeft})
		}
	}
	d.settle()
	if d.session().Query() != "budget" || d.typing() {
		t.Errorf("a click asks %q", d.session().Query())
	}
}

// What the corpus has to say at the start goes with the first key, though it is typed.
func TestTheNoticeOfTheStartGoesWithTheFirstKey(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Notices = []retrieval.Notice{{Code: "x", Text: "words, not meanings"}}
	}, "")
	d.mustShow("words, not meanings")
	d.press("'a'")
	d.mustNotShow("words, not meanings")
}

// A question that is longer than its line is read from its beginning, and typed at its end.
func TestALongQuestionIsReadFromItsBeginning(t *testing.T) {
	long := depthQuestion + " when pages are far below the first one and hold the answer"
	d := openGuide(t, 50, 15, "webrag", "", "/ '"+long+"'")
	line := func() string { return strings.Split(d.screen(), "\n")[1] }
	if !strings.Contains(line(), "hold the answer") {
		t.Errorf("the end is not seen while it is typed: %q", line())
	}
	d.press("enter")
	if !strings.Contains(line(), depthQuestion[:20]) {
		t.Errorf("the beginning is not seen: %q", line())
	}
}
