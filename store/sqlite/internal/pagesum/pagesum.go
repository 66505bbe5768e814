// Package pagesum gives every page of an SQLite file a checksum. SQLite itself has
// none: a bit that changed on the disk within a text, a vector or an index is read
// as if it had been written so.
//
// A file has sums when it reserves [Reserved] bytes at the end of each page, which
// SQLite leaves alone. They hold the CRC-32C of the page's number and of the rest of
// the page, so that a page in another's place is found too. Sums are written where
// pages are written to the file, and verified where they are read from it, below
// SQLite; a page that does not have its sum is the error SQLITE_IOERR_DATA. Changes
// that wait in a write-ahead log have SQLite's own sums there.
//
// Importing the package makes this so for every file that the process opens with
// SQLite and that has sums. Files without are read and written as ever.
package pagesum

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// Reserved is how many bytes at the end of a page hold its sum.
const Reserved = 4

// In the header of a file: its start, and where the bytes that each page reserves
// are told (SQLite's file format, section 1.3).
const (
	magic      = "SQLite format 3\x00"
	headerSize = 100
	sizeAt     = 16
	reservedAt = 20
	countAt    = 28 // how many pages there are, if what stands at these two is the same
	changesAt  = 24
	validAt    = 92
	freeAt     = 32
	// leastPage is the size of the smallest page.
	leastPage = 512
	// lockByte is in the page that SQLite never reads nor writes.
	lockByte = 1 << 30
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is the checksum of a page without its last bytes; pages count from 1.
func sum(page []byte, number int64) uint32 {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(number))
	return crc32.Update(crc32.Checksum(n[:], castagnoli), castagnoli, page[:len(page)-Reserved])
}

func set(page []byte, number int64) {
	binary.LittleEndian.PutUint32(page[len(page)-Reserved:], sum(page, number))
}

func holds(page []byte, number int64) bool {
	return binary.LittleEndian.Uint32(page[len(page)-Reserved:]) == sum(page, number)
}

// Has reports whether the file at path has sums, by its header.
func Has(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("look for checksums: %w", err)
	}
	defer f.Close()
	var header [headerSize]byte
	if _, err := io.ReadFull(f, header[:]); err != nil {
		return false, fmt.Errorf("look for checksums in %s: %w", path, err)
	}
	return header[reservedAt] == Reserved, nil
}
