package postgres

import (
	"context"
	"errors"

	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// migrate makes the tables of an empty database, or lifts those of an earlier
// version, under an advisory lock on a connection of its own. It refuses a
// database of another program.
func migrate(ctx context.Context, d *db.DB) error { return errors.New("not yet") }
