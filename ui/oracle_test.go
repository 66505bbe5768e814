package ui

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/testdata/oracle"
)

// oracleScript is a session of which every screen is frozen.
type oracleScript struct {
	name string
	// preset and query open the frozen corpus; without a preset it is the fake one.
	preset, query string
	// keys are those of drive.
	keys string
	with func(*Options, *fakeCorpus)
}

// oracleLooks are the ways in which each script is drawn. Light differs from dark in
// nothing but colours, so sums will do.
var oracleLooks = []struct {
	name string
	with func(*Options)
	sums bool
}{
	{"dark", func(*Options) {}, false},
	{"light", func(o *Options) { *o.Dark = false }, true},
	{"plain", func(o *Options) { o.Plain = true }, false},
}

// Every screen of some sessions, at three sizes and in three looks, is what it was;
// and there is no action that none of them runs.
func TestOracleScreens(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does everything: the full run has this test")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a tenth of the time went into collecting garbage
	file, err := indexed(oracle.Corpus(t), "frozen")
	if err != nil {
		t.Fatal(err)
	}
	screens, err := filepath.Abs(filepath.Join("testdata", "oracle"))
	if err != nil {
		t.Fatal(err)
	}
	ran, played := map[string]bool{}, 0
	for _, s := range oracleScripts {
		t.Run(s.name, func(t *testing.T) {
			played++
			t.Chdir(t.TempDir()) // sets are made in the working folder, whose name no screen has
			var b strings.Builder
			for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
				for _, look := range oracleLooks {
					change := func(o *Options, f *fakeCorpus) {
						o.Query = s.query
						if s.preset != "" {
							onFile(t, file, s.preset, s.query)(o, f)
						}
						if s.with != nil {
							s.with(o, f)
						}
						look.with(o)
					}
					title := fmt.Sprintf("%dx%d %s", size[0], size[1], look.name)
					b.WriteString(transcript(t, title, size[0], size[1], change, s.keys, look.sums, ran))
				}
			}
			oracle.Hold(t, filepath.Join(screens, strings.ReplaceAll(s.name, " ", "_")+".txt.gz"), b.String())
		})
	}
	for _, a := range defaultActions() {
		if played == len(oracleScripts) && !ran[a.ID] {
			t.Errorf("no script runs %s: add its key to one in oracle_scripts_test.go", a.ID)
		}
	}
}

// transcript drives a session and writes down each screen, of each but the first
// the lines that changed, with their styles, or the screen's sum; and what left the
// explorer.
func transcript(t *testing.T, title string, w, h int, change func(*Options, *fakeCorpus), keys string, sums bool, ran map[string]bool) string {
	t.Helper()
	var b strings.Builder
	d, _ := newDriver(t, 1, w, h, func(o *Options, f *fakeCorpus) {
		noon := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
		o.Now = func() time.Time { return noon }
		left := func(what string) func(string) error {
			return func(text string) error { fmt.Fprintf(&b, "%s %q\n", what, text); return nil }
		}
		o.Clipboard, o.OpenURL = left("copied"), left("opened")
		o.SaveProfile = func(p session.Profile, _ bool) (string, error) {
			return "profiles/" + p.Name, left("saved")(p.Name + " of " + p.Base)
		}
		change(o, f)
	})
	for i := range d.actions() {
		a := &d.actions()[i]
		run := a.Run
		a.Run = func() tea.Cmd {
			ran[a.ID] = true
			fmt.Fprintf(&b, "ran %s\n", a.ID)
			return run()
		}
	}
	d.settle()
	var before []string
	for i, key := range append([]string{"start"}, oracleKeys(keys)...) {
		fmt.Fprintf(&b, "%s%s, %d: %s\n", oracle.Mark, title, i, key)
		if i > 0 {
			d.press(key)
		}
		slices.Sort(d.foreign) // what is done beside each other has no order
		for _, f := range d.foreign {
			fmt.Fprintf(&b, "foreign %s\n", f)
		}
		d.foreign = nil
		if d.quit {
			b.WriteString("quit\n")
			d.quit = false // the next key comes all the same
		}
		now := d.styledLines()
		if sums {
			sum := sha256.Sum256([]byte(strings.Join(now, "\n")))
			fmt.Fprintf(&b, "sum of the screen %x\n", sum[:6])
			continue
		}
		for n, line := range now {
			if n >= len(before) || before[n] != line {
				fmt.Fprintf(&b, "%2d %s\n", n+1, line)
			}
		}
		before = now
	}
	return b.String()
}

// oracleKeys splits keys as press does.
func oracleKeys(keys string) []string {
	var list []string
	for i, part := range strings.Split(keys, "'") {
		if i%2 == 1 {
			list = append(list, "'"+part+"'")
			continue
		}
		list = append(list, strings.Fields(part)...)
	}
	return list
}

// styledLines are the lines of the screen, the sequences that style them in
// brackets.
func (d *driver) styledLines() []string {
	scr := uv.NewScreenBuffer(d.width(), d.height())
	scr.Method = ansi.GraphemeWidth
	uv.NewStyledString(d.frame().Content).Draw(scr, scr.Bounds())
	return strings.Split(strings.NewReplacer("\r", "", "\x1b[", "‹", "\x1b", "␛").Replace(scr.Render()), "\n")
}
