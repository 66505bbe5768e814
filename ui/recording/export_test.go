package recording

// SetLimit bounds a recording more tightly, for tests.
func (r *Recorder) SetLimit(bytes int) { r.limit = bytes }

// SetLines bounds the lines of a recording, and each of them, more tightly.
func (r *Recorder) SetLines(most, longest int) { r.mostLines, r.longest = most, longest }
