package words

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPlaces(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Don't PANIC_42", "don[Don] t[t] panic[PANIC] 42[42]"},
		{"Café ﬁle №5 ＡＢ", "café[Café] file[ﬁle] no5[№5] ab[ＡＢ]"},
		{"e\u0301te\u0301 x", "été[e\u0301te\u0301] x[x]"},
		{"abc\xff\xfedef", "abc[abc] def[def]"},
		{"検索 エ a", "検索[検索] エ[エ] a[a]"},
		{"PDF変換2回", "pdf[PDF] 変換[変換] 2[2] 回[回]"},
		{"検索エ", "検索[検索] 索エ[索エ]"},
		{"の", "の[の]"},
		{"½", "1[½] 2[½]"},
	} {
		runes := make([]string, 0, len(tt.text))
		for i, r := range tt.text { // an invalid byte keeps its own value
			size := len(string(r))
			if r == '\uFFFD' {
				size = 1
			}
			runes = append(runes, tt.text[i:i+size])
		}
		var got []string
		for _, p := range Places(tt.text) {
			got = append(got, p.Word+"["+strings.Join(runes[p.Start:p.End], "")+"]")
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, s, tt.want)
		}
	}
}

// The places are those of the words that are hashed, in order and inside the text.
func TestPlacesAreTheScannersWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.String(),
			rapid.StringOfN(rapid.SampledFrom([]rune("abé ﬁ№½e\u0301\u0302\u0327ᄀ\u1161\u11a8検索กิ \n'")), 0, 40, -1),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 30), func(b []byte) string { return string(b) }),
		).Draw(t, "text")
		checkPlaces(t, text)
	})
}

func FuzzPlaces(f *testing.F) {
	for _, s := range []string{"", "Café ﬁle №5", "e\u0301", "abc\xffdef", "検索エンジン search", "각"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPlaces(t, text) })
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkPlaces(t failer, text string) {
	t.Helper()
	places := Places(text)
	var s Scanner
	s.Reset(text)
	n, before := 0, 0
	length := len([]rune(text))
	for ; s.Next(); n++ {
		if n >= len(places) || places[n].Word != string(s.Word()) || places[n].Dense != s.Dense() {
			t.Fatalf("%q: word %d is %q, places are %+v", text, n, s.Word(), places)
		}
		p := places[n]
		if p.Start < before || p.Start >= p.End || p.End > length {
			t.Fatalf("%q: %q is said to be at %d to %d of %d, after %d", text, p.Word, p.Start, p.End, length, before)
		}
		before = p.Start
	}
	if n != len(places) {
		t.Fatalf("%q: %d places for %d words", text, len(places), n)
	}
}
