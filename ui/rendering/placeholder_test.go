package rendering

import (
	"testing"
	"unicode/utf8"
)

func TestPlaceholder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"## Depth *decay*\n\nA **page** and `code`.\n", "Depth decay\n\nA page and code.\n"},
		{"#hashtag and ####### seven", "#hashtag and ####### seven\n"},
		{"- one\n  * two\n1. three", "- one\n  - two\n1. three\n"},
		{"> > quoted\n> on", "    quoted\n  on\n"},
		{"see [the guide](https://x.y/a_(b)) or ![a cat](cat.png) [1]", "see the guide or a cat [1]\n"},
		{"| a | b\\|c |\n| --- | :-: |\n| `d` | e |", "a    b|c \nd    e \n"},
		{"```go\nx := *y // [a](b)\n```\nafter", "  x := *y // [a](b)\nafter\n"},
		{"~~~\n```\n~~~\nafter", "  ```\nafter\n"},
		{`1\. a\_b \\ c:\d`, `1. a_b \ c:\d` + "\n"},
		{"[open](never [closed", "open(never [closed\n"},
		{"", ""},
	} {
		if got := Placeholder(c.text); got != c.want {
			t.Errorf("%q stands in as %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzPlaceholder(f *testing.F) {
	f.Add("# a\n> - [b](c) ![d](e) `f` \\* | g |\n```\nh\n```")
	f.Add("](((")
	f.Fuzz(func(t *testing.T, text string) {
		got := Placeholder(text)
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q stands in as %q", text, got)
		}
	})
}
