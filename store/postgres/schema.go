package postgres

// step is one version of the schema: the i-th of steps lifts version i to i+1. A
// released step is never edited. What the program itself has to fill in before the
// statements of a step run is in fill.
func steps() []string { return []string{firstSchema, addFields, haveFields, fewerChecks} }

// addFields adds the fields of a keyword search beside the body; their lengths are
// NULL until fillFields has been at a document. That they are filled is a version of
// its own: so nobody waits for a lock while they are, and who is interrupted goes on
// where it was.
const addFields = `
ALTER TABLE documents ADD COLUMN heading_length bigint, ADD COLUMN title_length bigint;
ALTER TABLE chunk_terms ADD COLUMN heading_terms text NOT NULL DEFAULT '', ADD COLUMN title_terms text NOT NULL DEFAULT '';
`

const haveFields = `
ALTER TABLE documents ALTER COLUMN heading_length SET DEFAULT 0, ALTER COLUMN heading_length SET NOT NULL,
	ALTER COLUMN title_length SET DEFAULT 0, ALTER COLUMN title_length SET NOT NULL;
`

// fewerChecks lets the server take rows faster. That a child has its section, and a
// row of words its child, is what the writer sees to in its transaction; the server
// looked it up for each row. What belongs to a document still goes with it. Words are
// in byte order, whatever the order of the database's own language, and their pages
// have room for the next count.
const fewerChecks = `
ALTER TABLE chunks DROP CONSTRAINT IF EXISTS chunks_document_id_parent_id_fkey;
ALTER TABLE chunk_terms DROP CONSTRAINT IF EXISTS chunk_terms_document_id_id_fkey;
ALTER TABLE chunk_terms ADD CONSTRAINT chunk_terms_document_id_fkey FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE;
ALTER TABLE term_stats SET (fillfactor = 50);
ALTER TABLE term_stats ALTER COLUMN term TYPE text COLLATE "C";
`

// firstSchema is the corpus as version 1 keeps it.
//
// Every key of a table that grows with the corpus begins with the document, and
// every join carries it, so that the same tables can be distributed by document
// over several servers. For the same reason source_url is not unique; a
// document's id is made of it and of the owner.
//
// The column chunks.embedding and its index wait for the dimension of the
// embedder: see embeddingColumn.
//
// chunk_terms holds what a keyword search reads: see termRow. Its rows are left
// whole up to the size of a page, where others are compressed from 2 kB on: a
// search would unpack each of them once for every term. term_stats counts the
// searchable children that hold a term, for each owner, so that no search has to
// count them.
//
// Addresses are in byte order, which is that of listings, whatever the order of
// the database's own language: so an index can give it.
//
// addresses are the keys of all addresses of a document (store.PageKey); the rank
// of a source URL comes before that of a URL and of the aliases.
const firstSchema = `
CREATE TABLE corpus_meta (
	id                   int PRIMARY KEY CHECK (id = 1),
	schema_version       int NOT NULL,
	embedder_id          text,
	dimensions           int NOT NULL DEFAULT 0,
	vector_type          text NOT NULL DEFAULT 'vector' CHECK (vector_type IN ('vector', 'halfvec')),
	tokenizer            text,
	calibration          jsonb,
	pipeline_fingerprint text,
	changed              bigint NOT NULL DEFAULT 0,
	staged_embedder_id   text
);
INSERT INTO corpus_meta (id, schema_version) VALUES (1, 0);

CREATE TABLE documents (
	id                   uuid PRIMARY KEY,
	url                  text,
	source_url           text COLLATE "C" NOT NULL,
	url_aliases          text[],
	title                text,
	description          text,
	language             text,
	status_code          int,
	published_time       text,
	modified_time        text,
	doc_type             text,
	source_type          text,
	filename             text,
	doc_path             text,
	content_hash         text,
	derived_hash         text,
	pipeline_fingerprint text,
	owner                text,
	metadata             jsonb,
	tags                 text[],
	fetched_at           timestamptz,
	indexed_at           timestamptz,
	deleted_at           timestamptz,
	current_ingestion_id text,
	depth                int NOT NULL,
	token_count          int NOT NULL,
	parent_count         int NOT NULL,
	child_count          int NOT NULL,
	term_rows            int NOT NULL,    -- children with terms
	term_length          bigint NOT NULL, -- their terms in all
	changed              bigint NOT NULL
);
CREATE INDEX documents_source_url_idx ON documents (source_url);
CREATE INDEX documents_order_idx ON documents (depth, source_url, id);
CREATE INDEX documents_owner_idx ON documents (owner) WHERE owner IS NOT NULL;

CREATE TABLE chunks (
	id                  uuid NOT NULL,
	document_id         uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	parent_id           uuid,
	chunk_level         text NOT NULL CHECK (chunk_level IN ('parent', 'child')),
	chunk_index         int NOT NULL,
	section_heading     text,
	heading_path        text[],
	anchor              text,
	anchors             text[],
	chunk_text          text NOT NULL,
	html_text           text,
	has_table           bool NOT NULL,
	has_code            bool NOT NULL,
	has_math            bool NOT NULL,
	has_definition_list bool NOT NULL,
	has_admonition      bool NOT NULL,
	has_steps           bool NOT NULL,
	has_image           bool NOT NULL,
	cont                bool NOT NULL,
	char_start          int NOT NULL,
	char_end            int NOT NULL,
	token_start         int NOT NULL,
	token_end           int NOT NULL,
	html_tokens         int,
	html_omitted_reason text,
	image_refs          jsonb,
	terms               text,
	embed_hash          text,
	depth               int NOT NULL,
	title               text,
	owner               text,
	source_url          text COLLATE "C" NOT NULL,
	fetched_at          timestamptz,
	ingestion_id        text,
	PRIMARY KEY (document_id, id),
	FOREIGN KEY (document_id, parent_id) REFERENCES chunks (document_id, id) ON DELETE CASCADE
);
CREATE INDEX chunks_id_idx ON chunks (id);
CREATE INDEX chunks_source_url_idx ON chunks (source_url);
CREATE INDEX chunks_parent_idx ON chunks (document_id, parent_id);
CREATE INDEX chunks_order_idx ON chunks (depth, source_url, chunk_index) WHERE chunk_level = 'parent';
CREATE INDEX chunks_embed_hash_idx ON chunks (embed_hash) WHERE embed_hash IS NOT NULL;
ALTER TABLE chunks SET (vacuum_index_cleanup = on, fillfactor = 50);

CREATE TABLE chunk_terms (
	document_id uuid NOT NULL,
	id          uuid NOT NULL,
	parent_id   uuid NOT NULL,
	length      int NOT NULL,      -- its terms
	cut         bool NOT NULL,     -- ts lacks places of its terms
	ts          tsvector NOT NULL, -- a lexeme for each term
	PRIMARY KEY (document_id, id),
	FOREIGN KEY (document_id, id) REFERENCES chunks (document_id, id) ON DELETE CASCADE
) WITH (toast_tuple_target = 8160);
CREATE INDEX chunk_terms_ts_idx ON chunk_terms USING gin (ts);

CREATE TABLE term_stats (
	term  text NOT NULL,
	owner text NOT NULL, -- empty for none
	df    int NOT NULL,
	PRIMARY KEY (term, owner)
) WITH (fillfactor = 100);

CREATE TABLE staged_vectors (
	document_id uuid NOT NULL,
	id          uuid NOT NULL,
	embedding   vector, -- NULL: the embedder knows no word of the text
	PRIMARY KEY (document_id, id),
	FOREIGN KEY (document_id, id) REFERENCES chunks (document_id, id) ON DELETE CASCADE
);

CREATE TABLE addresses (
	document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	key         text NOT NULL,
	rank        int NOT NULL,
	PRIMARY KEY (document_id, key)
);
CREATE INDEX addresses_key_idx ON addresses (key);

CREATE TABLE links (
	document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	position    int NOT NULL,
	chunk_id    uuid NOT NULL,
	target_url  text NOT NULL,
	target_key  text NOT NULL,
	anchor      text,
	text        text,
	PRIMARY KEY (document_id, position)
);
CREATE INDEX links_target_idx ON links (target_key);

CREATE TABLE chunk_edges (
	document_id        uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	id                 uuid NOT NULL,
	source_id          uuid NOT NULL,
	target_document_id uuid NOT NULL,
	target_id          uuid NOT NULL,
	relation           text NOT NULL,
	weight             float8 NOT NULL,
	description        text,
	origin             text NOT NULL,
	PRIMARY KEY (document_id, id)
);
CREATE INDEX chunk_edges_source_idx ON chunk_edges (source_id, relation, id);
CREATE INDEX chunk_edges_target_idx ON chunk_edges (target_id);
`
