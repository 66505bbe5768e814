// Package sqlite keeps a corpus in one SQLite file, and its vectors in memory.
//
// The file is the truth: documents, chunks, texts, one vector per child and
// inverted lists of the children's keyword terms, changed in one transaction
// per document. Memory holds a snapshot of one version: the vectors as bytes in
// blocks, which the file has ready, and of documents and chunks everything but the
// texts. A search scans the permitted rows, reads the few vectors that can be among
// the best, and scores every row that holds one of its words; it is exact, and there
// is no index to tune.
//
// A [Store] is opened for one owner and sees that owner's documents only, or for
// none and sees all; a snapshot never holds anything else. Each Read asks
// the file for its change counter and brings the snapshot up to date, so that a
// running program sees what another process wrote, without polling.
//
//	s, err := sqlite.Open(ctx, "corpus.db", sqlite.Options{Create: true})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	v, err := s.Read(ctx)
//	if err != nil {
//		return err
//	}
//	defer v.Close()
//	found, err := v.Search(ctx, store.Search{Vector: q, VectorRows: 60})
//
// The package does not embed, rank or judge; it does not work on network file
// systems, where SQLite's write-ahead log cannot.
package sqlite
