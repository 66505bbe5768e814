package quantise

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// vectors draws a vector of length at most 1: dense, with components that vanish
// beside others, with a single one, or zero.
func vectors(n int) *rapid.Generator[[]float32] {
	return rapid.Custom(func(t *rapid.T) []float32 {
		component := rapid.SampledFrom([]*rapid.Generator[float32]{
			rapid.Float32Range(-1, 1),
			rapid.SampledFrom([]float32{0, 1, -1}),
			rapid.SampledFrom([]float32{0, 1, -1e-3, 1e-20, -1e-40, math.SmallestNonzeroFloat32}),
			rapid.Just[float32](0),
		}).Draw(t, "kind")
		v := rapid.SliceOfN(component, n, n).Draw(t, "v")
		if norm := math.Sqrt(dot64(v, v)); norm > 0 && rapid.IntRange(0, 9).Draw(t, "as it is") > 0 || norm > 1 {
			for i := range v {
				v[i] = float32(float64(v[i]) / norm)
			}
		}
		return v
	})
}

func dot64(a, b []float32) (s float64) {
	for i, x := range a {
		s += float64(x) * float64(b[i])
	}
	return s
}

// The inner product lies between its bounds, and what is left of a vector is no longer
// than half a step in each component.
func TestBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 70), rapid.SampledFrom([]int{384, 1024})).Draw(rt, "dimensions")
		q, v := vectors(n).Draw(rt, "q"), vectors(n).Draw(rt, "v")
		if rapid.IntRange(0, 4).Draw(rt, "same") == 0 {
			v = q
		}
		row := make([]int8, Stride(n))
		note := Encode(row, v)
		query := NewQuery(q)
		var out [1]int32
		query.Dots(out[:], row)
		low, high := query.Bounds(out[0], note)
		if want := dot64(q, v); want < float64(low) || want > float64(high) {
			rt.Fatalf("%v is not between %v and %v", want, low, high)
		}
		if widest := float64(largestPlain(v)) / levels / 2 * math.Sqrt(float64(n)); float64(note.Rest) > 1.01*widest+1e-11 {
			rt.Fatalf("the rest is %v, above half a step in each component, %v", note.Rest, widest)
		}
	})
}

// (0.6, 0.8) has the scale 0.8/127 and the bytes 95 (95.25 rounded) and 127; what is
// left is a quarter of a step.
func TestEncode(t *testing.T) {
	t.Parallel()
	row := make([]int8, Stride(2))
	n := Encode(row, []float32{0.6, 0.8})
	if row[0] != 95 || row[1] != 127 {
		t.Errorf("the bytes are %d and %d", row[0], row[1])
	}
	if want := 0.25 * 0.8 / 127; float64(n.Rest) < want || float64(n.Rest) > 1.002*want {
		t.Errorf("the rest is %v, want %v", n.Rest, want)
	}
}

// The kernels of this machine do what the plain ones do: the same numbers, and the
// length of the rest within what summing rounds.
func TestKernelsAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(rt, "dimensions")
		v := vectors(n).Draw(rt, "v")
		if got, want := largest(v), largestPlain(v); got != want {
			rt.Fatalf("the largest is %v, want %v", got, want)
		}
		if most := largestPlain(v); most > 1e-30 {
			a, b := make([]int8, n), make([]int8, n)
			x, y := round(a, v, levels/most, most/levels), roundPlain(b, v, levels/most, most/levels)
			if string(bytesOf(a)) != string(bytesOf(b)) {
				rt.Fatalf("the bytes are %v, want %v", a, b)
			}
			if math.Abs(float64(x-y)) > 1e-4*float64(y)+1e-13 {
				rt.Fatalf("the rest is %v, want %v", x, y)
			}
		}
		rows := rapid.IntRange(0, 5).Draw(rt, "rows")
		codes := rapid.SliceOfN(rapid.Int8Range(-127, 127), rows*Stride(n), rows*Stride(n)).Draw(rt, "codes")
		q := NewQuery(v)
		got, want := make([]int32, rows), make([]int32, rows)
		q.Dots(got, codes)
		dotsPlain(want, q.codes, codes)
		for i := range got {
			if got[i] != want[i] {
				rt.Fatalf("row %d: %d, want %d", i, got[i], want[i])
			}
		}
	})
}

func bytesOf(a []int8) []byte {
	b := make([]byte, len(a))
	for i, x := range a {
		b[i] = byte(x)
	}
	return b
}

// No sum leaves an int32, whatever the number of dimensions.
func TestNoOverflow(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 384, 1024, 4096, 65536} {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(1 / math.Sqrt(float64(n)))
		}
		row := make([]int8, Stride(n))
		note := Encode(row, v)
		q := NewQuery(v)
		var out [1]int32
		q.Dots(out[:], row)
		if low, high := q.Bounds(out[0], note); low > 1 || high < 1 {
			t.Errorf("%d dimensions: 1 is not between %v and %v", n, low, high)
		}
	}
}

// The heap keeps what sorting everything would put last.
func TestTop(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		top := Top{Limit: rapid.IntRange(1, 20).Draw(rt, "limit")}
		all := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 9), func(i int) float32 { return float32(i) }), 0, 60).Draw(rt, "values")
		for _, v := range all {
			top.Add(v)
		}
		all = slices.Sorted(slices.Values(all))
		want := all[max(0, len(all)-top.Limit):]
		if len(want) == top.Limit && top.Floor() != want[0] {
			rt.Fatalf("the floor is %v, want %v", top.Floor(), want[0])
		}
		if slices.Sort(top.Values); !slices.Equal(top.Values, want) {
			rt.Fatalf("kept %v, want %v", top.Values, want)
		}
	})
}

// Rows come back from their bytes, all at once and some, and are of their vectors only.
func TestBytesOfRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dims := rapid.IntRange(1, 70).Draw(rt, "dimensions")
		all := rapid.SliceOfN(vectors(dims), 1, 5).Draw(rt, "vectors")
		n, stride := len(all), Stride(dims)
		rows, notes := make([]int8, n*stride), make([]Note, n)
		for i, v := range all {
			notes[i] = Encode(rows[i*stride:][:stride], v)
		}
		b := Append([]byte("x"), rows, notes)[1:]
		if len(b) != Size(n, dims) {
			rt.Fatalf("%d bytes, want %d", len(b), Size(n, dims))
		}
		first := rapid.IntRange(0, n-1).Draw(rt, "first")
		count := rapid.IntRange(1, n-first).Draw(rt, "count")
		gotRows, gotNotes := make([]int8, count*stride), make([]Note, count)
		if !Read(gotRows, gotNotes, b, first, n) || !slices.Equal(gotRows, rows[first*stride:][:count*stride]) || !slices.Equal(gotNotes, notes[first:][:count]) {
			rt.Fatalf("rows %d to %d do not come back", first, first+count)
		}
		changed := bytes.Clone(b)
		changed[rapid.OneOf(rapid.Just(3), rapid.IntRange(8*n, len(b)-1)).Draw(rt, "changed")] ^= 0x40
		if !Same(b, Append(nil, rows, notes), n, dims) || Same(changed, b, n, dims) || Same(b[:len(b)-1], b, n, dims) {
			rt.Fatal("bytes are not told from others")
		}
		notes[0].Rest = float32(math.NaN())
		if Read(gotRows[:stride], gotNotes[:1], Append(nil, rows, notes), 0, n) {
			rt.Fatal("a note that is no number is taken")
		}
	})
}
