package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// heavyInits are the packages whose variables may take more than mostInit when the program
// starts, and how many bytes. It is all of glamour's code blocks: chroma reads its languages and
// styles as soon as it is linked, and the sanitizer of HTML its expressions.
var heavyInits = map[string]int{
	"github.com/alecthomas/chroma/v2/lexers": 2_500_000,
	"github.com/alecthomas/chroma/v2/styles": 1_800_000,
	"github.com/microcosm-cc/bluemonday/css": 550_000,
}

// What the variables of one package may take before main begins, and those of all, in bytes.
const (
	mostInit  = 300_000
	mostInits = 7_000_000
)

var initLine = regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, \d+ allocs$`)

// TestStartIsLight counts what is allocated before main, as the runtime tells it: that is the same
// on each machine, as its time is not, and whoever runs any command waits for it.
func TestStartIsLight(t *testing.T) {
	bin, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all := 0
	for _, line := range initLine.FindAllStringSubmatch(string(out), -1) {
		name := line[1]
		size, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		all += size
		most := max(mostInit, heavyInits[name])
		if size > most {
			t.Errorf("%s allocates %d bytes when the program starts, and may %d: fill its tables and compile its expressions when they are first used (sync.OnceValue), or link a lighter library", name, size, most)
		}
	}
	if all == 0 {
		t.Fatalf("the runtime tells of no package:\n%s", out)
	}
	if all > mostInits {
		t.Errorf("%d bytes are allocated before main, and may be %d: GODEBUG=inittrace=1 webrag-tui version lists the packages", all, mostInits)
	}
}
