package postgres

import (
	"context"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
)

// Links returns the hyperlinks of a document, in the order of Put. A database that
// only keeps which addresses a page leads to does not say from which section.
func (v *View) Links(ctx context.Context, documentID string) (links []store.Link, err error) {
	id, ok := parseID(documentID)
	if !ok {
		return nil, nil
	}
	err = v.do(ctx, "read links of", func(tx pgx.Tx) error {
		var p params
		query := v.linksQuery(&p, id)
		if query == "" {
			return nil
		}
		rows, err := tx.Query(ctx, query, p...)
		if err != nil {
			return err
		}
		links, err = pgx.CollectRows(rows, scanLink)
		return err
	})
	return links, err
}

// linksQuery selects what scanLink reads, empty if the database keeps no links.
func (v *View) linksQuery(p *params, id uuid.UUID) string {
	l := v.layout
	conditions := append(v.visibleDocument(p), "d.id = "+p.add(id)+"::uuid")
	switch {
	case l.links:
		return "SELECT l.chunk_id, l.target_url, coalesce(l.anchor, ''), coalesce(l.text, '') FROM " +
			l.table("links") + " l JOIN " + l.table("documents") + " d ON d.id = l.document_id WHERE " +
			all(conditions) + " ORDER BY l.position"
	case l.linkCandidates:
		// Of the other columns not every version of the indexer has each.
		return "SELECT NULL::uuid, coalesce(l.target_url, ''), '', coalesce(to_jsonb(l) ->> 'title', '') FROM " +
			l.table("link_candidates") + " l JOIN " + l.table("documents") + " d ON d.id = l.source_document_id WHERE " +
			all(conditions) + ` ORDER BY (to_jsonb(l) ->> 'discovered_at')::timestamptz, l.target_url COLLATE "C"`
	}
	return ""
}

func scanLink(row pgx.CollectableRow) (store.Link, error) {
	var l store.Link
	var chunk pgtype.UUID
	if err := row.Scan(&chunk, &l.TargetURL, &l.Anchor, &l.Text); err != nil {
		return store.Link{}, err
	}
	l.ChunkID = idText(chunk)
	address, fragment, _ := strings.Cut(l.TargetURL, "#")
	if l.TargetURL = address; l.Anchor == "" {
		l.Anchor = fragment
		if plain, err := url.PathUnescape(fragment); err == nil {
			l.Anchor = plain
		}
	}
	return l, nil
}
