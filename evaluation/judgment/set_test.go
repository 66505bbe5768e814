package judgment_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/testdata/cputime"
)

func TestASetIsPlainFiles(t *testing.T) {
	t.Parallel()
	sets := t.TempDir()
	about := judgment.About{
		Name: "Retries", Notes: "Asked by support.\nTwice.", Seed: 7,
		Corpus: judgment.Corpus{Name: "guide", Documents: 3, Newest: at, Hash: "ab"},
	}
	s, err := judgment.Create(sets, "retries", about)
	if err != nil {
		t.Fatal(err)
	}
	if s.K != 10 || s.MaxGrade() != 3 || s.Origin != judgment.ByHand {
		t.Errorf("what was left out is %+v", s.About)
	}
	q, err := s.AddQuery(t.Context(), judgment.Query{Text: " What is\tmax_depth?\n", Tags: []string{"name", "", "name", "short"}})
	if err != nil {
		t.Fatal(err)
	}
	must(t, s, graded(q.ID, "https://example.org/trees", "  max_depth\nlimits <b> ", 10, "ana", 2), judgment.Record{Key: judgment.PageKey(q.ID, "file:a.md"), Grade: judgment.CannotTell, Judge: judgment.ModelJudge("small"), SeenRank: 4, Pool: []string{"webrag"}})
	if got, want := content(t, s, "queries.tsv"), "what-is-max_depth\tWhat is max_depth?\tname,short\n"; got != want {
		t.Errorf("queries.tsv is %q, want %q", got, want)
	}
	const want = `{"query_id":"what-is-max_depth","source_url":"https://example.org/trees","quote":"  max_depth\nlimits <b> ","quote_hash":"f0aea1a1f4e62508963692096e24ff2a59351e8af152f2e2cf3fbd41ab0fd704","char_start":12,"char_end":32,"grade":2,"judge":"ana","judged_at":"2026-01-05T10:00:00Z","seen_rank":null,"pool":[],"note":""}
{"query_id":"what-is-max_depth","source_url":"file:a.md","quote":"","quote_hash":"","char_start":0,"char_end":0,"grade":null,"judge":"model:small","judged_at":"","seen_rank":4,"pool":["webrag"],"note":""}
`
	if got := content(t, s, "judgments.jsonl"); got != want {
		t.Errorf("judgments.jsonl is\n%s\nwant\n%s", got, want)
	}
	again, problems := reopen(t, s)
	if len(problems) > 0 || !reflect.DeepEqual(again, s) {
		t.Errorf("read again it is %+v with %v, want %+v", again, problems, s)
	}
	if names, err := judgment.List(sets); err != nil || !slices.Equal(names, []string{"retries"}) {
		t.Errorf("the sets are %q, %v", names, err)
	}
	if names, err := judgment.List(filepath.Join(sets, "absent")); names != nil || err != nil {
		t.Errorf("no sets are %q, %v", names, err)
	}
	if _, err := judgment.Create(sets, "retries", about); !errors.Is(err, judgment.ErrSetExists) {
		t.Errorf("made twice: %v", err)
	}
	for _, name := range []string{"", ".git", "..", "a/b", "a b", "é", strings.Repeat("a", 101)} {
		if _, err := judgment.Create(sets, name, about); err == nil || !strings.Contains(err.Error(), "a name has letters") {
			t.Errorf("a set %q: %v", name, err)
		}
	}
	if _, _, err := judgment.Open(sets, "other"); !errors.Is(err, judgment.ErrNoSet) {
		t.Errorf("no set: %v", err)
	}
}

func TestQueriesAreChangedOneByOne(t *testing.T) {
	t.Parallel()
	s := newSet(t)
	put(t, s, "queries.tsv", "\uFEFFa\tone\r\n# a comment\nb\ttwo\nb\tother\n\nc\tthree") // the last has no end
	s, _ = reopen(t, s)
	must(t, s, graded("b", "p", "two", 0, "ana", 1))
	if _, err := s.AddQuery(t.Context(), judgment.Query{ID: "c", Text: "more"}); err == nil || !strings.Contains(err.Error(), "is taken") {
		t.Errorf("an id that is taken: %v", err)
	}
	if q, err := s.AddQuery(t.Context(), judgment.Query{Text: "c"}); err != nil || len(q.ID) != 10 {
		t.Errorf("a letter gets %+v, %v", q, err)
	}
	if err := s.ChangeQuery(t.Context(), judgment.Query{ID: "a", Text: "ONE", Tags: []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveQuery(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if got, want := content(t, s, "queries.tsv"), "a\tONE\tx\n# a comment\nb\tother\n\nc\tthree\nq-2e7d2c03\tc\n"; got != want {
		t.Errorf("queries.tsv is %q, want %q", got, want)
	}
	// Another one with the id counts now; and when that goes, too, what was judged stays.
	if err := s.RemoveQuery(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveQuery(t.Context(), "b"); err == nil {
		t.Error("a query was removed that is not there")
	}
	again, problems := reopen(t, s)
	if len(again.Records) != 1 || len(again.Judgments()) != 0 || again.Query("b") != nil || again.Query("a").Text != "ONE" {
		t.Errorf("the judgment of a removed query: %+v", again.Records)
	}
	if !slices.ContainsFunc(problems, func(p judgment.Problem) bool {
		return p.String() == "judgments.jsonl:1: b is no query of the set; its judgments (1) are kept and do not count until it is one again"
	}) {
		t.Errorf("the problems are %v", problems)
	}
	if _, err := again.AddQuery(t.Context(), judgment.Query{ID: "b", Text: "two"}); err != nil || len(again.Judgments()) != 1 {
		t.Errorf("the query is there again: %v, %d judgments", err, len(again.Judgments()))
	}
	for _, q := range []judgment.Query{{ID: "a b", Text: "x"}, {ID: "x"}, {ID: "x", Text: strings.Repeat("x", 10_001)}, {ID: "x", Text: "x", Tags: []string{"a,b"}}} {
		if _, err := again.AddQuery(t.Context(), q); err == nil {
			t.Errorf("%.60v was added", q)
		}
	}
}

func TestIDsAreMadeOfTexts(t *testing.T) {
	t.Parallel()
	s := newSet(t)
	for _, c := range []struct{ text, want string }{
		{"What is max_depth?", "what-is-max_depth"},
		{"what is max_depth", "what-is-max_depth-2"},
		{"A very long question that goes on, and on, and on", "a-very-long-question-that-goes-on-and-on"},
		{"なぜ見つからない", "q-4193a64d"},
		{"?", "q-8a8de823"},
	} {
		if q, err := s.AddQuery(t.Context(), judgment.Query{Text: c.text}); err != nil || q.ID != c.want {
			t.Errorf("%q gets %q, %v, want %q", c.text, q.ID, err, c.want)
		}
	}
}

func TestASetIsChangedAndRenamed(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q")
	put(t, s, "set.json", `{"format":"webrag-tui query set 1","name":"set","labels":["no","yes","sure"],"k":5,"colour":{"a":[1]}}`)
	s, problems := reopen(t, s)
	if len(problems) > 0 || s.K != 5 || s.MaxGrade() != 2 {
		t.Fatalf("%+v, %v", s.About, problems)
	}
	must(t, s, graded("q", "p", "a text", 0, "ana", 2))
	if err := s.Change(t.Context(), func(a *judgment.About) { a.Labels = []string{"no", "yes"} }); err == nil || !strings.Contains(err.Error(), "judged with the grade 2") {
		t.Errorf("the scale has lost a grade: %v", err)
	}
	if err := s.Change(t.Context(), func(a *judgment.About) { a.Notes = "new" }); err != nil {
		t.Fatal(err)
	}
	if raw := content(t, s, "set.json"); !strings.Contains(raw, `"colour"`) || !strings.Contains(raw, `"notes": "new"`) {
		t.Errorf("what is not known is lost: %s", raw)
	}
	other, _ := reopen(t, s)
	if _, err := judgment.Create(filepath.Dir(s.Folder), "taken", judgment.About{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Rename(t.Context(), "taken"); !errors.Is(err, judgment.ErrSetExists) {
		t.Errorf("renamed to another: %v", err)
	}
	if err := s.Rename(t.Context(), "renamed"); err != nil {
		t.Fatal(err)
	}
	must(t, s, graded("q", "p", "more", 0, "ana", 2))
	again, problems := reopen(t, s)
	if len(problems) > 0 || again.Name != "renamed" || len(again.Records) != 2 {
		t.Errorf("renamed it is %+v, %v", again, problems)
	}
	if err := other.Append(t.Context(), graded("q", "p", "x", 0, "ana", 0)); !errors.Is(err, judgment.ErrNoSet) {
		t.Errorf("appended where it was: %v", err)
	}
}

func TestWhatASetCannotBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"name":"a","name":"b"}`:             `"name" stands in it twice`,
		`{"name":"a","labels":["one"]}`:       "a scale has 2 to 11",
		`{"name":"a","labels":["one"," "]}`:   "the grade 1 has no label",
		`{"name":"a","k":-1}`:                 "k is -1",
		`{"name":"a","k":"ten"}`:              "k is string",
		`{"name":"a","origin":"found"}`:       `the origin is "found"`,
		`{"name":"\u001b"`:                    "cut in the middle",
		`{"name":" "}`:                        "no name",
		`{"format":"webrag-tui query set 2"}`: "use the version that wrote it",
		`[]`:                                  "no object",
		`{"name":"a",}`:                       "no JSON from byte 13",
	} {
		s := newSet(t)
		put(t, s, "set.json", text)
		_, _, err := judgment.Open(filepath.Dir(s.Folder), "set")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "set.json") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	s := newSet(t)
	put(t, s, "set.json", "\uFEFF{\"Name\":\"a\",\"Noteſ\":\"b\",\"other\":1}")
	again, problems := reopen(t, s)
	if again.Name != "a" || again.Notes != "b" || len(problems) != 1 || !problems[0].Used {
		t.Errorf("with a byte order mark it is %+v, %v", again.About, problems)
	}
	if err := again.Change(t.Context(), func(a *judgment.About) { a.K = 3 }); err != nil {
		t.Error(err)
	}
	if raw := content(t, s, "set.json"); strings.Contains(raw, "Note") || !strings.Contains(raw, `"other"`) {
		t.Errorf("changed it is %s", raw)
	}
	if err := os.Remove(filepath.Join(s.Folder, "set.json")); err != nil {
		t.Fatal(err)
	}
	put(t, s, "queries.tsv", "q\ttext\n")
	again, problems = reopen(t, s)
	if again.Name != "set" || again.MaxGrade() != 3 || len(problems) != 1 || !problems[0].Used {
		t.Errorf("without set.json it is %+v, %v", again.About, problems)
	}
}

// TestEachFlawIsNamed has one line for each thing that can be wrong in the two files.
func TestEachFlawIsNamed(t *testing.T) {
	t.Parallel()
	line := func(more string) string {
		return `{"query_id":"q","source_url":"p","quote":"a  b","char_start":1,"char_end":5,"judge":"ana",` + more + `}`
	}
	s := newSet(t)
	put(t, s, "queries.tsv", "\uFEFFq\tone\r\nno tab\nq\tagain\nr\tone\nx\ta\x00b\ns\ttwo\tt,u\tmore\nt\t\nlast\tis cut off")
	put(t, s, "judgments.jsonl", strings.Join([]string{
		line(`"grade":1`) + "\r",                                                     // 1
		line(`"grade":4`),                                                            // 2
		line(`"grade":-1`),                                                           // 3
		line(`"grade":1,"\u0047rade":2`),                                             // 4
		line(`"grade":"good"`),                                                       // 5
		line(`"grade":1`)[:60],                                                       // 6
		"\x00\x00\x00",                                                               // 7
		line(`"grade":1,"judged_at":"monday"`),                                       // 8
		line(`"grade":1,"quote_hash":"00"`),                                          // 9
		line(`"grade":1,"judged_at":"2026-01-05T10:00:00Z"`),                         // 10
		line(`"grade":1,"judged_at":"2026-01-05T10:00:00Z"`),                         // 11
		strings.Replace(line(`"grade":1`), `"q"`, `"gone"`, 1),                       // 12
		strings.Replace(line(`"grade":1`), `"q"`, `"gone"`, 1),                       // 13
		strings.Replace(line(`"grade":1`), `"ana"`, `"\u001b[2J"`, 1),                // 14
		strings.Replace(line(`"grade":1`), `"char_end":5`, `"char_end":0`, 1),        // 15
		strings.Replace(line(`"grade":1`), `"quote":"a  b"`, `"quote_hash":"00"`, 1), // 16
		strings.Replace(line(`"grade":1`), `"quote":"a  b"`, `"quote":""`, 1),        // 17
		strings.Replace(line(`"grade":1`), `"p"`, `"p\n"`, 1),                        // 18
		"[1]", // 19
		line(`"grade":1,"note":"` + strings.Repeat("x", 1<<20) + `"`), // 20
		"", // 21
		`{"query_id":"q","new":{"a":[{}]},"source_url":"p","quote":"a b","char_start":1,"char_end":4,"judge":"ana","grade":null,"note":"\u001b[2J"}`, // 22
		line(`"grade":1`)[:40], // 23, without an end
	}, "\n"))
	again, problems := reopen(t, s)
	var told []string
	for _, p := range problems {
		used := "- "
		if p.Used {
			used = "+ "
		}
		told = append(told, used+p.String())
	}
	want := []string{
		"+ queries.tsv:1: the file begins with a byte order mark",
		"+ queries.tsv:1: the lines end as on Windows",
		`- queries.tsv:2: "no tab" is no id of a query`,
		"- queries.tsv:3: the id q is already that of line 1; the line is left out: mend it",
		"+ queries.tsv:4: the query is that of line 1 again",
		"- queries.tsv:5: the line has a NUL character",
		"- queries.tsv:6: there are 4 columns between tabs",
		"- queries.tsv:7: the query t has no text",
		"+ judgments.jsonl:1: the lines end as on Windows",
		"- judgments.jsonl:2: the grade 4 is not on the scale of the set, 0 to 3; the line is left out: mend it, or judge anew",
		"- judgments.jsonl:3: the grade -1 is below 0; null stands for",
		`- judgments.jsonl:4: "Grade" stands in it twice`,
		"- judgments.jsonl:5: grade is string, which it cannot be",
		"- judgments.jsonl:6: it is cut in the middle",
		"- judgments.jsonl:7: the line has a NUL character",
		`+ judgments.jsonl:8: judged_at "monday" is no time`,
		"+ judgments.jsonl:9: quote_hash is not that of its quote",
		"+ judgments.jsonl:11: this is the judgment of line 10 again",
		"- judgments.jsonl:14: the judge has no name",
		"- judgments.jsonl:15: char_start 1 and char_end 0 are no range",
		"- judgments.jsonl:16: it has a quote_hash and no quote",
		"- judgments.jsonl:17: a quote without words judges a whole page",
		"- judgments.jsonl:18: source_url is empty",
		"- judgments.jsonl:19: it is no object of JSON",
		"- judgments.jsonl:20: the line has 1048",
		"- judgments.jsonl:23: it is cut in the middle",
		"- judgments.jsonl:12: gone is no query of the set; its judgments (2) are kept",
	}
	for i := range max(len(want), len(told)) {
		if i >= len(want) || i >= len(told) || !strings.HasPrefix(told[i], want[i]) {
			t.Fatalf("problem %d of\n%s\nis not %q", i, strings.Join(told, "\n"), want[min(i, len(want)-1)])
		}
	}
	if len(again.Queries) != 3 || again.Queries[2].Text != "is cut off" || len(again.Records) != 8 {
		t.Errorf("%d queries and %d records can be used", len(again.Queries), len(again.Records))
	}
	if note := again.Records[7].Note; again.Records[7].Grade != judgment.CannotTell || note != "␛[2J" {
		t.Errorf("the last record is %+v", again.Records[7])
	}
	// Nothing of the file is lost by what is appended, and the cut line gets its end.
	before := content(t, s, "judgments.jsonl")
	must(t, again, graded("q", "p", "new", 0, "ana", 3))
	if after, ok := strings.CutPrefix(content(t, s, "judgments.jsonl"), before+"\n"); !ok || strings.Count(after, "\n") != 1 {
		t.Errorf("appended: %q", after)
	}
	if last, _ := reopen(t, s); len(last.Records) != 9 || last.Records[8].Grade != 3 {
		t.Errorf("%d records after one more", len(last.Records))
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	t.Parallel()
	s := newSet(t)
	put(t, s, "queries.tsv", strings.Repeat("x y\n", 250))
	_, problems := reopen(t, s)
	if n := len(problems); n != 101 || problems[100].String() != "queries.tsv: there are 150 problems more; mend these first" {
		t.Errorf("%d problems, the last %v", n, problems[n-1])
	}
}

func TestJudgesAreBounded(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q")
	var lines strings.Builder
	for i := range 502 {
		fmt.Fprintf(&lines, `{"query_id":"q","source_url":"p","judge":"judge %d","grade":1}`+"\n", i)
	}
	put(t, s, "judgments.jsonl", lines.String())
	again, problems := reopen(t, s)
	if len(again.Records) != 500 || len(problems) != 2 || problems[0].Line != 501 || !strings.Contains(problems[0].Text, "more than 500 judges") {
		t.Errorf("%d records, %v", len(again.Records), problems)
	}
}

func FuzzOpen(f *testing.F) {
	const record = `{"query_id":"q","source_url":"p","quote":"a b","quote_hash":"","char_start":1,"char_end":4,"grade":2,"judge":"ana","judged_at":"2026-01-05T10:00:00Z","seen_rank":null,"pool":["x"],"note":""}`
	f.Add(`{"name":"a","labels":["no","yes"],"corpus":{"newest_fetched_at":"x"}}`, "q\ttext\ttag,tag\r\n", record+"\n"+record[:50])
	f.Add("\uFEFF{}", "\uFEFFq\x00\tt", "\xff\n{\"a\":{\"a\":1},\"A\":1}")
	f.Add(`{"name":"\ud800"}`, "q\t\xff\u2028", `{"query_id":"q","withdrawn":true,"note":"\"":1}`)
	f.Fuzz(func(t *testing.T, about, queries, records string) {
		s := newSet(t)
		put(t, s, "set.json", about)
		put(t, s, "queries.tsv", queries)
		put(t, s, "judgments.jsonl", records)
		opened, _, err := judgment.Open(filepath.Dir(s.Folder), "set")
		if err != nil {
			return
		}
		if _, err := opened.AddQuery(t.Context(), judgment.Query{ID: "mine", Text: "mine"}); err != nil && opened.Query("mine") == nil && !strings.Contains(err.Error(), "is taken") {
			t.Fatal(err)
		}
		if opened.Query("mine") == nil {
			return
		}
		must(t, opened, graded("mine", "p", "text", 0, "ana", 1))
		if got := content(t, s, "judgments.jsonl"); !strings.HasPrefix(got, records) {
			t.Fatalf("%q became %q", records, got)
		}
		if got := content(t, s, "queries.tsv"); !strings.HasPrefix(got, queries) {
			t.Fatalf("%q became %q", queries, got)
		}
		again, _ := reopen(t, opened)
		if len(again.Records) != len(opened.Records) || !reflect.DeepEqual(again.Queries, opened.Queries) {
			t.Fatalf("read again: %+v, before: %+v", again, opened)
		}
	})
}

// BenchmarkOpen reads a set beside what encoding/json alone needs for its lines, without
// any of the checks. The budget is that.
func BenchmarkOpen(b *testing.B) {
	s := newSet(b, "q")
	var records []judgment.Record
	for i := range 50_000 {
		records = append(records, graded("q", "https://example.org/"+strconv.Itoa(i%1000), strings.Repeat("a sentence of a page ", i%20), i, "ana", i%4))
	}
	must(b, s, records...)
	raw := []byte(content(b, s, "judgments.jsonl"))
	type line struct {
		QueryID   string   `json:"query_id"`
		SourceURL string   `json:"source_url"`
		Quote     string   `json:"quote"`
		QuoteHash string   `json:"quote_hash"`
		CharStart int      `json:"char_start"`
		CharEnd   int      `json:"char_end"`
		Grade     *int     `json:"grade"`
		Judge     string   `json:"judge"`
		JudgedAt  string   `json:"judged_at"`
		SeenRank  *int     `json:"seen_rank"`
		Pool      []string `json:"pool"`
		Note      string   `json:"note"`
	}
	b.ReportAllocs()
	var opening, floor time.Duration
	for b.Loop() {
		start := cputime.Now()
		var lines []line
		for text := range bytes.Lines(raw) {
			var l line
			if err := json.Unmarshal(text, &l); err != nil {
				b.Fatal(err)
			}
			lines = append(lines, l)
		}
		middle := cputime.Now()
		if again, _ := reopen(b, s); len(again.Records) != len(lines) {
			b.Fatal(len(again.Records))
		}
		floor += middle - start
		opening += cputime.Now() - middle
	}
	b.ReportMetric(opening.Seconds()/floor.Seconds(), "measured")
	b.ReportMetric(1, "budget")
}
