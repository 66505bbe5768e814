package remote

import (
	"context"
	"fmt"
	"time"
)

// Silence is how long a request may wait before somebody is told, see
// [WithWaiting].
const Silence = 2 * time.Second

// Wait is a request that takes its time.
type Wait struct {
	// Method, Host and Path are what was asked of whom.
	Method, Host, Path string
	// Pause is how long the server asked to wait before the request is sent again,
	// 0 when it was sent and is not answered.
	Pause time.Duration
	// For is what is waited for that is no request, such as "the database at h", see
	// [While]; the rest is empty then.
	For string
}

// String says what is waited for.
func (w Wait) String() string {
	if w.For != "" {
		return "waiting for " + w.For
	}
	asked := w.Method + " " + w.Host + w.Path
	if w.Pause > 0 {
		return fmt.Sprintf("waiting %s before %s is sent again: the server asks for it", Span(w.Pause), asked)
	}
	return "waiting for an answer to " + asked
}

type waitingKey struct{}

// WithWaiting has tell called for each request made with the returned context, and
// those made from it, that waits for longer than [Silence]: once each, possibly from
// several goroutines. A nil one tells nobody, whatever ctx says.
func WithWaiting(ctx context.Context, tell func(Wait)) context.Context {
	return context.WithValue(ctx, waitingKey{}, tell)
}

// While tells, as of a request, of something else that may keep the program waiting
// until done is called, such as a database that does not answer. No call is made once
// done has returned.
func While(ctx context.Context, what string) (done func()) {
	return watch(ctx, Wait{For: what}, sleep)
}

// watch tells of a request if it is not done in time. The returned function ends
// it; no call is made once that has returned.
func (c *Client) watch(ctx context.Context, w Wait) (done func()) {
	return watch(ctx, w, c.cfg.Sleep)
}

func watch(ctx context.Context, w Wait, sleep func(context.Context, time.Duration) error) (done func()) {
	if tell, _ := ctx.Value(waitingKey{}).(func(Wait)); tell == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if sleep(ctx, Silence) == nil {
			tellWait(ctx, w)
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

func tellWait(ctx context.Context, w Wait) {
	if tell, _ := ctx.Value(waitingKey{}).(func(Wait)); tell != nil {
		tell(w)
	}
}

// Pause says in words for how long a server asked to be left alone. Nobody plans by
// what is longer than an hour.
func Pause(d time.Duration) string {
	if d > time.Hour {
		return "asks for a pause of more than an hour"
	}
	return "asks to wait " + Span(d)
}

// Span is a duration as people say it: in its largest unit, rounded up.
func Span(d time.Duration) string {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if d < unit.size && unit.size > time.Second {
			continue
		}
		n := (d + unit.size - 1) / unit.size
		if n == 1 {
			return "1 " + unit.name
		}
		return fmt.Sprintf("%d %ss", n, unit.name)
	}
	return "0 seconds"
}
