package judgment_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/file"
)

func TestWhatCannotBeAppended(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q")
	good := graded("q", "p", "a text", 0, "ana", 1)
	for want, change := range map[string]func(*judgment.Record){
		"not on the scale":         func(r *judgment.Record) { r.Grade = 4 },
		"is below 0":               func(r *judgment.Record) { r.Grade = -3 },
		"add it first":             func(r *judgment.Record) { r.QueryID = "other" },
		"no id of a query":         func(r *judgment.Record) { r.QueryID = "a b" },
		"the judge has":            func(r *judgment.Record) { r.Judge = "" },
		"source_url is":            func(r *judgment.Record) { r.SourceURL = "" },
		"of another quote":         func(r *judgment.Record) { r.Quote = "another" },
		"is no UTF-8":              func(r *judgment.Record) { r.Quote = "\xff" },
		"are no range":             func(r *judgment.Record) { r.CharStart = 9 },
		"more than the 1048576 of": func(r *judgment.Record) { r.Note = strings.Repeat("x", 2<<20) },
	} {
		bad := good
		change(&bad)
		if err := s.Append(t.Context(), good, bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(s.Folder, "judgments.jsonl")); err == nil || len(s.Records) > 0 {
		t.Error("some of what cannot be appended was")
	}
}

func TestUndoTakesBack(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q")
	first, second := graded("q", "p", "a text", 0, "ana", 1), graded("q", "p", "a text", 0, "ana", 3)
	second.JudgedAt = at.Add(time.Minute)
	must(t, s, first, graded("q", "p", "a text", 0, "ben", 0), second)
	grade := func() (int, bool) {
		again, _ := reopen(t, s)
		list := again.Judgments()
		return list[0].Grade(judgment.Only("ana"))
	}
	if g, ok := grade(); g != 3 || !ok {
		t.Errorf("the last record does not count: %d", g)
	}
	if back, err := s.Undo(t.Context(), second, at.Add(time.Hour)); err != nil || back.Grade != 1 {
		t.Errorf("undone it is %+v, %v", back, err)
	}
	if g, ok := grade(); g != 1 || !ok {
		t.Errorf("undone once it is %d", g)
	}
	if back, err := s.Undo(t.Context(), first, at.Add(2*time.Hour)); err != nil || back.Grade != judgment.Withdrawn {
		t.Errorf("undone twice it is %+v, %v", back, err)
	}
	if g, ok := grade(); ok {
		t.Errorf("undone twice it is %d", g)
	}
	if !strings.Contains(content(t, s, "judgments.jsonl"), `"grade":null,"withdrawn":true`) {
		t.Error("a withdrawal is not written as such")
	}
	if _, err := s.Undo(t.Context(), graded("q", "p", "other", 0, "ana", 1), at); err == nil {
		t.Error("what was never judged was undone")
	}
}

// drawRecord draws a judgment that can be appended.
func drawRecord(t *rapid.T) judgment.Record {
	quote := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a b", "zwei\u2028\u0085Zeilen", "<&>", "\x00\x1b", "\"\\"})).Draw(t, "quote")
	r := graded(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "query"), "p", quote, rapid.IntRange(0, 1000).Draw(t, "start"), "ana", 0)
	r.Quote = strings.TrimSpace(r.Quote)
	r.SourceURL = rapid.StringMatching(`[a-z:/é"\\<&]{1,20}`).Draw(t, "address")
	r.Judge = judgment.Judge(rapid.StringMatching(`(model:)?[a-zé"\\]{1,10}`).Draw(t, "judge"))
	r.Grade = judgment.Grade(rapid.IntRange(-2, 3).Draw(t, "grade"))
	r.Note = rapid.StringMatching(`[ -~é漢]{0,20}`).Draw(t, "note")
	r.SeenRank = rapid.IntRange(0, 5).Draw(t, "rank")
	if rapid.Bool().Draw(t, "by a model") {
		text := rapid.StringMatching(`[ -~é漢]{0,20}`)
		r.Evidence = &judgment.Evidence{Model: text.Draw(t, "model"), Prompt: text.Draw(t, "prompt"), Answer: text.Draw(t, "answer")}
	}
	r.Pool = rapid.SliceOfN(rapid.StringMatching(`[a-z]{0,5}`), 1, 3).Draw(t, "pool")
	return r
}

func TestWhatIsAppendedIsReadAgain(t *testing.T) {
	t.Parallel()
	s := newSet(t, "a", "b")
	rapid.Check(t, func(rt *rapid.T) {
		put(t, s, "judgments.jsonl", rapid.SampledFrom([]string{"", `{"cut`, "{}\n"}).Draw(rt, "before"))
		s.Records = nil
		for range rapid.IntRange(1, 3).Draw(rt, "appends") {
			must(t, s, rapid.SliceOfN(rapid.Custom(drawRecord), 1, 3).Draw(rt, "records")...)
		}
		again, _ := reopen(t, s)
		if !reflect.DeepEqual(again.Records, s.Records) {
			rt.Fatalf("read are %+v, appended were %+v", again.Records, s.Records)
		}
	})
}

// TestSeveralWritersLoseNothing has processes and goroutines write to one set at once.
func TestSeveralWritersLoseNothing(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	names := []judgment.Judge{"one", "two", "three", "four"}
	for i, name := range names {
		writers.Go(func() {
			if i%2 == 0 {
				if err := appendMany(s.Folder, name); err != nil {
					t.Error(err)
				}
				return
			}
			c := exec.CommandContext(t.Context(), program)
			c.Env = append(os.Environ(), appendHere+"="+s.Folder+"|"+string(name))
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	writers.Wait()
	again, problems := reopen(t, s)
	if slices.ContainsFunc(problems, func(p judgment.Problem) bool { return !p.Used }) {
		t.Errorf("what was written has problems: %v", problems)
	}
	next := map[judgment.Judge]int{}
	for _, r := range again.Records {
		if want := "https://example.org/" + strconv.Itoa(next[r.Judge]); r.SourceURL != want {
			t.Fatalf("%s wrote %s, want %s", r.Judge, r.SourceURL, want)
		}
		next[r.Judge]++
	}
	for _, name := range names {
		if next[name] != appended {
			t.Errorf("%d of %d judgments of %s are there", next[name], appended, name)
		}
	}
	if n := len(again.Queries); n != 1+len(names)*appended/20 {
		t.Errorf("there are %d queries", n)
	}
}

func TestWritingWaitsAndEnds(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q")
	held, ok, err := file.TryLock(filepath.Join(s.Folder, ".lock"))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Append(ctx, graded("q", "p", "a", 0, "ana", 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while it waits: %v", err)
	}
	done := make(chan error)
	go func() { done <- s.Append(context.Background(), graded("q", "p", "a", 0, "ana", 1)) }()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("it did not get its turn: %v", err)
	}
}

// What a model wrote may be a terminal's commands, and a book.
func TestEvidenceIsFitToBeShown(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q")
	r := graded("q", "p", "a text", 0, judgment.ModelJudge("m"), 2)
	r.Evidence = &judgment.Evidence{Model: "m\x1b[2J", Prompt: "9f", Answer: "one\ntwo\u202e" + strings.Repeat("é", 3000)}
	must(t, s, r)
	again, problems := reopen(t, s)
	if len(problems) > 0 || len(again.Records) != 1 {
		t.Fatal(problems)
	}
	got := again.Records[0].Evidence
	if got == nil || got.Model != "m␛[2J" || got.Prompt != "9f" || !strings.HasPrefix(got.Answer, "one two⟨U+202E⟩é") || utf8.RuneCountInString(got.Answer) != 2000 {
		t.Errorf("got %.60q", got)
	}
	if line := content(t, s, "judgments.jsonl"); len(line) > 6000 || strings.Contains(line, "\u202e") {
		t.Errorf("it was written as %.100q", line)
	}
}
