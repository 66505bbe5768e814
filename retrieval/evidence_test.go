package retrieval_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// large is a corpus of n sections of 100 tokens with three children each, whose
// ids and headings are as long as real ones.
func large(t testing.TB, n int) *bench {
	b := newBench()
	for i := range n {
		url := fmt.Sprintf("https://docs.example.org/guide/chapter-%02d/page.html", i/10)
		if i%10 == 0 {
			b.page(url, i/10%5)
		}
		near := 0.9 - float64(i)/float64(2*n)
		s := b.section(fmt.Sprintf("%08x-1111-4222-8333-444455556666", uint32(i)*2654435761), url, i%10, 100, near, near-0.1, near-0.2)
		s.SectionHeading, s.Anchor = "How the ranking is made and shown", "how-the-ranking-is-made"
		s.HeadingPath = []string{"Guide", "Ranking", s.SectionHeading}
	}
	return b
}

func gather(t testing.TB, b *bench) retrieval.Evidence {
	t.Helper()
	ev, err := retrieval.Gather(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params)
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

func TestCovers(t *testing.T) {
	b := large(t, 500)
	ev := gather(t, b)
	move := func(fields ...string) param.Params {
		c := *b
		return c.set(t, fields...).params
	}
	for _, c := range []struct {
		name string
		p    param.Params
		why  string // a part of it, empty where the evidence reaches
	}{
		{"as asked", b.params, ""},
		{"a higher limit within reach", move("top_k_children_limit", "200"), ""},
		{"a limit beyond reach", move("top_k_children_limit", "201"), "200 rows"},
		{"no floor", move("similarity_floor", "-1"), ""},
		{"no decay", move("depth_decay_rate", "0"), ""},
		{"full context", move("mode", "full_context"), "sections in scope"},
		{"a threshold above the corpus", move("full_context_threshold", "100000", "context_budget", "100000"), "sections in scope"},
		{"an ef_search that an exact store ignores", move("hnsw_ef_search", "400"), ""},
	} {
		ok, why := ev.Covers(c.p)
		if ok != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s: %v, %q", c.name, ok, why)
		}
		r, _ := retrieval.Rank(ev, c.p, retrieval.Options{})
		if got := strings.Contains(codes(r), phrase.NoticeBeyondEvidence.Code); got == ok {
			t.Errorf("%s: notices %s", c.name, codes(r))
		}
	}
	full, _ := retrieval.Rank(ev, move("mode", "full_context"), retrieval.Options{Trace: true})
	if !full.IsEmpty() {
		t.Errorf("full context made up from %d of 500 sections", len(full.Items))
	}
}

func TestGatherReachesWide(t *testing.T) {
	b := large(t, 500)
	gather(t, b)
	if b.most != 200 {
		t.Errorf("asked for %d rows", b.most)
	}
	gather(t, b.set(t, "top_k_children_limit", "300"))
	if b.most != 300 {
		t.Errorf("asked for %d rows", b.most)
	}
}

func TestEvidenceIsSmall(t *testing.T) {
	for _, sections := range []int{200, 500} { // all of them read; only those found
		b := large(t, sections).set(t, "mode", "chunk")
		b.double.vector, b.double.info.Dims, b.memory.meta.Dimensions = make([]float32, 1024), 1024, 1024
		b.double.vector[0] = 1
		ev := gather(t, b)
		if size := sizeOf(reflect.ValueOf(ev)); size >= 100_000 {
			t.Errorf("%d sections: evidence takes %d bytes", sections, size)
		} else if size < 20_000 {
			t.Errorf("%d sections: %d bytes cannot be all", sections, size)
		}
	}
}

// sizeOf is the memory behind a value, without what maps add.
func sizeOf(v reflect.Value) int {
	size := int(v.Type().Size())
	switch v.Kind() {
	case reflect.String:
		return size + v.Len()
	case reflect.Struct:
		for i := range v.NumField() {
			size += sizeOf(v.Field(i)) - int(v.Field(i).Type().Size())
		}
	case reflect.Slice:
		for i := range v.Len() {
			size += sizeOf(v.Index(i))
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			size += sizeOf(it.Key()) + sizeOf(it.Value())
		}
	default:
	}
	return size
}

func TestACorpusThatChangesMeanwhile(t *testing.T) {
	b := newBench().set(t, "mode", "chunk")
	b.page("a", 0)
	b.section("A", "a", 0, 1, 0.9)
	b.section("B", "a", 1, 1, 0.8)
	ev := gather(t, b)
	_, needs := retrieval.Rank(ev, b.params, retrieval.Options{})
	b.chunk("B").ID = "B2"
	b.memory.version++
	ev, err := retrieval.Extend(t.Context(), b.deps(), ev, needs)
	if err != nil {
		t.Fatal(err)
	}
	r, needs := retrieval.Rank(ev, b.params, retrieval.Options{})
	if !needs.IsZero() {
		t.Errorf("Rank asks again for what is gone: %v", needs.Texts)
	}
	if codes(r) != phrase.NoticeCorpusChanged.Code || ids(r.Items) != "A B" || r.Items[1].ChunkText != "" {
		t.Errorf("notices %s, items %s", codes(r), ids(r.Items))
	}
}

func TestTimings(t *testing.T) {
	b := newBench()
	b.page("a", 0)
	b.section("A", "a", 0, 1, 0.9)
	r := b.retrieve(t)
	if r.Timing.Embed <= 0 || r.Timing.Search <= 0 || r.Timing.Total != r.Timing.Embed+r.Timing.Search {
		t.Errorf("timing %+v", r.Timing)
	}
	if s := stageOf(t, r, "embed"); s.Duration != r.Timing.Embed {
		t.Errorf("the trace says %s for the embedding, the timing %s", s.Duration, r.Timing.Embed)
	}
}

func TestCancelled(t *testing.T) {
	b := newBench()
	b.page("a", 0)
	b.section("A", "a", 0, 1, 0.9)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := retrieval.Retrieve(ctx, b.deps(), retrieval.Query{Text: "question"}, b.params, retrieval.Options{}); err == nil {
		t.Error("a cancelled query was answered")
	}
}
