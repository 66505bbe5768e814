package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// htmlSection opens the fixture's fourth section, which is sent as HTML; md is
// what its HTML is converted to, empty for what says the same as its markdown.
func htmlSection(t *testing.T, md string) *driver {
	t.Helper()
	d, _ := newDriver(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query = "how does depth decay work"
		switch md {
		case "":
		case broken:
			o.HTMLToMarkdown = func(string) (string, error) { return "", errors.New("the HTML is too large to show") }
		default:
			o.HTMLToMarkdown = func(string) (string, error) { return md, nil }
		}
	})
	d.settle()
	d.press("j j j")
	if it := d.selected(); it.Surface != retrieval.SurfaceHTML {
		t.Fatalf("the fixture's fourth section is %s", it.Surface)
	}
	return d
}

const (
	otherText = "Something else altogether, of which no word stands in the section, so that nothing can be placed in it."
	broken    = "HTML that cannot be converted"
	// someText has the first of the section's marks and not the second.
	someText  = "## Never compare\n\n| cosine | −1 to 1 |\n| --- | --- |\n\nNever compare them.\n"
	noPlace   = "no place in this form · m shows the markdown"
	asTheHTML = "HTML, rendered"
)

// A section that is sent as HTML opens in its markdown, where no mark is ever
// missing, and has the same marks in its HTML.
func TestAnHTMLSectionHasItsMarksInBothForms(t *testing.T) {
	d := htmlSection(t, "")
	d.mustShow("match 1/1", "sent to the model as HTML · m shows it")
	d.mustShow("▌1  Never compare them.")
	// What is sent comes first, as it is; of no other form it is said that it is read.
	d.press("m")
	d.mustShow("as the model reads it", "HTML source", "form 2 of 4", "<")
	d.press("m")
	d.mustShow(asTheHTML, "cosine │ −1 to 1", "match 1/1", "▌1  Never compare them.")
	d.mustNotShow("as the model reads it")
}

// What is marked is what stands at another place of another text.
func TestMarksAreMovedToWhereTheTextStandsInTheHTML(t *testing.T) {
	d := htmlSection(t, someText)
	d.press("m m")
	d.mustShow(asTheHTML, "▌1  Never compare them.")
	// It is copied from the markdown, where it stands elsewhere.
	it := d.list().Selected()
	own := it.CharStart + runesBefore(it.ChunkText, "Never compare them.")
	if in := it.CharStart + runesBefore(someText, "Never compare them."); in == own {
		t.Fatal("both texts have it at one place")
	}
	want := citations.PageSpan{URL: it.SourceURL, Start: own, End: own + len("Never compare them.")}
	if got := d.copied("c"); !strings.Contains(got, want.String()) {
		t.Errorf("%q is copied, want %s", got, want)
	}
	if got := d.copied("s"); got != "Never compare them." {
		t.Errorf("%q is copied", got)
	}
}

// runesBefore is how many code points of a text come before a part of it.
func runesBefore(text, part string) int {
	before, _, _ := strings.Cut(text, part)
	return utf8.RuneCountInString(before)
}

// copied is what a key of the copy menu copies.
func (d *driver) copied(key string) (got string) {
	d.t.Helper()
	d.options().Clipboard = func(s string) error { got = s; return nil }
	d.press("y " + key)
	return got
}

func TestWhatIsFoundInTheHTMLIsCopiedFromTheMarkdown(t *testing.T) {
	d := htmlSection(t, someText)
	d.press("m m tab f 'cosine' enter")
	d.mustShow("found 1/1", asTheHTML)
	if got := d.copied("s"); got != "cosine" {
		t.Errorf("%q is copied", got)
	}
	d.press("esc n")
	d.mustShow("match 1/1")
}

func TestSteppingFromAnHTMLThatDoesNotAlignShowsTheMarks(t *testing.T) {
	d := htmlSection(t, otherText)
	d.press("m m")
	d.mustShow("! the mark has " + noPlace)
	d.mustNotShow("match 1/")
	d.press("n")
	d.mustShow("match 1/1", "rendered, which the marks refer to")
	d.mustNotShow(noPlace)
	d.press("m m m m m m")
	d.mustShow(noPlace)
}

func TestSteppingFromAnHTMLThatCannotBeShownShowsTheMarks(t *testing.T) {
	d := htmlSection(t, broken)
	d.press("m m")
	d.mustShow("! shown as markdown: the HTML is too large to show")
	d.mustNotShow("match 1/")
	d.press("n")
	d.mustShow("match 1/1")
}

func TestAMarkWithoutAPlaceIsCounted(t *testing.T) {
	d := htmlSection(t, someText)
	it := d.selected()
	at := offset.NewIndex(it.ChunkText).Point(strings.Index(it.ChunkText, "arm | range"))
	it.Matches = append(it.Matches, retrieval.Match{ChunkID: "x", CharStart: it.CharStart + at, CharEnd: it.CharStart + at + 11, Similarity: .2})
	d.reader().ShowAnew()
	d.press("m m")
	d.mustShow("! 1 of 2 marks has "+noPlace, "match 1/2")
}

func TestAnOpenedSpanIsShownAsItIsSent(t *testing.T) {
	for _, c := range []struct {
		name, md  string
		want, not string
	}{
		{"in HTML that says the same", "", asTheHTML, "sent to the model as HTML"},
		{"where the HTML cannot be shown", broken, "sent to the model as HTML", "too large"},
		{"where the HTML lacks it", otherText, "sent to the model as HTML", noPlace},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := htmlSection(t, c.md)
			it := d.list().Selected()
			d.push(d.openSpan(citations.PageSpan{URL: it.SourceURL, Start: it.CharStart + 3, End: it.CharStart + 16}))
			d.settle()
			d.mustShow("citation 1/1", c.want, "▌c ")
			d.mustNotShow(c.not)
			if got := d.copied("s"); got != "Never compare" {
				t.Errorf("%q is copied", got)
			}
			d.press("m m m m")
			d.mustShow("citation 1/1")
		})
	}
}

func TestSectionNamesKeepWhatTellsThemApart(t *testing.T) {
	it := &retrieval.Item{Title: "2.3. Clustering — a library 1.2", HeadingPath: []string{"2.3. Clustering", "2.3.1. Overview"}}
	if got, want := wording.PathOf(it, nil), "2.3. Clustering — a library 1.2 › 2.3.1. Overview"; got != want {
		t.Errorf("in a list: %q, want %q", got, want)
	}
	if got, want := wording.Trail(it, nil), "2.3. Clustering › 2.3.1. Overview"; got != want {
		t.Errorf("above the text: %q, want %q", got, want)
	}
	if got, want := widget.CutLeft(wording.Trail(it, nil), 18), "…› 2.3.1. Overview"; got != want {
		t.Errorf("cut: %q, want %q", got, want)
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
	d.session().Result().Notices = []retrieval.Notice{{Code: "answer", Text: "said of this answer"}}
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

// A preset that needs an owner says so before anything is typed, and nothing is
// shown of a score that cannot be.
func TestAMissingOwnerIsSaidAtOnce(t *testing.T) {
	d, f := newDriver(t, 1, 150, 42, func(o *Options, f *fakeCorpus) {
		o.Params.RequireOwner = true
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: true, NeedsOwner: true}, nil
		}
	})
	d.settle()
	d.mustShow("--owner NAME", "q quits; other presets")
	d.mustNotShow("Score", "ask again")
	if len(f.asked) != 0 {
		t.Error("a query was asked")
	}
}
