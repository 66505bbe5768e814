package ui

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// driver runs a model as the runtime does, but one message at a time and with a
// clock of its own: commands that are ready run in an order chosen by a seed,
// and time passes only when none is.
type driver struct {
	t     testing.TB
	m     *Model
	seed  *rand.Rand
	now   time.Duration
	ready []tea.Cmd
	later []timer
	// foreign are the messages meant for the runtime, by type.
	foreign []string
	quit    bool
	steps   int
}

// timer is a message that comes when the clock has reached due.
type timer struct {
	due time.Duration
	msg tea.Msg
}

// timerSet is what Options.After returns in tests.
type timerSet struct {
	wait time.Duration
	msg  tea.Msg
}

// fixedOptions open the explorer on a fake corpus.
func fixedOptions(change func(*Options, *fakeCorpus)) (Options, *fakeCorpus) {
	f := &fakeCorpus{stats: store.Stats{Documents: 9, Parents: 74, Children: 212, Tokens: 8102}}
	dark := true
	o := Options{
		CorpusName: "guide", Dark: &dark, Version: "test", Params: param.Params{SimilarityFloor: .3},
		Editor: "ed", OpenURL: func(string) error { return nil },
		HTMLToMarkdown: func(string) (string, error) {
			return "## Never compare\n\n| arm | range |\n| --- | --- |\n| cosine | −1 to 1 |\n\nNever compare them.\n", nil
		},
		ItemJSON: func(it *retrieval.Item) ([]byte, error) {
			return fmt.Appendf(nil, "{%q:%q}", "chunk_id", it.ChunkID), nil
		},
		Open: func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: true}, nil
		},
	}
	if change != nil {
		change(&o, f)
	}
	return o, f
}

// newDriver opens the explorer on a fake corpus at a size, without running it.
// A short run, which is that of the race detector, has no use for it: one
// goroutine does everything. See TestWorkBesideTheScreen.
func newDriver(t testing.TB, seed uint64, w, h int, change func(*Options, *fakeCorpus)) (*driver, *fakeCorpus) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine does everything: the full run has this test")
	}
	o, f := fixedOptions(change)
	o.After = func(wait time.Duration, msg tea.Msg) tea.Cmd {
		return func() tea.Msg { return timerSet{wait, msg} }
	}
	d := &driver{t: t, m: New(o), seed: rand.New(rand.NewPCG(seed, 7))}
	_ = d.m.View() // the runtime draws before it knows the size
	d.push(d.m.Init())
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return d, f
}

// drive opens the explorer, waits until nothing moves, and presses keys.
func drive(t testing.TB, seed uint64, w, h int, change func(*Options, *fakeCorpus), keys string) *driver {
	t.Helper()
	d, _ := newDriver(t, seed, w, h, change)
	d.settle()
	d.press(keys)
	return d
}

func (d *driver) push(cmd tea.Cmd) {
	if cmd != nil {
		d.ready = append(d.ready, cmd)
	}
}

// send gives the model a message and draws.
func (d *driver) send(msg tea.Msg) {
	d.t.Helper()
	if d.steps++; d.steps > 20_000 {
		d.t.Fatal("the program never becomes idle")
	}
	switch msg := msg.(type) {
	case nil:
		return
	case tea.QuitMsg, tea.InterruptMsg:
		d.quit = true
		return
	case timerSet:
		d.later = append(d.later, timer{d.now + msg.wait, msg.msg})
		return
	case tea.BatchMsg:
		for _, c := range msg {
			d.push(c)
		}
		return
	}
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			d.push(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	if strings.HasPrefix(fmt.Sprintf("%T", msg), "tea.") && !isInput(msg) {
		d.foreign = append(d.foreign, fmt.Sprintf("%T", msg))
		return
	}
	_, cmd := d.m.Update(msg)
	_ = d.m.View()
	d.push(cmd)
}

func isInput(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.WindowSizeMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg, tea.MouseMotionMsg, tea.MouseReleaseMsg, tea.ColorProfileMsg, tea.BackgroundColorMsg:
		return true
	}
	return false
}

// settle runs commands and lets time pass, up to a second, until nothing moves.
func (d *driver) settle() { d.t.Helper(); d.pass(time.Second) }

// pass lets at most a span of time pass.
func (d *driver) pass(span time.Duration) {
	d.t.Helper()
	end := d.now + span
	for !d.quit {
		if n := len(d.ready); n > 0 {
			i := d.seed.IntN(n)
			cmd := d.ready[i]
			d.ready = slices.Delete(d.ready, i, i+1)
			d.send(cmd())
			continue
		}
		next := -1
		for i, l := range d.later {
			if l.due <= end && (next < 0 || l.due < d.later[next].due) {
				next = i
			}
		}
		if next < 0 {
			d.now = end
			return
		}
		l := d.later[next]
		d.later = slices.Delete(d.later, next, next+1)
		d.now = max(d.now, l.due)
		d.send(l.msg)
	}
}

// press presses keys, divided by blanks, and settles after each. "'words'" is
// typed letter by letter.
func (d *driver) press(keys string) {
	d.t.Helper()
	for keys != "" {
		keys = strings.TrimLeft(keys, " ")
		if rest, ok := strings.CutPrefix(keys, "'"); ok {
			text, after, _ := strings.Cut(rest, "'")
			for _, r := range text {
				d.send(keyOf(string(r)))
			}
			keys = after
		} else {
			var k string
			k, keys, _ = strings.Cut(keys, " ")
			if k == "" {
				continue
			}
			d.send(keyOf(k))
		}
		d.settle()
	}
}

// keyOf is the message of a key by its name.
func keyOf(name string) tea.KeyPressMsg {
	var mod tea.KeyMod
	rest := name
	for {
		if r, ok := strings.CutPrefix(rest, "ctrl+"); ok {
			mod, rest = mod|tea.ModCtrl, r
		} else if r, ok := strings.CutPrefix(rest, "alt+"); ok {
			mod, rest = mod|tea.ModAlt, r
		} else if r, ok := strings.CutPrefix(rest, "shift+"); ok {
			mod, rest = mod|tea.ModShift, r
		} else {
			break
		}
	}
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace,
	}
	if c, ok := codes[rest]; ok {
		return tea.KeyPressMsg{Code: c, Mod: mod}
	}
	if rest == "space" || rest == " " {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " ", Mod: mod}
	}
	r := []rune(rest)[0]
	k := tea.KeyPressMsg{Code: r, Mod: mod}
	if mod&tea.ModCtrl == 0 {
		k.Text = rest
	}
	return k
}

// screen is what a terminal of the model's size would show, as plain text.
func (d *driver) screen() string { return d.screenBy(ansi.GraphemeWidth) }

func (d *driver) screenBy(method ansi.Method) string {
	scr := uv.NewScreenBuffer(d.m.width, d.m.height+len(d.m.tour.Lines(d.m.styles, d.m.width)))
	scr.Method = method
	uv.NewStyledString(d.m.View().Content).Draw(scr, scr.Bounds())
	lines := strings.Split(ansi.Strip(scr.Render()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.Join(lines, "\n") + "\n"
}

// mustShow fails unless the screen holds all the words.
func (d *driver) mustShow(words ...string) {
	d.t.Helper()
	s := d.screen()
	for _, w := range words {
		if !strings.Contains(s, w) {
			d.t.Fatalf("the screen lacks %q:\n%s", w, s)
		}
	}
}

func (d *driver) mustNotShow(words ...string) {
	d.t.Helper()
	s := d.screen()
	for _, w := range words {
		if strings.Contains(s, w) {
			d.t.Fatalf("the screen shows %q:\n%s", w, s)
		}
	}
}

func asking(query string) func(*Options, *fakeCorpus) {
	return func(o *Options, _ *fakeCorpus) { o.Query = query }
}

var errBroken = errors.New("open corpus x.db: not a corpus: the file is not an SQLite database\nit begins with \x1b[31m")

// listed are the lines of the list of results, as they are on the screen.
func (d *driver) listed() []string {
	s, ok := d.m.place.Slot(paneResults)
	if !ok {
		return nil
	}
	lines := strings.Split(d.screen(), "\n")[s.Body.Min.Y:s.Body.Max.Y]
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Cut(l, s.Body.Min.X, s.Body.Max.X), " ")
	}
	return lines
}

// lineOf is the first line of the list that has a text, -1 for none.
func (d *driver) lineOf(text string) int {
	return slices.IndexFunc(d.listed(), func(l string) bool { return strings.Contains(l, text) })
}

// onLine is the line of the list with the cursor, -1 where it is not in sight.
func (d *driver) onLine() int {
	return slices.IndexFunc(d.listed(), func(l string) bool { return strings.HasPrefix(l, d.m.styles.Signs.Marker) })
}

// selected is the section under the cursor of the list, nil for none.
func (d *driver) selected() *retrieval.Item { return d.m.results.Selected() }
