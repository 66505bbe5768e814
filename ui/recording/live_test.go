package recording_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui"
	"github.com/webrag/webrag-tui/ui/recording"
)

// glance is a recording of a session that asked the question, and pressed keys if there
// are any.
func glance(t testing.TB, keys ...string) []byte {
	t.Helper()
	return glanceAt(t, guide(t), keys...)
}

func glanceAt(t testing.TB, c *session.Corpus, keys ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	o := glanced(t, nil)
	rec := recording.NewRecorder(&out, recording.Start{Program: "test", Preset: "webrag", Params: o.Params, Now: func() time.Time { return noon }})
	o.Open, o.Moved = func(context.Context) (*session.Corpus, error) { return rec.Wrap(c), nil }, rec.Move
	s := open(t, o, 150, 42)
	for _, k := range keys {
		s.press(k)
	}
	if _, err := rec.Summary(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func glanced(t testing.TB, c *session.Corpus) ui.Options {
	return ui.Options{
		Open:  func(context.Context) (*session.Corpus, error) { return c, nil },
		Query: question, Preset: "webrag", Params: searched(t),
	}
}

// mustAgree presses keys in a replay and on the corpus, and compares the screens.
func mustAgree(t *testing.T, replayed, live *stage, keys ...string) {
	t.Helper()
	for i, k := range keys {
		replayed.press(k)
		live.press(k)
		if got, want := replayed.below(), live.below(); got != want {
			t.Fatalf("after key %d (%q):\nreplayed:\n%s\non the corpus:\n%s", i, k, got, want)
		}
	}
}

// What was not touched in the recording is worked out as on the corpus itself.
func TestAReplayIsTuned(t *testing.T) {
	replayed := replay(t, load(t, glance(t)), 150, 42, nil)
	live := open(t, glanced(t, guide(t)), 150, 42)
	mustAgree(t, replayed, live,
		"t", "left", "left", "down", "right", "right", "down", "down", "left", "left", "[", "]", "s", "right", "esc", "2", "down", "down", "1", "u", "u", "ctrl+r")
}

// So are the queries that are watched meanwhile.
func TestTheWatchListOfAReplay(t *testing.T) {
	keys := []string{"*", "/ 'how are two rankings fused' enter"}
	replayed := replay(t, load(t, glance(t, keys...)), 150, 42, nil)
	live := open(t, glanced(t, guide(t)), 150, 42)
	mustAgree(t, replayed, live, append(keys, "t", "right", "right", "right", "#")...)
	live.mustShow(question)
	mustAgree(t, replayed, live, "esc", "right", "right", "left")
}

// A ranking by any parameters that the evidence reaches is that of the corpus, with its
// trace and explanations; others are refused.
func TestAReplayRanksAsTheCorpus(t *testing.T) {
	c := guide(t)
	r, ctx, q := load(t, glanceAt(t, c)), context.Background(), retrieval.Query{Text: question}
	gather := func(e session.Engine) session.Evidence {
		ev, err := e.Gather(ctx, q, r.Params)
		if err != nil {
			t.Fatal(err)
		}
		return ev
	}
	live, replayed := gather(c.Engine), gather(r.NewCorpus().Engine)
	written := func(ev session.Evidence, p param.Params) string {
		result, needs := ev.Rank(p, retrieval.Options{Trace: true, Explain: true})
		result.QueryVector = nil
		covers, why := ev.Covers(p)
		raw, err := json.Marshal([]any{result, needs, covers, why, ev.Breakpoints(p, "similarity_floor", nil).Points})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	covered, refused := 0, 0
	for _, name := range param.Presets() {
		for _, s := range param.Specs() {
			values := s.Positions()
			for _, n := range []int{0, len(values) / 2, len(values) - 1} {
				p, _ := param.Preset(name)
				if n < 0 || p.Set(s.Field, values[n]) != nil {
					continue
				}
				if written(live, p) != written(replayed, p) {
					t.Fatalf("%s with %s=%s: another ranking", name, s.Field, values[n])
				}
				ev, err := r.NewCorpus().Engine.Gather(ctx, q, p)
				if ok, _ := live.Covers(p); !ok && err == nil {
					t.Fatalf("%s with %s=%s: answered without a search", name, s.Field, values[n])
				}
				if err != nil {
					refused++
					continue
				}
				covered++
				if _, needs := ev.Rank(p, retrieval.Options{}); needs.IsProvisional() {
					t.Fatalf("%s with %s=%s: provisional", name, s.Field, values[n])
				}
			}
		}
	}
	if covered < 100 || refused < 100 {
		t.Errorf("%d rankings, %d refused", covered, refused)
	}
}

// Why a text is missing is found out in the replay, and a change that lets it in is made.
func TestAReplaySaysWhy(t *testing.T) {
	replayed := replay(t, load(t, glance(t)), 100, 32, nil)
	live := open(t, glanced(t, guide(t)), 100, 32)
	keys := strings.TrimSpace(strings.Repeat("down ", 12)) + " w"
	replayed.press(keys)
	live.press(keys)
	// What it is, what is said of it and where it stands come before what else there is.
	said := func(s *stage) string {
		_, said, _ := strings.Cut(s.screen(), "✗")
		said, _, ok := strings.Cut(said, "edges")
		if !ok {
			said, _, _ = strings.Cut(said, "What lets it in")
		}
		return strings.TrimSpace(said)
	}
	live.mustShow("lets it in as number 13 of 14", "rank 19 of")
	for line := range strings.Lines(said(live)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "keyword ") && !strings.HasPrefix(line, "words ") { // none were searched for
			replayed.mustShow(line)
		}
	}
	replayed.mustShow("not everything was tried: nothing that takes a new search")
	// A report that was shown in the session has what only the corpus knew.
	shown := replay(t, load(t, glance(t, keys)), 100, 32, nil)
	shown.press(keys)
	shown.mustShow("keyword    BM25", "edges      2 hops from what was found")
	if strings.Contains(replayed.screen(), "keyword    BM25") {
		t.Error("words were counted that no search has looked for")
	}
	replayed.press("enter")
	live.press("enter")
	replayed.mustShow("▌13 Finding t")
	live.mustShow("▌13 Finding t")
	// A text that the evidence has no place for.
	replayed.press("u t up enter ctrl+u '300' enter")
	replayed.mustShow("not recorded: these parameters need a new search, which a recording cannot make")
}

// What was gathered for a baseline that other evidence does not reach ranks by it.
func TestTheEvidenceOfABaselineIsRecorded(t *testing.T) {
	var out bytes.Buffer
	p, ctx, q := searched(t), context.Background(), retrieval.Query{Text: question}
	rec := recording.NewRecorder(&out, recording.Start{Preset: "webrag", Params: p})
	e := rec.Wrap(guide(t)).Engine
	base := p
	base.KeywordWeight = 0.5
	gather := func(p param.Params) session.Evidence {
		ev, err := e.Gather(ctx, q, p)
		if err != nil {
			t.Fatal(err)
		}
		return ev
	}
	e.(session.Applier).Applied(session.Done{Kind: session.KindWatch, Query: question, Params: p, Base: base, Evidence: gather(p), BaseEvidence: gather(base)})
	if said, err := rec.Summary(); err != nil || !strings.HasPrefix(said, "2 answers") {
		t.Errorf("%s, %v", said, err)
	}
	replayed := load(t, out.Bytes()).NewCorpus().Engine
	for _, p := range []param.Params{p, base} {
		ev, err := replayed.Gather(ctx, q, p)
		if err != nil {
			t.Fatal(err)
		}
		if ok, why := ev.Covers(p); !ok {
			t.Error(why)
		}
	}
}

// No name of evidence, wherever it stands, has what a terminal obeys.
func TestHostileNamesOfEvidence(t *testing.T) {
	file := string(glance(t))
	const hostile = `\u001b[31m\u0007\n\u009b`
	for _, begins := range []string{`"id":"`, `"url":"`, `"title":"`, `"heading":"`, `"anchor":"`, `"path":["`, `"source_type":"`, `"match":"`} {
		if !strings.Contains(file, begins) {
			t.Errorf("the recording has no %s", begins)
		}
		file = strings.ReplaceAll(file, begins, begins+hostile)
	}
	file = strings.ReplaceAll(file, `"embed_error":"`, `"embed_error":"`+hostile)
	file = strings.ReplaceAll(file, `"keyword":{"rows"`, `"keyword":{"run":"`+hostile+`","error":"`+hostile+`","rows"`)
	file = strings.ReplaceAll(file, `"graph":{`, `"graph":{"missing":"`+hostile+`","error":"`+hostile+`"`)
	r := load(t, []byte(file))
	p := r.Params
	ev, err := r.NewCorpus().Engine.Gather(context.Background(), retrieval.Query{Text: question}, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(*param.Params){func(*param.Params) {}, func(p *param.Params) { p.KeywordWeight = 0.5 }, func(p *param.Params) { p.MaxHops = 1 }} {
		p := r.Params
		change(&p)
		result, needs := ev.Rank(p, retrieval.Options{Trace: true, Explain: true})
		for i := range result.Items {
			result.Items[i].ChunkText, result.Items[i].HTMLText = "", ""
		}
		raw, err := json.Marshal([]any{result, needs, ev.Labels([]string{result.Items[0].ChunkID})})
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{`\u001b`, `\u0007`, `\n`, "\u009b"} {
			if at := strings.Index(string(raw), bad); at >= 0 {
				t.Errorf("%q is in %s", bad, raw[max(0, at-80):at+20])
			}
		}
	}
}
