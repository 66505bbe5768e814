package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// mostWrong is how many pages a finding names.
const mostWrong = 3

// examinePages reads every page with all its chunks and holds it to what indexing
// made of it.
func examinePages(ctx context.Context, st store.Store, at place) (checks []store.Check, err error) {
	if st.Info().Foreign {
		return nil, nil
	}
	v, err := st.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	const atOnce = 500
	var wrong []string
	all, unknown, unread, last := 0, 0, 0, ""
	damaged := false
	for {
		docs, err := v.Documents(ctx, store.Scope{}, store.Page{Offset: all, Limit: atOnce})
		if err != nil {
			return nil, err
		}
		for i := range docs {
			known, err := examinePage(ctx, v, docs[i])
			if ctx.Err() != nil {
				return nil, err
			}
			switch {
			case errors.Is(err, sqlite.ErrDamaged): // the other checks say where
				unread++
				damaged = true
			case err != nil:
				if err.Error() == last { // of the whole corpus, not of this page
					unread++
					break
				}
				last = err.Error()
				wrong = append(wrong, fmt.Sprintf("%s (%v)", docs[i].SourceURL, err))
			case !known:
				unknown++
			}
		}
		all += len(docs)
		if len(docs) < atOnce {
			break
		}
	}
	check := store.Check{Name: "pages", State: store.CheckFine, Found: fmt.Sprintf("%s, texts and places are those that were indexed", plural(all, "page"))}
	if unknown > 0 {
		check.Found += fmt.Sprintf("; of %d that another version or program made only the sections were looked at", unknown)
	}
	switch {
	case len(wrong) > 0:
		check.Fix = fmt.Sprintf("take them out and index them again: webrag-tui docs delete --forever URL --corpus %[1]s, then webrag-tui index PAGES --corpus %[1]s", at.argument())
		if damaged {
			check.Fix = "see the checks below"
		}
		check.State = store.CheckBroken
		check.Found = fmt.Sprintf("%d of %s are not what was indexed: %s", len(wrong)+unread, plural(all, "page"), strings.Join(wrong[:min(len(wrong), mostWrong)], "; "))
		if more := len(wrong) + unread - min(len(wrong), mostWrong); more > 0 {
			check.Found += fmt.Sprintf("; and %d more", more)
		}
	case unread > 0:
		check.State, check.Fix = store.CheckBroken, "see the checks below"
		check.Found = fmt.Sprintf("%d of %s cannot be read for the damage of the file", unread, plural(all, "page"))
	}
	return []store.Check{check}, nil
}

func examinePage(ctx context.Context, v store.View, d store.Document) (known bool, err error) {
	const fields = store.FieldText | store.FieldHTML | store.FieldTerms
	parents, err := v.Parents(ctx, store.Scope{DocumentIDs: []string{d.ID}}, fields, store.Page{})
	if err != nil {
		return false, err
	}
	children, err := v.Children(ctx, idsOf(parents), fields)
	if err != nil {
		return false, err
	}
	links, err := v.Links(ctx, d.ID)
	if err != nil {
		return false, err
	}
	return indexing.Verify(d, parents, children, links)
}
