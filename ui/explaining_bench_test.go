package ui

import "testing"

// What happens in the background once a section is selected.
func BenchmarkExplain(b *testing.B) {
	d := openGuide(b, 150, 42, "hybrid", "how does depth decay change the ranking", "")
	it, p := d.session().Examination().Item, d.session().Params()
	b.Run("cosines", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.session().Corpus().Cosines.Cosines(b.Context(), d.session().Query(), nil, it); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("turns", func(b *testing.B) {
		ev := d.session().Evidence()
		for b.Loop() {
			ev.RankBreakpoints(p, it.ChunkID, nil)
		}
	})
	b.Run("draw", func(b *testing.B) {
		for b.Loop() {
			d.score().Redraw()
			d.score().Lines()
		}
	})
}
