package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
)

// failingWith is a transport on which every request fails.
type failingWith struct{ err error }

func (f failingWith) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// Why there was no answer can be said without a word that came from outside.
func TestTransportErrorsWithoutPlaces(t *testing.T) {
	const host = "inner.example"
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 1, 2, 3), Port: 6333}, Err: err}
	}
	for want, err := range map[string]error{
		"the server refused the connection":                    dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)),
		"the server's name was not found":                      dial(&net.DNSError{Err: "no such host", Name: host, IsNotFound: true}),
		"the server did not answer in time":                    dial(os.ErrDeadlineExceeded),
		"the server's certificate was not accepted":            &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: host}},
		"the connection broke off":                             fmt.Errorf("read from %s: %w", host, io.ErrUnexpectedEOF),
		"the server sends elsewhere":                           &RedirectError{To: "http://" + host},
		"the answer is larger than 7 bytes":                    &BodyTooLargeError{Limit: 7},
		"the server could not be reached":                      errors.New("something at " + host),
		"the server answered with the status 418 I'm a teapot": nil,
	} {
		var got error = &StatusError{Method: http.MethodPost, Host: host, Path: "/v1", Status: http.StatusTeapot, Message: "not at " + host}
		if err != nil {
			c := New(Config{Attempts: 1, Transport: failingWith{err}})
			req, broken := http.NewRequestWithContext(context.Background(), http.MethodGet, (&url.URL{Scheme: "http", Host: host}).String(), nil)
			if broken != nil {
				t.Fatal(broken)
			}
			_, got = c.Do(req)
		}
		var knows interface{ Placeless() string }
		if !errors.As(fmt.Errorf("embed: %w", got), &knows) || knows.Placeless() != want {
			t.Errorf("%v: want %q, got %q", got, want, knows)
		} else if !strings.Contains(got.Error(), host) {
			t.Errorf("%v does not name the server any more", got)
		}
	}
}
