package exchange

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
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
		"a comma, first":   {files(twoTexts, oneQuery, "q\ta\t1,5\n"), []string{"line 1", `"1,5"`}},
		"no grade, first":  {files(twoTexts, oneQuery, "q\ta\t\n"), []string{"line 1", `""`}},
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

func TestASplitIsChosen(t *testing.T) {
	some := files(twoTexts, oneQuery, someQrels)
	some["qrels/dev.tsv"] = &fstest.MapFile{Data: []byte("q\tb\t3\n")}
	if c, err := ReadCollection(some, "dev"); err != nil || c.Qrels["q"]["b"] != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := ReadCollection(some, ""); err != nil || c.Qrels["q"]["a"] != 2 {
		t.Errorf("test beside dev: %+v, %v", c, err)
	}
	delete(some, "qrels/test.tsv")
	if c, err := ReadCollection(some, ""); err != nil || c.Qrels["q"]["b"] != 3 {
		t.Errorf("dev alone: %+v, %v", c, err)
	}
	some["qrels/train.tsv"] = some["qrels/dev.tsv"]
	_, err := ReadCollection(some, "")
	says(t, "two", err, "qrels/dev.tsv", "qrels/train.tsv", "which split")
	_, err = ReadCollection(some, "../../x")
	says(t, "outside", err, "x.tsv")
}

func TestCollectionsAreWrittenAsTheyAreRead(t *testing.T) {
	folder := t.TempDir()
	c := &Collection{
		Documents: []Document{{"d\u00a01", "", "before\u2028between\u0085after <b>"}, {"d 2", "T", ""}},
		Queries:   []Query{{"q", "what?"}},
		Qrels:     map[string]map[string]int{"q": {"d 2": 1}},
	}
	if err := WriteCollection(folder, c); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"corpus.jsonl":   "{\"_id\":\"d\u00a01\"" + `,"title":"","text":"before\u2028between\u0085after <b>"}` + "\n" + `{"_id":"d 2","title":"T","text":""}` + "\n",
		"queries.jsonl":  `{"_id":"q","text":"what?"}` + "\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\td 2\t1\n",
	} {
		if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := &Collection{Qrels: drawQrels(t, textID())}
		text := rapid.OneOf(rapid.String(), rapid.Just("\u2028\u0085\x7f\u202e\r\n"))
		for _, id := range rapid.SliceOfNDistinct(textID(), 1, 5, rapid.ID).Draw(t, "ids") {
			c.Documents = append(c.Documents, Document{id, text.Draw(t, "title"), text.Draw(t, "text")})
			c.Queries = append(c.Queries, Query{id, text.Draw(t, "query")})
		}
		if err := WriteCollection(folder, c); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadCollection(os.DirFS(folder), ""); err != nil || !reflect.DeepEqual(again, c) {
			t.Fatalf("%+v became %+v, %v", c, again, err)
		}
	})
}

func TestCollectionsThatCannotBeReadAreNotWritten(t *testing.T) {
	for name, c := range map[string]struct {
		collection Collection
		want       []string
	}{
		"an id twice": {Collection{Documents: []Document{{ID: "a"}, {ID: "a"}}}, []string{"corpus.jsonl", `"a"`, "twice"}},
		"no id":       {Collection{Queries: []Query{{}}}, []string{"queries.jsonl", "_id is empty"}},
		"a space":     {Collection{Documents: []Document{{ID: " a"}}}, []string{"corpus.jsonl", `" a"`, "space at an end"}},
		"a tab":       {Collection{Qrels: map[string]map[string]int{"q": {"a\tb": 1}}}, []string{"qrels/test.tsv", "control"}},
		"a grade":     {Collection{Qrels: map[string]map[string]int{"q": {"a": -128}}}, []string{"qrels/test.tsv", "-128"}},
	} {
		says(t, name, WriteCollection(t.TempDir(), &c.collection), c.want...)
	}
}
