package sqlite

import (
	"context"
	"database/sql"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/linking"
)

// examineEdges counts the edges that readers leave out, because no writer would have
// written them.
func examineEdges(ctx context.Context, conn *sql.Conn) ([]store.Check, error) {
	var n int64
	err := conn.QueryRowContext(ctx, `SELECT count(*) FROM chunk_edges WHERE `+linking.Refused()).Scan(&n)
	if err != nil || n == 0 {
		return nil, err
	}
	return []store.Check{linking.RefusedCheck(n)}, nil
}
