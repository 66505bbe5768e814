package judgment

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// checkProblems holds problems to what whoever prints them may expect.
func checkProblems(t *testing.T, list []Problem) {
	t.Helper()
	for _, p := range list {
		if !utf8.ValidString(p.Text) || strings.ContainsAny(p.Text, "\n\r\x00\x1b") || len(p.Text) > 2000 {
			t.Fatalf("a problem cannot be printed: %q", p.Text)
		}
	}
}

func FuzzRecords(f *testing.F) {
	const good = `{"query_id":"q","source_url":"p","quote":"a b","char_start":1,"char_end":4,"grade":2,"judge":"ana","judged_at":"2026-01-05T10:00:00Z","pool":["x"]}`
	f.Add([]byte(good + "\n" + good[:50]))
	f.Add([]byte("\uFEFF" + good + "\r\n\x00\n{\"a\":1,\"A\":[{\"a\":\"\\\"\"}]}"))
	f.Add([]byte(`{"query_id":"q","source_url":"p","judge":"model:x","withdrawn":true,"note":"\u001b[2J\ud800"}`))
	f.Add([]byte(`{"quote":"` + "\xff\u2028\u0085" + `","grade":1e2,"judge":{"a":"b"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		told := &problems{file: recordsFile}
		list, err := readRecords(bytes.NewReader(raw), 3, map[string]bool{"q": true}, told)
		if err != nil {
			t.Fatal(err)
		}
		checkProblems(t, told.all())
		for i := range list {
			line, err := list[i].line()
			if err != nil {
				continue // its escapes may be longer than what they were made of
			}
			again, notes, err := new(written).read(bytes.TrimSuffix(line, []byte("\n")))
			if err != nil || len(notes) > 0 {
				t.Fatalf("%s: %v, %v", line, notes, err)
			}
			again.JudgedAt = list[i].JudgedAt // which may have parts of a second, and be in a zone
			if !reflect.DeepEqual(again, list[i]) {
				t.Fatalf("%+v became %+v", list[i], again)
			}
		}
	})
}

// What reads lines in the form of the program itself reads nothing otherwise than what reads
// any JSON does, and nothing that this refuses.
func FuzzWritten(f *testing.F) {
	const good = `{"query_id":"q","source_url":"p","quote":"a\nb é","quote_hash":"9f","char_start":0,"char_end":4,"grade":2,"judge":"ana","judged_at":"2026-01-05T10:00:00Z","seen_rank":null,"pool":["x","y"],"note":""`
	f.Add([]byte(good + "}"))
	f.Add([]byte(good + `,"evidence":{"model":"m","prompt_hash":"00","answer":"{\"grade\":2}"}}`))
	for _, other := range []string{
		`"char_start":00`, `"char_start":-1`, `"char_start":1e2`, `"char_start":1.0`, `"char_start":99999999999999999999`, `"char_start": 1`, `"Char_start":1`,
	} {
		f.Add([]byte(strings.Replace(good, `"char_start":0`, other, 1) + "}"))
	}
	f.Add([]byte(strings.Replace(good, `"grade":2`, `"grade":null,"withdrawn":true`, 1) + "}"))
	f.Add([]byte(strings.Replace(good, `["x","y"]`, `["x",]`, 1) + "}"))
	f.Add([]byte(strings.Replace(good, `["x","y"]`, `[]`, 1) + "} "))
	f.Add([]byte(strings.Replace(good, `"ana"`, `"\ud800\u00e9"`, 1) + "}"))
	f.Add([]byte(strings.Replace(good, `"ana"`, "\"a\xff\t\"", 1) + "}"))
	f.Add([]byte(good + `,"grade":3}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		w := &written{}
		for range 2 { // texts that it has met once, too
			got, ok := w.decode(line)
			if !ok {
				return
			}
			if want, err := decode(line); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%q is %+v, %v, and was read as %+v", line, want, err, got)
			}
		}
	})
}

// TestWrittenLinesAreReadFast holds that the form of the program itself is known as that.
func TestWrittenLinesAreReadFast(t *testing.T) {
	grade := Grade(3)
	for _, r := range []Record{
		{},
		{Key: Key{"q", "https://example.org/ü?a=<b>&c", "", 0, 0}, Judge: "ana \"b\" \u2028", Grade: grade, JudgedAt: time.Unix(1e9, 0)},
		{Key: KeyOf("q", "p", "one\ntwo\ttext", 7), Quote: "one\ntwo\ttext", Grade: CannotTell, Judge: "a", SeenRank: 3, Pool: []string{"a", "b\\"}, Note: "n"},
		{Key: PageKey("q", "p"), Grade: Withdrawn, Judge: "a"},
		{Key: PageKey("q", "p"), Grade: grade, Judge: ModelJudge("m"), Evidence: &Evidence{"m", "9f", `{"grade":3}`}},
	} {
		line, err := r.line()
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := new(written).decode(bytes.TrimSuffix(line, []byte("\n"))); !ok {
			t.Errorf("%s is not known", line)
		}
	}
}

func FuzzQueries(f *testing.F) {
	f.Add([]byte("q\ttext\ttag,tag\r\nq\tagain"))
	f.Add([]byte("\uFEFFq\x00\tt\n\t\t\t\n"))
	f.Add([]byte("q\t\xff\u2028\u0085\u202e\x1b[2J\t,\x07,"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		told := &problems{file: queriesFile}
		list, err := readQueries(bytes.NewReader(raw), told)
		if err != nil {
			t.Fatal(err)
		}
		checkProblems(t, told.all())
		for _, q := range list {
			again, err := parseQuery(strings.TrimSuffix(q.line(), "\n"))
			if err != nil || !reflect.DeepEqual(again, q) {
				t.Fatalf("%+v became %+v, %v", q, again, err)
			}
		}
	})
}

func FuzzAbout(f *testing.F) {
	f.Add([]byte(`{"format":"webrag-tui query set 1","name":"a","labels":["no","yes"],"k":5,"seed":7,"corpus":{"name":"c","documents":3,"newest_fetched_at":"2026-01-05T10:00:00Z"},"more":{"a":[1]}}`))
	f.Add([]byte("{\"nAme\":\"0\",\"\":{\"\xb6\":[]}}"))
	f.Add([]byte("\uFEFF{\"name\":\"a\xff\",\"notes\":\"\x1b[2J\",\"corpus\":{\"newest_fetched_at\":\"x\"}}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, _, err := decodeAbout(raw)
		if err != nil {
			checkProblems(t, []Problem{{Text: err.Error()}})
			return
		}
		written, err := a.encode(raw)
		if err != nil {
			t.Fatal(err)
		}
		again, note, err := decodeAbout(written)
		again.Corpus.Newest, a.Corpus.Newest = a.Corpus.Newest.UTC(), a.Corpus.Newest.UTC()
		if err != nil || note != "" || !reflect.DeepEqual(again, a) {
			t.Fatalf("%s: %+v became %+v, %q, %v", written, a, again, note, err)
		}
	})
}

func FuzzLocate(f *testing.F) {
	f.Add("a b  c a b", "a b", 0, 3)
	f.Add(" zwei\u2028\u0085Zeilen\xff 漢", "Zeilen", 3, 9)
	f.Add("aaaa", "aa", 1, 3)
	f.Fuzz(func(t *testing.T, text, quote string, start, end int) {
		text, quote = strings.ToValidUTF8(text, "?"), collapse(strings.ToValidUTF8(quote, "?"))
		if quote == "" {
			return
		}
		p, state := locate(layOut(oneSection(text)), []byte(quote), start, end)
		if state == Orphaned {
			if strings.Contains(collapse(text), quote) {
				t.Fatalf("%q is not found in %q", quote, text)
			}
			return
		}
		points := []rune(text)
		if p.start < 0 || p.end > len(points) || p.start >= p.end || collapse(string(points[p.start:p.end])) != quote {
			t.Fatalf("%q is at %+v of %q", quote, p, text)
		}
		if state == Exact && collapse(string(points[max(0, start):min(len(points), max(0, end))])) != quote {
			t.Fatalf("%q is not from %d to %d of %q", quote, start, end, text)
		}
	})
}
