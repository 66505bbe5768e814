package postings

import (
	"encoding/binary"
)

// blockSize is how many bytes a block has at least before the next one begins. A
// block is read as a whole to find one list: a page or two of the file.
const blockSize = 3000

// Block are the lists of terms that follow one another: each the length of its term,
// the term, the length of its list, the list.
type Block []byte

// next cuts the first list off.
func (b Block) next() (term []byte, l List, rest Block, err error) {
	term, rest, ok := cutBytes(b)
	if ok {
		if l, rest, ok = cutBytes(rest); ok {
			return term, l, rest, nil
		}
	}
	return nil, nil, nil, ErrDamaged
}

func cutBytes(b []byte) (head, rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return nil, nil, false
	}
	end := size + int(n)
	return b[size:end:end], b[end:], true
}

// Find returns the list of a term, nil if the block has none.
func (b Block) Find(term string) (List, error) {
	for len(b) > 0 {
		t, l, rest, err := b.next()
		if err != nil {
			return nil, err
		}
		if string(t) >= term {
			if string(t) == term {
				return l, nil
			}
			return nil, nil
		}
		b = rest
	}
	return nil, nil
}

// Each calls do with every list, in the order of their terms.
func (b Block) Each(do func(term string, l List) error) error {
	for len(b) > 0 {
		t, l, rest, err := b.next()
		if err != nil {
			return err
		}
		if err := do(string(t), l); err != nil {
			return err
		}
		b = rest
	}
	return nil
}

// blockBuilder cuts lists that come in the order of their terms into blocks.
type blockBuilder struct {
	first string
	block Block
	// put takes a block and its first term.
	put func(first string, b Block) error
}

func (b *blockBuilder) add(term string, l List) error {
	if len(b.block) == 0 {
		b.first = term
	}
	b.block = binary.AppendUvarint(b.block, uint64(len(term)))
	b.block = append(b.block, term...)
	b.block = binary.AppendUvarint(b.block, uint64(len(l)))
	b.block = append(b.block, l...)
	if len(b.block) < blockSize {
		return nil
	}
	return b.flush()
}

func (b *blockBuilder) flush() error {
	if len(b.block) == 0 {
		return nil
	}
	err := b.put(b.first, b.block)
	b.block = b.block[:0]
	return err
}
