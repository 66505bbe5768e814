package ui

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/tour"
	"github.com/webrag/webrag-tui/ui/view"
)

// touringOn changes options to a tour, on top of others.
func touringOn(t testing.TB, script string, change func(*Options, *fakeCorpus)) func(*Options, *fakeCorpus) {
	t.Helper()
	s, err := tour.Parse(strings.NewReader(script))
	if err != nil {
		t.Fatal(err)
	}
	return func(o *Options, f *fakeCorpus) {
		if change != nil {
			change(o, f)
		}
		o.Tour = &s
	}
}

// playOut lets a tour come to its end, at most three minutes.
func (d *driver) playOut() time.Duration {
	d.t.Helper()
	begun := d.now
	for d.tour().IsOn() && d.now < begun+3*time.Minute {
		d.steps = 0
		d.pass(time.Second)
	}
	if d.tour().IsOn() {
		d.t.Fatalf("the tour does not end: step %d of %d\n%s", d.tour().At(), len(d.options().Tour.Steps), d.screen())
	}
	if len(d.tour().Missed()) > 0 {
		d.t.Errorf("steps were missed: %s", strings.Join(d.tour().Missed(), "\n"))
	}
	return d.now - begun
}

// A move of a recording may start from a preset: what it sets is then compared with that.
func TestATourStartsFromAPreset(t *testing.T) {
	want, _ := param.Preset("blend")
	want.TopK = 7
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		asking("decay")(o, f)
		o.Tour = &tour.Script{Stays: true, Steps: []tour.Step{{Verb: tour.Apply, Line: 1, Text: "blend", Values: []tour.Value{{Field: "top_k", Text: "7"}}}}}
	}, "")
	d.playOut()
	if s := d.session(); s.Params() != want || s.Start().Name != "blend" || s.Name() != "blend*" {
		t.Errorf("it ends with %s of %s", s.Name(), s.Start().Name)
	}
}

// What a tour has left on the screen is not what its corpus opens with the next time.
func TestATourIsNotRemembered(t *testing.T) {
	for _, toured := range []bool{false, true} {
		d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
			asking("decay")(o, f)
			o.Place = "a"
			if toured {
				o.Tour = &tour.Script{Steps: []tour.Step{{Verb: tour.Wait, Line: 1, Wait: time.Second}}}
			}
		}, "")
		if toured {
			d.playOut()
		}
		if _, kept := d.state().Sessions["a"]; kept == toured {
			t.Errorf("toured %v, and remembered %v", toured, kept)
		}
	}
}

// withJudged has the guide's own query set opened with its corpus, as the demo does, and
// returns the folder that it is in.
func withJudged(t *testing.T, o *Options) (sets string) {
	t.Helper()
	judged, err := fs.Sub(docs.Judged, "judged")
	if err != nil {
		t.Fatal(err)
	}
	o.Sets = t.TempDir()
	if err := judgment.Copy(judged, o.Sets, "guide"); err != nil {
		t.Fatal(err)
	}
	open := o.Open
	o.Open = func(ctx context.Context) (*session.Corpus, error) {
		c, err := open(ctx)
		if err == nil {
			c.Set = "guide"
		}
		return c, err
	}
	return o.Sets
}

func TestTheGuidesTourReachesItsEnd(t *testing.T) {
	script := tour.Guide()
	if err := CheckTour(script); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		w, h   int
		change func(*Options)
	}{
		{"wide", 150, 42, func(*Options) {}},
		{"common", 80, 24, func(*Options) {}},
		{"small", 50, 15, func(*Options) {}},
		{"without colour", 120, 40, func(o *Options) { o.NoColor = true }},
		{"plain", 80, 24, func(o *Options) { o.Plain, o.Theme = true, "mono" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			guide, sets := onGuide(t, "webrag", ""), ""
			d, _ := newDriver(t, 1, c.w, c.h, func(o *Options, f *fakeCorpus) {
				guide(o, f)
				sets = withJudged(t, o)
				o.Tour = &script
				c.change(o)
			})
			// Every caption is seen, and with it what it speaks of.
			seen, floors := map[string]bool{}, map[float64]bool{}
			shows := map[string]string{
				"Sections, grouped": "Depth decay", "The list was ranked": "moved ",
				"Enter applies":  "Scores and t", // in a narrow list its name is cut
				"A higher floor": "nDCG@10", "Question by": "B against A", "Each half": "curve of floor",
			}
			for d.tour().IsOn() && d.now < 3*time.Minute {
				d.steps = 0
				d.pass(200 * time.Millisecond)
				said := d.tour().Caption()
				floors[d.session().Params().SimilarityFloor] = true
				if said == "" {
					continue
				}
				screen := d.screen()
				if lines := strings.Split(strings.TrimRight(screen, "\n"), "\n"); len(lines) > c.h {
					t.Fatalf("%d lines on a screen of %d", len(lines), c.h)
				}
				if first := strings.Fields(said)[0]; !strings.Contains(screen, first) {
					t.Fatalf("the caption %q is not on the screen:\n%s", said, screen)
				}
				seen[said] = true
				for begins, what := range shows {
					if strings.HasPrefix(said, begins) && strings.Contains(screen, what) {
						delete(shows, begins)
					}
				}
			}
			d.playOut()
			for _, s := range script.Steps {
				if s.Verb == tour.Caption && s.Text != "" && !seen[s.Text] {
					t.Errorf("never seen: %q", s.Text)
				}
			}
			if c.w >= 120 {
				for begins, what := range shows {
					t.Errorf("at %q, %q never stood on the screen", begins, what)
				}
			}
			if d.now < 60*time.Second || d.now > 2*time.Minute {
				t.Errorf("the tour takes %v", d.now)
			}
			if !floors[.27] {
				t.Error("the change that lets the page in was not applied")
			}
			if kept, err := os.ReadDir(filepath.Join(sets, "guide")); err != nil || len(kept) != 3 {
				t.Errorf("the set has other files now: %v, %v", kept, err)
			}
			if got := d.session().Params().SimilarityFloor; got != .3 || d.session().CanUndo() {
				t.Errorf("the floor ends at %v", got)
			}
			if d.height() != c.h {
				t.Errorf("the captions keep %d lines", c.h-d.height())
			}
			d.mustShow("the keys are yours")
		})
	}
}

func TestATourCanBePausedAndTaken(t *testing.T) {
	const script = "caption \"one\"\nwait 2s\ncaption \"two\"\nwait 5s\n"
	d, _ := newDriver(t, 1, 100, 30, touringOn(t, script, nil))
	d.settle()
	d.mustShow("one", "space pauses")
	d.press("space")
	d.pass(time.Minute)
	d.mustShow("one", "paused: space goes on")
	d.press("space")
	d.mustShow("two")

	// A key of the user's ends it, and does nothing else.
	d.send(keyOf("q"))
	d.settle()
	d.mustShow(tour.Ended)
	d.mustNotShow("two")
	if d.quit || d.height() != 30 {
		t.Errorf("quit %v, height %d", d.quit, d.height())
	}
	at := d.tour().At()
	d.pass(time.Minute)
	if d.tour().At() != at {
		t.Error("the tour goes on after its end")
	}

	d, _ = newDriver(t, 1, 100, 30, touringOn(t, script, nil))
	d.settle()
	d.send(tea.MouseClickMsg{X: 3, Y: 3, Button: tea.MouseLeft})
	d.mustShow(tour.Ended)

	d, _ = newDriver(t, 1, 100, 30, touringOn(t, script, nil))
	d.settle()
	d.send(keyOf("ctrl+c"))
	d.settle()
	if !d.quit {
		t.Error("ctrl+c does not quit")
	}
}

// Whether it comes to its end or is interrupted, wherever that is: the parameters with
// what can be undone, the query, the view, the panes and the focus are those of before.
func TestATourLeavesEverythingAsItWas(t *testing.T) {
	const script = "type decay\nkey enter\nwait 1s\nset similarity_floor .1\nkey s\nwait 1s\nkey esc r z\nwait 1s\n" +
		"view 2\nkey right tab\nwait 1s\nrun why.ask\nwait 1s\nrun help.show\nwait 2s"
	type look struct {
		query, name, shown    string
		focus                 view.Context
		view                  viewID
		tune, flat, zoomed    bool
		boxes, split          int
		undo, pinned, editing bool
	}
	looks := func(d *driver) look {
		return look{
			d.query(), d.session().Name(), d.session().Query(), d.focus(), d.view(), d.showsTune(), d.list().IsFlat(), d.zoomed(),
			d.dialogs(), d.split(), d.session().CanUndo(), d.session().IsPinned(), d.editing(),
		}
	}
	for _, before := range []string{"", "decay"} {
		want := looks(drive(t, 1, 120, 40, asking(before), ""))
		for _, after := range []time.Duration{2 * time.Second, 4 * time.Second, 6 * time.Second, 8 * time.Second, 10 * time.Second, 12 * time.Second, time.Minute} {
			d, _ := newDriver(t, 1, 120, 40, touringOn(t, script, asking(before)))
			for d.tour().IsOn() && d.now < after {
				d.steps = 0
				d.pass(100 * time.Millisecond)
			}
			if d.tour().IsOn() == (after == time.Minute) {
				t.Fatalf("after %v the tour is on: %v", after, d.tour().IsOn())
			}
			if d.tour().IsOn() {
				d.send(keyOf("esc"))
			}
			d.settle()
			if got := looks(d); got != want {
				t.Errorf("%q, after %v:\n%+v, want\n%+v\n%s", before, after, got, want, d.screen())
			}
		}
	}
}

func TestATourCountsItsTexts(t *testing.T) {
	d, _ := newDriver(t, 1, 100, 30, touringOn(t, "wait 1s\ncaption \"one\"\nwait 2s\ncaption \"\"\nwait 2s\ncaption \"two\"\nwait 9s", nil))
	d.pass(2500 * time.Millisecond)
	d.mustShow("one", "1 of 2   space pauses")
	d.pass(2 * time.Second)
	d.mustNotShow("of 2")
	d.pass(2 * time.Second)
	d.mustShow("two", "2 of 2   space pauses")
}

func TestATourWaitsOnStage(t *testing.T) {
	d, _ := newDriver(t, 1, 100, 30, touringOn(t, "caption \"ask\"\npause\ncaption \"go\"\nwait 9s", nil))
	d.pass(time.Hour)
	d.mustShow("ask", "space goes on")
	d.press("space")
	d.mustShow("go")
}

func TestATourMovesASlider(t *testing.T) {
	var floors []float64
	d, _ := newDriver(t, 1, 150, 42, func(o *Options, f *fakeCorpus) {
		touringOn(t, "type limits\nkey enter\nset similarity_floor .1\nset mode chunk\nset top_k 7", nil)(o, f)
		o.Tour.Stays = true
	})
	for d.tour().IsOn() && d.now < time.Minute {
		d.pass(20 * time.Millisecond)
		if f := d.session().Params().SimilarityFloor; len(floors) == 0 || floors[len(floors)-1] != f {
			floors = append(floors, f)
		}
	}
	d.playOut()
	if len(floors) < 4 || floors[0] != .3 || floors[len(floors)-1] != .1 || !slices.IsSortedFunc(floors, func(a, b float64) int {
		return int(1000 * (b - a))
	}) {
		t.Errorf("the floor went by %v", floors)
	}
	if p := d.session().Params(); p.Mode != "chunk" || p.TopK != 7 {
		t.Errorf("mode %s, top_k %d", p.Mode, p.TopK)
	}
}

func TestATourSaysWhatItMissed(t *testing.T) {
	d, _ := newDriver(t, 1, 100, 30, touringOn(t, "type limits\nkey enter\nselect \"no such thing\"\nwait 1m", nil))
	d.pass(20 * time.Second)
	d.mustShow("tour, line 3: no result is called so")
	if len(d.tour().Missed()) != 1 {
		t.Errorf("missed: %q", d.tour().Missed())
	}
}

func TestCheckTour(t *testing.T) {
	s, err := tour.Parse(strings.NewReader("wait 1s\nrun tune.opn"))
	if err != nil {
		t.Fatal(err)
	}
	err = CheckTour(s)
	if want := `line 2: there is no action "tune.opn" (did you mean "tune.open"?); webrag-tui keys lists them`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// A tour may be a stranger's: whatever it presses or runs, no file, clipboard,
// program or other corpus hears of it.
func TestATourStaysInTheExplorer(t *testing.T) {
	play := func(t *testing.T, steps string, direct ...tour.Step) *driver {
		t.Helper()
		s, err := tour.Parse(strings.NewReader(steps))
		if err != nil {
			t.Fatal(err)
		}
		s.Steps = append(s.Steps, direct...)
		left := func(what string) { t.Errorf("the tour reached %s", what) }
		d, _ := newDriver(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
			o.Tour = &s
			o.Clipboard = func(string) error { left("the clipboard"); return nil }
			o.OpenURL = func(string) error { left("the browser"); return nil }
			o.SaveProfile = func(session.Profile, bool) (string, error) { left("the profiles"); return "", nil }
			o.Index = func(context.Context, string, string, func(indexing.Progress)) (string, error) {
				left("indexing")
				return "", nil
			}
			o.OpenPlace = func(context.Context, string) (*session.Corpus, error) {
				left("another corpus")
				return nil, session.ErrNoCorpus
			}
			o.Editor = "false"
		})
		for d.tour().IsOn() && d.now < time.Minute && !d.quit {
			d.steps = 0
			d.pass(time.Second)
		}
		d.settle()
		for _, msg := range d.foreign {
			if strings.Contains(msg, "lipboard") || strings.Contains(msg, "exec") {
				t.Errorf("the tour reached the terminal with %s", msg)
			}
		}
		return d
	}
	const asked = "type limits\nkey enter\nwait 1s\n"
	for _, a := range defaultActions() {
		t.Run(a.ID, func(t *testing.T) {
			follow := []tour.Step{{Verb: tour.Run, Text: a.ID, Line: 4}}
			for _, key := range []string{"o", "u", "enter", "enter", "x", "enter"} {
				follow = append(follow, tour.Step{Verb: tour.Key, Keys: []string{key}, Line: 5})
			}
			d := play(t, asked, follow...)
			says := strings.Contains(strings.Join(d.tour().Missed(), "\n"), "line 4: run "+a.ID+": "+a.ID+" "+tour.OnlyByHand)
			if says != a.Outside {
				t.Errorf("outside %v, but the tour missed %q", a.Outside, d.tour().Missed())
			}
		})
	}
	for _, keys := range []string{
		"key W\ntype evil\nkey enter", "key E", "key o", "key y\nkey enter", "key :\ntype browser\nkey enter", "key :\ntype copy as\nkey enter",
		"view 3\nkey o\nkey y\nkey enter", "run section.links\nkey enter\nkey o",
	} {
		d := play(t, asked+keys+"\nwait 10s")
		if !strings.Contains(strings.Join(d.tour().Missed(), "\n"), tour.OnlyByHand) {
			t.Errorf("%q: the tour missed %q", keys, d.tour().Missed())
		}
	}
}

func TestCheckTourRefusesWhatLeavesTheExplorer(t *testing.T) {
	s, err := tour.Parse(strings.NewReader("wait 1s\nrun tune.save"))
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckTour(s); err == nil || err.Error() != "line 2: tune.save "+tour.OnlyByHand {
		t.Errorf("got %v", err)
	}
}
