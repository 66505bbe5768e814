package recording

// SetLimit bounds a recording more tightly, for tests.
func (r *Recorder) SetLimit(bytes int) { r.limit = bytes }
