package indexing

import (
	"context"
	"crypto/sha256"

	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
)

// mostNotes is how many notes wait to be kept at once.
const mostNotes = 256

// notebook is what a run knows of pages by their bytes: which document each became. A
// note spares reading and cutting the page, and nothing else: the run goes on with the
// document's row as it would with what it had cut, and not unless that row is still what
// the page became. So nothing depends on whether a note is there, and a note that is lost
// costs time only.
//
// The keeper is nil where the store keeps none, or the program has no name.
type notebook struct {
	keeper         store.SourceNoter
	program, print string
	waiting        []store.SourceNote
}

func newNotebook(w store.Writer, program, fingerprint string) notebook {
	keeper, _ := w.(store.SourceNoter)
	if program == "" {
		keeper = nil
	}
	return notebook{keeper: keeper, program: program, print: fingerprint}
}

// key names all that decides what becomes of a page.
func (n *notebook) key(sum [sha256.Size]byte) [sha256.Size]byte {
	h := newHasher()
	h.text(n.program, n.print, string(sum[:]))
	return [sha256.Size]byte(h.Sum(nil))
}

// of is the note of a page that was cut, nil for none. What a page becomes that claims
// another's address depends on the other.
func (n *notebook) of(j *job, claimed bool) *store.SourceNote {
	if n.keeper == nil || claimed || j.page.Sum == ([sha256.Size]byte{}) {
		return nil
	}
	doc := &j.out.Bundle.Document
	return &store.SourceNote{
		Key: n.key(j.page.Sum), DocumentID: doc.ID, DerivedHash: doc.DerivedHash, Children: j.children(),
		Foreign: j.out.Foreign, Unmatched: j.out.Unmatched, Elsewhere: j.doc.IsElsewhere,
	}
}

// add keeps a note, if not nil, with the next ones.
func (n *notebook) add(ctx context.Context, note *store.SourceNote) error {
	if note == nil {
		return nil
	}
	if n.waiting = append(n.waiting, *note); len(n.waiting) < mostNotes {
		return nil
	}
	return n.flush(ctx)
}

// flush keeps what is waiting.
func (n *notebook) flush(ctx context.Context) error {
	if len(n.waiting) == 0 {
		return nil
	}
	err := n.keeper.NoteSources(ctx, n.waiting)
	n.waiting = n.waiting[:0]
	return err
}

// recall finds the document of a page without reading it. It is called by workers.
func (r *run) recall(ctx context.Context, j *job) bool {
	if r.notes.keeper == nil || j.page.Sum == ([sha256.Size]byte{}) {
		return false
	}
	note, doc, ok, err := r.notes.keeper.NotedSource(ctx, r.notes.key(j.page.Sum))
	if err != nil || !ok || doc.ID != note.DocumentID || !isAsDerived(&doc, note.DerivedHash, r.print) {
		return false // what is wrong with the corpus is found on the long way, too
	}
	j.noted, j.passages = true, note.Children
	j.doc = source.NormalizedDocument{
		Path: j.page.Path, Root: j.page.Root, SourceURL: doc.SourceURL, URL: doc.URL, IsElsewhere: note.Elsewhere,
	}
	j.out = Derived{Bundle: store.Bundle{Document: doc}, Foreign: note.Foreign, Unmatched: note.Unmatched}
	return true
}
