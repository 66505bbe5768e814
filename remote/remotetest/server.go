// Package remotetest has a scripted HTTP server that does what servers of models
// do wrong, for the tests of their clients:
//
//	s := remotetest.Serve(t, remotetest.Say(200, "fine"),
//		remotetest.Say(503, ""), remotetest.Reset())
//	// The first request gets a 503, the second a reset, all others "fine".
//
// What it knows is HTTP; what the answers say is the test's affair. It keeps all
// requests, and never waits for time to pass.
package remotetest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Request is a request as it came.
type Request struct {
	Method, Path string
	Header       http.Header
	Body         []byte
}

// Step answers one request, whose body was read into in. It may run beside
// others.
type Step func(w http.ResponseWriter, r *http.Request, in Request)

// Server answers the n-th request with the n-th step of its script, and requests
// beyond that with its last step, for ever.
type Server struct {
	*httptest.Server

	mu       sync.Mutex
	steps    []Step
	last     Step
	seen     []Request
	inFlight int
	most     int
}

// Serve starts a server, which ends with the test.
func Serve(t testing.TB, last Step, steps ...Step) *Server {
	t.Helper()
	s := &Server{steps: steps, last: last}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

// ServeTLS is Serve with TLS and HTTP/2; use the transport of the Client method.
func ServeTLS(t testing.TB, last Step, steps ...Step) *Server {
	t.Helper()
	s := &Server{steps: steps, last: last}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.answer))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	in := Request{Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	step := s.begin(in)
	defer s.end()
	step(w, r, in)
}

func (s *Server) begin(in Request) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	step := s.last
	if n := len(s.seen); n < len(s.steps) {
		step = s.steps[n]
	}
	s.seen = append(s.seen, in)
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	return step
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
}

// Requests returns the requests so far, in the order of their arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// MostAtOnce returns how many requests were under way at the same time at most.
func (s *Server) MostAtOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}
