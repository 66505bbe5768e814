package offset

import (
	"sort"
	"unicode/utf8"
)

// stride is the number of code points between two checkpoints: four bytes of
// index for each 64 code points.
const stride = 64

// Index converts between code points and bytes of one text. It is immutable and
// may be used from several goroutines.
type Index struct {
	text  string
	runes int
	marks []int // byte offset of code point i*stride; nil for ASCII
}

// NewIndex reads text once. Invalid bytes count as one code point each, as in a
// Go range loop.
func NewIndex(text string) *Index {
	x := &Index{text: text}
	ascii := true
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		x.runes = len(text)
		return x
	}
	x.marks = make([]int, 0, len(text)/stride+1)
	for b := range text {
		if x.runes%stride == 0 {
			x.marks = append(x.marks, b)
		}
		x.runes++
	}
	return x
}

// Len is the number of code points.
func (x *Index) Len() int { return x.runes }

// Byte returns the byte offset of a code point; positions outside the text are
// clamped to it.
func (x *Index) Byte(point int) int {
	if point <= 0 {
		return 0
	}
	if point >= x.runes {
		return len(x.text)
	}
	if x.marks == nil {
		return point
	}
	b := x.marks[point/stride]
	for range point % stride {
		_, n := utf8.DecodeRuneInString(x.text[b:])
		b += n
	}
	return b
}

// Point returns the number of code points that begin before a byte offset, which
// for an offset between code points is the code point at it. Offsets outside the
// text are clamped to it.
func (x *Index) Point(byteOffset int) int {
	if byteOffset <= 0 {
		return 0
	}
	if byteOffset >= len(x.text) {
		return x.runes
	}
	if x.marks == nil {
		return byteOffset
	}
	m := sort.SearchInts(x.marks, byteOffset+1) - 1
	point, b := m*stride, x.marks[m]
	for b < byteOffset {
		_, n := utf8.DecodeRuneInString(x.text[b:])
		b += n
		point++
	}
	return point
}

// Slice returns the code points [start, end), clamped to the text; it is empty
// when end is not after start.
func (x *Index) Slice(start, end int) string {
	from, to := x.Byte(start), x.Byte(end)
	if to <= from {
		return ""
	}
	return x.text[from:to]
}
