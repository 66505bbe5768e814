// Package retrieval finds the sections that answer a query and can say why.
//
// It is split in three. [Gather] does the waiting: it embeds the query, searches
// the corpus and returns an [Evidence] of ids and numbers. [Rank] is pure: the
// same evidence and parameters give the same bytes, in microseconds, so a moved
// slider re-ranks within a frame. [Extend] fetches what Rank found missing, such
// as the texts to show. [Retrieve] runs all three.
//
//	ev, err := retrieval.Gather(ctx, deps, retrieval.Query{Text: "depth decay"}, params)
//	result, needs := retrieval.Rank(ev, params, retrieval.Options{Explain: true})
//	ev, err = retrieval.Extend(ctx, deps, ev, needs) // then Rank again, with texts
//
// Rank is a list of named stages, in the order that stages.go states. Each stands
// in a file of its own with its [StageSpec]: what it is called and does, how it
// changes the candidates, how it takes a score apart. What came in, what went out
// and why can be recorded in a [Trace], and each item can carry an [Explanation]
// that adds up to its score. The files of Rank, rank*.go and stage*.go, import
// nothing that waits or varies.
//
// The parameters are in package param, and what was found is put into words in package
// phrase. Package wordset tells texts that nearly repeat others, package agreement how
// alike two rankings are. Packages above this one are made of Rank: whynot ranks along a
// parameter, and wire writes results as JSON.
//
// The package neither reads files nor draws. It asks the store, the embedder and the
// scorers of [Deps], which may be servers, and nothing else.
package retrieval
