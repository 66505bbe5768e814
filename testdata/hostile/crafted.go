package hostile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Crafted is a way to damage a corpus on purpose, by one who knows its tables.
type Crafted struct {
	// Name says what is wrong, SQL makes it so in an SQLite file, with checks of
	// constraints off and the schema writable.
	Name, SQL string
	// IsLarge says that it takes much memory to make or, unguarded, to read.
	IsLarge bool
	// IsUsual says that an ordinary run of the tests tries it although it is large.
	IsUsual bool
	// Places says that it is about where sections and passages are.
	Places bool
	// Says is what a search must say of it, nothing where it may answer.
	Says string
}

// Craft damages the SQLite file at path.
func Craft(ctx context.Context, path string, c Crafted) (err error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	statements := []string{`PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0; PRAGMA writable_schema = 1; PRAGMA legacy_alter_table = 1`, c.SQL}
	var packs int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'packs'`).Scan(&packs); err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	if packs > 0 && !strings.Contains(c.SQL, "packs") {
		// Else the rows would not be read that are damaged.
		statements = slices.Insert(statements, 1, `DELETE FROM packs`)
	}
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// loosened makes a table take values of any type.
func loosened(table string) string {
	return `UPDATE sqlite_schema SET sql = replace(replace(replace(sql, 'STRICT', ''), 'NOT NULL', ''), ', WITHOUT ROWID', '') WHERE name = '` + table + `' AND name <> 'term_blocks' AND name <> 'addresses';
		PRAGMA schema_version = 4711;`
}

// endless is a query that never ends.
const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT `

// deep is JSON that is nested a million times.
const deep = `replace(hex(zeroblob(500000)), '0', '[')`

// long is a text of 7.5 MB, of many words.
const long = `replace(hex(zeroblob(416000)), '00', 'the retries of it ')`

// saysOfPlace is what is said of chunks with such a number.
func saysOfPlace(column, value string) string {
	isStart, isEnd, isHTML := strings.HasSuffix(column, "_start"), strings.HasSuffix(column, "_end"), column == "html_tokens"
	switch {
	case !isStart && !isEnd && !isHTML && column != "chunk_index":
		return ""
	case !strings.Contains(value, "*") || strings.HasPrefix(column, "char_"):
		return "out of range"
	case isStart:
		return "ends before it starts"
	case isEnd:
		return "longer than any text"
	}
	return "" // there is no HTML, and the second section of a page can be the millionth
}

// Crafts are the ways.
func Crafts() []Crafted {
	set := func(table, column, value string) Crafted {
		return Crafted{Name: table + "." + column + " = " + value, SQL: "UPDATE " + table + " SET " + column + " = " + value}
	}
	list := []Crafted{
		set("corpus_meta", "schema_version", "-1"),
		{Name: "a full corpus of schema version 0", SQL: "UPDATE corpus_meta SET schema_version = 0", Says: "schema version 0, as no corpus has"},
		set("corpus_meta", "schema_version", "-9223372036854775808"),
		set("corpus_meta", "dimensions", "-1024"),
		set("corpus_meta", "dimensions", "3"),
		set("corpus_meta", "dimensions", "0"),
		set("corpus_meta", "dimensions", "1000000000"),
		set("corpus_meta", "dimensions", "2147483648"),
		set("corpus_meta", "dimensions", "9223372036854775807"),
		set("corpus_meta", "changed", "-9223372036854775808"),
		set("corpus_meta", "changed", "9223372036854775807"),
		set("corpus_meta", "calibration", "'{'"),
		set("corpus_meta", "calibration", "'[1]'"),
		set("corpus_meta", "calibration", deep),
		set("documents", "source_url", "id || hex(zeroblob(40000))"),
		{Name: "no row of meta", SQL: "DELETE FROM corpus_meta"},
		{Name: "many rows of meta", SQL: "INSERT INTO corpus_meta (id, schema_version, dimensions) VALUES (2, 4, -1), (3, 4, 1024)"},
	}
	for _, column := range []string{"char_start", "char_end", "token_start", "token_end", "chunk_index", "html_tokens", "depth", "term_count", "has_table", "cont"} {
		for _, value := range []string{"-1", column + " * 1000000", "2147483647", "-2147483648", "4294967297", "9223372036854775807", "-9223372036854775808"} {
			c := set("chunks", column, value)
			c.Places = strings.HasPrefix(column, "char_")
			c.Says = saysOfPlace(column, value)
			list = append(list, c)
		}
	}
	for _, column := range []string{"depth", "token_count", "parent_count", "child_count", "status_code", "changed"} {
		for _, value := range []string{"-1", "2147483647", "1099511627776", "9223372036854775807", "-9223372036854775808"} {
			list = append(list, set("documents", column, value))
		}
	}
	for _, column := range []string{"last", "children"} {
		for _, value := range []string{"-1", "1099511627776", "9223372036854775807", "-9223372036854775808"} {
			list = append(list, set("term_segments", column, value))
		}
	}
	for _, column := range []string{"url_aliases", "tags", "metadata"} {
		for _, value := range []string{"'{'", "'[1, null]'", `'{"a": {"b": 1}}'`, deep} {
			list = append(list, set("documents", column, value))
		}
	}
	for _, value := range []string{"'{'", "'[1, null]'", deep} {
		list = append(list, set("chunks", "heading_path", value), set("chunk_texts", "image_refs", value), set("chunk_texts", "anchors", value))
	}
	for _, column := range []string{"fetched_at", "indexed_at", "deleted_at"} {
		list = append(list, set("documents", column, "'yesterday'"), set("documents", column, "'292277026596-12-04T15:30:08.000000Z'"))
	}
	list = append(list,
		set("term_segments", "roster", "x''"), set("term_segments", "roster", "randomblob(999)"),
		set("term_blocks", "lists", "x''"), set("term_blocks", "lists", "randomblob(length(lists))"), set("term_blocks", "lists", "x'ffffffffffffffffff7f'"),
		set("vectors", "v", "x''"), set("vectors", "v", "zeroblob(length(v))"), set("vectors", "v", "randomblob(length(v))"),
		set("chunk_edges", "weight", "9e999"), set("chunk_edges", "weight", "-1"), set("chunk_edges", "target_id", "source_id"),
		set("chunk_edges", "relation", "'likes'"),
		set("chunks", "embedded", "1"), set("chunks", "embedded", "0"), set("chunks", "embedded", "3"),
		set("chunks", "parent_id", "id"), set("chunks", "parent_id", "'x'"),
		Crafted{Name: "parents of another document", SQL: `UPDATE chunks SET parent_id = (SELECT p.id FROM chunks p WHERE p.document_id <> chunks.document_id AND p.chunk_level = 'parent') WHERE parent_id IS NOT NULL`},
		Crafted{Name: "parents in a circle", SQL: `UPDATE chunks SET parent_id = (SELECT p.id FROM chunks p WHERE p.document_id = chunks.document_id AND p.id <> chunks.id LIMIT 1)`},
		Crafted{Name: "no parents", SQL: `DELETE FROM chunks WHERE parent_id IS NULL`},
		Crafted{Name: "no children", SQL: `DELETE FROM chunks WHERE parent_id IS NOT NULL`},
		Crafted{Name: "no texts", SQL: `DELETE FROM chunk_texts`},
		Crafted{Name: "texts cut within a character", Places: true, SQL: `UPDATE chunk_texts SET chunk_text = CAST(x'c3a9e282' AS TEXT)`},
		Crafted{Name: "empty texts", SQL: `UPDATE chunk_texts SET chunk_text = '', html_text = ''`},
		Crafted{Name: "offsets that shrink", Places: true, Says: "ends before it starts", SQL: `UPDATE chunks SET char_start = char_end + 10, token_start = token_end + 10`},
		Crafted{Name: "all offsets a thousand times as far", Places: true, SQL: `UPDATE chunks SET char_start = char_start * 1000, char_end = char_end * 1000`},
		Crafted{Name: "sections of a million times their length", Places: true, Says: "out of range", SQL: `UPDATE chunks SET char_end = char_start + 2000000000 WHERE parent_id IS NULL`},
		Crafted{Name: "passages of a million times their length", Places: true, Says: "out of range", SQL: `UPDATE chunks SET char_end = char_start + 2000000000 WHERE parent_id IS NOT NULL`},
		Crafted{Name: "all offsets far away", Places: true, Says: "out of range", SQL: `UPDATE chunks SET char_start = char_start * 1000000, char_end = char_end * 1000000`},
		Crafted{Name: "all offsets negative", Places: true, Says: "out of range", SQL: `UPDATE chunks SET char_start = -char_start - 100, char_end = -char_end - 100`},
		Crafted{Name: "the offsets of sections far away", Places: true, SQL: `UPDATE chunks SET char_start = char_start + 1000000, char_end = char_end + 1000000 WHERE parent_id IS NULL`},
		Crafted{Name: "the offsets of passages far away", Places: true, SQL: `UPDATE chunks SET char_start = char_start + 1000000, char_end = char_end + 1000000 WHERE parent_id IS NOT NULL`},
		Crafted{Name: "the offsets of passages before their sections", Places: true, SQL: `UPDATE chunks SET char_start = 0, char_end = 1 WHERE parent_id IS NOT NULL`},
		Crafted{Name: "sections upside down", Places: true, SQL: `UPDATE chunks SET chunk_index = -chunk_index`},
		Crafted{Name: "a segment of the keyword index twice", SQL: `INSERT INTO term_segments (last, children, roster) SELECT last, children, roster FROM term_segments`},
		Crafted{Name: "packed rows of another document", SQL: `UPDATE packs SET rows = (SELECT rows FROM packs LIMIT 1)`},
		Crafted{Name: "packed rows that are none", SQL: `UPDATE packs SET rows = x'01ffffffff0fffffffff0f'`},
		Crafted{Name: "packed rows that end early", SQL: `UPDATE packs SET rows = substr(rows, 1, length(rows) - 1)`},
		Crafted{Name: "packed vectors of other lengths", SQL: `UPDATE packs SET codes = zeroblob(length(codes) + 1)`},
		Crafted{Name: "packed vectors of zeros", SQL: `UPDATE packs SET codes = zeroblob(length(codes))`},
		Crafted{Name: "packed vectors that are no numbers", SQL: `UPDATE packs SET codes = CAST(replace(hex(zeroblob(length(codes) / 2)), '00', x'ff') AS BLOB)`},
		Crafted{Name: "30 MB of packs", IsLarge: true, SQL: `UPDATE packs SET rows = zeroblob(15000000), codes = zeroblob(15000000)`},
		Crafted{Name: "no table of packs", SQL: `DROP TABLE packs`, Says: "no such table: packs"},
		Crafted{Name: "pages that say they have a million sections each", SQL: `UPDATE documents SET parent_count = 100000000, child_count = 100000000`},
	)
	for _, table := range []string{"corpus_meta", "documents", "chunks", "chunk_texts", "vectors", "chunk_edges", "links", "term_segments", "packs"} {
		list = append(list, Crafted{Name: "words where numbers belong in " + table, SQL: loosened(table) + looseValues(table, "'x'")},
			Crafted{Name: "bytes where words belong in " + table, SQL: loosened(table) + looseValues(table, "x'ff00'")},
			Crafted{Name: "nothing in " + table, SQL: loosened(table) + looseValues(table, "NULL")})
	}
	list = append(list,
		Crafted{Name: "ids twice", SQL: loosened("chunks") + `UPDATE sqlite_schema SET sql = replace(sql, 'UNIQUE', '') WHERE name = 'chunks'; DELETE FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex_chunks%'; PRAGMA schema_version = 4712;
			INSERT INTO chunks SELECT seq + 1000, ` + chunkColumns + ` FROM chunks; INSERT INTO chunk_texts SELECT seq + 1000, terms, chunk_text, html_text, image_refs, anchors, heading_terms, title_terms FROM chunk_texts; INSERT INTO vectors SELECT seq + 1000, v FROM vectors`},
		Crafted{Name: "a view that never ends", SQL: `ALTER TABLE documents RENAME TO d2; CREATE VIEW documents AS ` + endless + `d2.* FROM n, d2`},
		Crafted{Name: "meta that never ends", SQL: `ALTER TABLE corpus_meta RENAME TO m2; CREATE VIEW corpus_meta AS ` + endless + `m2.* FROM m2, n WHERE i < 0`},
		Crafted{Name: "a trigger that never ends", SQL: `CREATE TRIGGER t AFTER INSERT ON documents BEGIN UPDATE corpus_meta SET tokenizer = (` + endless + `max(i) FROM n); END`},
		Crafted{Name: "a trigger that writes files' names", SQL: `CREATE TRIGGER t AFTER UPDATE ON corpus_meta BEGIN DELETE FROM chunks; END`},
		Crafted{Name: "a column that is computed at length", SQL: `ALTER TABLE documents ADD COLUMN g TEXT AS (hex(zeroblob(400000000)))`, IsLarge: true},
		Crafted{Name: "a table of something else", SQL: `DROP TABLE documents; CREATE TABLE documents (x)`},
		Crafted{Name: "no table of chunks", SQL: `DROP TABLE chunks`},
		Crafted{Name: "a view as the table of chunks", SQL: `ALTER TABLE chunk_texts RENAME TO t2; CREATE VIEW chunk_texts AS SELECT seq, terms, hex(zeroblob(200000000)) chunk_text, html_text, image_refs, anchors, heading_terms, title_terms FROM t2`, IsLarge: true},
		Crafted{Name: "a schema that is no SQL", SQL: `UPDATE sqlite_schema SET sql = 'CREATE TABLE documents (' WHERE name = 'documents'; PRAGMA schema_version = 4713`},
		Crafted{Name: "a schema that points elsewhere", SQL: `UPDATE sqlite_schema SET rootpage = 999999 WHERE name = 'documents'; PRAGMA schema_version = 4713`},
		Crafted{Name: "two tables on one page", SQL: `UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'chunks') WHERE name = 'documents'; PRAGMA schema_version = 4713`},
	)
	for _, column := range []string{"chunk_text", "html_text", "terms", "image_refs", "anchors"} {
		list = append(list, Crafted{Name: "200 MB of chunk_texts." + column, IsLarge: true,
			SQL: `UPDATE chunk_texts SET ` + column + ` = replace(hex(zeroblob(10000000)), '00', 'the retries of it ') WHERE seq IN (SELECT seq FROM chunks LIMIT 2)`})
	}
	for _, column := range []string{"source_url", "title", "tags", "metadata", "description"} {
		list = append(list, Crafted{Name: "200 MB of documents." + column, IsLarge: true, SQL: `UPDATE documents SET ` + column + ` = '["' || hex(zeroblob(100000000)) || '"]'`})
	}
	// What is below every bound, in all rows at once.
	for _, column := range []string{"chunk_text", "html_text", "terms", "chunk_text = html_text"} {
		both := strings.TrimPrefix(column, "chunk_text = ")
		set := both + " = " + long
		if both != column {
			set += ", chunk_text = " + long
		}
		list = append(list, Crafted{Name: "texts as long as they may be in chunk_texts." + column, IsLarge: true, SQL: `UPDATE chunk_texts SET ` + set})
	}
	list = append(list, Crafted{Name: "one text as long as it may be", IsLarge: true, IsUsual: true, SQL: `UPDATE chunk_texts SET chunk_text = ` + long + ` WHERE seq IN (SELECT min(seq) FROM chunks GROUP BY parent_id IS NULL)`},
		Crafted{Name: "sections as long as their texts", IsLarge: true, SQL: `UPDATE chunk_texts SET chunk_text = ` + long + `; UPDATE chunks SET char_start = 0, char_end = 7000000, token_start = 0, token_end = 2000000`})
	for _, column := range []string{"title", "description", "source_url"} {
		list = append(list, Crafted{Name: "30 MB of documents." + column, IsLarge: true, SQL: `UPDATE documents SET ` + column + ` = id || hex(zeroblob(15000000))`})
	}
	list = append(list, Crafted{Name: "30 MB of chunks.section_heading", IsLarge: true, SQL: `UPDATE chunks SET section_heading = hex(zeroblob(15000000))`},
		Crafted{Name: "30 MB of chunk_edges.description", IsLarge: true, SQL: `UPDATE chunk_edges SET description = hex(zeroblob(15000000))`})
	list = append(list, Crafted{Name: "200 MB of chunks.heading_path", IsLarge: true, SQL: `UPDATE chunks SET heading_path = '["' || hex(zeroblob(100000000)) || '"]' WHERE seq = 1`},
		Crafted{Name: "200 MB of corpus_meta.calibration", IsLarge: true, SQL: `UPDATE corpus_meta SET calibration = '["' || hex(zeroblob(100000000)) || '"]'`},
		Crafted{Name: "200 MB of corpus_meta.embedder_id", IsLarge: true, SQL: `UPDATE corpus_meta SET embedder_id = hex(zeroblob(100000000))`},
		Crafted{Name: "200 MB of chunk_edges.description", IsLarge: true, SQL: `UPDATE chunk_edges SET description = hex(zeroblob(100000000)) WHERE id = (SELECT min(id) FROM chunk_edges)`},
		Crafted{Name: "200 MB of vectors.v", IsLarge: true, SQL: `UPDATE vectors SET v = zeroblob(200000000) WHERE seq = (SELECT min(seq) FROM vectors)`},
		Crafted{Name: "200 MB of term_blocks.lists", IsLarge: true, SQL: `UPDATE term_blocks SET lists = zeroblob(200000000) WHERE term = (SELECT min(term) FROM term_blocks)`},
		Crafted{Name: "200 MB of term_segments.roster", IsLarge: true, SQL: `UPDATE term_segments SET roster = zeroblob(200000000)`},
		Crafted{Name: "300,000 passages at one place", IsLarge: true, SQL: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) INSERT INTO chunks SELECT 1000 + i, substr(id, 1, 24) || printf('%012x', i), ` + chunkColumnsButID + ` FROM chunks, n WHERE seq = (SELECT max(seq) FROM chunks)`},
	)
	return list
}

// chunkColumns are the columns of chunks but for its number.
const (
	chunkColumns      = "id, " + chunkColumnsButID
	chunkColumnsButID = `document_id, parent_id, chunk_level, chunk_index, section_heading, heading_path, anchor, has_table, has_code, has_math,
	has_definition_list, has_admonition, has_steps, has_image, cont, char_start, char_end, token_start, token_end, html_tokens, html_omitted_reason,
	embed_hash, 0, term_count, depth, title, owner, source_url, fetched_at, ingestion_id`
)

// looseValues sets columns that decide how a table is read to one value.
func looseValues(table, value string) string {
	columns := map[string][]string{
		"corpus_meta":   {"dimensions", "changed", "embedder_id", "tokenizer"},
		"documents":     {"depth", "token_count", "parent_count", "title", "source_url", "owner", "fetched_at"},
		"chunks":        {"char_start", "char_end", "chunk_index", "heading_path", "section_heading", "anchor", "embed_hash", "has_table"},
		"chunk_texts":   {"chunk_text", "html_text", "terms", "anchors"},
		"vectors":       {"v"},
		"chunk_edges":   {"weight", "relation", "description", "source_id"},
		"links":         {"target_url", "text", "chunk_id"},
		"term_segments": {"last", "children", "roster"},
		"packs":         {"rows", "codes"},
	}[table]
	sql := ""
	for _, column := range columns {
		sql += "UPDATE " + table + " SET " + column + " = " + value + ";"
	}
	return sql
}
