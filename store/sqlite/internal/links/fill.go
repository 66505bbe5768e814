package links

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/linking"
	"github.com/webrag/webrag-tui/store/sqlite/internal/prepared"
)

// FillAll fills addresses, keys and the edges of links in a corpus that has none
// of them yet.
func FillAll(ctx context.Context, conn *sql.Conn) error {
	statements := prepared.New(conn)
	defer statements.Close()
	l := New(statements)
	urls, err := l.strings(ctx, `SELECT DISTINCT target_url FROM links`)
	if err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, `CREATE INDEX temporary_links ON links (target_url)`); err != nil {
		return err
	}
	for _, url := range urls {
		if _, err := conn.ExecContext(ctx, `UPDATE links SET target_key = ? WHERE target_url = ?`, store.PageKey(url), url); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, `DROP INDEX temporary_links`); err != nil {
		return err
	}
	ids, err := l.addressAll(ctx)
	if err != nil {
		return err
	}
	linker := linking.New(l, linking.DefaultPages)
	for some := range slices.Chunk(ids, 500) {
		if err := linker.Incoming(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// addressAll writes the addresses of all documents and returns their ids. What it
// reads is of the schema that has no addresses, whatever later ones look like.
func (l *Tables) addressAll(ctx context.Context) ([]string, error) {
	rows, err := l.query(ctx, `
		SELECT id, source_url, coalesce(url, ''), coalesce(url_aliases, '[]') FROM documents ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	keys := make(map[string][]string)
	var ids []string
	for rows.Next() {
		var b store.Bundle
		var aliases string
		if err := rows.Scan(&b.Document.ID, &b.Document.SourceURL, &b.Document.URL, &aliases); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(aliases), &b.Document.URLAliases); err != nil {
			return nil, fmt.Errorf("document %s: url_aliases: %w", b.Document.ID, err)
		}
		ids = append(ids, b.Document.ID)
		keys[b.Document.ID] = linking.Keys(&b.Document)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if err := l.SetKeys(ctx, id, keys[id]); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
