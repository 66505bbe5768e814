package embedder

// UsualModels names widely used models whose vectors have so many dimensions, the
// most usual ones first, by what their vendors document. It is nil where none is
// known; that a model is named does not mean that it made the vectors.
func UsualModels(dims int) []string {
	switch dims {
	case 256:
		return []string{"potion-base-8M (model2vec)"}
	case 384:
		return []string{"all-MiniLM-L6-v2", "bge-small-en-v1.5", "multilingual-e5-small"}
	case 512:
		return []string{"potion-base-32M (model2vec)", "text-embedding-3-small cut to 512"}
	case 768:
		return []string{"nomic-embed-text", "all-mpnet-base-v2", "bge-base-en-v1.5", "multilingual-e5-base"}
	case 1024:
		return []string{"bge-m3", "mxbai-embed-large", "multilingual-e5-large", "text-embedding-3-large cut to 1024"}
	case 1536:
		return []string{"text-embedding-3-small", "text-embedding-ada-002", "gemini-embedding-001 cut to 1536"}
	case 3072:
		return []string{"text-embedding-3-large", "gemini-embedding-001"}
	}
	return nil
}
