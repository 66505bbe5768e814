package words

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func scanAll(text string) []string {
	var s Scanner
	s.Reset(text)
	var out []string
	for s.Next() {
		word := string(s.Word())
		if s.Dense() {
			word = "~" + word
		}
		out = append(out, word)
	}
	return out
}

func TestScanner(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"no words", " ,.🙂\n", nil},
		{"lower case, digits, apostrophes", "Don't PANIC_42", []string{"don", "t", "panic", "42"}},
		{"compatibility forms", "Café ﬁle №5 ＡＢ", []string{"café", "file", "no5", "ab"}},
		{"composed and decomposed", "e\u0301té", []string{"été"}},
		{"an invalid byte separates", "abc\xffdef", []string{"abc", "def"}},
		{"a mark belongs to its word", "x\u0304y", []string{"x\u0304y"}},
		{"bigrams", "検索エンジン", []string{"~検索", "~索エ", "~エン", "~ンジ", "~ジン"}},
		{"a lone rune", "の a", []string{"~の", "a"}},
		{"a lone rune at the end", "a の", []string{"a", "~の"}},
		{"scripts split", "PDF変換2回", []string{"pdf", "~変換", "2", "~回"}},
		{"dense runs split at spaces", "検索 検", []string{"~検索", "~検"}},
		{"marks in a dense run", "กิน", []string{"~กิ", "~ิน"}},
		{"a long word", strings.Repeat("é", 70) + " b", []string{strings.Repeat("é", 64), "b"}},
		{"a long ASCII word", strings.Repeat("a", 70) + "!b", []string{strings.Repeat("a", 64), "b"}},
	} {
		if got := scanAll(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// reference is the definition, written without regard for speed.
func reference(text string) []string {
	const none, plain, dense = 0, 1, 2
	var out []string
	var run []rune
	kind := none
	flush := func() {
		switch {
		case kind == plain:
			out = append(out, string(run[:min(len(run), MaxRunes)]))
		case kind == dense && len(run) == 1:
			out = append(out, "~"+string(run))
		case kind == dense:
			for i := range len(run) - 1 {
				out = append(out, "~"+string(run[i:i+2]))
			}
		}
		run = nil
	}
	for _, r := range strings.ToLower(norm.NFKC.String(strings.ToValidUTF8(text, "\uFFFD"))) {
		next := none
		switch {
		case !unicode.In(r, unicode.L, unicode.M, unicode.Nd):
		case unicode.Is(unicode.M, r) && kind != none:
			next = kind
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			next = dense
		default:
			next = plain
		}
		if next != kind {
			flush()
		}
		kind = next
		if kind != none {
			run = append(run, r)
		}
	}
	flush()
	return out
}

func TestScannerFollowsItsDefinition(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"a", "B", "é", "e\u0301", "\u0301", "9", "٣", " ", "'", "-", "\xff", "ﬁ", "№", "検", "の", "タ", "ー", "ก", "ิ", "ຂ", "ក", "မ",
		"ß", "İ", "ǅ", "Ω", "🙂", "\u200d", "\uFFFD", "한", "²",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 90).Draw(t, "text"), "")
		if got, want := scanAll(text), reference(text); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}

func FuzzScanner(f *testing.F) {
	f.Add("Café ﬁle №5 検索エンジン\xff a\u0301")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		if got, want := scanAll(text), reference(text); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}

func TestStopWordsAndStems(t *testing.T) {
	for _, word := range []string{"a", "don", "t", "yourselves", "the"} {
		if !IsStop([]byte(word)) {
			t.Errorf("%q is no stop word", word)
		}
	}
	for word, stem := range map[string]string{"retrieval": "retriev", "chunks": "chunk", "dying": "die", "são": "são"} {
		if IsStop([]byte(word)) {
			t.Errorf("%q is a stop word", word)
		}
		if got := Stem([]byte(word)); got != stem {
			t.Errorf("stem of %q is %q, want %q", word, got, stem)
		}
	}
}
