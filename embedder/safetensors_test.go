package embedder

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// testTensor is an array to be written: data is a slice of fixed-size numbers.
type testTensor struct {
	name, dtype string
	shape       []int
	data        any
}

// safetensorsOf writes tensors one after the other.
func safetensorsOf(t testing.TB, tensors ...testTensor) []byte {
	t.Helper()
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data bytes.Buffer
	for _, one := range tensors {
		from := data.Len()
		if err := binary.Write(&data, binary.LittleEndian, one.data); err != nil {
			t.Fatal(err)
		}
		header[one.name] = map[string]any{"dtype": one.dtype, "shape": one.shape, "data_offsets": []int{from, data.Len()}}
	}
	raw, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return withHeader(string(raw)+"  ", data.Bytes()) // padded, as writers do
}

func withHeader(header string, data []byte) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(out, header...), data...)
}

var wantedInTests = map[string]bool{"x": false, "ints": true}

func readTestTensors(raw []byte) (map[string]*tensor, error) {
	return readSafetensors(bytes.NewReader(raw), int64(len(raw)), wantedInTests)
}

func TestSafetensorsTypes(t *testing.T) {
	for _, tt := range []struct {
		dtype string
		data  any
		want  []float32
	}{
		{"F32", []float32{1, -2.5, 1e-40}, []float32{1, -2.5, 1e-40}},
		{"F64", []float64{1, -2.5, .1}, []float32{1, -2.5, .1}},
		{"F16", []uint16{0x3C00, 0xC100, 0x0001}, []float32{1, -2.5, 5.9604645e-08}},
		{"I8", []int8{1, -128, 127}, []float32{1, -128, 127}},
	} {
		raw := safetensorsOf(t, testTensor{"other", "BF16", []int{2}, []uint16{1, 2}}, testTensor{"x", tt.dtype, []int{3, 1}, tt.data})
		got, err := readTestTensors(raw)
		if err != nil {
			t.Errorf("%s: %v", tt.dtype, err)
			continue
		}
		if x := got["x"]; !slices.Equal(x.floats, tt.want) || !slices.Equal(x.shape, []int{3, 1}) || got["other"] != nil {
			t.Errorf("%s: %+v", tt.dtype, x)
		}
	}
	for dtype, data := range map[string]any{"I32": []int32{7, -1}, "I64": []int64{7, -1}} {
		got, err := readTestTensors(safetensorsOf(t, testTensor{"ints", dtype, []int{2}, data}))
		if err != nil || !slices.Equal(got["ints"].ints, []int32{7, -1}) {
			t.Errorf("%s: %v, %v", dtype, got, err)
		}
	}
	// Several chunks of the reader.
	many := make([]float32, 50_001)
	for i := range many {
		many[i] = float32(i)
	}
	got, err := readTestTensors(safetensorsOf(t, testTensor{"x", "F32", []int{50_001}, many}))
	if err != nil || !slices.Equal(got["x"].floats, many) {
		t.Errorf("a large one: %v", err)
	}
}

func TestFloat16(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x0000: 0, 0x3C00: 1, 0x3555: .333251953125, 0x7BFF: 65504, 0x0400: 0x1p-14, 0x03FF: 1023 * 0x1p-24, 0xC000: -2,
		0x7C00: math.Inf(1), 0xFC00: math.Inf(-1),
	} {
		if got := float64(float16(bits)); got != want {
			t.Errorf("%04x is %v, want %v", bits, got, want)
		}
	}
	if !math.IsNaN(float64(float16(0x7E00))) || math.Signbit(float64(float16(0x8000))) != true {
		t.Error("not a number, or minus zero, is something else")
	}
}

func TestSafetensorsAreChecked(t *testing.T) {
	four := []float32{1, 2, 3, 4}
	entry := func(dtype, shape, offsets string) []byte {
		return withHeader(fmt.Sprintf(`{"x":{"dtype":%q,"shape":%s,"data_offsets":%s}}`, dtype, shape, offsets), make([]byte, 16))
	}
	for _, tt := range []struct {
		name string
		raw  []byte
		want string
	}{
		{"nothing", nil, "too short for a header"},
		{"7 bytes", make([]byte, 7), "too short for a header"},
		{"a header beyond the file", binary.LittleEndian.AppendUint64(nil, 1), "a header of 1 bytes is not possible in a file of 8"},
		{"a header of 2^64-1", append(binary.LittleEndian.AppendUint64(nil, math.MaxUint64), make([]byte, 100)...), "a header of 18446744073709551615 bytes"},
		{"a huge header", withHeader(strings.Repeat(" ", maxHeader+1), nil), "is not possible"},
		{"no JSON", withHeader("{", nil), "the header is not JSON"},
		{"no object", withHeader("[]", nil), "the header is not JSON"},
		{"an entry of another form", withHeader(`{"x":[]}`, nil), `the entry of tensor "x" has another form`},
		{"a negative side", entry("F32", "[-4]", "[0,16]"), "another form"},
		{"one offset", entry("F32", "[4]", "[0]"), "are no range"},
		{"offsets backwards", entry("F32", "[4]", "[16,0]"), "are no range"},
		{"data beyond the file", entry("F32", "[5]", "[0,20]"), `tensor "x" ends at 20, but the file has 16 bytes`},
		{"a gap", entry("F32", "[3]", "[4,16]"), `tensor "x" begins at 4, but the one before it ends at 0`},
		{"data without a tensor", entry("F32", "[3]", "[0,12]"), "the file has 16 bytes of data, its tensors 12"},
		{"another length than the shape", entry("F32", "[3]", "[0,16]"), "has 16 bytes of data, not the 12 of its shape"},
		{"a product of 2^64", entry("F32", "[4294967296,4294967296]", "[0,16]"), "has more than 268435456 elements"},
		{"a product that wraps to 4", entry("F32", "[268435456,268435456,256,4]", "[0,16]"), "has more than 268435456 elements"},
		{"BF16", entry("BF16", "[8]", "[0,16]"), `tensor "x" is of type "BF16"; this program reads F16, F32, F64, I8`},
		{"an unheard-of type", entry("F4", "[32]", "[0,16]"), `is of type "F4"`},
		{"whole numbers for floats", entry("I32", "[4]", "[0,16]"), `is of type "I32"`},
		{"floats for whole numbers", safetensorsOf(t, testTensor{"ints", "F32", []int{4}, four}), "this program reads I32, I64"},
		{"not a number", safetensorsOf(t, testTensor{"x", "F32", []int{2}, []float32{1, float32(math.NaN())}}), "number 1 is not finite"},
		{"infinity", safetensorsOf(t, testTensor{"x", "F16", []int{1}, []uint16{0xFC00}}), "number 0 is not finite"},
		{"beyond float32", safetensorsOf(t, testTensor{"x", "F64", []int{1}, []float64{1e39}}), "number 0 is not finite or too large"},
		{"beyond int32", safetensorsOf(t, testTensor{"ints", "I64", []int{1}, []int64{1 << 31}}), "number 0 is not finite or too large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := readTestTensors(tt.raw); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	whole := safetensorsOf(t, testTensor{"y", "U8", []int{4}, make([]byte, 4)}, testTensor{"x", "F32", []int{4}, four})
	for n := range len(whole) {
		// Cut off while it is read, after the size was taken.
		if _, err := readSafetensors(bytes.NewReader(whole[:n]), int64(len(whole)), wantedInTests); err == nil {
			t.Fatalf("%d of %d bytes are enough", n, len(whole))
		}
	}
}

// A few bytes must not be able to ask for much memory.
func TestHostileSizesTakeNoMemory(t *testing.T) {
	header := `{"x":{"dtype":"I8","shape":[268435456],"data_offsets":[0,268435456]}}`
	for name, raw := range map[string][]byte{
		"a header length": binary.LittleEndian.AppendUint64(nil, 1<<40),
		"a tensor":        withHeader(header, nil),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readTestTensors(raw)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; err == nil || grown > 1<<20 {
			t.Errorf("%s: %d bytes, %v", name, grown, err)
		}
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(safetensorsOf(f, testTensor{"ints", "I64", []int{2}, []int64{1, 2}}, testTensor{"x", "F16", []int{2, 1}, []uint16{1, 2}}))
	f.Add(withHeader(`{"x":{"dtype":"F32","shape":[268435456,268435456,256,4],"data_offsets":[0,16]}}`, make([]byte, 16)))
	f.Add(withHeader(`{"x":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"":{"dtype":"","shape":null,"data_offsets":[0,0]}}`, make([]byte, 4)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tensors, err := readTestTensors(raw)
		if err != nil {
			return
		}
		for name, x := range tensors {
			n := 1
			for _, side := range x.shape {
				n *= side
			}
			if n != len(x.floats)+len(x.ints) || n > len(raw) {
				t.Fatalf("%s: shape %v with %d numbers of %d bytes", name, x.shape, len(x.floats)+len(x.ints), len(raw))
			}
		}
	})
}
