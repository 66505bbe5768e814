package retrieval_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/wire"
	"github.com/webrag/webrag-tui/store"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; run the test with -update and read the diff. Got:\n%s", path, got)
	}
}

// small has one of everything that the JSON can show.
func small(t *testing.T) *bench {
	b := newBench().set(t, "mode", "chunk", "context_budget", "100", "full_context_threshold", "50")
	b.page("https://example.org/seed", 0)
	b.page("https://example.org/deep", 1)
	b.section("a1", "https://example.org/seed", 0, 30, 0.8, 0.5)
	table := b.section("a2", "https://example.org/seed", 1, 20, 0.7)
	table.Flags, table.HTMLTokens, table.HTMLText, table.Anchor = store.HasTable|store.HasSteps|store.HasImage, 25, "<table>&amp;</table>", "the-table"
	bare := b.section("b1", "https://example.org/deep", 0, 40, 0.9)
	bare.Title, bare.SectionHeading, bare.HeadingPath = "", "", nil
	bare.ChunkText = "left\u202eright \u0085 \u007f <b> \u2028 é \U0001F30D"
	b.section("b2", "https://example.org/deep", 1, 60, 0.4)
	b.section("b3", "https://example.org/deep", 2, 1, 0.1)
	return b
}

func TestEncodeResult(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(*bench)
		o    wire.Options
	}{
		{"chunk.json", func(*bench) {}, wire.Options{Indent: true}},
		{"full_context.json", func(b *bench) { b.set(t, "mode", "full_context") }, wire.Options{Indent: true, WithEmbedding: true}},
		{"empty.json", func(b *bench) { b.memory = newMemory() }, wire.Options{Indent: true, WithEmbedding: true}},
	} {
		b := small(t)
		c.make(b)
		raw, err := wire.Encode(b.retrieve(t), c.o)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, c.name, append(raw, '\n'))
	}
}

func TestEncodedControlsAreTheSameData(t *testing.T) {
	b := small(t)
	r := b.retrieve(t)
	raw, err := wire.Encode(r, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(raw), "\u202e\u0085\u007f\u2028\n") {
		t.Error("a disturbing character came out as it is")
	}
	var back struct {
		Chunks []struct {
			ChunkID   string `json:"chunk_id"`
			ChunkText string `json:"chunk_text"`
		}
	}
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	for i, chunk := range back.Chunks {
		if chunk.ChunkText != r.Items[i].ChunkText {
			t.Errorf("%s: read back %q, was %q", chunk.ChunkID, chunk.ChunkText, r.Items[i].ChunkText)
		}
	}
}

func TestEncodedNumbersAreExact(t *testing.T) {
	r := worked(t).retrieve(t)
	raw, err := wire.Encode(r, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Chunks []struct {
			Score       float64
			Explanation retrieval.Explanation
		}
	}
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	for i, chunk := range back.Chunks {
		if chunk.Score != r.Items[i].Score || !reflect.DeepEqual(chunk.Explanation, *r.Items[i].Explanation) {
			t.Errorf("item %d changed on the way", i)
		}
		if chunk.Explanation.Recompute() != chunk.Score {
			t.Errorf("item %d does not add up after reading", i)
		}
	}
}

func TestEncodeWithoutRecorders(t *testing.T) {
	b := small(t)
	r, err := retrieval.Retrieve(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params, retrieval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := wire.Encode(r, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"explanation":null`, `"trace":[]`, `"graph_context":[]`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(string(raw), "query_embedding") {
		t.Error("the embedding came without being asked for")
	}
}

func TestEncodeLine(t *testing.T) {
	r := small(t).retrieve(t)
	from := wire.Line{Number: 3, Query: "why \"so\"\u202e"}
	for shape, inline := range map[wire.Shape]bool{wire.ShapeOwn: true, wire.ShapeTopK: false, wire.ShapeTextbook: false} {
		raw, err := wire.EncodeLine(r, from, shape, wire.Options{Indent: true})
		if err != nil {
			t.Fatal(err)
		}
		var line map[string]any
		if err := json.Unmarshal(raw, &line); err != nil || strings.ContainsAny(string(raw), "\n\u202e") {
			t.Fatalf("%v in %s", err, raw)
		}
		_, own := line["chunks"]
		_, wrapped := line["result"]
		if line["query"] != from.Query || line["line"] != 3.0 || own != inline || wrapped == inline {
			t.Errorf("%s: %s", shape, raw)
		}
	}
	raw, err := wire.EncodeLineError(from, retrieval.ErrBlankQuery)
	if err != nil || !strings.HasPrefix(string(raw), `{"query":"why \"so\"`) || !strings.Contains(string(raw), `"error":"the query is empty`) {
		t.Errorf("%s, %v", raw, err)
	}
}
