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
		if got, want := replayed.screen(), live.screen(); got != want {
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
	keys := []string{"*", "/", "ctrl+u 'how are two rankings fused'", "enter"}
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
	replayed.press("enter")
	live.press("enter")
	replayed.mustShow("▌13 What a search can miss    .121  new")
	live.mustShow("▌13 What a search can miss    .121  new")
	// A text that the evidence has no place for.
	replayed.press("u t up enter ctrl+u '300' enter")
	replayed.mustShow("not recorded: these parameters need a new search, which a recording cannot make")
}
