//go:build linux

package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// program is the program under attack, built once for all tests.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "attacked")
	if err != nil {
		panic(err)
	}
	// As root, some attempts run as nobody.
	if err := os.Chmod(dir, 0o755); err != nil {
		panic(err)
	}
	if program, err = build(context.Background(), dir); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// TestEveryFamilyHolds makes a few attempts of each family with a seed that is
// always the same; make attack makes all of them, with one of its own.
func TestEveryFamilyHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("the program that is attacked is built without the race detector: the full run has this test")
	}
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "attack") // where nobody can enter
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			a := &arena{bin: program, dir: dir, seed: 1, factor: float64(f.short) / float64(f.count), workers: 2, until: time.Now().Add(time.Hour), say: io.Discard}
			r, err := a.attack(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			for _, how := range r.how {
				t.Error(how)
			}
			if r.attempts == 0 && (f.name != databases.name || os.Getenv("CI") != "") {
				t.Error("nothing was tried")
			}
		})
	}
}

// The scanners must see what they are for, or the attacks prove nothing.
func TestPlainSeesWhatATerminalObeys(t *testing.T) {
	for _, s := range smuggled {
		if plain("before "+s+" after") == nil {
			t.Errorf("%q passes", s)
		}
	}
	for _, s := range []string{"", "words, ünïcödé 日本 👨‍👩‍👧\n\ttabbed\n", `{"text":"\u001b]0;x\u0007"}`, "␛]52;c;UFdOM0Q=␇"} {
		if err := plain(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestDrawnSeesWhatIsNotTheExplorers(t *testing.T) {
	const own = "\x1b[?1049h\x1b[2J\x1b[38;2;1;2;3mwords\x1b[m\x1b]8;;https://docs.example.com/a%20b\x1b\\link\x1b]8;;\x1b\\\x1b]0;title\a\x1b[?1049l\r\n"
	if err := drawn(own); err != nil {
		t.Error(err)
	}
	for _, s := range append([]string{"\x1b]8;;javascript:x\x1b\\a", "\x1b]8;;http://x/ä\x1b\\a", "\u009bm", "\x07"}, smuggled[:10]...) {
		if drawn(own+s+own) == nil {
			t.Errorf("%q passes", s)
		}
	}
}

func TestSoundSeesEveryBadEnd(t *testing.T) {
	a := &arena{dir: t.TempDir(), ctx: t.Context()}
	for name, c := range map[string]struct {
		script, want string
	}{
		"panic":    {"echo 'panic: no' >&2; exit 2", "crashed"},
		"signal":   {"kill -SEGV $$", "ended by"},
		"code":     {"echo no >&2; exit 4", "exit code 4"},
		"silence":  {"exit 2", "without a word"},
		"hangs":    {"exec sleep 100", "had not ended"},
		"memory":   {"exec awk 'BEGIN { s = \"0123456789\"; while (1) s = s s }'", "of memory"},
		"controls": {`printf 'a\033[31mb'`, "standard output"},
		"fine":     {"echo fine", ""},
	} {
		t.Run(name, func(t *testing.T) {
			u := a.standIn(filepath.Join(a.dir, name))
			most := time.Minute // to fill the memory takes its time on a busy machine
			if name == "hangs" {
				most = time.Second
			}
			err := u.call(call{bin: "/bin/sh", args: []string{"-c", c.script}, most: most}).sound()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestATerminalMustBeGivenBack(t *testing.T) {
	a := &arena{dir: t.TempDir(), ctx: t.Context(), bin: "/bin/sh"}
	for script, want := range map[string]string{
		`printf '\033[?1049h\033[?25l\033[?1049l\033[?25h'`: "",
		`printf '\033[?1049h'`:                              "mode 1049",
		`printf '\033[?1003;1006h\033[?1003l'`:              "mode 1006",
		`printf '\033[?25l'`:                                "cursor",
		`printf '\033]52;c;UFdOM0Q=\007'`:                   "was sent",
	} {
		u := a.standIn(filepath.Join(a.dir, "home"))
		x := u.open(call{args: []string{"-c", script + "; echo Ready; read -r x"}})
		if !x.until(time.Minute, "Ready") {
			t.Fatalf("%s does not run", script)
		}
		x.keys("\r")
		<-x.ended
		err := x.end(t.Context())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", script, err, want)
		}
	}
}

// What gives way must be counted, said and repeated by its seed.
func TestWhatGivesWayIsCounted(t *testing.T) {
	var drew []uint64
	f := family{name: "odd", count: 5, begin: func(*arena) (attempt, error) {
		return func(u *try) error {
			if u.n == 4 {
				drew = append(drew, u.Uint64())
				return errors.New("it broke")
			}
			return nil
		}, nil
	}}
	for _, only := range []int{0, 4} {
		a := &arena{dir: t.TempDir(), seed: 9, factor: 1, only: only, workers: 2, until: time.Now().Add(time.Hour), say: io.Discard}
		r, err := a.attack(t.Context(), f)
		if err != nil || r.gaveWay != 1 || only == 0 && r.attempts != 5 || only == 4 && r.attempts != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		if text := table([]row{r}); !strings.Contains(text, "| 1 |") || !strings.Contains(text, "-family odd -seed 9 -only 4") {
			t.Errorf("the table says\n%s", text)
		}
		if writeTable(filepath.Join(t.TempDir(), "none.md"), []row{r}) == nil {
			t.Error("a run in which something gave way is written")
		}
	}
	if len(drew) != 2 || drew[0] != drew[1] {
		t.Errorf("drew %v: a seed repeats nothing", drew)
	}
}

// TestTheTestsOfTheDocumentExist holds the names in SECURITY.md to the code.
func TestTheTestsOfTheDocumentExist(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, match := range regexp.MustCompile("`(Test[A-Za-z]+)`").FindAllStringSubmatch(string(raw), -1) {
		named[match[1]] = true
	}
	if len(named) < 10 {
		t.Fatalf("only %d tests are named: the test does not see them", len(named))
	}
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for name := range named {
			if strings.Contains(string(source), "\nfunc "+name+"(") {
				delete(named, name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range named {
		t.Errorf("SECURITY.md names %s, and there is no such test", name)
	}
}

// TestTheTableHasTheFamilies holds the table of the document to the code; its
// numbers are those of the last make attack with -write.
func TestTheTableHasTheFamilies(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), tableBegins)
	inside, _, ok := strings.Cut(rest, tableEnds)
	if !ok {
		t.Fatal("SECURITY.md has lost the marks around its table")
	}
	var rows []string
	for line := range strings.Lines(inside) {
		if strings.HasPrefix(line, "| `") {
			rows = append(rows, line)
		}
	}
	if len(rows) != len(families) {
		t.Fatalf("%d rows for %d families: make attack ATTACK='-write SECURITY.md'", len(rows), len(families))
	}
	for i, f := range families {
		if want := "| `" + f.name + "` | " + f.tries + " | " + f.holds + " |"; !strings.HasPrefix(rows[i], want) {
			t.Errorf("the row of %s is another: make attack ATTACK='-write SECURITY.md'", f.name)
		}
		if !strings.HasSuffix(rows[i], " | 0 |\n") {
			t.Errorf("the table says that something gave way: %s", rows[i])
		}
	}
}
