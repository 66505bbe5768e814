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

// Scan reads the file at path, past SQLite and past every fault, and returns how many
// pages it has and the numbers of those that do not have their sum, in order. A file
// without sums is an error.
func Scan(ctx context.Context, path string) (pages int64, wrong []int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, nil, fmt.Errorf("scan the file: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, nil, fmt.Errorf("scan the file: %w", err)
	}
	var header [headerSize]byte
	if _, err := io.ReadFull(f, header[:]); err != nil {
		return 0, nil, fmt.Errorf("scan %s: its header: %w", path, err)
	}
	size := int64(binary.BigEndian.Uint16(header[sizeAt:]))
	if size == 1 {
		size = 1 << 16
	}
	if size < leastPage || size&(size-1) != 0 {
		return 0, nil, fmt.Errorf("scan %s: its header says that a page has %d bytes", path, size)
	}
	s := scan{f: f, page: make([]byte, size)}
	pages = (info.Size() + size - 1) / size
	var suspect []int64
	for n := int64(1); n <= pages; n++ {
		if err := ctx.Err(); err != nil {
			return 0, nil, err
		}
		if n != lockByte/size+1 && !s.holds(n) {
			suspect = append(suspect, n)
		}
	}
	if len(suspect) == 0 {
		return pages, nil, nil
	}
	free := s.unwritten(int64(binary.BigEndian.Uint32(header[freeAt:])), pages)
	for _, n := range suspect {
		// Another process may have been writing it.
		if !free[n] && !s.holds(n) {
			wrong = append(wrong, n)
		}
	}
	return pages, wrong, nil
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
	for n := first; 0 < n && n <= pages && int64(len(lists)) < pages && s.holds(n); {
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
