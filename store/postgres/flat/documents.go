package flat

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
)

// Documents returns what the rows in scope have for their sources, by source.
// Title and metadata are those of the first row, the time the latest.
func (v *View) Documents(ctx context.Context, scope store.Scope, page store.Page) (documents []store.Document, err error) {
	err = v.do(ctx, "list documents of", func(tx pgx.Tx) error {
		var p params
		grouped := "SELECT c.source, count(*) AS rows, sum(" + tokens() + ") AS tokens, max(c.created) AS created, min(" + asText + ") AS first FROM " +
			v.from(&p) + " WHERE " + all(v.table.scoped(&p, scope)) + ` GROUP BY c.source ORDER BY c.source COLLATE "C"` + bounds(page)
		rows, err := tx.Query(ctx, "SELECT g.source, g.rows, g.tokens, g.created, coalesce(c.title, ''), coalesce(c.metadata::text, '') FROM ("+
			grouped+") g JOIN "+v.from(&p)+" ON "+asText+` = g.first ORDER BY g.source COLLATE "C"`, p...)
		if err != nil {
			return err
		}
		documents, err = pgx.CollectRows(rows, v.scanDocument)
		return err
	})
	return documents, err
}

func (v *View) scanDocument(row pgx.CollectableRow) (store.Document, error) {
	var d store.Document
	var created pgtype.Timestamptz
	var metadata string
	err := row.Scan(&d.SourceURL, &d.ParentCount, &d.TokenCount, &created, &d.Title, &metadata)
	d.ID, d.URL = d.SourceURL, d.SourceURL
	d.FetchedAt, d.Metadata = instant(created), readMetadata(metadata)
	return d, err
}

// mostValue is the longest value of metadata that is shown, in bytes: some keep a
// copy of the whole row there.
const mostValue = 1000

// readMetadata reads the plain values of an object in JSON.
func readMetadata(text string) map[string]string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return nil
	}
	values := make(map[string]string, len(object))
	for key, raw := range object {
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 || len(raw) > mostValue || bytes.ContainsAny(raw[:1], "[{n") {
			continue
		}
		value := string(raw)
		if raw[0] == '"' && json.Unmarshal(raw, &value) != nil {
			continue
		}
		values[key] = strings.ToValidUTF8(value, "\uFFFD")
	}
	return values
}
