package view

import "testing"

func TestTheLatestAreKept(t *testing.T) {
	var l Latest[int]
	for i, id := range []string{"a", "b", "a", "c"} {
		l.Keep(id, i, 2)
	}
	if _, ok := l.Of("a"); ok {
		t.Error("the one that came first is kept")
	}
	for id, want := range map[string]int{"b": 1, "c": 3} {
		if got, ok := l.Of(id); !ok || got != want {
			t.Errorf("%s is %d, %v, want %d", id, got, ok, want)
		}
	}
	if l.Keep("b", 9, 2); l.byID["b"] != 9 || len(l.oldest) != 2 {
		t.Errorf("put again, there are %v of %v", l.byID, l.oldest)
	}
}
