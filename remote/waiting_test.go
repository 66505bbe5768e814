package remote

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/remote/remotetest"
)

// A server that says nothing is told of, once, before its answer; one that answers
// is not. No time passes: the clock's pauses take none.
func TestSilenceIsToldOf(t *testing.T) {
	clk, told := remotetest.NewClock(), make(chan Wait, 10)
	done := make(chan struct{})
	srv := serve(t, func(w http.ResponseWriter, r *http.Request, in remotetest.Request) {
		select {
		case <-done:
		case <-r.Context().Done():
		}
		remotetest.Say(200, "late")(w, r, in)
	})
	ctx := WithWaiting(t.Context(), func(w Wait) {
		told <- w
		close(done) // a second call would panic
	})
	if _, err := send(ctx, t, New(config(clk)), srv.URL+"/v1/embeddings?token=secret"); err != nil {
		t.Fatal(err)
	}
	host := srv.Listener.Addr().String()
	if got := (<-told).String(); got != "waiting for an answer to POST "+host+"/v1/embeddings" {
		t.Errorf("told %q", got)
	}
	if slept := clk.Slept(); len(slept) != 1 || slept[0] != Silence {
		t.Errorf("slept %v", slept)
	}
}

func TestAPauseIsToldOf(t *testing.T) {
	clk := remotetest.NewClock()
	var told []string
	srv := serve(t, remotetest.Say(429, "", "Retry-After", "45"), remotetest.Say(200, "fine"))
	cfg := config(clk)
	c := New(cfg)
	ctx := WithWaiting(t.Context(), func(w Wait) {
		if w.Pause > 0 {
			told = append(told, w.String())
		}
	})
	if _, err := send(ctx, t, c, srv.URL); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "waiting 45 seconds before POST") {
		t.Errorf("told %q", told)
	}
	// Whoever has a sign of its own is told of nothing.
	if _, err := send(WithWaiting(ctx, nil), t, c, srv.URL); err != nil || len(told) != 1 {
		t.Errorf("told %q, %v", told, err)
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 seconds", 400 * time.Millisecond: "1 second", 59 * time.Second: "59 seconds", time.Minute: "1 minute",
		61 * time.Second: "2 minutes", 277*time.Hour + 46*time.Minute: "12 days", 24 * time.Hour: "1 day", 90 * time.Minute: "2 hours",
	} {
		if got := Span(d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}
