// Package citations turns offsets into quotes. A citation is a range of code
// points in a document's markdown; its words are cut out of the chunk that holds
// the range, by arithmetic and never by searching, so that a quote is either
// what the document says at that place or no quote at all.
//
//	span, ok := citations.Extract(citations.FromChunk(&chunk), 120, 164)
//
// It also writes what a language model is given: [FormatContext] puts excerpts
// under lines that name their sources and that no page can forge, [Policy] adds
// the instruction that holds the model to them, and [Cite] and [BuildURL] make the
// addresses that its answer may point to.
//
// The package knows chunks, not results: retrieval stands above it.
package citations
