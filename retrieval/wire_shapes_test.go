package retrieval_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/wire"
	"github.com/webrag/webrag-tui/store"
)

// The specifications' fields in order, each with the types that it may have. A
// type ending in ? may be null, one in ~ may be left out; [] is a list of the
// fields that stand under the name.
var shapeFields = map[string]string{
	"webrag": "mode string, chunks [], query_embedding numbers, corpus_stats {}, timing {}," +
		"is_empty bool, top_score number, source_urls strings",
	"webrag.chunks": "chunk_id string, document_id string, parent_id string?, source_url string, title string?," +
		"selected_text string, surface string, section_heading string?, chunk_index integer," +
		"char_start integer, char_end integer, token_start integer, token_end integer," +
		"score number, raw_similarity number?, depth integer," +
		"has_table bool, has_code bool, has_math bool, has_definition_list bool, has_admonition bool, has_steps bool," +
		"fetched_at string",
	"webrag.corpus_stats": "total_documents integer, total_parent_chunks integer, total_tokens integer, documents_matched strings",
	"webrag.timing":       "embed_ms number, search_ms number, total_ms number",

	"textbook":                 "mode string, chunks [], citations [], grounded {}",
	"textbook.chunks":          "chunk_id string, text string, score number, metadata {}, citation {}",
	"textbook.chunks.metadata": "doc_path string, module string, chapter string, section_heading string, heading_breadcrumb strings, chunk_index integer, content_type string, tags strings, content_hash string, title string, word_count integer, ingested_at string, url string",
	"textbook.chunks.citation": "title string, section string, url string, module string, chapter string",
	"textbook.citations":       "title string, section string, url string, module string, chapter string",
	"textbook.grounded":        "system_instruction string, context string, sufficient_context bool",

	"hybrid": "content string, score number, chunk_id string, document_id string, document_title string," +
		"document_source string, graph_context []~",
	"hybrid.graph_context": "from_chunk_id string, relation string, description string",

	"topk": "chunk_id string, document_id string, snippet string, score number, document_title string," +
		"source_type string, filename string?",
}

// checkFields holds one JSON object to the fields of a name.
func checkFields(t *testing.T, name string, raw json.RawMessage) {
	t.Helper()
	keys, values := object(t, raw)
	for spec := range strings.SplitSeq(shapeFields[name], ",") {
		field, kind, _ := strings.Cut(strings.TrimSpace(spec), " ")
		kind, isOptional := strings.CutSuffix(kind, "~")
		if len(keys) == 0 || keys[0] != field {
			if !isOptional {
				t.Errorf("%s: want the field %s, then have %v", name, field, keys)
			}
			continue
		}
		checkKind(t, name+"."+field, kind, values[0])
		keys, values = keys[1:], values[1:]
	}
	if len(keys) > 0 {
		t.Errorf("%s: no specification has %v", name, keys)
	}
}

func checkKind(t *testing.T, name, kind string, raw json.RawMessage) {
	t.Helper()
	if kind == "[]" {
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil || list == nil {
			t.Errorf("%s is no list: %s", name, raw)
		}
		for _, element := range list {
			checkFields(t, name, element)
		}
		return
	}
	if kind == "{}" {
		checkFields(t, name, raw)
		return
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	kind, mayBeNull := strings.CutSuffix(kind, "?")
	ok := v == nil && mayBeNull
	switch v := v.(type) {
	case string:
		ok = kind == "string"
	case bool:
		ok = kind == "bool"
	case float64:
		ok = kind == "number" || kind == "integer" && v == math.Trunc(v)
	case []any:
		ok = kind == "strings" || kind == "numbers"
		for _, element := range v {
			_, isString := element.(string)
			ok = ok && isString == (kind == "strings")
		}
	}
	if !ok {
		t.Errorf("%s is no %s: %s", name, kind, raw)
	}
}

// object reads the fields of a JSON object in their order.
func object(t *testing.T, raw json.RawMessage) (keys []string, values []json.RawMessage) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		t.Fatalf("no object: %s", raw)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		keys, values = append(keys, key.(string)), append(values, value)
	}
	return keys, values
}

// shaped encodes a result and holds it to the shape's fields.
func shaped(t *testing.T, r retrieval.Result, shape wire.Shape) []byte {
	t.Helper()
	raw, err := wire.EncodeShape(r, shape, wire.Options{Indent: true, Links: citations.Links{BaseURL: "https://docs.example.org/"}})
	if err != nil {
		t.Fatal(err)
	}
	if raw[0] == '[' {
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatal(err)
		}
		for _, element := range list {
			checkFields(t, string(shape), element)
		}
	} else {
		checkFields(t, string(shape), raw)
	}
	return append(raw, '\n')
}

// threePages is a result in which the order of the list is not that of the
// scores: a table of a file, a section that the graph led to, and a page about
// which nothing is known.
func threePages() retrieval.Result {
	fetched := time.Date(2026, 11, 2, 9, 0, 0, 0, time.FixedZone("", 3600))
	indexed := fetched.AddDate(0, 0, 3)
	return retrieval.Result{
		Mode: param.ModeChunk, QueryVector: []float32{0.6, 0.8},
		Stats:  retrieval.CorpusStats{TotalDocuments: 3, TotalParentChunks: 9, TotalTokens: 900, DocumentsMatched: []string{"file:guide/trees.md", "https://example.org/a"}},
		Timing: retrieval.Timing{Embed: time.Millisecond, Search: 2500 * time.Microsecond, Total: 4 * time.Millisecond},
		Items: []retrieval.Item{
			{
				ChunkID: "t1", DocumentID: "trees", SourceURL: "file:guide/trees.md", Title: "Trees",
				SectionHeading: "Trees", HeadingPath: []string{"Trees", "Random forests"}, Anchor: "random-forests", ChunkIndex: 4,
				CharStart: 100, CharEnd: 116, TokenStart: 25, TokenEnd: 30, Rank: 2, Score: 0.25,
				Hop: 1, GraphContext: []retrieval.GraphPath{
					{FromChunkID: "t0", FromHeading: "Trees", Relation: "references", Description: "links to forests from 'many'", Weight: 1, Hop: 1, Decay: 0.7, Term: 0.21},
					{FromChunkID: "t3", Relation: "sequence", Weight: 0.5, Hop: 1, Decay: 0.7, Term: 0.105},
				},
				Document: &retrieval.DocumentMeta{
					SourceType: "upload", Filename: "trees.md", DocPath: "guide/trees.md", Tags: []string{"ml", "trees"}, IndexedAt: indexed,
					Metadata: map[string]string{store.MetaModule: "module-1", store.MetaChapter: "1.2", store.MetaContentType: "prose", "own": "x"},
				},
				Depth: 2, Flags: store.HasTable | store.HasImage, Surface: retrieval.SurfaceHTML, FetchedAt: fetched,
				ChunkText: "many small trees", HTMLText: "<table>&amp;</table>",
			},
			{
				ChunkID: "t0", DocumentID: "trees", SourceURL: "file:guide/trees.md", Title: "Trees", SectionHeading: "Trees",
				HeadingPath: []string{"Trees"}, ChunkIndex: 5, CharStart: 116, CharEnd: 120, TokenStart: 30, TokenEnd: 31, Rank: 1, Score: 0.75,
				RawSimilarity: 0.8, HasRaw: true, Surface: retrieval.SurfaceMarkdown, FetchedAt: fetched, ChunkText: "oak\n",
				Document: &retrieval.DocumentMeta{SourceType: "upload", Filename: "trees.md", DocPath: "guide/trees.md", IndexedAt: indexed},
			},
			{
				ChunkID: "a0", DocumentID: "a", ParentID: "a", SourceURL: "https://example.org/a", Rank: 3, Score: -0.125,
				RawSimilarity: -0.125, HasRaw: true, Surface: retrieval.SurfaceMarkdown, FetchedAt: fetched,
				ChunkText: "left\u202eright \u0085 <b> é \U0001F30D", CharEnd: 19, TokenEnd: 9,
				Document: &retrieval.DocumentMeta{SourceType: "web"},
			},
		},
	}
}

func TestEncodeShape(t *testing.T) {
	selected, err := retrieval.Select(retrieval.Request{Question: "q", SelectedText: "An oak.", DocPath: "website/docs/trees.md", Section: "Oaks"})
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]retrieval.Result{"empty": {Mode: param.ModeFullContext}, "found": threePages(), "selection": selected}
	for _, shape := range wire.Shapes() {
		for _, kind := range slices.Sorted(maps.Keys(results)) {
			if kind == "selection" && shape == wire.ShapeWebRAG {
				continue
			}
			golden(t, fmt.Sprintf("shape_%s_%s.json", shape, kind), shaped(t, results[kind], shape))
		}
	}
	if _, err := wire.EncodeShape(selected, wire.ShapeWebRAG, wire.Options{}); err == nil || !strings.Contains(err.Error(), "textbook") {
		t.Errorf("a selection in a shape that has none: %v", err)
	}
}

func TestListsAreByScore(t *testing.T) {
	r := threePages()
	for _, shape := range []wire.Shape{wire.ShapeHybrid, wire.ShapeTopK} {
		var list []struct {
			ChunkID string `json:"chunk_id"`
			Score   float64
		}
		if err := json.Unmarshal(shaped(t, r, shape), &list); err != nil {
			t.Fatal(err)
		}
		if len(list) != len(r.Items) {
			t.Fatalf("%s: %d of %d items", shape, len(list), len(r.Items))
		}
		for i := range list {
			at := slices.IndexFunc(r.Items, func(it retrieval.Item) bool { return it.ChunkID == list[i].ChunkID })
			if at < 0 || r.Items[at].Rank != i+1 || r.Items[at].Score != list[i].Score {
				t.Errorf("%s: %s stands at %d", shape, list[i].ChunkID, i+1)
			}
		}
	}
	var grouped struct {
		Chunks []struct {
			ChunkID string `json:"chunk_id"`
		}
	}
	if err := json.Unmarshal(shaped(t, r, wire.ShapeWebRAG), &grouped); err != nil {
		t.Fatal(err)
	}
	for i, chunk := range grouped.Chunks {
		if chunk.ChunkID != r.Items[i].ChunkID {
			t.Errorf("webrag: %s has lost its place in the groups", chunk.ChunkID)
		}
	}
}

func TestGroundedJSON(t *testing.T) {
	r := threePages()
	raw, err := wire.EncodeShape(r, wire.ShapeOwn, wire.Options{Ground: true, Policy: citations.Policy{Excerpts: "use these"}})
	if err != nil {
		t.Fatal(err)
	}
	keys, values := object(t, raw)
	if keys[len(keys)-1] != "grounded" {
		t.Fatalf("the last field is %s", keys[len(keys)-1])
	}
	checkFields(t, "textbook.grounded", values[len(values)-1])
	if !strings.Contains(string(values[len(values)-1]), "use these") {
		t.Errorf("the policy was not applied: %s", values[len(values)-1])
	}
	bare, err := wire.EncodeShape(r, wire.ShapeOwn, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own, err := wire.Encode(r, wire.Options{})
	if err != nil || !bytes.Equal(bare, own) {
		t.Errorf("the own shape is not that of EncodeResult: %v", err)
	}
}

func TestEncodeContext(t *testing.T) {
	r := threePages()
	r.Items[1].ChunkText = "oak [Source 1: me]"
	r.Notices = []retrieval.Notice{{Code: "own", Text: "a notice"}}
	raw, err := wire.EncodeContext(r, wire.Options{Indent: true, Ground: true})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "context.json", append(raw, '\n'))
	var back struct {
		Context string
		Sources []struct {
			TextStart int `json:"text_start"`
			TextEnd   int `json:"text_end"`
		}
	}
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	for i, s := range back.Sources {
		text := string([]rune(back.Context)[s.TextStart:s.TextEnd])
		if want := strings.NewReplacer("[", "(", "]", ")").Replace(r.Items[i].SelectedText()); text != want {
			t.Errorf("source %d lies at %q", i+1, text)
		}
	}
	raw, err = wire.EncodeContext(r, wire.Options{})
	if err != nil || strings.Contains(string(raw), "system_instruction") {
		t.Errorf("an instruction that was not asked for, or %v", err)
	}
}

func TestParseShape(t *testing.T) {
	for _, name := range []string{"", "webrag", "textbook", "hybrid", "topk"} {
		if got, err := wire.ParseShape(name); err != nil || string(got) != name {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	if _, err := wire.ParseShape("graph"); err == nil || !strings.Contains(err.Error(), "webrag, textbook, hybrid, topk") {
		t.Errorf("an unknown shape: %v", err)
	}
	if _, err := wire.EncodeShape(retrieval.Result{}, "graph", wire.Options{}); err == nil {
		t.Error("an unknown shape was written")
	}
}

// The context is made of the surfaces that were selected, in the list's order.
func TestExcerptsAreWhatIsSent(t *testing.T) {
	r := threePages()
	excerpts := r.Excerpts()
	for i, e := range excerpts {
		if e.Text != r.Items[i].SelectedText() || e.SourceURL != r.Items[i].SourceURL {
			t.Errorf("excerpt %d is not item %s", i, r.Items[i].ChunkID)
		}
	}
	g := r.Ground(citations.Policy{})
	if !g.SufficientContext || !strings.Contains(g.Context, "<table>&amp;</table>") || !strings.HasPrefix(g.Context, "[Source 1: Trees - Random forests]\n") {
		t.Errorf("got %q", g.Context)
	}
	none := retrieval.Result{}
	if g := none.Ground(citations.Policy{}); g.SufficientContext || g.Context != "" || g.SystemInstruction == "" {
		t.Errorf("of nothing: %+v", g)
	}
}
