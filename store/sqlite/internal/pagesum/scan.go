package pagesum

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// mostSuspect is how many pages without their sum are looked into: a file may say that
// it has four thousand million.
const mostSuspect = 1 << 16

// Scan reads the file at path, past SQLite and past every fault, and returns how many
// pages it has, how many bytes follow that are no page of the database, and the numbers
// of those pages that do not have their sum, in order. It ends early among damage, and
// pages are those that it came to. A file without sums is an error.
func Scan(ctx context.Context, path string) (pages, behind int64, wrong []int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, nil, fmt.Errorf("scan the file: %w", err)
	}
	defer f.Close()
	header, size, pages, behind, err := extent(f)
	if err != nil {
		return 0, 0, nil, fmt.Errorf("scan %s: %w", path, err)
	}
	s := scan{f: f, page: make([]byte, size)}
	var suspect []int64
	all := pages
	for n := int64(1); n <= pages; n++ {
		if err := ctx.Err(); err != nil {
			return 0, 0, nil, err
		}
		if n != lockByte/size+1 && !s.holds(n) {
			suspect = append(suspect, n)
		}
		if len(suspect) == mostSuspect {
			pages = n
		}
	}
	if len(suspect) == 0 {
		return pages, behind, nil, nil
	}
	free := s.unwritten(int64(binary.BigEndian.Uint32(header[freeAt:])), all)
	for _, n := range suspect {
		// Another process may have been writing it.
		if !free[n] && !s.holds(n) {
			wrong = append(wrong, n)
		}
	}
	return pages, behind, wrong, nil
}

// Pages is how many bytes a [Scan] of the file at path reads.
func Pages(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	_, size, pages, _, err := extent(f)
	return size * pages, err
}

// extent reads the header, and from it the size of a page, how many pages there are,
// and how many bytes follow them. A file may be longer than its database: SQLite reads
// nothing there (SQLite's file format, section 1.3.8).
func extent(f *os.File) (header [headerSize]byte, size, pages, behind int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return header, 0, 0, 0, err
	}
	if _, err := io.ReadFull(f, header[:]); err != nil {
		return header, 0, 0, 0, fmt.Errorf("its header: %w", err)
	}
	size = int64(binary.BigEndian.Uint16(header[sizeAt:]))
	if size == 1 {
		size = 1 << 16
	}
	if size < leastPage || size&(size-1) != 0 {
		return header, 0, 0, 0, fmt.Errorf("its header says that a page has %d bytes", size)
	}
	pages = (info.Size() + size - 1) / size
	count := int64(binary.BigEndian.Uint32(header[countAt:]))
	if count > 0 && count < pages && bytes.Equal(header[changesAt:changesAt+4], header[validAt:validAt+4]) {
		return header, size, count, info.Size() - count*size, nil
	}
	return header, size, pages, 0, nil
}

type scan struct {
	f    *os.File
	page []byte
}

func (s *scan) read(n int64) error {
	_, err := s.f.ReadAt(s.page, (n-1)*int64(len(s.page)))
	return err
}

func (s *scan) holds(n int64) bool { return s.read(n) == nil && holds(s.page, n) }

// unwritten are the free pages that nothing was ever written to: SQLite writes
// nothing to a page that it takes and gives back at once. first is the first of the
// pages that list the free ones (SQLite's file format, section 1.5).
func (s *scan) unwritten(first, pages int64) map[int64]bool {
	free := make(map[int64]bool)
	var lists [][]byte
	listed := make(map[int64]bool)
	for n := first; 0 < n && n <= pages && !listed[n] && s.holds(n); {
		listed[n] = true
		lists = append(lists, bytes.Clone(s.page))
		n = int64(binary.BigEndian.Uint32(s.page))
	}
	for _, list := range lists {
		count := min(int(binary.BigEndian.Uint32(list[4:])), len(list)/4-2)
		for i := range count {
			n := int64(binary.BigEndian.Uint32(list[8+4*i:]))
			if err := s.read(n); (err == nil || errors.Is(err, io.EOF)) && len(bytes.Trim(s.page, "\x00")) == 0 {
				free[n] = true
			}
		}
	}
	return free
}
