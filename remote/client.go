package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Client sends requests. It may be used from several goroutines; when a server
// asks one of them to slow down, all of them do.
type Client struct {
	cfg  Config
	http *http.Client
	// redact knows the key, and the secrets of the addresses that were asked.
	redact atomic.Pointer[redactor]

	mu sync.Mutex
	// resumeAt is when the pause ends that a server asked for.
	resumeAt time.Time
}

// New returns a client. Close it to free its connections.
func New(cfg Config) *Client {
	cfg = cfg.withDefaults()
	c := &Client{
		cfg:  cfg,
		http: &http.Client{Transport: cfg.Transport, CheckRedirect: checkRedirect},
	}
	c.redact.Store(newRedactor(cfg.Key))
	return c
}

// String describes the client without the key.
func (c *Client) String() string { return "remote.Client with " + c.cfg.String() }

// GoString is String, so that no format verb shows the key.
func (c *Client) GoString() string { return c.String() }

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Do sends a request until it succeeds, fails for good or was sent as often as
// allowed. The response's body is complete and in memory. The error is a
// *StatusError, a *TransportError or that of the request's context.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	c.learn(req.URL)
	body, err := bodyOf(req)
	if err != nil {
		return nil, c.transportError(req, 0, err)
	}
	call := callOf(req.Context())
	about := Wait{Method: req.Method, Host: req.URL.Host, Path: req.URL.Path}
	defer c.watch(req.Context(), about)()
	for attempt := 1; ; attempt++ {
		if err := c.waitForResume(req.Context()); err != nil {
			return nil, err
		}
		call.Attempts = attempt
		resp, err := c.once(req, body, call)
		if err == nil {
			return resp, nil
		}
		// The caller's own end is not the server's failure.
		if ctxErr := req.Context().Err(); ctxErr != nil {
			return nil, ctxErr
		}
		retry, after := retryable(err)
		if !retry || attempt >= c.cfg.Attempts || after > c.cfg.MaxWait {
			return nil, err
		}
		wait := max(after, c.backoff(attempt))
		if after >= Silence {
			about.Pause = after
			tellWait(req.Context(), about)
		}
		if isRateLimit(err) {
			c.pause(wait)
			continue // waitForResume waits, for this request and all others
		}
		if err := c.cfg.Sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// backoff draws a pause between nothing and a bound that doubles from half a
// second to half a minute. Drawing from all of it keeps workers that failed
// together from coming back together.
func (c *Client) backoff(attempt int) time.Duration {
	const first, longest = 500 * time.Millisecond, 30 * time.Second
	bound := longest
	if shift := attempt - 1; shift < 6 {
		bound = min(first<<shift, longest)
	}
	return time.Duration(c.cfg.Random() * float64(bound))
}

func (c *Client) pause(d time.Duration) {
	until := c.cfg.Now().Add(d)
	c.mu.Lock()
	defer c.mu.Unlock()
	if until.After(c.resumeAt) {
		c.resumeAt = until
	}
}

func (c *Client) waitForResume(ctx context.Context) error {
	for {
		c.mu.Lock()
		d := c.resumeAt.Sub(c.cfg.Now())
		c.mu.Unlock()
		if d <= 0 {
			return ctx.Err()
		}
		// Another worker may have prolonged the pause meanwhile: look again.
		if err := c.cfg.Sleep(ctx, d); err != nil {
			return err
		}
	}
}

// once sends the request once and reads the answer.
func (c *Client) once(req *http.Request, body []byte, call *Call) (*http.Response, error) {
	timeout := c.cfg.Timeout
	if call.Timeout != 0 {
		timeout = call.Timeout
	}
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
	defer cancel()
	out := req.Clone(ctx)
	if body != nil {
		out.Body = io.NopCloser(bytes.NewReader(body))
		out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		out.ContentLength = int64(len(body))
	}
	if c.cfg.Key != "" {
		out.Header.Set("Authorization", "Bearer "+c.cfg.Key)
	}
	resp, err := c.http.Do(out)
	if err != nil {
		return nil, c.attemptError(ctx, req, call, err)
	}
	defer resp.Body.Close()
	call.Status, call.Header = resp.StatusCode, resp.Header
	if resp.StatusCode >= http.StatusBadRequest {
		// Whatever can be read of an error is better than an error about it.
		call.Body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return nil, c.statusError(req, call)
	}
	call.Body, err = readBody(resp, c.cfg.MaxBody)
	if err != nil {
		return nil, c.attemptError(ctx, req, call, err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(call.Body))
	return resp, nil
}

// attemptError says so when it was the attempt's time that ran out. Its context
// knows; the error does not, because a failed connect calls itself a deadline too.
func (c *Client) attemptError(ctx context.Context, req *http.Request, call *Call, err error) error {
	if ctx.Err() != nil {
		err = errNoAnswer
	}
	return c.transportError(req, call.Attempts, err)
}

var errNoAnswer = errors.New("no complete answer in time")

func readBody(resp *http.Response, limit int64) ([]byte, error) {
	if resp.ContentLength > limit {
		return nil, &BodyTooLargeError{Limit: limit}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > limit {
		return nil, &BodyTooLargeError{Limit: limit}
	}
	return body, nil
}

// bodyOf reads the request's body, so that it can be sent again.
func bodyOf(req *http.Request) ([]byte, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, nil
	}
	defer req.Body.Close()
	return io.ReadAll(req.Body)
}

// checkRedirect follows a redirect only within one server, because the next
// one would get the texts, and only if the request stays what it is.
func checkRedirect(req *http.Request, via []*http.Request) error {
	const most = 5
	from := via[0]
	switch {
	case req.URL.Host != from.URL.Host, req.URL.Scheme != from.URL.Scheme, req.Method != from.Method, len(via) >= most:
		return &RedirectError{To: req.URL.Scheme + "://" + req.URL.Host + req.URL.Path}
	}
	return nil
}
