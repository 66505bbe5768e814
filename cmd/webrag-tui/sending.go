package main

import (
	"fmt"
	"net"
	"net/url"
	"path"
	"slices"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store/postgres"
)

// The codes of notices on where texts go, and on settings that change nothing.
const (
	noticeSending  = "sending"
	noticeWithheld = "key_withheld"
	noticeUnused   = "setting_unused"
)

// modelServer is a server that texts are sent to, by the settings of its address
// and its key.
type modelServer struct {
	what, address, key string
	// otherwise is the address without a setting.
	otherwise string
}

var (
	toEmbed  = modelServer{"the embedding server", "embedding.base_url", "embedding.api_key", embedder.DefaultBaseURL}
	toRerank = modelServer{"the /rerank server", "retrieval.rerank_base_url", "retrieval.rerank_api_key", ""}
	toChat   = modelServer{"the language model's server", "llm.base_url", "llm.api_key", ""}
)

// keyFor is the key that goes to a server. An address that a folder's .env file
// names gets the key of that file or none: never one of the user's.
func (s modelServer) keyFor(c *config.Config) string {
	if !c.Value(s.address).Origin.IsDotEnv() {
		return c.Text(s.key)
	}
	own, _ := c.InDotEnv(s.key)
	return own.Text
}

// notices say where texts go, if that is another machine, and that a key stays here.
func (s modelServer) notices(c *config.Config) (notices []retrieval.Notice) {
	at := c.Value(s.address)
	u, err := url.Parse(at.Text)
	if at.Text == "" {
		u, err = url.Parse(s.otherwise)
	}
	if err != nil || u.Host == "" {
		return nil // which is said by who makes the client
	}
	if !isLocal(u.Hostname()) {
		notices = append(notices, retrieval.Notice{Code: noticeSending, Text: fmt.Sprintf("texts are sent to %s, %s (%s)", u.Host, s.what, at.Origin)})
	}
	if key := c.Value(s.key); key.Text != "" && s.keyFor(c) == "" {
		notices = append(notices, retrieval.Notice{Code: noticeWithheld, Text: fmt.Sprintf(
			"the key of %s is not sent to %s, an address of %s; if it is meant for it, put both into one place", key.Origin, u.Host, at.Origin)})
	}
	return notices
}

// isLocal says that a host is this machine: nothing leaves it.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || host == "localhost" || path.IsAbs(host) || ip != nil && ip.IsLoopback()
}

// corpusPlaceNotices say which database is opened, if it is on another machine. One
// that the command line names is known to who wrote it.
func corpusPlaceNotices(c *config.Config) []retrieval.Notice {
	at := c.Value("corpus.path")
	if !placeOf(at.Text).isDatabase || at.Origin.Source == config.Flag ||
		!slices.ContainsFunc(postgres.Hosts(at.Text), func(host string) bool { return !isLocal(host) }) {
		return nil
	}
	return []retrieval.Notice{{Code: noticeSending, Text: fmt.Sprintf("the corpus is %s (%s)", at.Shown(), at.Origin)}}
}

// sendNotices say where what is asked or indexed goes, before it does, and which
// settings of the embedder change nothing.
func sendNotices(c *config.Config, rerankers ...param.RerankerKind) []retrieval.Notice {
	notices := corpusPlaceNotices(c)
	switch provider(c) {
	case providerOpenAI:
		notices = append(notices, toEmbed.notices(c)...)
	case providerBuiltin:
		if text := unusedDimensions(c); text != "" {
			notices = append(notices, retrieval.Notice{Code: noticeUnused, Text: text + "; leave the setting out, or choose a model with EMBEDDING_BASE_URL and EMBEDDING_MODEL", Warning: true})
		}
	}
	if slices.Contains(rerankers, param.RerankerHTTP) && c.Text(toRerank.address) != "" {
		notices = append(notices, toRerank.notices(c)...)
	}
	if slices.Contains(rerankers, param.RerankerLLM) && c.Text(toChat.address) != "" {
		notices = append(notices, toChat.notices(c)...)
	}
	return notices
}

// unusedDimensions says that configured dimensions change nothing, empty if they do
// or none are configured.
func unusedDimensions(c *config.Config) string {
	has := embedder.NewBuiltin().Info().Dims
	v := c.Value("embedding.dimensions")
	if provider(c) != providerBuiltin || v.Text == "" || c.Int("embedding.dimensions") == has {
		return ""
	}
	return fmt.Sprintf("%s: embedding.dimensions %s is not used: the built-in embedder makes %d and no others", v.Origin, v.Text, has)
}
