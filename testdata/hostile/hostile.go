// Package hostile fills the corpora of tests with what a stranger could have put
// there: text that a terminal would obey, in every column that holds text. It finds
// the columns by itself, so that a new one is hostile from its first day. Nothing
// but tests imports it.
package hostile

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Text is what no program may hand on to a terminal as it is: a title, a clipboard
// (OSC 52), a link (OSC 8), a screen that is erased (CSI), the same in C1 controls,
// bell, NUL and DEL, line ends within what is one line, and characters that turn the
// direction of text. At its end stand some that show nothing, and are harmless: a
// zero width space and tags.
const Text = "evil\x1b]0;owned\x07\x1b]52;c;ZXZpbA==\x07\x1b]8;;https://evil.example/é\x1b\\x\x1b]8;;\x1b\\" +
	"\x1b[2J\x1b[31m\x1bc\u009b2J\u009d52;c;ZQ==\u009c\x00\x7f\x08\a\r\n\v\f\u2028\u202e\u202d\u2066\u2067\u2069" +
	"\u200b\U000E0041"

// Bytes is Text followed by bytes that are no UTF-8, the C1 control CSI among them.
const Bytes = Text + "\x9b2J\xff\xc3"

// Column is a column of a table that can hold text.
type Column struct {
	Table, Name string
	// Kept says that a corpus is found and read by its values: ids, times, and what
	// only a few words are allowed in, such as the relation of an edge.
	Kept bool
}

func (c Column) String() string { return c.Table + "." + c.Name }

// Columns lists the columns of an SQLite file's tables that hold text or bytes.
func Columns(ctx context.Context, db *sql.DB) ([]Column, error) {
	rows, err := db.QueryContext(ctx, `SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`)
	if err != nil {
		return nil, fmt.Errorf("list columns: %w", err)
	}
	defer rows.Close()
	var columns []Column
	for rows.Next() {
		var c Column
		var kind string
		if err := rows.Scan(&c.Table, &c.Name, &kind); err != nil {
			return nil, fmt.Errorf("list columns: %w", err)
		}
		if kind == "INTEGER" || kind == "REAL" {
			continue
		}
		c.Kept = kind == "BLOB" || isKept(c.Name)
		columns = append(columns, c)
	}
	return columns, rows.Err()
}

// isKept knows what a corpus cannot be read without.
func isKept(name string) bool {
	switch name {
	case "id", "segment", "chunk_level", "relation", "origin", "vector_type", "embedder_id", "calibration", "key", "term", "terms", "heading_terms", "title_terms":
		return true
	}
	return strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_key")
}

// Fill makes the column of an SQLite file hostile: text is added to what is there,
// within the strings of what is JSON. Where nothing is, all of it is hostile.
func Fill(ctx context.Context, db *sql.DB, c Column) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("fill %s: %w", c, err)
	}
	defer conn.Close()
	err = func() error {
		if _, err := conn.ExecContext(ctx, `PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0`); err != nil {
			return err
		}
		values, err := distinct(ctx, conn, c)
		if err != nil {
			return err
		}
		for _, v := range values {
			if _, err := conn.ExecContext(ctx, fmt.Sprintf(`UPDATE OR REPLACE %q SET %q = ?1 WHERE %[2]q IS ?2`, c.Table, c.Name), evil(c.Name, v), v); err != nil {
				return err
			}
		}
		return nil
	}()
	if err != nil {
		return fmt.Errorf("fill %s: %w", c, err)
	}
	return nil
}

func distinct(ctx context.Context, conn *sql.Conn, c Column) (values []any, err error) {
	rows, err := conn.QueryContext(ctx, fmt.Sprintf(`SELECT DISTINCT %q FROM %q`, c.Name, c.Table))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var v any
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, rows.Err()
}

// evil is a value with hostile text added.
func evil(column string, v any) any {
	switch v := v.(type) {
	case []byte:
		return append([]byte(Bytes), v...)
	case string:
		return EvilText(v, Bytes)
	}
	switch column {
	case "url_aliases", "tags", "heading_path", "image_refs", "anchors":
		return EvilText("[]", Bytes)
	case "metadata":
		return EvilText("{}", Bytes)
	}
	return Bytes
}

// EvilText is a text with a hostile one added to it, and to every string in it if
// it is a JSON list or object. JSON holds no bytes that are no UTF-8.
func EvilText(text, hostile string) string {
	var list []string
	if json.Unmarshal([]byte(text), &list) == nil && list != nil {
		for i := range list {
			list[i] += Text
		}
		raw, _ := json.Marshal(append(list, Text)) // strings always marshal
		return string(raw)
	}
	var object map[string]string
	if json.Unmarshal([]byte(text), &object) == nil && object != nil {
		object["key"+Text] = "value" + Text
		for k := range object {
			object[k] += Text
		}
		raw, _ := json.Marshal(object)
		return string(raw)
	}
	return text + hostile
}
