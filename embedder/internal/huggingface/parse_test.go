package huggingface

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

type object = map[string]any

// Whatever is not known must be refused by its name, never counted as if it were
// not there.
func TestUnknownPartsAreRefused(t *testing.T) {
	list := func(parts ...any) []any { return parts }
	model := func(o object) object { return object{"model": o} }
	split := func(pattern string) object {
		return object{"pre_tokenizer": object{"type": "Split", "pattern": object{"Regex": pattern}, "behavior": "Isolated", "invert": false}}
	}
	blob := func(b ...byte) object {
		return object{"normalizer": object{"type": "Precompiled", "precompiled_charsmap": base64.StdEncoding.EncodeToString(b)}}
	}
	for _, tt := range []struct {
		name, file string
		changes    object
		want       string
	}{
		{"a section", "bytes.json", object{"chat": 1}, `it has a field "chat" that is not known`},
		{"a model", "bytes.json", model(object{"type": "WordLevel"}), `its model is "WordLevel"; those that can be used are BPE, Unigram and WordPiece`},
		{"no model", "bytes.json", object{"model": nil}, "its model is missing"},
		{"a model without a type", "bytes.json", object{"model": list(1)}, "its model is not an object with a type"},
		{"a field of a model", "bytes.json", model(object{"max_len": 3}), `its model has a field "max_len" that is not known`},
		{"chance", "bytes.json", model(object{"dropout": .1}), "its model has a dropout"},
		{"no vocabulary", "bytes.json", model(object{"vocab": object{}, "merges": list()}), "its model has no vocabulary"},
		{"a negative number", "bytes.json", model(object{"vocab": object{"a": -1}, "merges": list()}), `its model has the token "a" with the number -1`},
		{"a merge of something else", "bytes.json", model(object{"merges": list("a nonsense")}), `a merge of "a" and "nonsense" that is not in its vocabulary`},
		{"a merge of three", "bytes.json", model(object{"merges": list("a b c")}), `a merge of 3 parts, "a b c"`},
		{"merges of numbers", "bytes.json", model(object{"merges": list(1)}), "merges that are neither strings nor pairs"},
		{"no unknown token", "sentencepiece.json", model(object{"unk_token": "<none>"}), `lacks the unknown token "<none>"`},
		{"bytes with a prefix", "bytes.json", model(object{"continuing_subword_prefix": "##"}), "a prefix or a suffix of tokens"},
		{"Unigram over bytes", "unigram.json", object{"pre_tokenizer": object{"type": "ByteLevel"}}, "its model is Unigram, which is not known with ByteLevel"},
		{"no unk_id", "unigram.json", model(object{"unk_id": nil}), "unk_id that none of its"},
		{"an unk_id beyond", "unigram.json", model(object{"unk_id": 1 << 20}), "unk_id that none of its"},
		{"a score of words", "unigram.json", model(object{"vocab": list(list("a", "b"))}), "its model cannot be read"},
		{"a token of three parts", "unigram.json", model(object{"vocab": list(list("a", 1, 2))}), "not a pair of text and score"},
		{"a huge token", "unigram.json", model(object{"vocab": list(list(strings.Repeat("a", 2000), 0))}), "none of its"},
		{"a normalizer", "bytes.json", object{"normalizer": object{"type": "Nmt"}}, `its normalizer "Nmt" is not known`},
		{"a normalizer within a sequence", "bytes.json", object{"normalizer": object{"type": "Sequence", "normalizers": list(object{"type": "NFC"}, object{"type": "ByteLevel"})}}, `its normalizer "ByteLevel" is not known`},
		{"a field of a normalizer", "bytes.json", object{"normalizer": object{"type": "NFC", "version": 2}}, `its normalizer "NFC" has a field "version" that is not known`},
		{"half a Strip", "bytes.json", object{"normalizer": object{"type": "Strip", "strip_left": true}}, `its normalizer "Strip" has no strip_left or no strip_right`},
		{"a Replace of nothing", "bytes.json", object{"normalizer": object{"type": "Replace", "pattern": object{"String": ""}, "content": "x"}}, `"Replace" has an empty pattern`},
		{"a Replace of everything", "bytes.json", object{"normalizer": object{"type": "Replace", "pattern": object{"Regex": "a*"}, "content": "x"}}, `matches the empty text`},
		{"a pre-tokenizer", "bytes.json", object{"pre_tokenizer": object{"type": "UnicodeScripts"}}, `its pre_tokenizer "UnicodeScripts" is not known`},
		{"bytes in the middle", "bytes.json", object{"pre_tokenizer": object{"type": "Sequence", "pretokenizers": list(object{"type": "ByteLevel"}, object{"type": "Digits", "individual_digits": true})}}, `"Sequence" has a part behind ByteLevel`},
		{"a behaviour", "bytes.json", object{"pre_tokenizer": object{"type": "Punctuation", "behavior": "Doubled"}}, `has the behavior "Doubled", which is not known`},
		{"a scheme", "unigram.json", object{"pre_tokenizer": object{"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"}}, `has the prepend_scheme "last", which is not known`},
		{"two schemes", "unigram.json", object{"pre_tokenizer": object{"type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "add_prefix_space": false}}, "contradicts its prepend_scheme"},
		{"a long replacement", "unigram.json", object{"pre_tokenizer": object{"type": "Metaspace", "replacement": "__"}}, `the replacement "__", not one character`},
		{"a post-processor", "bytes.json", object{"post_processor": object{"type": "Echo"}}, `its post_processor "Echo" is not known`},
		{"a template without the text", "bytes.json", object{"post_processor": object{"type": "TemplateProcessing", "single": list(), "pair": list(), "special_tokens": object{}}}, "does not have the text once"},
		{"an added token", "bytes.json", object{"added_tokens": list(object{"id": 1, "content": "x", "shape": "round"})}, `its list of added_tokens has a field "shape" that is not known`},
		{"an impossible added token", "bytes.json", object{"added_tokens": list(object{"id": -7, "content": "<x>"})}, `has the token "<x>" with the number -7`},
		{"looking behind", "bytes.json", split(`(?<=a)b`), `"(?<=" is not known`},
		{"looking ahead", "bytes.json", split(`\d{1,3}(?=(\d{3})*)`), `"(?=(" is not known`},
		{"the known lookahead elsewhere", "bytes.json", split(`\s+(?!\S)|a`), `"(?!\\" is not known`},
		{"the known lookahead in a group", "bytes.json", split(`(?:a|\s+(?!\S)|\s+)`), `is not known`},
		{"the known lookahead behind an open group", "bytes.json", split(`(a|\s+(?!\S)|\s+`), `missing closing )`},
		{"a possessive repetition", "bytes.json", split(`\p{L}++`), "invalid nested repetition operator"},
		{"a class in a class", "bytes.json", split(`[^(\s|[.,])]+`), "a class inside a class is not known"},
		{"an intersection", "bytes.json", split(`[\p{L}&&\p{Latin}]`), "an intersection of classes is not known"},
		{"an anchor", "bytes.json", split(`^a`), `"^" is not known`},
		{"a boundary", "bytes.json", split(`a\b`), `"\\b" is not known`},
		{"no space in a class", "bytes.json", split(`[a\S]`), `"\\S" inside a class is not known`},
		{"a class that begins with its end", "bytes.json", split(`[]a]`), "a class that begins with ]"},
		{"an unknown property", "bytes.json", split(`\p{Alpha}`), "which cannot be used"},
		{"no base64", "unigram.json", object{"normalizer": object{"type": "Precompiled", "precompiled_charsmap": "%"}}, "a precompiled_charsmap that is not base64"},
		{"an empty map", "unigram.json", blob(), "a precompiled_charsmap that is cut short"},
		{"a map shorter than it says", "unigram.json", blob(8, 0, 0, 0, 1, 2, 3, 4), "a precompiled_charsmap that has a trie of 8 bytes in 4"},
		{"replacements of broken text", "unigram.json", blob(4, 0, 0, 0, 0, 0, 0, 0, 0xff, 0), "replacements that are not UTF-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse(changed(t, tt.file, tt.changes))
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 300 {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	// Small ones: to mutate the files of testdata takes too long.
	f.Add([]byte(`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"BAAAAAAAAABhAGIA"},"model":{"type":"Unigram","unk_id":0,"byte_fallback":true,"vocab":[["?",0],["<0xC3>",-1],["▁a",-2]]}}`))
	f.Add([]byte(`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"\\w+|\\s+(?!\\S)|\\s"},"behavior":"Isolated","invert":false},{"type":"ByteLevel"}]},"model":{"type":"BPE","vocab":{"a":0,"Ġ":1,"Ġa":2},"merges":["Ġ a"]}}`))
	f.Add([]byte(`{"added_tokens":[{"id":3,"content":"<mask>","lstrip":true,"rstrip":true,"single_word":true,"normalized":true}],"normalizer":{"type":"Sequence","normalizers":[{"type":"NFKD"},{"type":"BertNormalizer"},{"type":"Strip","strip_left":true,"strip_right":true},{"type":"Prepend","prepend":"▁"}]},"model":{"type":"BPE","unk_token":"a","fuse_unk":true,"byte_fallback":true,"end_of_word_suffix":"b","continuing_subword_prefix":"c","vocab":{"a":0,"cb":1,"ab":2},"merges":[["a","cb"]]}}`))
	f.Add([]byte(`{"model":{"type":"Unigram","unk_id":0,"vocab":[["",0]]}}`))
	f.Add([]byte(`{"normalizer":{"type":"Replace","pattern":{"Regex":"(?:a|)"},"content":""},"model":{"type":"BPE","vocab":{"a":0},"merges":[]}}`))
	f.Add([]byte(`{"pre_tokenizer":{"type":"Metaspace","replacement":"▁"},"model":{"type":"BPE","vocab":{"a":0,"":1},"merges":[["a",""]],"unk_token":"a"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tok, err := Parse(raw)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" || !utf8.ValidString(err.Error()) && utf8.Valid(raw) {
				t.Fatalf("the error is %q", err)
			}
			return
		}
		assertOffsets(t, tok, "Hello,  wörld 我 a\x00 한\xff\u0301 <mask> ▁x 123")
	})
}

// Each file of testdata in turn, so that every kind of model sees the text.
func FuzzEach(f *testing.F) {
	texts, cases := referenceCases(f)
	toks := make([]*Tokenizer, len(cases))
	for i := range cases {
		toks[i] = cases[i].tokenizer(f)
	}
	for i, text := range texts {
		f.Add(i, text)
	}
	f.Add(3, "a"+strings.Repeat("\u0323", 100)+"\xff\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, i int, text string) {
		tok := toks[uint(i)%uint(len(toks))]
		assertOffsets(t, tok, text)
		if once, twice := tok.Count(text), tok.Count(text); once != twice {
			t.Fatalf("%q: %d tokens, then %d", text, once, twice)
		}
	})
}

// A word of 50 KB must not take the square of its length: were it so, this
// would not end within the time that a test has.
func TestHugeWords(t *testing.T) {
	_, cases := referenceCases(t)
	for _, c := range cases {
		tok := c.tokenizer(t)
		for _, part := range []string{"a", "e\u0301", " ", "\u0301", "aB1-", "漢"} {
			text := strings.Repeat(part, 50_000/len(part))
			assertOffsets(t, tok, text)
		}
	}
}

// WordPiece has a reader of its own, which also says what is wrong with a model
// that has no type.
func TestWordPieceIsForAnother(t *testing.T) {
	for _, raw := range []string{`{"model":{"vocab":{},"type":"WordPiece"}}`, `{"model":{}}`, `{"model":{"vocab":{"a":0}}}`} {
		if _, err := Parse([]byte(raw)); !errors.Is(err, ErrWordPiece) {
			t.Errorf("%s: %v", raw, err)
		}
	}
	for _, raw := range []string{"", "[]", "{}", `{"model":[]}`, `{"model":{"type":1}}`, `{"model":{"type":"BPE"`} {
		if _, err := Parse([]byte(raw)); err == nil || errors.Is(err, ErrWordPiece) {
			t.Errorf("%q: %v", raw, err)
		}
	}
}
