package sweep

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// guide is the bundled guide as a corpus.
func guide(t *testing.T) *session.Corpus {
	t.Helper()
	ctx, emb := t.Context(), embedder.NewBuiltin()
	tok, err := embedder.NewTokenizer(emb.Info().Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	pages, err := fs.Sub(docs.Guide, "guide")
	if err != nil {
		t.Fatal(err)
	}
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "guide.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.ScanFS(ctx, pages, "guide", source.Options{})
	if err == nil {
		_, err = indexing.Run(ctx, st, set.All(ctx), indexing.Options{Embedder: emb, Tokenizer: tok})
	}
	if err != nil {
		t.Fatal(err)
	}
	c := session.NewCorpus(retrieval.Deps{Store: st, Embedder: emb, Now: func() time.Time { return time.Unix(0, 0) }})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// still is a shell in which time stands still: what is to come later never does.
type still struct{ *viewtest.Shell }

func (still) After(time.Duration, tea.Msg) tea.Cmd { return nil }

// A sweep by queries that were made from the corpus says so, and so does the winner's profile.
func TestSyntheticQueriesAreMarked(t *testing.T) {
	v, s, kept := opened(t)
	if err := s.Of.Judged().Change(t.Context(), func(a *judgment.About) { a.Origin = judgment.Synthetic }); err != nil {
		t.Fatal(err)
	}
	settle(t, v, s, s.Begin(s.Of.OpenSet("docs")))
	if _, note := v.Pane(Finding).Title(); note != "docs (synthetic)" {
		t.Errorf("before a sweep it says %q", note)
	}
	v.given[param.FieldTopK] = "1,2"
	do(t, v, s, "sweep.run")
	if _, note := v.Pane(Finding).Title(); !strings.HasPrefix(note, "docs (synthetic) · ") {
		t.Errorf("after a sweep it says %q", note)
	}
	v.keep()
	if k := (*kept)[0]; k.name != "docs-top_k" || !strings.Contains(k.note, "on the query set docs (synthetic) (50 queries)") {
		t.Errorf("the profile %s says %q", k.name, k.note)
	}
}

// saved is what was kept as a profile.
type saved struct {
	name, note string
	params     param.Params
}

// opened is the view on the guide with its judged set.
func opened(t *testing.T) (*View, *viewtest.Shell, *[]saved) {
	t.Helper()
	s := viewtest.New(t)
	p, _ := param.Preset(param.PresetHybrid)
	p.Mode = param.ModeChunk
	s.Of = session.New(session.Setting{Name: param.PresetHybrid, Params: p}, func() time.Time { return time.Unix(0, 0) })
	sets := t.TempDir()
	judged, err := fs.Sub(docs.Judged, "judged")
	if err == nil {
		err = os.CopyFS(filepath.Join(sets, "docs"), judged)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Of.JudgeBy(sets, "ana", evaluation.MustMeasure("nDCG@10"))
	kept := &[]saved{}
	v := New(still{s}, Needs{Version: "1", IsTour: func() bool { return false }, Save: func(name string, p param.Params, _ session.Setting, note string) tea.Cmd {
		*kept = append(*kept, saved{name, note, p})
		return nil
	}})
	v.Pane(Knobs).SetSize(50, 40)
	v.Pane(Finding).SetSize(90, 40)
	s.Begin(s.Of.Take(guide(t), nil))
	settle(t, v, s)
	settle(t, v, s, s.Begin(s.Of.OpenSet("docs")))
	return v, s, kept
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
		if len(s.Begun) == 0 {
			return
		}
		begun := s.Begun
		s.Begun = nil
		for _, w := range begun {
			d := w.Run(t.Context())
			awaited := s.Of.Awaits(d.Kind, d.Gen)
			s.Begin(s.Of.Apply(d))
			if awaited {
				cmds = append(cmds, v.Take(d))
			}
		}
	}
	t.Fatal("it never becomes idle")
}

// do does the action of an id, if it can be done.
func do(t *testing.T, v *View, s *viewtest.Shell, id string) {
	t.Helper()
	all := v.Actions()
	a := &all[slices.IndexFunc(all, func(a view.Action) bool { return a.ID == id })]
	if a.Enabled != nil {
		if ok, why := a.Enabled(); !ok {
			t.Fatalf("%s: %s", id, why)
		}
	}
	settle(t, v, s, a.Run())
}

// goTo puts the cursor on a parameter.
func goTo(t *testing.T, v *View, field string) {
	t.Helper()
	v.layRows()
	at := slices.Index(v.rows, row{field: field})
	if at < 0 {
		t.Fatalf("%s is not listed", field)
	}
	v.list.Go(at)
}

// mark marks parameters at values, empty for those of the slider.
func mark(t *testing.T, v *View, s *viewtest.Shell, fieldsAndValues ...string) {
	t.Helper()
	for i := 0; i < len(fieldsAndValues); i += 2 {
		goTo(t, v, fieldsAndValues[i])
		do(t, v, s, "sweep.mark")
		if values := fieldsAndValues[i+1]; values != "" {
			do(t, v, s, "sweep.values")
			settle(t, v, s, s.Pushed[len(s.Pushed)-1].(*view.Prompt).Then(values))
		}
	}
}

func drawn(v *View, pane view.Context, w, h int) string {
	return viewtest.Bare(v.Pane(pane).Draw(w, h, true))
}

// The way of somebody new: mark, run, keep. Before it begins it is said how much there is to
// do; after it, what a winner is worth to queries that did not choose it, in the words that the
// command has for it; and the profile says how it was chosen.
func TestFromAMarkToAProfile(t *testing.T) {
	t.Parallel()
	v, s, kept := opened(t)
	if r := v.row(); r == nil || r.field != param.FieldTopK {
		t.Fatalf("the cursor begins on %+v", v.row())
	}
	do(t, v, s, "sweep.mark")
	if text := drawn(v, Knobs, 50, 40); !strings.Contains(text, "✓ top k") || !strings.Contains(text, "50 queries by 32 settings (grid): about") {
		t.Errorf("marked, it is drawn as\n%s", text)
	}
	do(t, v, s, "sweep.run")
	if v.shown == nil {
		t.Fatalf("nothing came of it: %v, %q", v.gone, s.Saids)
	}
	if s.At != Finding || v.shown.Winner <= 0 || v.shown.Verdict != evaluation.VerdictBetter {
		t.Fatalf("%s has the keys, the winner is %d, the verdict %v", s.At, v.shown.Winner, v.shown.Verdict)
	}
	text := strings.Join(strings.Fields(drawn(v, Finding, 90, 45)), " ")
	for _, want := range []string{
		"Better on both halves, each by what the other one chose", "best by all queries: top k ", "┆ now 5", "● best",
		"chosen on one half, measured on the other", "gap", "both, each by the other's choice", "Judged@10",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not among\n%s", want, text)
		}
	}
	for _, pane := range []view.Context{Knobs, Finding} {
		if _, note := v.Pane(pane).Title(); !strings.Contains(note, "nDCG@10") {
			t.Errorf("the heading %q does not say what is to be high", note)
		}
	}
	if said := strings.Join(s.Saids, "\n"); strings.Contains(said, "better") {
		t.Errorf("the verdict is said a second time: %q", said)
	}
	do(t, v, s, "sweep.keep")
	if len(*kept) != 1 {
		t.Fatalf("kept is %v", *kept)
	}
	k := (*kept)[0]
	if k.name != "docs-top_k" || k.params != v.shown.Settings[v.shown.Winner].Params || k.note != v.shown.Note("docs", "hybrid") ||
		!strings.HasPrefix(k.note, "chosen by a sweep of top_k (32 settings, grid, seed 1) on the query set docs (50 queries): nDCG@10") {
		t.Errorf("kept is %q, %q", k.name, k.note)
	}
}

// What the winner returns otherwise than the base can be judged, for the query of which least
// is judged; what was found to be best says so of itself, and nothing else does.
func TestJudgingWhatAWinnerChanges(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	var asked []string
	v.needs.Judge = func(query string, by func() tea.Cmd) tea.Cmd {
		asked = append(asked, query)
		return by()
	}
	before := s.Of.Params()
	do(t, v, s, "sweep.run")
	won := v.shown.Settings[v.shown.Winner].Params
	if v.Note(won) != v.shown.Note("docs", "hybrid") || v.Note(before) != "" {
		t.Errorf("noted are %q, and of the base %q", v.Note(won), v.Note(before))
	}
	least := s.Of.Judged().Query(v.shown.LeastJudged(v.shown.Winner)).Text
	do(t, v, s, "sweep.judge")
	if !slices.Equal(asked, []string{least}) || s.Of.Params() != won || s.Of.Baseline().Params != before {
		t.Errorf("asked is %q by %+v", asked, s.Of.Params())
	}
	p := v.shown.picture()
	p.x = slices.IndexFunc(p.plateaus, func(c sweep.Plateau) bool { return c.Setting == 0 })
	if ok, why := v.canJudge(); ok || !strings.Contains(why, "hybrid itself") {
		t.Errorf("the base can be judged against itself: %q", why)
	}
}

// Without a mark the parameter under the cursor is swept.
func TestRunningMarksWhatTheCursorIsOn(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	do(t, v, s, "sweep.run")
	if !slices.Equal(v.marked, []string{param.FieldTopK}) || v.shown == nil {
		t.Errorf("marked are %q, said is %q", v.marked, s.Saids)
	}
}

// The cell under the cursor of a map is explained, and becomes the present parameters; one undo
// takes all of it back.
func TestAMapOfTwo(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	mark(t, v, s, param.FieldTopK, "3..6", param.FieldKeywordWeight, "0.1,0.3,0.5")
	do(t, v, s, "sweep.run")
	if p := v.shown.picture(); p.of != mapPicture || len(p.values) != 3 || len(p.values[0]) != 4 {
		t.Fatalf("the first picture is %+v", p)
	}
	v.shown.move(-10, -10)
	text := strings.Join(strings.Fields(drawn(v, Finding, 90, 40)), " ")
	if !strings.Contains(text, "top k 3, keyword weight .100; nDCG@10") || !strings.Contains(text, "keyword weight ↓ top k →") {
		t.Errorf("drawn is\n%s", text)
	}
	before := s.Of.Params()
	do(t, v, s, "sweep.use")
	if now := s.Of.Params(); now.TopK != 3 || now.KeywordWeight != .1 {
		t.Errorf("the parameters are %+v", now)
	}
	// A profile of what was taken by hand says so, as one of the winner says how that was chosen.
	if note := v.Note(s.Of.Params()); !strings.HasPrefix(note, "taken by hand of a sweep of top_k, keyword_weight (12 settings") || v.Note(before) != "" {
		t.Errorf("noted is %q, and of the base %q", note, v.Note(before))
	}
	s.Of.Undo()
	if s.Of.Params() != before {
		t.Error("one undo does not take it back")
	}
	for _, want := range []pictureKind{curvePicture, curvePicture, bestPicture, frontierPicture, halvesPicture, mapPicture} {
		do(t, v, s, "sweep.picture")
		if got := v.shown.picture().of; got != want {
			t.Errorf("the next picture is %d, want %d", got, want)
		}
	}
	do(t, v, s, "sweep.frontier")
	if v.shown.picture().of != frontierPicture {
		t.Error("the frontier is not shown")
	}
	do(t, v, s, "sweep.frontier")
	if v.shown.picture().of != mapPicture {
		t.Error("the way back from the frontier leads elsewhere")
	}
	if row, ok := v.shown.setting(); !ok || v.shown.Settings[row].Params.TopK != 3 {
		t.Error("the map has lost its cursor")
	}
}

// A sweep that is stopped keeps what it measured: the same again measures the rest alone.
func TestStoppedAndGoneOn(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	mark(t, v, s, param.FieldTopK, "3..8")
	plan := planning{v}
	plan.begin(false)
	work := s.Begun[0]
	s.Begun = nil
	ctx, cancel := context.WithCancel(t.Context())
	begun := s.Of.Sweeping()
	go func() {
		for begun.Progress().Done == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	done := work.Run(ctx)
	if _, stop := v.Stop(); stop == nil {
		t.Fatal("there is nothing to stop")
	} else {
		settle(t, v, s, stop())
	}
	settle(t, v, s, s.Begin(s.Of.Apply(done)))
	if text := drawn(v, Finding, 90, 20); !strings.Contains(text, "rankings. They are kept") || v.shown != nil {
		t.Errorf("stopped, it is drawn as\n%s", text)
	}
	if _, stop := v.Stop(); stop != nil {
		t.Error("it can be stopped twice")
	}
	do(t, v, s, "sweep.run")
	if v.shown == nil {
		t.Fatalf("nothing came of it: %q", s.Saids)
	}
	first := v.shown.Finding
	plan.begin(false)
	running := s.Of.Sweeping()
	settle(t, v, s)
	if p := running.Progress(); p.Kept != p.Total || p.Done != p.Total || p.Total != 300 {
		t.Errorf("the third time %d of %d were kept", p.Kept, p.Total)
	}
	if v.shown.Winner != first.Winner || v.shown.Held != first.Held {
		t.Error("it comes to something else")
	}
}

// What an earlier sweep measured with another program is not mixed with what this one does: it
// asks.
func TestNumbersOfAnotherProgram(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	mark(t, v, s, param.FieldTopK, "3..5")
	do(t, v, s, "sweep.run")
	v.needs.Version = "2"
	do(t, v, s, "sweep.run")
	if text := strings.Join(strings.Fields(drawn(v, Finding, 90, 20)), " "); !strings.Contains(text, "version 1 measured it, and this is version 2") || strings.Contains(text, "--fresh") {
		t.Errorf("drawn is %s", text)
	}
	settle(t, v, s, s.Pushed[len(s.Pushed)-1].(*view.Chooser).Then("fresh"))
	if v.shown == nil {
		t.Errorf("nothing came of it: %q", s.Saids)
	}
}

// One that takes long asks before it begins, and one of a corpus that is sent whole offers to
// search it.
func TestItAsksBefore(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	mark(t, v, s, param.FieldTopK, "3..5")
	v.estimate = &sweep.Estimate{Time: 10 * time.Minute}
	do(t, v, s, "sweep.run")
	c := s.Pushed[len(s.Pushed)-1].(*view.Chooser)
	if c.Title != "It takes about 10m0s" || v.shown != nil || s.Of.Sweeping() != nil {
		t.Errorf("it asks %q", c.Title)
	}
	settle(t, v, s, c.Then(""))
	if v.shown != nil {
		t.Error("left, it began")
	}
	settle(t, v, s, c.Then("begin"))
	if v.shown == nil {
		t.Error("it did not begin")
	}
	p := s.Of.Params()
	p.Mode = param.ModeFullContext
	settle(t, v, s, v.Set(p, param.FieldMode))
	v.shown = nil
	do(t, v, s, "sweep.run")
	c = s.Pushed[len(s.Pushed)-1].(*view.Chooser)
	if c.Title != "The whole corpus is sent: nothing is ranked" || v.shown != nil {
		t.Errorf("it asks %q", c.Title)
	}
	settle(t, v, s, c.Then("chunks"))
	if s.Of.Params().Mode != param.ModeChunk || v.shown == nil {
		t.Errorf("the mode is %s, said is %q", s.Of.Params().Mode, s.Saids)
	}
}

// More combinations than may be tried are drawn at random, and that is said; what cannot be is
// said before it begins.
func TestTooManyForAGrid(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	mark(t, v, s, param.FieldTopK, "1..100", param.FieldKeywordWeight, "0..1/100")
	if text := strings.Join(strings.Fields(drawn(v, Knobs, 60, 40)), " "); !strings.Contains(text, "drawn at random") || !strings.Contains(text, "at most 2000 of") {
		t.Errorf("drawn is %s", text)
	}
	v.search = sweep.Coordinate
	settle(t, v, s, planning{v}.changed())
	if text := strings.Join(strings.Fields(drawn(v, Knobs, 60, 40)), " "); !strings.Contains(text, "coordinate search") {
		t.Errorf("drawn is %s", text)
	}
}

// A curve without a difference says so, and limits that nothing meets leave no winner.
func TestNothingToWin(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	mark(t, v, s, param.FieldRRFK, "55,60,65")
	do(t, v, s, "sweep.run")
	if text := strings.Join(strings.Fields(drawn(v, Finding, 90, 40)), " "); !strings.Contains(text, "flat: no value differs from hybrid beyond chance") {
		t.Errorf("drawn is %s", text)
	}
	var err error
	if v.limits, err = parseLimits("tokens<=1; results<=3"); err != nil {
		t.Fatal(err)
	}
	settle(t, v, s, planning{v}.changed())
	do(t, v, s, "sweep.run")
	if text := strings.Join(strings.Fields(drawn(v, Finding, 90, 40)), " "); v.shown.Winner != -1 || !strings.Contains(text, "none of the settings is within tokens<=1, results<=3") {
		t.Errorf("the winner is %d, drawn is %s", v.shown.Winner, text)
	}
	if ok, why := v.canKeep(); ok || !strings.Contains(why, "within tokens<=1") {
		t.Errorf("it can be kept: %q", why)
	}
}

// Whatever cannot be done has a reason.
func TestReasons(t *testing.T) {
	t.Parallel()
	v, s, _ := opened(t)
	s.Of.OpenSet("")
	if ok, why := v.canRun(); ok || !strings.Contains(why, "{judge.toggle} opens one") || !strings.Contains(v.Pane(Finding).Said(), "No query set is open") {
		t.Errorf("it can be run: %q, %q", why, v.Pane(Finding).Said())
	}
	if ok, why := v.canKeep(); ok || why != "nothing was swept yet" {
		t.Errorf("it can be kept: %q", why)
	}
	if list, err := parseLimits("3000"); err != nil || len(list) != 1 || list[0].String() != "tokens<=3000" {
		t.Errorf("a number alone is %v, %v", list, err)
	}
	if _, err := parseLimits("tokens<3"); err == nil {
		t.Error("a limit without its sign is taken")
	}
	v.given[param.FieldTopK] = "9..3"
	v.mark(param.FieldTopK)
	if _, err := (planning{v}).plan(); err == nil {
		t.Error("a range that goes down is taken")
	}
}
