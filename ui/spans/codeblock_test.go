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

// A paragraph that was wrapped by hand is wrapped anew where it is too wide; what has the form of
// code, of a table, a list or a log keeps its lines, and so does what has room.
func TestHardWrappedProseIsWrappedAnew(t *testing.T) {
	t.Parallel()
	const prose = "  The tree is read from the index into the work\n" +
		"  tree, and what is in both is left alone, since\n" +
		"  it may have been changed in the meantime.  Ask\n" +
		"  for it to be thrown away if that is meant.\n"
	for _, tt := range []struct{ name, text, want string }{
		{"prose", prose + "\n  Short.\n", `  The tree is read from the index into
  the work tree, and what is in both
  is left alone, since it may have
  been changed in the meantime. Ask
  for it to be thrown away if that is
  meant.

  Short.`},
		{"log", "The server has begun to listen on the port\nThe server has got the first of its requests\nThe server has sent the answer to the request\n", `The server has begun to listen on the
  port
The server has got the first of its
  requests
The server has sent the answer to the
  request`},
		{"commands", "take the first.file and put it into=there;\ntake the second_file and put it into=there\n", `take the first.file and put it
  into=there;
take the second_file and put it
  into=there`},
		{"columns", "name of the thing     what it is there for\nname of another one   what the other is for\n", `name of the thing     what it is there
  for
name of another one   what the other
  is for`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := render(t, "```\n"+tt.text+"```", Options{Width: 44, Theme: themes["notty"]})
			var got []string
			for _, l := range r.PlainLines(0, r.Height()) {
				got = append(got, strings.TrimPrefix(l, "    ")) // the margins
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("shown as\n%s\nwant\n%s", strings.Join(got, "\n"), tt.want)
			}
		})
	}
	wide := render(t, "```\n"+prose+"```", Options{Width: 80, Theme: themes["notty"]})
	if got := strings.Join(wide.PlainLines(0, wide.Height()), "\n"); !strings.Contains(got, "work\n") {
		t.Errorf("with room it is\n%s", got)
	}
	narrow := render(t, "```\n"+prose+"```", Options{Width: 44, Theme: themes["dark"]})
	if got := narrow.Find("the work tree, and"); len(got) != 1 {
		t.Errorf("over what was the end of a line, found %v", got)
	}
}
