package indexing

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestEachByteOfALineIsReadOnce scans pages that take hours where a line, or a definition,
// is read anew for each sign in it or under it: then the test's own limit ends it.
func TestEachByteOfALineIsReadOnce(t *testing.T) {
	t.Parallel()
	const n = 2 << 20
	rep := strings.Repeat
	for _, tt := range []struct {
		name, text string
		kinds      []kind
	}{
		{"list signs", rep("- ", n) + "a", []kind{kindList}},
		{"list signs, two in turn", rep("- * ", n) + "a", []kind{kindList}},
		{"list signs before tabs", rep("-\t", n) + "a", []kind{kindList}},
		{"list signs before a sign of quotation", rep("- ", n) + "> - a", []kind{kindList}},
		{"list signs before spaces", rep("- ", n) + "a" + rep(" ", n), []kind{kindList}},
		{"list signs and underscores", rep("+ ", n) + rep("_ ", n) + "a", []kind{kindList}},
		{"a rule", rep("- ", n), []kind{kindRule}},
		{"a rule in a list", rep("+ ", n) + rep("* ", n), []kind{kindList}},
		{"a definition over underlines", "[" + rep("a", n) + "]: b\n" + rep("=\n", n), []kind{kindParagraph}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var kinds []kind
			for _, b := range scanBlocks(tt.text) {
				kinds = append(kinds, b.kind)
			}
			if !slices.Equal(kinds, tt.kinds) {
				t.Errorf("kinds %v, not %v", kinds, tt.kinds)
			}
		})
	}
}

// TestWhiteSpaceAtTheEndIsReadOnce cuts two million characters of white space, each a
// token that may stand with no other.
func TestWhiteSpaceAtTheEndIsReadOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("what it does is of one goroutine: the full run has this test")
	}
	t.Parallel()
	text := "ab" + strings.Repeat("\f", 2<<20)
	s := splitter{tokens: &tokens{text: text, starts: byteTokens{}.Starts(text)}, limit: 1}
	cuts := s.hard(nil, 0, len(text), 1)
	if len(cuts) != len(text)-1 || cuts[0] != 1 || cuts[len(cuts)-1] != len(text)-1 {
		t.Errorf("%d cuts of %d tokens, the first at %d", len(cuts), len(text), cuts[0])
	}
}

// TestFormulasThatNothingClosesAreReadOnce finds the formulas among as many signs of
// formulas that nothing closes.
func TestFormulasThatNothingClosesAreReadOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does everything: the full run has this test")
	}
	t.Parallel()
	const n = 300_000
	if found := formulas(strings.Repeat(`\( $a$ `, n)); len(found) != n {
		t.Errorf("%d formulas, not %d", len(found), n)
	}
}

// Property: where a line is no rule, none begins on the way that was read, and the sign
// behind that is read on its own.
func TestNoRuleBeginsWhereOneWasSoughtInVain(t *testing.T) {
	t.Parallel()
	sign := rapid.SampledFrom([]string{"-", "*", "_", "+", ">", "1.", " ", "\t", "a"})
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"-", "*", "_", "a"}).Draw(t, "first") +
			strings.Join(rapid.SliceOfN(sign, 0, 12).Draw(t, "line"), "")
		read, ok := rule(line)
		if ok {
			return
		}
		for i := range read {
			if strings.ContainsRune("-*_", rune(line[i])) && plainRule(line[i:]) {
				t.Fatalf("%q is a rule from byte %d on, and was read up to %d", line, i, read)
			}
		}
	})
}

// plainRule is isRule by its definition (CommonMark 4.1).
func plainRule(line string) bool {
	signs := strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, line)
	return len(signs) >= 3 && strings.Trim(signs, signs[:1]) == "" && strings.ContainsRune("-*_", rune(signs[0]))
}

// Property: formulas are found as one search finds them.
func TestFormulasAreThoseOfThePattern(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{`\(`, `\)`, `\[`, `\]`, "$", "$$", "a", " ", "5", "\n", `\`, "(", ")", "{"})
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(piece, 0, 24).Draw(t, "body"), "")
		if got, want := formulas(body), mathPattern.FindAllStringIndex(body, -1); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%q: %v, not %v", body, got, want)
		}
	})
}
