package embedder

import (
	"strings"
	"testing"
)

func TestCountingOf(t *testing.T) {
	server := func(model string) Info {
		return Info{Model: model, Tokenizer: ProfileFor("http://localhost/v1", model).Tokenizer}
	}
	static := Info{Model: "potion", Tokenizer: "hf:0a1b2c3d", InProcess: true}
	for _, tt := range []struct {
		name, tokenizer string
		model           Info
		exact           bool
		by, remedy      string
	}{
		{
			"bge-m3 by another vocabulary", TokenizerApprox, server("bge-m3"), false,
			`cl100k_base, an estimate: the model "bge-m3" has a vocabulary of its own`,
			"get the tokenizer.json of BAAI/bge-m3, set EMBEDDING_TOKENIZER=hf:PATH",
		},
		{"chosen by name, but no better", TokenizerCL100K, server("bge-m3"), false, "cl100k_base, an estimate", "BAAI/bge-m3"},
		{"by a file", "hf:12345678", server("bge-m3"), true, "hf:12345678, a vocabulary from a file", ""},
		{"BERT", TokenizerApprox, server("nomic-embed-text:latest"), false, "", "of nomic-ai/nomic-embed-text-v1.5"},
		{"its successor", TokenizerApprox, server("nomic-embed-text-v2-moe"), false, "", "of nomic-ai/nomic-embed-text-v2-moe"},
		{"MiniLM", TokenizerApprox, server("all-minilm:33m"), false, "", "of sentence-transformers/all-MiniLM-L6-v2"},
		{"E5", TokenizerApprox, server("intfloat/multilingual-e5-base"), false, "", "of intfloat/multilingual-e5-base"},
		{"any other", TokenizerApprox, server("acme/vectors"), false, "", `the tokenizer.json of "acme/vectors"`},
		{"not published", TokenizerApprox, server("models/gemini-embedding-001"), false, "has a vocabulary of its own, which is not published", ""},
		{"OpenAI", TokenizerCL100K, server("text-embedding-3-small"), true, `cl100k_base, the vocabulary of the model "text-embedding-3-small"`, ""},
		{"OpenAI by another", TokenizerO200K, server("text-embedding-3-small"), false, "an estimate", "set EMBEDDING_TOKENIZER=cl100k_base"},
		{"OpenAI, marked", TokenizerApprox, server("text-embedding-3-small"), false, "marked as an estimate", "set EMBEDDING_TOKENIZER=cl100k_base"},
		{"static", "hf:0a1b2c3d", static, true, `hf:0a1b2c3d, the vocabulary of the model "potion"`, ""},
		{"static by another", TokenizerCL100K, static, false, "has another vocabulary, hf:0a1b2c3d", "leave EMBEDDING_TOKENIZER unset"},
		{"built in", TokenizerCL100K, NewBuiltin().Info(), true, "reads words and has no tokens", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := CountingOf(tt.tokenizer, tt.model)
			if got.Exact != tt.exact || !strings.Contains(got.By, tt.by) || !strings.Contains(got.Remedy, tt.remedy) || tt.remedy == "" && got.Remedy != "" {
				t.Errorf("%+v", got)
			}
		})
	}
}
