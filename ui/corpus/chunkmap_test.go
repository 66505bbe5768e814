package corpus

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
)

func mapStyles(t *testing.T) *theme.Styles {
	t.Helper()
	s, err := theme.New("", theme.Options{Dark: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A page of 2,914 characters on 38 cells: 1,204 lies in cell 15.
func TestAPageIsDrawnToScale(t *testing.T) {
	c := &session.PageContent{
		Sections: []store.Chunk{{ID: "a", CharEnd: 1204}, {ID: "b", CharStart: 1204, CharEnd: 2914}},
		Children: [][]store.Chunk{
			{{ID: "a1", CharEnd: 600, Flags: store.HasTable}, {ID: "a2", CharStart: 600, CharEnd: 1204}},
			{{ID: "b1", CharStart: 1204, CharEnd: 2000, Flags: store.HasCode | store.HasMath}},
		},
	}
	m := mapOf(c, map[string]bool{"a2": true}, 38)
	if got := m.cellOf(1204); got != 15 {
		t.Errorf("1204 lies in cell %d, want 15", got)
	}
	got := ansi.Strip(strings.Join(m.draw(mapStyles(t), -1), "\n"))
	want := `├──────────────┼─────────────────────┤
┆      ████████▊                      
T              +                      `
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(flagLegend(m.flagsOf()), "  "); got != "T table  C code  M math  + several" {
		t.Errorf("legend %q", got)
	}
}

// The cells cut the page into pieces without gaps, and each child's cells lie
// within those of its section.
func TestTheCellsOfAMapPartitionThePage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &session.PageContent{}
		at := 0
		for range rapid.IntRange(1, 12).Draw(t, "sections") {
			at += rapid.IntRange(0, 3).Draw(t, "gap")
			s := store.Chunk{ID: "s", CharStart: at, CharEnd: at + rapid.IntRange(1, 400).Draw(t, "section")}
			var of []store.Chunk
			for range rapid.IntRange(0, 5).Draw(t, "children") {
				from := rapid.IntRange(s.CharStart, s.CharEnd-1).Draw(t, "from")
				of = append(of, store.Chunk{ID: "c", ParentID: "s", CharStart: from, CharEnd: rapid.IntRange(from+1, s.CharEnd).Draw(t, "to")})
			}
			c.Sections, c.Children = append(c.Sections, s), append(c.Children, of)
			at = s.CharEnd
		}
		w := rapid.IntRange(1, 200).Draw(t, "w")
		m := mapOf(c, nil, w)
		end := 0
		for i := range m.cells {
			from, to := m.rangeOf(i)
			if from != end || to < from {
				t.Fatalf("cell %d is [%d, %d), the one before ends at %d", i, from, to, end)
			}
			end = to
			for p := from; p < to; p++ {
				if m.cellOf(p) != i {
					t.Fatalf("%d lies in cell %d, but cell %d has [%d, %d)", p, m.cellOf(p), i, from, to)
				}
			}
		}
		if end != m.length {
			t.Fatalf("the cells end at %d of %d", end, m.length)
		}
		for i := range c.Sections {
			first, last := m.cellsOf(c.Sections[i].CharStart, c.Sections[i].CharEnd)
			for _, child := range c.Children[i] {
				from, to := m.cellsOf(child.CharStart, child.CharEnd)
				if from < first || to > last {
					t.Fatalf("a child has cells %d to %d, its section %d to %d", from, to, first, last)
				}
				if !m.cells[from].childBegins || !m.cells[to].child {
					t.Fatalf("the child in cells %d to %d is not drawn", from, to)
				}
			}
			if !m.cells[first].begins {
				t.Fatalf("section %d is not drawn", i)
			}
		}
		for _, line := range m.draw(&theme.Styles{}, rapid.IntRange(-1, len(c.Sections)).Draw(t, "current")) {
			if n := ansi.StringWidth(line); n > w {
				t.Fatalf("%d cells, want %d", n, w)
			}
		}
	})
}

func TestFlagsInWords(t *testing.T) {
	for f, want := range map[store.Flags]string{
		store.HasTable: "tables", store.HasTable | store.HasMath: "tables or math",
		store.HasCode | store.HasMath | store.HasImage: "code, math or more",
	} {
		if got := flagWords(f); got != want {
			t.Errorf("flags %v are %q, want %q", f, got, want)
		}
	}
}

// rangeOf are the code points [from, to) that a cell stands for.
func (m *chunkMap) rangeOf(cell int) (from, to int) {
	up := func(c int) int { return (c*m.length + len(m.cells) - 1) / len(m.cells) }
	return up(cell), up(cell + 1)
}
