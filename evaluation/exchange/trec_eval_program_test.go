//go:build treceval

package exchange

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

var (
	program = flag.String("trec-eval", "trec_eval", "the program")
	record  = flag.Bool("record", false, "write what it prints to testdata")
)

// trec_eval accepts what is written here, and prints for a run as it came, and for the same
// as it is written again, what was recorded.
func TestTrecEvalPrintsWhatWasRecorded(t *testing.T) {
	_, _, paths := randomRun(t)
	for _, p := range printouts() {
		// Version 10.0 stops at a judged query that the run lacks, unless -c counts it as 0.
		arguments := []string{"-q", "-c", "-l", strconv.Itoa(p.level)}
		for _, name := range slices.Sorted(maps.Keys(p.names)) {
			arguments = append(arguments, "-m", cut.ReplaceAllString(name, ".$1"))
		}
		for _, run := range paths[1:] {
			printed, err := exec.Command(*program, slices.Concat(arguments, []string{paths[0], run})...).CombinedOutput() //nolint:gosec // it is whom the caller names
			if err != nil {
				t.Fatalf("%v: %s", err, printed)
			}
			if *record {
				if err := os.WriteFile(p.file, printed, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(p.file)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(p.values(t, printed), p.values(t, want)) {
				t.Errorf("%s: it prints other values than those of %s:\n%s", filepath.Base(run), p.file, printed)
			}
		}
	}
}

// cut is the number at the end of a measure's name, which is asked for with a dot before it.
var cut = regexp.MustCompile(`_(\d+)$`)
