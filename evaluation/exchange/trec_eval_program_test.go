//go:build treceval

package exchange

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
)

var (
	program = flag.String("trec-eval", "trec_eval", "the program")
	record  = flag.Bool("record", false, "write what it prints to "+recorded)
)

// trec_eval accepts what is written here, and prints for a run as it came, and for the same
// as it is written again, what was recorded.
func TestTrecEvalPrintsWhatWasRecorded(t *testing.T) {
	_, _, paths := randomRun(t)
	for _, run := range paths[1:] {
		// Version 10.0 stops at a judged query that the run lacks, unless -c counts it as 0.
		printed, err := exec.Command(*program, "-q", "-n", "-c", "-m", "ndcg", "-m", "ndcg_cut.10", "-m", "map", "-m", "recip_rank", //nolint:gosec // it is whom the caller names
			"-m", "P.5", "-m", "recall.10", "-m", "success.5", paths[0], run).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, printed)
		}
		if *record {
			if err := os.WriteFile(recorded, printed, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(recorded)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(values(t, printed), values(t, want)) {
			t.Errorf("%s: it prints other values than those of %s:\n%s", filepath.Base(run), recorded, printed)
		}
	}
}
