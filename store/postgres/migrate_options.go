package postgres

// RowSecurity returns the statements that let a connection see and write only the
// rows of one owner: that of the setting app.owner, which the store sets for each
// transaction when it is opened for an owner. Where it is not set there are no
// rows. Superusers and roles with BYPASSRLS see everything; the owner of the
// tables does not.
//
// What hangs on a document is seen with it. term_stats keeps counts for each
// owner by name.
func RowSecurity() []string {
	const (
		own     = `owner = current_setting('app.owner', true)`
		through = `document_id IN (SELECT id FROM documents)`
	)
	var statements []string
	for _, table := range []struct{ name, rows string }{
		{"documents", own},
		{"chunks", own},
		{"chunk_terms", through},
		{"term_stats", own},
		{"staged_vectors", through},
		{"addresses", through},
		{"links", through},
		{"chunk_edges", through},
	} {
		statements = append(
			statements,
			`ALTER TABLE `+table.name+` ENABLE ROW LEVEL SECURITY`,
			`ALTER TABLE `+table.name+` FORCE ROW LEVEL SECURITY`,
			`CREATE POLICY webrag_owner ON `+table.name+` USING (`+table.rows+`)`,
		)
	}
	return statements
}

// Distribution returns the statements that spread the tables over the servers of
// a Citus cluster, by document. What all servers need is copied to each.
//
// The schema fits as it is: every key begins with the document. Writers still
// all go through the coordinator, where the advisory locks are.
func Distribution() []string {
	statements := []string{
		`SELECT create_reference_table('corpus_meta')`,
		`SELECT create_reference_table('term_stats')`,
		`SELECT create_distributed_table('documents', 'id')`,
	}
	for _, name := range []string{"chunks", "chunk_terms", "staged_vectors", "addresses", "links", "chunk_edges"} {
		statements = append(statements, `SELECT create_distributed_table('`+name+`', 'document_id', colocate_with => 'documents')`)
	}
	return statements
}
