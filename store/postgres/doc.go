// Package postgres keeps a corpus in PostgreSQL with the extension pgvector, and
// reads databases that other programs made.
//
// There are two kinds of database. One that this program made has the table
// corpus_meta and is read and written. One made by a WebRAG indexer (documents,
// chunks, perhaps link_candidates) is only read, exactly as it is: what it has is
// found out from the catalog, what it lacks is a missing capability with its
// reason, and what must be remembered about it is kept in a file beside. Package
// flat reads single tables of passages, as other frameworks make them.
//
// A [View] is one read-only transaction. A search of vectors asks an HNSW index
// as the request's policy says; the floor of a strategy is never part of a
// statement. Values are parameters of statements, always; the only text that is
// composed are names found in the catalog, quoted, and settings made of numbers
// that were checked and of words from a fixed list.
package postgres
