package store

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestQuoteIsFolded(t *testing.T) {
	for text, want := range map[string]string{
		" An  ÜBERBAUM\n\tstands ": "an überbaum stands",
		"a\u00a0b\u3000c":          "a b c",
		" \n":                      "",
		"":                         "",
		"\xff":                     "\ufffd",
	} {
		if q, ok := NewQuote(text); q.String() != want || ok != (want != "") {
			t.Errorf("NewQuote(%q) = %q, %v, want %q", text, q, ok, want)
		}
	}
}

func TestQuoteWithin(t *testing.T) {
	for text, want := range map[string]string{
		"dient boosting builds tre": " boosting builds",
		"boosting builds":           "",
		"builds":                    "",
		"a max_depth: b":            " max_depth:",
	} {
		if q, _ := NewQuote(text); q.Within() != want {
			t.Errorf("within %q stands %q, want %q", text, q.Within(), want)
		}
	}
}

// The page is "One  two three": code points 0 to 14, of which 9 is a white space
// that belongs to no parent.
func TestPassagesOfAQuote(t *testing.T) {
	parents := []Chunk{{ChunkText: "One  two", CharStart: 0}, {ChunkText: "three", CharStart: 9}}
	q, _ := NewQuote("ONE two Three")
	found := q.Passages(parents)
	if !slices.Equal(found, Passages{{0, 14}}) {
		t.Fatalf("passages are %v", found)
	}
	for _, c := range []struct {
		start, end  int
		some, whole bool
	}{{0, 14, true, true}, {0, 8, true, false}, {9, 14, true, false}, {14, 20, false, false}, {13, 20, true, false}, {0, 0, false, false}} {
		if some, whole := found.Meet(c.start, c.end); some != c.some || whole != c.whole {
			t.Errorf("from %d to %d: some %v, whole %v, want %v, %v", c.start, c.end, some, whole, c.some, c.whole)
		}
	}
}

// Whatever a page is cut into, a quote taken from it is found where it was taken,
// if it does not begin or end with white space.
func TestQuotesOfAPageAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []rune(rapid.StringOfN(rapid.RuneFrom([]rune("aAbÜüİK \n日🙂%")), 1, 60, -1).Draw(t, "text"))
		var parents []Chunk
		for at := 0; at < len(text); {
			n := rapid.IntRange(1, len(text)-at).Draw(t, "length")
			parents = append(parents, Chunk{ChunkText: string(text[at : at+n]), CharStart: at, CharEnd: at + n})
			at += n
		}
		start := rapid.IntRange(0, len(text)-1).Draw(t, "start")
		end := rapid.IntRange(start+1, len(text)).Draw(t, "end")
		quoted := string(text[start:end])
		if strings.TrimSpace(quoted) != quoted {
			return
		}
		q, ok := NewQuote(strings.ToUpper(quoted))
		if folded := Fold(quoted); !ok || q.String() != folded {
			return // upper case is not the same letters
		}
		found := q.Passages(parents)
		if len(found) == 0 {
			t.Fatalf("%q is not found in %q", quoted, string(text))
		}
		if utf8.RuneCountInString(quoted) == len(text) && !slices.Equal(found, Passages{{0, len(text)}}) {
			t.Fatalf("the whole page is at %v", found)
		}
		for _, p := range found {
			if Fold(string(text[p.start:p.end])) != q.String() {
				t.Fatalf("%q is found as %q", q, string(text[p.start:p.end]))
			}
			if some, whole := found.Meet(p.start, p.end); !some || !whole {
				t.Fatalf("a chunk like the passage %v does not meet it", p)
			}
			if some, _ := found.Meet(p.start, p.start); some {
				t.Fatalf("an empty chunk meets the passage %v", p)
			}
		}
	})
}
