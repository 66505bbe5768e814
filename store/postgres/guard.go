package postgres

// The aliases of the tables in every statement: c for chunks, d for documents.

// table returns a table's name, qualified.
func (l *layout) table(name string) string { return l.schema + "." + name }

// chunksFrom joins chunks with their documents.
func (l *layout) chunksFrom() string {
	return l.table("chunks") + " c JOIN " + l.table("documents") + " d ON d.id = c.document_id"
}

// visibleDocument are the conditions on d of the guard: what the store's owner may
// read.
func (v *View) visibleDocument(p *params) []string {
	if v.layout.foreign {
		return nil
	}
	conditions := []string{"d.deleted_at IS NULL", "d.current_ingestion_id IS NOT NULL"}
	if owner := v.store.opts.Owner; owner != "" {
		conditions = append(conditions, "d.owner = "+p.add(owner))
	}
	return conditions
}

// visibleChunk are the conditions on c and d of the guard.
func (v *View) visibleChunk(p *params) []string {
	if v.layout.foreign {
		return nil
	}
	return append(v.visibleDocument(p), "c.ingestion_id = d.current_ingestion_id", "c.owner IS NOT DISTINCT FROM d.owner")
}
