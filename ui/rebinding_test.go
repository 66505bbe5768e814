package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/ui/keys"
	"pgregory.net/rapid"
)

func table(pairs ...string) []keys.Rebinding {
	var t []keys.Rebinding
	for i := 0; i < len(pairs); i += 2 {
		t = append(t, keys.Rebinding{Name: pairs[i], Keys: strings.Fields(pairs[i+1]), Origin: "config.toml:" + string(rune('1'+i/2))})
	}
	return t
}

func TestKeysFollowTheUsersTable(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		asking("decay")(o, f)
		o.Keys = table("results.flat", "o ctrl+g", "url.open", "", "help.show", "f1", "section.edit", "", "r", "")
	}, "r")
	if d.list().IsFlat() {
		t.Fatal("r still does what it did")
	}
	d.press("o")
	if !d.list().IsFlat() {
		t.Fatal("o does not list by rank")
	}
	d.press("ctrl+g")
	if d.list().IsFlat() {
		t.Fatal("ctrl+g does not group by page")
	}
	// The footer, the help and the palette name the keys that hold.
	d.mustShow("o by rank", "f1 keys")
	d.press("f1")
	d.mustShow("All keys")
	for range 40 {
		if strings.Contains(d.screen(), "o ctrl+g") {
			break
		}
		d.press("j")
	}
	d.mustShow("o ctrl+g")
	d.press("esc : 'by page or by rank'")
	if line := lineWith(d.screen(), "By page or by rank"); !strings.Contains(line, " o ") {
		t.Errorf("the palette says %q", line)
	}
}

// A sentence that names a key names the one that holds, or the palette's way.
func TestSentencesNameTheKeysThatHold(t *testing.T) {
	failing := func(keys ...string) func(*Options, *fakeCorpus) {
		return func(o *Options, f *fakeCorpus) {
			asking("fail")(o, f)
			o.Keys = table(keys...)
		}
	}
	drive(t, 1, 120, 40, failing(), "").mustShow("E shows the details")
	drive(t, 1, 120, 40, failing("section.edit", "f4"), "").mustShow("f4 shows the details")
	drive(t, 1, 120, 40, failing("section.edit", ""), "").mustShow(": Section: Open in the editor shows")
}

func TestLinesThatFadeNameTheKeysThatHold(t *testing.T) {
	rebound := func(o *Options, f *fakeCorpus) {
		asking("decay")(o, f)
		o.Keys = table("snapshot.take", "ctrl+s")
	}
	drive(t, 1, 120, 40, asking("decay"), ": 'snapshot restore' enter").mustShow("S takes one")
	drive(t, 1, 120, 40, rebound, ": 'snapshot restore' enter").mustShow("ctrl+s takes one")
	drive(t, 1, 120, 40, rebound, ": 'snapshot restore'").mustShow("ctrl+s takes one")
}

func lineWith(screen, words string) string {
	for line := range strings.Lines(screen) {
		if strings.Contains(line, words) {
			return line
		}
	}
	return ""
}

func TestMistakesInATableOfKeys(t *testing.T) {
	for _, c := range []struct {
		table []keys.Rebinding
		want  string
	}{
		{table("results.flod", "x"), `config.toml:1: keys.results.flod: no such action (did you mean "results.fold"?)`},
		{table("nothing.like.that.at.all", "x"), `'webrag-tui keys' lists them`},
		{table("help.show", "pgdwn"), `no key is called "pgdwn" (did you mean "pgdown"?)`},
		{table("help.show", "ctrl+entr"), `(did you mean "ctrl+enter"?)`},
		{table("help.show", "strg+x"), `no key is called "strg+x"`},
		{table("help.show", "ab"), `no key is called "ab"`},
		{table("help.show", "shift+1"), `no key is called "shift+1"`},
		{table("help.show", "\x1b"), `no key is called`},
		{table("help.show", "q"), `keys.help.show: q means program.quit in the results already`},
		{table("results.flat", "a", "help.show", "a"), `config.toml:2: keys.help.show: a means results.flat in the`},
		{table("program.interrupt", "ctrl+x"), `keys.program.interrupt: its key ctrl+c is fixed`},
		{table("go.back", ""), `its key esc is fixed`},
		{table("help.show", "ctrl+c"), `ctrl+c is fixed`},
		{table("help.show", "esc"), `esc is fixed`},
		{table("pane.next", "enter"), `enter is fixed`},
		{table("esc", ""), `esc is fixed: it leads out of every place`},
		{table("query.nextresult", "n"), `n is typed into the text there`},
		{table("query.nextresult", "backspace"), `backspace is typed into the text there`},
		{table("x", "help.show"), `a key cannot be given keys; write the action`},
	} {
		err := CheckKeys(c.table)
		var wrong *keys.Error
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err, &wrong) {
			t.Errorf("%v: got %v, want %s", c.table, err, c.want)
		}
	}
	if err := CheckKeys(table("no.such", "x", "help.show", "nokey")); err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two mistakes are reported as %v", err)
	}
}

func TestKeysCanChangePlaces(t *testing.T) {
	for _, c := range [][]keys.Rebinding{
		nil,
		table("help.show", "q", "program.quit", "?"),
		table("q", "", "results.flat", "q"),
		table("results.open", "o", "url.open", "enter"),
		table("help.show", ""),
		table("pane.next", "ö"), // typed in the query line, a key in the panes
	} {
		if err := CheckKeys(c); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// Whatever table passes the check: no key means two things in one place, there is
// a way out of every place, and what may be typed is typed.
func TestTablesThatPassKeepTheRules(t *testing.T) {
	var names []string
	for _, a := range defaultActions() {
		names = append(names, a.ID)
	}
	named := []string{"x", "q", "Q", "o", "ctrl+c", "alt+j", "shift+a", "é", "nokey", "enter", "tab", "backspace", "delete", "esc", "space", "left", "end", "pgup", "f5"}
	passed := 0
	rapid.Check(t, func(r *rapid.T) {
		var tab []keys.Rebinding
		for range rapid.IntRange(0, 4).Draw(r, "entries") {
			tab = append(tab, keys.Rebinding{
				Name:   rapid.SampledFrom(append(names, named...)).Draw(r, "name"),
				Keys:   rapid.SliceOfN(rapid.SampledFrom(named), 0, 2).Draw(r, "keys"),
				Origin: "f:1",
			})
		}
		b, err := keys.New(defaultActions(), typing, tab)
		if err != nil {
			return
		}
		passed++
		places := anywhere.Expand(closed().allPanes())
		for _, c := range places {
			if a := b.At(c, "ctrl+c"); a == nil || a.ID != "program.interrupt" {
				t.Fatalf("%v: ctrl+c is lost in %v", tab, c)
			}
			if a := b.At(c, "esc"); a == nil || !a.Fixed {
				t.Fatalf("%v: esc is lost in %v", tab, c)
			}
		}
		for _, c := range places {
			for _, k := range named {
				a := b.At(c, k)
				if a != nil && typing.Has(c) && keys.IsTyped(k) {
					t.Fatalf("%v: %q cannot be typed", tab, k)
				}
				if a != nil && !slices.Contains(a.Keys, k) {
					t.Fatalf("%v: %s is run by %q, which it does not name", tab, a.ID, k)
				}
			}
		}
		for i := range b.Actions {
			for _, k := range b.Actions[i].Keys {
				for _, c := range b.Actions[i].Contexts {
					if a := b.At(c, k); a != &b.Actions[i] && !(typing.Has(c) && keys.IsTyped(k)) {
						t.Fatalf("%v: %s names %q, which runs another", tab, b.Actions[i].ID, k)
					}
				}
			}
		}
	})
	if passed == 0 && !testing.Short() { // a fifth are empty: twenty checks may have none of them
		t.Error("no table passed: the property was never held to")
	}
}

func TestTheDefaultsStayAsTheyAre(t *testing.T) {
	before, err := Keys(nil)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := Keys(table("help.show", "f1", "q", ""))
	if err != nil {
		t.Fatal(err)
	}
	origins := map[string]string{}
	for _, k := range changed {
		origins[k.ID] = k.Origin
	}
	if origins["help.show"] != "config.toml:1" || origins["program.quit"] != "config.toml:2" || origins["pane.zoom"] != "default" {
		t.Errorf("origins are %v", origins)
	}
	after, err := Keys(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range before {
		if !slices.Equal(before[i].Keys, after[i].Keys) {
			t.Errorf("%s has the keys %v after a rebinding", before[i].ID, after[i].Keys)
		}
	}
}
