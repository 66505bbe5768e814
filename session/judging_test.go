package session_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// judgedLibrary is a session with an answer of a corpus of three pages, and an empty set.
func judgedLibrary(t *testing.T) *session.Session {
	t.Helper()
	p, _ := param.Preset(param.PresetHybrid)
	p.Mode = param.ModeChunk
	s := session.New(session.Setting{Name: param.PresetHybrid, Params: p}, nil)
	sets := t.TempDir()
	if _, err := judgment.Create(sets, "drinks", judgment.About{Labels: judgment.Labels(), K: 10, Origin: judgment.ByHand}); err != nil {
		t.Fatal(err)
	}
	s.JudgeBy(sets, "ana", evaluation.MustMeasure("nDCG@10"), evaluation.JudgedAt(10))
	finish(t, s, s.Take(library(t), nil))
	finish(t, s, s.OpenSet("drinks"))
	if s.JudgingFailed() != nil || s.Judged() == nil {
		t.Fatalf("the set: %v", s.JudgingFailed())
	}
	finish(t, s, s.Ask("water that has boiled"))
	if len(s.Result().Items) < 2 {
		t.Fatalf("the answer is %v", ids(s))
	}
	return s
}

// grade is what the item of a title earns.
func grade(s *session.Session, title string) int {
	for i, g := range s.Grades() {
		if s.Result().Items[i].Title == title {
			return g
		}
	}
	return -9
}

func itemOf(s *session.Session, title string) *retrieval.Item {
	return &s.Result().Items[slices.Index(titles(s), title)]
}

func TestJudgingInPlace(t *testing.T) {
	s := judgedLibrary(t)
	if s.Grades() != nil {
		t.Errorf("nothing was judged, and grades are %v", s.Grades())
	}
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 3))
	finish(t, s, s.Grade(itemOf(s, "Coffee"), "", 0, 1))
	if tea, coffee := grade(s, "Tea"), grade(s, "Coffee"); tea != 3 || coffee != 1 {
		t.Errorf("tea has %d, coffee %d", tea, coffee)
	}
	m := s.Measured()
	if m == nil || m.Now.Set.Queries != 1 || m.Now.Set.Scores[0].Mean <= 0 {
		t.Fatalf("measured: %+v", m)
	}
	raw, err := os.ReadFile(filepath.Join(s.Sets(), "drinks", "judgments.jsonl"))
	if err != nil || strings.Count(string(raw), "\n") != 2 || !strings.Contains(string(raw), `"judge":"ana"`) {
		t.Errorf("the file is %s (%v)", raw, err)
	}

	if c := s.Judged().Corpus; c.Documents != 3 || c.Hash == "" || s.Judged().OtherCorpus {
		t.Errorf("the set was made on %+v, another corpus: %v", c, s.Judged().OtherCorpus)
	}

	work, ok := s.UndoJudgment()
	finish(t, s, work)
	if !ok || grade(s, "Coffee") != evaluation.Unjudged || grade(s, "Tea") != 3 {
		t.Errorf("undone: tea has %d, coffee %d", grade(s, "Tea"), grade(s, "Coffee"))
	}
}

// What a model judged counts until people judge as well: then theirs alone, as commands and
// sweeps count it.
func TestPeopleCountAloneBesideModels(t *testing.T) {
	s := judgedLibrary(t)
	coffee := itemOf(s, "Coffee")
	finish(t, s, s.JudgeRecords(s.Query(), judgment.Record{
		Key: judgment.PageKey("", coffee.SourceURL), Judge: judgment.ModelJudge("m"), Grade: 2,
	}))
	if got, measured := grade(s, "Coffee"), s.Measured().Now.Set.Scores[0].Mean; got != 2 || measured <= 0 {
		t.Fatalf("where a model alone has judged, coffee has %d, and the measure is %v", got, measured)
	}
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 0))
	if tea, coffee, measured := grade(s, "Tea"), grade(s, "Coffee"), s.Measured().Now.Set.Scores[0].Mean; tea != 0 || coffee != evaluation.Unjudged || measured != 0 {
		t.Errorf("beside a person's judgment tea has %d, coffee %d, and the measure is %v", tea, coffee, measured)
	}
}

// A set knows which pages it was made on, also when it learned that from a judgment; opened
// on others it says so.
func TestASetOfAnotherCorpus(t *testing.T) {
	s := judgedLibrary(t)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 3))
	set, _, err := judgment.Open(s.Sets(), "drinks")
	if err == nil {
		err = set.Change(t.Context(), func(a *judgment.About) { a.Corpus.Hash = "of other pages" })
	}
	if err != nil {
		t.Fatal(err)
	}
	finish(t, s, s.OpenSet("drinks"))
	if !s.Judged().OtherCorpus {
		t.Error("opened on other pages it does not say so")
	}
	finish(t, s, s.Grade(itemOf(s, "Coffee"), "", 0, 1))
	if j := s.Judged(); !j.OtherCorpus || j.Corpus.Hash != "of other pages" {
		t.Errorf("another judgment made it a set of these pages: %+v", j.Corpus)
	}
}

// A slider moves what the set is worth, and the baseline stays.
func TestTuningIsMeasured(t *testing.T) {
	s := judgedLibrary(t)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 3))
	before := s.Measured().Now.Set.Scores[0].Mean
	s.Changed()
	finish(t, s, s.Set(with(s, func(p *param.Params) { p.MinScore = 2 }), param.FieldMinScore))
	m := s.Measured()
	if !s.Changed().Has(session.JudgedChanged) {
		t.Error("nothing was told")
	}
	if m.Now.Set.Scores[0].Mean != 0 || m.Base.Set.Scores[0].Mean != before || m.Difference.Difference.Mean != -before || m.Difference.Losses != 1 {
		t.Errorf("now %v, base %v (before %v), difference %+v", m.Now.Set.Scores[0].Mean, m.Base.Set.Scores[0].Mean, before, m.Difference.Difference)
	}
	work, _ := s.Undo()
	finish(t, s, work)
	if got := s.Measured().Now.Set.Scores[0].Mean; got != before {
		t.Errorf("undone it is %v, not %v", got, before)
	}
}

// Judgments that come faster than they are written all are, in their order; and leaving the
// corpus loses none.
func TestNoJudgmentIsLost(t *testing.T) {
	s := judgedLibrary(t)
	item := itemOf(s, "Tea")
	work := s.Grade(item, "", 0, 0)
	for _, g := range []judgment.Grade{1, 2, 3} {
		work = append(work, s.Grade(item, "", 0, g)...)
	}
	if len(work) != 1 {
		t.Fatalf("%d works write beside each other", len(work))
	}
	work = append(work, s.Leave()...)
	for _, w := range work {
		s.Apply(w.Run(t.Context()))
	}
	set, problems, err := judgment.Open(s.Sets(), "drinks")
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	var grades []judgment.Grade
	for _, r := range set.Records {
		grades = append(grades, r.Grade)
	}
	slices.Sort(grades)
	if want := []judgment.Grade{0, 1, 2, 3}; !slices.Equal(grades, want) {
		t.Errorf("the grades are %v, want %v", grades, want)
	}
}

func TestASetThatIsNotThere(t *testing.T) {
	s := judgedLibrary(t)
	finish(t, s, s.OpenSet("spirits"))
	if err := s.JudgingFailed(); err == nil || s.Judged() != nil || s.Measured() != nil {
		t.Errorf("there is no such set: %v", err)
	}
	finish(t, s, s.OpenSet("drinks"))
	if s.JudgingFailed() != nil || s.Judged() == nil {
		t.Errorf("the other is there: %v", s.JudgingFailed())
	}
}

func titles(s *session.Session) (list []string) {
	for i := range s.Result().Items {
		list = append(list, s.Result().Items[i].Title)
	}
	return list
}
