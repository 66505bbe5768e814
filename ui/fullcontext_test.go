package ui

import (
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// wholeGuide is the guide where it fits and is sent whole.
func wholeGuide(t *testing.T, query string) func(*Options, *fakeCorpus) {
	guide := onGuide(t, "webrag", query)
	return func(o *Options, f *fakeCorpus) {
		guide(o, f)
		o.Params.FullContextThreshold = 30_000
	}
}

// Out of full context leads one key, and back the usual one.
func TestSearchInPlaceOfFullContext(t *testing.T) {
	d := drive(t, 1, 120, 40, wholeGuide(t, depthQuestion), "")
	if d.session().Result().Mode != param.ModeFullContext {
		t.Fatalf("mode %s", d.session().Result().Mode)
	}
	d.mustShow("the whole corpus fits: it is sent whole, nothing is ranked. X searches it", "X search it")
	d.press("j k")
	d.mustShow("nothing is ranked. X searches it") // it does not fade
	d.press("t")
	if d.tune().Parameter() != "mode" {
		t.Errorf("the tune pane opens on %s", d.tune().Parameter())
	}
	d.press("esc X")
	if d.session().Result().Mode != param.ModeChunk || d.session().Params().Mode != param.ModeChunk {
		t.Fatalf("mode %s", d.session().Result().Mode)
	}
	d.mustNotShow("nothing is ranked")
	d.press("X")
	d.mustShow("searched already")
	d.press("u")
	if d.session().Result().Mode != param.ModeFullContext {
		t.Errorf("taken back, mode %s", d.session().Result().Mode)
	}
	for _, words := range []string{"chunk", "full context", "rank whole"} {
		d.press(": '" + words + "'")
		if s := d.screen(); !strings.Contains(s, "Search in place of full context") {
			t.Errorf("the palette does not find it by %q:\n%s", words, s)
		}
		d.press("esc")
	}
	drive(t, 1, 120, 40, nil, "esc X").mustShow("ask a query first")
}

// What an earlier session left changed is said until the first key or the first question.
func TestRestoredParametersAreSaidOnce(t *testing.T) {
	guide := onGuide(t, "webrag", "")
	first := drive(t, 1, 120, 40, placed(guide, depthQuestion), "")
	first.change("depth_decay_rate", "0.3")
	d := again(t, first, placed(guide, ""), "")
	d.mustShow("as you left it: 1 parameter changed; u takes that back")
	d.press("j")
	d.mustNotShow("as you left it")
	d.press("u")
	d.mustBe("depth_decay_rate", "0.05")
	d = again(t, first, placed(guide, ""), "")
	d.mustShow("as you left it: 1 parameter changed")
	d.ask("what is a similarity floor")
	d.mustNotShow("as you left it")
}

// The guide wants a lower threshold than other corpora, which comes and goes with
// it, and is no part of a profile.
func TestParametersSuitTheCorpus(t *testing.T) {
	k := kept{}
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		(&missing{made: true}).change(o, f)
		o.Query, o.Preset, o.Resume = "decay", "webrag", true
		o.Params, _ = param.Preset("webrag")
		o.Adapt = func(place string, p session.Profile) session.Profile {
			if place == "guide:" {
				p.Params.FullContextThreshold = guideThreshold
				p.Origin = func(string) string { return "the demo" }
			}
			return p
		}
		o.SaveProfile = func(p session.Profile, _ bool) (string, error) {
			k.profiles = append(k.profiles, p)
			return "here", nil
		}
	}, "")
	whole := d.session().Params().FullContextThreshold
	d.change("top_k", "9")
	d.press(": 'switch to another' enter 'guide' enter")
	d.mustShow("opened guide:")
	if p := d.session().Params(); p.FullContextThreshold != guideThreshold || p.TopK != 0 || p.FullContextThreshold != d.session().Start().Params.FullContextThreshold {
		t.Errorf("on the guide %+v", p)
	}
	if got := d.profiles().Origin(d.session().Start().Name, "full_context_threshold"); got != "the demo" {
		t.Errorf("its threshold comes from %q", got)
	}
	d.change("top_k", "7")
	d.press("esc W 'mine' enter")
	if len(k.profiles) != 1 || k.profiles[0].Params.FullContextThreshold != whole || k.profiles[0].Params.TopK != 7 {
		t.Fatalf("saved %+v", k.profiles)
	}
	if d.session().Params().FullContextThreshold != guideThreshold || d.session().Name() != "mine" {
		t.Errorf("after saving, %s has %d", d.session().Name(), d.session().Params().FullContextThreshold)
	}
	d.press(": 'switch to another' enter 'made' enter")
	if p := d.session().Params(); p.FullContextThreshold != whole || p.TopK != 9 || p.FullContextThreshold != d.session().Start().Params.FullContextThreshold {
		t.Errorf("on another corpus %+v", p)
	}
	d.press("u")
	if p := d.session().Params(); p.FullContextThreshold != whole {
		t.Errorf("what is undone keeps the guide's threshold: %+v", p)
	}
}

// A slash in an empty query line is the habit of asking, no part of the query.
func TestSlashInAnEmptyQueryLine(t *testing.T) {
	d := drive(t, 1, 120, 40, nil, "'/how a/b'")
	if got := d.query(); got != "how a/b" {
		t.Errorf("the query is %q", got)
	}
}

func TestPaletteSaysNamesFirst(t *testing.T) {
	t.Parallel()
	for _, w := range []int{120, 50} {
		drive(t, 1, w, 24, nil, "esc : 'snapshot: rest'").mustShow("Snapshot: Rest")
	}
	d := drive(t, 1, 120, 40, (&missing{}).change, ": 'open a corpus' enter")
	d.mustShow("Open a corpus", "the address of a PostgreSQL database")
}

// What is searched in place of full context is compared with the start as if that searched,
// too: against the order in which all is read, no rank says anything.
func TestLeavingFullContextComparesWithNothing(t *testing.T) {
	d := drive(t, 1, 140, 40, wholeGuide(t, depthQuestion), "X")
	d.settle()
	if c := d.session().Difference(); c == nil || !c.IsIdentical() {
		t.Errorf("compared: %+v", c)
	}
	d.mustShow("nothing to compare: only the mode differs")
	d.mustNotShow("against webrag", "▲", "▼", " new ")
	d.change("depth_decay_rate", "0.3")
	d.mustShow("against webrag (chunk mode)", "same ranks, other scores")
	// What was pinned of all that there is stays, and is not compared with either.
	d.press("u u s X")
	d.settle()
	d.mustShow("against earlier webrag", "one sends the whole corpus, unranked: not compared")
	d.mustNotShow("▲", "▼", " new ")
}
