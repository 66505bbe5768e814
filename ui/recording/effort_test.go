package recording_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// made is a recording whose evidence was changed, with each line of evidence n times.
func made(t *testing.T, n int, change func(evidence map[string]any, number int)) []byte {
	t.Helper()
	var out bytes.Buffer
	for l := range bytes.Lines(glance(t)) {
		var parsed map[string]map[string]any
		if !bytes.Contains(l, []byte(`"evidence":{`)) || json.Unmarshal(l, &parsed) != nil {
			out.Write(l)
			continue
		}
		for i := range n {
			ev := maps.Clone(parsed["done"]["evidence"].(map[string]any))
			change(ev, i)
			done := maps.Clone(parsed["done"])
			done["evidence"] = ev
			raw, err := json.Marshal(map[string]any{"done": done})
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(raw, '\n'))
		}
	}
	return out.Bytes()
}

// Evidence is completed once, however often it is asked.
func TestEvidenceIsCompletedOnce(t *testing.T) {
	r, ctx, q := load(t, glance(t)), t.Context(), retrieval.Query{Text: question}
	e, once := r.NewCorpus().Engine, 0
	for i := range 20 {
		p := r.Params
		p.SimilarityFloor = float64(i) / 100
		ev, err := e.Gather(ctx, q, p)
		if err != nil {
			t.Fatal(err)
		}
		result, _ := ev.Rank(p, retrieval.Options{})
		if _, err := e.WhyNot(ctx, q, p, whynot.Target{ChunkID: result.NearMisses[0].ChunkID}); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			once = r.GoneThrough()
		}
	}
	// Other floors need other texts, of a section or two each.
	if once == 0 || r.GoneThrough() > 3*once || r.Completed() != 1 {
		t.Errorf("%d bytes at first, %d after 20 answers, %d are kept", once, r.GoneThrough(), r.Completed())
	}
}

// A file that names its texts again and again makes no answer take longer than the bound
// that is stated for it, and fills no memory.
func TestTheEffortOfAReplayIsBounded(t *testing.T) {
	const evidences = 100
	file := made(t, evidences, func(ev map[string]any, number int) {
		texts := maps.Clone(ev["texts"].(map[string]any))
		for i := range 50 {
			texts[fmt.Sprintf("made up %d of %d", i, number)] = i % len(ev["texts"].(map[string]any))
		}
		ev["texts"] = texts
	})
	r, q := load(t, file), retrieval.Query{Text: question}
	e := r.NewCorpus().Engine
	answer := func(ctx context.Context, p param.Params) error {
		_, err := e.Gather(ctx, q, p)
		_, why := e.WhyNot(ctx, q, p, whynot.Target{ChunkID: "none"})
		return errors.Join(err, why)
	}
	p := r.Params
	_ = answer(t.Context(), p)
	all := r.GoneThrough() // of 64 evidences
	if r.Completed() != 64 {
		t.Fatalf("%d evidences of %d were completed", r.Completed(), evidences)
	}
	most := all / 8
	r = load(t, file)
	r.SetEffort(most)
	e = r.NewCorpus().Engine
	for i := range 10 {
		before := r.GoneThrough()
		p.SimilarityFloor = float64(i) / 100
		_ = answer(t.Context(), p)
		if gone := r.GoneThrough() - before; gone > 2*most || i == 0 && gone == 0 {
			t.Errorf("answer %d, and why: %d bytes, the bound is %d each", i, gone, most)
		}
		if r.Completed() > 64/8+1 {
			t.Errorf("%d evidences are kept", r.Completed())
		}
	}
	// One that nobody waits for any more goes through nothing.
	r = load(t, file)
	e = r.NewCorpus().Engine
	ended, end := context.WithCancel(t.Context())
	end()
	if err := answer(ended, r.Params); !errors.Is(err, context.Canceled) || r.GoneThrough() > 0 {
		t.Errorf("%v after %d bytes", err, r.GoneThrough())
	}
}

// A text that is named as that of every section is read as often as the bound allows.
func TestOneTextOfEverySection(t *testing.T) {
	file := made(t, 2, func(ev map[string]any, number int) {
		texts := map[string]any{}
		if number == 1 { // all sections have the text, and the first evidence has none
			for i := range 200 {
				texts[fmt.Sprint("made up ", i)] = 0
			}
			for id := range ev["texts"].(map[string]any) {
				texts[id] = 0
			}
		}
		ev["texts"] = texts
	})
	long := strings.Repeat("word ", 20_000)
	file = bytes.Replace(file, []byte(`{"text":{"markdown":"`), []byte(`{"text":{"markdown":"`+long), 1)
	r := load(t, file)
	r.SetEffort(3 * len(long))
	p := r.Params
	p.SimilarityFloor = -1
	if _, err := r.NewCorpus().Engine.Gather(t.Context(), retrieval.Query{Text: question}, p); err != nil {
		t.Fatal(err)
	}
	if gone := r.GoneThrough(); gone < len(long) || gone > 3*len(long) {
		t.Errorf("%d bytes, the bound is %d", gone, 3*len(long))
	}
}

// ending is a context that ends once it was asked for some time.
type ending struct {
	context.Context
	left int
}

func (c *ending) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Who does not wait any more ends the completing of one evidence after the other.
func TestCompletingIsEnded(t *testing.T) {
	r := load(t, made(t, 30, func(map[string]any, int) {}))
	_, err := r.NewCorpus().Engine.WhyNot(&ending{t.Context(), 4}, retrieval.Query{Text: question}, r.Params, whynot.Target{ChunkID: "none"})
	if !errors.Is(err, context.Canceled) || r.Completed() == 0 || r.Completed() > 4 {
		t.Errorf("%v, %d completed", err, r.Completed())
	}
}

// What is no text counts, too: edges, metadata, what rerankers said.
func TestAllOfTheEvidenceCounts(t *testing.T) {
	gone := func(file []byte) int {
		r := load(t, file)
		if _, err := r.NewCorpus().Engine.Gather(t.Context(), retrieval.Query{Text: question}, r.Params); err != nil {
			t.Fatal(err)
		}
		return r.GoneThrough()
	}
	const more = 100_000
	with := func(long string) []byte {
		return made(t, 1, func(ev map[string]any, _ int) {
			ev["metadata"] = []any{map[string]any{"doc": 0, "values": map[string]string{"long": long}}}
		})
	}
	if was, is := gone(with("")), gone(with(strings.Repeat("x", more))); is < was+more {
		t.Errorf("%d bytes, and %d with %d more", was, is, more)
	}
}
