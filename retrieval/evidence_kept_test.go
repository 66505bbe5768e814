package retrieval_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/param/paramtest"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/store"
)

type fatalf interface{ Fatalf(string, ...any) }

// keptJSON is evidence as it is written.
func keptJSON(t fatalf, ev retrieval.Evidence) []byte {
	raw, err := json.Marshal(retrieval.Keep(ev))
	if err != nil {
		t.Fatalf("write evidence: %v", err)
	}
	return raw
}

// readKept reads evidence that was written.
func readKept(raw []byte) (retrieval.Evidence, error) {
	var k kept.Evidence
	if err := json.Unmarshal(raw, &k); err != nil {
		return retrieval.Evidence{}, err
	}
	return fromKept(&k)
}

func reread(t fatalf, ev retrieval.Evidence) retrieval.Evidence {
	again, err := readKept(keptJSON(t, ev))
	if err != nil {
		t.Fatalf("read what was written: %v", err)
	}
	return again
}

// keptSaid is all that ranking evidence says, but for the query's vector.
func keptSaid(t fatalf, ev *retrieval.Evidence, p param.Params) string {
	covers, why := ev.Covers(p)
	result, needs := retrieval.Rank(*ev, p, retrieval.Options{Trace: true, Explain: true})
	result.QueryVector = nil
	var known []string
	for i := range result.Items {
		known = append(known, result.Items[i].ChunkID)
	}
	raw, err := json.MarshalIndent([]any{
		covers, why, result, needs, ev.Order(p), ev.Labels(known), ev.Seeds(p, result.Floor), ev.NoTermMatch(), ev.IsLexical(), ev.IsExact(), ev.IsBlank(),
		ev.HasDirection(), ev.Query(), ev.RowsAsked(), ev.RowsFound(),
	}, "", " ")
	if err != nil {
		t.Fatalf("write what was said: %v", err)
	}
	return string(raw)
}

func sameSaid(t fatalf, ev, again *retrieval.Evidence, p param.Params) {
	want, got := strings.Split(keptSaid(t, ev, p), "\n"), strings.Split(keptSaid(t, again, p), "\n")
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("line %d: kept evidence says\n%s\nnot\n%s", i, strings.Join(got[max(0, i-8):min(len(got), i+3)], "\n"), strings.Join(want[max(0, i-8):i+1], "\n"))
		}
	}
}

// drawn is evidence of a drawn corpus, completed for some parameters.
func drawn(t *rapid.T) (ev retrieval.Evidence, p param.Params) {
	var d retrieval.Deps
	q := retrieval.Query{Text: "question"}
	if rapid.Bool().Draw(t, "lab") {
		l := drawLabOf(t, 2)
		q, p = drawQueryOf(t, questions()...), drawPreset(t, rapid.SampledFrom(param.Presets()).Draw(t, "preset"), rapid.IntRange(0, 4).Draw(t, "changes"))
		d = l.deps()
		d.Now = l.now()
	} else {
		b := drawBench(t)
		d, p = b.deps(), b.params
	}
	ev, err := retrieval.Gather(t.Context(), d, q, p)
	if err != nil {
		t.Skip(err)
	}
	if rapid.Bool().Draw(t, "completed") {
		if ev, err = retrieval.Complete(t.Context(), d, ev, p); err != nil {
			t.Skip(err)
		}
	}
	return ev, p
}

// Evidence that was written and read says the same, for any parameters.
func TestKeptEvidenceSaysTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ev, p := drawn(t)
		again := reread(t, ev)
		sameSaid(t, &ev, &again, p)
		for _, name := range param.Presets() {
			preset, _ := param.Preset(name)
			sameSaid(t, &ev, &again, preset)
		}
		for range 3 {
			for _, s := range param.Specs() {
				if rapid.Bool().Draw(t, "change") {
					p = paramtest.Draw(t, p, s)
				}
			}
			sameSaid(t, &ev, &again, p)
		}
		field := rapid.SampledFrom(param.Specs()).Draw(t, "field").Field
		if got, want := fmt.Sprintf("%+v", whynot.FindBreakpoints(again, p, field, nil).Points), fmt.Sprintf("%+v", whynot.FindBreakpoints(ev, p, field, nil).Points); got != want {
			t.Fatalf("breakpoints of %s: %s, not %s", field, got, want)
		}
		if got, want := ablated(t, again, p), ablated(t, ev, p); got != want {
			t.Fatalf("ablations: %s, not %s", got, want)
		}
		if string(keptJSON(t, ev)) != string(keptJSON(t, again)) {
			t.Fatal("what was read is not written as before")
		}
	})
}

func ablated(t fatalf, ev retrieval.Evidence, p param.Params) string {
	list := whynot.Ablations(ev, p, nil)
	for i := range list {
		if tau := &list[i].Comparison.TauB; math.IsNaN(*tau) { // JSON has no number for it
			*tau = 2
		}
	}
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatalf("write ablations: %v", err)
	}
	return string(raw)
}

// unkept are the fields of evidence that are not kept, and none of ranking's business.
var unkept = []string{"vector", "version"}

// Whatever a field is called: what was read has what was written.
func TestNoFieldOfEvidenceIsLost(t *testing.T) {
	ev := smallEvidence(t, 4)
	again := reread(t, ev)
	lost(t, "Evidence", reflect.ValueOf(ev), reflect.ValueOf(again))
}

// What is rare comes back, too.
func TestNothingThatIsKeptIsLost(t *testing.T) {
	k := retrieval.Keep(smallEvidence(t, 4))
	k.Cut, k.Blank, k.Directionless, k.Foreign, k.Lexical, k.Changed, k.AllParents = true, true, true, true, true, true, true
	k.Scope = &store.Scope{Tags: []string{"tag"}}
	k.Answers = map[string]kept.Answer{"llm": {By: "by", Scale: "scale", Scores: map[string]float64{"a": 0.5}, Asked: []string{"a", "b"}, Invalid: 3, Notes: []string{"note"}, Error: "error"}}
	k.Texts["a"] = kept.Text{Markdown: "text", HTML: "html"}
	k.Texts["b"] = kept.Text{Gone: true}
	k.Words["c"] = kept.Words{Digest: make([]byte, 16), Words: make([]byte, 8)}
	k.Rows[1].Depth, k.Rows[1].HTMLTokens, k.Rows[1].Flags, k.Rows[1].Outside = 2, 3, store.HasTable, true
	k.Rows[0].Names = &kept.Names{Heading: "heading", Anchor: "anchor", Path: []string{"path"}}
	k.Nearest[0].Missed = true
	k.Graph.Capped, k.Graph.Missing, k.Graph.Error = 2, "missing", "error"
	fill(reflect.ValueOf(&k.Coverage).Elem(), 1)
	fill(reflect.ValueOf(&k.Hidden).Elem(), 2)
	fill(reflect.ValueOf(&k.Timing).Elem(), 3)
	fill(reflect.ValueOf(&k.Metadata[0]).Elem(), 0)
	fill(reflect.ValueOf(&k.Keyword).Elem(), 4)
	k.EmbedError, k.Calibration.P50, k.Calibration.Own = "error", 0.1, 0.2
	ev, err := fromKept(&k)
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(retrieval.Keep(ev), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("diff %s", diff.Diff("kept", want, "came back", got))
	}
}

// fill gives the fields that are zero values of their own.
func fill(v reflect.Value, n int) {
	for i := range v.NumField() {
		f := v.Field(i)
		if !f.IsZero() {
			continue
		}
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(10*n + i + 1))
		case reflect.Float64:
			f.SetFloat(float64(i + 1))
		case reflect.String:
			f.SetString(fmt.Sprint("value ", i))
		case reflect.Slice:
			if f.Type().Elem().Kind() == reflect.String {
				f.Set(reflect.ValueOf([]string{"one"}))
			}
		case reflect.Struct:
			if f.Type() != reflect.TypeFor[time.Time]() {
				fill(f, n)
			}
		}
	}
}

// lost compares values field by field, whoever may see the fields.
func lost(t *testing.T, path string, a, b reflect.Value) {
	t.Helper()
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			name := a.Type().Field(i).Name
			if path != "Evidence" {
				name = a.Type().Name() + "." + name
			}
			if slices.Contains(unkept, name) || a.Type() == reflect.TypeFor[time.Time]() && name == "Time.loc" {
				continue
			}
			lost(t, path+"."+name, a.Field(i), b.Field(i))
		}
	case reflect.Slice:
		if a.Len() != b.Len() {
			t.Errorf("%s: %d, and %d came back", path, a.Len(), b.Len())
			return
		}
		for i := range a.Len() {
			lost(t, path, a.Index(i), b.Index(i))
		}
	case reflect.Map:
		if a.Len() != b.Len() {
			t.Errorf("%s: %d, and %d came back", path, a.Len(), b.Len())
			return
		}
		for _, k := range a.MapKeys() {
			if !b.MapIndex(k).IsValid() {
				t.Errorf("%s: no %v came back", path, k)
				continue
			}
			lost(t, path, a.MapIndex(k), b.MapIndex(k))
		}
	case reflect.Pointer:
		if a.IsNil() != b.IsNil() {
			t.Errorf("%s: one of them is nil", path)
		} else if !a.IsNil() {
			lost(t, path, a.Elem(), b.Elem())
		}
	default:
		if !a.Equal(b) {
			t.Errorf("%s: %v, and %v came back", path, a, b)
		}
	}
}

// What is read later is as good as what was read at once.
func TestTextsOfKeptEvidence(t *testing.T) {
	b := large(t, 60).set(t, "mode", "chunk", "dedup_threshold", "0.9")
	ev, err := retrieval.Complete(t.Context(), b.deps(), gather(t, b), b.params)
	if err != nil {
		t.Fatal(err)
	}
	k := retrieval.Keep(ev)
	texts := k.Texts
	k.Texts = nil
	bare, err := fromKept(&k)
	if err != nil {
		t.Fatal(err)
	}
	_, needs := retrieval.Rank(bare, b.params, retrieval.Options{})
	if len(texts) == 0 || len(needs.Words) == 0 {
		t.Fatalf("%d texts, needs %+v", len(texts), needs)
	}
	again := retrieval.WithTexts(bare, texts)
	sameSaid(t, &ev, &again, b.params)
}

// wrongs are changes of evidence that must be refused.
func TestKeptEvidenceIsChecked(t *testing.T) {
	b := large(t, 30).set(t, "mode", "chunk", "keyword_weight", "0.5", "max_hops", "1")
	b.memory.words = map[string]int{}
	for i := range b.memory.chunks {
		b.memory.words[b.memory.chunks[i].ID] = i%3 + 1
	}
	var sections []string
	for i := range b.memory.chunks {
		if b.memory.chunks[i].ParentID == "" {
			sections = append(sections, b.memory.chunks[i].ID)
		}
	}
	b.memory.edge("e1", sections[0], sections[1], "reference", 0.5)
	ev, err := retrieval.Complete(t.Context(), b.deps(), gather(t, b), b.params)
	if err != nil {
		t.Fatal(err)
	}
	if k := retrieval.Keep(ev); len(k.Graph.Edges) != 1 || len(k.Keyword.Rows) < 2 || len(k.Nearest) < 2 || len(k.Reading) == 0 || len(k.Texts) == 0 {
		t.Fatalf("%+v", k)
	}
	for name, change := range map[string]func(k *kept.Evidence){
		"a page":                     func(k *kept.Evidence) { k.Rows[3].Document = 99 },
		"no page":                    func(k *kept.Evidence) { k.Rows[3].Document = -1 },
		"an id":                      func(k *kept.Evidence) { k.Rows[3].ID = k.Rows[2].ID },
		"no id":                      func(k *kept.Evidence) { k.Rows[3].ID = "" },
		"in itself":                  func(k *kept.Evidence) { k.Rows[3].Parent = 3 },
		"in what comes later":        func(k *kept.Evidence) { k.Rows[3].Parent = 4 },
		"in less than nothing":       func(k *kept.Evidence) { k.Rows[3].Parent = -2 },
		"characters":                 func(k *kept.Evidence) { k.Rows[3].Chars = [2]int32{5, 4} },
		"tokens":                     func(k *kept.Evidence) { k.Rows[3].Tokens = [2]int32{-5, 4} },
		"an index":                   func(k *kept.Evidence) { k.Rows[3].Index = math.MaxInt32 },
		"depth":                      func(k *kept.Evidence) { k.Rows[3].Depth = -1 },
		"a row":                      func(k *kept.Evidence) { k.Nearest[0].Row = int32(len(k.Rows)) },
		"an order":                   func(k *kept.Evidence) { k.Nearest[0].Score = -1 },
		"a keyword row":              func(k *kept.Evidence) { k.Keyword.Rows[0].Row = -1 },
		"a keyword order":            func(k *kept.Evidence) { k.Keyword.Rows[0].Score = -1 },
		"too many counts":            func(k *kept.Evidence) { k.Keyword.Rows[0].Counts = make([][3]int32, 99) },
		"counts":                     func(k *kept.Evidence) { k.Keyword.Rows[0].Counts[0][1] = -1 },
		"a length":                   func(k *kept.Evidence) { k.Keyword.Rows[0].Length[1] = -1 },
		"a term":                     func(k *kept.Evidence) { k.Keyword.Terms[0].DF = -1 },
		"own terms":                  func(k *kept.Evidence) { k.Keyword.Own = -1 },
		"reading nothing":            func(k *kept.Evidence) { k.Reading[0] = -1 },
		"reading a passage":          func(k *kept.Evidence) { k.Reading[0] = int32(len(k.Rows) - 1) },
		"reading without all":        func(k *kept.Evidence) { k.AllParents = false },
		"an edge from":               func(k *kept.Evidence) { k.Graph.Edges[0].Source = -1 },
		"an edge to":                 func(k *kept.Evidence) { k.Graph.Edges[0].Target = int32(len(k.Rows)) },
		"an edge that is not there":  func(k *kept.Evidence) { k.Graph.Nodes[0].Out = []int32{7} },
		"an edge of another":         func(k *kept.Evidence) { k.Graph.Nodes[5].Out = []int32{0} },
		"an edge into another":       func(k *kept.Evidence) { k.Graph.Nodes[5].In = []int32{0} },
		"a node":                     func(k *kept.Evidence) { k.Graph.Nodes[5].Row = int32(len(k.Rows)) },
		"a node twice":               func(k *kept.Evidence) { k.Graph.Nodes[5].Row = k.Graph.Nodes[4].Row },
		"a time":                     func(k *kept.Evidence) { k.Timing.Search = -1 },
		"metadata":                   func(k *kept.Evidence) { k.Metadata[0].Document = int32(len(k.Documents)) },
		"a count":                    func(k *kept.Evidence) { k.Stats.Parents = -1 },
		"half a word":                func(k *kept.Evidence) { k.Words["a"] = kept.Words{Digest: make([]byte, 16), Words: make([]byte, 7)} },
		"words without a digest":     func(k *kept.Evidence) { k.Words["a"] = kept.Words{Words: make([]byte, 8)} },
		"an answer less than no one": func(k *kept.Evidence) { k.Answers = map[string]kept.Answer{"a": {Invalid: -1}} },
	} {
		var k kept.Evidence
		if err := json.Unmarshal(keptJSON(t, ev), &k); err != nil {
			t.Fatal(err)
		}
		if _, err := fromKept(&k); err != nil {
			t.Fatal(err)
		}
		change(&k)
		if _, err := fromKept(&k); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
}

// exercise ranks evidence by all presets, and does with one of them, and one parameter,
// whatever else is done in a session.
func exercise(t testing.TB, ev retrieval.Evidence, which int) {
	presets, specs := param.Presets(), param.Specs()
	for i, name := range presets {
		p, _ := param.Preset(name)
		for _, p := range []param.Params{p, loosened(p)} {
			r, _ := retrieval.Rank(ev, p, retrieval.Options{Trace: true, Explain: true})
			ev.Order(p)
			var known []string
			for i := range r.Items {
				if e := r.Items[i].Explanation; e != nil {
					e.Recompute()
				}
				known = append(known, r.Items[i].ChunkID)
			}
			ev.Labels(known)
			if i == which%len(presets) {
				inquire(t, ev, p, specs[which/len(presets)%len(specs)].Field, r)
			}
		}
	}
	for n := range int32(ev.Chunks()) {
		ev.Chunk(n)
	}
}

func inquire(t testing.TB, ev retrieval.Evidence, p param.Params, field string, r retrieval.Result) {
	calls := 0
	stop := func() bool { calls++; return calls > 100 }
	whynot.Ablations(ev, p, nil)
	track := whynot.FindBreakpoints(ev, p, field, stop)
	track.Next(p.Get(field), true)
	calls = 0
	whynot.CoarseBreakpoints(ev, p, field, 5, stop)
	var targets []whynot.Target
	if len(r.Items) > 0 {
		calls = 0
		whynot.RankBreakpoints(ev, p, r.Items[0].ChunkID, stop)
		targets = append(targets, whynot.Target{ChunkID: r.Items[0].ChunkID})
	}
	if len(r.NearMisses) > 0 {
		it := &r.NearMisses[0]
		targets = append(targets, whynot.Target{ChunkID: it.ChunkID}, whynot.Target{SourceURL: it.SourceURL}, whynot.Target{Quote: "the"})
	}
	for _, target := range targets[:min(2, len(targets))] {
		if _, err := whynot.AskKept(t.Context(), []retrieval.Evidence{ev}, p, target); err != nil {
			t.Log(err)
		}
	}
}

// loosened has every stage on that the preset leaves out.
func loosened(p param.Params) param.Params {
	p.Mode, p.KeywordWeight, p.MaxHops, p.DedupThreshold, p.RecencyHalfLife, p.DepthDecayRate = param.ModeChunk, 0.5, 2, 0.5, 30, 0.1
	p.Unit, p.MergeAdjacent, p.SimilarityFloor, p.GroupBySource = param.UnitChunk, true, -1, true
	return p
}

// smallEvidence has something of everything.
func smallEvidence(t testing.TB, sections int) retrieval.Evidence {
	b := large(t, sections).set(t, "mode", "chunk", "keyword_weight", "0.5", "max_hops", "2", "dedup_threshold", "0.9", "top_k", "3")
	b.memory.words = map[string]int{}
	var nodes []string
	for i := range b.memory.chunks {
		c := &b.memory.chunks[i]
		b.memory.words[c.ID] = i%3 + 1
		if c.ParentID == "" {
			nodes = append(nodes, c.ID)
		}
	}
	for i := range len(nodes) - 1 {
		b.memory.edge(fmt.Sprintf("e%d", i), nodes[i], nodes[(i*7+3)%len(nodes)], "reference", 0.5)
	}
	ev, err := retrieval.Complete(t.Context(), b.deps(), gather(t, b), b.params)
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

func FuzzKeptEvidence(f *testing.F) {
	for _, n := range []int{1, 2, 4} {
		f.Add(keptJSON(f, smallEvidence(f, n)), uint16(n))
	}
	f.Add([]byte(`{"Texts":{"a":{"markdown":"x"}},"rows":[{"id":"a","in":-1}],"documents":[{}],"stats":{"Parents":1},"all_parents":true,"reading":[0]}`), uint16(0))
	f.Fuzz(func(t *testing.T, raw []byte, which uint16) {
		if len(raw) > 32<<10 {
			return
		}
		if ev, err := readKept(raw); err == nil {
			exercise(t, ev, int(which))
		}
	})
}

var anyNumber = regexp.MustCompile(`([:\[,])-?[0-9]+(\.[0-9]+)?([,}\]])`)

// Whatever the numbers are: evidence is refused, or ranks.
func TestAnyNumbersCanBeRanked(t *testing.T) {
	raw := string(keptJSON(t, smallEvidence(t, 4)))
	odd := []string{"0", "-1", "1", "2", "3", "7", "1000000", "2147483647", "1e300", "-1e300", "0.5"}
	taken := 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := len(anyNumber.FindAllStringIndex(raw, -1))
		changed := anyNumber.ReplaceAllStringFunc(raw, func(was string) string {
			if rng.IntN(n) > 1 {
				return was
			}
			return was[:1] + odd[rng.IntN(len(odd))] + was[len(was)-1:]
		})
		ev, err := readKept([]byte(changed))
		if err != nil {
			continue
		}
		taken++
		exercise(t, ev, int(seed))
	}
	if taken < 60 {
		t.Errorf("only %d of 600 were taken", taken)
	}
}

// fromKept is evidence that was kept.
func fromKept(k *kept.Evidence) (retrieval.Evidence, error) {
	ev, err := retrieval.FromFound(&k.Found)
	if err != nil {
		return retrieval.Evidence{}, err
	}
	return retrieval.WithCompletion(ev, k)
}
