package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// noticeUnmatchedValue is the code of a notice on one value of a filter that no
// page has, where others of its values do.
const noticeUnmatchedValue = "unmatched_value"

// explainOwner says that it is the owner who has nothing where the corpus that
// they see is empty.
func explainOwner(c *config.Config, notices []retrieval.Notice) {
	if c.Text("corpus.owner") == "" {
		return
	}
	at := slices.IndexFunc(notices, func(n retrieval.Notice) bool {
		return n.Code == phrase.NoticeEmptyCorpus.Code || n.Code == phrase.NoticeEmptyScope.Code
	})
	if at >= 0 {
		notices[at].Text = noOwner(c)
	}
}

// noOwner says that an owner has no page. Who else has some is not theirs to know.
func noOwner(c *config.Config) string {
	return fmt.Sprintf("no page of this corpus belongs to owner %q; without --owner all pages are shown", c.Text("corpus.owner"))
}

// explainScope replaces the notice that a scope is empty by one that says why, and
// adds one for each value of a filter that no page has.
func explainScope(ctx context.Context, st store.Store, scope store.Scope, res *retrieval.Result) error {
	if scope.IsZero() {
		return nil
	}
	view, err := st.Read(ctx)
	if err != nil {
		return err
	}
	defer view.Close()
	report, err := retrieval.ReportScope(ctx, view, scope)
	if err != nil || report.Documents == 0 {
		return err
	}
	for i := range res.Notices {
		if res.Notices[i].Code == phrase.NoticeEmptyScope.Code {
			res.Notices[i].Text = report.String()
		}
	}
	for _, note := range report.Notes() {
		res.Notices = append(res.Notices, retrieval.Notice{Code: noticeUnmatchedValue, Text: note})
	}
	return nil
}

// corpusSize is how much a result was chosen from.
type corpusSize struct {
	// all is the corpus, scope what of it the filters let in.
	all, scope store.Stats
	isScoped   bool
	// owner is whose documents are counted alone, empty for everybody's.
	owner string
}

// sizeOf counts a corpus and what is in scope of it.
func sizeOf(ctx context.Context, st store.Store, scope store.Scope) (size corpusSize, err error) {
	size.owner = st.Info().Owner
	view, err := st.Read(ctx)
	if err != nil {
		return size, err
	}
	defer view.Close()
	size.isScoped = !scope.IsZero()
	if size.all, err = view.Stats(ctx, store.Scope{}); err != nil {
		return size, err
	}
	size.scope, err = view.Stats(ctx, scope)
	return size, err
}

// words are "14 pages", or "3 of 14 pages in scope", with what is in them.
func (s corpusSize) words(tokens func(string) string) []string {
	pages := plural(s.all.Documents, "page")
	if s.owner != "" {
		pages += " of owner " + offset.Line(s.owner)
	}
	if s.isScoped {
		pages = fmt.Sprintf("%d of %s in scope", s.scope.Documents, pages)
	}
	if s.scope.Documents == 0 {
		return []string{pages}
	}
	return []string{pages, plural(s.scope.Parents, "section"), tokens(thousands(s.scope.Tokens)) + " tokens"}
}
