package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/testdata/hostile"
)

// craftedAll, in the environment, tries every command on every crafted corpus: some ten
// minutes.
const craftedAll = "WEBRAG_TEST_CRAFTED"

// readings are the commands that read a corpus, the last of which writes to it too.
func readings(c target) [][]string {
	copied := []string{"copy", "--from", c.corpus, "--to", filepath.Join(c.dir, "copy.db")}
	all := [][]string{
		{"doctor"},
		{"docs", "show", c.page},
		{"docs", "list"},
		{"edges", "list"},
		{"edges", "list", "--dangling"},
		{"why", "--source", "file:pages/a.html", "--preset", "hybrid", "--set", "top_k=1", hostileWords},
		{"why", "--quote", "the retries", hostileWords},
		{"query", "--json", "--preset", "webrag", "--mode", "chunk", hostileWords},
		{"context", "--ground", "--preset", "webrag", hostileWords},
		{"compare", "--a", "hybrid", "--b", "graph", hostileWords},
		{"cite", c.page, "--span", "0-40"},
		{"cite", c.page, "--quote", "the retries"},
	}
	for _, preset := range param.Presets() {
		all = append(all, []string{"query", "--explain", "--text", "--preset", preset, hostileWords})
	}
	return append(all, copied, []string{"index", c.more})
}

// usualReadings are those of an ordinary run: what loads the corpus and reads its
// texts, and of a large one what was seen to take most.
func usualReadings(c target, isLarge bool) [][]string {
	if isLarge {
		return [][]string{{"why", "--quote", "the retries", hostileWords}, {"context", "--preset", "webrag", hostileWords}}
	}
	return [][]string{{"query", "--json", "--preset", "webrag", "--mode", "chunk", hostileWords}}
}

// A corpus that somebody damaged on purpose gives an answer or a sentence, and takes
// no more memory and time than another one.
func TestCraftedCorpora(t *testing.T) {
	notBeside(t)
	c := hostileCorpus(t)
	all := os.Getenv(craftedAll) != ""
	for _, what := range hostile.Crafts() {
		t.Run(what.Name, func(t *testing.T) {
			if what.IsLarge && !what.IsUsual && !all {
				return
			}
			one := c
			one.dir = t.TempDir()
			one = one.copied(t, "crafted")
			if err := hostile.Craft(t.Context(), one.corpus, what); err != nil {
				t.Fatal(err)
			}
			try := commandLine
			if what.IsLarge {
				try = programWithin
			}
			commands := usualReadings(one, what.IsLarge)
			if all {
				commands = readings(one)
			}
			for _, args := range commands {
				_ = os.Remove(filepath.Join(one.dir, "copy.db"))
				code, stdout, stderr := try(t, nil, slices.Concat(args, []string{"--corpus", one.corpus})...)
				if code < exitFine || code > exitUsage || strings.Contains(stderr, "goroutine ") {
					t.Errorf("%v: exit code %d: %.600s", args, code, stderr)
				}
				if what.Says != "" && args[0] == "query" && (code != exitUsage || !strings.Contains(stderr, what.Says)) {
					t.Errorf("%v: exit code %d, and does not say %q: %.600s", args, code, what.Says, stderr)
				}
				for _, text := range []string{stdout, stderr} {
					if raw := untamed(text); raw != "" {
						t.Errorf("%v: prints %q", args, raw)
					}
				}
			}
		})
	}
}

// Where edges are left out, what finds none sends to doctor, which says how many.
func TestEdgesThatAreLeftOut(t *testing.T) {
	notBeside(t)
	c := hostileCorpus(t)
	if err := hostile.Craft(t.Context(), c.corpus, hostile.Crafted{SQL: `UPDATE chunk_edges SET relation = 'likes'`}); err != nil {
		t.Fatal(err)
	}
	for _, says := range []struct {
		code int
		line []string
		word string
	}{
		{exitNothing, []string{"edges", "list"}, "no edge found; those of no known relation, weight or origin are left out: webrag-tui doctor counts them"},
		{exitFine, []string{"query", "--preset", "graph", hostileWords}, "no edge leads away from the seeds; webrag-tui doctor says whether any are left out"},
		{exitFine, []string{"doctor"}, "edges are left out: they are of a relation, weight or origin that there is not"},
	} {
		code, stdout, stderr := commandLine(t, nil, append(says.line, "--corpus", c.corpus)...)
		if code != says.code || !strings.Contains(stdout+stderr, says.word) {
			t.Errorf("%v: exit code %d: %s%s", says.line, code, stdout, stderr)
		}
	}
}

const (
	// mostMemory is what a command may take of a small corpus, whatever is in it.
	mostMemory = 1 << 30
	// mostAddresses, in KB, keeps a command that takes more from harming the machine.
	mostAddresses = "6000000"
)

// highWater is the line of a process's state that says how much memory it had at most.
var highWater = regexp.MustCompile(`VmHWM:\s*(\d+) kB`)

// programWithin runs the program in a process of its own, which may end badly, with
// bounds on its time and its address space, and holds how much memory it takes.
func programWithin(t *testing.T, environ []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is read from /proc")
	}
	ctx, cancel := context.WithTimeout(t.Context(), screenDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v ` + mostAddresses + `; exec webrag-tui "$@"`, "sh"}, args...)...)
	home := t.TempDir()
	cmd.Env = slices.Concat(os.Environ(), environ, []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home})
	cmd.Dir = home
	var out, narration bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &narration
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	most := 0
	for {
		select {
		case <-ended:
			if most<<10 > mostMemory {
				t.Errorf("%v takes %d MB", args, most>>10)
			} else if os.Getenv(craftedAll) != "" {
				t.Logf("%v takes %d MB", args, most>>10)
			}
			return cmd.ProcessState.ExitCode(), out.String(), narration.String()
		case <-time.After(5 * time.Millisecond):
			// It never falls, so that the last look is at the most.
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", cmd.Process.Pid))
			if m := highWater.FindSubmatch(status); m != nil && bytes.HasPrefix(command, []byte("webrag-tui")) {
				most, _ = strconv.Atoi(string(m[1]))
			}
		}
	}
}
