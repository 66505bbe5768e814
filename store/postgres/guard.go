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
	return append(v.ownDocument(p), "d.deleted_at IS NULL", "d.current_ingestion_id IS NOT NULL")
}

// ownDocument is the condition on d that it is of the store's owner, if that was
// opened for one.
func (v *View) ownDocument(p *params) []string {
	switch owner := v.store.opts.Owner; {
	case owner == "" || v.layout.foreign:
		return nil
	case !isStorable(owner):
		return []string{"false"}
	default:
		return []string{"d.owner = " + p.add(owner)}
	}
}

// visibleSection are the conditions of the guard on c, which has no parent, of a
// visible document d.
func (v *View) visibleSection() []string {
	if v.layout.foreign {
		return nil
	}
	return []string{visibleVersion("c")}
}

// visibleChunk are the conditions on c and d of the guard. A child is not visible
// without its parent. That is an index lookup for each row and no join, so that
// it changes nothing about the order in which an index of vectors gives rows.
func (v *View) visibleChunk(p *params) []string {
	if v.layout.foreign {
		return nil
	}
	return append(v.visibleDocument(p), visibleVersion("c"), v.visibleParent())
}

// visibleParent is the condition of the guard on the parent of c, if it has one.
func (v *View) visibleParent() string {
	return "(c.parent_id IS NULL OR EXISTS (SELECT FROM " + v.layout.table("chunks") +
		" g WHERE g.document_id = c.document_id AND g.id = c.parent_id AND " + visibleVersion("g") + "))"
}

// visibleVersion says that a chunk is of the current ingestion and of the owner
// of its document. It is written so that the planner does not estimate it: where
// nobody owns anything, it would expect next to no row to have its document's
// owner, and plan for that.
func visibleVersion(alias string) string {
	return "CASE WHEN " + alias + ".owner IS NOT DISTINCT FROM d.owner THEN " + alias + ".ingestion_id = d.current_ingestion_id ELSE false END"
}

// visibleChunks are the conditions of visibleChunk for statements that go through
// many chunks without any order: the planner may read all parents at once to know
// those that children need.
func (v *View) visibleChunks(p *params) []string {
	if v.layout.foreign {
		return nil
	}
	return append(v.visibleDocument(p), visibleVersion("c"),
		"(c.parent_id IS NULL OR EXISTS (SELECT FROM "+v.layout.table("chunks")+
			" g WHERE g.document_id = c.document_id AND g.id = c.parent_id AND g.parent_id IS NULL"+
			" AND g.ingestion_id = c.ingestion_id AND coalesce(g.owner, '') = coalesce(c.owner, '')))")
}
