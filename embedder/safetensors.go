package embedder

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

const (
	// maxHeader bounds a safetensors header. The format allows 100 MB; that of
	// a static model has some hundred bytes.
	maxHeader = 1 << 20
	// maxElements bounds a tensor: as float32 it takes 1 GiB, four times what
	// the largest static models have.
	maxElements = 1 << 28
)

// tensor is an array of a safetensors file, either of floats or of ints.
type tensor struct {
	shape  []int
	floats []float32
	ints   []int32
}

// floatSizes and intSizes are the types that can be read, with their bytes.
var (
	floatSizes = map[string]uint64{"F64": 8, "F32": 4, "F16": 2, "I8": 1}
	intSizes   = map[string]uint64{"I64": 8, "I32": 4}
)

// tensorHeader is an entry of the file's header.
type tensorHeader struct {
	DType   string   `json:"dtype"`
	Shape   []uint64 `json:"shape"`
	Offsets []uint64 `json:"data_offsets"`

	name     string
	elements int
}

// readSafetensors reads, of a file of the given size, those tensors that are
// wanted and there: the names map to whether they hold ints. The format is
//
//	header length (8 bytes, little endian) · header (JSON) · data
//
// where the header gives each tensor's type, shape and range in the data. All
// of it is checked before memory is taken for a tensor, and memory is never more
// than four bytes for each byte of the file; every float must be finite.
func readSafetensors(r io.Reader, size int64, wanted map[string]bool) (map[string]*tensor, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	headers, dataSize, err := readHeader(in, size)
	if err != nil {
		return nil, err
	}
	tensors := map[string]*tensor{}
	end := uint64(0)
	for i := range headers {
		h := &headers[i]
		if err := h.follows(end); err != nil {
			return nil, err
		}
		end = h.Offsets[1]
		isInt, want := wanted[h.name]
		if want {
			if err := h.check(isInt); err != nil {
				return nil, err
			}
		}
		if end > dataSize {
			return nil, fmt.Errorf("tensor %s ends at %d, but the file has %d bytes of data", quoteShort(h.name), end, dataSize)
		}
	}
	if end != dataSize {
		return nil, fmt.Errorf("the file has %d bytes of data, its tensors %d", dataSize, end)
	}
	for i := range headers {
		h := &headers[i]
		isInt, want := wanted[h.name]
		if !want {
			if _, err := io.CopyN(io.Discard, in, int64(h.Offsets[1]-h.Offsets[0])); err != nil {
				return nil, fmt.Errorf("read tensor %s: %w", quoteShort(h.name), unexpected(err))
			}
			continue
		}
		t, err := h.read(in, isInt)
		if err != nil {
			return nil, fmt.Errorf("read tensor %s: %w", quoteShort(h.name), err)
		}
		tensors[h.name] = t
	}
	return tensors, nil
}

// readHeader returns the entries in the order of their data, and its size.
func readHeader(in io.Reader, size int64) ([]tensorHeader, uint64, error) {
	var prefix [8]byte
	if _, err := io.ReadFull(in, prefix[:]); err != nil || size < int64(len(prefix)) {
		return nil, 0, errors.New("the file is too short for a header")
	}
	n, rest := binary.LittleEndian.Uint64(prefix[:]), uint64(size)-uint64(len(prefix))
	if n > rest || n > maxHeader {
		return nil, 0, fmt.Errorf("a header of %d bytes is not possible in a file of %d", n, size)
	}
	raw := make([]byte, n)
	if _, err := io.ReadFull(in, raw); err != nil {
		return nil, 0, fmt.Errorf("read the header: %w", unexpected(err))
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, 0, fmt.Errorf("the header is not JSON: %w", err)
	}
	delete(entries, "__metadata__")
	headers := make([]tensorHeader, 0, len(entries))
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		h := tensorHeader{name: name}
		if err := json.Unmarshal(entries[name], &h); err != nil {
			return nil, 0, fmt.Errorf("the entry of tensor %s has another form: %w", quoteShort(name), err)
		}
		if len(h.Offsets) != 2 || h.Offsets[0] > h.Offsets[1] {
			return nil, 0, fmt.Errorf("the offsets of tensor %s are no range", quoteShort(name))
		}
		headers = append(headers, h)
	}
	// Empty tensors come before what begins where they are.
	slices.SortStableFunc(headers, func(a, b tensorHeader) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.Offsets[1], b.Offsets[1]))
	})
	return headers, rest - n, nil
}

// follows checks that a tensor begins where the one before it ended: the format
// knows neither gaps nor overlaps.
func (h *tensorHeader) follows(end uint64) error {
	if h.Offsets[0] != end {
		return fmt.Errorf("tensor %s begins at %d, but the one before it ends at %d", quoteShort(h.name), h.Offsets[0], end)
	}
	return nil
}

// check compares type, shape and length of a tensor that is going to be read.
func (h *tensorHeader) check(isInt bool) error {
	sizes := floatSizes
	if isInt {
		sizes = intSizes
	}
	size, ok := sizes[h.DType]
	if !ok {
		return fmt.Errorf("tensor %s is of type %s; this program reads %s", quoteShort(h.name), quoteShort(h.DType),
			strings.Join(slices.Sorted(maps.Keys(sizes)), ", "))
	}
	n := uint64(1)
	for _, side := range h.Shape {
		// Both factors are at most maxElements: no product overflows.
		if side > maxElements || n*side > maxElements {
			return fmt.Errorf("tensor %s has more than %d elements", quoteShort(h.name), maxElements)
		}
		n *= side
	}
	if got := h.Offsets[1] - h.Offsets[0]; got != n*size {
		return fmt.Errorf("tensor %s has %d bytes of data, not the %d of its shape", quoteShort(h.name), got, n*size)
	}
	h.elements = int(n)
	return nil
}

// read decodes the tensor from where its data begins.
func (h *tensorHeader) read(in io.Reader, isInt bool) (*tensor, error) {
	t := &tensor{shape: make([]int, len(h.Shape))}
	for i, side := range h.Shape {
		t.shape[i] = int(side)
	}
	size, put := int(floatSizes[h.DType]), t.putFloat
	if isInt {
		t.ints = make([]int32, h.elements)
		size, put = int(intSizes[h.DType]), t.putInt
	} else {
		t.floats = make([]float32, h.elements)
	}
	var chunk [16 << 10]byte
	for at := 0; at < h.elements; {
		part := chunk[:min(len(chunk)/size, h.elements-at)*size]
		if _, err := io.ReadFull(in, part); err != nil {
			return nil, unexpected(err)
		}
		for ; len(part) > 0; part = part[size:] {
			if !put(at, h.DType, part[:size]) {
				return nil, fmt.Errorf("number %d is not finite or too large", at)
			}
			at++
		}
	}
	return t, nil
}

// putFloat keeps a float, unless it is not finite as float32.
func (t *tensor) putFloat(at int, dtype string, raw []byte) bool {
	var x float32
	switch dtype {
	case "F32":
		x = math.Float32frombits(binary.LittleEndian.Uint32(raw))
	case "F16":
		x = float16(binary.LittleEndian.Uint16(raw))
	case "I8":
		x = float32(int8(raw[0]))
	case "F64":
		x = float32(math.Float64frombits(binary.LittleEndian.Uint64(raw)))
	}
	t.floats[at] = x
	return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0)
}

// putInt keeps an integer, unless it is larger than an int32.
func (t *tensor) putInt(at int, dtype string, raw []byte) bool {
	var n int64
	switch dtype {
	case "I32":
		n = int64(int32(binary.LittleEndian.Uint32(raw)))
	case "I64":
		n = int64(binary.LittleEndian.Uint64(raw))
	}
	t.ints[at] = int32(n)
	return n >= math.MinInt32 && n <= math.MaxInt32
}

// float16 decodes an IEEE 754 binary16: a sign, 5 bits of exponent with the bias
// 15 and 10 of fraction.
func float16(bits uint16) float32 {
	exponent, fraction := int(bits>>10&0x1F), float64(bits&0x3FF)
	var x float64
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 0x1F:
		x = math.Inf(1)
		if fraction != 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 == 1 {
		x = -x
	}
	return float32(x)
}

// unexpected makes the end of a file that should go on an error of its own.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends too early")
	}
	return err
}
