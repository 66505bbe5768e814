package postgres_test

import (
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// Without a scope the index finds nearly all of the nearest passages, with the
// settings of the system under study and vectors that lean to one side as those
// of models do. The safe search, which compares so few passages one by one, is
// held to the same with more of them.
func TestTheIndexFindsNearlyAll(t *testing.T) {
	t.Parallel()
	c := newCorpus(t, pgtest.Database(t), 20, 96, "")
	s := c.open(t, nil)
	var exact, system tally
	for n := range 25 {
		want := exact.search(t, s, c.spec(n, store.Search{Exact: true}), nil)
		system.search(t, s, c.spec(n, store.Search{Policy: store.PolicySystem, Explain: true}), want)
	}
	if exact.found != 25*limit || system.found != exact.found {
		t.Errorf("found %d and %d rows, want %d", exact.found, system.found, 25*limit)
	}
	if r := system.recall(); r < 1-missedBudget {
		t.Errorf("recall is %.3f", r)
	}
	if system.unused > 0 {
		t.Errorf("%d searches did not use the index", system.unused)
	}
}
