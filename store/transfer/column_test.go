package transfer

import "testing"

func TestColumnName(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		"Title": "title", "SectionHeading": "section_heading", "ChunkText": "chunk_text", "CharEnd": "char_end", "HTMLText": "html_text",
		"HTMLOmittedReason": "html_omitted_reason", "ID": "id", "SourceURL": "source_url", "URLAliases": "url_aliases", "URL": "url",
		"TargetDocumentID": "target_document_id", "Level": "chunk_level", "Index": "chunk_index", "ImageRefs": "image_refs",
	} {
		if got := columnName(field); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
}
