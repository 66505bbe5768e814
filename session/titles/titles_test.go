package titles

import (
	"slices"
	"testing"
)

// The name of a site is no part of what tells its pages apart; of two sites in a
// corpus, each has its own.
func TestSharedSuffixes(t *testing.T) {
	all := []string{
		"heapq — Heap queue algorithm — Python documentation", "queue — A queue — Python documentation", "Glossary — Python documentation",
		"2.3. Clustering — learn 1.2", "Trees — learn 1.2", "Linear — models — learn 1.2",
		"alone - by itself", "",
	}
	found := SharedSuffixes(all)
	if want := (Suffixes{" — Python documentation", " — learn 1.2"}); !slices.Equal(found, want) {
		t.Fatalf("got %q, want %q", found, want)
	}
	for i, want := range []string{"heapq — Heap queue algorithm", "queue — A queue", "Glossary", "2.3. Clustering", "Trees", "Linear — models", "alone - by itself", ""} {
		if got := found.Strip(all[i]); got != want {
			t.Errorf("%q: got %q, want %q", all[i], got, want)
		}
	}
	if got := (Suffixes{" — x"}).Strip(" — x"); got == "" {
		t.Error("nothing is left of a title")
	}
	found = SharedSuffixes([]string{"Loops (A Manual (version 7.3.0))", "Basics (A Manual (version 7.3.0))", "f (x) (A Manual (version 7.3.0))", "log(1)", "(1)", ")"})
	if want := (Suffixes{" (A Manual (version 7.3.0))"}); !slices.Equal(found, want) || found.Strip("f (x) (A Manual (version 7.3.0))") != "f (x)" {
		t.Errorf("in parentheses, got %q, want %q", found, want)
	}
	if got := SharedSuffixes([]string{"a | b", "c | b"}); len(got) > 0 {
		t.Errorf("two titles make %q the name of a site", got)
	}
}
