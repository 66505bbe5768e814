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
}

// String says what is waited for.
func (w Wait) String() string {
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

// watch tells of a request if it is not done in time. The returned function ends
// it; no call is made once that has returned.
func (c *Client) watch(ctx context.Context, w Wait) (done func()) {
	if tell, _ := ctx.Value(waitingKey{}).(func(Wait)); tell == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if c.cfg.Sleep(ctx, Silence) == nil {
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
