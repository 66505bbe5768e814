package embedder

import (
	"fmt"
	"strings"
)

// Counting says what the counts of a tokenizer are worth for a model.
type Counting struct {
	// Exact says that they are the model's own, as far as can be known: of a file
	// only its hash is.
	Exact bool
	// By says what is counted with and why that is or is not exact.
	By string
	// Remedy says what makes them exact, "" if they are, or if nothing does.
	Remedy string
}

// CountingOf says what counts by the tokenizer with an id are worth for a model.
func CountingOf(tokenizer string, model Info) Counting {
	name := quoteShort(model.Model)
	vocabulary := tokenizer
	if IsApproximate(tokenizer) {
		vocabulary = TokenizerCL100K
	}
	own := model.Tokenizer != "" && !IsApproximate(model.Tokenizer)
	switch {
	case hashedID.MatchString(tokenizer) && tokenizer == model.Tokenizer:
		return Counting{Exact: true, By: fmt.Sprintf("%s, the vocabulary of the model %s", tokenizer, name)}
	case own && hashedID.MatchString(model.Tokenizer):
		return Counting{
			By:     fmt.Sprintf("%s, an estimate: the model %s has another vocabulary, %s", tokenizer, name, model.Tokenizer),
			Remedy: "leave EMBEDDING_TOKENIZER unset, and index into a new corpus: the model's folder has its " + tokenizerFile,
		}
	case hashedID.MatchString(tokenizer):
		return Counting{Exact: true, By: tokenizer + ", a vocabulary from a file"}
	case model.InProcess && !IsApproximate(tokenizer):
		return Counting{Exact: true, By: fmt.Sprintf("%s; the model %s reads words and has no tokens of its own", tokenizer, name)}
	case own && tokenizer == model.Tokenizer:
		return Counting{Exact: true, By: fmt.Sprintf("%s, the vocabulary of the model %s", tokenizer, name)}
	case own && !IsApproximate(tokenizer):
		return Counting{
			By:     fmt.Sprintf("%s, an estimate: the model %s counts with %s", tokenizer, name, model.Tokenizer),
			Remedy: fmt.Sprintf("set EMBEDDING_TOKENIZER=%s, and index into a new corpus", model.Tokenizer),
		}
	case own:
		return Counting{
			By:     fmt.Sprintf("%s, marked as an estimate; the model %s counts with %s", vocabulary, name, model.Tokenizer),
			Remedy: fmt.Sprintf("set EMBEDDING_TOKENIZER=%s, and index into a new corpus", model.Tokenizer),
		}
	}
	c := Counting{By: fmt.Sprintf("%s, an estimate: the model %s has a vocabulary of its own", vocabulary, name)}
	if file := tokenizerFileOf(model.Model); file != "" {
		c.Remedy = fmt.Sprintf("get %s, set EMBEDDING_TOKENIZER=%sPATH to where it is, and index into a new corpus", file, huggingFacePrefix)
	} else {
		c.By += ", which is not published"
	}
	return c
}

// tokenizerFileOf says which file has a model's vocabulary, "" for a model whose
// vocabulary nobody outside of its vendor has.
func tokenizerFileOf(model string) string {
	name := strings.ToLower(model)
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	of := func(repository string) string { return "the " + tokenizerFile + " of " + repository }
	switch {
	case strings.HasPrefix(name, "gemini-"):
		return ""
	case strings.Contains(name, "nomic-embed-text-v2"):
		return of("nomic-ai/nomic-embed-text-v2-moe")
	case strings.Contains(name, "nomic-embed-text"):
		return of("nomic-ai/nomic-embed-text-v1.5")
	case strings.HasPrefix(name, "bge-m3"):
		return of("BAAI/bge-m3")
	case strings.HasPrefix(name, "all-minilm"):
		return of("sentence-transformers/all-MiniLM-L6-v2")
	case e5Profile(strings.TrimPrefix(name, "multilingual-")).MaxTokens > 0:
		return of("intfloat/" + name)
	}
	return of(quoteShort(model))
}
