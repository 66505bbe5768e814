package flat

import (
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// Of one version the sums of the whole and of the last scope are kept.
func TestSums(t *testing.T) {
	t.Parallel()
	var s sums
	of := func(n int) scopeSums { return scopeSums{stats: store.Stats{Parents: n}, vectors: -1} }
	expect := func(version int64, key string, want int) {
		t.Helper()
		got, ok := s.get(version, key)
		if ok != (want >= 0) || ok && got.stats.Parents != want {
			t.Errorf("version %d of %q is %+v, %v, want %d", version, key, got, ok, want)
		}
	}
	expect(0, whole, -1)
	s.put(1, whole, of(10))
	s.put(1, "a", of(2))
	expect(1, whole, 10)
	expect(1, "a", 2)
	s.put(1, "b", of(3))
	expect(1, "a", -1)
	expect(1, "b", 3)
	expect(1, whole, 10)
	expect(2, whole, -1)
	s.put(2, "b", of(4))
	expect(2, "b", 4)
	expect(2, whole, -1)
	expect(1, "b", -1)
}
