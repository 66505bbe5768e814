package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

// Encode returns v as little-endian float32.
func Encode(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// Decode fills v from b, which must have its length.
func Decode(v []float32, b []byte) error {
	if len(b) != 4*len(v) {
		return fmt.Errorf("the vector has %d bytes instead of %d", len(b), 4*len(v))
	}
	if len(v) > 0 && binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		// The bytes are copied to where floats are aligned; b need not be.
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(b)), b)
		return nil
	}
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return nil
}
