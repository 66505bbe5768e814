package postings

// Source is a segment that is merged into another.
type Source struct {
	// Renumber gives each child its number in the merged segment, -1 for one that is
	// left out. Numbers grow from child to child and from source to source.
	Renumber []int32
	// Next returns the next block, nil after the last.
	Next func() (Block, error)

	rest Block
	term string
	list List
	done bool
}

// advance goes to the next list.
func (s *Source) advance() error {
	if len(s.rest) == 0 {
		b, err := s.Next()
		if err != nil {
			return err
		}
		if len(b) == 0 {
			s.done = true
			return nil
		}
		s.rest = b
	}
	term, l, rest, err := s.rest.next()
	if err != nil {
		return err
	}
	s.term, s.list, s.rest = string(term), l, rest
	return nil
}

// Merge joins segments and calls put with each block of the result and its first
// term. put must copy what it keeps.
func Merge(sources []*Source, put func(first string, b Block) error) error {
	for _, s := range sources {
		if err := s.advance(); err != nil {
			return err
		}
	}
	blocks := blockBuilder{put: put}
	for {
		term, more := "", false
		for _, s := range sources {
			if !s.done && (!more || s.term < term) {
				term, more = s.term, true
			}
		}
		if !more {
			return blocks.flush()
		}
		var l listBuilder
		for _, s := range sources {
			if s.done || s.term != term {
				continue
			}
			if err := l.appendRenumbered(s.list, s.Renumber); err != nil {
				return err
			}
			if err := s.advance(); err != nil {
				return err
			}
		}
		if l.n == 0 {
			continue
		}
		if err := blocks.add(term, l.list()); err != nil {
			return err
		}
	}
}

func (b *listBuilder) appendRenumbered(l List, renumber []int32) error {
	c := l.Cursor()
	for c.Next() {
		if int(c.Child) >= len(renumber) {
			return ErrDamaged
		}
		if to := renumber[c.Child]; to >= 0 {
			b.add(to, c.Counts)
		}
	}
	if c.Damaged {
		return ErrDamaged
	}
	return nil
}
