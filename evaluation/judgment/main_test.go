package judgment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/evaluation/judgment"
)

// appendHere names a set that this process is to append to, and the judge it is, with a
// stroke between them: it is one of several writers.
const appendHere = "WEBRAG_TEST_APPEND_JUDGMENTS"

// appended is how many judgments each writer appends.
const appended = 100

func TestMain(m *testing.M) {
	if folder, judge, ok := strings.Cut(os.Getenv(appendHere), "|"); ok {
		if err := appendMany(folder, judgment.Judge(judge)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run() // its code is what the test binary exits with
}

// appendMany opens a set, and appends judgments of many lengths, and a query now and then.
func appendMany(folder string, judge judgment.Judge) error {
	s, _, err := judgment.Open(filepath.Dir(folder), filepath.Base(folder))
	if err != nil {
		return err
	}
	for i := range appended {
		if err := s.Append(context.Background(), graded("q", "https://example.org/"+strconv.Itoa(i), strings.Repeat("word ", i+1), 3, judge, i%4)); err != nil {
			return err
		}
		if i%20 == 0 {
			if _, err := s.AddQuery(context.Background(), judgment.Query{ID: string(judge) + strconv.Itoa(i), Text: "of " + string(judge)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// at is when everything was judged.
var at = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

// graded is a judgment of a text that began at a code point of a page.
func graded(query, page, quote string, start int, judge judgment.Judge, grade int) judgment.Record {
	return judgment.Record{Key: judgment.KeyOf(query, page, quote, start), Quote: quote, Grade: judgment.Grade(grade), Judge: judge, JudgedAt: at}
}

// newSet makes a set with queries that have these ids.
func newSet(t testing.TB, ids ...string) *judgment.Set {
	t.Helper()
	s, err := judgment.Create(t.TempDir(), "set", judgment.About{Origin: judgment.ByHand})
	if err != nil {
		t.Fatal(err)
	}
	var queries []judgment.Query
	for _, id := range ids {
		queries = append(queries, judgment.Query{ID: id, Text: "the query " + id})
	}
	if _, err := s.AddQueries(t.Context(), queries...); err != nil {
		t.Fatal(err)
	}
	return s
}

// reopen reads a set again.
func reopen(t testing.TB, s *judgment.Set) (*judgment.Set, []judgment.Problem) {
	t.Helper()
	again, problems, err := judgment.Open(filepath.Dir(s.Folder), filepath.Base(s.Folder))
	if err != nil {
		t.Fatal(err)
	}
	return again, problems
}

// must appends judgments.
func must(t testing.TB, s *judgment.Set, records ...judgment.Record) {
	t.Helper()
	if err := s.Append(t.Context(), records...); err != nil {
		t.Fatal(err)
	}
}

// put writes a file of a set.
func put(t testing.TB, s *judgment.Set, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.Folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// content is a file of a set.
func content(t testing.TB, s *judgment.Set, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.Folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
