package tune

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
	"github.com/webrag/webrag-tui/ui/widget"
)

// opened is the pane of a preset's parameters, w by h cells.
func opened(t *testing.T, preset string, w, h int) (*View, *viewtest.Shell) {
	t.Helper()
	p, ok := param.Preset(preset)
	if !ok {
		t.Fatalf("no preset %s", preset)
	}
	s := viewtest.New(t)
	s.Of = session.New(session.Setting{Name: preset, Params: p}, nil)
	v := New(s, Needs{
		Profiles: &session.Profiles{},
		Changed:  func([]session.Work) tea.Cmd { return nil },
	})
	v.SetSize(w, h)
	v.Open()
	return v, s
}

// The words of a row are those that are drawn, whatever the row.
func TestSaidIsWhatIsDrawn(t *testing.T) {
	v, s := opened(t, param.PresetWebRAG, 60, 24)
	v.GoTo(param.FieldSimilarityFloor)
	if got := v.Said(); got != "floor, .300" {
		t.Errorf("said %q", got)
	}
	v.step(1, false)
	if got := v.Said(); got != "floor, .310*" {
		t.Errorf("changed, said %q", got)
	}
	v.Move(widget.Home)
	for range v.rows {
		drawn := strings.Join(v.Draw(60, 24, true), "\n")
		for part := range strings.SplitSeq(v.Said(), ", ") {
			if part != "folded" && !strings.Contains(ansi.Strip(drawn), part) {
				t.Errorf("%q is said and not drawn:\n%s", part, ansi.Strip(drawn))
			}
		}
		v.Move(widget.Down)
	}
	v.Move(widget.End)
	if got := v.Said(); !strings.HasPrefix(got, "folded, not used by webrag (") {
		t.Errorf("said %q", got)
	}
	v.typeValue()
	if got := v.Said(); !strings.HasPrefix(got, "unfolded, not used by webrag (") || v.Parameter() != "" {
		t.Errorf("said %q", got)
	}
	if len(s.Pushed) > 0 {
		t.Error("folding asks for a value")
	}
}

// A profile is known once it is saved, and of one name there are no two.
func TestSavingAProfile(t *testing.T) {
	v, s := opened(t, "hybrid", 60, 24)
	var saved []session.Profile
	v.needs.Save = func(p session.Profile, replace bool) (string, error) {
		if slices.ContainsFunc(saved, func(q session.Profile) bool { return q.Name == p.Name }) && !replace {
			return "", session.ErrProfileExists
		}
		saved = append(saved, p)
		return "there", nil
	}
	v.SetValue(param.FieldSimilarityFloor, "0.5")
	these := kept{params: s.Of.Params(), start: s.Of.Start(), note: "why"}
	saving{v}.saveProfile("mine", these, false, nil)().(view.Arrival).Apply()
	if len(saved) != 1 || saved[0].Note != "why" || saved[0].Base != "hybrid" || saved[0].Params.SimilarityFloor != .5 || !slices.Contains(s.Saids, "saved as there") {
		t.Fatalf("saved %+v, said %q", saved, s.Saids)
	}
	if got := s.Of.Start().Name; got != "mine" || v.needs.Profiles.Origin("mine", "top_k") != "profile mine" {
		t.Errorf("the parameters start from %s, of %q", got, v.needs.Profiles.Origin("mine", "top_k"))
	}
	saving{v}.saveProfile("mine", these, false, nil)().(view.Arrival).Apply()
	if len(saved) != 1 || len(s.Pushed) != 1 {
		t.Fatalf("saved %d, asked %d times", len(saved), len(s.Pushed))
	}
	s.Pushed[0].(*view.Chooser).Then("replace")().(view.Arrival).Apply()
	if len(saved) != 2 {
		t.Error("it was not replaced")
	}
}

// Of two readings of the profiles the later one is shown, and none while something else
// has the keys.
func TestProfilesThatComeLate(t *testing.T) {
	v, s := opened(t, "hybrid", 60, 24)
	taken := false
	v.needs.IsTaken = func() bool { return taken }
	v.needs.Read = func() ([]session.Profile, error) { return session.Presets(), nil }
	first, second := v.chooseProfile(), v.chooseProfile()
	first().(view.Arrival).Apply()
	if len(s.Pushed) > 0 {
		t.Error("an older reading is shown")
	}
	taken = true
	second().(view.Arrival).Apply()
	if len(s.Pushed) > 0 {
		t.Error("it is shown over what has the keys")
	}
	taken = false
	second().(view.Arrival).Apply()
	if len(s.Pushed) != 1 {
		t.Error("it is not shown")
	}
}

// No number stands on the pane for what is none, nor in what asks for a value.
func TestSentinelsAreSaidInWords(t *testing.T) {
	v, _ := opened(t, param.PresetWebRAG, 60, 400)
	p := v.Session().Params()
	words := map[string]string{}
	for _, s := range param.Specs() {
		if special, end := s.Special(); end != 0 {
			if err := p.Set(s.Field, special); err != nil {
				t.Fatal(err)
			}
			words[s.Name], _ = s.Word(special)
		}
	}
	v.Set(p, "")
	v.unfolded = true
	drawn := ansi.Strip(strings.Join(v.Draw(60, 400, true), "\n"))
	for name, word := range words {
		if !slices.ContainsFunc(strings.Split(drawn, "\n"), func(l string) bool {
			return strings.Contains(strings.Join(strings.Fields(l), " "), name+" "+word)
		}) {
			t.Errorf("no row says %q of %q:\n%s", word, name, drawn)
		}
	}
	for _, s := range param.Specs() {
		v.GoTo(s.Field)
		drawn := ansi.Strip(strings.Join(v.Draw(60, 40, true), "\n"))
		for _, sentinel := range []string{"2147", "-1"} {
			if strings.Contains(drawn, sentinel) {
				t.Errorf("%s: %q stands in\n%s", s.Name, sentinel, drawn)
			}
		}
	}
}
