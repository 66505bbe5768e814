package embedder

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// staticModel is a small model: two dimensions, so that means can be checked by
// hand.
type staticModel struct {
	tokens  []string
	rows    testTensor
	more    []testTensor
	config  string
	changed func(file map[string]any)
}

func smallModel() staticModel {
	return staticModel{
		tokens: []string{"[PAD]", "[UNK]", "sun", "##ny", "rain", "the"},
		rows:   testTensor{"embeddings", "F32", []int{6, 2}, []float32{9, 9, 7, 7, 3, 4, 1, 0, 0, 2, 0, 0}},
		config: `{"model_type":"model2vec","normalize":true,"embedding_dtype":"float32"}`,
	}
}

// write makes the model's folder in one of the layouts.
func (m staticModel) write(t testing.TB, layout string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "small")
	at, files := dir, map[string][]byte{}
	switch layout {
	case "flat":
		files["config.json"] = []byte(m.config)
	case "sentence-transformers":
		files["config_sentence_transformers.json"] = []byte(`{}`)
		m.rows.name = "embedding.weight"
	case "nested":
		files["modules.json"] = []byte(`[]`)
		at = filepath.Join(dir, "0_StaticEmbedding")
		m.rows.name = "embedding.weight"
	}
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{
		"tokenizer.json":    tokenizerOf(t, m.tokens, m.changed),
		"model.safetensors": safetensorsOf(t, append([]testTensor{m.rows}, m.more...)...),
	} {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (m staticModel) load(t testing.TB) *Model2Vec {
	t.Helper()
	model, err := LoadModel2Vec(m.write(t, "flat"))
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func TestModel2VecMean(t *testing.T) {
	weights := testTensor{"weights", "F32", []int{6}, []float32{1, 1, .5, 2, 1, 1}}
	// Row 0 serves "sun" and "##ny", row 1 "rain".
	shared := testTensor{"embeddings", "F32", []int{2, 2}, []float32{3, 4, 0, 2}}
	mapping := func(dtype string, data any) testTensor { return testTensor{"mapping", dtype, []int{6}, data} }
	for _, tt := range []struct {
		name, text string
		change     func(m *staticModel)
		want       []float64
	}{
		{"one token", "sun", nil, []float64{3, 4}},
		{"the mean", "sun rain", nil, []float64{1.5, 3}},
		{"pieces", "sunny", nil, []float64{2, 2}},
		{"repeated", "sun sun rain", nil, []float64{2, 10. / 3}},
		{"the unknown token does not count", "sun zzz snow", nil, []float64{3, 4}},
		{"a token of zeros does", "the sun", nil, []float64{1.5, 2}},
		{"nothing known", "zzz", nil, []float64{0, 0}},
		{"only zeros", "the", nil, []float64{0, 0}},
		// (.5·(3, 4) + 2·(1, 0)) / 2
		{"weights", "sunny", func(m *staticModel) { m.more = []testTensor{weights} }, []float64{1.75, 1}},
		{"a mapping", "sunny rain", func(m *staticModel) {
			m.rows, m.more = shared, []testTensor{mapping("I32", []int32{0, 0, 0, 0, 1, 1})}
		}, []float64{2, 10. / 3}},
		// The weight is the token's, .5 and 2, though both have row 0:
		// (.5·(3, 4) + 2·(3, 4) + 1·(0, 2)) / 3.
		{"a mapping and weights", "sunny rain", func(m *staticModel) {
			m.rows, m.more = shared, []testTensor{mapping("I64", []int64{0, 0, 0, 0, 1, 1}), weights}
		}, []float64{2.5, 4}},
		{"F16", "sun rain", func(m *staticModel) {
			m.rows = testTensor{"embeddings", "F16", []int{6, 2}, []uint16{0, 0, 0, 0, 0x4200, 0x4400, 0, 0, 0, 0x4000, 0, 0}}
		}, []float64{1.5, 3}},
		{"I8", "sun rain", func(m *staticModel) {
			m.rows = testTensor{"embeddings", "I8", []int{6, 2}, []int8{0, 0, 0, 0, 30, 40, 0, 0, 0, 20, 0, 0}}
		}, []float64{15, 30}},
		{"F64", "sun rain", func(m *staticModel) {
			m.rows = testTensor{"embeddings", "F64", []int{6, 2}, []float64{0, 0, 0, 0, 3, 4, 0, 0, 0, 2, 0, 0}}
		}, []float64{1.5, 3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := smallModel()
			m.config = `{}` // which means: does not normalise
			if tt.change != nil {
				tt.change(&m)
			}
			model := m.load(t)
			if got := model.mean(tt.text); !near(got, tt.want) {
				t.Errorf("mean %v, want %v", got, tt.want)
			}
			v, err := model.EmbedOne(t.Context(), tt.text, RoleQuery)
			if err != nil {
				t.Fatal(err)
			}
			norm := max(length(tt.want), math.SmallestNonzeroFloat64)
			if want := []float64{tt.want[0] / norm, tt.want[1] / norm}; !near([]float64{float64(v[0]), float64(v[1])}, want) {
				t.Errorf("vector %v, want %v", v, want)
			}
		})
	}
	// (1.5, 3) has length 3.3541.
	if got := smallModel().load(t).mean("sun rain"); !near(got, []float64{.4472136, .8944272}) {
		t.Errorf("normalised mean %v", got)
	}
}

func near(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
}

func TestModel2VecCutsLongTexts(t *testing.T) {
	model := smallModel().load(t)
	// "sunny" has two tokens. The 512th counts, the one after it does not; in
	// characters there is room for both.
	full := strings.Repeat("sunny ", 255) + "sun "
	if with := model.mean(full + "rain rain"); !near(with, model.mean(full+"rain sun")) || near(with, model.mean(full)) {
		t.Errorf("%v with the last token and one more, %v without both", with, model.mean(full))
	}
	// Unknown tokens take no place of those, but their characters count: the median
	// of the lengths 5, 5, 3, 4, 4, 3 is 4, so 2,048 characters are read.
	if got := model.mean(strings.Repeat("zé ", 2044/3+1)[:2044+682] + " rain"); !near(got, []float64{0, 0}) {
		t.Errorf("a token behind 2,048 characters counts: %v", got)
	}
	if got := model.mean(strings.Repeat("é", 2043) + " rain sun"); !near(got, model.mean("rain")) {
		t.Errorf("not all of 2,048 characters count: %v", got)
	}
}

func TestModel2VecLayouts(t *testing.T) {
	var ids []string
	for _, layout := range []string{"flat", "sentence-transformers", "nested"} {
		model, err := LoadModel2Vec(smallModel().write(t, layout))
		if err != nil {
			t.Fatal(err)
		}
		v, err := model.EmbedOne(t.Context(), "sun", RoleDocument)
		if err != nil || !slices.Equal(v, []float32{.6, .8}) {
			t.Errorf("%s: %v, %v", layout, v, err)
		}
		ids = append(ids, model.Info().ID)
	}
	if ids[1] != ids[2] || ids[0] == ids[1] {
		t.Errorf("ids %v: equal files have equal ids, others not", ids)
	}
}

func TestModel2VecInfo(t *testing.T) {
	model := smallModel().load(t)
	info := model.Info()
	if info.Model != "small" || info.Dims != 2 || info.MaxTokens != 512 || info.Lexical || !info.InProcess ||
		info.Tokenizer != model.Tokenizer().ID() || !strings.HasPrefix(info.ID, "model2vec/2/") {
		t.Errorf("%+v", info)
	}
	other := smallModel()
	other.rows.data = []float32{9, 9, 7, 7, 3, 4, 1, 0, 0, 2, 0, 1}
	folded := smallModel()
	folded.changed = func(file map[string]any) { file["version"] = "2" }
	again := smallModel()
	if a, b, c := other.load(t).Info().ID, folded.load(t).Info().ID, again.load(t).Info().ID; a == info.ID || b == info.ID || c != info.ID {
		t.Errorf("ids %s, with other vectors %s, with another tokenizer %s, again %s", info.ID, a, b, c)
	}
}

func TestModel2VecKeepsTheContract(t *testing.T) {
	model := smallModel().load(t)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(smallModel().tokens), rapid.String()), 1, 20).Draw(t, "words"), " ")
		v, err := model.EmbedOne(t.Context(), text, RoleDocument)
		var blank *EmptyInputError
		if errors.As(err, &blank) {
			return
		}
		if err != nil || len(v) != 2 {
			t.Fatalf("%v, %v", v, err)
		}
		if norm := math.Hypot(float64(v[0]), float64(v[1])); norm != 0 && math.Abs(norm-1) > 1e-6 || math.IsNaN(norm) {
			t.Fatalf("length %v", norm)
		}
	})

	texts := make([]string, 100)
	for i := range texts {
		texts[i] = strings.Repeat("sun ", i%5+1) + "rain"
	}
	many, err := model.EmbedMany(t.Context(), texts, RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		one, err := model.EmbedOne(t.Context(), text, RoleQuery)
		if err != nil || !slices.Equal(one, many[i]) {
			t.Fatalf("text %d: %v and %v, %v", i, one, many[i], err)
		}
	}
	var blank *EmptyInputError
	if _, err := model.EmbedMany(t.Context(), []string{"sun", " "}, RoleDocument); !errors.As(err, &blank) || blank.Index != 1 {
		t.Errorf("blank: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if vecs, err := model.EmbedMany(ctx, texts, RoleDocument); !errors.Is(err, context.Canceled) || vecs != nil {
		t.Errorf("after the end: %v", err)
	}
}

// The largest numbers must not overflow on their way to a unit vector.
func TestModel2VecExtremes(t *testing.T) {
	m := smallModel()
	m.rows.data = []float32{0, 0, 0, 0, math.MaxFloat32, math.MaxFloat32, 0, 0, math.SmallestNonzeroFloat32, 0, 0, 0}
	m.more = []testTensor{{"weights", "F32", []int{6}, []float32{1, 1, math.MaxFloat32, 1, math.SmallestNonzeroFloat32, 1}}}
	for text, want := range map[string][]float64{"sun": {math.Sqrt2 / 2, math.Sqrt2 / 2}, "rain": {1, 0}} {
		v, err := m.load(t).EmbedOne(t.Context(), text, RoleQuery)
		if err != nil || !near([]float64{float64(v[0]), float64(v[1])}, want) {
			t.Errorf("%s: %v, %v", text, v, err)
		}
	}
}

// The same bits on every machine: no order of sums, no fused products.
func TestModel2VecGivesTheSameBits(t *testing.T) {
	const tokens, dims = 40, 33
	m := smallModel()
	rows, weights := make([]float32, tokens*dims), make([]float32, tokens)
	state := uint32(1)
	next := func() float32 { // the generator of Numerical Recipes, as ±1
		state = state*1664525 + 1013904223
		return float32(int32(state)) / (1 << 31)
	}
	for i := range rows {
		rows[i] = next()
	}
	for i := range weights {
		weights[i] = next()
	}
	for i := len(m.tokens); i < tokens; i++ {
		m.tokens = append(m.tokens, fmt.Sprintf("w%d", i))
	}
	m.rows = testTensor{"embeddings", "F32", []int{tokens, dims}, rows}
	m.more = []testTensor{{"weights", "F32", []int{tokens}, weights}}
	v, err := m.load(t).EmbedOne(t.Context(), "sunny w7 w8 rain w39 w39 the w20 zzz w11 w12 w13", RoleQuery)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(raw)); sum != "e23e674747b0850e7d9e3f29010df3d64eee5da13e174c8be2c6877962c583e1" {
		t.Errorf("the vector's hash is %s", sum)
	}
}

func TestModel2VecFoldersAreChecked(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(m *staticModel)
		want   string
	}{
		{"an unknown tokenizer", func(m *staticModel) {
			m.changed = func(file map[string]any) { file["model"].(map[string]any)["type"] = "WordLevel" }
		}, `its model is "WordLevel"; those that can be used are`},
		{"BF16", func(m *staticModel) { m.rows = testTensor{"embeddings", "BF16", []int{6, 2}, make([]uint16, 12)} }, `"BF16"`},
		{"no vectors", func(m *staticModel) { m.rows.name = "encoder.layer.0" }, "no tensor embeddings or embedding.weight"},
		{"one dimension", func(m *staticModel) { m.rows.shape = []int{12} }, "the shape [12]"},
		{"too few vectors", func(m *staticModel) { m.tokens = append(m.tokens, "more") }, "6 vectors for the 7 tokens"},
		{"too many vectors", func(m *staticModel) { m.tokens = m.tokens[:5] }, "6 vectors for the 5 tokens"},
		{"too many dimensions", func(m *staticModel) {
			m.rows = testTensor{"embeddings", "I8", []int{6, 4001}, make([]int8, 6*4001)}
		}, "4001 dimensions, more than 4000"},
		{"few weights", func(m *staticModel) { m.more = []testTensor{{"weights", "F32", []int{2}, []float32{1, 1}}} }, "weights have the shape [2] for 6 tokens"},
		{"a short mapping", func(m *staticModel) { m.more = []testTensor{{"mapping", "I32", []int{2}, []int32{0, 1}}} }, "mapping has the shape [2] for 6 tokens"},
		{"a mapping out of range", func(m *staticModel) {
			m.more = []testTensor{{"mapping", "I32", []int{6}, []int32{0, 1, 2, 3, 4, 6}}}
		}, "sends token 5 to row 6 of 6"},
		{"a negative mapping", func(m *staticModel) {
			m.more = []testTensor{{"mapping", "I64", []int{6}, []int64{0, -1, 2, 3, 4, 5}}}
		}, "sends token 1 to row -1"},
		{"a mapping of floats", func(m *staticModel) {
			m.more = []testTensor{{"mapping", "F32", []int{6}, make([]float32, 6)}}
		}, "reads I32, I64"},
		{"a broken config", func(m *staticModel) { m.config = "{" }, "config.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := smallModel()
			tt.change(&m)
			dir := m.write(t, "flat")
			if _, err := LoadModel2Vec(dir); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), dir) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "model.safetensors")
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none"): "no such file",
		t.TempDir():                "has no model.safetensors",
		os.Args[0]:                 "give the folder",
		dir:                        "tokenizer.json",
	} {
		if _, err := LoadModel2Vec(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func BenchmarkModel2Vec(b *testing.B) {
	m := smallModel()
	for i := range 30_000 - len(m.tokens) {
		m.tokens = append(m.tokens, fmt.Sprintf("w%d", i))
	}
	const dims = 256
	rows := make([]float32, len(m.tokens)*dims)
	for i := range rows {
		rows[i] = float32(i%97) - 48
	}
	m.rows = testTensor{"embeddings", "F32", []int{len(m.tokens), dims}, rows}
	dir := m.write(b, "flat")
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if _, err := LoadModel2Vec(dir); err != nil {
				b.Fatal(err)
			}
		}
	})
	model, err := LoadModel2Vec(dir)
	if err != nil {
		b.Fatal(err)
	}
	var sb strings.Builder
	for i := range 200 {
		fmt.Fprintf(&sb, "w%d ", i*i)
	}
	b.Run("embed", func(b *testing.B) {
		for b.Loop() {
			model.embed(sb.String())
		}
	})
	hash := NewBuiltin()
	b.Run("builtin", func(b *testing.B) {
		for b.Loop() {
			if _, err := hash.EmbedOne(b.Context(), sb.String(), RoleQuery); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The tokenizer of a multilingual model is Unigram, of others a byte-pair encoding:
// the vectors are those of their tokens.
func TestModel2VecWithOtherTokenizers(t *testing.T) {
	unigram := testTensor{"embeddings", "F32", []int{7, 2}, []float32{9, 9, 8, 8, 3, 4, 1, 0, 0, 2, 0, 0, 9, 9}}
	bytes := testTensor{"embeddings", "F32", []int{7, 2}, []float32{1, 0, 0, 1, 0, 3, 5, 5, 3, 4, 7, 7, 1, 0}}
	for _, tt := range []struct {
		name, file, text string
		rows             testTensor
		want             []float64
	}{
		{"Unigram", smallUnigram, "sunny", unigram, []float64{2, 2}},                // (3, 4) and (1, 0)
		{"Unigram, an unknown word", smallUnigram, "xyz", unigram, []float64{8, 8}}, // its row, as in the library
		{"bytes", smallBytes, "sun sun", bytes, []float64{2, 2}},                    // (3, 4) and (1, 0)
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := smallModel()
			m.rows, m.config = tt.rows, `{}`
			dir := m.write(t, "flat")
			if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			model, err := LoadModel2Vec(dir)
			if err != nil {
				t.Fatal(err)
			}
			if id := model.Info().Tokenizer; !strings.HasPrefix(id, "hf:") || !strings.HasSuffix(model.Info().ID, "-"+id[len("hf:"):]) {
				t.Errorf("the model is %s, its tokenizer %s", model.Info().ID, id)
			}
			got := model.mean(tt.text)
			if len(got) != 2 || math.Abs(got[0]-tt.want[0]) > 1e-9 || math.Abs(got[1]-tt.want[1]) > 1e-9 {
				t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
			}
		})
	}
}

// A token that begins with the blank before a word belongs to the word.
func TestModel2VecSharesOfTokensWithBlanks(t *testing.T) {
	m := smallModel()
	m.rows = testTensor{"embeddings", "F32", []int{7, 2}, []float32{1, 0, 0, 1, 0, 3, 5, 5, 3, 4, 7, 7, 0, 2}}
	dir := m.write(t, "flat")
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(smallBytes), 0o600); err != nil {
		t.Fatal(err)
	}
	model, err := LoadModel2Vec(dir)
	if err != nil {
		t.Fatal(err)
	}
	// The vectors are (3, 4) for "sun" and (0, 2) for " sun": of the sum (3, 6) with
	// itself, 45, the first word has 9 + 24 and the second 12.
	shares := model.Shares("sun sun", "sun sun")
	if len(shares.Query) != 2 || math.Abs(shares.Query[0].Share-33./45) > 1e-9 || math.Abs(shares.Query[1].Share-12./45) > 1e-9 {
		t.Errorf("%+v", shares)
	}
}
