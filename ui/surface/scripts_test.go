package surface

import (
	"testing"
	"unicode/utf8"
)

func TestEveryLetterHasItsGlyph(t *testing.T) {
	t.Parallel()
	for plain, glyphs := range map[string]string{plainRaised: raised, plainLowered: lowered} {
		if a, b := utf8.RuneCountInString(plain), utf8.RuneCountInString(glyphs); a != b {
			t.Errorf("%d letters, %d glyphs: %s / %s", a, b, plain, glyphs)
		}
	}
	if got := superscript("T") + superscript("n−1") + subscript("max") + superscript("Q"); got != "ᵀⁿ⁻¹ₘₐₓ^Q" {
		t.Error(got)
	}
}
