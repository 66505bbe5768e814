// Package rerank gives results new scores: by a least score, by a language model that
// rates them, or by a server for /rerank. Each is a [retrieval.Reranker] for programs
// that call the engine, and those that ask somebody are a [retrieval.Scorer] for the
// engine itself.
package rerank
