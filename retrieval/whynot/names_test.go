package whynot

import (
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
)

// What comes or goes is named with its page: a corpus may have many sections of one name. A page
// that is called as its section is stands there once.
func TestShiftsAreNamedWithTheirPages(t *testing.T) {
	shifts := []retrieval.Shift{
		{Title: "git-log(1)", Heading: "OPTIONS"},
		{Title: "Merges — The Site", Name: "Merges", Heading: "Merges"},
		{SourceURL: "https://x.example/", Heading: "Alone"},
		{Title: "Untitled section"},
	}
	want := "git-log(1) › OPTIONS, Merges, Alone, Untitled section"
	if got := NameShifts(shifts, 4).String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for name, want := range map[string]string{"Merges ¶2": "Merges ¶2", "Undoing ¶2": "Merges › Undoing ¶2"} {
		if got := onPage("Merges", name); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
