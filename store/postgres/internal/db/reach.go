package db

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"net"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/webrag/webrag-tui/store"
)

// explainRefusal says why no connection could be made, where it was not the
// server that said so. The driver tries each host, and with sslmode=prefer each
// in two ways, and joins what happened; the sentence is about the most telling
// of it.
func (d *DB) explainRefusal(err *pgconn.ConnectError) reason {
	if r, ok := d.explainTLS(err); ok {
		return r
	}
	var unknown *net.DNSError
	var network net.Error
	var long *pgproto3.ExceededMaxBodyLenErr
	if says(err, "read only connection") {
		if errors.As(err, &network) {
			return unreached("the hosts that answer take no writes, and another does not answer; start the primary")
		}
		return because(store.ErrReadOnly, "none of its hosts takes writes; give the address of the primary")
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout() && !errors.As(err, &unknown):
		return unreached("no answer within %v; check host and port, the network and its firewalls", d.connectTimeout())
	case errors.Is(err, syscall.ECONNREFUSED):
		return unreached("no server listens there; start it, or correct host and port")
	case errors.Is(err, fs.ErrNotExist) && d.local():
		return unreached("there is no server on this machine (no socket in %s); start it, or name its host in the address", d.address.hosts[0].name)
	case errors.Is(err, fs.ErrPermission) && d.local():
		return because(nil, "the server's socket in %s may not be used; check its permissions", d.address.hosts[0].name)
	case errors.As(err, &unknown):
		return unreached("the host %q is not known; correct it, or check the network", plain(unknown.Name))
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return unreached("there is no way to the host; check the network")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &long), says(err, "unknown message type"),
		says(err, "invalid message length"), says(err, "received unexpected message"):
		return unreached("what answers there is not PostgreSQL, or breaks off; check host and port")
	}
	return unreached("the connection failed; check host and port, and the server's log")
}

// explainTLS covers encryption and certificates. They are checked first: with
// several attempts the one without encryption fails for lesser reasons.
func (d *DB) explainTLS(err error) (reason, bool) {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &authority):
		return because(nil, "the server's certificate comes from an authority that is not known here; give its certificate with sslrootcert=FILE"), true
	case errors.As(err, &name):
		return because(nil, "the server's certificate is for another name; write the host as the certificate does, or use sslmode=verify-ca"), true
	case errors.As(err, &invalid):
		return because(nil, "the server's certificate is not valid (%s); have it renewed", plain(invalid.Error())), true
	case errors.As(err, &verification):
		return because(nil, "the server's certificate cannot be verified: %s", plain(verification.Err.Error())), true
	case errors.As(err, &alert), errors.As(err, &record):
		return because(nil, "the server refuses the encryption (%s); check sslmode, sslcert and sslkey", plain(errors.Unwrap(err).Error())), true
	case says(err, "server refused TLS connection") && d.encrypts():
		return because(nil, "the server offers no encryption, and the address asks for it; switch ssl on in the server, or write sslmode=prefer"), true
	}
	return reason{}, false
}

// says reports whether one of the errors that err is made of begins with a text
// of the driver, which has no other name for it. What they are wrapped in quotes
// the address.
func says(err error, text string) bool {
	switch e := err.(type) { //nolint:errorlint // the walk itself
	case interface{ Unwrap() error }:
		return says(e.Unwrap(), text)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), func(err error) bool { return says(err, text) })
	case nil:
		return false
	}
	return strings.HasPrefix(err.Error(), text)
}

// encrypts reports whether the address accepts only encrypted connections.
func (d *DB) encrypts() bool {
	for _, h := range d.address.hosts {
		for _, way := range h.ways {
			if way.TLSConfig == nil {
				return false
			}
		}
	}
	return true
}

// connectTimeout is how long each host is waited for.
func (d *DB) connectTimeout() time.Duration {
	if given := d.address.config.ConnConfig.ConnectTimeout; given > 0 {
		return given
	}
	return d.opts.ConnectTimeout
}

// local reports whether the address leads to a socket of this machine.
func (d *DB) local() bool { return path.IsAbs(d.address.hosts[0].name) }
