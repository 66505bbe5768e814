package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/session"
)

// judgingGuide drives the explorer on the guide, with a folder of sets that has an empty one, mine.
func judgingGuide(t *testing.T, w, h int, change func(*Options), keys string) (d *driver, sets string) {
	t.Helper()
	guide := onGuide(t, "hybrid", depthQuestion)
	sets = t.TempDir()
	if _, err := judgment.Create(sets, "mine", judgment.About{}); err != nil {
		t.Fatal(err)
	}
	return drive(t, 1, w, h, func(o *Options, f *fakeCorpus) {
		guide(o, f)
		o.Sets, o.Judge = sets, "ana"
		if change != nil {
			change(o)
		}
	}, keys), sets
}

// records are what stands in the set of a folder.
func records(t *testing.T, sets, name string) []judgment.Record {
	t.Helper()
	set, problems, err := judgment.Open(sets, name)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return set.Records
}

// Without a set the digits are the views; the key that judges offers sets, and from then on
// digits grade and the cursor goes to what has no grade.
func TestGradingInPlace(t *testing.T) {
	d, sets := judgingGuide(t, 120, 40, nil, "J")
	d.mustShow("Query set, kept in", "new set from the watch list", "nothing is watched")
	d.press("'mine' enter")
	d.mustShow("mine: nothing judged yet", "0 to 3: grade", "- cannot tell", "[ ]")
	first := d.selected().ChunkID
	d.press("3 1 -")
	d.mustShow("[3]", "[1]", "[-]", "nDCG@10", "judged .40", "too little to go by")
	if at := d.selected(); at == nil || at.ChunkID == first {
		t.Errorf("the cursor stands on %+v", at)
	}
	list := records(t, sets, "mine")
	if len(list) != 3 || list[0].Grade != 3 || list[0].Judge != "ana" || list[0].SeenRank != 1 || list[2].Grade != judgment.CannotTell {
		t.Fatalf("written is %+v", list)
	}
	if list[0].Quote != d.session().Result().ByRank()[0].ChunkText {
		t.Errorf("judged is %q", list[0].Quote)
	}
	d.press("U")
	d.mustNotShow("[-]")
	d.press("J 2")
	d.mustShow("2 Pipeline")
	if d.view() != viewPipeline {
		t.Error("the digits are still taken")
	}
}

// What is selected of a text is judged in the place of its section.
func TestAPassageIsJudged(t *testing.T) {
	d, sets := judgingGuide(t, 120, 40, nil, "J 'mine' enter tab v 2")
	list := records(t, sets, "mine")
	it := d.selected()
	if len(list) != 1 || list[0].Quote == "" || len(list[0].Quote) >= len(it.ChunkText) || !strings.Contains(it.ChunkText, list[0].Quote) {
		t.Fatalf("written is %+v", list)
	}
	if list[0].CharStart < it.CharStart || list[0].CharEnd > it.CharEnd {
		t.Errorf("%d to %d is not in %d to %d", list[0].CharStart, list[0].CharEnd, it.CharStart, it.CharEnd)
	}
	d.mustShow("the passage: 2 relevant")
	if d.reader().IsSelecting() {
		t.Error("it is still being selected")
	}
}

// A change of the parameters moves the measure, and undoing it brings it back.
func TestTheMeasureFollowsTheParameters(t *testing.T) {
	d, _ := judgingGuide(t, 160, 40, nil, "J 'mine' enter 0 0 3 J")
	before := d.session().Measured().Now.Set.Scores[0].Mean
	d.change("top_k", "1")
	m := d.session().Measured()
	if m.Now.Set.Scores[0].Mean != 0 || m.Base.Set.Scores[0].Mean != before || before == 0 {
		t.Fatalf("now %v, the baseline %v, before %v", m.Now.Set.Scores[0].Mean, m.Base.Set.Scores[0].Mean, before)
	}
	d.mustShow("nDCG@10 .000 ▼", "1 query")
	d.press("u")
	d.mustNotShow("▼")
}

// In its view a candidate shows no rank before it is judged; then it does, and its query
// becomes one of the set. What was judged is not put before the judge again.
func TestJudgeView(t *testing.T) {
	d, sets := judgingGuide(t, 150, 42, nil, "J 'mine' enter 4")
	d.mustShow("Candidate 1 of 5", "0 of 5 judged", "ranks are hidden", "0 not relevant", "none yet: the first")
	if strings.Contains(d.screen(), " by hybrid") {
		t.Fatalf("a rank is shown:\n%s", d.screen())
	}
	d.press("b")
	d.mustShow("by hybrid", "not judged by you yet")
	d.press("b 3")
	d.mustShow("Candidate 2 of 5", "1 of 5 judged", "query 1 of 1", "1 of 5", "ranks are hidden")
	d.press("left")
	d.mustShow("Candidate 1 of 5", "3 answers it   rank", "by hybrid")
	if list := records(t, sets, "mine"); len(list) != 1 || list[0].SeenRank != 0 || len(list[0].Pool) != 1 {
		t.Fatalf("written is %+v", list)
	}
	d.press("1 3") // the views before keep their keys elsewhere only
	d.mustShow("2 of 5 judged")
	d.press("esc 4")
	d.mustShow("Candidate 3 of 5")

	again, _ := judgingGuide(t, 150, 42, func(o *Options) { o.Sets = sets }, "J 'mine' enter 4")
	again.mustShow("Candidate 3 of 5", "2 of 5 judged")
}

// What another preset returns is put among the candidates, and what both return can be left
// out.
func TestCandidatesOfOtherRankings(t *testing.T) {
	d, _ := judgingGuide(t, 150, 42, nil, "J 'mine' enter 4 c")
	d.mustShow("There is one ranking only")
	d.press("c P 'blend' enter left left left left left left left left")
	d.mustNotShow("one ranking only")
	all := d.numberAfter("Candidate 1 of ")
	d.press("c left left left left left left left left")
	if fewer := d.numberAfter("Candidate 1 of "); all <= 5 || fewer >= all {
		t.Errorf("%d candidates, of which %d differ", all, fewer)
	}
}

// numberAfter is the number behind some words of the screen.
func (d *driver) numberAfter(words string) (n int) {
	d.t.Helper()
	d.mustShow(words)
	_, after, _ := strings.Cut(d.screen(), words)
	for _, r := range after {
		if r < '0' || r > '9' {
			break
		}
		n = 10*n + int(r-'0')
	}
	return n
}

// Queries of the set are asked without leaving the view.
func TestQueriesOfTheSet(t *testing.T) {
	d, sets := judgingGuide(t, 150, 42, nil, "")
	set, _, err := judgment.Open(sets, "mine")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.AddQueries(t.Context(), judgment.Query{Text: "what is a floor"}, judgment.Query{Text: "budget of tokens"}); err != nil {
		t.Fatal(err)
	}
	d.press("J 'mine' enter 4 tab")
	d.mustShow("what is a floor", "budget of tokens", "enter ask it")
	d.press("down enter")
	if d.session().Query() != "budget of tokens" || d.view() != viewJudge || d.query() != "budget of tokens" {
		t.Fatalf("asked is %q in view %d", d.session().Query(), d.view())
	}
	d.mustShow("query 2 of 2", "0 of 5 judged")
	d.press("]")
	if d.session().Query() != "what is a floor" {
		t.Errorf("next is %q", d.session().Query())
	}
}

// The set that was open is open again, for the corpus that it was open for.
func TestTheSetIsRemembered(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.json")
	kept := func(o *Options) { o.StatePath, o.Place = state, "guide.db" }
	_, sets := judgingGuide(t, 120, 40, kept, "J 'mine' enter 3")
	again, _ := judgingGuide(t, 120, 40, func(o *Options) { kept(o); o.Sets = sets; o.Query = depthQuestion }, "")
	again.restore(loadState(state))
	again.push(again.showCorpus(nil))
	again.settle()
	again.mustShow("nDCG@10", "[3]")
	elsewhere, _ := judgingGuide(t, 120, 40, func(o *Options) { kept(o); o.Sets, o.Place = sets, "other.db" }, "")
	elsewhere.restore(loadState(state))
	elsewhere.push(elsewhere.showCorpus(nil))
	elsewhere.settle()
	elsewhere.mustNotShow("nDCG@10")
}

// The watch list becomes a set.
func TestTheWatchListBecomesASet(t *testing.T) {
	d, sets := judgingGuide(t, 120, 40, nil, "* J 'watch' enter enter")
	d.mustShow("nDCG@10")
	list := records(t, sets, "watched")
	if len(list) != 1 || !list[0].IsPage() || list[0].Grade != 3 {
		t.Errorf("written is %+v", list)
	}
	d.press(": 'open a set' enter 'new set' enter 'watched' enter")
	d.mustShow("choose another one")
}

// The line has the comparison and what the parameters are worth, in as many words as it has
// room for, and says where too little is judged in every one of them.
func TestTheMeasureHasRoom(t *testing.T) {
	for w, want := range map[int]string{60: "nDCG@10 1.000  ! judged .20", 80: "nDCG@10 1.000  ! judged .20", 140: "mine  nDCG@10 1.000  1 query  ! judged .20, too little to go by"} {
		d, _ := judgingGuide(t, w, 40, nil, "J 'mine' enter 3")
		if line := strings.Split(d.screen(), "\n")[1]; !strings.HasSuffix(line, want) || w > 80 && !strings.Contains(line, "against hybrid") {
			t.Errorf("%d: %q", w, line)
		}
	}
}

// Where judges disagree is listed.
func TestDisagreements(t *testing.T) {
	d, sets := judgingGuide(t, 120, 40, nil, "J 'mine' enter 3")
	set, _, err := judgment.Open(sets, "mine")
	if err != nil {
		t.Fatal(err)
	}
	other := set.Records[0]
	other.Judge, other.Grade = "bo", 0
	if err := set.Append(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	d.push(d.start(d.session().OpenSet("mine")))
	d.settle()
	d.press(": 'disagree' enter")
	d.mustShow("Where judges disagree", "3 answers it  ana", "0 not relevant  bo", depthQuestion)
}

// What strangers have written into a set and into pages does nothing to the terminal.
func TestHostileSet(t *testing.T) {
	guide, sets := poisoned(t), t.TempDir()
	labels := []string{"no" + hostile, "so", "so", "yes" + hostile}
	if _, err := judgment.Create(sets, "mine", judgment.About{Name: "mine" + hostile, Labels: labels}); err != nil {
		t.Fatal(err)
	}
	for _, plain := range []bool{false, true} {
		d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) { guide(o, f); o.Sets, o.Judge, o.Plain = sets, "ana", plain }, "J 'mine' enter")
		for _, keys := range []string{"3", "0", "4", "3", "tab", "P", "esc", ": 'choose' enter", "esc", ": 'disagree' enter", "esc", "esc esc"} {
			d.press(keys)
			scanned(t, d, keys)
		}
	}
	file := filepath.Join(sets, "mine", "set.json")
	if err := os.WriteFile(file, []byte("{\""+hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) { guide(o, f); o.Sets, o.Judge = sets, "ana" }, "J 'mine' enter")
	d.mustShow("! ")
	scanned(t, d, "a set that is none")
}

// On a screen that is read aloud grades are words.
func TestGradesAreSaid(t *testing.T) {
	d, _ := judgingGuide(t, 80, 24, func(o *Options) { o.Plain = true }, "J 'mine' enter 2 up")
	d.mustShow("selected: 1 ", "graded 2 relevant")
	d.press("4")
	d.mustShow("not judged by you yet")
}

// Whoever judges nothing sees nothing of it.
func TestNothingIsJudgedWithoutAFolder(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("decay"), "esc J")
	d.mustShow("there is no folder for query sets")
	d.press("4")
	d.mustShow("Here results are judged one after the other")
	if d.session().Changed() != session.Changes(0) {
		t.Error("something has changed")
	}
}

func TestJudgeScreens(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
	}{{"wide", 150, 42}, {"medium", 100, 30}, {"upright", 80, 24}, {"small", 50, 15}} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := judgingGuide(t, c.w, c.h, nil, "J 'mine' enter 3 0 4 left")
			golden.RequireEqual(t, d.screen())
		})
	}
}

// A set is made by typing its name where the sets are chosen, and esc ends grading in place.
func TestASetIsMadeByItsName(t *testing.T) {
	d, sets := judgingGuide(t, 120, 40, nil, "J 'tea' ")
	d.mustShow("no set has that name: enter makes it")
	d.press("enter")
	d.mustShow("New query set", "tea")
	d.press("enter")
	d.mustShow("0 to 3: grade", "esc stop judging")
	if names, err := judgment.List(sets); err != nil || len(names) != 2 {
		t.Errorf("the sets are %q, %v", names, err)
	}
	d.press("esc")
	d.mustShow("2 Pipeline")
}

// What cannot be written is said before the program ends, and is given up by the second time.
func TestQuittingSaysWhatIsNotWritten(t *testing.T) {
	d, sets := judgingGuide(t, 120, 40, nil, "J 'mine' enter 1")
	lock := filepath.Join(sets, "mine", ".lock")
	if err := os.RemoveAll(lock); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	d.press("3")
	d.mustShow("! 1 not written", "3 !")
	d.press("q")
	d.mustShow("again quits without what is 1 judgment not written to the query set mine")
	if err := d.leave(); err == nil || !strings.Contains(err.Error(), "1 judgment not written") {
		t.Errorf("it ends with %v", err)
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if err := d.leave(); err != nil || len(records(t, sets, "mine")) != 2 {
		t.Errorf("with the way free it ends with %v and %d records", err, len(records(t, sets, "mine")))
	}
}
