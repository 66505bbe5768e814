package ui

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/corpus"
	"github.com/webrag/webrag-tui/ui/judge"
	"github.com/webrag/webrag-tui/ui/keys"
	"github.com/webrag/webrag-tui/ui/measure"
	"github.com/webrag/webrag-tui/ui/pipeline"
	"github.com/webrag/webrag-tui/ui/sweep"
	"github.com/webrag/webrag-tui/ui/view"
)

func TestActions(t *testing.T) {
	panes := closed().allPanes()
	actions := defaultActions()
	ids := map[string]bool{}
	for _, a := range actions {
		if ids[a.ID] {
			t.Errorf("two actions are called %s", a.ID)
		}
		ids[a.ID] = true
		if _, _, ok := strings.Cut(a.Title, ": "); !ok {
			t.Errorf("%s: the title %q is not \"Group: verb\"", a.ID, a.Title)
		}
		if !strings.HasSuffix(a.Help, ".") {
			t.Errorf("%s: the help %q is not a sentence", a.ID, a.Help)
		}
		if a.Run == nil || len(a.Contexts) == 0 {
			t.Errorf("%s does nothing", a.ID)
		}
		if a.Footer > 0 && (a.Short == "" && a.Verb == nil || len(a.Keys) == 0) {
			t.Errorf("%s is in the footer without a key or a word", a.ID)
		}
		if len(a.Keys) == 0 && !slices.ContainsFunc(a.Contexts, panes.Has) {
			t.Errorf("%s can be reached neither by a key nor through the palette", a.ID)
		}
	}
	if _, err := keys.New(actions, typing, nil); err != nil {
		t.Error(err)
	}
}

func TestKeyCollision(t *testing.T) {
	_, err := keys.New([]view.Action{
		{ID: "a", Keys: []string{"x"}, Contexts: inResults},
		{ID: "b", Keys: []string{"x"}, Contexts: inPreview},
		{ID: "c", Keys: []string{"y", "x"}, Contexts: anyPane.Expand(closed().allPanes())},
	}, typing, nil)
	if err == nil || !strings.Contains(err.Error(), `x means c in the `) {
		t.Errorf("got %v", err)
	}
}

func TestTypedCharactersAreNoKeys(t *testing.T) {
	b, err := keys.New(defaultActions(), typing, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range typing {
		for r := ' ' + 1; r < 0x17f; r++ {
			if a := b.At(c, string(r)); a != nil {
				t.Errorf("%q cannot be typed: it runs %s", r, a.ID)
			}
		}
	}
}

func TestDisabledActionSaysWhy(t *testing.T) {
	drive(t, 1, 120, 40, nil, "esc y").mustShow("nothing is selected")
}

// The keys that are pressed in the help and the footer are those of the table.
func TestFooterShowsKeysThatWork(t *testing.T) {
	for _, keys := range []string{"", "enter", "/", "f", "r"} {
		d := drive(t, 1, 150, 42, asking("decay"), keys)
		for _, h := range d.hints() {
			if h.key == "↓" {
				h.key = "down"
			}
			if !d.bound(d.context(), h.key) && (!d.atBeginning() || !d.bound(paneResults, h.key)) {
				t.Errorf("after %q the footer names %q, which does nothing", keys, h.key)
			}
		}
	}
}

// In every context, every key of every action of that context runs it.
func TestEveryActionIsReachedByItsKeys(t *testing.T) {
	ways := map[view.Context]func() *driver{
		paneResults:      func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc") },
		panePreview:      func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc tab") },
		paneScore:        func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc tab tab") },
		paneTune:         func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc t") },
		pipeline.Stages:  func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc 2") },
		pipeline.Outcome: func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc 2 tab") },
		corpus.Pages:     func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc 3") },
		corpus.Page:      func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc 3 tab") },
		judge.Candidate:  func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc 4") },
		judge.Queries:    func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc 4 tab") },
		measure.Table:    func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc 5") },
		sweep.Knobs:      func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc 6") },
		sweep.Finding:    func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc 6 tab") },
		judge.Grading: func() *driver {
			d, _ := judgingGuide(t, 150, 42, nil, "J 'mine' enter")
			return d
		},
		onWelcome: func() *driver { return drive(t, 1, 150, 42, (&missing{}).change, "") },
		onPassage: func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc tab v") },
		onQuery:   func() *driver { return drive(t, 1, 150, 42, asking("decay"), "/") },
		onFind:    func() *driver { return drive(t, 1, 150, 42, asking("decay"), "esc f") },
	}
	reached := map[string]bool{}
	for _, c := range anywhere.Expand(closed().allPanes()).And(view.Contexts{judge.Grading}) {
		way, ok := ways[c]
		if !ok {
			t.Fatalf("there is no way to %v", c)
		}
		d := way()
		if got := d.context(); got != c && c != judge.Grading {
			t.Fatalf("the way to %v leads to %v", c, got)
		}
		ran := ""
		for i := range d.actions() {
			a := &d.actions()[i]
			a.Enabled = nil
			a.Run = func() tea.Cmd { ran = a.ID; return nil }
		}
		for i := range d.actions() {
			a := &d.actions()[i]
			if !a.Contexts.Has(c) {
				continue
			}
			for _, k := range a.Keys {
				if typing.Has(c) && utf8.RuneCountInString(k) == 1 {
					continue // a character that is typed
				}
				ran = ""
				d.send(keyOf(k))
				if ran != a.ID {
					t.Errorf("%q runs %q in %v, want %s", k, ran, c, a.ID)
				}
				reached[a.ID] = true
			}
		}
	}
	for _, a := range defaultActions() {
		if len(a.Keys) > 0 && !reached[a.ID] {
			t.Errorf("no key was pressed that reaches %s", a.ID)
		}
	}
}

// A key that means something in other panes only says so; a passage is selected from the
// list, too.
func TestKeysOfOtherPanesSaySo(t *testing.T) {
	d := drive(t, 1, 150, 42, asking("decay"), "2")
	d.press("r")
	d.mustShow("r is for ")
	d.press("1 v j")
	d.mustShow("selected ")
	if !d.reader().IsSelecting() {
		t.Error("nothing is being selected")
	}
	d.press("esc")
}
