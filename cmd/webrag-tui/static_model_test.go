package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// staticModel makes the folder of a Model2Vec model in which "car" and "automobile"
// mean the same.
func staticModel(t *testing.T) string {
	t.Helper()
	vocab := map[string]int{"[UNK]": 0, "car": 1, "automobile": 2, "boat": 3, "river": 4}
	tokenizer, err := json.Marshal(map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer"},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "vocab": vocab},
	})
	if err != nil {
		t.Fatal(err)
	}
	var tensors bytes.Buffer
	header := `{"embeddings":{"dtype":"F32","shape":[5,2],"data_offsets":[0,40]}}`
	for _, part := range []any{uint64(len(header)), []byte(header), []float32{0, 0, 1, 0, 1, 0, 0, 1, 0, 1}} {
		if err := binary.Write(&tensors, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{"config.json": []byte(`{}`), "tokenizer.json": tokenizer, "model.safetensors": tensors.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAStaticModel(t *testing.T) {
	dir := staticModel(t)
	corpus := filepath.Join(t.TempDir(), "c.db")
	page := filepath.Join(t.TempDir(), "page.md")
	text := "# Page\n\n## Roads\n\nThe automobile is fast.\n\n## Water\n\nThe boat is on the river.\n"
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	model := []string{"EMBEDDING_PROVIDER=model2vec", "EMBEDDING_MODEL=" + dir}
	if code, _, stderr := commandLine(t, model, "index", "--corpus", corpus, page); code != exitFine {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	query := []string{"query", "--json", "--corpus", corpus, "--mode", "chunk", "--set", "similarity_floor=0.5", "car"}
	code, out, stderr := commandLine(t, model, query...)
	if code != exitFine || !strings.Contains(out, "Roads") || strings.Contains(out, "Water") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}

	// A text without any known word has no direction, and that is no failure.
	code, out, stderr = commandLine(t, model, "query", "--corpus", corpus, "--mode", "chunk", "zebra")
	if code != exitNothing || strings.Contains(out+stderr, "NaN") || !strings.Contains(stderr, "no searchable words") {
		t.Errorf("an unknown word: exit code %d: %s%s", code, out, stderr)
	}

	// The corpus keeps the id of the tokenizer, and indexing needs its file.
	if code, out, stderr := commandLine(t, nil, "index", "--reembed", "--corpus", corpus); code != exitUsage || !strings.Contains(stderr, "EMBEDDING_TOKENIZER=wordpiece:PATH") {
		t.Errorf("without the tokenizer: exit code %d: %s%s", code, out, stderr)
	}
	if code, out, stderr := commandLine(t, []string{"EMBEDDING_TOKENIZER=wordpiece:" + dir}, "index", "--reembed", "--corpus", corpus); code != exitFine || !strings.Contains(out, "made anew") {
		t.Errorf("with the tokenizer: exit code %d: %s%s", code, out, stderr)
	}
	// A query does not.
	if code, out, stderr := commandLine(t, nil, "query", "--corpus", corpus, "--mode", "chunk", "boat"); code != exitFine || !strings.Contains(out, "Water") {
		t.Errorf("a query: exit code %d: %s%s", code, out, stderr)
	}
	other := []string{"EMBEDDING_TOKENIZER=cl100k_base"}
	said := regexp.MustCompile(`the corpus counts tokens with wordpiece:[0-9a-f]{8}, not with cl100k_base: set EMBEDDING_TOKENIZER=wordpiece:PATH, where`)
	if code, _, stderr := commandLine(t, other, "index", "--corpus", corpus, page); code != exitUsage || !said.MatchString(stderr) {
		t.Errorf("another tokenizer: exit code %d: %s", code, stderr)
	}
}

func TestAStaticModelThatCannotBeUsed(t *testing.T) {
	dir := staticModel(t)
	wordLevel := staticModel(t)
	if err := os.WriteFile(filepath.Join(wordLevel, "tokenizer.json"), []byte(`{"model":{"type":"WordLevel","vocab":{}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		environ []string
		want    string
	}{
		{"no folder given", nil, "set EMBEDDING_MODEL to the folder"},
		{"no such folder", []string{"EMBEDDING_MODEL=" + dir + "-none"}, "EMBEDDING_MODEL: load the Model2Vec model " + dir + "-none"},
		{"other dimensions", []string{"EMBEDDING_MODEL=" + dir, "EMBEDDING_DIMENSIONS=8"}, "has 2 dimensions, not 8"},
		{"another tokenizer", []string{"EMBEDDING_MODEL=" + wordLevel}, `its model is "WordLevel"; those that can be used are BPE, Unigram and WordPiece`},
		{"no path", []string{"EMBEDDING_MODEL=" + dir, "EMBEDDING_TOKENIZER=wordpiece:"}, "must be cl100k_base, o200k_base, hf:PATH, wordpiece:PATH or approx"},
		{"a tokenizer that is not there", []string{"EMBEDDING_MODEL=" + dir, "EMBEDDING_TOKENIZER=wordpiece:none"}, "embedding.tokenizer: load tokenizer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			corpus := filepath.Join(t.TempDir(), "c.db")
			page := filepath.Join(t.TempDir(), "page.md")
			if err := os.WriteFile(page, []byte("# Page\n\nA page.\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := commandLine(t, append(tt.environ, "EMBEDDING_PROVIDER=model2vec"), "index", "--corpus", corpus, page)
			if code != exitUsage || !strings.Contains(stderr, tt.want) {
				t.Errorf("exit code %d: %s", code, fmt.Sprint(stdout, stderr))
			}
		})
	}
}
