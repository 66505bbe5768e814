package recording_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui"
	"github.com/webrag/webrag-tui/ui/recording"
	"github.com/webrag/webrag-tui/ui/tour"
)

const question = "how does depth decay change the ranking"

// sessionKeys are the keys of a session through all views. After each, the screens
// of the session and of its replay are compared.
var sessionKeys = []string{
	"", "down", "tab", "tab", "tab", "t", "right", "right", "esc", "u", "esc",
	"w", "esc", "2", "right", "right", "tab", "down", "3", "down", "down", "enter", "esc", "1", "r", "m",
	"/", "' of sections'", "enter", "down", "w", "esc",
	"/", "ctrl+u 'zxqv blorpf'", "enter", "esc",
}

// play goes through the session, and returns the screens.
func play(s *stage) []string {
	var screens []string
	for _, k := range sessionKeys {
		s.press(k)
		screens = append(screens, s.screen())
	}
	return screens
}

var startNotices = []retrieval.Notice{{Code: "x", Text: "a notice of the start"}}

// record plays a session on the guide and returns its recording and its screens.
func record(t testing.TB, w, h int) (file []byte, screens []string) {
	t.Helper()
	p := searched(t)
	var out bytes.Buffer
	rec := recording.NewRecorder(&out, recording.Start{Program: "test", Preset: "webrag", Params: p, Notices: startNotices, Now: func() time.Time { return noon }})
	s := open(t, ui.Options{
		Open:  func(context.Context) (*session.Corpus, error) { return rec.Wrap(guide(t)), nil },
		Query: question, Preset: "webrag", Params: p, Moved: rec.Move, Notices: startNotices,
	}, w, h)
	screens = play(s)
	if said, err := rec.Summary(); err != nil || !strings.Contains(said, "answers") {
		t.Fatalf("%s: %v", said, err)
	}
	return out.Bytes(), screens
}

func load(t testing.TB, file []byte) *recording.Recording {
	t.Helper()
	r, err := recording.Load(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// replay opens the explorer on a recording.
func replay(t testing.TB, r *recording.Recording, w, h int, change func(*ui.Options)) *stage {
	t.Helper()
	o := ui.Options{
		Open:  func(context.Context) (*session.Corpus, error) { return r.NewCorpus(), nil },
		Query: r.Queries[0], Examples: r.Queries, Preset: r.Preset, Params: r.Params, Notices: r.Notices,
	}
	if change != nil {
		change(&o)
	}
	return open(t, o, w, h)
}

// Recording hides nothing from the screen, and neither does a replay.
func TestAReplayShowsTheSameScreens(t *testing.T) {
	sizes := [][2]int{{150, 42}, {100, 30}, {80, 24}, {60, 20}}
	if testing.Short() {
		sizes = sizes[:1] // what races does so at any size
	}
	for _, size := range sizes {
		file, recorded := record(t, size[0], size[1])
		want := play(open(t, ui.Options{
			Open:  func(context.Context) (*session.Corpus, error) { return guide(t), nil },
			Query: question, Preset: "webrag", Params: searched(t), Notices: startNotices,
		}, size[0], size[1]))
		if size[0] == 150 {
			for _, words := range []string{"what would change its rank", "None of the query's words occurs"} {
				if !slices.ContainsFunc(want, func(s string) bool { return strings.Contains(s, words) }) {
					t.Errorf("the session never shows %q", words)
				}
			}
		}
		for i := range want {
			if recorded[i] != want[i] {
				t.Fatalf("%dx%d, after key %d (%q):\nwhile it is recorded:\n%s\nwithout:\n%s", size[0], size[1], i, sessionKeys[i], recorded[i], want[i])
			}
		}
		t.Logf("%dx%d: %d kB", size[0], size[1], len(file)>>10)
		got := play(replay(t, load(t, file), size[0], size[1], nil))
		for i := range want {
			if i > 0 && sessionKeys[i-1] == "/" {
				continue // enter asks
			}
			if sessionKeys[i] == "/" {
				if !strings.Contains(got[i], "nothing else has an answer") {
					t.Errorf("%dx%d, after key %d: what was asked is not listed:\n%s", size[0], size[1], i, got[i])
				}
				continue // the session shows its results until something is typed
			}
			header, below, _ := strings.Cut(got[i], "\n")
			wasHeader, was, _ := strings.Cut(want[i], "\n")
			// The header says that it is a recording, and beside that what there is room for.
			said := strings.Replace(header, "guide (recording)", "guide", 1)
			if below != was || said == header || !isPartOf(strings.Fields(said), strings.Fields(wasHeader)) {
				t.Fatalf("%dx%d, after key %d (%q):\nreplayed:\n%s\nin the session:\n%s", size[0], size[1], i, sessionKeys[i], got[i], want[i])
			}
		}
	}
}

// isPartOf says that words are some of others, in their order.
func isPartOf(words, all []string) bool {
	for _, w := range words {
		at := slices.Index(all, w)
		if at < 0 {
			return false
		}
		all = all[at+1:]
	}
	return true
}

func TestAReplaySaysWhatItDoesNotHave(t *testing.T) {
	r := load(t, glance(t))
	if len(r.Queries) == 0 || r.Queries[0] != question || r.Corpus != "guide" || r.Program != "test" {
		t.Errorf("loaded %q, %s, %s", r.Queries, r.Corpus, r.Program)
	}
	s := replay(t, r, 120, 40, nil)
	s.press("/ 'never asked' enter")
	s.mustShow("The recording has no answer", "this query was not asked")

	engine, ctx := r.NewCorpus().Engine, context.Background()
	q := retrieval.Query{Text: question}
	mustLack := func(words string, err error) {
		t.Helper()
		var missing *session.NotRecordedError
		if !errors.As(err, &missing) || !strings.Contains(missing.Why, words) {
			t.Errorf("got %v, want %s", err, words)
		}
	}
	ev, err := engine.Gather(ctx, q, r.Params)
	if err != nil {
		t.Fatal(err)
	}
	for words, change := range map[string]func(p *param.Params){
		"need a new search":              func(p *param.Params) { p.KeywordWeight = 0.5 },
		"need more edges":                func(p *param.Params) { p.MaxHops = 2 },
		"need the words of more section": func(p *param.Params) { p.DedupThreshold, p.SimilarityFloor = 0.9, -1 },
		"need scores of a reranker":      func(p *param.Params) { p.Reranker = "llm" },
	} {
		p := r.Params
		change(&p)
		_, err := engine.Gather(ctx, q, p)
		mustLack(words, err)
		_, err = engine.Complete(ctx, ev, p)
		mustLack(words, err)
		_, err = engine.WhyNot(ctx, q, p, whynot.Target{ChunkID: "none"})
		mustLack(words, err)
	}
	_, err = engine.WhyNot(ctx, q, r.Params, whynot.Target{ChunkID: "none"})
	mustLack("to say why takes a new search", err)
	opened := session.New(session.Setting{Params: r.Params}, nil)
	opened.Take(r.NewCorpus(), nil)
	for _, work := range [][]session.Work{opened.ReadSection("none"), opened.ReadPage("none"), opened.ReadOutline("none"), opened.ReadPageTexts([]string{"none"})} {
		mustLack("was not looked at", work[0].Run(ctx).Err)
	}
}

func TestTheMovesOfASessionArePlayed(t *testing.T) {
	file, screens := record(t, 120, 40)
	r := load(t, file)
	script := r.Tour()
	if script == nil {
		t.Fatal("the recording has no moves")
	}
	if err := ui.CheckTour(*script); err != nil {
		t.Fatal(err)
	}
	s := replay(t, r, 120, 40, func(o *ui.Options) { o.Query, o.Tour, o.TourSpeed = "", script, 20 })
	for range 600 {
		if strings.Contains(s.screen(), "the keys are yours") {
			break
		}
		s.pass(time.Second)
	}
	s.mustShow("the tour is over", "zxqv blorpf")
	if strings.Contains(s.screen(), "tour, line") {
		t.Errorf("a move was missed:\n%s\nthe session ended with\n%s", s.screen(), screens[len(screens)-1])
	}
}

// A preset is in a replay what it was in the session, and so the same keys lead to the same
// ranking; what somebody has set stays.
func TestPresetsAreAdaptedAsInTheSession(t *testing.T) {
	_, answers, _ := strings.Cut(string(glance(t)), "\n")
	head := `{"webrag_recording":5,"program":"1","corpus":"c","preset":"webrag","adapted":{"full_context_threshold":"4000"}}` + "\n"
	r := load(t, []byte(head+answers))
	plain, _ := param.Preset("blend")
	if got := r.Adapt(session.Profile{Base: "blend", Params: plain}).Params.FullContextThreshold; got != 4000 {
		t.Errorf("the threshold of a preset is %d, want that of the session", got)
	}
	own := plain
	own.FullContextThreshold = 77
	if got := r.Adapt(session.Profile{Base: "blend", Params: own}).Params.FullContextThreshold; got != 77 {
		t.Errorf("the threshold that somebody set has become %d", got)
	}
	_, err := recording.Load(strings.NewReader(strings.Replace(head, "4000", "many", 1) + answers))
	if err == nil || !strings.Contains(err.Error(), "line 1: full_context_threshold") {
		t.Errorf("an adapted value that is none: %v", err)
	}
}

// What a session started from anew, its replay starts from, too.
func TestTheMovesStartFromPresets(t *testing.T) {
	_, answers, _ := strings.Cut(string(glance(t)), "\n")
	head := `{"webrag_recording":5,"program":"1","corpus":"c","preset":"webrag"}` + "\n"
	moves := `{"move":{"at":1,"query":"q","preset":"webrag","view":1}}` + "\n" +
		`{"move":{"at":2,"query":"q","preset":"blend","changed":{"top_k":"7"},"view":1}}` + "\n" +
		`{"move":{"at":3,"query":"q","preset":"blend","changed":{"top_k":"8"},"view":1}}` + "\n"
	var applied []tour.Step
	for _, s := range load(t, []byte(head+answers+moves)).Tour().Steps {
		if s.Verb == tour.Apply {
			applied = append(applied, s)
		}
	}
	if len(applied) != 2 || applied[0].Text != "blend" || len(applied[0].Values) != len(param.Specs()) || applied[1].Text != "" || len(applied[1].Values) != 1 {
		t.Errorf("applied %+v", applied)
	}
}

func TestTheRecordingHasABound(t *testing.T) {
	var out bytes.Buffer
	rec := recording.NewRecorder(&out, recording.Start{Params: searched(t), Now: func() time.Time { return noon }})
	limit := len(glance(t)) + 512
	rec.SetLimit(limit)
	s := open(t, ui.Options{
		Open:  func(context.Context) (*session.Corpus, error) { return rec.Wrap(guide(t)), nil },
		Query: question, Params: searched(t), Moved: rec.Move, Recording: rec.Status,
	}, 120, 40)
	if _, err := rec.Summary(); err != nil { // all so far is written
		t.Fatal(err)
	}
	s.press("t right right right right right right")
	s.mustShow("recording ended at 0 MB")
	if said, err := rec.Summary(); err != nil || !strings.Contains(said, "it was full") {
		t.Errorf("%s, %v", said, err)
	}
	if out.Len() > limit {
		t.Errorf("%d bytes", out.Len())
	}
	load(t, out.Bytes())
}

func TestARecordingIsChecked(t *testing.T) {
	head := `{"webrag_recording":5,"program":"1","corpus":"c","preset":"webrag"}` + "\n"
	text := `{"text":{"markdown":"` + strings.Repeat("x", 1<<20) + `"}}` + "\n"
	var texts []string
	for i := range 65 {
		texts = append(texts, fmt.Sprintf(`"%d":0`, i))
	}
	for _, c := range []struct{ name, file, want string }{
		{"nothing", "", "not a recording"},
		{"another file", "# Notes\n", "not a recording"},
		{"other JSON", `{"chunks":[]}`, "not a recording"},
		{"a later version", `{"webrag_recording":6}`, "the recording has version 6, and this program reads version 5: replay it"},
		{"an earlier version", `{"webrag_recording":4}`, "the recording has version 4, and this program reads version 5: replay it"},
		{"no answer", head, "the recording has no answer"},
		{"no line", head + "[1]\n" + rank, "line 2: it is no line of a recording"},
		{"a line of version 4", head + `{"call":"survey","value":{}}` + "\n" + rank, "line 2: it is no line"},
		{"a kind", head + read(`"summary"`, `{"summary":[]}`) + rank, "line 2: what was read is not of the kind"},
		{"a kind of evidence", head + `{"found":[]}` + "\n" + rank, "line 2: it is no line"},
		{"a parameter", head + `{"done":{"changed":{"top_k":"many"}}}` + "\n" + rank, "line 2: top_k"},
		{"a range", head + `{"found":{"documents":[{}],"rows":[{"id":"a","in":-1,"chars":[5,2]}]}}` + "\n" + rank, "line 2: kept evidence: a range ends before it begins"},
		{"a section's range", head + read(`"section","a"`, `{"section":{"CharStart":5,"CharEnd":2}}`) + rank, "line 2: a range ends before it begins"},
		{"a number", head + read(`"section","a"`, `{"section":{"Index":99999999999}}`) + rank, "line 2: Index: 99999999999 is too large"},
		{"no id", head + `{"found":{"documents":[{}],"rows":[{"in":-1}]}}` + "\n" + rank, "line 2: kept evidence: a chunk has no id"},
		{"nothing found", head + `{"done":{"query":"q","evidence":{"found":0}}}` + "\n" + rank, "line 2: evidence lacks what was found"},
		{"no text", head + `{"found":{}}` + "\n" + `{"done":{"query":"q","evidence":{"texts":{"a":0}}}}` + "\n" + rank, "line 3: evidence lacks a text"},
		{"no words", head + `{"found":{}}` + "\n" + `{"done":{"query":"q","evidence":{"words":{"a":-1}}}}` + "\n" + rank, "line 3: evidence lacks the words"},
		{"half a word", head + `{"words":{"digest":"","words":"YWI="}}` + "\n" + rank, "line 2: these are no words"},
		{"too much text", head + text + `{"found":{}}` + "\n" + `{"done":{"query":"q","evidence":{"texts":{` + strings.Join(texts, ",") + `}}}}` + "\n" + rank, "line 4: evidence has too much text"},
		{"an edge", head + `{"found":{}}` + "\n" + `{"done":{"query":"q","evidence":{"graph":{"edges":[{"from":1,"to":2}]}}}}` + "\n" + rank, "line 3: an edge leads nowhere"},
		{"a suggestion", head + read(`"why"`, `{"report":{"Suggestions":[{}]}}`) + rank, "line 2: a suggestion changes nothing"},
		{"a page", head + read(`"page","a"`, `{"page":{"Sections":[{}],"Children":[]}}`) + rank, "line 2: a page has other children"},
		{"a page's passages", head + read(`"page","a"`, `{"page":{"Sections":[{}],"Children":[[{"TokenEnd":-1}]]}}`) + rank, "line 2: a range ends before"},
		{"texts", head + read(`"texts","a"`, `{"sections":[{"CharStart":-1}]}`) + rank, "line 2: a range ends before"},
		{"cosines", head + read(`"cosines","a"`, `{"cosines":{"Children":{"a":{"Query":[{"Start":3,"End":1}]}}}}`) + rank, "line 2: a range ends before"},
		{"cosines of a text", head + read(`"cosines","a"`, `{"cosines":{"Children":{"a":{"Text":[{"Start":-3,"End":1}]}}}}`) + rank, "line 2: a range ends before"},
		{"pages", head + read(`"pages","0","9"`, `{"pages":[{"Depth":-1}]}`) + rank, "line 2: there is less than nothing"},
		{"links of pages", head + read(`"links of pages","a","b"`, `{"page_links":[["c"]]}`) + rank, "line 2: these are the links of other pages"},
		{"a list", head + read(`"sections","9","-1"`, `{"list":{"More":-1}}`) + rank, "line 2: there is less than nothing"},
		{"the corpus", head + read(`"summary"`, `{"summary":{"Documents":-1}}`) + rank, "line 2: there is less than nothing"},
		{"an index", head + read(`"index"`, `{"health":{"Probed":{"Points":[{"Recall":1e300}]}}}`) + rank, "line 2: there is less than nothing"},
		{"a size", head + read(`"index"`, `{"health":{"Index":{"Bytes":9000000000000000000}}}`) + rank, "line 2: Bytes: 9000000000000000000 is too large"},
		{"a time", head + read(`"index"`, `{"health":{"Probed":{"Exact":9000000000000000000}}}`) + rank, "line 2: Exact: 9000000000000000000 is too large"},
		{"a long time", head + `{"found":{}}` + "\n" + `{"done":{"query":"q","evidence":{"found":0,"took":9000000000000000000}}}` + "\n" + rank, "line 3: Took: 9000000000000000000 is too large"},
		{"a move", head + `{"move":{"at":1,"view":0}}` + "\n" + rank, "line 2: a move has no view"},
		{"a torn line", head + `{"done":{"ra` + "\n" + rank, "line 2: it is no line"},
	} {
		if _, err := recording.Load(strings.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.name, err, c.want)
		}
	}
	// Some stores count the milliseconds of all their pages as the corpus's version.
	load(t, []byte(head+read(`"sections","20000","-1"`, `{"list":{"Version":1000000000000000}}`)+rank))
	// And a table may have some terabytes.
	load(t, []byte(head+read(`"index"`, `{"health":{"Index":{"Bytes":99999999999999}}}`)+rank))
	// A session that was cut off is shown as far as it goes.
	r, err := recording.Load(strings.NewReader(head + rank + `{"done":{"ra`))
	if err != nil || !r.Truncated || len(r.Queries) != 1 {
		t.Errorf("a truncated recording: %+v, %v", r, err)
	}
}

// What a recording says is drawn: no escape sequence of it may reach the terminal,
// and nothing of it may end the program.
func TestAHostileRecordingIsHarmless(t *testing.T) {
	file, _ := record(t, 100, 30)
	for _, word := range []string{"Ranking", "Depth", "cosine, ", "max(", "below", "a notice", "guide", "mode", "the "} {
		file = bytes.ReplaceAll(file, []byte(`:"`+word), []byte(`:"\u001b[31m\u0007\u009b2J\n\r\u001b]0;t\u0007`+word))
	}
	r := load(t, file)
	if !strings.HasSuffix(r.Corpus, "guide") || r.Corpus == "guide" {
		t.Fatalf("the corpus is called %q", r.Corpus)
	}
	s := replay(t, r, 100, 30, nil)
	for _, k := range sessionKeys {
		s.press(k)
		checkDrawn(t, s)
	}
}

// checkDrawn fails if a screen holds a control character that is not ours.
func checkDrawn(t testing.TB, s *stage) {
	t.Helper()
	for _, bad := range []string{"\x1b[31m", "\x07", "\u009b", "\x1b]0;", "\r"} {
		if strings.Contains(s.m.View().Content, bad) {
			t.Fatalf("the screen holds %q", bad)
		}
	}
}

// No recording holds what the place of a corpus says: it may have a password.
func TestARecordingHoldsNoPlace(t *testing.T) {
	const secret = "postgres://me:hunter2@host/db"
	var out bytes.Buffer
	rec := recording.NewRecorder(&out, recording.Start{Params: searched(t), Now: func() time.Time { return noon }})
	s := open(t, ui.Options{
		Open:  func(context.Context) (*session.Corpus, error) { return rec.Wrap(guide(t)), nil },
		Place: secret, Command: func(string, string, param.Params) []string { return []string{"webrag-tui", "--corpus", secret} },
		Query: question, Params: searched(t), Moved: rec.Move,
	}, 120, 40)
	s.press("2 3 1 w esc")
	if _, err := rec.Summary(); err != nil {
		t.Fatal(err)
	}
	// Evidence does not say what it was made with.
	found := 0
	for l := range bytes.Lines(out.Bytes()) {
		if bytes.HasPrefix(l, []byte(`{"found":`)) {
			if found++; bytes.Contains(l, []byte(embedder.NewBuiltin().Info().ID)) {
				t.Errorf("evidence names the embedder: %s", l)
			}
		}
	}
	if found == 0 {
		t.Error("the recording has no evidence")
	}
	if out.Len() == 0 || bytes.Contains(out.Bytes(), []byte("hunter2")) {
		t.Errorf("the recording has %d bytes, or the password", out.Len())
	}
}

// small is a recording of a corpus of three pages.
func small(t testing.TB) []byte {
	pages := fstest.MapFS{
		"bread.md":  {Data: []byte("# Bread\n\nA loaf rises while the dough rests in a warm place. See [tea](tea.md).\n")},
		"coffee.md": {Data: []byte("# Coffee\n\nGrind the beans, and pour water that has just boiled.\n")},
		"tea.md":    {Data: []byte("# Tea\n\nLeaves steep for three minutes in water that has boiled.\n")},
	}
	p := searched(t)
	p.FullContextThreshold, p.KeywordWeight, p.MaxHops, p.DedupThreshold = 1, 0.5, 1, 0.9
	var out bytes.Buffer
	rec := recording.NewRecorder(&out, recording.Start{Preset: "webrag", Params: p, Now: func() time.Time { return noon }})
	s := open(t, ui.Options{
		Open:  func(context.Context) (*session.Corpus, error) { return rec.Wrap(corpus(t, pages, nil)), nil },
		Query: "how long does tea steep in water", Preset: "webrag", Params: p, Moved: rec.Move,
	}, 100, 30)
	s.press("down t right right esc 2 3 1 w esc")
	if _, err := rec.Summary(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func FuzzLoad(f *testing.F) {
	file := small(f)
	f.Add(file)
	lines := bytes.SplitAfter(file, []byte("\n"))
	var parts []byte
	for i, l := range lines {
		if i == 0 || !bytes.Contains(l, []byte(`"asked"`)) {
			parts = append(parts, l...)
		}
	}
	f.Add(parts)
	f.Add([]byte(`{"webrag_recording":5,"preset":"graph"}` + "\n" + rank))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 64<<10 {
			return
		}
		r, err := recording.Load(bytes.NewReader(file))
		if err != nil {
			return
		}
		if len(r.Queries) == 0 {
			t.Fatal("a recording without a query was loaded")
		}
		if script := r.Tour(); script != nil {
			if err := ui.CheckTour(*script); err != nil {
				t.Fatal(err)
			}
		}
		c, ctx, q := r.NewCorpus(), context.Background(), retrieval.Query{Text: r.Queries[0]}
		for _, p := range []param.Params{r.Params, searched(t)} {
			ev, err := c.Engine.Gather(ctx, q, p)
			if err != nil {
				continue
			}
			result, _ := ev.Rank(p, retrieval.Options{Trace: true, Explain: true})
			for _, spec := range param.Specs() {
				calls := 0
				track := ev.Breakpoints(p, spec.Field, func() bool { calls++; return calls > 20 })
				track.Next(p.Get(spec.Field), true)
			}
			for i := range result.NearMisses[:min(2, len(result.NearMisses))] {
				id := result.NearMisses[i].ChunkID
				if _, err := c.Engine.WhyNot(ctx, q, p, whynot.Target{ChunkID: id}); err != nil {
					t.Log(err)
				}
				s := session.New(session.Setting{Params: p}, nil)
				s.Take(c, nil)
				for _, work := range [][]session.Work{s.ReadSection(id), s.ReadPage(id), s.ReadOutline(id), s.ListSections(9, -1), s.ReadPages(0, 9)} {
					if d := work[0].Run(ctx); d.Err != nil {
						t.Log(d.Err)
					}
				}
			}
		}
	})
}

// A recording whose numbers are anything may be refused, or shown with wrong
// numbers; the program goes on.
func TestAnyNumbersCanBeShown(t *testing.T) {
	if testing.Short() {
		t.Skip("what it does is of one goroutine: the full run has this test")
	}
	file, _ := record(t, 100, 30)
	lines := strings.SplitAfter(string(file), "\n")
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 1))
		changed := lines[0]
		for _, l := range lines[1:] {
			changed += withOdd(rng, changed, l)
		}
		r := load(t, []byte(changed+rank))
		if !slices.ContainsFunc(r.Queries, func(q string) bool { return strings.HasPrefix(q, question) }) {
			t.Fatalf("nothing is left of the session: %q", r.Queries)
		}
		s := replay(t, r, 100, 30, nil)
		for _, k := range sessionKeys {
			s.press(k)
			checkDrawn(t, s)
		}
	}
}

var numbers = regexp.MustCompile(`:-?[0-9]+(\.[0-9]+)?`)

// withOdd replaces some numbers of a line with others that are not refused.
func withOdd(rng *rand.Rand, head, line string) string {
	odd := []string{":0", ":-1", ":1", ":2", ":7", ":1000000", ":2147483648", ":1e300", ":-1e300", ":0.5"}
	n := len(numbers.FindAllStringIndex(line, -1))
	for range 5 {
		changed := numbers.ReplaceAllStringFunc(line, func(was string) string {
			if rng.IntN(n) > 2 {
				return was
			}
			return odd[rng.IntN(len(odd))]
		})
		if _, err := recording.Load(strings.NewReader(head + changed + rank)); err == nil {
			return changed
		}
	}
	return line
}

// read is a line of what was read.
func read(asked, what string) string {
	return `{"done":{"asked":[` + asked + `],"read":` + what + `}}` + "\n"
}

// rank is the least answer.
const rank = `{"found":{}}` + "\n" + `{"done":{"query":"q","evidence":{"found":0}}}` + "\n"
