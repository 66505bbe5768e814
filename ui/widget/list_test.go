package widget

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var verbs = []Verb{0, Up, Down, HalfUp, HalfDown, PageUp, PageDown, Home, End, WheelUp, WheelDown}

func TestVerbsGoAsFarAsTheySay(t *testing.T) {
	for _, c := range []struct {
		verb              Verb
		page, rows, lines int
	}{
		{0, 10, 0, 0},
		{Down, 10, 1, 1},
		{Up, 10, -1, -1},
		{HalfDown, 10, 5, 5},
		{HalfUp, 11, -5, -5},
		{HalfDown, 1, 1, 1},
		{PageDown, 10, 10, 10},
		{PageUp, 10, -10, -10},
		{WheelDown, 10, 1, 3},
		{WheelUp, 10, -1, -3},
		// Where there are no pages, only the rest moves.
		{HalfDown, 0, 0, 0},
		{HalfUp, 0, 0, 0},
		{PageDown, 0, 0, 0},
		{Down, 0, 1, 1},
		{WheelUp, 0, -1, -3},
	} {
		if rows, lines := c.verb.Rows(c.page), c.verb.Lines(c.page); rows != c.rows || lines != c.lines {
			t.Errorf("verb %d goes %d rows and %d lines on pages of %d, want %d and %d", c.verb, rows, lines, c.page, c.rows, c.lines)
		}
	}
}

// Whatever a window is told, its first row is one that there is, and no line of it
// is empty while rows are hidden.
func TestPagerStaysFilled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Pager
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				p.Resize(rapid.IntRange(0, 20).Draw(t, "height"), rapid.IntRange(0, 60).Draw(t, "total"))
			case 1:
				p.Turn(rapid.SampledFrom(verbs).Draw(t, "verb"))
			case 2:
				p.Scroll(rapid.IntRange(-80, 80).Draw(t, "rows"))
			case 3:
				if p.Total > 0 {
					p.Show(rapid.IntRange(0, p.Total-1).Draw(t, "row"))
				}
			}
			if p.Top < 0 || p.Top > max(0, p.Total-p.Height) {
				t.Fatalf("row %d is the first of %d in %d lines", p.Top, p.Total, p.Height)
			}
			if shown := p.Until() - p.Top; shown != min(p.Height, p.Total) || p.Top+shown+p.Below() != p.Total {
				t.Fatalf("%d rows from %d, %d below: %+v", shown, p.Top, p.Below(), p)
			}
			for line := -1; line <= p.Height; line++ {
				row, ok := p.RowOf(line)
				if want := line >= 0 && line < p.Until()-p.Top; ok != want || ok && (!p.Has(row) || row != p.Top+line) {
					t.Fatalf("line %d is row %d, %v: %+v", line, row, ok, p)
				}
			}
		}
	})
}

// A window moves no further than what is to be seen needs it to.
func TestShowMovesLittle(t *testing.T) {
	for _, c := range []struct{ top, row, want int }{
		{10, 10, 10},
		{10, 14, 10},
		{10, 9, 9},
		{10, 15, 11},
		{10, 0, 0},
		{10, 40, 36},
	} {
		p := Pager{Top: c.top, Height: 5, Total: 100}
		p.Show(c.row)
		if p.Top != c.want {
			t.Errorf("from %d, row %d is shown from %d, want %d", c.top, c.row, p.Top, c.want)
		}
	}
	p := Pager{Top: 10, Height: 5, Total: 100}
	p.Show(30)
	p.Show(20)
	if !p.Has(20) || p.Has(30) {
		t.Errorf("of two rows the one that was shown last is not in sight: %+v", p)
	}
	before := Pager{Top: 3, Total: 9}
	before.Show(8)
	if before.Top != 3 {
		t.Errorf("a window without height went to %d", before.Top)
	}
}

// A page of a text leaves a line of the last in sight, and the ends are reached.
func TestTurningPages(t *testing.T) {
	p := Pager{Height: 10, Total: 25}
	var tops []int
	for _, v := range []Verb{PageDown, PageDown, PageUp, Home, WheelDown, End, Down, WheelUp, Up} {
		p.Turn(v)
		tops = append(tops, p.Top)
	}
	if want := []int{9, 15, 6, 0, 3, 15, 15, 12, 11}; !slices.Equal(tops, want) {
		t.Errorf("turned to %v, want %v", tops, want)
	}
}

// The cursor is on a row that there is, and in sight, however it is moved and
// whatever becomes of the rows and of the room for them.
func TestCursorStaysInSight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := List{}
		l.Resize(rapid.IntRange(1, 20).Draw(t, "height"), rapid.IntRange(1, 60).Draw(t, "total"))
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			if rapid.IntRange(0, 4).Draw(t, "resized") == 0 {
				l.Resize(rapid.IntRange(1, 20).Draw(t, "height"), rapid.IntRange(0, 60).Draw(t, "total"))
			}
			l.Go(l.At + rapid.SampledFrom(verbs).Draw(t, "verb").Rows(l.Height))
			if l.Total > 0 && (l.At >= l.Total || !l.Has(l.At)) || l.At < 0 {
				t.Fatalf("the cursor is not in sight: %+v", l)
			}
			if l.Top < 0 || l.Top > max(0, l.Total-l.Height) {
				t.Fatalf("row %d is the first: %+v", l.Top, l)
			}
		}
	})
}

// Walking counts only rows on which one can stand, ends on one of them, and stays
// where there is none.
func TestWalkingOverRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		on := rapid.SliceOfN(rapid.Bool(), 0, 30).Draw(t, "stops")
		l := List{Pager: Pager{Total: len(on)}, At: rapid.IntRange(-1, len(on)-1).Draw(t, "at")}
		n, from := rapid.IntRange(-8, 8).Draw(t, "n"), l.At
		var ahead []int
		for row := range on {
			if on[row] && (n > 0 && row > from || n < 0 && row < from) {
				ahead = append(ahead, row)
			}
		}
		want := from
		if n < 0 {
			slices.Reverse(ahead)
		}
		if n != 0 && len(ahead) > 0 {
			want = ahead[min(max(n, -n), len(ahead))-1]
		}
		if went := l.Walk(n, func(row int) bool { return on[row] }); l.At != want || went != (want != from) {
			t.Fatalf("%d from %d over %v: %d (%v), want %d", n, from, on, l.At, went, want)
		}
	})
}

func TestMoreSaysWhatIsHidden(t *testing.T) {
	s := styles(t)
	for _, c := range []struct {
		p    Pager
		want []string
	}{
		{Pager{0, 3, 10}, []string{"7 more below", "7 below", "↓7"}},
		{Pager{6, 3, 10}, []string{"6 above, 1 below", "↑6 ↓1"}},
		{Pager{7, 3, 10}, []string{"7 more above", "7 above", "↑7"}},
		{Pager{0, 3, 3}, nil},
		{Pager{0, 0, 3}, nil}, // before the first drawing
	} {
		above, below := c.p.Hidden()
		if got := More(s, above, below); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}
