// Package schema has the statements that make the tables of a corpus, step by step from
// its first version. A released step is never edited: files that went through it are
// as it made them.
package schema

// First is the corpus as version 1 keeps it.
//
// seq numbers chunks within this file and never leaves the package: it is the
// key of the texts and the vectors. It is never used twice, so that an
// old snapshot cannot name a new chunk.
//
// Texts and vectors have their own tables, so that loading the numbers of all
// chunks reads only the pages that hold them. Within chunk_texts the terms come
// first: scoring reads a thousand of them and none of what follows.
//
// changed is the value of corpus_meta.changed at the row's last write; with
// removed it tells a running program what to read again.
const First = `
CREATE TABLE corpus_meta (
	id                   INTEGER PRIMARY KEY CHECK (id = 1),
	schema_version       INTEGER NOT NULL,
	embedder_id          TEXT,
	dimensions           INTEGER NOT NULL DEFAULT 0,
	tokenizer            TEXT,
	calibration          TEXT,
	pipeline_fingerprint TEXT,
	changed              INTEGER NOT NULL DEFAULT 0,
	staged_embedder_id   TEXT
) STRICT;
INSERT INTO corpus_meta (id, schema_version) VALUES (1, 0);

CREATE TABLE documents (
	id                   TEXT PRIMARY KEY NOT NULL,
	url                  TEXT,
	source_url           TEXT NOT NULL,
	url_aliases          TEXT,
	title                TEXT,
	description          TEXT,
	language             TEXT,
	status_code          INTEGER,
	published_time       TEXT,
	modified_time        TEXT,
	doc_type             TEXT,
	source_type          TEXT,
	filename             TEXT,
	doc_path             TEXT,
	content_hash         TEXT,
	derived_hash         TEXT,
	pipeline_fingerprint TEXT,
	owner                TEXT,
	metadata             TEXT,
	tags                 TEXT,
	fetched_at           TEXT,
	indexed_at           TEXT,
	deleted_at           TEXT,
	current_ingestion_id TEXT,
	depth                INTEGER NOT NULL,
	token_count          INTEGER NOT NULL,
	parent_count         INTEGER NOT NULL,
	child_count          INTEGER NOT NULL,
	changed              INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_changed ON documents (changed);
CREATE INDEX documents_source_url ON documents (source_url);

CREATE TABLE removed (
	document_id TEXT PRIMARY KEY NOT NULL,
	changed     INTEGER NOT NULL
) STRICT;

CREATE TABLE chunks (
	seq                 INTEGER PRIMARY KEY AUTOINCREMENT,
	id                  TEXT NOT NULL UNIQUE,
	document_id         TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	parent_id           TEXT,
	chunk_level         TEXT NOT NULL CHECK (chunk_level IN ('parent', 'child')),
	chunk_index         INTEGER NOT NULL,
	section_heading     TEXT,
	heading_path        TEXT,
	anchor              TEXT,
	has_table           INTEGER NOT NULL,
	has_code            INTEGER NOT NULL,
	has_math            INTEGER NOT NULL,
	has_definition_list INTEGER NOT NULL,
	has_admonition      INTEGER NOT NULL,
	has_steps           INTEGER NOT NULL,
	has_image           INTEGER NOT NULL,
	cont                INTEGER NOT NULL,
	char_start          INTEGER NOT NULL,
	char_end            INTEGER NOT NULL,
	token_start         INTEGER NOT NULL,
	token_end           INTEGER NOT NULL,
	html_tokens         INTEGER,
	html_omitted_reason TEXT,
	embed_hash          TEXT,
	embedded            INTEGER NOT NULL,
	term_count          INTEGER NOT NULL,
	depth               INTEGER NOT NULL,
	title               TEXT,
	owner               TEXT,
	source_url          TEXT NOT NULL,
	fetched_at          TEXT,
	ingestion_id        TEXT
) STRICT;
CREATE INDEX chunks_document ON chunks (document_id);
CREATE INDEX chunks_embed_hash ON chunks (embed_hash) WHERE embed_hash IS NOT NULL;
CREATE INDEX chunks_parents ON chunks (depth, source_url, chunk_index) WHERE chunk_level = 'parent';

CREATE TABLE chunk_texts (
	seq        INTEGER PRIMARY KEY REFERENCES chunks (seq) ON DELETE CASCADE,
	terms      TEXT,
	chunk_text TEXT NOT NULL,
	html_text  TEXT,
	image_refs TEXT
) STRICT;

CREATE TABLE vectors (
	seq INTEGER PRIMARY KEY REFERENCES chunks (seq) ON DELETE CASCADE,
	v   BLOB NOT NULL
) STRICT;

CREATE TABLE staged_vectors (
	seq INTEGER PRIMARY KEY REFERENCES chunks (seq) ON DELETE CASCADE,
	v   BLOB NOT NULL
) STRICT;

CREATE TABLE chunk_edges (
	id                 TEXT PRIMARY KEY NOT NULL,
	document_id        TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	source_id          TEXT NOT NULL,
	target_document_id TEXT,
	target_id          TEXT NOT NULL,
	relation           TEXT NOT NULL,
	weight             REAL NOT NULL,
	description        TEXT,
	origin             TEXT
) STRICT;
CREATE INDEX chunk_edges_document ON chunk_edges (document_id);
CREATE INDEX chunk_edges_source ON chunk_edges (source_id);
CREATE INDEX chunk_edges_target ON chunk_edges (target_id);

CREATE TABLE links (
	document_id   TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	chunk_id      TEXT NOT NULL,
	target_url    TEXT NOT NULL,
	anchor        TEXT,
	text          TEXT,
	discovered_at TEXT
) STRICT;
CREATE INDEX links_document ON links (document_id);
CREATE INDEX links_target ON links (target_url);

-- The terms are made in Go and hold letters, marks, digits and underscores
-- only. The ascii tokenizer takes every other character than ASCII as part of a
-- token, so that it separates at the spaces and nowhere else. The writer keeps
-- the table in step; triggers would make FTS5 write out each row by itself.
CREATE VIRTUAL TABLE fts USING fts5 (
	terms, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE fts_terms USING fts5vocab (fts, 'row');
`

// Anchors adds the fragments that each section holds.
const Anchors = `ALTER TABLE chunk_texts ADD COLUMN anchors TEXT`

// Graph lets links find the pages that they lead to, and edges be read at
// both ends and listed in order.
//
// addresses are the keys of all addresses of the documents; the rank of a source
// URL comes before that of a URL and of the aliases. A link's target_key is the
// key of its target.
const Graph = `
CREATE TABLE addresses (
	key         TEXT NOT NULL,
	document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	rank        INTEGER NOT NULL,
	PRIMARY KEY (key, document_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_document ON addresses (document_id);
CREATE INDEX documents_owner ON documents (owner) WHERE owner IS NOT NULL;

DROP INDEX links_target;
ALTER TABLE links ADD COLUMN target_key TEXT;
CREATE INDEX links_target ON links (target_key);

DROP INDEX chunk_edges_source;
CREATE INDEX chunk_edges_source ON chunk_edges (source_id, relation, id);
`

// Fields makes the heading path and the title of a child fields that are
// searched, and replaces the full-text table by segments of inverted lists; see
// segment.go of the store. term_count counts the terms of all fields from here on.
const Fields = `
ALTER TABLE chunk_texts ADD COLUMN heading_terms TEXT;
ALTER TABLE chunk_texts ADD COLUMN title_terms TEXT;
DROP TABLE fts_terms;
DROP TABLE fts;

-- No id is used twice, so that what memory knows of a segment holds as long as the
-- id is there.
CREATE TABLE term_segments (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	last     INTEGER NOT NULL,
	children INTEGER NOT NULL,
	roster   BLOB NOT NULL
) STRICT;

CREATE TABLE term_blocks (
	segment INTEGER NOT NULL,
	term    TEXT NOT NULL,
	lists   BLOB NOT NULL,
	PRIMARY KEY (segment, term)
) STRICT, WITHOUT ROWID;
`

// Counts lets the children be counted without reading all of the documents.
const Counts = `
CREATE INDEX documents_counts ON documents (deleted_at, owner, child_count);
CREATE INDEX documents_unfinished ON documents (deleted_at, owner, child_count) WHERE current_ingestion_id IS NULL;
`
