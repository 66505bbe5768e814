package measure

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// bench is the view of a corpus of some drinks, with what it was asked to do elsewhere.
type bench struct {
	*View
	s      *viewtest.Shell
	t      testing.TB
	next   session.Setting // what is chosen when something is
	asked  []string
	judged []string
	why    []whynot.Target
}

// drinks are pages, of which each names the next one, too.
var drinks = []string{"cocoa", "coffee", "tea", "mate", "cider", "lemonade", "punch", "broth"}

// pageOf is the page that was judged to answer how a drink is made: its own or, of every other
// one, that before, which names it.
func pageOf(drink int) string { return "file:pages/" + drinks[drink-drink%2] + ".md" }

// setting is a preset, changed, in the mode that searches.
func setting(name string, change func(*param.Params)) session.Setting {
	p, _ := param.Preset(name)
	p.Mode = param.ModeChunk
	if change != nil {
		change(&p)
	}
	return session.Setting{Name: name, Params: p}
}

// onlyFirst is a setting that returns one section.
func onlyFirst() session.Setting {
	s := setting(param.PresetHybrid, func(p *param.Params) { p.TopK = 1 })
	s.Name = "one"
	return s
}

// measuring is the view with an open set, of which each query has a page that answers it, and
// another that is related.
func measuring(t *testing.T) *bench {
	t.Helper()
	pages := map[string]string{}
	for i, d := range drinks {
		pages[d+".md"] = fmt.Sprintf("# The drink %s\n\nHow to make %s, warm or cold, as others drink %s.\n", d, d, drinks[(i+1)%len(drinks)])
	}
	s := viewtest.New(t)
	s.Of = session.New(setting(param.PresetHybrid, nil), func() time.Time { return time.Unix(0, 0) })
	sets := t.TempDir()
	var list []judgment.Expected
	for i, d := range drinks {
		list = append(list, judgment.Expected{Query: "how to make " + d, Page: pageOf(i)})
	}
	if _, err := judgment.CreateExpected(t.Context(), sets, "cups", judgment.About{}, list, "ana", time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	s.Of.JudgeBy(sets, "ana", evaluation.MustMeasure("nDCG@10"))
	b := &bench{s: s, t: t}
	b.View = New(s, Needs{
		Choose: func(_ string, isTaken func(param.Params) bool, then func(session.Setting) tea.Cmd) tea.Cmd {
			if isTaken(b.next.Params) {
				t.Errorf("%s cannot be chosen", b.next.Name)
			}
			return then(b.next)
		},
		OpenSet: func() tea.Cmd { return nil },
		Look:    func(query string, by func() tea.Cmd) tea.Cmd { b.asked = append(b.asked, query); return by() },
		Judge:   func(query string, by func() tea.Cmd) tea.Cmd { b.judged = append(b.judged, query); return by() },
		Why: func(query string, by func() tea.Cmd, page whynot.Target) tea.Cmd {
			b.asked, b.why = append(b.asked, query), append(b.why, page)
			return by()
		},
	})
	s.At = Table
	s.Begin(s.Of.Take(viewtest.Corpus(t, pages), nil))
	b.settle(nil)
	s.Begin(s.Of.OpenSet("cups"))
	b.settle(nil)
	return b
}

// settle runs what was begun, and what follows from it.
func (b *bench) settle(tea.Cmd) {
	b.t.Helper()
	for range 1000 {
		b.Follow()
		if len(b.s.Begun) == 0 {
			return
		}
		begun := b.s.Begun
		b.s.Begun = nil
		for _, w := range begun {
			if b.s.Of.Awaits(w.Kind, w.Gen) {
				b.s.Begin(b.s.Of.Apply(w.Run(b.t.Context())))
			}
		}
	}
	b.t.Fatal("it never becomes idle")
}

// choose has a setting chosen by something.
func (b *bench) choose(s session.Setting, by func(choosing) tea.Cmd) {
	b.next = s
	b.settle(by(choosing{b.View}))
}

func (b *bench) drawn(w, h int) string {
	return viewtest.Bare(b.Pane(Table).Draw(w, h, true))
}

// shows fails where some words are not drawn.
func (b *bench) shows(w, h int, words ...string) {
	b.t.Helper()
	text := b.drawn(w, h)
	for _, word := range words {
		if !strings.Contains(text, word) {
			b.t.Errorf("%q is not in\n%s", word, text)
		}
	}
}

// worse is a setting that nothing gets past.
func worse() session.Setting {
	s := setting(param.PresetHybrid, func(p *param.Params) { p.MinScore = 1 })
	s.Name = "worse"
	return s
}

// At first the present parameters are what they are compared with: that stands alone.
func TestTheSameAtFirst(t *testing.T) {
	b := measuring(t)
	b.shows(120, 30, "A hybrid (compared with)", "live is A: move a parameter to compare", "how to make tea")
	for _, wrong := range []string{"B hybrid", "tied", "against A", "differs"} {
		if text := b.drawn(120, 30); strings.Contains(text, wrong) {
			t.Errorf("%q is in\n%s", wrong, text)
		}
	}
	if len(b.rows) != len(drinks) {
		t.Fatalf("there are %d rows", len(b.rows))
	}
}

// Every number is that of an evaluation of the same setting, and the list says what became of
// each query.
func TestAAndB(t *testing.T) {
	b := measuring(t)
	b.choose(onlyFirst(), choosing.chooseB)
	a, _ := b.s.Of.Trial(b.s.Of.Params())
	other, err := b.s.Of.Trial(onlyFirst().Params)
	if err != nil || a == nil || other == nil {
		t.Fatal(a, other, err)
	}
	want := evaluation.Compare(other.Report, a.Report, 0)
	c := b.columns[1].contest
	if c == nil || c.Difference != want.Difference || c.Wins != want.Wins || c.Adjusted != want.Adjusted {
		t.Fatalf("compared is %+v, want %+v", c, want)
	}
	for i := range b.rows {
		r := &b.rows[i]
		at := slices.IndexFunc(want.Queries, func(q evaluation.PairedQuery) bool { return q.ID == r.id })
		if q := &want.Queries[at]; r.values[0] != q.B || r.values[1] != q.A || r.difference != q.Difference {
			t.Errorf("%s has %v and %v, want %+v", r.text, r.values, r.difference, q)
		}
	}
	b.shows(160, 30, "too few queries for a verdict", "8 of 8 ranked differently", "8 queries", "won tied lost",
		"p "+chance(want.Adjusted)+", t test "+chance(want.StudentP))
}

// From three settings on the queries are a map, of numbers or, where it is narrow, of blocks;
// the p of all are adjusted.
func TestTheMap(t *testing.T) {
	b := measuring(t)
	b.choose(onlyFirst(), choosing.add)
	b.choose(worse(), choosing.add)
	if len(b.columns) != 4 || b.at != 2 || b.columns[3].kind != live {
		t.Fatalf("the columns are %+v, at %d", b.columns, b.at)
	}
	b.shows(120, 30, "B one", "C worse", "D hybrid", "p (Holm)", "1.000", ".000▼")
	narrow := b.drawn(44, 30)
	if !strings.ContainsAny(narrow, "█") || !strings.Contains(narrow, "A B C D") {
		t.Errorf("narrow it is\n%s", narrow)
	}
	b.step(-1)
	b.settle(b.remove())
	if len(b.columns) != 3 || b.name(1) != "worse" {
		t.Errorf("the columns are %+v", b.columns)
	}
	b.remove()
	if ok, why := b.canRemove(); ok || why == "" || len(b.columns) != 2 {
		t.Errorf("another of %d can be left out: %v %q", len(b.columns), ok, why)
	}
}

func TestNoMoreThanHaveLetters(t *testing.T) {
	b := measuring(t)
	for n := 2; n < mostColumns; n++ {
		if ok, why := b.canAdd(); !ok {
			t.Fatalf("%d settings: %s", n, why)
		}
		b.choose(setting(param.PresetHybrid, func(p *param.Params) { p.TopK = n + 10 }), choosing.add)
	}
	if ok, why := b.canAdd(); ok || why == "" {
		t.Errorf("%d settings, and another: %q", len(b.columns), why)
	}
}

// The live column follows the parameters and the others stay; what is shown meanwhile are the
// numbers before.
func TestTheLiveColumnFollows(t *testing.T) {
	b := measuring(t)
	b.choose(setting(param.PresetTopK, nil), choosing.add)
	before, fixed := b.columns[2].measured, b.columns[1].measured
	b.s.Begin(b.s.Of.Set(worse().Params, ""))
	b.Follow()
	if c := &b.columns[2]; !c.stale || c.measured != before {
		t.Errorf("while it is measured anew, it is %+v", c)
	}
	b.settle(nil)
	if c := &b.columns[2]; c.stale || c.measured == before || b.columns[1].measured != fixed {
		t.Errorf("then it is %+v, beside %+v", c, b.columns[1])
	}
	if got := b.columns[2].measured.Set.Scores[0].Mean; got >= before.Set.Scores[0].Mean {
		t.Errorf("the mean is %v and was %v", got, before.Set.Scores[0].Mean)
	}
	if b.columns[0].measured != before {
		t.Error("the baseline is measured again")
	}
}

// Queries are sorted in five ways, and the one under the cursor stays under it.
func TestOrders(t *testing.T) {
	b := measuring(t)
	b.choose(onlyFirst(), choosing.chooseB)
	for o := range orders {
		b.order = o
		b.Follow()
		for i := 1; i < len(b.rows); i++ {
			if x, y := &b.rows[i-1], &b.rows[i]; o.compare(x, y, 1) > 0 {
				t.Errorf("%s: %s stands before %s", o, x.text, y.text)
			}
		}
	}
	b.list.Resize(20, len(b.rows))
	b.list.Go(3)
	id := b.selected().id
	b.order = byGain
	b.Follow()
	if b.selected().id != id {
		t.Errorf("the cursor was on %s and is on %s", id, b.selected().id)
	}
	b.sortNext()
	b.Follow()
	if b.list.At != 0 {
		t.Error("sorted by hand, the first is not shown")
	}
}

// Words narrow the queries by text, tag and outcome.
func TestWords(t *testing.T) {
	r := row{id: "q1", text: "How to make Tea", tags: []string{"Hot", "quick"}, difference: -.5}
	for words, want := range map[string]bool{"": true, "tea": true, "TEA make": true, "hot": true, "tea cold": false, "lost": true, "won": false, "Q1": true, "qui": true} {
		if r.has(words) != want {
			t.Errorf("%q: %v", words, !want)
		}
	}
	b := measuring(t)
	b.words = "tea"
	b.Follow()
	if len(b.rows) != 1 || len(b.all) != len(drinks) {
		t.Fatalf("%d of %d rows", len(b.rows), len(b.all))
	}
	b.Pane(Table).SetSize(100, 20)
	if _, note := b.Pane(Table).Title(); !strings.Contains(note, `1 of 8 queries with "tea"`) {
		t.Errorf("the title says %q", note)
	}
	b.words = "lost"
	b.choose(onlyFirst(), choosing.chooseB)
	b.shows(120, 30, `4 queries with "lost": A .631, B .000  ▼.631`)
	b.words = "nothing of the kind"
	b.Follow()
	b.shows(80, 20, "no query with")
}

// Another measure is measured for all, and nothing of the one before is shown as if it were.
func TestAnotherMeasure(t *testing.T) {
	b := measuring(t)
	b.choose(onlyFirst(), choosing.add)
	choosing{b.View}.measureBy("P@5")
	b.Follow()
	if b.columns[1].measured != nil {
		t.Error("a value of the measure before is shown")
	}
	b.settle(nil)
	b.shows(120, 30, "P@5", ".200")
	if said := (choosing{b.View}).measureBy("nonsense@@"); said != nil || !strings.Contains(b.s.Saids[len(b.s.Saids)-1], "nonsense") {
		t.Errorf("said is %q", b.s.Saids)
	}
}

// A query is looked at by the setting under the cursor, compared with A; why asks about the
// page that was judged best.
func TestLookingAtAQuery(t *testing.T) {
	b := measuring(t)
	b.choose(worse(), choosing.chooseB)
	b.choose(onlyFirst(), choosing.chooseA)
	b.list.Resize(10, len(b.rows))
	b.list.Go(2)
	q := b.selected()
	b.settle(b.open())
	now := b.s.Of
	if now.Params() != worse().Params || now.Baseline() != onlyFirst() || !slices.Equal(b.asked, []string{q.text}) {
		t.Errorf("%s against %s, asked %q", now.Name(), now.Baseline().Name, b.asked)
	}
	b.settle(b.View.why())
	drink := slices.Index(drinks, q.text[strings.LastIndex(q.text, " ")+1:])
	if len(b.why) != 1 || b.why[0].SourceURL != pageOf(drink) {
		t.Errorf("asked why of %+v for %q", b.why, q.text)
	}
	if _, ok := now.Undo(); !ok || now.Params() == worse().Params {
		t.Error("the parameters cannot be taken back")
	}
}

// A that is measured already changes places with what was A.
func TestChangingPlaces(t *testing.T) {
	b := measuring(t)
	b.choose(onlyFirst(), choosing.chooseB)
	b.choose(onlyFirst(), choosing.chooseA)
	if b.name(0) != "one" || b.columns[1].kind != baseline {
		t.Errorf("the columns are %+v", b.columns)
	}
	if c := b.columns[1].contest; c == nil || c.Difference.Mean < 0 {
		t.Errorf("hybrid against its first alone is %+v", c)
	}
}

func TestNothingToMeasure(t *testing.T) {
	b := measuring(t)
	empty := t.TempDir()
	b.s.Of.JudgeBy(empty, "ana", evaluation.MustMeasure("nDCG@10"))
	b.s.Begin(b.s.Of.OpenSet(""))
	b.settle(nil)
	b.shows(80, 20, "{judge.toggle} opens a query set")
	if _, err := judgment.Create(empty, "new", judgment.About{}); err != nil {
		t.Fatal(err)
	}
	b.s.Begin(b.s.Of.OpenSet("new"))
	b.Follow()
	b.shows(80, 20, "opening new")
	b.settle(nil)
	b.shows(80, 20, "new has no queries yet")
	if _, err := b.s.Of.Judged().AddQuery(t.Context(), judgment.Query{Text: "milk"}); err != nil {
		t.Fatal(err)
	}
	b.s.Begin(b.s.Of.OpenSet("new"))
	b.settle(nil)
	b.shows(80, 20, "Nothing is judged yet in new", "1 query")
	err := b.s.Of.Judged().Append(t.Context(), judgment.Record{Key: judgment.PageKey("milk", "file:elsewhere.md"), Grade: 3, Judge: "ana", JudgedAt: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	b.s.Begin(b.s.Of.OpenSet("new"))
	b.settle(nil)
	b.shows(80, 20, "have lost their texts")
	if err := os.RemoveAll(b.s.Of.Judged().Folder); err != nil {
		t.Fatal(err)
	}
	b.s.Begin(b.s.Of.OpenSet("new"))
	b.settle(nil)
	b.shows(80, 20, "! ", "tries again")
	if ok, _ := b.hasRow(); ok {
		t.Error("there is a query to look at")
	}
	b.s.Of.Corpus().Measurer = nil
	b.s.Begin(b.s.Of.OpenSet(""))
	b.shows(80, 20, "A recording is not measured")
	b.Leave()
	if b.words != "" || len(b.rows) != 0 || len(b.columns) != 2 {
		t.Errorf("left, it has %+v", b.View)
	}
}

// What fails for one setting is said of that one, and the others are measured.
func TestASettingThatFails(t *testing.T) {
	b := measuring(t)
	b.choose(onlyFirst(), choosing.add)
	b.columns[1].failed, b.columns[1].measured, b.columns[1].contest = errors.New("the reranker does not answer"), nil, nil
	b.shows(120, 30, "! the reranker does not answer", "B against A: the reranker")
}

// Queries that were made from the corpus are marked, and of models' grades alone stands how far
// they agree with people.
func TestNumbersThatAreNotPeoples(t *testing.T) {
	b := measuring(t)
	list := []judgment.Expected{{Query: "how to make tea", Page: pageOf(2)}}
	about := judgment.About{Origin: judgment.Synthetic}
	if _, err := judgment.CreateExpected(t.Context(), b.s.Of.Sets(), "made", about, list, judgment.ModelJudge("small"), time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	b.Pane(Table).SetSize(80, 24)
	if _, note := b.Pane(Table).Title(); strings.Contains(note, "synthetic") || strings.Contains(b.drawn(160, 24), "models' grades") {
		t.Errorf("of what people said and asked it says %q", note)
	}
	b.s.Begin(b.s.Of.OpenSet("made"))
	b.settle(nil)
	if _, note := b.Pane(Table).Title(); !strings.Contains(note, "synthetic, 1 query") {
		t.Errorf("of queries that were made it says %q", note)
	}
	b.shows(160, 24, "! models' grades alone: model:small and people have both graded 0, and 30 are needed")
	b.shows(80, 14, "! models' grades alone: model:small and people have both graded 0")
	b.s.Look.Spoken = true
	b.shows(80, 24, "models' grades alone")
}
