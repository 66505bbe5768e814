package offset

import (
	"testing"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"pgregory.net/rapid"
)

func TestSnapWidensToWholeCharacters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		start, end int
		want       string
	}{
		{"already whole", "abc", 1, 2, "b"},
		{"half a flag", "a🇩🇪b", 1, 5, "🇩🇪"},
		{"second of two flags", "🇩🇪🇫🇷", 8, 12, "🇫🇷"},
		{"one of a family", "x👨‍👩‍👧y", 8, 12, "👨‍👩‍👧"},
		{"only the accent", "ae\u0301b", 2, 4, "e\u0301"},
		{"only the letter", "ae\u0301b", 1, 2, "e\u0301"},
		{"keycap", "1\uFE0F\u20E3 x", 0, 1, "1\uFE0F\u20E3"},
		{"inside a byte sequence", "日本", 1, 2, "日"},
		{"across two", "ab", 0, 2, "ab"},
		{"empty stays empty", "e\u0301", 1, 1, ""},
		{"reversed is empty", "abc", 2, 1, ""},
		{"outside the text", "abc", -3, 9, "abc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			from, to := Snap(tt.text, tt.start, tt.end)
			if got := tt.text[from:to]; got != tt.want {
				t.Errorf("Snap(%q, %d, %d) = %q, want %q", tt.text, tt.start, tt.end, got, tt.want)
			}
		})
	}
}

// Half a character at the end of a text and what is around it are one.
func TestSnapKeepsWhatIsBehindHalfACharacter(t *testing.T) {
	if from, to := Snap("a\xf0\x00\x00", 3, 4); from != 0 || to != 4 {
		t.Errorf("Snap = %d, %d, want 0, 4", from, to)
	}
}

func TestSnapAgreesWithSegmentingTheWholeText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		if text == "" {
			return
		}
		start := rapid.IntRange(0, len(text)-1).Draw(t, "start")
		end := rapid.IntRange(start+1, len(text)).Draw(t, "end")
		wantFrom, wantTo := -1, -1
		for g := graphemes.FromString(text); g.Next(); {
			if g.Start() <= start && start < g.End() {
				wantFrom = g.Start()
			}
			if g.Start() < end && end <= g.End() {
				wantTo = g.End()
			}
		}
		if from, to := Snap(text, start, end); from != wantFrom || to != wantTo {
			t.Fatalf("Snap(%d, %d) = %d, %d, want %d, %d", start, end, from, to, wantFrom, wantTo)
		}
	})
}
