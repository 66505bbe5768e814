package embedder

import (
	"net/url"
	"strings"
)

// Profile is what has to be known of a model and of the server that runs it.
// The zero value assumes nothing.
type Profile struct {
	// Dims is the length of the model's vectors, 0 if unknown.
	Dims int
	// MaxTokens is the longest input, 0 if unknown.
	MaxTokens int
	// Tokenizer is the id of the model's tokenizer or of a substitute.
	Tokenizer string
	// QueryPrefix and DocumentPrefix are put before each text, because the model
	// was trained so. They are never stored.
	QueryPrefix, DocumentPrefix string
	// Matryoshka says that the first components of a vector are a good vector
	// themselves once their length is one again.
	Matryoshka bool

	// MaxInputs is how many texts the server takes at once, 0 if unknown.
	MaxInputs int
	// MaxRequestTokens bounds the sum over the texts of a request, 0 if unknown.
	MaxRequestTokens int
	// NoDimensions says that the request must not ask for a vector length.
	NoDimensions bool
}

// ProfileFor returns what is known of a model at a server. The facts are from
// the vendors' documentation; a model that is not listed has the zero profile
// with the approximate tokenizer.
func ProfileFor(baseURL, model string) Profile {
	p := modelProfile(model)
	if p.Tokenizer == "" {
		p.Tokenizer = TokenizerApprox
	}
	u, err := url.Parse(baseURL)
	if err != nil {
		return p
	}
	switch {
	case u.Hostname() == "api.openai.com":
		p.MaxInputs, p.MaxRequestTokens = 2048, 300_000
	case u.Hostname() == "generativelanguage.googleapis.com":
		p.MaxInputs = 100
	case u.Port() == "1234": // LM Studio
		p.NoDimensions = true
	}
	return p
}

func modelProfile(model string) Profile {
	name := strings.ToLower(model)
	name = name[strings.LastIndexByte(name, '/')+1:] // vendor/model
	name, _, _ = strings.Cut(name, ":")              // model:tag
	starts := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	switch {
	case starts("text-embedding-3-small"):
		return Profile{Dims: 1536, MaxTokens: 8192, Tokenizer: TokenizerCL100K, Matryoshka: true}
	case starts("text-embedding-3-large"):
		return Profile{Dims: 3072, MaxTokens: 8192, Tokenizer: TokenizerCL100K, Matryoshka: true}
	case starts("text-embedding-ada-002"):
		return Profile{Dims: 1536, MaxTokens: 8192, Tokenizer: TokenizerCL100K, NoDimensions: true}
	case starts("gemini-embedding-001"):
		return Profile{Dims: 3072, MaxTokens: 2048, Matryoshka: true}
	case strings.Contains(name, "nomic-embed-text"):
		// Version 1.5 can be shortened, but only after a layer normalisation
		// that servers do not do.
		return Profile{Dims: 768, MaxTokens: 8192, QueryPrefix: "search_query: ", DocumentPrefix: "search_document: "}
	case starts("bge-m3"):
		return Profile{Dims: 1024, MaxTokens: 8192}
	case starts("all-minilm"):
		return Profile{Dims: 384, MaxTokens: 256}
	}
	return e5Profile(strings.TrimPrefix(name, "multilingual-"))
}

func e5Profile(name string) Profile {
	p := Profile{MaxTokens: 512, QueryPrefix: "query: ", DocumentPrefix: "passage: "}
	switch {
	case strings.HasPrefix(name, "e5-small"):
		p.Dims = 384
	case strings.HasPrefix(name, "e5-base"):
		p.Dims = 768
	case strings.HasPrefix(name, "e5-large") && !strings.Contains(name, "instruct"):
		p.Dims = 1024
	default:
		return Profile{}
	}
	return p
}

// prefix returns what the model wants before a text.
func (p Profile) prefix(role Role) string {
	if role == RoleQuery {
		return p.QueryPrefix
	}
	return p.DocumentPrefix
}
