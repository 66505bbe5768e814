package sqlite

// SetMostTail makes writers begin a segment of the keyword index with every n
// children.
func (s *Store) SetMostTail(n int) { s.mostTail = n }
