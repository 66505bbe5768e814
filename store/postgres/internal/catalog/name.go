package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// errName reports what cannot be the name of a table.
var errName = errors.New("not the name of a table; write NAME or SCHEMA.NAME, odd names in double quotes")

// Named returns the table that a name means, false if there is none: a name with
// its schema or one that the search path reaches. As in a statement a part may be
// quoted, and one that is not may be written in capitals; but if there is a table
// whose name has just these capitals, that is meant.
func Named(ctx context.Context, q Querier, name string) (Table, bool, error) {
	parts, err := splitName(name)
	if err != nil {
		return Table{}, false, err
	}
	schema, table := part{}, parts[len(parts)-1]
	if len(parts) == 2 {
		schema = parts[0]
	}
	tables, err := readTables(ctx, q, tableColumns+`
		WHERE c.relname IN ($1, $2) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
			AND CASE WHEN $3 = '' THEN pg_table_is_visible(c.oid) ELSE n.nspname IN ($3, $4) END
		ORDER BY n.nspname <> $3, c.relname <> $1
		LIMIT 1`, table.exact, table.folded, schema.exact, schema.folded)
	if err != nil || len(tables) == 0 {
		return Table{}, false, err
	}
	return tables[0], true, nil
}

// part is a part of a name: as it was written, and as a server reads it.
type part struct{ exact, folded string }

// splitName reads one or two names joined by a dot.
func splitName(name string) ([]part, error) {
	var parts []part
	for rest := name; ; {
		p, after, ok := cutName(rest)
		if !ok || p.exact == "" {
			return nil, fmt.Errorf("%q is %w", name, errName)
		}
		parts = append(parts, p)
		if after == "" {
			break
		}
		if rest, ok = strings.CutPrefix(after, "."); !ok || len(parts) == 2 {
			return nil, fmt.Errorf("%q is %w", name, errName)
		}
	}
	return parts, nil
}

// cutName reads one name from the beginning of text.
func cutName(text string) (p part, after string, ok bool) {
	if strings.ContainsRune(text, 0) {
		return part{}, "", false
	}
	quoted, ok := strings.CutPrefix(text, `"`)
	if !ok {
		end := strings.IndexAny(text, `."`)
		if end < 0 {
			end = len(text)
		}
		return part{exact: text[:end], folded: strings.ToLower(text[:end])}, text[end:], true
	}
	var exact strings.Builder
	for {
		before, rest, closed := strings.Cut(quoted, `"`)
		if !closed {
			return part{}, "", false
		}
		exact.WriteString(before)
		if quoted, ok = strings.CutPrefix(rest, `"`); !ok {
			return part{exact: exact.String(), folded: exact.String()}, rest, true
		}
		exact.WriteByte('"')
	}
}
