-- The second version keeps the links that it may follow.
CREATE TABLE link_candidates (
	id                 uuid PRIMARY KEY DEFAULT gen_random_uuid(),
	source_document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
	source_url         text NOT NULL,
	target_url         text NOT NULL,
	title              text,
	description        text,
	discovered_at      timestamptz NOT NULL DEFAULT now(),
	enriched_at        timestamptz,
	depth              integer NOT NULL DEFAULT 0,
	UNIQUE (source_document_id, target_url)
);
CREATE INDEX idx_link_candidates_source ON link_candidates (source_document_id);
CREATE INDEX idx_link_candidates_target ON link_candidates (target_url);
