package indexing

import "time"

// Stage is what a run is busy with.
type Stage string

// The stages.
const (
	StageReembed   Stage = "re-embedding"
	StageIndex     Stage = "indexing"
	StagePrune     Stage = "pruning"
	StageCalibrate Stage = "calibrating"
	// StageFinish is the store's own work at the end: its index of vectors is built.
	StageFinish Stage = "finishing"
)

// Progress says how far a run is.
type Progress struct {
	Stage Stage
	// PagesDone counts pages that are stored, unchanged or failed; PagesTotal is
	// 0 when it is not known. Re-embedding counts documents, finishing what the
	// store counts.
	PagesDone, PagesTotal int
	// Chunks counts parents and children that were cut, Vectors texts embedded.
	Chunks, Vectors int
	Elapsed         time.Duration
}

// Rate is pages a second, 0 at the start.
func (p Progress) Rate() float64 {
	if p.Elapsed <= 0 {
		return 0
	}
	return float64(p.PagesDone) / p.Elapsed.Seconds()
}

// Left estimates the time to the end; ok is false while it cannot be told.
func (p Progress) Left() (left time.Duration, ok bool) {
	if p.PagesDone == 0 || p.PagesTotal < p.PagesDone {
		return 0, false
	}
	perPage := p.Elapsed / time.Duration(p.PagesDone)
	return perPage * time.Duration(p.PagesTotal-p.PagesDone), true
}
