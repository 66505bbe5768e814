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
	// ErrReplaced says that the corpus that was opened is no longer in its place: its
	// file was removed or another one is there. Opening it again may cure that; it is
	// an ErrUnavailable.
	ErrReplaced = fmt.Errorf("%w in its place", ErrUnavailable)
)

// MismatchError reports vectors of one embedder met with those of another.
type MismatchError struct {
	Have, Want         string // embedder ids: the corpus's, the caller's
	HaveDims, WantDims int
}

// Error states the facts; what to do about them depends on what was asked for
// and is said by who asked. A vector alone does not tell which embedder made it;
// then Want is empty. Have is empty where the corpus does not name its embedder.
func (e *MismatchError) Error() string {
	not := fmt.Sprintf("a vector of %d dimensions", e.WantDims)
	if e.Want != "" {
		not = fmt.Sprintf("%s (%d dimensions)", e.Want, e.WantDims)
	}
	if e.Have == "" {
		return fmt.Sprintf("the vectors of the corpus have %d dimensions, which does not fit %s", e.HaveDims, not)
	}
	return fmt.Sprintf("the corpus was embedded with %s (%d dimensions), which does not fit %s",
		e.Have, e.HaveDims, not)
}

// Placeless is the error for those who keep it: an embedder's id may name a file.
func (e *MismatchError) Placeless() string { return "the corpus was embedded with another embedder" }

// Info describes an open store.
type Info struct {
	// Name is what a header shows: a file's base name without its extension.
	Name string
	// Location is the path or address, without secrets.
	Location string
	Meta     Meta
	ReadOnly bool
	// Owner is the owner for whom the store was opened, empty for none.
	Owner string
	// HasOwners says whether any document of the corpus, visible or not, has an
	// owner. Asking a corpus without owners for one's own finds nothing.
	HasOwners bool
	// Missing maps a capability that this store lacks to the reason.
	Missing map[Capability]string
	// Foreign says that another program made the corpus: it is shown as that
	// program sees it, and nothing is ever written to it.
	Foreign bool
	// Unindexed says that a keyword search that [CapKeyword] says to be missing can
	// be made nevertheless, if it is asked for ([Search.Unindexed]).
	Unindexed bool
	// Warnings are sentences that whoever opens the corpus should read once.
	Warnings []string
	// Advice are sentences for whoever maintains the server, such as on flaws of
	// its versions: no answer is wrong for them.
	Advice []string
}

// Capability names something that a store may be unable to do.
type Capability string

// The capabilities.
const (
	CapKeyword Capability = "keyword search"
	CapOwners  Capability = "owners"
	CapEdges   Capability = "edges"
	CapApprox  Capability = "approximate search"
	// CapSections: parents that hold the passages that are searched. Without, each
	// passage is its own parent.
	CapSections Capability = "sections"
	// CapLinks: the hyperlinks of pages.
	CapLinks Capability = "links"
	// CapDeletion: documents that can be hidden and restored.
	CapDeletion Capability = "soft deletion"
)

// Store is one corpus, opened for one owner or for none, so that no read can
// forget the guard. It may be used from several goroutines.
//
// Opened for an owner, it sees only chunks whose own owner and whose document's
// are that one: not those of others, and not those of nobody. Opened for none, it
// sees the whole corpus. Either way no read returns a chunk whose owner is not its
// document's, one of a document that was deleted or never indexed to its end, one
// of another ingestion than the document's current one, or a child of such a
// parent.
type Store interface {
	// Info answers from what was read when the store was opened or last read.
	Info() Info
	// Read opens a view of the newest version.
	Read(ctx context.Context) (View, error)
	// Write opens the one writer, or fails with ErrReadOnly or ErrLocked.
	Write(ctx context.Context) (Writer, error)
	Close() error
}

// Preloader is implemented by stores that load something before the first search.
// Load returns at once when everything is loaded; progress is called with rows
// done and rows in all, from Load's goroutine.
type Preloader interface {
	Load(ctx context.Context, progress func(done, total int)) error
}

// Sampler is implemented by views that can read children without what the first search has to
// load, for which a run that fills a large corpus has no memory.
type Sampler interface {
	// ChildIDs returns the ids of all children, in no order.
	ChildIDs(ctx context.Context) ([]string, error)
	// Sample returns those children of ids that exist, in no order and with nothing but their id
	// and what fields names: [FieldText] is the text alone, [FieldEmbedding] the vector.
	Sample(ctx context.Context, ids []string, fields Fields) ([]Chunk, error)
}

// NoteKeeper is implemented by stores that keep beside a corpus of another program
// ([Info.Foreign]), into which nothing is written, what a corpus of ours has in its
// Meta. Of m, Remember keeps the embedder with its dimensions and its agreement
// with the vectors, the tokenizer and the calibration, and later views have them in their Meta. A corpus of ours
// refuses.
type NoteKeeper interface {
	Remember(ctx context.Context, m Meta) error
}

// View is one version of a corpus. It is used by one goroutine and closed after
// each request.
type View interface {
	// Version is the change counter of what this view shows.
	Version() int64
	Meta() Meta
	// Stats sums over the documents in scope, or over the sections in scope if that
	// names headings.
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
	// Deleted returns the soft-deleted documents by (depth, source URL); nothing
	// else of a view shows them.
	Deleted(ctx context.Context) ([]Document, error)
	// Edges returns the edges at the given nodes, capped per node, each once, by
	// (weight descending, id).
	Edges(ctx context.Context, q EdgeQuery) ([]Edge, error)
	// Links returns the hyperlinks of a document, in the order of Put.
	Links(ctx context.Context, documentID string) ([]Link, error)
	// Hidden counts what no read returns.
	Hidden(ctx context.Context) (Hidden, error)
	// Within reports which of the chunks are in scope, as Search would hold it
	// against them.
	Within(ctx context.Context, scope Scope, ids []string) (map[string]bool, error)
	// Place answers where one chunk stands in each arm of spec, exactly.
	Place(ctx context.Context, spec Search, chunkID string) (Placement, error)
	// Find returns the chunks that q means, without texts, best first, and how many
	// there are. A fragment of a SourceURL puts the section first that it means.
	// Where a quote spans several chunks of a level, each of them is meant, after
	// those that hold the whole; of these, children come first.
	Find(ctx context.Context, q FindQuery) (chunks []Chunk, total int, err error)
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

// Writer changes a corpus. Each Put and Delete is one transaction, or a part of one (see
// [BatchPutter]): a crash leaves the old document or the new one. It is used by one goroutine.
type Writer interface {
	Meta() Meta
	// SetMeta records what the corpus was made with. It fails with a
	// MismatchError when vectors of another embedder or dimension exist.
	SetMeta(ctx context.Context, m Meta) error
	// SetCalibration records a measured cosine scale.
	SetCalibration(ctx context.Context, c Calibration) error
	// Document returns the stored row with this id, without its chunks, also that
	// of a soft-deleted document.
	Document(ctx context.Context, id string) (Document, bool, error)
	// Known returns the stored vectors whose embed text has one of the hashes.
	Known(ctx context.Context, hashes []string) (map[string][]float32, error)
	// Put replaces a document as a whole. It writes nothing and reports false
	// when the stored rows are equal. A soft-deleted document comes back.
	Put(ctx context.Context, b Bundle) (changed bool, err error)
	// Delete removes documents with everything that belongs to them.
	Delete(ctx context.Context, documentIDs ...string) (int, error)
	// SoftDelete marks documents as deleted: nothing reads them any more, and
	// Restore brings them back as they were. Both return how many they changed;
	// documents of other owners are none of theirs.
	SoftDelete(ctx context.Context, documentIDs ...string) (int, error)
	Restore(ctx context.Context, documentIDs ...string) (int, error)
	// PutEdges adds edges, or overwrites weight, description and origin of those
	// with the same source, target and relation. An end that is a child stands for
	// its parent; without an origin an edge is of [OriginImport]; the other ids are
	// the store's to fill in. Of edges that are the same, the heaviest counts. An
	// edge with an end that does not exist, or whose ends are in one section, is
	// left out and returned; one outside of the types' ranges is an error that
	// names it. It is one transaction.
	PutEdges(ctx context.Context, edges []Edge) (missing []Edge, err error)
	// View reads what this writer has written so far.
	View(ctx context.Context) (View, error)
	// StageVectors keeps vectors of a new embedder beside the present ones, by
	// chunk id; an empty one says that the embedder knows no word of the text.
	// SwitchEmbedder then replaces all vectors and the meta in one transaction: a
	// child gets a vector that had none, or loses its own. It fails, changing
	// nothing, while nothing is staged for a child with a vector or an embed hash.
	// Soft-deleted documents lose their vectors: they come back without, until
	// they are indexed again. Staging anew with another embedder drops what was
	// staged.
	StageVectors(ctx context.Context, embedderID string, vectors map[string][]float32) error
	Staged(ctx context.Context, embedderID string) (ids map[string]bool, err error)
	SwitchEmbedder(ctx context.Context, m Meta) error
	Close() error
}

// ChildCounter is implemented by writers that need not load the corpus to count its
// children: those that a view of it shows.
type ChildCounter interface {
	CountChildren(ctx context.Context) (int, error)
}

// Finisher is implemented by writers that have something left to do when a run of
// writing ends, as building an index. Close does it, too, but says nothing
// meanwhile. progress, which may be nil, is called from another goroutine that ends
// before Finish does.
type Finisher interface {
	Finish(ctx context.Context, progress func(done, total int)) error
}

// Bundle is a document with all its chunks, links and the edges that its own
// structure gives, parents before their children. Put makes the references edges
// of its links, and of the links of other documents to it: a link leads to the
// document one of whose addresses (source URL, URL, aliases) has the [PageKey] of
// its target, and there to the parent that has its anchor among its Anchors.
type Bundle struct {
	Document Document
	Chunks   []Chunk
	Links    []Link
	// Edges are of origin [OriginStructure] and run between parents of this
	// document.
	Edges []Edge
}
