-- Pages and chunks of the third version, which knows images.
CREATE TABLE documents (
	id             uuid PRIMARY KEY,
	url            text,
	source_url     text NOT NULL,
	title          text,
	description    text,
	language       text,
	status_code    integer,
	published_time text,
	modified_time  text,
	doc_type       text,
	content_hash   text NOT NULL,
	fetched_at     timestamptz NOT NULL,
	indexed_at     timestamptz NOT NULL DEFAULT now(),
	depth          integer NOT NULL
);
CREATE UNIQUE INDEX documents_source_url_key ON documents (source_url);

CREATE TABLE chunks (
	id                  uuid PRIMARY KEY,
	document_id         uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	parent_id           uuid REFERENCES chunks (id) ON DELETE CASCADE,
	chunk_level         text NOT NULL CHECK (chunk_level IN ('parent', 'child')),
	chunk_index         integer NOT NULL,
	section_heading     text,
	chunk_text          text NOT NULL,
	html_text           text,
	has_table           boolean NOT NULL DEFAULT false,
	has_code            boolean NOT NULL DEFAULT false,
	has_math            boolean NOT NULL DEFAULT false,
	has_definition_list boolean NOT NULL DEFAULT false,
	has_admonition      boolean NOT NULL DEFAULT false,
	has_steps           boolean NOT NULL DEFAULT false,
	has_image           boolean,
	image_context_text  text,
	image_refs_json     text,
	char_start          integer NOT NULL,
	char_end            integer NOT NULL,
	token_start         integer NOT NULL,
	token_end           integer NOT NULL,
	embedding           vector(4),
	source_url          text NOT NULL,
	fetched_at          timestamptz NOT NULL,
	depth               integer NOT NULL,
	title               text
);
CREATE INDEX chunks_document_id_idx ON chunks (document_id);
CREATE INDEX chunks_parent_id_idx ON chunks (parent_id);
CREATE INDEX chunks_chunk_level_idx ON chunks (chunk_level);
CREATE INDEX chunks_source_url_idx ON chunks (source_url);
CREATE INDEX chunks_embedding_hnsw_idx ON chunks USING hnsw (embedding vector_cosine_ops)
	WHERE chunk_level = 'child' AND embedding IS NOT NULL;
