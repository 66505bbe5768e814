package spans

import (
	"strings"
	"testing"

	"charm.land/glamour/v2/ansi"
)

// TestFormulas writes code as ‹…› and displayed code behind a blank line.
func TestFormulas(t *testing.T) {
	t.Parallel()
	theme := ansi.StyleConfig{
		Code: ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: "‹", Suffix: "›"}},
		Emph: ansi.StylePrimitive{Format: "<{{.text}}>"},
	}
	for _, tt := range []struct{ name, text, want string }{
		{"in text", `with $x_1$ and $y*z*$.`, "with ‹x_1› and ‹y*z*›."},
		{"in brackets and emphasis", `($x$) *$y$*, "$z$"`, `(‹x›) ‹y›, "‹z›"`},
		{"over lines", "a $x +\ny$ b", "a ‹x + y› b"},
		{"money", "costs $5 and $6, or *6* more", "costs $5 and $6, or <6> more"},
		{"money with slash", "$5/$6 *x*", "$5/$6 <x>"},
		{"variables", "$HOME/$USER and US$5 or $a", "$HOME/$USER and US$5 or $a"},
		{"escaped", `\$x$ and $a \$ b$`, "$x$ and ‹a \\$ b›"},
		{"blank inside", "$ x$ and $y $", "$ x$ and $y $"},
		{"empty", "$$ and $", "$$ and $"},
		{"in code", "`$x$` and `a$` b$", "‹$x$› and ‹a$› b$"},
		{"backquotes inside", "$`x`$", "‹`x`›"},
		{"two signs in text", "so $$ a_1 $$ holds", "so ‹a_1› holds"},
		{"block", "by\n$$\\max_1$$\nwith", "by\n\n\\max_1\n\nwith"},
		{"block of lines", "$$\na\n- b\n= c\n$$\n\nafter", "a\n- b\n= c\n\nafter"},
		{"block that ends in its line", "$$a\n  b$$\n\nafter", "a\nb\n\nafter"},
		{"text behind the end", "$$a_1$$ holds", "‹a_1› holds"},
		{"two in a line", "$$a$$ and $$b$$", "‹a› and ‹b›"},
		{"not closed", "$$a\n\n*b*", "$$a\n\n<b>"},
		{"closed behind an empty line", "$$\na\n\n*b*\n$$", "$$ a\n\n<b> $$"},
		{"quoted", "> $$\n> a_1\n> $$\n\nafter", "a_1\n\nafter"},
		{"quote that ends first", "> $$\n\na $$", "$$\n\na $$"},
		{"empty block", "$$\n$$\n\nafter", "after"},
		{"too long", "$x " + strings.Repeat("y ", maxInlineMath) + "z$ *b*", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := render(t, tt.text, Options{Width: 60, Theme: theme})
			got := strings.Join(r.PlainLines(0, r.Height()), "\n")
			if tt.want == "" {
				if strings.Contains(got, "‹") || !strings.Contains(got, "<b>") {
					t.Errorf("shown as %q, want no formula", got)
				}
				return
			}
			if got != tt.want {
				t.Errorf("shown as\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

// Each sign could begin a formula that ends at the end of the text.
func TestManySignsAreReadInLinearTime(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("$a ", maxBytes/3)
	if got := render(t, text, Options{Width: 80, Theme: themes["notty"]}).PlainLines(0, 1)[0]; !strings.HasPrefix(strings.TrimSpace(got), "$a $a") {
		t.Errorf("shown as %q", got)
	}
}
