package embedder

import (
	"bufio"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestBuiltinQuality ranks public test collections by exact cosine and holds
// the figures that the built-in embedder is known to reach. The collections
// may not be distributed, so it needs WEBRAG_TEST_COLLECTIONS to name a folder with
// them in BEIR layout (corpus.jsonl, queries.jsonl, qrels/test.tsv).
func TestBuiltinQuality(t *testing.T) {
	root := os.Getenv("WEBRAG_TEST_COLLECTIONS")
	if root == "" {
		t.Skip("WEBRAG_TEST_COLLECTIONS names no folder with scifact and cranfield")
	}
	for _, tt := range []struct {
		name         string
		ndcg, recall float64
	}{
		{"scifact", .60, .85},
		{"cranfield", .37, .645},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ndcg, recall := rankCollection(t, filepath.Join(root, tt.name))
			t.Logf("nDCG@10 %.4f, Recall@60 %.4f", ndcg, recall)
			if ndcg < tt.ndcg || recall < tt.recall {
				t.Errorf("below nDCG@10 %.3f or Recall@60 %.3f", tt.ndcg, tt.recall)
			}
		})
	}
}

type beirText struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func readBEIR(t *testing.T, path string) []beirText {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var texts []beirText
	for dec := json.NewDecoder(bufio.NewReader(f)); dec.More(); {
		var one beirText
		if err := dec.Decode(&one); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, one)
	}
	return texts
}

func readQrels(t *testing.T, path string) map[string]map[string]int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	qrels := map[string]map[string]int{}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		grade, err := strconv.Atoi(f[2])
		if err != nil || grade < 1 {
			continue // the heading, or not relevant
		}
		if qrels[f[0]] == nil {
			qrels[f[0]] = map[string]int{}
		}
		qrels[f[0]][f[1]] = grade
	}
	return qrels
}

func rankCollection(t *testing.T, folder string) (ndcg, recall float64) {
	t.Helper()
	docs := readBEIR(t, filepath.Join(folder, "corpus.jsonl"))
	qrels := readQrels(t, filepath.Join(folder, "qrels", "test.tsv"))
	b := NewBuiltin()
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = d.Title + " " + d.Text + " ." // two documents are empty
	}
	vecs, err := b.EmbedMany(t.Context(), texts, RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	type hit struct {
		doc int
		cos float64
	}
	n := 0.0
	for _, q := range readBEIR(t, filepath.Join(folder, "queries.jsonl")) {
		relevant := qrels[q.ID]
		if len(relevant) == 0 {
			continue
		}
		qv, err := b.EmbedOne(t.Context(), q.Text, RoleQuery)
		if err != nil {
			t.Fatal(err)
		}
		hits := make([]hit, len(vecs))
		for i, v := range vecs {
			hits[i] = hit{i, cosine(qv, v)}
		}
		slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.cos, a.cos) })
		var dcg, ideal, found float64
		for rank, h := range hits[:60] {
			grade := relevant[docs[h.doc].ID]
			if grade > 0 {
				found++
			}
			if rank < 10 {
				dcg += float64(grade) / math.Log2(float64(rank)+2)
			}
		}
		var grades []int
		for _, g := range relevant {
			grades = append(grades, g)
		}
		slices.Sort(grades)
		slices.Reverse(grades)
		for rank, g := range grades[:min(10, len(grades))] {
			ideal += float64(g) / math.Log2(float64(rank)+2)
		}
		ndcg += dcg / ideal
		recall += found / float64(len(relevant))
		n++
	}
	return ndcg / n, recall / n
}
