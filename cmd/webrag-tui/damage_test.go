package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// damageEnv says how many damaged files TestDamage makes, instead of damageUsual.
const (
	damageEnv   = "WEBRAG_TEST_DAMAGE"
	damageUsual = 40
)

// Whatever happens to a file on the disk, a command answers as before or says that
// the file is damaged, and doctor tells every change.
func TestDamage(t *testing.T) {
	notBeside(t)
	t.Parallel()
	files := damageUsual
	if v := os.Getenv(damageEnv); v != "" {
		var err error
		if files, err = strconv.Atoi(v); err != nil {
			t.Fatalf("%s: %v", damageEnv, err)
		}
	}
	whole, content := damageCorpus(t)
	asks := damageAsks()
	want := make([]damageAnswer, len(asks))
	for i, ask := range asks {
		want[i] = damageAsk(t, whole, ask)
		if want[i].code != exitFine {
			t.Fatalf("%v on the whole file: exit %d: %s", ask, want[i].code, want[i].stderr)
		}
	}
	counts := make(map[string]map[string]int)
	doctor := make(map[string]int)
	folder := t.TempDir()
	for n := range files {
		random := rand.New(rand.NewPCG(11, uint64(n)))
		kind := damageKinds[n%len(damageKinds)]
		path := filepath.Join(folder, "corpus.db")
		for _, name := range []string{path, path + "-wal", path + "-shm", path + ".lock"} {
			_ = os.Remove(name)
		}
		if err := os.WriteFile(path, kind.damage(random, bytes.Clone(content)), 0o600); err != nil {
			t.Fatal(err)
		}
		if counts[kind.name] == nil {
			counts[kind.name] = make(map[string]int)
		}
		// Six of the questions for each file, others for the next.
		for i := range 6 {
			ask := (6*n + i) % len(asks)
			got := damageAsk(t, path, asks[ask])
			class := got.classify(want[ask])
			counts[kind.name][class]++
			if class == "SILENT" || class == "panic" || class == "other words" || strings.Contains(got.stderr, "disk I/O error") {
				t.Errorf("file %d (%s), %v: %s: exit %d: %.600s", n, kind.name, asks[ask], class, got.code, got.stderr)
			}
		}
		report := damageAsk(t, path, []string{"doctor"})
		if strings.Contains(report.stdout+report.stderr, "disk I/O error") {
			t.Errorf("file %d (%s): doctor speaks as SQLite does: %s%s", n, kind.name, report.stdout, report.stderr)
		}
		switch {
		case report.panicked:
			t.Errorf("file %d (%s): doctor panics: %s", n, kind.name, report.stderr)
			doctor["panic"]++
		case report.code == exitFine && damageHurtsNothing(t, path, asks, want):
			doctor["nothing in use"]++ // a page that SQLite keeps for later
		case report.code == exitFine:
			t.Errorf("file %d (%s): doctor finds nothing: %s", n, kind.name, report.stdout)
			doctor["finds nothing"]++
		case !strings.Contains(report.stdout, "broken,"):
			t.Errorf("file %d (%s): doctor gives up: exit %d: %s", n, kind.name, report.code, report.stderr)
			doctor["gives up"]++
		default:
			doctor["reports"]++
		}
	}
	table := fmt.Sprintf("%-16s %9s %9s %9s %12s %7s %7s\n", "", "identical", "refused", "warned", "other words", "panic", "SILENT")
	for _, k := range damageKinds {
		c := counts[k.name]
		table += fmt.Sprintf("%-16s %9d %9d %9d %12d %7d %7d\n", k.name, c["identical"], c["refused"], c["warned"], c["other words"], c["panic"], c["SILENT"])
	}
	t.Logf("%d damaged files, 6 commands on each:\n%sdoctor: %v", files, table, doctor)
}

// damageHurtsNothing asks everything.
func damageHurtsNothing(t *testing.T, path string, asks [][]string, want []damageAnswer) bool {
	t.Helper()
	for i, ask := range asks {
		if damageAsk(t, path, ask) != want[i] {
			return false
		}
	}
	return true
}

// damageKinds are what may happen to a file.
var damageKinds = []struct {
	name   string
	damage func(r *rand.Rand, file []byte) []byte
}{
	{"1 to 8 bits", func(r *rand.Rand, file []byte) []byte {
		for range 1 + r.IntN(8) {
			file[r.IntN(len(file))] ^= 1 << r.IntN(8)
		}
		return file
	}},
	{"a sector of noise", func(r *rand.Rand, file []byte) []byte {
		at := 512 * r.IntN(len(file)/512)
		for i := range 512 {
			file[at+i] = byte(r.Uint32())
		}
		return file
	}},
	{"a page of zeros", func(r *rand.Rand, file []byte) []byte {
		for {
			at := 4096 * r.IntN(len(file)/4096)
			if page := file[at : at+4096]; len(bytes.Trim(page, "\x00")) > 0 {
				clear(page)
				return file
			}
		}
	}},
	{"a sector of zeros", func(r *rand.Rand, file []byte) []byte {
		for {
			at := 512 * r.IntN(len(file)/512)
			if sector := file[at : at+512]; len(bytes.Trim(sector, "\x00")) > 0 {
				clear(sector)
				return file
			}
		}
	}},
	{"one bit", func(r *rand.Rand, file []byte) []byte {
		file[r.IntN(len(file))] ^= 1 << r.IntN(8)
		return file
	}},
	{"a page elsewhere", func(r *rand.Rand, file []byte) []byte {
		for {
			from, to := 4096*r.IntN(len(file)/4096), 4096*r.IntN(len(file)/4096)
			if !bytes.Equal(file[from:from+4096], file[to:to+4096]) {
				copy(file[to:to+4096], file[from:])
				return file
			}
		}
	}},
	{"no end", func(r *rand.Rand, file []byte) []byte { return file[:len(file)-1-r.IntN(len(file)/2)] }},
}

type damageAnswer struct {
	code           int
	stdout, stderr string
	panicked       bool
}

// damageWords are how a damaged file is spoken of.
var damageWords = regexp.MustCompile(`the file is damaged|not an SQLite file|keyword index is out of step`)

func (a damageAnswer) classify(want damageAnswer) string {
	switch {
	case a.panicked:
		return "panic"
	case a.code == want.code && a.stdout == want.stdout && a.stderr == want.stderr:
		return "identical"
	case a.code != exitFine && damageWords.MatchString(a.stderr):
		return "refused"
	case damageWords.MatchString(a.stderr), damageWords.MatchString(a.stdout) && !damageWords.MatchString(want.stdout):
		return "warned" // JSON and listings have their warnings within
	case a.code != exitFine && a.stderr != want.stderr:
		return "other words"
	}
	return "SILENT"
}

// damageTimes are the durations in answers.
var damageTimes = regexp.MustCompile(`[0-9.]+ ?(ms|µs|s)\b|"[a-z_]*(took|ms|duration|nanoseconds)[a-z_]*": ?[0-9.]+`)

func damageAsk(t *testing.T, corpus string, args []string) (a damageAnswer) {
	t.Helper()
	empty := filepath.Join(filepath.Dir(corpus), "config.toml")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, narration bytes.Buffer
	defer func() {
		if r := recover(); r != nil {
			a.panicked, a.stderr = true, fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	a.code = run(t.Context(), process{
		args: append([]string{"--corpus", corpus, "--config", empty}, args...), in: strings.NewReader(""), out: &out, err: &narration,
		environ: nil, now: func() time.Time { return time.Unix(1e9, 0) },
	})
	tidy := func(s string) string {
		return damageTimes.ReplaceAllString(strings.ReplaceAll(s, corpus, "CORPUS"), "TIME")
	}
	a.stdout, a.stderr = tidy(out.String()), tidy(narration.String())
	return a
}

// damageAsks are commands whose answers depend on all parts of a file.
func damageAsks() (asks [][]string) {
	for i, name := range param.Presets() {
		question := []string{"how does a b-tree split a node", "sourdough starter", "why do tides turn", "search ranking"}[i%4]
		asks = append(asks, []string{"query", "--json", "--preset", name, question})
	}
	return append(asks,
		[]string{"why", "bicycle gear ratio", "--quote", "gear"},
		[]string{"query", "--preset", "graph", "photosynthesis light"},
		[]string{"docs", "list", "--json"},
		[]string{"edges", "list", "--json"},
		[]string{"context", "green tea"},
		[]string{"docs", "show", "file:pages/btree.html"},
		[]string{"compare", "--a", "webrag", "--b", "hybrid", "decision tree"},
	)
}

// damageCorpus makes a corpus of pages, and returns its path and content.
func damageCorpus(t *testing.T) (path string, content []byte) {
	t.Helper()
	folder := t.TempDir()
	path = filepath.Join(folder, "corpus.db")
	for _, source := range []string{filepath.Join("..", "..", "testdata", "pages"), filepath.Join("..", "..", "docs", "guide")} {
		if a := damageAsk(t, path, []string{"index", source}); a.code != exitFine {
			t.Fatalf("index %s: exit %d: %s", source, a.code, a.stderr)
		}
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, content
}
