package postgres

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

// Wherever a quote is, the condition that looks for candidates holds: whatever the
// letters are, and also where a run goes from one section into the next.
func TestCandidatesHoldEveryQuote(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, ownSchema()+vectors3), Options{}))
	letters := rapid.RuneFrom([]rune("aAbkKKiIİıüÜßẞжЖσςΣ日🙂_%\\'\" \n\u00a0"))
	rapid.Check(t, func(rt *rapid.T) {
		sections := rapid.SliceOfN(rapid.StringOfN(letters, 1, 12, -1), 1, 3).Draw(rt, "sections")
		var page []store.Chunk
		at := 0
		for _, text := range sections {
			at += rapid.SampledFrom([]int{0, 0, 1}).Draw(rt, "gap")
			page = append(page, store.Chunk{ChunkText: text, CharStart: at})
			at += utf8.RuneCountInString(text)
		}
		whole := []rune(strings.Join(sections, ""))
		from := rapid.IntRange(0, len(whole)-1).Draw(rt, "from")
		quote, ok := store.NewQuote(string(whole[from:rapid.IntRange(from+1, len(whole)).Draw(rt, "to")]))
		if !ok {
			return
		}
		var p params
		condition := mayHold(&p, "page", quote)
		var holds bool
		if err := v.reading.Tx().QueryRow(t.Context(), "SELECT "+condition+" FROM (SELECT "+p.add(string(whole))+"::text AS page) s", p...).Scan(&holds); err != nil {
			rt.Fatal(err)
		}
		if len(quote.Passages(page)) > 0 && !holds {
			rt.Fatalf("%q is in %q, and %s denies it", quote, sections, condition)
		}
	})
}

// A candidate is one for a reason: what has none of the quote's words is not read.
func TestCandidatesAreFew(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, ownSchema()+vectors3), Options{}))
	for _, c := range []struct {
		text, quote string
		want        bool
	}{
		{"An ÜBERBAUM stands", "überbaum", true},
		{"An ÜBERBAUM stands", "Überbaum  stands", true},
		{"an überbaum", "überbaum stands", false},
		{"overbaum", "überbaum", false},
		{"", "überbaum", false},
		{"Ü", "ü", true},
		{"u", "ü", false},
		{"100 % sicher", "100_%", false},
		{"ДОМ 5", "дом 5", true},
		{"5", "дом 5", false},
	} {
		quote, _ := store.NewQuote(c.quote)
		var p params
		condition := mayHold(&p, "page", quote)
		var holds bool
		err := v.reading.Tx().QueryRow(t.Context(), "SELECT "+condition+" FROM (SELECT "+p.add(c.text)+"::text AS page) s", p...).Scan(&holds)
		if err != nil || holds != c.want {
			t.Errorf("%q may be in %q: %v, %v", c.quote, c.text, holds, err)
		}
	}
}

// Only letters that capitals knows become ASCII letters when they are made small.
func TestLettersThatBecomeASCII(t *testing.T) {
	t.Parallel()
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if l := unicode.ToLower(r); l < utf8.RuneSelf {
			if from, _ := capitals([]string{string(l)}); !strings.ContainsRune(from, r) {
				t.Errorf("%U becomes %c", r, l)
			}
		} else if l != r && unicode.SimpleFold(l) == l {
			t.Errorf("%U becomes %U, which seems to have no other form", r, l)
		}
	}
}

func TestTermQuery(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, ownSchema()+vectors3), Options{}))
	for _, term := range []string{"tree", "'", `\`, `a'b\c`, "a & b", "a:*", "日本", "!x", `\'`} {
		var lexeme string
		var nodes int
		err := v.reading.Tx().QueryRow(t.Context(), "SELECT numnode($1::tsquery), array_to_string(tsvector_to_array(array_to_tsvector(ARRAY[$2::text])), '') FROM (SELECT 1) s WHERE array_to_tsvector(ARRAY[$2::text]) @@ $1::tsquery",
			quoteLexeme(term), term).Scan(&nodes, &lexeme)
		if err != nil || nodes != 1 || lexeme != term {
			t.Errorf("the query for %q has %d nodes and finds %q, %v", term, nodes, lexeme, err)
		}
	}
}
