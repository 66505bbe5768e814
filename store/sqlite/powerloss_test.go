//go:build linux

package sqlite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// powerStates is how many losses of power are tried, unless the variable
// WEBRAG_TEST_POWER_STATES says another number.
const powerStates = 150

// A loss of power at any moment leaves a corpus that is whole, with all that was
// written before the last writer was closed. What the program asks of the disk is
// recorded by strace(1), and replayed on one that forgets what was not synced.
func TestLossOfPower(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine opens each state: the full run has this test")
	}
	t.Parallel()
	calls, folder := recordDisk(t)
	states := powerStates
	if n, err := strconv.Atoi(os.Getenv("WEBRAG_TEST_POWER_STATES")); err == nil {
		states = n
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	fewer := 0
	for state := range states {
		at := random.IntN(len(calls) + 1)
		d := newDisk(folder)
		closed, begun := -1, 0
		for i := range calls[:at] {
			c := &calls[i]
			if c.call == "write" {
				_, _ = fmt.Sscanf(string(c.bytes), "closed %d", &closed)
				_, _ = fmt.Sscanf(string(c.bytes), "begun %d", &begun)
				continue
			}
			d.do(c)
		}
		left := t.TempDir()
		d.lose(t, random, left)
		got := generationLeft(t, filepath.Join(left, "corpus.db"), closed >= 0)
		if got < closed || got > begun {
			t.Errorf("generation %d is left, want %d to %d", got, closed, begun)
		}
		if got < begun {
			fewer++
		}
		if t.Failed() {
			t.Fatalf("state %d of seed %d, at call %d of %d", state, seed, at, len(calls))
		}
	}
	if fewer == 0 {
		t.Errorf("of %d losses of power none lost anything: the disk forgets nothing", states)
	}
	t.Logf("%d states, %d of them without the last generation", states, fewer)
}

// generationLeft checks a corpus that may be there, and returns the generation of its
// page, 0 for none.
func generationLeft(t *testing.T, path string, made bool) int {
	t.Helper()
	s, err := Open(t.Context(), path, Options{Create: !made})
	if err != nil {
		t.Fatalf("it cannot be opened: %v", err)
	}
	defer s.Close()
	checkFile(t, path)
	checks, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if c.State == store.CheckBroken {
			t.Errorf("%s: %s", c.Name, c.Found)
		}
	}
	v := readTest(t, s)
	defer v.Close()
	docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
	if err != nil || len(docs) > 1 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	if len(docs) == 0 {
		return 0
	}
	return generationOf(t, v, docs[0].Title, docs[0].ParentCount)
}

// recordDisk lets another process write a corpus, and returns what it asked of the
// disk, between what it said.
func recordDisk(t *testing.T) (calls []diskCall, folder string) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("strace is missing, and CI must lose power")
		}
		t.Skip("strace is missing: no loss of power is tried")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder, trace := t.TempDir(), filepath.Join(t.TempDir(), "trace")
	path := filepath.Join(folder, "corpus.db")
	cmd := childCommand(t, strace, "power", path)
	cmd.Args = []string{
		strace, "-f", "-y", "-xx", "-s", "1000000", "-e", "signal=none",
		"-e", "trace=write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,sync_file_range,ftruncate,fallocate,unlink,unlinkat,rename,renameat,renameat2",
		"-o", trace, program, path,
	}
	if out, err := cmd.Output(); err != nil {
		t.Fatalf("strace: %v\n%s", err, out)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range readStrace(t, string(text)) {
		if c.call != "write" || strings.HasPrefix(string(c.bytes), "closed") || strings.HasPrefix(string(c.bytes), "begun") {
			calls = append(calls, c)
		}
	}
	if len(calls) < 100 {
		t.Fatalf("only %d calls were recorded", len(calls))
	}
	return calls, folder
}
