package embedder

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// smallUnigram has blanks as "▁": a text becomes "▁the ▁sun ny".
const smallUnigram = `{
	"added_tokens":[{"id":0,"content":"<s>","special":true},{"id":6,"content":"<mask>","special":true,"lstrip":true}],
	"normalizer":{"type":"NFKC"},
	"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"}]},
	"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],
		"pair":[],"special_tokens":{"<s>":{"id":"<s>","ids":[0],"tokens":["<s>"]}}},
	"model":{"type":"Unigram","unk_id":1,"vocab":[["<s>",0],["<unk>",0],["▁sun",-2],["ny",-2],["▁rain",-2],["▁the",-1]]}}`

// smallBytes is a byte-level model of five letters.
const smallBytes = `{
	"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true},
	"model":{"type":"BPE","vocab":{"s":0,"u":1,"n":2,"un":3,"sun":4,"Ġ":5,"Ġsun":6},"merges":["u n","s un","Ġ sun"]}}`

func writeTokenizer(t testing.TB, file string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestNewTokenizerLoadsAnyFile(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		starts           []int
	}{
		{"Unigram", smallUnigram, "the sunny  rain<mask>", []int{0, 4, 7, 11, 15}},
		{"bytes", smallBytes, "sun sun u", []int{0, 3, 7, 8}},
		{"WordPiece", string(tokenizerOf(t, smallVocabulary, nil)), "unaffable", []int{0, 2, 5}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeTokenizer(t, tt.file)
			tok, err := NewTokenizer("hf:" + dir)
			if err != nil {
				t.Fatal(err)
			}
			if got := tok.Starts(tt.text); !slices.Equal(got, tt.starts) || tok.Count(tt.text) != len(tt.starts) || !tok.Exact() {
				t.Errorf("%q: tokens at %v, %d of them, exact %t; want %v", tt.text, got, tok.Count(tt.text), tok.Exact(), tt.starts)
			}
			if !hashedID.MatchString(tok.ID()) {
				t.Errorf("id %s", tok.ID())
			}
			// Another file is another vocabulary, even where it says the same.
			other, err := NewTokenizer("hf:" + filepath.Join(writeTokenizer(t, tt.file+"\n"), "tokenizer.json"))
			if err != nil || other.ID() == tok.ID() {
				t.Errorf("%v, id %s", err, tok.ID())
			}
		})
	}
}

// A corpus must be found again by either form of the setting.
func TestBothFormsOfAWordPieceTokenizerHaveOneID(t *testing.T) {
	dir := writeTokenizer(t, string(tokenizerOf(t, smallVocabulary, nil)))
	a, errA := NewTokenizer("hf:" + dir)
	b, errB := NewTokenizer("wordpiece:" + dir)
	if errA != nil || errB != nil || a.ID() != b.ID() || !strings.HasPrefix(a.ID(), "wordpiece:") {
		t.Errorf("%v, %v: %v and %v", errA, errB, a, b)
	}
	if _, err := NewTokenizer("wordpiece:" + writeTokenizer(t, smallUnigram)); err == nil || !strings.Contains(err.Error(), "EMBEDDING_TOKENIZER=hf:PATH reads others") {
		t.Errorf("a Unigram model as WordPiece: %v", err)
	}
}

func TestTokenizerFilesThatCannotBeUsed(t *testing.T) {
	var missing *TokenizerPathError
	if _, err := NewTokenizer("hf:0a1b2c3d"); !errors.As(err, &missing) || !strings.Contains(err.Error(), "set EMBEDDING_TOKENIZER=hf:PATH, where PATH is the tokenizer.json whose sha256 begins with 0a1b2c3d") {
		t.Errorf("an id without its file: %v", err)
	}
	dir := writeTokenizer(t, strings.Replace(smallUnigram, `"NFKC"`, `"Nmt"`, 1))
	if _, err := NewTokenizer("hf:" + dir); err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), `its normalizer "Nmt" is not known`) {
		t.Errorf("an unknown part: %v", err)
	}
	for _, path := range []string{filepath.Join(dir, "none.json"), os.DevNull, ""} {
		if _, err := NewTokenizer("hf:" + path); err == nil || errors.As(err, &missing) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestFileTokenizerOffsets(t *testing.T) {
	var toks []Tokenizer
	for _, file := range []string{smallUnigram, smallBytes} {
		tok, err := parseHuggingFace([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		toks = append(toks, tok)
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(rapid.SampledFrom([]string{"the", "sun", "ny", " ", "<mask>", "ﬁ", "e\u0301"}), rapid.String())).Draw(t, "parts")
		text := strings.Join(parts, "")
		for _, tok := range toks {
			starts := tok.Starts(text)
			if len(starts) != tok.Count(text) || !slices.IsSorted(starts) || len(starts) > 0 && (starts[0] < 0 || starts[len(starts)-1] >= len(text)) {
				t.Fatalf("%q: tokens at %v, %d counted", text, starts, tok.Count(text))
			}
		}
	})
}

// What cuts texts at a limit must leave room for the tokens that the model gets
// around each.
func TestTokensAroundATextAreKnown(t *testing.T) {
	withBert := func(file map[string]any) {
		file["post_processor"] = map[string]any{"type": "BertProcessing", "sep": []any{"[SEP]", 2}, "cls": []any{"[CLS]", 1}}
	}
	for _, tt := range []struct {
		file string
		want int
	}{
		{smallUnigram, 1},
		{smallBytes, 0},
		{string(tokenizerOf(t, smallVocabulary, nil)), 0},
		{string(tokenizerOf(t, smallVocabulary, withBert)), 2},
	} {
		tok, err := loadModelTokenizer(writeTokenizer(t, tt.file))
		if err != nil || tok.special() != tt.want {
			t.Errorf("%v: %d tokens around a text, want %d", err, tok.special(), tt.want)
		}
	}
}
