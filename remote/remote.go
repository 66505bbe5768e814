// Package remote is the HTTP layer of the clients that talk to model servers.
// It knows nothing of embeddings or chats: it sets the key, bounds time and
// size, retries what may pass, and turns every failure into an error that says
// what happened without showing a secret.
//
// A [Client] has the one method that API libraries want of an HTTP client:
//
//	client := remote.New(remote.Config{Key: key})
//	api := openai.DefaultConfig("") // the key stays with the client
//	api.HTTPClient = client
//
// Answers are read completely before Do returns. An answer with a status of 400
// or more is an error, a [StatusError], never a response.
package remote

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

// Config sets up a Client. The zero value is useful: no key, the defaults below
// and the real clock.
type Config struct {
	// Key is sent as bearer token and removed from every error.
	Key string

	// Timeout ends one attempt, from connecting to the last byte.
	//
	// Defaults to 120 s: a local server loads its model on the first call.
	Timeout time.Duration

	// Attempts is how often a request is sent at most, the first time included.
	//
	// Defaults to 5.
	Attempts int

	// MaxWait is the longest pause that a server may ask for. If it asks for
	// more the request fails at once and the error says when to come back.
	//
	// Defaults to 60 s.
	MaxWait time.Duration

	// MaxBody is the longest answer in bytes, after decompression.
	//
	// Defaults to 64 MiB; 256 vectors of 3,072 numbers take 17.
	MaxBody int64

	// Transport sends requests.
	//
	// Defaults to a transport with a connect timeout of 10 s that honours the
	// proxy settings of the environment.
	Transport http.RoundTripper

	// Now, Sleep and Random are the clock and the dice. Sleep returns early,
	// with the context's error, when the context ends. Random returns a number
	// from 0 up to 1.
	//
	// Default to the real ones.
	Now    func() time.Time
	Sleep  func(ctx context.Context, d time.Duration) error
	Random func() float64
}

// String describes the configuration without the key.
func (c Config) String() string {
	key := "not set"
	if c.Key != "" {
		key = "set"
	}
	return fmt.Sprintf("remote.Config{key %s, timeout %s, attempts %d}", key, c.Timeout, c.Attempts)
}

// GoString is String, so that no format verb shows the key.
func (c Config) GoString() string { return c.String() }

func (c Config) withDefaults() Config {
	if c.Timeout == 0 {
		c.Timeout = 120 * time.Second
	}
	if c.Attempts == 0 {
		c.Attempts = 5
	}
	if c.MaxWait == 0 {
		c.MaxWait = 60 * time.Second
	}
	if c.MaxBody == 0 {
		c.MaxBody = 64 << 20
	}
	if c.Transport == nil {
		c.Transport = newTransport()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	return c
}

func newTransport() *http.Transport {
	const connect = 10 * time.Second
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: connect, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: connect,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 64, // as many as there may be workers
		IdleConnTimeout:     90 * time.Second,
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Call sets up a single request and keeps what came back. Give it to the
// request with WithCall; it is for one request at a time.
type Call struct {
	// Timeout replaces that of the Config if it is not 0.
	Timeout time.Duration

	// What follows is filled in by Do: the last answer, as it came. Body is
	// not redacted and must not be shown; it is there for those who have to
	// check what a decoder hides. Of an error answer it has the beginning.
	Status   int
	Header   http.Header
	Body     []byte
	Attempts int
}

type callKey struct{}

// WithCall attaches a Call to the requests made with the returned context.
func WithCall(ctx context.Context, call *Call) context.Context {
	return context.WithValue(ctx, callKey{}, call)
}

func callOf(ctx context.Context) *Call {
	if call, ok := ctx.Value(callKey{}).(*Call); ok {
		return call
	}
	return &Call{}
}
