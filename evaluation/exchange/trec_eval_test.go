package exchange

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
)

// recorded is what trec_eval 10.0-rc3 printed for the files of [randomFiles]; "make
// trec-eval" compares it with what a trec_eval prints now.
const recorded = "testdata/trec_eval.txt"

// namesOfTrecEval are its names of measures by ours.
func namesOfTrecEval() map[string]string {
	return map[string]string{
		"ndcg": "nDCG", "ndcg_cut_10": "nDCG@10", "map": "AP", "recip_rank": "RR",
		"P_5": "P@5", "recall_10": "R@10", "success_5": "Success@5",
	}
}

// values reads what trec_eval prints: measure, query and value in each line. They are by
// query and our name of the measure.
func values(t *testing.T, printed []byte) map[string]map[string]float64 {
	t.Helper()
	found := map[string]map[string]float64{}
	for line := range strings.Lines(string(printed)) {
		field := strings.Fields(line)
		if len(field) != 3 || namesOfTrecEval()[field[0]] == "" {
			t.Fatalf("%q is no measure, query and value", line)
		}
		value, err := strconv.ParseFloat(field[2], 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if found[field[1]] == nil {
			found[field[1]] = map[string]float64{}
		}
		found[field[1]][namesOfTrecEval()[field[0]]] = value
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

// randomRun is the run of them, and both as a program reads them: the qrels, the run as it
// came, and the run as it is written again.
func randomRun(t *testing.T) (run *Run, qrels map[string]map[string]int, paths []string) {
	t.Helper()
	qrels, came := randomFiles()
	run, err := ReadRun(strings.NewReader(came), "came.run")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write := func(name string, write func(io.Writer) error) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, filepath.Join(folder, name))
		if err := os.WriteFile(paths[len(paths)-1], b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("qrels.txt", func(w io.Writer) error { return WriteQrels(w, qrels) })
	write("came.run", func(w io.Writer) error { _, err := io.WriteString(w, came); return err })
	write("written.run", func(w io.Writer) error { return WriteRun(w, run) })
	return run, qrels, paths
}

// What is read, written, read again and measured here has the values that trec_eval gave
// for the same files, in which most scores are ties; judged queries that a run lacks have 0.
func TestMeasuresOfARunAreThoseOfTrecEval(t *testing.T) {
	printed, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	came, _, paths := randomRun(t)
	readAgain := func(path string) io.Reader {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.NewReader(raw)
	}
	qrels, err := ReadQrels(readAgain(paths[0]), paths[0])
	if err != nil {
		t.Fatal(err)
	}
	written, err := ReadRun(readAgain(paths[2]), paths[2])
	if err != nil {
		t.Fatal(err)
	}
	theirs := values(t, printed)
	if len(theirs) != len(qrels) || len(theirs) < 40 {
		t.Fatalf("trec_eval measured %d queries, and %d are judged", len(theirs), len(qrels))
	}
	for name, run := range map[string]*Run{"as it came": came, "written": written} {
		rankings := run.ByQuery()
		for query, grades := range qrels {
			j := evaluation.Judged{Pool: evaluation.NewPool(slices.Collect(maps.Values(grades)))}
			for _, document := range rankings[query] {
				grade, ok := grades[document]
				if !ok {
					grade = evaluation.Unjudged
				}
				j.Grades = append(j.Grades, grade)
			}
			for _, measure := range namesOfTrecEval() {
				got, want := evaluation.MustMeasure(measure).Of(j), theirs[query][measure]
				if !(math.Abs(got-want) <= .00005001) {
					t.Errorf("the run %s: query %s: %s is %.5f, trec_eval has %.4f", name, query, measure, got, want)
				}
			}
		}
	}
}
