package store

import (
	"context"
	"errors"
	"fmt"
)

// Errors that callers tell apart.
var (
	// ErrReadOnly is returned by Write on a corpus that may not be written.
	ErrReadOnly = errors.New("the corpus is read-only")
	// ErrLocked is returned by Write while another process writes.
	ErrLocked = errors.New("another process is writing this corpus")
	// ErrNotCorpus is returned when a file is not a corpus of this program.
	ErrNotCorpus = errors.New("not a corpus")
	// ErrNewerSchema is returned for a corpus of a later version of the program.
	ErrNewerSchema = errors.New("the corpus was made by a newer version")
	// ErrUnavailable marks a failure that a retry may cure.
	ErrUnavailable = errors.New("the corpus is not available")
)

// MismatchError reports vectors of one embedder met with those of another.
type MismatchError struct {
	Have, Want         string // embedder ids: the corpus's, the caller's
	HaveDims, WantDims int
}

// Error states the facts; what to do about them depends on what was asked for
// and is said by who asked. A vector alone does not tell which embedder made it;
// then Want is empty.
func (e *MismatchError) Error() string {
	not := fmt.Sprintf("a vector of %d dimensions", e.WantDims)
	if e.Want != "" {
		not = fmt.Sprintf("%s (%d dimensions)", e.Want, e.WantDims)
	}
	return fmt.Sprintf("the corpus was embedded with %s (%d dimensions), which does not fit %s",
		e.Have, e.HaveDims, not)
}

// Info describes an open store.
type Info struct {
	// Name is what a header shows: a file's base name without its extension.
	Name string
	// Location is the path or address, without secrets.
	Location string
	Meta     Meta
	ReadOnly bool
	// Missing maps a capability that this store lacks to the reason.
	Missing map[Capability]string
}

// Capability names something that a store may be unable to do.
type Capability string

// The capabilities.
const (
	CapKeyword Capability = "keyword search"
	CapOwners  Capability = "owners"
)

// Store is one corpus, opened for one owner, so that no read can forget the
// guard. It may be used from several goroutines.
type Store interface {
	// Info answers from what was read when the store was opened or last read.
	Info() Info
	// Read opens a view of the newest version.
	Read(ctx context.Context) (View, error)
	// Write opens the one writer, or fails with ErrReadOnly or ErrLocked.
	Write(ctx context.Context) (Writer, error)
	Close() error
}

// Warmer is implemented by stores that load something before the first search.
// Load returns at once when everything is loaded; progress is called with rows
// done and rows in all, from Load's goroutine.
type Warmer interface {
	Load(ctx context.Context, progress func(done, total int)) error
}

// View is one version of a corpus. It is used by one goroutine and closed after
// each request.
type View interface {
	// Version is the change counter of what this view shows.
	Version() int64
	Meta() Meta
	// Stats sums over the documents in scope.
	Stats(ctx context.Context, scope Scope) (Stats, error)
	// Search runs the arms of spec. Rows are ordered by (score descending,
	// chunk id ascending), vector rows unfiltered by any floor.
	Search(ctx context.Context, spec Search) (Found, error)
	// Chunks returns the chunks of ids that exist, in no particular order, with
	// the texts that fields asks for.
	Chunks(ctx context.Context, ids []string, fields Fields) ([]Chunk, error)
	// Parents returns the parents in scope by (depth, source URL, index).
	Parents(ctx context.Context, scope Scope, fields Fields, page Page) ([]Chunk, error)
	// Children returns the children of a parent by index.
	Children(ctx context.Context, parentIDs []string, fields Fields) ([]Chunk, error)
	// Documents returns the documents in scope by (depth, source URL).
	Documents(ctx context.Context, scope Scope, page Page) ([]Document, error)
	Close() error
}

// Page bounds a listing. The zero value lists everything.
type Page struct {
	// Offset rows are left out, then at most Limit returned; 0 is no limit.
	Offset, Limit int
}

// Fields selects the texts that a read returns.
type Fields uint8

// The selectable fields of a chunk. Without any, a read returns numbers,
// headings and ids only.
const (
	FieldText Fields = 1 << iota
	FieldHTML
	FieldTerms
	FieldEmbedding
)

// Scope restricts a request to some documents: all conditions hold, and within
// one any value will do. The zero value is the whole corpus.
type Scope struct {
	// SourceURLs matches documents by canonical URL, requested URL or alias.
	SourceURLs []string
	// DocumentIDs matches by id; ExcludeDocumentIDs leaves documents out.
	DocumentIDs, ExcludeDocumentIDs []string
}

// IsZero reports whether the scope is the whole corpus.
func (s Scope) IsZero() bool {
	return len(s.SourceURLs) == 0 && len(s.DocumentIDs) == 0 && len(s.ExcludeDocumentIDs) == 0
}

// Search asks one or both arms in one go.
type Search struct {
	Scope Scope
	// Vector is the query's unit vector, nil to leave the arm out. Its length
	// must be the corpus's dimension.
	Vector []float32
	// VectorRows is how many rows the vector arm returns at most.
	VectorRows int
	// Terms are the query's keyword terms, as [Terms] makes them, nil to leave
	// the arm out; KeywordRows is the most rows it returns.
	Terms       []string
	KeywordRows int
	Match       Match
}

// Match says how keyword terms combine.
type Match string

// The ways to combine.
const (
	// MatchAuto ORs the terms, rarest first, while the sum of their document
	// frequencies is at most 20,000 rows.
	MatchAuto Match = "auto"
	// MatchAnd finds rows with all terms, MatchOr rows with any.
	MatchAnd Match = "and"
	MatchOr  Match = "or"
)

// Found is what a search returned and how it was done.
type Found struct {
	Vector  []VectorRow
	Keyword []KeywordRow
	// Terms describes the query's terms in the order of Search.Terms.
	Terms []TermStat
	// Rows and AvgLength are the number of searchable children in the corpus
	// and their mean length in terms, whatever the scope.
	KeywordRows int
	AvgLength   float64
	// KeywordSampled says that the terms have so many matches that not all of
	// them were ranked.
	KeywordSampled bool
	// VectorScanned is how many vectors were compared, VectorReturned and
	// KeywordReturned what came back. Exact says that no approximation was used.
	VectorScanned, VectorReturned, KeywordReturned int
	Exact                                          bool
}

// VectorRow is a hit of the vector arm.
type VectorRow struct {
	ID, ParentID, DocumentID string
	// Similarity is the cosine, rescored in float64 in index order.
	Similarity float64
}

// KeywordRow is a hit of the keyword arm. Its score is computed from the counts
// by [BM25].
type KeywordRow struct {
	ID, ParentID, DocumentID string
	// TF[i] is how often the i-th query term occurs; Length is the child's
	// number of terms.
	TF     []int
	Length int
	// Score is the BM25 sum over all query terms.
	Score float64
}

// TermStat is a query term, the number of children that hold it, and whether it
// was used to find rows.
type TermStat struct {
	Term string
	DF   int
	Used bool
}

// Writer changes a corpus. Each Put and Delete is one transaction: a crash
// leaves the old document or the new one. It is used by one goroutine.
type Writer interface {
	Meta() Meta
	// SetMeta records what the corpus was made with. It fails with a
	// MismatchError when vectors of another embedder or dimension exist.
	SetMeta(ctx context.Context, m Meta) error
	// SetCalibration records a measured cosine scale.
	SetCalibration(ctx context.Context, c Calibration) error
	// Document returns the stored row with this id, without its chunks.
	Document(ctx context.Context, id string) (Document, bool, error)
	// Known returns the stored vectors whose embed text has one of the hashes.
	Known(ctx context.Context, hashes []string) (map[string][]float32, error)
	// Put replaces a document as a whole. It writes nothing and reports false
	// when the stored rows are equal.
	Put(ctx context.Context, b Bundle) (changed bool, err error)
	// Delete removes documents with everything that belongs to them.
	Delete(ctx context.Context, documentIDs ...string) (int, error)
	// View reads what this writer has written so far.
	View(ctx context.Context) (View, error)
	// StageVectors keeps vectors of a new embedder beside the present ones, by
	// chunk id; an empty one says that the embedder knows no word of the text.
	// SwitchEmbedder then replaces all vectors and the meta in one transaction: a
	// child gets a vector that had none, or loses its own. It fails, changing
	// nothing, while nothing is staged for a child with a vector or an embed hash.
	// Staging anew with another embedder drops what was staged.
	StageVectors(ctx context.Context, embedderID string, vectors map[string][]float32) error
	Staged(ctx context.Context, embedderID string) (ids map[string]bool, err error)
	SwitchEmbedder(ctx context.Context, m Meta) error
	Close() error
}

// Bundle is a document with all its chunks and links, parents before their
// children.
type Bundle struct {
	Document Document
	Chunks   []Chunk
	Links    []Link
}
