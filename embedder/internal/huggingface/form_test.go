package huggingface

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// Where package norm does as the standard says, the forms must be its own; runs of
// more than 30 marks are where it does not.
func TestFormsAreThoseOfTheStandard(t *testing.T) {
	runes := rapid.OneOf(rapid.RuneFrom(nil, unicode.M, unicode.L, unicode.Hangul), rapid.Rune(),
		rapid.SampledFrom([]rune("eéạ̈̂か゛゙ﾞｶ한한ſẛ̣ﬁ½Å가각ᆨ\u0344\u0f73\u0f71\u0f72\u09c7\u09be")))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(runes, 0, 25, -1).Draw(t, "text")
		for _, f := range []struct {
			ours form
			want norm.Form
		}{{nfc, norm.NFC}, {nfd, norm.NFD}, {nfkc, norm.NFKC}, {nfkd, norm.NFKD}} {
			got := f.ours.normalize(spanOf(text))
			if want := f.want.String(spanOf(text).text); got.text != want {
				t.Fatalf("%v of %+q:\n got %+q\nwant %+q", f.want, text, got.text, want)
			}
			if len(got.from) != len(got.text) || !slices.IsSorted(got.from) {
				t.Fatalf("%+q: origins %v", text, got.from)
			}
		}
	})
}

func TestFormsKeepOrigins(t *testing.T) {
	for _, tt := range []struct {
		f          form
		text, want string
		from       []int32
	}{
		{nfc, "ae\u0301b", "aéb", []int32{0, 1, 1, 4}},
		{nfd, "aéb", "ae\u0301b", []int32{0, 1, 1, 1, 3}},
		{nfc, "éb", "éb", []int32{0, 1, 2}}, // as it was: byte by byte
		{nfkc, "½", "1⁄2", []int32{0, 0, 0, 0, 0}},
		{nfc, "한", "한", []int32{0, 1, 2}},
		// Marks of one class keep their order, others are sorted: below comes first.
		{nfd, "a\u0301\u0323", "a\u0323\u0301", []int32{0, 1, 1, 1, 2}},
	} {
		got := tt.f.normalize(spanOf(tt.text))
		if got.text != tt.want || !slices.Equal(got.from, tt.from) {
			t.Errorf("%+q: %+q from %v, want %+q from %v", tt.text, got.text, got.from, tt.want, tt.from)
		}
	}
	// No joiner in a long run of marks.
	long := "a" + strings.Repeat("\u0323", 100)
	if got := nfd.normalize(spanOf(long)); got.text != long {
		t.Errorf("%d marks became %+q", 100, got.text)
	}
}
