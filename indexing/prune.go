package indexing

import (
	"context"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// rootKey is where a document's metadata keep the mark of the folder that it came
// from (source.Root). Neither the derived hash nor an id knows it: a page that is
// read from another copy of the folder writes nothing and keeps the mark it has,
// so that it is pruned with the first copy only.
const rootKey = "webrag:root"

// PruneError reports a folder that is not pruned because no page of it was read:
// an empty folder is more often a mistake than the end of all its pages.
type PruneError struct{ Path string }

func (e *PruneError) Error() string {
	return fmt.Sprintf("no page of %s was read, so that none of its documents was deleted: check the folder", e.Path)
}

// prune deletes the documents of the given folders that no page of this run has
// the address of and that belong to an owner of this run. Of several folders under one address each loses its own only. A
// page that failed keeps its document: it is not gone.
func (r *run) prune(ctx context.Context) error {
	if len(r.o.Prune) == 0 {
		return nil
	}
	for _, root := range r.o.Prune {
		if !r.roots[root.Mark] {
			return &PruneError{Path: root.Path}
		}
	}
	r.stage = StagePrune
	r.progress()
	v, err := r.w.View(ctx)
	if err != nil {
		return err
	}
	docs, err := v.Documents(ctx, store.Scope{}, store.Page{})
	if closeErr := v.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	var gone []string
	for i := range docs {
		if _, seen := r.seen[docs[i].ID]; !seen && r.owners[docs[i].Owner] && r.isGone(&docs[i]) {
			gone = append(gone, docs[i].ID)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	n, err := r.w.Delete(ctx, gone...)
	r.report.Deleted += n
	return err
}

func (r *run) isGone(d *store.Document) bool {
	under := false
	for _, address := range append([]string{d.SourceURL, d.URL}, d.URLAliases...) {
		for _, root := range r.o.Prune {
			under = under || d.Metadata[rootKey] == root.Mark && strings.HasPrefix(address, root.Address)
		}
		for _, failed := range r.report.Failed {
			if failed.URL == address || strings.HasSuffix(failed.URL, "/") && strings.HasPrefix(address, failed.URL) {
				return false
			}
		}
	}
	return under
}
