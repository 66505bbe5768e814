// Package citations turns offsets into quotes. A citation is a range of code
// points in a document's markdown; its words are cut out of the chunk that holds
// the range, by arithmetic and never by searching, so that a quote is either
// what the document says at that place or no quote at all.
//
//	span, ok := citations.Extract(citations.FromChunk(&chunk), 120, 164)
//
// The package knows chunks, not results: retrieval stands above it.
package citations
