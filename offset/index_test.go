package offset

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestIndexCountsCodePoints(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text  string
		point, byte int
	}{
		{"ascii", "abc", 2, 2},
		{"two bytes", "éa", 1, 2},
		{"beyond the basic plane", "a😀b", 2, 5},
		{"an accent counts on its own", "e\u0301x", 2, 3},
		{"each invalid byte counts", "\xff\xfea", 2, 2},
		{"end", "日本", 2, 6},
		{"empty", "", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := NewIndex(tt.text)
			if got := x.Byte(tt.point); got != tt.byte {
				t.Errorf("Byte(%d) = %d, want %d", tt.point, got, tt.byte)
			}
			if got := x.Point(tt.byte); got != tt.point {
				t.Errorf("Point(%d) = %d, want %d", tt.byte, got, tt.point)
			}
		})
	}
}

func TestIndexClampsAndSlices(t *testing.T) {
	t.Parallel()
	x := NewIndex("aé日b")
	if got := x.Slice(1, 3); got != "é日" {
		t.Errorf("Slice(1, 3) = %q", got)
	}
	if got := x.Slice(-4, 99); got != "aé日b" {
		t.Errorf("Slice outside the text = %q", got)
	}
	if got := x.Slice(3, 1); got != "" {
		t.Errorf("Slice of reversed ends = %q", got)
	}
	if a, b := x.Point(-1), x.Point(99); a != 0 || b != 4 {
		t.Errorf("Point outside the text = %d, %d", a, b)
	}
	if got := x.Point(2); got != 2 {
		t.Errorf("Point inside é = %d, want the 2 code points that begin before it", got)
	}
}

func TestIndexAgreesWithTheRunesOfTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		// Repeated, so that lookups pass several checkpoints.
		text := strings.Repeat(hostile().Draw(t, "text"), rapid.IntRange(1, 12).Draw(t, "times"))
		x := NewIndex(text)
		point := 0
		for b := range text {
			if got := x.Byte(point); got != b {
				t.Fatalf("Byte(%d) = %d, want %d", point, got, b)
			}
			if got := x.Point(b); got != point {
				t.Fatalf("Point(%d) = %d, want %d", b, got, point)
			}
			point++
		}
		if x.Len() != point || x.Byte(point) != len(text) || x.Point(len(text)) != point {
			t.Fatalf("end: Len %d, Byte %d, Point %d of %d code points in %d bytes",
				x.Len(), x.Byte(point), x.Point(len(text)), point, len(text))
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	for _, bm := range []struct{ name, text string }{
		{"ascii", strings.Repeat("all of it is ascii ", 5000)},
		{"mixed", strings.Repeat("é 日本 and ascii ", 5000)},
	} {
		x := NewIndex(bm.text)
		b.Run("build/"+bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.text)))
			for b.Loop() {
				NewIndex(bm.text)
			}
		})
		b.Run("byte/"+bm.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				x.Byte(i * 977 % x.Len())
			}
		})
		b.Run("point/"+bm.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				x.Point(i * 977 % len(bm.text))
			}
		})
	}
}
