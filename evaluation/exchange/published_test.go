package exchange

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
)

// published names a file below the folder of WEBRAG_TEST_PUBLISHED, which has clones of
// repositories with judgments, runs and what these are worth: too large, and not ours, to
// be kept here.
func published(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("WEBRAG_TEST_PUBLISHED")
	if root == "" {
		t.Skip("WEBRAG_TEST_PUBLISHED names no folder with clones of what others published; docs/testing.md says of which")
	}
	return filepath.Join(append([]string{root}, parts...)...)
}

func evaluated(t *testing.T, qrels map[string]map[string]int, run *Run, names ...string) *evaluation.Report {
	t.Helper()
	var measures []evaluation.Measure
	for _, name := range names {
		measures = append(measures, evaluation.MustMeasure(name))
	}
	report, err := evaluation.Evaluate(qrels, run.ByQuery(), evaluation.Options{Measures: measures})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// The files of trec_eval's own tests have the values that it is tested with: all queries,
// some of which the second run lacks, and a least grade of 2.
func TestTrecEvalsOwnTests(t *testing.T) {
	first, second := printouts()[0], printouts()[1]
	for name, measure := range map[string]string{
		"P_10": "P@10", "P_1000": "P@1000", "recall_100": "R@100", "recall_1000": "R@1000", "ndcg_cut_5": "nDCG@5", "ndcg_cut_100": "nDCG@100",
		"map_cut_10": "AP@10", "success_1": "Success@1", "success_10": "Success@10",
	} {
		first.names[name] = measure
	}
	for _, c := range []struct {
		*printout
		qrels, run, printed string
	}{
		{&first, "qrels.test", "results.test", "out.test.aq"},
		{&first, "qrels.test", "results.trunc", "out.test.aqc"},
		{&second, "qrels.rel_level", "results.test", "out.test.aql"},
	} {
		raw, err := os.ReadFile(published(t, "trec_eval", "test", c.printed))
		if err != nil {
			t.Fatal(err)
		}
		var known bytes.Buffer
		for line := range strings.Lines(string(raw)) {
			if c.names[strings.Fields(line)[0]] != "" {
				known.WriteString(line)
			}
		}
		qrels, run := readQrelsFile(t, published(t, "trec_eval", "test", c.qrels)), readRunFile(t, published(t, "trec_eval", "test", c.run))
		report, err := evaluation.Evaluate(qrels, run.ByQuery(), evaluation.Options{Measures: c.measures()})
		if err != nil {
			t.Fatal(err)
		}
		compareWith(t, c.printed, report, c.values(t, known.Bytes()))
	}
}

// A run of Anserini over CACM, whose P@30 is the published one of BM25.
func TestAPublishedRunOfCACM(t *testing.T) {
	folder := published(t, "anserini", "src", "test", "resources")
	report := evaluated(t, readQrelsFile(t, filepath.Join(folder, "sample_qrels", "cacm", "qrels.cacm.txt")),
		readRunFile(t, filepath.Join(folder, "sample_runs", "cacm", "cacm-bm25.txt")), "P@30", "AP", "nDCG@10", "RR", "R@30", "Judged@10")
	compareWith(t, "CACM", &evaluation.Report{Measures: report.Measures, Set: report.Set}, map[string]map[string]float64{
		"all": {"P@30": .1942, "AP": .2744, "nDCG@10": .4543, "RR": .7048, "R@30": .5052, "Judged@10": .3154},
	})
}

// Two runs of Lucene over Cranfield, whose grades 1 to 5 go from the best to none; one of
// them has 41 groups of equal scores.
func TestTwoPublishedRunsOfCranfield(t *testing.T) {
	folder := published(t, "CS7IS3-proj1")
	qrels := readQrelsFile(t, filepath.Join(folder, "data", "cranqrel"))
	for _, grades := range qrels {
		for document, grade := range grades {
			grades[document] = 5 - grade
		}
	}
	run := func(name string) *evaluation.Report {
		return evaluated(t, qrels, readRunFile(t, filepath.Join(folder, "results", "query_results_"+name+".txt")), "nDCG@10")
	}
	bm25, classic := run("bm25_3.3_0.8"), run("classic")
	p := evaluation.Compare(bm25, classic, 0)
	for _, c := range []struct {
		name          string
		got, want, by float64
	}{
		{"the mean of BM25", bm25.Set.Scores[0].Mean, .3662, 5e-5},
		{"the mean of the other", classic.Set.Scores[0].Mean, .3507, 5e-5},
		{"the mean difference", p.Difference.Mean, .0155, 5e-5},
		{"the low end of its interval", p.Difference.Low, .0051, 1e-3},
		{"the high end", p.Difference.High, .0269, 1e-3},
		{"t", p.T, 2.770, 5e-4},
		{"Student's p", p.StudentP, .0061, 5e-5},
		{"the randomisation's p", p.Randomisation, .005, 2e-3},
	} {
		if !(math.Abs(c.got-c.want) <= c.by) {
			t.Errorf("%s is %.5f, want %.5f", c.name, c.got, c.want)
		}
	}
	if p.Wins != 98 || p.Ties != 71 || p.Losses != 56 || p.Freedom != 224 {
		t.Errorf("%d won, %d tied, %d lost, %d degrees of freedom", p.Wins, p.Ties, p.Losses, p.Freedom)
	}
}
