package postgres

import "github.com/webrag/webrag-tui/store"

// layout is what a database turned out to have. Everything that reads makes its
// statements from it.
type layout struct {
	// foreign says that another program made the database.
	foreign bool
	// readOnly is why nothing may be written, empty if it may.
	readOnly string
	// schema qualifies the tables, quoted: "public".
	schema string
	// documents and chunks are the columns of the two tables, edges and links say
	// which of chunk_edges, links and link_candidates exist.
	documents, chunks            map[string]bool
	edges, links, linkCandidates bool
	// missing and unindexed become those of store.Info.
	missing   map[store.Capability]string
	unindexed bool
	warnings  []string
	advice    []string
	// vector describes the column of vectors and its index.
	vector vectorColumn
	// words is the index of words of a foreign database, if it has one.
	words wordIndex
	// server is what the connection said about itself.
	server server
	// secured says that policies decide which rows this role sees, by the owner that
	// a transaction is told.
	secured bool
	// mark tells whether the tables are still those that were found (markSQL).
	mark string
}

// vectorColumn is chunks.embedding.
type vectorColumn struct {
	// dims is 0 while there is no column, or none of a known dimension.
	dims int
	// kind is "vector" or "halfvec": the type of the column, empty without one.
	kind  string
	index vectorIndex
}

// vectorIndex is the index of the vectors that a cosine search can use.
type vectorIndex struct {
	// name is empty when there is none, and why says why.
	name, why string
	method    string // "hnsw" or "ivfflat"
	// expression is what is indexed and must stand in a query literally, with the
	// column unqualified: "embedding", or "(embedding::halfvec(384))". Without an
	// index it is the column.
	expression string
	// queryType is the type that the query vector is cast to: "vector", "halfvec",
	// "halfvec(384)".
	queryType string
	// predicate is the index's, as the catalog prints it; empty for a whole index.
	predicate string
}

// server are the versions on the other side.
type server struct {
	version int    // server_version_num: 170011
	vector  string // extversion of vector: "0.8.0"
	citus   string // extversion of citus, empty without
	standby bool
	role    string // current_user
}

// column returns the column of an alias if the table has it, else a constant:
// has["tags"] ? "d.tags" : "NULL::text[]".
func column(has map[string]bool, alias, name, otherwise string) string {
	if has[name] {
		return alias + "." + name
	}
	return otherwise
}
