// Package indexing turns pages into what a corpus holds: normalised text, cut
// into parents (sections) and children (passages), with rich-content flags, an
// HTML surface, offsets, keyword terms and vectors.
//
// Chunks are cut points in one text, not strings that were searched for
// afterwards: parents partition the document, children partition their parent,
// and document[CharStart:CharEnd] is a chunk's text, in code points. The text of
// a document is therefore the concatenation of its parents.
//
// Reading pages is the work of indexing/source, HTML of indexing/convert. This
// package fetches nothing and ranks nothing.
//
//	set, err := source.Scan(ctx, []string{"docs"}, source.Options{})
//	if err != nil {
//		return err
//	}
//	report, err := indexing.Run(ctx, corpus, set.All(ctx), indexing.Options{
//		Embedder: embedder.NewBuiltin(), Tokenizer: tokenizer, Pages: set.Len(),
//	})
package indexing
