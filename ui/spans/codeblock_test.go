package spans

import (
	"strings"
	"testing"
)

func TestLongCodeLinesKeepTheirIndentation(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"line", "```\nif a:\n    return first_of(some, arguments)\nend\n```", `  if a:
      return
        first_of(
        some,
        arguments)
  end`},
		{"long word", "```\nx = a.module.with.a.long.path()\n```", `  x =
    a.module.with.a.
    long.path()`},
		{"in an item", "- item\n\n  ```\n  one two three four\n  ```", `• item
    one two three
      four`},
		{"in a quote", "> ```\n> one two three four\n> ```", `|
|   one two three
|     four`},
		{"blanks at the end", "```\none two three four  five  \nx\n```", `  one two three four
    five
  x`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := render(t, tt.text, Options{Width: 24, Theme: themes["notty"]})
			var got []string
			for _, l := range r.PlainLines(0, r.Height()) {
				got = append(got, strings.TrimPrefix(l, "  ")) // the document's margin
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("shown as\n%s\nwant\n%s", strings.Join(got, "\n"), tt.want)
			}
		})
	}
}

func TestWordsOfCodeThatArePartedAreFound(t *testing.T) {
	t.Parallel()
	const text = "```\nx = a.module.with.a.long.path()\n```"
	r := render(t, text, Options{Width: 18, Theme: themes["dark"]})
	if got := r.Find("with.a.long"); len(got) != 1 || got[0].Start != at(t, text, "with", 0).Start {
		t.Errorf("found %v", got)
	}
}
