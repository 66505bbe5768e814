// Package llm talks to servers that judge and write: those with a /rerank
// endpoint, which score documents against a query, and those that speak the
// OpenAI chat protocol.
//
//	reranker, err := llm.NewReranker(llm.RerankConfig{BaseURL: "http://localhost:8080"})
//	ranking, err := reranker.Rerank(ctx, "how do spans stay exact", documents)
//
// Both are optional: nothing in this program needs a model. Package remote bounds
// time and size, retries what may pass and keeps the key out of errors; this
// package checks that an answer fits its question. What a model writes is
// untrusted text, whoever the model is.
package llm
