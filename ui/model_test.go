package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

func TestSeedsAgree(t *testing.T) {
	const keys = "j j enter n n tab e f 'depth' enter esc m m r k /"
	want := drive(t, 1, 120, 40, asking("decay"), keys).screen()
	for seed := uint64(2); seed < 12; seed++ {
		if got := drive(t, seed, 120, 40, asking("decay"), keys).screen(); got != want {
			t.Fatalf("with seed %d the screen differs:\n%s\nwant\n%s", seed, got, want)
		}
	}
}

func TestTypingAsksOnceItPauses(t *testing.T) {
	d, f := newDriver(t, 1, 120, 40, nil)
	d.settle()
	d.press("'depth decay'")
	if got := strings.Join(f.asked, "|"); got != "depth decay" {
		t.Errorf("asked %q, want the whole text once", got)
	}
	d.mustShow("(depth decay)")
}

func TestServersAreAskedByEnter(t *testing.T) {
	d, f := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f}, nil
		}
	})
	d.settle()
	d.press("'depth'")
	if len(f.asked) > 0 {
		t.Fatalf("asked %q while typing", f.asked)
	}
	d.mustShow("enter asks")
	d.press("enter")
	if len(f.asked) != 1 {
		t.Fatalf("asked %q, want once", f.asked)
	}
}

func TestLateAnswersAreDropped(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, asking("first"))
	d.settle()
	late := workDone{session.Done{Kind: session.KindAnswer, Gen: d.session().Generation(session.KindAnswer), Query: "first"}}
	d.press("/ up 'x' enter")
	d.send(late)
	d.settle()
	d.mustShow("(firstx)")

	d.send(workDone{session.Done{Kind: session.KindSpan, Gen: d.session().Generation(session.KindSpan) - 1, Read: session.Read{Section: store.Chunk{ID: "late"}}}})
	if d.opened() {
		t.Error("a late span was opened")
	}
}

func TestExamplesAreAskedFromTheQueryLine(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) { o.Examples = []string{"what is a floor", "none of it"} }, "down enter")
	d.mustShow("(what is a floor)")
	d.press("down")
	if got := d.query(); got != "what is a floor" {
		t.Errorf("with results in the list, down changes the query to %q", got)
	}
}

func TestTheFloorIsShownOnBothScales(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("calibrated none"), "")
	d.mustShow("── dropped: below floor .327 (set as .300)", "the floor is .327", "(set as .300 on this", ".327 by .030")
}

func TestFullContextSelectsTheNearest(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("whole far"), "")
	if got := d.selected().ChunkID; got != "knobs" {
		t.Errorf("selected %s, want the nearest section", got)
	}
}

func TestPassingSectionsRendersNone(t *testing.T) {
	var log strings.Builder
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) { o.Query, o.Debug = "many", &log }, "")
	renderings := func() int { return strings.Count(log.String(), "reader.Rendered") }
	before := renderings()
	for range 8 {
		d.send(keyOf("j"))
		d.pass(view.RestPause / 2)
	}
	if n := renderings() - before; n > 1 {
		t.Errorf("%d renderings while a key was held", n)
	}
	d.settle()
	if renderings() == before {
		t.Error("the section at which it was let go is not rendered")
	}
}

func TestMarksOutOfSightComeToTheUpperThird(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 20, asking("decay"))
	d.settle()
	it := d.selected()
	it.ChunkText = strings.Repeat("Filling words.\n\n", 60) + "The mark.\n\n" + strings.Repeat("More words.\n\n", 60)
	at := it.CharStart + strings.Index(it.ChunkText, "The mark.")
	it.Matches = []retrieval.Match{{CharStart: at, CharEnd: at + 9, Similarity: .6, Rank: 1}}
	d.reader().ShowAnew()
	d.settle()
	d.press("g m m")
	const head = 3 // the trail, the address, and a blank line
	line, height := -1, 0
	for i, l := range strings.Split(d.screen(), "\n") {
		if strings.Contains(l, "The mark.") {
			line = i - d.place().Slots[1].Body.Min.Y - head
		}
		height = d.place().Slots[1].Body.Dy() - head
	}
	if line != height/3 {
		t.Errorf("the mark stands on line %d of %d, want a third down\n%s", line, height, d.screen())
	}
}

func TestTheBestSectionIsSelectedFirst(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Query = "decay"
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{swapped{f}}, Reader: f, Live: true}, nil
		}
	}, "")
	if got := d.selected().ChunkID; got != "decay" {
		t.Errorf("selected %s", got)
	}
}

// swapped has the best section second on its page, as reading order may.
type swapped struct{ *fakeCorpus }

func (s swapped) Retrieve(ctx context.Context, q retrieval.Query, p param.Params, o retrieval.Options) (retrieval.Result, error) {
	r, err := s.fakeCorpus.Retrieve(ctx, q, p, o)
	r.Items[0], r.Items[1] = r.Items[1], r.Items[0]
	return r, err
}

func TestNewQueryCancelsTheOld(t *testing.T) {
	d, f := newDriver(t, 1, 120, 40, asking("first"))
	d.settle()
	f.hold = true
	old := d.session().Ask("old")[0]
	d.setQuery("second")
	d.sendQuery(true)
	if done := old.Run(t.Context()); !errors.Is(done.Err, context.Canceled) {
		t.Errorf("the old query: %v, want cancelled", done.Err)
	}
}

func TestInterrupt(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, asking("decay"))
	d.settle()
	d.setQuery("other")
	d.sendQuery(true) // its command is never run: the query hangs
	d.press("ctrl+c")
	if d.quit {
		t.Fatal("the first ctrl+c quit while a query was running")
	}
	d.mustShow("cancelled")
	d.press("ctrl+c")
	if !d.quit {
		t.Fatal("the second ctrl+c did not quit")
	}
}

func TestSpinnerComesLate(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, asking("decay"))
	d.settle()
	d.setQuery("other")
	d.push(d.spin())
	d.session().Ask("other")
	d.pass(view.SpinnerDelay / 2)
	d.mustNotShow("◓")
	d.pass(view.SpinnerDelay)
	if !d.spins() {
		t.Error("no spinner after the delay")
	}
	d.session().Stop()
	d.settle()
	if len(d.later) > 0 {
		t.Error("the spinner ticks although nothing runs")
	}
}

func TestIdleProgramHasNoTimers(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "j j k enter")
	d.pass(statusTime) // but that of a line that fades
	for _, l := range d.later {
		t.Errorf("a timer for %T is left", l.msg)
	}
}

func TestQueryWaitsForLoading(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	d, f := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Query = "decay"
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: true, Load: func(_ context.Context, progress func(int, int)) error {
				progress(1, 4)
				close(began)
				<-release
				return nil
			}}, nil
		}
	})
	// Take the loading command out of the driver's hands: it would block.
	d.ready = d.ready[:0]
	c, _ := d.options().Open(context.Background())
	work := d.session().Take(c, d.options().Open)
	d.showCorpus(nil)
	load := work[slices.IndexFunc(work, func(w session.Work) bool { return w.Kind == session.KindLoad })]
	loaded := make(chan session.Done)
	go func() { loaded <- load.Run(t.Context()) }()
	<-began
	d.mustShow("loading 25%", "asked then")
	if len(f.asked) > 0 {
		t.Fatalf("asked %q while loading", f.asked)
	}
	close(release)
	d.send(workDone{<-loaded})
	d.settle()
	if len(f.asked) != 1 {
		t.Fatalf("asked %q after loading, want once", f.asked)
	}
	d.mustShow("Depth decay")
}

func TestEscapeBacksOutAndNeverQuits(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "enter z f 'score' enter")
	for range 8 {
		d.press("esc")
	}
	if d.quit {
		t.Fatal("esc quit")
	}
	if d.zoomed() || d.finding() || d.focus() != paneResults {
		t.Errorf("after esc: zoomed %v, finding %v, focus %v", d.zoomed(), d.finding(), d.focus())
	}
	d.press("q")
	if !d.quit {
		t.Error("q did not quit")
	}
}

func TestSelectionStaysWhenTheSameIsAskedAgain(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "j j j")
	before := d.selected().ChunkID
	d.push(d.sendQuery(true))
	d.settle()
	if got := d.selected().ChunkID; got != before {
		t.Errorf("selected %s, want %s", got, before)
	}
	d.press("/ 'x' enter")
	if got := d.selected().ChunkID; got != "decay" {
		t.Errorf("a new query selects %s, want the best section", got)
	}
}

func TestCopies(t *testing.T) {
	var native string
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query = "depth 'decay'"
		o.Clipboard = func(s string) error { native = s; return nil }
	}, "")
	for _, c := range []struct{ key, want string }{
		{"s", "probably less central. Its score is multiplied by `max(1 − depth × rate, floor)`"},
		{"t", decayText},
		{"c", guideURL + "ranking:"},
		{"u", guideURL + "ranking"},
		{"j", `{"chunk_id":"decay"}`},
		{"l", `webrag-tui 'depth '\''decay'\'''`},
	} {
		d.foreign = nil
		d.press("y " + c.key)
		if !strings.Contains(native, c.want) {
			t.Errorf("copy %s: %q, want %q in it", c.key, native, c.want)
		}
		if len(d.foreign) != 1 || !strings.Contains(d.foreign[0], "lipboard") {
			t.Errorf("copy %s: the runtime got %v, want the terminal's clipboard", c.key, d.foreign)
		}
		d.mustShow("copied the")
	}
}

func TestTooLongForTheTerminalsClipboard(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "")
	d.selected().ChunkText = strings.Repeat("long ", 20_000)
	d.settle()
	d.foreign = nil
	d.press("y t")
	d.mustShow("not copied")
	if len(d.foreign) > 0 {
		t.Errorf("the runtime got %v", d.foreign)
	}
}

func TestOpensWebAddressesOnly(t *testing.T) {
	var opened []string
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query = "decay"
		o.OpenURL = func(u string) error { opened = append(opened, u); return nil }
	}, "o")
	d.press("r j j j j o") // a file: page
	if len(opened) != 1 || opened[0] != guideURL+"ranking#depth-decay" {
		t.Errorf("opened %q", opened)
	}
	d.mustShow("the page has no web address")
}

func TestIsWebURL(t *testing.T) {
	for url, want := range map[string]bool{
		"https://a.example/x": true, "http://a.example": true, "HTTPS://a.example": true,
		"file:///etc/passwd": false, "javascript:alert(1)": false, "https:": false, "": false,
		"ftp://a.example/x": false, "x-evil://a.example/": false, "https://a.example/\x1b]8;;": false, "https://a.example/ x": false, "-x": false,
	} {
		if got := wording.IsWebURL(url); got != want {
			t.Errorf("IsWebURL(%q) = %v", url, got)
		}
	}
}

func TestMouse(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "")
	s, _ := d.place().Slot(paneResults)
	row := d.lineOf("The depth kno") // it is cut beside its bar
	d.send(tea.MouseClickMsg{X: s.Body.Min.X + 5, Y: s.Body.Min.Y + row, Button: tea.MouseLeft})
	d.settle()
	if got := d.selected().ChunkID; got != "knobs" {
		t.Errorf("a click selects %s", got)
	}
	p, _ := d.place().Slot(panePreview)
	d.send(tea.MouseClickMsg{X: p.Body.Min.X + 5, Y: p.Body.Min.Y + 1, Button: tea.MouseLeft})
	if d.focus() != panePreview {
		t.Error("a click does not focus the preview")
	}
	d.send(tea.MouseWheelMsg{X: s.Body.Min.X, Y: s.Body.Min.Y, Button: tea.MouseWheelUp})
	d.settle()
	if got := d.selected().ChunkID; got == "knobs" {
		t.Error("the wheel does not move the list under it")
	}
	d.send(tea.MouseClickMsg{X: 5, Y: 1, Button: tea.MouseLeft})
	if !d.editing() {
		t.Error("a click on the query line does not edit it")
	}
	if d.frame().MouseMode == tea.MouseModeNone {
		t.Error("the mouse is off")
	}
	d.press("esc : 'release' enter")
	if d.frame().MouseMode != tea.MouseModeNone {
		t.Error("the mouse was not released")
	}
}

func TestSpanPrompt(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), ": 'open a span' enter")
	d.press("'nonsense' enter")
	d.mustShow(`"nonsense" is not URL:START-END`)
	d.press("ctrl+u '" + guideURL + "nowhere:1-2' enter")
	d.mustShow("no page " + guideURL + "nowhere")
	d.press(": 'open a span' enter '" + guideURL + "scores:320-350' enter")
	d.mustShow("citation 1/1")
	if got := d.selected().ChunkID; got != "cosine" {
		t.Errorf("selected %s, want the section that holds the span", got)
	}
}

func TestEditorGetsTheLineOfTheMark(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "n")
	cmd := d.editOrDetails()
	msg, ok := cmd().(draftWritten)
	if !ok || msg.err != nil {
		t.Fatalf("got %#v", msg)
	}
	defer os.Remove(msg.path)
	text, err := os.ReadFile(msg.path)
	if err != nil || string(text) != decayText {
		t.Errorf("the file holds %q, %v", text, err)
	}
	before, _, _ := strings.Cut(decayText, "similarity dominates")
	if want := 1 + strings.Count(before, "\n"); msg.line != want {
		t.Errorf("line %d, want %d", msg.line, want)
	}
}

func TestNoEscapeOfTheCorpusReachesTheTerminal(t *testing.T) {
	d := drive(t, 1, 150, 42, asking("decay"), "")
	for range 8 {
		content := d.frame().Content
		for _, bad := range []string{"\x1b]52", "\x1b]0", "\x07red", "\u009b", "\u202e", "\x00", "\x1b[31mred"} {
			if strings.Contains(content, bad) {
				t.Fatalf("the screen contains %q", bad)
			}
		}
		d.press("j m")
	}
	if title := d.frame().WindowTitle; strings.ContainsAny(title, "\x1b\x07") {
		t.Errorf("window title %q", title)
	}
}

func TestStateIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "screen.json")
	d := drive(t, 1, 120, 40, asking("decay"), "> > r e")
	if err := saveState(path, d.state()); err != nil {
		t.Fatal(err)
	}
	m := New(*d.options())
	m.restore(loadState(path))
	if m.split != 8 || !m.results.IsFlat() || !m.scoreChosen || m.showScore {
		t.Errorf("restored split %d, flat %v, score %v %v", m.split, m.results.IsFlat(), m.scoreChosen, m.showScore)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := loadState(path); !reflect.DeepEqual(s, screenState{}) {
		t.Errorf("a broken file gives %+v", s)
	}
}

func TestWithoutColours(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) { o.Query, o.NoColor = "decay", true }, "")
	var b strings.Builder
	w := colorprofile.Writer{Forward: &b, Profile: colorprofile.ASCII}
	if _, err := w.WriteString(d.frame().Content); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, colour := range []string{"\x1b[3", "[38;", "[48;"} {
		for at := range out {
			if rest := out[at:]; strings.HasPrefix(rest, colour) && !strings.HasPrefix(rest, "\x1b[3m") {
				t.Fatalf("a colour is left: %q", rest[:12])
			}
		}
	}
	if !strings.Contains(out, "\x1b[1m") && !strings.Contains(out, "\x1b[1;") {
		t.Error("nothing is bold: what is selected cannot be seen")
	}
	d.mustShow("▌ 1   Depth decay", "####")
}

func TestColourProfileMayComeLater(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "")
	d.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	if !d.styles().Plain {
		t.Error("sixteen colours do not change the theme")
	}
	d.settle()
	d.mustShow("Depth decay")
}

func TestBackgroundIsAskedFor(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) { o.Query, o.Dark = "decay", nil }, "")
	if fmt.Sprint(d.foreign) != "[tea.backgroundColorMsg]" {
		t.Errorf("the runtime got %v", d.foreign)
	}
	d.send(tea.BackgroundColorMsg{Color: ansi.BrightWhite})
	if d.dark() {
		t.Error("still dark on white")
	}
}
