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

// printout is what trec_eval 10.0-rc3 printed for the files of [randomFiles] with the grade
// level as the least that is relevant (its -l), for each query and for all of them; "make
// trec-eval" compares it with what a trec_eval prints now.
type printout struct {
	level int
	file  string
	// names are its names of measures by ours.
	names map[string]string
}

func printouts() []printout {
	return []printout{
		{1, "testdata/trec_eval.txt", map[string]string{
			"ndcg": "nDCG", "ndcg_cut_10": "nDCG@10", "map": "AP", "recip_rank": "RR",
			"P_5": "P@5", "recall_10": "R@10", "success_5": "Success@5",
		}},
		{2, "testdata/trec_eval_level_2.txt", map[string]string{
			"map": "AP(rel=2)", "recip_rank": "RR(rel=2)", "P_5": "P(rel=2)@5", "recall_10": "R(rel=2)@10", "success_5": "Success(rel=2)@5",
		}},
	}
}

// measures are ours.
func (p *printout) measures() []evaluation.Measure {
	var all []evaluation.Measure
	for _, name := range slices.Sorted(maps.Values(p.names)) {
		all = append(all, evaluation.MustMeasure(name))
	}
	return all
}

// values reads what trec_eval prints: measure, query and value in each line. They are by
// query, "all" for their means, and our name of the measure.
func (p *printout) values(t *testing.T, printed []byte) map[string]map[string]float64 {
	t.Helper()
	found := map[string]map[string]float64{}
	for line := range strings.Lines(string(printed)) {
		field := strings.Fields(line)
		if len(field) != 3 || p.names[field[0]] == "" {
			t.Fatalf("%q is no measure, query and value", line)
		}
		value, err := strconv.ParseFloat(field[2], 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if found[field[1]] == nil {
			found[field[1]] = map[string]float64{}
		}
		found[field[1]][p.names[field[0]]] = value
	}
	return found
}

// randomFiles are qrels, and a run whose scores are few, so that most are ties, and
// whose lines are in no order. Of the queries some are not judged, some are judged and
// nothing is relevant to them, and some are not in the run.
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
				if q%15 == 9 {
					qrels[query][document] = min(qrels[query][document], 0)
				}
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
	came, _, paths := randomRun(t)
	qrels, written := readQrelsFile(t, paths[0]), readRunFile(t, paths[2])
	for _, p := range printouts() {
		printed, err := os.ReadFile(p.file)
		if err != nil {
			t.Fatal(err)
		}
		theirs := p.values(t, printed)
		if len(theirs) != len(qrels)+1 || len(theirs) < 40 {
			t.Fatalf("trec_eval measured %d queries and all of them, and %d are judged", len(theirs), len(qrels))
		}
		for name, run := range map[string]*Run{"as it came": came, "written": written} {
			report, err := evaluation.Evaluate(qrels, run.ByQuery(), evaluation.Options{Measures: p.measures()})
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Missing) < 5 || len(report.Unanswerable) < 1 || report.Unjudged < 1 {
				t.Errorf("%d queries are not in the run, %d have nothing relevant and %d are not judged, where some of each should be tried",
					len(report.Missing), len(report.Unanswerable), report.Unjudged)
			}
			compareWith(t, "the run "+name, report, theirs)
		}
	}
}

// compareWith compares each query of a report, and the means, with values of trec_eval, which
// have four digits.
func compareWith(t *testing.T, name string, report *evaluation.Report, theirs map[string]map[string]float64) {
	t.Helper()
	compare := func(query string, score func(int) float64) {
		for i, measure := range report.Measures {
			want, ok := theirs[query][measure.String()]
			if got := score(i); !ok || !(math.Abs(got-want) <= .00005001) {
				t.Errorf("%s: query %s: %s is %.5f, trec_eval has %.4f (%t)", name, query, measure, got, want, ok)
			}
		}
	}
	for _, q := range report.Queries {
		compare(q.ID, func(i int) float64 { return q.Scores[i] })
	}
	compare("all", func(i int) float64 { return report.Set.Scores[i].Mean })
}

func readRunFile(t *testing.T, path string) *Run {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	run, err := ReadRun(bytes.NewReader(raw), path)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func readQrelsFile(t *testing.T, path string) map[string]map[string]int {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	qrels, err := ReadQrels(bytes.NewReader(raw), path)
	if err != nil {
		t.Fatal(err)
	}
	return qrels
}
