package session_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/session"
)

// written are the grades of the file, in its order, and what counts in the end of all texts.
func written(t *testing.T, s *session.Session) (lines []judgment.Grade, count map[string]judgment.Grade) {
	t.Helper()
	set, _, err := judgment.Open(s.Sets(), "drinks") // within a second the same is said twice
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range set.Records {
		lines = append(lines, r.Grade)
	}
	count = map[string]judgment.Grade{}
	for _, j := range set.Judgments() {
		for _, o := range j.Opinions {
			count[strings.Fields(j.Quote)[0]] = o.Grade
		}
	}
	return lines, count
}

// obstructed keeps a set from being written to until back is called.
func obstructed(t *testing.T, s *session.Session) (back func()) {
	t.Helper()
	lock := filepath.Join(s.Sets(), "drinks", ".lock")
	if err := os.RemoveAll(lock); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
	}
}

// The first grade of a query makes it one of the set. It is taken back whether it is written
// by then or not, and nothing else is.
func TestAFirstGradeIsTakenBack(t *testing.T) {
	s := judgedLibrary(t)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 2))
	finish(t, s, s.Ask("beans and water"))
	work := s.Grade(itemOf(s, "Coffee"), "", 0, 3)
	undo, ok := s.UndoJudgment()
	if !ok || len(undo) != 0 {
		t.Fatalf("undone %v beside what is written: %d works", ok, len(undo))
	}
	if finish(t, s, work); s.JudgingFailed() != nil || s.Unwritten() != 0 {
		t.Fatalf("it failed: %v", s.JudgingFailed())
	}
	if lines, count := written(t, s); !slices.Equal(lines, []judgment.Grade{2, 3, judgment.Withdrawn}) || len(count) != 1 {
		t.Errorf("the file has %v, and what counts is %v", lines, count)
	}
}

// A judgment that cannot be taken back stays the last, and the error stands until something
// is written: the next key takes back no other.
func TestAnUndoThatFails(t *testing.T) {
	s := judgedLibrary(t)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 2))
	finish(t, s, s.Grade(itemOf(s, "Coffee"), "", 0, 3))
	path := filepath.Join(s.Sets(), "drinks", "judgments.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw[:slices.Index(raw, '\n')+1], 0o600); err != nil { // somebody takes the last line out
		t.Fatal(err)
	}
	for range 2 {
		work, ok := s.UndoJudgment()
		if finish(t, s, work); !ok || s.JudgingFailed() == nil || s.Measured() == nil {
			t.Fatalf("undone %v, the failure is %v", ok, s.JudgingFailed())
		}
	}
	if lines, _ := written(t, s); !slices.Equal(lines, []judgment.Grade{2}) {
		t.Errorf("the file has %v", lines)
	}
	if finish(t, s, s.Grade(itemOf(s, "Coffee"), "", 0, 1)); s.JudgingFailed() != nil {
		t.Errorf("what was written leaves %v", s.JudgingFailed())
	}
}

// At the end of a session what was said last counts, whether work had written it or not, and
// nothing stands in the file twice.
func TestWhatIsUndoneAtTheEnd(t *testing.T) {
	for name, run := range map[string]func(s *session.Session, grade, undo []session.Work){
		"nothing ran": func(*session.Session, []session.Work, []session.Work) {},
		"the grade was written": func(s *session.Session, grade, _ []session.Work) {
			grade[0].Run(t.Context())
		},
		"the grade was applied": func(s *session.Session, grade, _ []session.Work) {
			s.Apply(grade[0].Run(t.Context()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := judgedLibrary(t)
			finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 1)) // the query is known
			grade := s.Grade(itemOf(s, "Tea"), "", 0, 3)
			undo, _ := s.UndoJudgment()
			run(s, grade, undo)
			if err := s.Flush(t.Context()); err != nil || s.Flush(t.Context()) != nil {
				t.Fatal(err)
			}
			for _, w := range append(grade, undo...) {
				w.Run(t.Context()) // what runs late writes nothing more
			}
			if lines, count := written(t, s); !slices.Equal(lines, []judgment.Grade{1, 3, 1}) || len(count) != 1 {
				t.Errorf("the file has %v, and what counts is %v", lines, count)
			}
		})
	}
}

// An undo whose work never runs is written at the end.
func TestAnUndoThatIsBeingWritten(t *testing.T) {
	s := judgedLibrary(t)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 3))
	work, _ := s.UndoJudgment()
	if len(work) != 1 {
		t.Fatalf("it takes %d works", len(work))
	}
	s.Close()
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	work[0].Run(t.Context())
	if lines, count := written(t, s); !slices.Equal(lines, []judgment.Grade{3, judgment.Withdrawn}) || len(count) != 0 {
		t.Errorf("the file has %v, and what counts is %v", lines, count)
	}
}

// What cannot be written is kept, counted and written with the next grade, before it; and at
// the end what is still unwritten is said.
func TestWhatCannotBeWrittenIsKept(t *testing.T) {
	s := judgedLibrary(t)
	back := obstructed(t, s)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 2))
	if _, count := written(t, s); s.JudgingFailed() == nil || s.Unwritten() != 1 || len(count) != 0 {
		t.Fatalf("%d are unwritten (%v), and %v count", s.Unwritten(), s.JudgingFailed(), count)
	}
	if err := s.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "1 judgment not written to the query set drinks") {
		t.Errorf("the end says %v", err)
	}
	back()
	finish(t, s, s.Grade(itemOf(s, "Coffee"), "", 0, 1))
	if lines, _ := written(t, s); s.JudgingFailed() != nil || s.Unwritten() != 0 || !slices.Equal(lines, []judgment.Grade{2, 1}) {
		t.Errorf("%d are unwritten (%v), and the file has %v", s.Unwritten(), s.JudgingFailed(), lines)
	}
	if tea, coffee := grade(s, "Tea"), grade(s, "Coffee"); tea != 2 || coffee != 1 {
		t.Errorf("tea has %d, coffee %d", tea, coffee)
	}

	// Another set is opened meanwhile.
	back = obstructed(t, s)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 0))
	finish(t, s, s.OpenSet(""))
	back()
	if err := s.Flush(t.Context()); err != nil || s.Unwritten() != 0 {
		t.Errorf("at the end %d are unwritten: %v", s.Unwritten(), err)
	}
	if lines, _ := written(t, s); len(lines) != 3 {
		t.Errorf("the file has %v", lines)
	}
}
