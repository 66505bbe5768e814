package exchange

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// trecEval runs trec_eval on a file of qrels and one of a run, and returns nDCG@10 and
// the reciprocal rank by query. Version 10.0 stops at a judged query that the run lacks,
// unless it is asked to count it as 0.
func trecEval(t *testing.T, program, qrels, run string) map[string][2]float64 {
	t.Helper()
	out, err := exec.Command(program, "-q", "-n", "-c", "-m", "ndcg_cut.10", "-m", "recip_rank", qrels, run).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := map[string][2]float64{}
	for line := range strings.Lines(string(out)) {
		field := strings.Fields(line)
		value, err := strconv.ParseFloat(field[2], 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		both := found[field[1]]
		both[strings.Count("recip_rank", field[0])] = value
		found[field[1]] = both
	}
	return found
}

// measured are the same two by our order of documents, 0 for judged queries that the
// run lacks.
func measured(run *Run, qrels map[string]map[string]int) map[string][2]float64 {
	rankings, found := run.ByQuery(), map[string][2]float64{}
	for query, grades := range qrels {
		ideal := slices.Sorted(maps.Values(grades))
		slices.Reverse(ideal)
		var gain, best, reciprocal float64
		for i, document := range rankings[query] {
			if i < 10 {
				gain += float64(max(grades[document], 0)) / math.Log2(float64(i+2))
			}
			if grades[document] > 0 && reciprocal == 0 {
				reciprocal = 1 / float64(i+1)
			}
		}
		for i, grade := range ideal[:min(10, len(ideal))] {
			best += float64(max(grade, 0)) / math.Log2(float64(i+2))
		}
		if best > 0 {
			gain /= best
		}
		found[query] = [2]float64{gain, reciprocal}
	}
	return found
}

// randomFiles are qrels, and a run whose scores are few, so that most are ties, and
// whose lines are in no order.
func randomFiles() (qrels map[string]map[string]int, run string) {
	rng := rand.New(rand.NewPCG(7, 1))
	qrels = map[string]map[string]int{}
	var lines []string
	for q := range 60 {
		query := fmt.Sprint("q", q)
		for d := range 40 {
			document := ChunkDocno(fmt.Sprintf("https://example.org/Seite %d#ä", d), fmt.Sprint("chunk ", d%3))
			if rng.IntN(4) == 0 && q%10 != 0 {
				if qrels[query] == nil {
					qrels[query] = map[string]int{}
				}
				qrels[query][document] = rng.IntN(5) - 1
			}
			if rng.IntN(2) == 0 && q%7 != 0 {
				lines = append(lines, fmt.Sprintf("%s Q0 %s %d %.1f random\n", query, document, rng.IntN(9), rng.Float64()))
			}
		}
	}
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return qrels, strings.Join(lines, "")
}

// trec_eval accepts what is written here, and has the same numbers for a run as it came
// and as it is written again.
func TestTrecEvalAgrees(t *testing.T) {
	program := os.Getenv("WEBRAG_TEST_TREC_EVAL")
	if program == "" {
		t.Skip("WEBRAG_TEST_TREC_EVAL does not name a trec_eval (https://github.com/usnistgov/trec_eval)")
	}
	qrels, came := randomFiles()
	run, err := ReadRun(strings.NewReader(came), "came.run")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write := func(name string, write func(io.Writer) error) string {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	qrelsPath := write("qrels.txt", func(w io.Writer) error { return WriteQrels(w, qrels) })
	paths := []string{
		write("came.run", func(w io.Writer) error { _, err := io.WriteString(w, came); return err }),
		write("written.run", func(w io.Writer) error { return WriteRun(w, run) }),
	}
	ours := measured(run, qrels)
	if len(ours) < 40 {
		t.Fatalf("only %d queries are judged and answered", len(ours))
	}
	for _, path := range paths {
		theirs := trecEval(t, program, qrelsPath, path)
		if len(theirs) != len(ours) {
			t.Errorf("%s: trec_eval has %d queries, we have %d", filepath.Base(path), len(theirs), len(ours))
		}
		for query, want := range theirs {
			got := ours[query]
			if slices.ContainsFunc([]float64{got[0] - want[0], got[1] - want[1]}, func(d float64) bool { return math.Abs(d) > .00005001 }) {
				t.Errorf("%s: query %s: nDCG@10 and RR are %.5f, trec_eval has %.4f", filepath.Base(path), query, got, want)
			}
		}
	}
}
