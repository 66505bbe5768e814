package ui

import "testing"

// What happens in the background once a section is selected.
func BenchmarkExplain(b *testing.B) {
	d := openGuide(b, 150, 42, "hybrid", "how does depth decay change the ranking", "")
	it, p := d.m.session.Examination().Item, d.m.session.Params()
	b.Run("cosines", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.m.session.Corpus().Cosines.Cosines(b.Context(), d.m.session.Query(), nil, it); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("turns", func(b *testing.B) {
		ev := d.m.session.Evidence()
		for b.Loop() {
			ev.RankBreakpoints(p, it.ChunkID, nil)
		}
	})
	b.Run("draw", func(b *testing.B) {
		for b.Loop() {
			d.m.score.Redraw()
			d.m.score.Lines()
		}
	})
}
