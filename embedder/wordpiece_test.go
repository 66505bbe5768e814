package embedder

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// tokenizerOf makes a tokenizer.json of a vocabulary; a token's number is its
// place. Change, if any, edits the file's sections.
func tokenizerOf(t testing.TB, tokens []string, change func(file map[string]any)) []byte {
	t.Helper()
	vocab := map[string]int{}
	for i, token := range tokens {
		vocab[token] = i
	}
	file := map[string]any{
		"version":       "1.0",
		"added_tokens":  []any{map[string]any{"id": 0, "content": "[PAD]", "special": true}},
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab,
		},
	}
	if change != nil {
		change(file)
	}
	raw, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

var smallVocabulary = []string{
	"[PAD]", "[UNK]", "un", "##aff", "##able", "runn", "##ing", "want", "##want", "##ed", "wa", "cafe", "a", "b", "##b",
	"hello", ",", "!", "'", "$", "我", "爱", "中", "##中", "i", "##s", "1", "##2", "ᄒ", "##ᅡ", "##ᆫ", "é", "½", "…",
}

func smallWordPiece(t testing.TB, change func(file map[string]any)) *WordPiece {
	t.Helper()
	w, err := parseWordPiece(tokenizerOf(t, smallVocabulary, change))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// pieces shows the tokens of a text with their starts: "un@0 ##aff@2".
func pieces(w *WordPiece, text string) string {
	var out []string
	w.each(text, func(id int32, at int) bool {
		out = append(out, fmt.Sprintf("%s@%d", smallVocabulary[id], at))
		return true
	})
	return strings.Join(out, " ")
}

func TestWordPieceFollowsBERT(t *testing.T) {
	plain := func(n map[string]any) func(map[string]any) {
		return func(file map[string]any) { file["normalizer"] = n }
	}
	cased := plain(map[string]any{"type": "BertNormalizer", "lowercase": false})
	for _, tt := range []struct {
		name, text, want string
		change           func(map[string]any)
	}{
		{"the longest pieces", "unaffable", "un@0 ##aff@2 ##able@5", nil},
		{"of words", "running unwanted", "runn@0 ##ing@4 un@8 ##want@10 ##ed@14", nil},
		{"longest first, not best", "wa want", "wa@0 want@3", nil},
		{"no piece for a part", "unwantedX running", "[UNK]@0 runn@10 ##ing@14", nil},
		{"nothing at all", " \t\r\n", "", nil},
		{"white space of all kinds", "a\u00a0b\u2003a\u2028b", "a@0 b@3 a@7 b@11", nil},
		{"lower case", "HeLLo UNaffable", "hello@0 un@6 ##aff@8 ##able@11", nil},
		{"signs stand alone", "hello,a!b$'", "hello@0 ,@5 a@6 !@7 b@8 $@9 '@10", nil},
		{"an unknown sign", "a#b", "a@0 [UNK]@1 b@2", nil},
		{"signs beyond ASCII", "a…b", "a@0 …@1 b@4", nil},
		{"a symbol is not a sign", "a½", "[UNK]@0", nil},
		{"an accent is stripped", "Café b", "cafe@0 b@6", nil},
		{"a combining accent, too", "Cafe\u0301 b", "cafe@0 b@7", nil},
		{"an accent by itself", "a \u0301 b", "a@0 b@5", nil},
		{"offsets behind an accent", "üñaffable", "un@0 ##aff@4 ##able@7", nil},
		{"ideographs are words", "我爱a中b", "我@0 爱@3 a@6 中@7 b@10", nil},
		{"a compatibility ideograph", "a\uf9a4b", "a@0 [UNK]@1 b@4", nil},
		{"Hangul falls into letters", "한", "ᄒ@0 ##ᅡ@0 ##ᆫ@0", nil},
		{"control characters vanish", "un\x00aff\x7f\u200bable\ufffd", "un@0 ##aff@3 ##able@10", nil},
		{"a form feed is one of them", "un\faff", "un@0 ##aff@3", nil},
		{"a line end is not", "un\naff", "un@0 [UNK]@3", nil},
		{"invalid bytes vanish", "un\xff\xfeaff", "un@0 ##aff@4", nil},
		{"100 characters", "a" + strings.Repeat("b", 99) + " b", "a@0" + bs(1, 99) + " b@101", nil},
		{"101 characters", "a" + strings.Repeat("b", 100) + " b", "[UNK]@0 b@102", nil},
		{"characters, not bytes", strings.Repeat("é", 101) + " a", "[UNK]@0 a@203", nil},
		{"a capital of two characters", "İs", "i@0 ##s@2", nil},
		{"special tokens are plain text", "[PAD]", "[UNK]@0 [UNK]@1 [UNK]@4", nil},
		{"cased", "Hello hello é", "[UNK]@0 hello@6 é@12", cased},
		{"accents kept with lower case", "CAFÉ É", "[UNK]@0 é@6", plain(map[string]any{"type": "BertNormalizer", "strip_accents": false})},
		{"ideographs kept together", "我爱", "[UNK]@0", plain(map[string]any{"type": "BertNormalizer", "handle_chinese_chars": false})},
		{"no normalizer", "un\u200baff a\tb", "[UNK]@0 a@9 b@11", plain(nil)},
		{"a short longest word", "hello", "[UNK]@0", func(file map[string]any) { file["model"].(map[string]any)["max_input_chars_per_word"] = 4 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := smallWordPiece(t, tt.change)
			if got := pieces(w, tt.text); got != tt.want {
				t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

// bs are n pieces "##b" from a place on.
func bs(from, n int) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, " ##b@%d", from+i)
	}
	return sb.String()
}

// Folding character by character must be what folding the whole text is.
func TestFoldingIsThatOfTheWholeText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom(nil, unicode.L, unicode.M, unicode.Hangul)).Draw(t, "text")
		var want []rune
		for _, r := range norm.NFD.String(text) {
			if !unicode.Is(unicode.Mn, r) {
				want = append(want, unicode.ToLower(r))
			}
		}
		var got []rune
		f := folding{stripAccents: true, lowercase: true}
		for _, r := range text {
			f.fold(r, func(c rune) bool { got = append(got, c); return true })
		}
		// Marks that are not stripped may change places with each other.
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, string(got), string(want))
		}
	})
}

// assertTokenOffsets checks what every tokenizer owes to those who cut texts.
func assertTokenOffsets(t interface{ Fatalf(string, ...any) }, w Tokenizer, text string) {
	starts := w.Starts(text)
	if n := w.Count(text); n != len(starts) {
		t.Fatalf("%q: %d tokens counted, %d begin", text, n, len(starts))
	}
	if !slices.IsSorted(starts) {
		t.Fatalf("%q: starts %v", text, starts)
	}
	for _, at := range starts {
		if at < 0 || at >= len(text) || utf8.ValidString(text) && !utf8.RuneStart(text[at]) {
			t.Fatalf("%q: a token begins at %d", text, at)
		}
	}
}

func TestWordPieceOffsets(t *testing.T) {
	w := smallWordPiece(t, nil)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(smallVocabulary), rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("unaffable 我é\u0301한\x00\ufffd"))))).Draw(t, "parts")
		assertTokenOffsets(t, w, strings.Join(parts, ""))
	})
}

func FuzzWordPiece(f *testing.F) {
	for _, seed := range []string{"unaffable", "Café 我爱", "\xff\xed\xa0\x80", "한\u0301", strings.Repeat("b", 300)} {
		f.Add(seed)
	}
	w := smallWordPiece(f, nil)
	f.Fuzz(func(t *testing.T, text string) { assertTokenOffsets(t, w, text) })
}

func TestTokenizerFilesAreChecked(t *testing.T) {
	model := func(key string, value any) func(map[string]any) {
		return func(file map[string]any) { file["model"].(map[string]any)[key] = value }
	}
	set := func(key string, value any) func(map[string]any) {
		return func(file map[string]any) { file[key] = value }
	}
	for _, tt := range []struct {
		name   string
		change func(map[string]any)
		want   string
	}{
		{"Unigram", model("type", "Unigram"), `its model is "Unigram", not WordPiece; EMBEDDING_TOKENIZER=hf:PATH`},
		{"BPE", model("type", "BPE"), `its model is "BPE"`},
		{"a name that goes on", model("type", strings.Repeat("x", 5000)), `xxxx…", not WordPiece`},
		{"no type", model("type", nil), "does not name the type"},
		{"no vocabulary", model("vocab", nil), "its vocabulary is not"},
		{"an empty vocabulary", model("vocab", map[string]int{}), "its vocabulary is not"},
		{"a Unigram vocabulary", model("vocab", []any{[]any{"a", -1.5}}), "its vocabulary is not"},
		{"fractions", model("vocab", map[string]any{"[UNK]": 1.5}), "its vocabulary is not"},
		{"a negative number", model("vocab", map[string]any{"[UNK]": 0, "a": -1}), `token "a" has the number -1`},
		{"a huge number", model("vocab", map[string]any{"[UNK]": 0, "a": int64(1) << 40}), "has the number 1099511627776"},
		{"a number twice", model("vocab", map[string]any{"[UNK]": 0, "a": 0}), "have the number 0"},
		{"no unknown token", model("unk_token", "<unk>"), `lacks the unknown token "<unk>"`},
		{"no longest word", model("max_input_chars_per_word", 0), "max_input_chars_per_word is 0"},
		{"another normalizer", set("normalizer", map[string]any{"type": "Precompiled"}), `its normalizer is "Precompiled"`},
		{"another pre-tokenizer", set("pre_tokenizer", map[string]any{"type": "Metaspace"}), `its pre_tokenizer is "Metaspace"`},
		{"no pre-tokenizer", set("pre_tokenizer", nil), "its pre_tokenizer is none"},
		{"an impossible added token", set("added_tokens", []any{map[string]any{"id": -7, "content": "<x>"}}), `token "<x>" has the number -7`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseWordPiece(tokenizerOf(t, smallVocabulary, tt.change))
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 300 {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	for _, raw := range []string{"", "null", "[]", `{"model":[]}`, `{"model":{"type":"WordPiece"}`} {
		if _, err := parseWordPiece([]byte(raw)); err == nil {
			t.Errorf("%q is a tokenizer", raw)
		}
	}
}

func FuzzTokenizerJSON(f *testing.F) {
	f.Add(tokenizerOf(f, smallVocabulary, nil))
	f.Add([]byte(`{"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","vocab":{"[UNK]":2147483646,"##":1,"":0}}}`))
	f.Add([]byte(`{"model":{"type":"Unigram","vocab":[["a",-1]]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		w, err := parseWordPiece(raw)
		if err != nil {
			return
		}
		if w.vocab.size < 1 || w.vocab.highest < 0 || w.vocab.medianRunes < 0 {
			t.Fatalf("%+v", w.vocab)
		}
		assertTokenOffsets(t, w, "Hello, wörld 我 ##a\x00 한")
	})
}

func TestMedianOfTheTokens(t *testing.T) {
	// Lengths 1, 2, 3, 5 and of the token that is only in the list of added ones 6:
	// the middle one is 3. Without it the two in the middle make 2.5, cut to 2.
	tokens := []string{"é", "ab", "##c", "[UNK]"}
	for _, tt := range []struct {
		added []any
		want  int
	}{
		{[]any{map[string]any{"id": 9, "content": "[MASK]"}, map[string]any{"id": 3, "content": "[UNK]"}}, 3},
		{nil, 2},
	} {
		w, err := parseWordPiece(tokenizerOf(t, tokens, func(file map[string]any) { file["added_tokens"] = tt.added }))
		if err != nil {
			t.Fatal(err)
		}
		if w.vocab.medianRunes != tt.want || w.vocab.size != 4+max(0, len(tt.added)-1) {
			t.Errorf("median %d, want %d; %d tokens", w.vocab.medianRunes, tt.want, w.vocab.size)
		}
	}
}

func TestNewTokenizerLoadsWordPiece(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tokenizer.json")
	if err := os.WriteFile(path, tokenizerOf(t, smallVocabulary, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, at := range []string{path, dir} {
		w, err := NewTokenizer("wordpiece:" + at)
		if err != nil {
			t.Fatal(err)
		}
		if w.Count("unaffable") != 3 || !w.Exact() {
			t.Errorf("%s: %d tokens", at, w.Count("unaffable"))
		}
		ids[w.ID()] = true
	}
	other := smallWordPiece(t, func(file map[string]any) { file["version"] = "2" })
	if ids[other.ID()] || len(ids) != 1 || !hashedID.MatchString(other.ID()) {
		t.Errorf("ids %v and %s", ids, other.ID())
	}

	var missing *TokenizerPathError
	if _, err := NewTokenizer("wordpiece:0a1b2c3d"); !errors.As(err, &missing) || !strings.Contains(err.Error(), "EMBEDDING_TOKENIZER=wordpiece:PATH") {
		t.Errorf("an id without its file: %v", err)
	}
	for _, path := range []string{filepath.Join(dir, "none.json"), os.DevNull} {
		if _, err := NewTokenizer("wordpiece:" + path); err == nil || !strings.Contains(err.Error(), path) || errors.As(err, &missing) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
