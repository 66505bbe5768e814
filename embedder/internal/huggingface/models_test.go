package huggingface

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func parsed(t *testing.T, file string) *Tokenizer {
	t.Helper()
	tok, err := Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// shown are the tokens of a text with their starts: "3@0 4@2".
func shown(tok *Tokenizer, text string) string {
	var out []string
	tok.Each(text, func(id int32, at int) bool {
		out = append(out, fmt.Sprintf("%d@%d", id, at))
		return true
	})
	return strings.Join(out, " ")
}

// "abc" is a + bc with -1 + -2.5 = -3.5, ab + c with -2 + -2 = -4, abc with -3.6, or
// three letters with -1 -1.5 -2 = -4.5: the first has the largest sum.
func TestTheBestSumOfAUnigramModel(t *testing.T) {
	vocab := `["?",0],["a",-1],["b",-1.5],["c",-2],["ab",-2],["bc",-2.5],["abc",-3.6]`
	tok := parsed(t, `{"model":{"type":"Unigram","unk_id":0,"vocab":[`+vocab+`]}}`)
	for _, tt := range []struct{ text, want string }{
		{"abc", "1@0 5@1"},
		// One more letter makes the choice another one: ab + ca.. has no better way
		// than the sum of what was best before.
		{"abca", "1@0 5@1 1@3"},
		// Characters without a token are one token together. Each costs the worst
		// score of all, -3.6, and 10 more.
		{"axyb", "1@0 0@1 2@3"},
		{"xa", "0@0 1@1"},
		{"日b", "0@0 2@3"},
		{"", ""},
	} {
		if got := shown(tok, tt.text); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
	// Of two ways with one sum the one with the longer last token was found first:
	// ab + c and a + bc both have -4.
	tie := parsed(t, `{"model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["a",-1],["ab",-2],["c",-2],["bc",-3],["b",-9]]}}`)
	if got := shown(tie, "abc"); got != "1@0 4@1" {
		t.Errorf("a tie: %s", got)
	}
	// With byte_fallback an unknown character is its bytes.
	bytes := parsed(t, `{"model":{"type":"Unigram","unk_id":0,"byte_fallback":true,"vocab":[["?",0],["a",-1],["<0xC3>",-9],["<0xA9>",-9]]}}`)
	if got := shown(bytes, "aéx"); got != "1@0 0@1" {
		t.Errorf("one of the bytes of éx has no token: %s", got)
	}
	if got := shown(bytes, "aéa"); got != "1@0 2@1 3@2 1@3" {
		t.Errorf("the bytes of é: %s", got)
	}
}

// The merge of the lowest rank goes first, wherever it is: in "abab" both "ba" and
// "ab" could be merged, and "ba" came first in training: a, ba, b.
func TestTheOrderOfMerges(t *testing.T) {
	const vocab = `"vocab":{"a":0,"b":1,"ba":2,"ab":3,"aba":4,"?":5}`
	for _, tt := range []struct{ fields, text, want string }{
		{`"merges":["b a","a b"]`, "abab", "0@0 2@1 1@3"},
		{`"merges":["a b","b a"]`, "abab", "3@0 3@2"},
		{`"merges":[["a","b"],["ab","a"]]`, "ababa", "3@0 4@2"},
		{`"merges":["a b"]`, "aba", "3@0 0@2"},
		{`"merges":["a b"],"ignore_merges":true`, "aba", "4@0"},
		{`"merges":["a b"]`, "axyb", "3@0"}, // what is dropped keeps nothing apart
		{`"merges":["a b"],"unk_token":"?"`, "axyb", "0@0 5@1 5@2 1@3"},
		{`"merges":["a b"],"unk_token":"?","fuse_unk":true`, "axyb", "0@0 5@1 1@3"},
	} {
		tok := parsed(t, `{"model":{"type":"BPE",`+vocab+`,`+tt.fields+`}}`)
		if got := shown(tok, tt.text); got != tt.want {
			t.Errorf("%s: %q: %s, want %s", tt.fields, tt.text, got, tt.want)
		}
	}
}

func TestWhatBecomesOfDelimiters(t *testing.T) {
	for _, tt := range []struct {
		b      behaviour
		invert bool
		want   string
	}{
		{removed, false, "a|b|c"},
		{removed, true, "--|-|-"},
		{isolated, false, "a|-|-|b|-|c|-"},
		{mergedWithPrevious, false, "a-|-|b-|c-"},
		{mergedWithNext, false, "a|-|-b|-c|-"},
		{contiguous, false, "a|--|b|-|c|-"},
	} {
		split := splitBy(literal("-"), tt.b, tt.invert)
		var words []string
		split(spanOf("a--b-c-"), func(s span) bool { words = append(words, s.text); return true })
		want := strings.Split(tt.want, "|")
		if tt.invert {
			want = []string{"-", "-", "-", "-"}
		}
		if !slices.Equal(words, want) {
			t.Errorf("%s, inverted %t: %q, want %q", tt.b, tt.invert, words, want)
		}
	}
}

// The map of testdata says that "e" with an acute is one character, although "e"
// alone is none of its keys; of a cluster that begins with a key only that is looked
// up.
func TestPrecompiledMaps(t *testing.T) {
	var file struct{ Normalizer json.RawMessage }
	if err := json.Unmarshal(changed(t, "unigram.json", nil), &file); err != nil {
		t.Fatal(err)
	}
	normalize, err := newNormalizer(file.Normalizer)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text, want string
		from       []int32
	}{
		{"plain", "plain", []int32{0, 1, 2, 3, 4}},
		{"a\tb", "a b", []int32{0, 1, 2}},
		{"\r\nb", " b", []int32{0, 2}}, // one cluster, and "\r" is its beginning
		{"e\u0301!", "é!", []int32{0, 0, 3}},
		{"½", "1⁄2", []int32{0, 0, 0, 0, 0}},
		{"a\u00adb", "ab", []int32{0, 3}},
		{"é", "é", []int32{0, 1}}, // in no rule
	} {
		got := normalize(spanOf(tt.text))
		if got.text != tt.want || !slices.Equal(got.from, tt.from) {
			t.Errorf("%q: %q from %v, want %q from %v", tt.text, got.text, got.from, tt.want, tt.from)
		}
	}
}

func TestPatternsInUnicode(t *testing.T) {
	for _, tt := range []struct{ pattern, text, want string }{
		{`\s`, "a\u00a0b\u0085c\vd", "\u00a0|\u0085|\v"},
		{`\d+`, "1२x", "1२"},
		{`\w+`, "né_1-ⓐⅣ", "né_1|ⓐⅣ"},
		{`[^\s\w]+`, "a, b…", ",|…"},
		{`a.`, "a\nab", "ab"},
		{`(?i:ab)`, "AbaB", "Ab|aB"},
		// The last blank before a word goes with the word, which is not matched here.
		{`x|\s+(?!\S)|\s+`, "x   y  ", "x|  | |  "},
		{`x|\s+(?!\S)|\s`, "x \u3000y", "x| |\u3000"},
		{`\\+|\-`, `a\\-`, `\\|-`},
	} {
		find, err := compile(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		var got []string
		for text := tt.text; ; {
			start, end := find(text)
			if start < 0 {
				break
			}
			got = append(got, text[start:end])
			text = text[end:]
		}
		if want := strings.Split(tt.want, "|"); !slices.Equal(got, want) {
			t.Errorf("%s in %q: %q, want %q", tt.pattern, tt.text, got, want)
		}
	}
}

// The scanners of well-known patterns must find what the patterns find.
func TestScannersAreTheirPatterns(t *testing.T) {
	texts, _ := referenceCases(t)
	for _, pattern := range []string{
		gpt2,
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
	} {
		scanner, err := compile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		// A group around it keeps it from being recognised.
		expression, err := compile("(?:\\x{E000})|" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range append(texts, strings.Join(texts, " \n")) {
			for rest := text; rest != ""; {
				_, a := scanner(rest)
				start, b := expression(rest)
				if start != 0 || a != b {
					t.Fatalf("%.20s: %q ends at %d, the scanner says %d", pattern, rest, b, a)
				}
				rest = rest[a:]
			}
		}
	}
}
