-- What a later version adds to the chunks of an earlier one: at the end, and
-- without a value for the rows that are there.
ALTER TABLE chunks ADD COLUMN has_image boolean;
ALTER TABLE chunks ADD COLUMN image_context_text text;
ALTER TABLE chunks ADD COLUMN image_refs_json text;
