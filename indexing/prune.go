package indexing

import (
	"context"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// prune deletes the documents under the given roots that no page of this run
// has the address of. A page that failed keeps its document: it is not gone.
func (r *run) prune(ctx context.Context) error {
	if len(r.o.Prune) == 0 {
		return nil
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
		if _, seen := r.seen[docs[i].ID]; !seen && r.isGone(&docs[i]) {
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
			under = under || strings.HasPrefix(address, root)
		}
		for _, failed := range r.report.Failed {
			if failed.URL == address || strings.HasSuffix(failed.URL, "/") && strings.HasPrefix(address, failed.URL) {
				return false
			}
		}
	}
	return under
}
