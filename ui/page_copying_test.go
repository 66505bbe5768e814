package ui

import (
	"strings"
	"testing"
)

func TestCopyFromTheCorpusAndThePipeline(t *testing.T) {
	var got string
	guide := onGuide(t, "webrag", depthQuestion)
	with := func(o *Options, f *fakeCorpus) {
		guide(o, f)
		o.Clipboard = func(s string) error { got = s; return nil }
	}
	for _, c := range []struct{ keys, want string }{
		{"3 g y u", "file:guide/index.md"},
		{"3 g y t", "A guide to retrieval\nfile:guide/index.md\n"},
		{"2 y", "Floor  200 → 14\n"},
		{"2 tab y", "Borrowing a stage"},
	} {
		got = ""
		drive(t, 1, 120, 40, with, c.keys)
		if !strings.Contains(got, c.want) {
			t.Errorf("%q copies %q, want %q in it", c.keys, got, c.want)
		}
	}
	got = ""
	d := drive(t, 1, 120, 40, with, "3 g tab j y i")
	if id := sectionOn(d); id == "" || got != id {
		t.Errorf("copied %q, want the id of the section", got)
	}
	drive(t, 1, 120, 40, with, "3 g y i").mustShow("no section is selected")
}
