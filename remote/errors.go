package remote

import (
	"cmp"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// maxErrorBody is how much of an error's body is read.
const maxErrorBody = 64 << 10

// StatusError is an answer with a status of 400 or more. Its texts are redacted
// and free of control characters.
type StatusError struct {
	Method, Host, Path string
	Status             int
	// Code and Type are the server's own classification, if it gave one.
	Code, Type string
	// Message is what the server said, at most 300 characters.
	Message   string
	RequestID string
	// RetryAfter is the pause that the server asked for, 0 if none.
	RetryAfter time.Duration
	Attempts   int
}

func (e *StatusError) Error() string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s %s%s: %d %s", e.Method, e.Host, e.Path, e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		sb.WriteString(": " + e.Message)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&sb, " (%s)", Pause(e.RetryAfter))
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&sb, " (%d attempts)", e.Attempts)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&sb, " (request %s)", e.RequestID)
	}
	return sb.String()
}

// Placeless is what is known of it for those who keep it: the status alone, since the
// server's words may repeat where and with what it was asked.
func (e *StatusError) Placeless() string {
	return fmt.Sprintf("the server answered with the status %d %s", e.Status, http.StatusText(e.Status))
}

// IsQuota says that the account is used up. That comes with the status of a
// rate limit, but no pause cures it.
func (e *StatusError) IsQuota() bool {
	return e.Code == "insufficient_quota" || e.Type == "insufficient_quota"
}

// IsTemporary says that the same request may succeed later.
func (e *StatusError) IsTemporary() bool {
	switch e.Status {
	case http.StatusTooManyRequests:
		return !e.IsQuota()
	case http.StatusRequestTimeout, http.StatusFailedDependency:
		return true
	}
	return e.Status >= http.StatusInternalServerError
}

// TransportError is a request without a usable answer. It unwraps to a
// *BodyTooLargeError or *RedirectError if that is why. Other causes are told but
// not wrapped, because the text of any error may repeat what was sent.
type TransportError struct {
	Method, Host, Path string
	Reason             string
	Attempts           int

	cause error
	retry bool
	// placeless is Reason for those who keep it.
	placeless string
}

func (e *TransportError) Error() string {
	s := fmt.Sprintf("%s %s%s: %s", e.Method, e.Host, e.Path, e.Reason)
	if e.Attempts > 1 {
		s += fmt.Sprintf(" (%d attempts)", e.Attempts)
	}
	return s
}

// Placeless is what is known of it for those who keep it: why there was no answer, without
// the server's name or address.
func (e *TransportError) Placeless() string {
	return cmp.Or(e.placeless, "the server could not be reached")
}

func (e *TransportError) Unwrap() error { return e.cause }

// IsTemporary is false when there was an answer and it was refused for what it
// is.
func (e *TransportError) IsTemporary() bool { return e.cause == nil }

// BodyTooLargeError is an answer over the limit of the Config.
type BodyTooLargeError struct{ Limit int64 }

func (e *BodyTooLargeError) Error() string {
	return fmt.Sprintf("the answer is larger than %d bytes", e.Limit)
}

// RedirectError is a redirect that was not followed, because it leads to
// another server or would turn the request into another one.
type RedirectError struct{ To string }

func (e *RedirectError) Error() string {
	return fmt.Sprintf("refused a redirect to %s; make that the base URL if it is right", e.To)
}

func (c *Client) transportError(req *http.Request, attempts int, err error) error {
	out := &TransportError{
		Method: req.Method, Host: req.URL.Host, Path: req.URL.Path,
		Attempts: attempts, retry: isConnectionLoss(err),
	}
	var tooLarge *BodyTooLargeError
	var redirect *RedirectError
	switch {
	case errors.As(err, &tooLarge):
		out.cause = tooLarge
	case errors.As(err, &redirect):
		out.cause = &RedirectError{To: c.redact.Load().text(redirect.To)}
	}
	// url.Error repeats the URL with its query.
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	out.Reason, out.placeless = c.redact.Load().text(reason(err)), placeless(err)
	return out
}

// placeless is why there was no answer, in words of ours; empty where it is not known.
func placeless(err error) string {
	var (
		tooLarge *BodyTooLargeError
		redirect *RedirectError
		dns      *net.DNSError
		waited   net.Error
		wrong    *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &tooLarge):
		return tooLarge.Error()
	case errors.As(err, &redirect):
		return "the server sends elsewhere"
	case errors.As(err, &wrong):
		return "the server's certificate was not accepted"
	case errors.As(err, &dns):
		return "the server's name was not found"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the server refused the connection"
	case errors.As(err, &waited) && waited.Timeout():
		return "the server did not answer in time"
	case isConnectionLoss(err):
		return "the connection broke off"
	}
	return ""
}

func reason(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the connection broke off"
	}
	return err.Error()
}

// isConnectionLoss reports the failures of a connection that are worth another
// try: it was refused, reset, or ended early. A name that does not exist and a
// certificate that does not fit stay as they are.
func isConnectionLoss(err error) bool {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return dns.IsTemporary
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return true
	}
	var stream streamError
	return errors.As(err, &stream) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// streamError catches the reset of an HTTP/2 stream. The type in net/http is
// not exported but converts itself to any struct of its shape.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamError) Error() string { return fmt.Sprintf("stream %d: code %d", e.StreamID, e.Code) }

// retryable says whether err is worth another attempt, and the least pause
// before it.
func retryable(err error) (bool, time.Duration) {
	var status *StatusError
	if errors.As(err, &status) {
		return status.IsTemporary(), status.RetryAfter
	}
	var transport *TransportError
	return errors.As(err, &transport) && transport.retry, 0
}

func isRateLimit(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Status == http.StatusTooManyRequests
}

func (c *Client) statusError(req *http.Request, call *Call) *StatusError {
	said := parseServerError(call.Body)
	return &StatusError{
		Method:     req.Method,
		Host:       req.URL.Host,
		Path:       req.URL.Path,
		Status:     call.Status,
		Code:       c.redact.Load().text(said.code),
		Type:       c.redact.Load().text(said.kind),
		Message:    c.redact.Load().text(said.message),
		RequestID:  c.redact.Load().text(requestID(call.Header)),
		RetryAfter: retryAfter(call.Header, c.cfg.Now()),
		Attempts:   call.Attempts,
	}
}

func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Amzn-Requestid", "Cf-Ray"} {
		if id := h.Get(name); id != "" {
			return id
		}
	}
	return ""
}

// serverError is what can be made of an error's body.
type serverError struct{ message, code, kind string }

// parseServerError understands the shapes that are in use: {"error": {message,
// code, type}}, {"error": "text"}, {message, code, type}, {"detail": ...}.
// Anything else is its own message.
func parseServerError(body []byte) serverError {
	whole := serverError{message: string(body)}
	var outer map[string]json.RawMessage
	if json.Unmarshal(body, &outer) != nil {
		return whole
	}
	fields := outer
	if inner, ok := outer["error"]; ok {
		var text string
		if json.Unmarshal(inner, &text) == nil && text != "" {
			return serverError{message: text, kind: plain(outer["error_type"])}
		}
		if json.Unmarshal(inner, &fields) != nil || fields == nil {
			return whole
		}
	}
	said := serverError{message: plain(fields["message"]), code: plain(fields["code"]), kind: plain(fields["type"])}
	if said.message == "" {
		said.message = plain(fields["detail"])
	}
	if said.message == "" {
		said.message = whole.message
	}
	return said
}

// plain returns a JSON string's text, and other values as they are written.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	if s := string(raw); s != "null" {
		return s
	}
	return ""
}

// Message returns what a server says in an error object, redacted, for those
// who find one in an answer that claims success.
func (c *Client) Message(body []byte) string {
	return c.redact.Load().text(parseServerError(body).message)
}
