// Package quantise keeps unit vectors as bytes with one scale for each, and bounds
// their inner products with a query from both sides, so that a search need compare
// exactly only the few vectors that can be among its best: scalar quantisation, whose
// error the stored length of what rounding took away bounds by Cauchy and Schwarz.
package quantise

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"unsafe"
)

// levels are the steps of a component on either side of zero.
const levels = 127

// group is how many components the kernels take at a time; a row is filled up to a
// multiple of it with zeros.
const group = 32

// Longest is the length, measured by Euclid, up to which vectors may be given; those
// of a corpus have 1 within their tolerance.
const Longest = 1.01

// slack is above what the float32 arithmetic of Bounds can be off by, and what
// an inner product in float64 rounds away: some ten roundings of numbers below 2.
const slack = 0x1p-19

// inflation is above what summing a square length in float32 can lose.
const inflation = 1.001

// alike is above the part of a rest that is left where none of inflation is.
const alike = 0.9995

// Note is what is known of a row beside its bytes.
type Note struct {
	// Scale times a byte is about the component; Rest is at least the Euclidean
	// length of the difference.
	Scale, Rest float32
}

// Stride is the number of bytes in a row of some dimensions.
func Stride(dims int) int { return (dims + group - 1) / group * group }

// Encode fills a row of Stride(len(v)) bytes from v, whose length is at most Longest.
func Encode(row []int8, v []float32) Note {
	clear(row[len(v):])
	most := largest(v)
	if most < math.SmallestNonzeroFloat32*(1<<30) {
		// Nothing is left of it: all of it is the rest.
		clear(row)
		return Note{Rest: most * float32(len(v)) * inflation}
	}
	n := Note{Scale: most / levels}
	n.Rest = float32(math.Sqrt(float64(round(row[:len(v)], v, levels/most, n.Scale)))*inflation + 0x1p-40)
	return n
}

// roundPlain writes the bytes of v and returns the square length of the rest.
func roundPlain(row []int8, v []float32, inverse, scale float32) float32 {
	row = row[:len(v)]
	var sum float64
	for i, x := range v {
		c := math.RoundToEven(float64(x * inverse))
		row[i] = int8(c)
		rest := float64(x) - float64(float64(scale)*c)
		sum += float64(rest * rest)
	}
	return float32(sum)
}

func largestPlain(v []float32) (most float32) {
	for _, x := range v {
		most = max(most, x, -x)
	}
	return most
}

// Query is a query as the rows are compared with it.
type Query struct {
	// codes times step is about the query; their number is that of a row's bytes.
	codes []int16
	step  float32
	// perRest and own are the parts of the error that grow with the row's rest and
	// that do not.
	perRest, own float32
}

// NewQuery returns a query, whose length is at most Longest.
func NewQuery(q []float32) *Query {
	out := &Query{codes: make([]int16, Stride(len(q)))}
	most := float64(largestPlain(q))
	if most == 0 {
		out.own = slack
		return out
	}
	// So many steps that no sum of products leaves an int32.
	steps := math.Floor(min(math.MaxInt16, math.MaxInt32/float64(levels*len(out.codes))))
	out.step = float32(most / steps)
	var norm, rest float64
	for i, x := range q {
		c := math.RoundToEven(float64(x) / most * steps)
		out.codes[i] = int16(c)
		norm += float64(x) * float64(x)
		r := float64(x) - float64(out.step)*c
		rest += r * r
	}
	norm, rest = math.Sqrt(norm), math.Sqrt(rest)
	out.perRest = float32((norm + rest) * inflation)
	out.own = float32(rest*Longest*inflation) + slack
	return out
}

// Dots fills out with the inner products of the bytes of the rows and those of the
// query. rows has len(out) rows.
func (q *Query) Dots(out []int32, rows []int8) { dots(out, q.codes, rows) }

func dotsPlain(out []int32, q []int16, rows []int8) {
	for i := range out {
		row := rows[i*len(q):][:len(q)]
		var s0, s1, s2, s3 int32
		for j := 0; j+4 <= len(q); j += 4 {
			x, y := q[j:j+4:j+4], row[j:j+4:j+4]
			s0 += int32(x[0]) * int32(y[0])
			s1 += int32(x[1]) * int32(y[1])
			s2 += int32(x[2]) * int32(y[2])
			s3 += int32(x[3]) * int32(y[3])
		}
		out[i] = s0 + s1 + s2 + s3
	}
}

// Bounds returns what the inner product of the vectors, summed in float64, lies
// between, from that of their bytes.
func (q *Query) Bounds(dot int32, n Note) (low, high float32) {
	about, off := float32(dot)*(q.step*n.Scale), q.perRest*n.Rest+q.own
	return about - off, about + off
}

// noteSize is how many bytes a note takes in a file.
const noteSize = 8

// Size is the number of bytes in which Append writes n rows of some dimensions.
func Size(n, dims int) int { return n * (noteSize + Stride(dims)) }

// Append writes rows with their notes: first all notes, in little-endian float32, then
// all rows.
func Append(b []byte, rows []int8, notes []Note) []byte {
	b = slices.Grow(b, noteSize*len(notes)+len(rows))
	for _, n := range notes {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(n.Scale))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(n.Rest))
	}
	return append(b, raw(rows)...)
}

// Read fills the rows and notes from first to last of n from the bytes that Append makes
// of all n, which are as many as Size says. It reports whether the notes can be that.
func Read(rows []int8, notes []Note, b []byte, first, n int) bool {
	for i := range notes {
		at := b[noteSize*(first+i):]
		note := Note{
			Scale: math.Float32frombits(binary.LittleEndian.Uint32(at)),
			Rest:  math.Float32frombits(binary.LittleEndian.Uint32(at[4:])),
		}
		// Written so that NaN fails.
		if !(note.Scale >= 0 && note.Scale <= 1 && note.Rest >= 0 && note.Rest <= 2*Longest) {
			return false
		}
		notes[i] = note
	}
	if len(rows) > 0 {
		copy(raw(rows), b[noteSize*n+first*(len(rows)/len(notes)):])
	}
	return true
}

// raw are rows as bytes.
func raw(rows []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows))
}

// Same reports whether bytes that were kept are those of the same n vectors as others
// that were made now, perhaps by another processor, which sums the rests in another
// order: what inflation is for.
func Same(kept, made []byte, n, dims int) bool {
	if len(kept) != Size(n, dims) || len(made) != len(kept) || !bytes.Equal(kept[n*noteSize:], made[n*noteSize:]) {
		return false
	}
	var a, b [1]Note
	for i := range n {
		if !Read(nil, a[:], kept, i, n) || !Read(nil, b[:], made, i, n) || a[0].Scale != b[0].Scale ||
			a[0].Rest < b[0].Rest*alike || b[0].Rest < a[0].Rest*alike {
			return false
		}
	}
	return true
}
