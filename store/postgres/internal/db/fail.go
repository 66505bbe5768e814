package db

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// failure is what happened to a database as a sentence. The driver's error is
// there for errors.As, but its text is not part of the sentence: it may quote
// the address.
type failure struct {
	sentence string
	kind     error // one of the errors of package store that callers tell apart, or nil
	cause    error
}

func (f *failure) Error() string { return f.sentence }

func (f *failure) Unwrap() []error {
	if f.kind == nil {
		return []error{f.cause}
	}
	return []error{f.kind, f.cause}
}

// Fail says what was done to which database, what is wrong and what to do next,
// for what reads. nil stays nil, and what has been through it stays as it is. An
// error of this program is only said where it happened.
//
// The result is a store.ErrUnavailable where asking again may cure it, a
// store.ErrReadOnly where the server takes no writes, a store.ErrLocked where a
// lock was waited for, and the context's cause where the context ended.
func (d *DB) Fail(ctx context.Context, doing string, err error) error {
	return d.fail(ctx, doing, err, false)
}

// FailWrite is Fail for what writes: a missing permission makes the database
// read-only then.
func (d *DB) FailWrite(ctx context.Context, doing string, err error) error {
	return d.fail(ctx, doing, err, true)
}

func (d *DB) fail(ctx context.Context, doing string, err error, writes bool) error {
	var failed *failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &failed):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("%s corpus %s: %w", doing, d.where, context.Cause(ctx))
	}
	why, ok := d.explain(err, writes)
	if !ok {
		return fmt.Errorf("%s corpus %s: %w", doing, d.where, err)
	}
	failed = &failure{
		sentence: d.withoutSecret(fmt.Sprintf("%s corpus %s: %s", doing, d.where, why.sentence)),
		kind:     why.kind,
		cause:    err,
	}
	if why.lost {
		d.state.lost(failed.sentence)
	}
	return failed
}

// withoutSecret hides the password in text that comes from elsewhere. A password
// so short that it is part of words is no secret, and hiding it would tell it.
func (d *DB) withoutSecret(text string) string {
	const short = 3
	if password := d.address.config.ConnConfig.Password; len(password) > short {
		return strings.ReplaceAll(text, password, hidden)
	}
	return text
}

// reason is what an error means.
type reason struct {
	sentence string
	kind     error
	lost     bool // the connection was lost or could not be made
}

// because makes a reason.
func because(kind error, format string, args ...any) reason {
	return reason{sentence: fmt.Sprintf(format, args...), kind: kind}
}

// unreached makes the reason of a server that cannot be reached now.
func unreached(format string, args ...any) reason {
	r := because(store.ErrUnavailable, format, args...)
	r.lost = true
	return r
}
