package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// openTune opens the tune pane on the guide.
func openTune(t testing.TB, w, h int, preset, keys string) *driver {
	t.Helper()
	return openGuide(t, w, h, preset, depthQuestion, "t "+keys)
}

// selectParameter puts the cursor on a parameter by its keys.
func (d *driver) selectParameter(field string) {
	d.t.Helper()
	d.press("g")
	for range 100 {
		if d.tune().Parameter() == field {
			return
		}
		d.press("j")
	}
	d.t.Fatalf("no row for %s", field)
}

func (d *driver) value(field string) string { return d.session().Params().Get(field) }

func (d *driver) mustBe(field, want string) {
	d.t.Helper()
	if got := d.value(field); got != want {
		d.t.Fatalf("%s is %s, want %s\n%s", field, got, want, d.screen())
	}
}

func TestTuneSteps(t *testing.T) {
	d := openTune(t, 120, 40, "webrag", "")
	d.mustShow("PASSAGES", "floor", ".300", "similarity_floor", "preset webrag")
	for _, c := range []struct{ keys, want string }{
		{"right", "0.31"},
		{"l l", "0.33"},
		{"left", "0.32"},
		{"h", "0.31"},
		{"shift+right", "0.41"},
		{"L", "0.51"},
		{"H shift+left", "0.31"},
		{"backspace", "0.3"},
	} {
		d.press(c.keys)
		d.mustBe("similarity_floor", c.want)
	}
	d.press("right")
	d.mustShow("default .300", "changed here", "webrag*")
	d.press("u")
	d.mustBe("similarity_floor", "0.3")
	d.press("ctrl+r")
	d.mustBe("similarity_floor", "0.31")
	d.press("esc")
	if d.showsTune() || d.focus() != paneResults {
		t.Error("esc does not close the tune pane")
	}
}

func TestTuneReranksAtOnce(t *testing.T) {
	d := openTune(t, 120, 40, "webrag", "")
	before := shownIDs(d)
	d.send(keyOf("L")) // nothing settles: no command has run
	if after := shownIDs(d); len(after) >= len(before) {
		t.Errorf("%d sections above a floor of .4, %d above .3", len(after), len(before))
	}
}

// The jumps go to values around which the ranking is another one, and say why.
func TestTuneJumps(t *testing.T) {
	d := openTune(t, 120, 40, "webrag", "")
	start := d.session().Params()
	at := func(value string) []string {
		p := start
		if err := p.Set("similarity_floor", value); err != nil {
			t.Fatal(err)
		}
		r, _ := d.session().Evidence().Rank(p, retrieval.Options{})
		var ids []string
		for i := range r.Items {
			ids = append(ids, r.Items[i].ChunkID)
		}
		return ids
	}
	for range 3 {
		before := shownIDs(d)
		d.press("]")
		now := shownIDs(d)
		if slices.Equal(before, now) {
			t.Fatalf("nothing changed at %s", d.value("similarity_floor"))
		}
		if len(before) != len(now)+1 {
			t.Fatalf("%d sections left at once", len(before)-len(now))
		}
		d.mustShow("at "+listValue(t, d.value("similarity_floor")), "leaves")
	}
	up := d.value("similarity_floor")
	d.press("[")
	if down := d.value("similarity_floor"); slices.Equal(at(down), at(up)) || down >= up {
		t.Errorf("from %s down to %s the ranking is the same", up, down)
	}
	d.mustShow("enters")
	d.press("u u u u")
	d.mustBe("similarity_floor", "0.3")
	d.press("G")
	d.selectParameter("require_owner")
	d.press("]")
	d.mustShow("no further change to the right")
}

// listValue is a number between 0 and 1 as lists show it.
func listValue(t *testing.T, value string) string {
	t.Helper()
	s, _ := param.SpecOf("similarity_floor")
	return s.Shown(value)
}

// What was found out with other parameters is not what holds now.
func TestTuneTracksFollow(t *testing.T) {
	d := openTune(t, 120, 40, "webrag", "")
	d.selectParameter("depth_decay_rate")
	d.mustShow("passes")
	d.change("similarity_floor", "0.99")
	d.press("j k") // the change came past the keys
	d.mustNotShow("passes")
	d.mustShow("no value changes this ranking")
	d.press("]")
	d.mustBe("depth_decay_rate", "0.05")
	d.press("u")
	d.mustShow("passes")
}

// A jump before the track is known waits for it.
func TestTuneJumpWaits(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	d.send(keyOf("t"))
	d.send(keyOf("]"))
	d.mustBe("similarity_floor", "0.3")
	d.settle()
	if d.value("similarity_floor") == "0.3" {
		t.Error("the jump was forgotten")
	}
}

func TestTuneTypes(t *testing.T) {
	d := openTune(t, 120, 40, "webrag", "")
	d.press("enter")
	d.mustShow("similarity_floor", "Up to 1 of this corpus's scale, or off", "enter set")
	d.press("ctrl+u '3' enter")
	d.mustShow(`"3" must be between -1 and 1`)
	d.press("ctrl+u '0.123' enter")
	d.mustBe("similarity_floor", "0.123")
	d.selectParameter("budget_policy")
	d.press("enter j enter")
	d.mustBe("budget_policy", "skip")
	d.press("left")
	d.mustBe("budget_policy", "stop")
	d.press("space esc")
	d.mustBe("budget_policy", "stop")
}

func TestTuneAsksTheCorpus(t *testing.T) {
	d := openTune(t, 120, 40, "webrag", "G enter")
	d.mustShow(d.styles().Signs.Unfolded + " not used by webrag")
	d.selectParameter("keyword_weight")
	d.mustShow("values from .050 on ask the corpus")
	d.press("]")
	d.mustShow("no further change to the right; values from .050 on ask the corpus")
	d.press("[")
	d.mustShow("no further change to the left")
	d.mustNotShow("to the left; values") // of the other side
	before := shownIDs(d)
	d.send(keyOf("L"))
	d.mustShow("asks the corpus …")
	if !slices.Equal(shownIDs(d), before) {
		t.Error("what is shown changed before the corpus was asked")
	}
	d.settle()
	d.mustNotShow("asks the corpus …")
	if d.session().Result().KeywordFound == 0 {
		t.Error("no keywords were searched")
	}
	d.press("G k space")
}

func TestTuneFold(t *testing.T) {
	d := openTune(t, 200, 60, "webrag", "")
	d.mustShow("not used by webrag")
	d.mustNotShow("KEYWORDS")
	d.press("G enter")
	d.mustShow("not used by webrag", "KEYWORDS", "match")
	// What was changed there stays in sight when the rest is folded again.
	d.selectParameter("recency_half_life")
	d.press("left G")
	for d.tune().Parameter() != "" {
		d.press("k")
	}
	d.press("space")
	d.mustShow("half-life")
	d.mustNotShow("KEYWORDS")
}

func TestTuneMouse(t *testing.T) {
	d := openTune(t, 150, 42, "webrag", "")
	s, _ := d.place().Slot(paneTune)
	drawn := func() []string { return d.tune().Draw(s.Body.Dx(), s.Body.Dy(), true) }
	spec, _ := param.SpecOf("depth_decay_rate")
	y := slices.IndexFunc(drawn(), func(l string) bool { return strings.HasPrefix(ansi.Strip(l), "   "+spec.Name+"  ") })
	if y < 0 {
		t.Fatalf("no row for %s in\n%s", spec.Name, d.screen())
	}
	row := ansi.Strip(drawn()[y])
	signs := &d.styles().Signs
	from := ansi.StringWidth(row[:strings.IndexAny(row, signs.Track+signs.Handle+signs.Tick)])
	end := ansi.StringWidth(strings.TrimRight(row, " ")) - 1
	d.send(tea.MouseClickMsg{X: s.Body.Min.X + end, Y: s.Body.Min.Y + y, Button: tea.MouseLeft})
	d.settle()
	d.mustBe("depth_decay_rate", "1")
	d.send(tea.MouseClickMsg{X: s.Body.Min.X + from, Y: s.Body.Min.Y + y, Button: tea.MouseLeft})
	d.settle()
	d.mustBe("depth_decay_rate", "0")
	// On its name it is selected, no more.
	d.send(tea.MouseClickMsg{X: s.Body.Min.X + 4, Y: s.Body.Min.Y + y - 1, Button: tea.MouseLeft})
	d.settle()
	d.mustBe("depth_decay_rate", "0")
	top := drawn()[0]
	d.send(tea.MouseWheelMsg{X: s.Body.Min.X + 4, Y: s.Body.Min.Y + 3, Button: tea.MouseWheelDown})
	d.settle()
	if drawn()[0] == top {
		t.Error("the wheel does not scroll the tune pane")
	}
}

func TestTuneCopiesEnv(t *testing.T) {
	var text string
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		onGuide(t, "webrag", depthQuestion)(o, f)
		o.Clipboard = func(s string) error { text = s; return nil }
	}, "t right y")
	// The floor is on the corpus's scale, and other programs know no such thing.
	floor := d.session().Result().Floor
	want := fmt.Sprintf("RETRIEVAL_SIMILARITY_FLOOR=%v\n", floor.Cosine())
	if floor.Setting != 0.31 || floor.Cosine() == 0.31 || !strings.Contains(text, want) || !strings.Contains(text, "RETRIEVAL_FLOOR_SCALE=raw\n") ||
		!strings.Contains(text, "RETRIEVAL_MODE=auto\n") {
		t.Errorf("copied %q with the floor %+v", text, floor)
	}
	d.mustShow("copied the .env block")
}

func TestTunePresets(t *testing.T) {
	d := openTune(t, 120, 40, "webrag", "right p")
	d.mustShow("Start from", "Fuse keyword and vector ranks")
	d.mustShow("type to narrow")
	d.press("'ranks' enter") // a word of what it does
	want, _ := param.Preset("hybrid")
	if d.session().Params() != want || d.session().Name() != "hybrid" {
		t.Fatalf("started from %s", d.session().Name())
	}
	d.mustShow("KEYWORDS", "preset hybrid")
	d.press("u")
	d.mustBe("similarity_floor", "0.31")
	if d.session().Name() != "webrag*" {
		t.Errorf("undone to %s", d.session().Name())
	}
	d.press("u u")
	d.mustBe("similarity_floor", "0.3")
}

// kept is a place for profiles in memory.
type kept struct {
	profiles []session.Profile
	err      error
}

func (k *kept) options(t *testing.T) func(*Options, *fakeCorpus) {
	return func(o *Options, f *fakeCorpus) {
		onGuide(t, "webrag", depthQuestion)(o, f)
		o.Origin = func(field string) string {
			if field == "similarity_floor" {
				return "config.toml:12"
			}
			return "preset webrag"
		}
		o.Profiles = func() ([]session.Profile, error) { return append(session.Presets(), k.profiles...), k.err }
		o.SaveProfile = func(p session.Profile, replace bool) (string, error) {
			at := slices.IndexFunc(k.profiles, func(q session.Profile) bool { return q.Name == p.Name })
			switch {
			case p.Name == "bad":
				return "", errors.New("the folder is read-only")
			case at < 0:
				k.profiles = append(k.profiles, p)
			case !replace:
				return "", session.ErrProfileExists
			default:
				k.profiles[at] = p
			}
			return "profiles/" + p.Name + ".toml", nil
		}
	}
}

func TestTuneSavesAProfile(t *testing.T) {
	var k kept
	d := drive(t, 1, 120, 40, k.options(t), "t")
	d.mustShow(".300, config.toml:12")
	d.press("right W")
	d.mustShow("Save the live parameters as profile", "enter save")
	d.press("enter")
	d.mustShow("a profile has a name")
	d.press("'tight' enter")
	d.mustShow("saved as profiles/tight.toml", "Tune  tight ", ".310, profile tight")
	if len(k.profiles) != 1 || k.profiles[0].Params.SimilarityFloor != .31 || k.profiles[0].Base != "webrag" {
		t.Fatalf("saved %+v", k.profiles)
	}
	// Another of this name is not replaced without a word.
	d.press("right W enter")
	d.mustShow("There is a profile tight already")
	if k.profiles[0].Params.SimilarityFloor != .31 {
		t.Fatal("it was replaced")
	}
	d.press("enter")
	d.mustShow("Save the live parameters as profile")
	d.press("enter r")
	if k.profiles[0].Params.SimilarityFloor != .32 {
		t.Error("it was not replaced")
	}
	d.press("W ctrl+u 'bad' enter")
	d.mustShow("Save the live parameters as profile", "the folder is read-only")
	d.press("q")
	if d.quit || d.top() == nil {
		t.Error("what is typed after a refused name runs as commands")
	}
}

func TestTuneStartsFromAProfile(t *testing.T) {
	p, _ := param.Preset("hybrid")
	p.KeywordWeight = .8
	k := kept{profiles: []session.Profile{
		{Name: "words\x1b[31m", Base: "hybrid", Note: "preset hybrid with 1 parameter changed", Params: p, Origin: func(string) string { return "profile words" }},
		{Name: "broken", Problem: errors.New("params.top_k: must be a whole number")},
	}}
	d := drive(t, 1, 120, 40, k.options(t), "t p")
	d.mustShow("words", "broken")
	d.press("down down down down down down down down")
	d.mustShow("must be a whole number")
	d.press("up up up up up up up up up down down down down down down enter")
	if d.session().Params() != p {
		t.Fatalf("started from %s", d.session().Name())
	}
	d.selectParameter("keyword_weight")
	d.mustShow(".800, profile words")
	// What it is compared with is that from which another start was chosen.
	if got := d.session().Baseline().Name; got != "webrag" {
		t.Errorf("compared with %s", got)
	}
	// What is saved from it keeps the preset that it was made from.
	d.press("right W ctrl+u 'more' enter")
	if n := len(k.profiles); n != 3 || k.profiles[n-1].Base != "hybrid" {
		t.Errorf("saved %+v", k.profiles)
	}
	k.err = errors.New("no such folder")
	d.press("p")
	d.mustShow("the profiles could not be read: no such folder", "Start from")
}

// Whatever is pressed in the tune pane, the parameters are valid, and undoing all of
// it gives the start.
func TestTuneStaysValid(t *testing.T) {
	keys := []string{
		"left", "right", "h", "l", "shift+left", "shift+right", "H", "L", "[", "]", "backspace", "u", "ctrl+r", "s",
		"up", "down", "j", "k", "pgup", "pgdown", "g", "G", "enter", "space", "esc", "t", "tab", "1", "9", ".", "p", "y",
	}
	d := openGuide(t, 80, 24, "webrag", depthQuestion, "t")
	start, shown := d.session().Params(), shownIDs(d)
	rapid.Check(t, func(rt *rapid.T) {
		for range rapid.IntRange(1, 14).Draw(rt, "keys") {
			key := rapid.SampledFrom(keys).Draw(rt, "key")
			d.send(keyOf(key))
			d.steps = 0
			if rapid.IntRange(0, 9).Draw(rt, "settle") == 0 {
				d.settle()
			}
			if err := d.session().Params().Validate(); err != nil {
				rt.Fatalf("after %s: %v", key, err)
			}
			fits(rt, d)
		}
		for d.dialogs() > 0 {
			d.send(keyOf("esc"))
		}
		d.settle()
		for work, ok := d.session().Undo(); ok; work, ok = d.session().Undo() {
			d.push(d.retuned(work))
		}
		d.settle()
		if d.session().Params() != start || d.session().Name() != "webrag" || !slices.Equal(shownIDs(d), shown) {
			rt.Fatalf("undone: %s %+v", d.session().Name(), d.session().Params())
		}
		if !d.showsTune() {
			d.press("t")
		}
	})
}
