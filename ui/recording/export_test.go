package recording

// SetLimit bounds a recording more tightly, for tests.
func (r *Recorder) SetLimit(bytes int) { r.limit = bytes }

// SetLines bounds the lines of a recording, and each of them, more tightly.
func (r *Recorder) SetLines(most, longest int) { r.mostLines, r.longest = most, longest }

// SetEffort bounds what one answer of a replay goes through, in bytes, and how many are kept
// completed.
func (r *Recording) SetEffort(most int) { r.whole.most = most }

// GoneThrough counts the bytes that answers of a replay went through.
func (r *Recording) GoneThrough() int { return int(r.whole.gone.Load()) }

// Completed counts the evidences that are kept completed.
func (r *Recording) Completed() int { return len(r.whole.of) }
