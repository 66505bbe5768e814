package store

import (
	"context"
	"time"
)

// IndexHealth is implemented by views of stores whose vector search is
// approximate.
type IndexHealth interface {
	// VectorIndex describes the index and the rows under it. Without an index Name
	// is empty and Why says why.
	VectorIndex(ctx context.Context) (VectorIndex, error)
	// Probe searches with each of the settings and compares with an exact search of
	// the same rows in the same scope.
	Probe(ctx context.Context, p Probe) (Probed, error)
}

// VectorIndex describes an approximate index.
type VectorIndex struct {
	// Name is the index's, Method its access method ("hnsw", "ivfflat"), Why the
	// reason for an empty Name.
	Name, Method, Why string
	// Type is the type of what is indexed: "vector" or "halfvec".
	Type string
	// Options are those it was built with, with their defaults: m,
	// ef_construction.
	Options []Setting
	// Valid is false for one whose building failed.
	Valid bool
	// Bytes is the size of the index, TableBytes that of the table without its
	// indexes and ToastBytes the part of it that is kept out of line.
	Bytes, TableBytes, ToastBytes int64
	// Rows are the vectors under the index. Dead is the server's estimate of rows
	// that were replaced or deleted, which stay in the graph until a vacuum that
	// cleans indexes; LastVacuum is the time of the last vacuum, zero for never.
	Rows, Dead int64
	LastVacuum time.Time
}

// Probe asks for the recall of one query.
type Probe struct {
	Vector []float32
	Scope  Scope
	// K is the number of nearest rows that are compared, at most 1,000.
	K int
	// EfSearch are the settings to try, each 1 to 1,000.
	EfSearch  []int
	Iterative Iterative
}

// Probed is what a probe found.
type Probed struct {
	// Exact is how long the exact search took, of how many rows in scope.
	Exact time.Duration
	Rows  int
	// Points are in the order of Probe.EfSearch.
	Points []ProbePoint
}

// ProbePoint is one setting: how many of the K exact rows the index found.
type ProbePoint struct {
	EfSearch int
	// Returned rows came back; Recall is the share of the exact rows among them, by
	// distance: a row as near as the last exact one counts.
	Returned int
	Recall   float64
	Took     time.Duration
	// Used is the index that the plan names, empty when it was not used.
	Used string
}

// Checker is implemented by stores that can be examined.
type Checker interface {
	Check(ctx context.Context) ([]Check, error)
}

// Check is one thing that was looked at.
type Check struct {
	// Name is what was looked at in a few words, Found what is the case.
	Name, Found string
	State       CheckState
	// Fix is what to do about it, empty if nothing is.
	Fix string
}

// CheckState is the outcome of a check.
type CheckState string

// The outcomes, from best to worst. Unknown is what could not be looked at.
const (
	CheckFine    CheckState = "fine"
	CheckUnknown CheckState = "unknown"
	CheckWarning CheckState = "warning"
	CheckBroken  CheckState = "broken"
)
