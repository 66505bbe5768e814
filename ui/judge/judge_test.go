package judge

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// drinks is a corpus of three pages.
func drinks(t *testing.T) *session.Corpus {
	t.Helper()
	return viewtest.Corpus(t, map[string]string{
		"cocoa.md":  "# Cocoa\n\nStir the powder into milk that has boiled.\n",
		"coffee.md": "# Coffee\n\nGrind the beans, and pour water that has just boiled.\n",
		"tea.md":    "# Tea\n\nLeaves steep for three minutes in water that has boiled.\n",
	})
}

// judging is the view of a session that has asked something, with an empty set open.
func judging(t *testing.T) (*View, *viewtest.Shell) {
	t.Helper()
	v, s := opened(t)
	settle(t, v, s, s.Begin(s.Of.Ask("water that has boiled")))
	return v, s
}

// opened is the view of a session that has asked nothing, with an empty set open.
func opened(t *testing.T) (*View, *viewtest.Shell) {
	t.Helper()
	s := viewtest.New(t)
	p, _ := param.Preset(param.PresetHybrid)
	p.Mode = param.ModeChunk
	s.Of = session.New(session.Setting{Name: param.PresetHybrid, Params: p}, nil)
	sets := t.TempDir()
	if _, err := judgment.Create(sets, "cups", judgment.About{}); err != nil {
		t.Fatal(err)
	}
	s.Of.JudgeBy(sets, "ana", evaluation.MustMeasure("nDCG@10"))
	v := New(s, Needs{
		Redraw: func() {}, Keep: func() tea.Cmd { return nil }, Place: func() string { return "drinks.db" },
		Ask:  func(query string) tea.Cmd { return s.Begin(s.Of.Ask(query)) },
		Suit: func(p session.Profile) session.Profile { return p },
	})
	v.Pane(Candidate).SetSize(80, 20)
	v.Pane(Queries).SetSize(30, 20)
	s.At = Candidate
	s.Begin(s.Of.Take(drinks(t), nil))
	settle(t, v, s, v.openSet("cups"))
	return v, s
}

// settle runs what was begun, and what follows from it.
func settle(t *testing.T, v *View, s *viewtest.Shell, cmds ...tea.Cmd) {
	t.Helper()
	for range 1000 {
		cmds = append(cmds, v.Follow())
		for len(cmds) > 0 {
			cmd := cmds[0]
			if cmds = cmds[1:]; cmd == nil {
				continue
			}
			switch msg := cmd().(type) {
			case tea.BatchMsg:
				cmds = append(cmds, msg...)
			case view.Arrival:
				cmds = append(cmds, msg.Apply())
			}
		}
		if s.Of.Changed().Has(session.JudgedChanged) {
			cmds = append(cmds, v.Changed())
		}
		if len(s.Begun) == 0 && len(cmds) == 0 {
			return
		}
		begun := s.Begun
		s.Begun = nil
		for _, w := range begun {
			d := w.Run(t.Context())
			s.Begin(s.Of.Apply(d))
			cmds = append(cmds, v.Take(d))
		}
	}
	t.Fatal("it never becomes idle")
}

func drawn(v *View) string { return viewtest.Bare(v.Pane(Candidate).Draw(80, 20, true)) }

// Each candidate comes once, without its rank until it is judged, and in the order that the
// seed of the set gives; the first grade makes the query one of the set and leaves the order.
func TestCandidatesAreBlind(t *testing.T) {
	v, s := judging(t)
	var before []string
	for i := range v.pool.all {
		before = append(before, v.pool.all[i].ChunkID)
	}
	if len(before) != 3 {
		t.Fatalf("the candidates are %v", before)
	}
	for i := range before {
		if text := drawn(v); strings.Contains(text, "by hybrid") || !strings.Contains(text, "ranks are hidden") {
			t.Fatalf("candidate %d is drawn as\n%s", i, text)
		}
		settle(t, v, s, v.grade(judgment.Grade(i)))
	}
	var after []string
	for i := range v.pool.all {
		after = append(after, v.pool.all[i].ChunkID)
	}
	if !slices.Equal(before, after) {
		t.Errorf("the order was %v and is %v", before, after)
	}
	if left, total := v.progress(); left != 0 || total != 3 || !strings.HasPrefix(s.Saids[len(s.Saids)-1], "all 3 are judged") {
		t.Errorf("%d of %d are left, and said is %q", left, total, s.Saids)
	}
	if text := drawn(v); !strings.Contains(text, "by hybrid") {
		t.Errorf("what is judged is drawn as\n%s", text)
	}
	settle(t, v, s, v.undo())
	if left, _ := v.progress(); left != 1 || v.pool.at != 2 || !strings.Contains(drawn(v), "ranks are hidden") {
		t.Errorf("undone, %d are left, at %d:\n%s", left, v.pool.at, drawn(v))
	}
}

// What cannot be written is not shown as if it were: the grade and the header say so until it
// is written, with the next one.
func TestAFailedGradeIsMarked(t *testing.T) {
	v, s := judging(t)
	lock := filepath.Join(s.Of.Judged().Folder, ".lock")
	if err := os.RemoveAll(lock); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	settle(t, v, s, v.grade(3))
	header := func() string {
		return viewtest.Bare([]string{v.Beside(0, 200, func(int, int) (string, bool) { return "", false })})
	}
	if left, _ := v.progress(); left != 2 || s.Of.JudgingFailed() == nil || !strings.HasPrefix(header(), "! 1 not written   cups") {
		t.Errorf("%d are left (%v), and the header says %q", left, s.Of.JudgingFailed(), header())
	}
	settle(t, v, s, v.step(-1))
	if text := drawn(v); !strings.Contains(text, "! not written yet") {
		t.Errorf("the candidate is drawn as\n%s", text)
	}
	if forms := (metric{v}).forms(); viewtest.Bare(forms[len(forms)-1:]) != "! 1 not written" {
		t.Errorf("the shortest form is %q", forms[len(forms)-1])
	}
	said := len(s.Saids)
	settle(t, v, s, v.Changed())
	if len(s.Saids) != said {
		t.Errorf("it is said again without a new try: %q", s.Saids[said:])
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	v.step(1)
	settle(t, v, s, v.grade(0))
	if strings.Contains(header(), "not written") || strings.Contains(drawn(v), "not written") || len(s.Of.Judged().Records) != 2 {
		t.Errorf("written are %d, and the header says %q", len(s.Of.Judged().Records), header())
	}
}

// What is refused, and not only put off, is not shown: it is never written.
func TestARefusedGradeIsNotShown(t *testing.T) {
	v, s := judging(t)
	set, _, err := judgment.Open(s.Of.Sets(), "cups")
	if err == nil {
		err = set.Change(t.Context(), func(a *judgment.About) { a.Labels = a.Labels[:2] })
	}
	if err != nil {
		t.Fatal(err)
	}
	settle(t, v, s, v.grade(3))
	if left, _ := v.progress(); left != 3 || s.Of.JudgingFailed() == nil || s.Of.Unwritten() != 0 {
		t.Errorf("%d are left, %d are kept (%v)", left, s.Of.Unwritten(), s.Of.JudgingFailed())
	}
}

// The forms of the measure become shorter, and each of them warns where too little is judged.
func TestFormsOfTheMeasure(t *testing.T) {
	v, s := judging(t)
	if text := viewtest.Bare((metric{v}).forms()[:1]); !strings.Contains(text, "cups: nothing judged yet") {
		t.Errorf("at first it says %q", text)
	}
	settle(t, v, s, v.grade(3))
	last := 1000
	for _, form := range (metric{v}).forms() {
		text := viewtest.Bare([]string{form})
		if n := len(text); n >= last || !strings.Contains(text, "!") || !strings.Contains(text, "nDCG@10 ") || !strings.Contains(text, "judged .") {
			t.Errorf("%q", text)
		}
		last = len(text)
	}
	said := v.Beside(200, 200, func(free, _ int) (string, bool) { return strings.Repeat("x", max(0, min(free, 5))), false })
	if text := viewtest.Bare([]string{said}); !strings.HasPrefix(text, "xxxxx   cups  nDCG@10") {
		t.Errorf("beside another line: %q", text)
	}
	// Rather than what it is compared with, its own words go; where neither helps, they stay.
	against := func(wanted int) func(int, int) (string, bool) {
		return func(free, _ int) (string, bool) {
			if free < wanted {
				return "moved 2", true
			}
			return "against webrag", false
		}
	}
	for wanted, want := range map[int]string{14: "against webrag   ", 40: "against webrag   ", 75: "against webrag   ", 200: "moved 2   cups"} {
		if text := viewtest.Bare([]string{v.Beside(80, 120, against(wanted))}); !strings.HasPrefix(text, want) {
			t.Errorf("with %d cells wanted it says %q", wanted, text)
		}
	}
	if text := v.Beside(0, 4, func(int, int) (string, bool) { return "", false }); text != "" {
		t.Errorf("without room: %q", text)
	}
}

// The queries of the set are gone through in a circle, from whatever is asked.
func TestQueriesGoRound(t *testing.T) {
	v, s := judging(t)
	if _, err := s.Of.Judged().AddQueries(t.Context(), judgment.Query{Text: "leaves"}, judgment.Query{Text: "beans"}); err != nil {
		t.Fatal(err)
	}
	settle(t, v, s, v.openSet("cups"))
	for i, step := range []struct {
		by   int
		want string
	}{{1, "leaves"}, {1, "beans"}, {1, "leaves"}, {-1, "beans"}} {
		settle(t, v, s, v.askNext(step.by))
		if s.Of.Query() != step.want {
			t.Errorf("step %d asks %q, want %q", i, s.Of.Query(), step.want)
		}
	}
	settle(t, v, s, v.grade(1))
	if text := viewtest.Bare(v.Pane(Queries).Draw(30, 20, true)); !strings.Contains(text, "1 of ") {
		t.Errorf("drawn is\n%s", text)
	}
	settle(t, v, s, s.Begin(s.Of.Ask("water")))
	settle(t, v, s, v.askNext(-1))
	if s.Of.Query() != "beans" {
		t.Errorf("before a query that is none of the set comes %q", s.Of.Query())
	}
}

// Judging goes on where it was left: while nothing is asked the keys act on the queries, the
// cursor is on the first that has no judgment, and the heading counts those that have one.
func TestJudgingGoesOnWhereItWasLeft(t *testing.T) {
	v, s := judging(t)
	if _, err := s.Of.Judged().AddQueries(t.Context(), judgment.Query{Text: "leaves"}, judgment.Query{Text: "beans"}); err != nil {
		t.Fatal(err)
	}
	settle(t, v, s, v.openSet("cups"))
	settle(t, v, s, s.Begin(s.Of.Ask("leaves")))
	settle(t, v, s, v.grade(1))

	again, other := opened(t)
	other.Of.JudgeBy(s.Of.Sets(), "ana", evaluation.MustMeasure("nDCG@10"))
	settle(t, again, other, again.openSet("cups"), again.Enter())
	if other.At != Queries || again.list.At != 1 {
		t.Errorf("the keys are at %v, and the cursor at query %d", other.At, again.list.At)
	}
	if _, note := again.Pane(Queries).Title(); !strings.Contains(note, "1 of 2 queries begun") {
		t.Errorf("the heading says %q", note)
	}
	settle(t, again, other, other.Begin(other.Of.Ask("beans")))
	other.At = Candidate
	settle(t, again, other, again.Enter())
	if other.At != Candidate {
		t.Errorf("with a question asked the keys go to %v", other.At)
	}
}

// What is asked elsewhere is selected among the queries of the set, and where it is none of
// them, that is said.
func TestTheListFollowsTheQuestion(t *testing.T) {
	v, s := judging(t)
	if _, err := s.Of.Judged().AddQueries(t.Context(), judgment.Query{Text: "leaves"}, judgment.Query{Text: "beans"}); err != nil {
		t.Fatal(err)
	}
	settle(t, v, s, v.openSet("cups"))
	for _, c := range []struct {
		query, note string
		at          int
	}{{"beans", "query 2 of 2", 1}, {"leaves", "query 1 of 2", 0}, {"water", "not in the set: the first grade adds it", 0}} {
		settle(t, v, s, s.Begin(s.Of.Ask(c.query)))
		if _, note := v.Pane(Candidate).Title(); v.list.At != c.at || !strings.Contains(note, c.note) {
			t.Errorf("for %q the cursor is at %d, and the heading says %q", c.query, v.list.At, note)
		}
	}
	settle(t, v, s, v.grade(1))
	if v.list.At != 2 {
		t.Errorf("the first grade has added the query, and the cursor is at %d", v.list.At)
	}
	v.list.Go(0)
	settle(t, v, s, v.grade(0))
	if v.list.At != 0 {
		t.Errorf("with the cursor on another query a grade has moved it to %d", v.list.At)
	}
}

// Sets of the corpus are offered before those that were made on another one, which is said
// before one is opened, as is what was not asked by people.
func TestSetsOfTheCorpusComeFirst(t *testing.T) {
	v, s := judging(t)
	s.Of.Corpus().Name = "drinks"
	for name, about := range map[string]judgment.About{
		"a": {Corpus: judgment.Corpus{Name: "meals"}},
		"b": {Corpus: judgment.Corpus{Name: "drinks"}, Origin: judgment.Synthetic},
	} {
		if _, err := judgment.Create(s.Of.Sets(), name, about); err != nil {
			t.Fatal(err)
		}
	}
	settle(t, v, s, sets{v}.choose())
	var offered []string
	for _, c := range s.Pushed[len(s.Pushed)-1].(*view.Chooser).All[:3] {
		offered = append(offered, c.Title+": "+c.Key)
	}
	if want := []string{"b: synthetic", "cups: open", "a: made on meals"}; !slices.Equal(offered, want) {
		t.Errorf("offered are %q, not %q", offered, want)
	}
}

// How far judges agree stands above what they disagree on, and of a model whether that is enough.
func TestAgreementIsShown(t *testing.T) {
	v, s := judging(t)
	dialog := func() string { return viewtest.Bare(disagreements{v}.lines(v.Styles(), s.Of.Judged(), 90)) }
	if text := dialog(); text != "No two judges have graded the same text, or texts that overlap, differently." {
		t.Errorf("of one judge it says %q", text)
	}
	c := v.pool.candidate()
	settle(t, v, s, s.Begin(s.Of.JudgeRecords("water that has boiled", c.Record(1, judgment.ModelJudge("small"), time.Time{}, false), c.Record(3, "ana", time.Time{}, false))))
	text := dialog()
	for _, want := range []string{
		"model:small, ana: 0 of 1 graded the same, weighted kappa .000", "model:small and people have both graded 1, and 30 are needed", "3 answers it  ana",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// The watch list becomes a set at once, named after the corpus, and is measured by; a name
// that is taken gets a number.
func TestTheWatchListBecomesASet(t *testing.T) {
	v, s := judging(t)
	s.Of.Corpus().Name = "My drinks/é"
	settle(t, v, s, FromWatched(v))
	if s.Of.SetName() != "cups" || !strings.HasPrefix(s.Saids[len(s.Saids)-1], "nothing is watched") {
		t.Fatalf("of nothing it makes %q, and says %q", s.Of.SetName(), s.Saids)
	}
	first := s.Of.Result().ByRank()[0]
	s.Of.Watch(first.SourceURL, first.Title)
	for _, want := range []string{"My-drinks---watched", "My-drinks---watched-2"} {
		want = strings.Replace(want, "---", "-", 1)
		settle(t, v, s, FromWatched(v))
		if set := s.Of.Judged(); s.Of.SetName() != want || len(set.Queries) != 1 || len(set.Records) != 1 || set.Records[0].Grade != 3 || s.Of.Measured() == nil {
			t.Errorf("the set %q has %+v, not %q", s.Of.SetName(), set, want)
		}
	}
}

// Where there is no set to choose from and nothing is watched, a new one is named at once.
func TestAFirstSetIsNamedAtOnce(t *testing.T) {
	v, s := opened(t)
	s.Of.JudgeBy(t.TempDir(), "ana", evaluation.MustMeasure("nDCG@10"))
	settle(t, v, s, sets{v}.choose())
	if _, ok := s.Pushed[len(s.Pushed)-1].(*view.Prompt); !ok {
		t.Errorf("asked by %T", s.Pushed[len(s.Pushed)-1])
	}
}

// A candidate is called by its page and what it stands under, once where both are the same,
// and by which part of its section it is.
func TestCandidatesAreNamedOnce(t *testing.T) {
	v, _ := opened(t)
	for _, c := range []struct {
		title string
		path  []string
		part  int
		want  string
	}{
		{"17 Builtins (zsh)", []string{"17 Builtins"}, 8, "17 Builtins (zsh) 8/9"},
		{"17 Builtins (zsh)", []string{"17 Builtins", "17.1 Jobs"}, 0, "17 Builtins (zsh) › 17.1 Jobs"},
		{"Options", []string{"Names", "Options"}, 0, "Options › Names › Options"},
	} {
		of := &judgment.Candidate{Title: c.title, HeadingPath: c.path, Part: c.part}
		if c.part > 0 {
			of.Parts = 9
		}
		if got := strings.Join(v.named(of), " › "); got != c.want {
			t.Errorf("it is called %q, not %q", got, c.want)
		}
	}
}

// The heading says of a set that its queries are synthetic, and that models' grades do not
// count where people have judged.
func TestWhoseGradesCount(t *testing.T) {
	v, s := judging(t)
	said := func() string {
		return viewtest.Bare([]string{v.Beside(0, 200, func(int, int) (string, bool) { return "", false })})
	}
	model := v.pool.candidate().Record(1, judgment.ModelJudge("small"), time.Time{}, false)
	settle(t, v, s, s.Begin(s.Of.JudgeRecords("water that has boiled", model)))
	for i, want := range []bool{false, true} {
		if i > 0 {
			settle(t, v, s, v.grade(3))
		}
		if text := said(); strings.Contains(text, "people's grades alone") != want || strings.Contains(text, "models' grades alone, kappa not known") == want || strings.Contains(text, "synthetic") {
			t.Errorf("after %d grades of a person it says %q", i, text)
		}
	}
	if err := s.Of.Judged().Change(t.Context(), func(a *judgment.About) { a.Origin = judgment.Synthetic }); err != nil {
		t.Fatal(err)
	}
	settle(t, v, s, v.openSet("cups"))
	if text := said(); !strings.HasPrefix(text, "cups (synthetic)") {
		t.Errorf("of a synthetic set it says %q", text)
	}
}
