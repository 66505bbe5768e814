package whynot

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// asking is a view of a session whose query was answered by items, with one of them
// selected, or none.
func asking(t *testing.T, selected *retrieval.Item, elsewhere whynot.Target) (*View, *viewtest.Shell) {
	t.Helper()
	s := viewtest.New(t)
	s.Of.Take(&session.Corpus{}, nil)
	return New(s, Needs{
		Selected: func() *retrieval.Item { return selected },
		Target:   func() (whynot.Target, bool) { return elsewhere, elsewhere != whynot.Target{} },
		Close:    func(view.Dialog) {},
		Left:     func() tea.Cmd { return nil },
	}), s
}

// drawn is what the last dialog shows.
func drawn(s *viewtest.Shell) string {
	return ansi.Strip(strings.Join(s.Pushed[len(s.Pushed)-1].Draw(s.Look, 100, 20), "\n"))
}

// What w asks about is the selected section where that is missing, else what is selected
// elsewhere, else whatever is picked: with what is there as the first of it.
func TestWhatIsAskedAbout(t *testing.T) {
	missing := &retrieval.Item{ChunkID: "low", Why: &retrieval.Drop{}}
	there := &retrieval.Item{ChunkID: "top", Title: "Trees", Rank: 1}
	elsewhere := whynot.Target{ChunkID: "fell"}
	for _, c := range []struct {
		name      string
		selected  *retrieval.Item
		elsewhere whynot.Target
		verb      string
		want      string
	}{
		{"missing", missing, elsewhere, "why, and let it in", ""},
		{"there", there, elsewhere, "", "the selected section: why it is here"},
		{"elsewhere", nil, elsewhere, "", ""},
		{"nothing", nil, whynot.Target{}, "", "reading the names of the sections"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, s := asking(t, c.selected, c.elsewhere)
			if got := v.verb(); got != c.verb {
				t.Errorf("the key says %q, want %q", got, c.verb)
			}
			if c.want == "" { // it is looked into at once, which nobody can before a query
				v.askSelected()
				if len(s.Pushed) > 0 || len(s.Saids) != 1 || !strings.Contains(s.Saids[0], "ask a query first") {
					t.Errorf("said %q with %d dialogs", s.Saids, len(s.Pushed))
				}
				return
			}
			v.askSelected()
			if got := drawn(s); !strings.Contains(got, c.want) {
				t.Errorf("%q is not in\n%s", c.want, got)
			}
		})
	}
}

// Of two listings only the later one counts, and what could not be listed says so.
func TestListings(t *testing.T) {
	v, s := asking(t, nil, whynot.Target{})
	v.Pick()
	list := func() tea.Cmd {
		return v.takeList(session.Done{Kind: session.KindSections, Read: session.Read{List: someSections()}})
	}
	early := list()
	v.Pick() // lists anew
	arrive(early)
	if v.entries != nil {
		t.Error("a listing that was overtaken counts")
	}
	arrive(list())
	if got := drawn(s); !strings.Contains(got, "In depth") {
		t.Errorf("nothing is listed:\n%s", got)
	}
	v.Pick()
	v.takeList(session.Done{Kind: session.KindSections, Err: errors.New("gone\x1b[31m\nat line 2")})
	if got := drawn(s); !strings.Contains(got, "could not be listed: gone") {
		t.Errorf("it does not say that it failed:\n%s", got)
	}
}

// arrive does what a command brings.
func arrive(cmd tea.Cmd) {
	if msg, ok := cmd().(view.Arrival); ok {
		msg.Apply()
	}
}

// Matching many names ends as soon as something else is typed.
func TestMatchingEndsWhenMoreIsTyped(t *testing.T) {
	v, _ := asking(t, nil, whynot.Target{})
	v.Pick()
	few := someEntries().all
	many := &catalogue{}
	for len(many.all) <= matchedAtOnce {
		many.all = append(many.all, few...)
	}
	v.shown.picker.entries = many
	for _, text := range []string{"dep", "rkgdcy"} {
		v.shown.picker.input.Set(text)
		v.shown.picker.rows = nil
		early := v.narrow(v.shown)
		late := v.narrow(v.shown)
		if arrive(early); len(v.shown.picker.rows) != 0 {
			t.Errorf("%q was typed over, and %d are listed", text, len(v.shown.picker.rows))
		}
		if arrive(late); len(v.shown.picker.rows) == 0 {
			t.Errorf("%q lists nothing", text)
		}
		if n := len(many.match(t.Context(), text, nil).at); n != matchesMost {
			t.Errorf("%q finds %d", text, n)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if n := len(many.match(ended, text, nil).at); n != 0 {
			t.Errorf("%q was given up, and %d are found", text, n)
		}
	}
}

// What lets a section in is done for the query that it was found for alone.
func TestAChangeForAnotherQueryIsNotMade(t *testing.T) {
	v, s := asking(t, nil, whynot.Target{})
	for _, found := range []session.Done{{Query: "other", Err: errors.New("gone")}, {Query: "other"}} {
		if v.admitted(found); len(s.Saids) > 0 {
			t.Errorf("said %q", s.Saids)
		}
	}
	if v.admitted(session.Done{}); len(s.Saids) != 1 {
		t.Errorf("of this query it said %q", s.Saids)
	}
}

// A suggestion can be gone through, opened and left, whatever the report has.
func TestEveryKeyOfTheReport(t *testing.T) {
	v, s := asking(t, nil, whynot.Target{})
	v.Pick()
	d := v.shown
	d.show(whynot.Report{Meant: 2, Others: []whynot.TargetChunk{{ChunkID: "b"}}, Suggestions: []whynot.Suggestion{{Rank: 1}, {Rank: 2}}})
	d.result = &retrieval.Result{}
	for _, key := range []tea.KeyPressMsg{{Code: 'j', Text: "j"}, {Code: 'j', Text: "j"}, {Code: tea.KeySpace, Text: " "}, {Code: 'G', Text: "G"}, {Code: 'g', Text: "g"}, {Code: 'k', Text: "k"}} {
		if answer := d.Handle(key); answer.Closed || answer.Then != nil {
			t.Errorf("%s leaves the report", key)
		}
		if lines := d.Draw(s.Look, 60, 12); len(lines) != 12 {
			t.Errorf("after %s it has %d lines", key, len(lines))
		}
	}
	if answer := d.Handle(tea.KeyPressMsg{Code: 'q', Text: "q"}); !answer.Closed {
		t.Error("q does not close it")
	}
}

// Where nothing but top k limits the searches, a change of it can change ranks, and says so
// where the rank is another one; others say nothing.
func TestTopKSaysThatItSetsTheSearches(t *testing.T) {
	const said = "Top k also says how much the searches return"
	for _, c := range []struct {
		limit, from int
		field       string
		says        bool
	}{{0, 12, param.FieldTopK, true}, {0, 13, param.FieldTopK, false}, {60, 12, param.FieldTopK, false}, {0, 12, "similarity_floor", false}} {
		v, s := asking(t, nil, whynot.Target{})
		v.Pick()
		d := v.shown
		d.result, d.params.TopKChildrenLimit = &retrieval.Result{}, c.limit
		d.show(whynot.Report{
			DroppedBy:   &whynot.DroppedBy{Stage: param.StageTopK, Drop: retrieval.Drop{Rank: c.from}},
			Suggestions: []whynot.Suggestion{{Rank: 13, Changes: []whynot.Adjustment{{Change: param.Change{Field: c.field}}}}},
		})
		if text := strings.Join(d.Draw(s.Look, 100, 40), "\n"); strings.Contains(ansi.Strip(text), said) != c.says {
			t.Errorf("%+v:\n%s", c, text)
		}
	}
}
