package chunkindex

import (
	"testing"

	"pgregory.net/rapid"
)

// An index finds what was added and lives, however often it was added to.
func TestIndex(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var x Index
		type pair struct {
			key    uint64
			number int32
		}
		live := make(map[pair]bool)
		var numbers int32
		for range rapid.IntRange(1, 30).Draw(rt, "rounds") {
			var added []Entry
			for range rapid.IntRange(0, 9).Draw(rt, "added") {
				key := rapid.Uint64Range(0, 20).Draw(rt, "key")
				added = append(added, Entry{key, Place{Number: numbers}})
				live[pair{key, numbers}] = true
				numbers++
			}
			for p := range live {
				if p.number%5 == int32(len(added)) {
					delete(live, p)
				}
			}
			isLive := func(number int32) bool {
				for p := range live {
					if p.number == number {
						return true
					}
				}
				return false
			}
			x = x.With(added, isLive)
		}
		for key := range uint64(21) {
			found := make(map[int32]bool)
			x.Find(key, func(p Place) bool {
				found[p.Number] = true
				return false
			})
			for p := range live {
				if p.key == key && !found[p.number] {
					rt.Fatalf("key %d: %d is not found", key, p.number)
				}
			}
			stop := 0
			x.Find(key, func(Place) bool { stop++; return true })
			if len(found) > 0 && stop != 1 {
				rt.Fatalf("find went on after true")
			}
		}
	})
}
