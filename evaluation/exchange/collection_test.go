package exchange

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func files(corpus, queries, qrels string) fstest.MapFS {
	return fstest.MapFS{
		"corpus.jsonl":   {Data: []byte(corpus)},
		"queries.jsonl":  {Data: []byte(queries)},
		"qrels/test.tsv": {Data: []byte(qrels)},
	}
}

const (
	twoTexts  = `{"_id":"a","title":"A","text":"one"}` + "\n" + `{"_id":"b","text":""}` + "\n"
	oneQuery  = `{"_id":"q","text":"what is one"}` + "\n"
	someQrels = "query-id\tcorpus-id\tscore\nq\ta\t2\nq\tb\t0\n"
)

func TestACollectionIsRead(t *testing.T) {
	c, err := ReadCollection(files(twoTexts, oneQuery, someQrels), "")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Documents, []Document{{ID: "a", Title: "A", Text: "one"}, {ID: "b"}}) {
		t.Errorf("documents: %+v", c.Documents)
	}
	if !slices.Equal(c.Queries, []Query{{ID: "q", Text: "what is one"}}) {
		t.Errorf("queries: %+v", c.Queries)
	}
	if len(c.Qrels) != 1 || c.Qrels["q"]["a"] != 2 {
		t.Errorf("grades: %v", c.Qrels)
	}
	if grade, judged := c.Qrels["q"]["b"]; grade != 0 || !judged {
		t.Error("a grade of 0 is a judgment")
	}
}

// TestTheTrapsOfCollections holds what copies of collections were found to have.
func TestTheTrapsOfCollections(t *testing.T) {
	t.Run("a text with line ends that are none", func(t *testing.T) {
		text := "before\u2028between\u0085after\u2029end"
		c, err := ReadCollection(files(`{"_id":"a","text":"`+text+`"}`+"\n", oneQuery, someQrels), "")
		if err != nil || len(c.Documents) != 1 || c.Documents[0].Text != text {
			t.Errorf("%+v, %v", c, err)
		}
	})
	t.Run("qrels without a heading", func(t *testing.T) {
		c, err := ReadCollection(files(twoTexts, oneQuery, "q\ta\t1\nq\tb\t-1"), "")
		if err != nil || c.Qrels["q"]["a"] != 1 || c.Qrels["q"]["b"] != -1 {
			t.Errorf("%+v, %v", c, err)
		}
	})
	t.Run("a byte order mark, carriage returns, blank lines, no end", func(t *testing.T) {
		c, err := ReadCollection(files("\uFEFF"+strings.ReplaceAll(twoTexts, "\n", "\r\n\r\n"), strings.TrimSpace(oneQuery), "\uFEFF"+strings.ReplaceAll(someQrels, "\n", "\r\n")), "")
		if err != nil || len(c.Documents) != 2 || len(c.Queries) != 1 || c.Qrels["q"]["a"] != 2 {
			t.Errorf("%+v, %v", c, err)
		}
	})
	t.Run("ids that are numbers", func(t *testing.T) {
		c, err := ReadCollection(files(`{"_id":184,"text":"x"}`, `{"_id":1,"text":"x"}`, "1\t184\t1"), "")
		if err != nil || c.Documents[0].ID != "184" || len(c.Judged()) != 1 {
			t.Errorf("%+v, %v", c, err)
		}
	})
	t.Run("queries without anything relevant are left out", func(t *testing.T) {
		c, err := ReadCollection(files(twoTexts, oneQuery+`{"_id":"r","text":"y"}`+"\n"+`{"_id":"s","text":"z"}`, "q\ta\t1\nr\ta\t0\nr\tb\t-1"), "")
		if err != nil {
			t.Fatal(err)
		}
		if judged := c.Judged(); len(judged) != 1 || judged[0].ID != "q" {
			t.Errorf("judged: %+v", judged)
		}
	})
	t.Run("what is judged and not there is counted", func(t *testing.T) {
		c, err := ReadCollection(files(twoTexts, oneQuery, "q\ta\t1\nq\tx\t1\ngone\ta\t1\ngone\ty\t1"), "")
		if err != nil {
			t.Fatal(err)
		}
		if queries, documents := c.Unknown(); queries != 1 || documents != 1 {
			t.Errorf("%d queries and %d documents, want 1 and 1", queries, documents)
		}
	})
}

func TestACollectionThatIsWrongSaysWhere(t *testing.T) {
	for name, c := range map[string]struct {
		fsys fstest.MapFS
		want []string
	}{
		"a missing file":   {fstest.MapFS{"corpus.jsonl": {Data: []byte(twoTexts)}}, []string{"queries.jsonl"}},
		"no JSON":          {files(twoTexts+"version https://git-lfs\n", oneQuery, someQrels), []string{"corpus.jsonl", "line 3"}},
		"no id":            {files(twoTexts, `{"text":"x"}`, someQrels), []string{"queries.jsonl", "line 1", "_id"}},
		"an id twice":      {files(twoTexts+twoTexts, oneQuery, someQrels), []string{"line 3", `"a"`, "line 1"}},
		"an id of a kind":  {files(`{"_id":[1],"text":"x"}`, oneQuery, someQrels), []string{"line 1", "neither"}},
		"two columns":      {files(twoTexts, oneQuery, "q\ta\t1\nq\tb\n"), []string{"qrels/test.tsv", "line 2", "2 columns"}},
		"spaces, no tabs":  {files(twoTexts, oneQuery, "q 0 a 1\n"), []string{"line 1", "tabs"}},
		"a second heading": {files(twoTexts, oneQuery, someQrels+someQrels), []string{"line 4", `"score"`}},
		"a huge grade":     {files(twoTexts, oneQuery, "q\ta\t1000"), []string{"line 1", `"1000"`}},
		"two grades":       {files(twoTexts, oneQuery, "q\ta\t1\nq\ta\t2"), []string{"line 2", "had 1 in line 1"}},
		"an empty id":      {files(twoTexts, oneQuery, "q\t\t1"), []string{"line 1", "empty"}},
	} {
		_, err := ReadCollection(c.fsys, "")
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
}

func FuzzReadTexts(f *testing.F) {
	for _, seed := range []string{twoTexts, oneQuery, "\uFEFF{}", `{"_id":1e400}`, `{"_id":null,"text":"a` + "\u2028" + `b"}`, "\n\r\n{", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		seen := map[string]bool{}
		err := readTexts(bytes.NewReader(data), "corpus.jsonl", func(id, _, _ string) {
			if id == "" || seen[id] {
				t.Fatalf("id %q is empty or was there before", id)
			}
			seen[id] = true
		})
		if lines := bytes.Count(data, []byte("\n")) + 1; err == nil && len(seen) > lines {
			t.Fatalf("%d texts in %d lines", len(seen), lines)
		}
	})
}

func FuzzReadTable(f *testing.F) {
	for _, seed := range []string{someQrels, "q\ta\t1", "q\ta\t+1\r\n", "\t\t", "a\tb\t-128", "q\t \t1", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		qrels, err := readTable(bytes.NewReader(data), "qrels/test.tsv")
		if err != nil {
			return
		}
		pairs := 0
		for query, grades := range qrels {
			for document, grade := range grades {
				if query == "" || document == "" || grade < -127 || grade > 127 {
					t.Fatalf("%q %q %d", query, document, grade)
				}
				pairs++
			}
		}
		if lines := bytes.Count(data, []byte("\n")) + 1; pairs > lines {
			t.Fatalf("%d pairs in %d lines", pairs, lines)
		}
	})
}
