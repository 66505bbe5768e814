package judgment

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

// oneSection is a page of one section.
func oneSection(text string) []store.Chunk { return []store.Chunk{{ID: "only", ChunkText: text}} }

func TestLocate(t *testing.T) {
	t.Parallel()
	const text = "Search returns  children.\nChildren lift\u00a0to parents. Children lift."
	for _, c := range []struct {
		name, quote        string
		start, end         int
		state              State
		wantStart, wantEnd int
	}{
		{"where it stood", "Search returns", 0, 14, Exact, 0, 14},
		{"over white space of other kinds", "children. Children lift to", 16, 42, Exact, 16, 42},
		{"with the white space around it", "Children", 25, 35, Exact, 26, 34},
		{"elsewhere, once", "returns children.", 3, 20, Moved, 7, 25},
		{"where it stood, and elsewhere, too", "Children lift", 52, 65, Exact, 52, 65},
		{"twice, nearer to the second", "Children lift", 50, 63, Ambiguous, 52, 65},
		{"twice, nearer to the first", "Children lift", 38, 51, Ambiguous, 26, 39},
		{"nowhere", "parents lift", 0, 12, Orphaned, 0, 0},
		{"in other letters", "search returns", 0, 14, Orphaned, 0, 0},
		{"beyond the page", "Children lift.", 900, 914, Moved, 52, 66},
	} {
		p, state := locate(layOut(oneSection(text)), []byte(c.quote), c.start, c.end)
		if state != c.state || p.start != c.wantStart || p.end != c.wantEnd {
			t.Errorf("%s: %+v, state %d, want %d from %d to %d", c.name, p, state, c.state, c.wantStart, c.wantEnd)
		}
	}
}

func TestSectionsAreOneText(t *testing.T) {
	t.Parallel()
	page := layOut([]store.Chunk{
		{ID: "a", CharStart: 2, ChunkText: "One ends here. "}, {ID: "b", CharStart: 17, ChunkText: "Two begins"}, {ID: "c", CharStart: 30, ChunkText: "after a gap."},
	})
	for quote, want := range map[string]place{
		"here. Two":      {start: 11, end: 20},
		"begins after a": {start: 21, end: 37},
		"One ends":       {start: 2, end: 10},
	} {
		if p, state := locate(page, []byte(quote), want.start, want.end); state != Exact || p != want {
			t.Errorf("%q: %+v, state %d, want %+v", quote, p, state, want)
		}
	}
	// In a table of passages each begins at 0.
	page = layOut([]store.Chunk{{ID: "a", ChunkText: "the same and more"}, {ID: "b", ChunkText: "other"}, {ID: "c", ChunkText: "the same"}})
	for _, c := range []struct {
		quote string
		state State
		want  place
	}{
		{"other", Exact, place{"b", 0, 5}},
		{"the same", Ambiguous, place{"a", 0, 8}},
		{"and more", Moved, place{"a", 9, 17}},
		{"more other", Orphaned, place{}},
	} {
		if p, state := locate(page, []byte(c.quote), 0, len(c.quote)); state != c.state || p != c.want {
			t.Errorf("%q: %+v, state %d, want %+v", c.quote, p, state, c.want)
		}
	}
}

// What stands before a quote moves it, by as much as it is long.
func TestAnInsertedTextMovesAQuote(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringMatching(`[a-zé漢 \n\t]{0,60}`)
		before, after, inserted := words.Draw(t, "before"), words.Draw(t, "after"), words.Draw(t, "inserted")
		const quote = "The QUOTE\n itself"
		start := len([]rune(before))
		end := start + len([]rune(quote))
		p, state := locate(layOut(oneSection(before+quote+after)), []byte(collapse(quote)), start, end)
		if state != Exact || p.start != start || p.end != end {
			t.Fatalf("state %d, %+v, want %d to %d", state, p, start, end)
		}
		p, state = locate(layOut(oneSection(inserted+before+quote+after)), []byte(collapse(quote)), start, end)
		want, by := Moved, len([]rune(inserted))
		if by == 0 {
			want = Exact
		}
		if state != want || p.start != start+by || p.end != end+by {
			t.Fatalf("state %d, %+v, want it moved by %d", state, p, by)
		}
	})
}
