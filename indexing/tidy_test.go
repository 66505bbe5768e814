package indexing

import "testing"

func TestAddressesHaveNoUser(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://user:secret@a.example/x?y=1#z": "https://a.example/x?y=1#z",
		"https://user@a.example":                "https://a.example",
		"https://us@er:p%zz@a.example/":         "https://a.example/",
		"https://a.example/@user":               "https://a.example/@user",
		"https://a.example?to=b@c":              "https://a.example?to=b@c",
		"file:docs/a@b.md":                      "file:docs/a@b.md",
		"mailto:a@b.example":                    "mailto:a@b.example",
		"":                                      "",
	} {
		if got := withoutUser(in); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}
