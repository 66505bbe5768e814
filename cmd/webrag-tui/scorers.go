package main

import (
	"fmt"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/rerank"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store/postgres"
)

// rerankSettings are the settings of the /rerank server.
func rerankSettings() []config.Setting {
	return []config.Setting{
		{
			Key: "retrieval.rerank_enabled", Env: "RETRIEVAL_RERANK_ENABLED", Kind: config.Boolean, Default: "false",
			Help: "Rerank with the server at rerank_base_url, unless " + param.FieldReranker + " says otherwise.",
		},
		{
			Key: "retrieval.rerank_base_url", Env: "RETRIEVAL_RERANK_BASE_URL", Show: postgres.Redact, DefaultNote: "none: no server", Example: "http://localhost:8080",
			Help: "Address of a server with a /rerank endpoint, for a hosted service up to and with the version.",
		},
		{
			Key: "retrieval.rerank_model", Env: "RETRIEVAL_RERANK_MODEL", DefaultNote: "the server's", Example: "rerank-v3.5",
			Help: "The model that the /rerank server scores with.",
		},
		{
			Key: "retrieval.rerank_api_key", Env: "RETRIEVAL_RERANK_API_KEY", Secret: true,
			Help: "The /rerank server's key, if it wants one.",
		},
	}
}

// newScorers makes what the configured rerankers ask. A reranker without a
// server has no entry, and a query that wants it says so. Nothing is sent yet.
func newScorers(c *config.Config) (map[param.RerankerKind]retrieval.Scorer, error) {
	scorers := map[param.RerankerKind]retrieval.Scorer{}
	if v := c.Value("retrieval.rerank_base_url"); v.Text != "" {
		client, err := llm.NewReranker(llm.RerankConfig{
			BaseURL: v.Text, Model: c.Text("retrieval.rerank_model"), APIKey: toRerank.keyFor(c),
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Origin, err)
		}
		scorers[param.RerankerHTTP] = rerank.NewHTTPScorer(client)
	}
	chat, err := newChat(c)
	if chat != nil {
		scorers[param.RerankerLLM] = rerank.NewLLMScorer(chat, rerank.LLMScoring{})
	}
	return scorers, err
}

// newChat makes what asks the configured language model, nil if none is.
func newChat(c *config.Config) (*llm.Chat, error) {
	address, model := c.Value("llm.base_url"), c.Value("llm.model")
	switch {
	case address.Text == "" && model.Text == "":
		return nil, nil
	case address.Text == "":
		return nil, fmt.Errorf("%s: a language model needs a server, too: set LLM_BASE_URL", model.Origin)
	case model.Text == "":
		return nil, fmt.Errorf("%s: a server may run several language models: set LLM_MODEL", address.Origin)
	}
	chat, err := llm.NewChat(llm.ChatConfig{BaseURL: address.Text, Model: model.Text, APIKey: toChat.keyFor(c)})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address.Origin, err)
	}
	return chat, nil
}

// enableReranker has the /rerank server asked when its setting says so and neither
// a setting nor a profile chooses a reranker.
func enableReranker(c *config.Config, p *param.Params) error {
	on := c.Value("retrieval.rerank_enabled")
	if !c.Bool("retrieval.rerank_enabled") || c.IsSet(param.KeyPrefix+param.FieldReranker) || p.Reranker != param.RerankerNone {
		return nil
	}
	if c.Text("retrieval.rerank_base_url") == "" {
		return fmt.Errorf("%s: reranking needs a server: set RETRIEVAL_RERANK_BASE_URL, for example to https://api.cohere.com/v2", on.Origin)
	}
	p.Reranker = param.RerankerHTTP
	return nil
}
