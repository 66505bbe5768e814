package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/webrag/webrag-tui/remote"
)

// server is where requests go.
type server struct {
	base *url.URL
	http *remote.Client
}

// errBaseURL stands for the error of url.Parse, which would repeat the URL, and
// that may hold a password.
var errBaseURL = errors.New("the base URL of the model server must begin with http:// or https:// and a host")

func newServer(baseURL, key string, cfg remote.Config) (*server, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errBaseURL
	}
	cfg.Key = key
	return &server{base: u, http: remote.New(cfg)}, nil
}

// post sends a JSON body and returns the answer of a request that succeeded: a
// JSON value that is not an error. Errors are those of package remote, of the
// context, or a *BadResponseError.
func (s *server) post(ctx context.Context, to *url.URL, body any) ([]byte, error) {
	var sent bytes.Buffer
	enc := json.NewEncoder(&sent)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, fmt.Errorf("encode the request: %w", err)
	}
	call := &remote.Call{}
	req, err := http.NewRequestWithContext(remote.WithCall(ctx, call), http.MethodPost, to.String(), &sent)
	if err != nil {
		return nil, errBaseURL
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	resp, err := s.http.Do(req)
	if err != nil {
		return nil, err
	}
	if err := resp.Body.Close(); err != nil {
		return nil, fmt.Errorf("close the answer: %w", err)
	}
	return call.Body, s.checkAnswer(call.Body)
}

// checkAnswer refuses what is not JSON, and errors that come with the status of
// success. The type that the answer claims for itself is not looked at: servers
// behind gateways get it wrong.
func (s *server) checkAnswer(body []byte) error {
	if !json.Valid(body) {
		return bad("it is not JSON")
	}
	var failed struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &failed) == nil && len(failed.Error) > 0 && string(failed.Error) != "null" {
		return bad("an error with the status of success: %s", s.http.Message(body))
	}
	return nil
}
