package remotetest_test

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/remote/remotetest"
)

// The steps must be the faults that their names say: a client's tests rely on it.
func TestSteps(t *testing.T) {
	long := strings.Repeat("long ", 100)
	for _, tt := range []struct {
		name   string
		step   remotetest.Step
		status int
		body   string
		err    error // of the body, of the request where status is 0
	}{
		{"say", remotetest.Say(418, "tea"), 418, "tea", nil},
		{"say with a larger length", remotetest.Say(200, "tea", "Content-Length", "9"), 200, "tea", io.ErrUnexpectedEOF},
		{"gzip", remotetest.Gzip(200, long), 200, long, nil},
		{"stream", remotetest.Stream("text/plain", "a\xc3", "\xa9b"), 200, "aéb", nil},
		{"break off", remotetest.BreakOff("text/plain", "a", "b"), 200, "ab", io.ErrUnexpectedEOF},
		{"reset", remotetest.Reset(), 0, "", syscall.ECONNRESET},
		{"reset in the body", remotetest.ResetBody(206, "half"), 206, "half", io.ErrUnexpectedEOF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := remotetest.Serve(t, tt.step)
			resp, err := http.Post(s.URL, "text/plain", strings.NewReader("in"))
			if tt.status == 0 {
				if !errors.Is(err, tt.err) {
					t.Errorf("got %v, want %v", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if resp.StatusCode != tt.status || string(body) != tt.body || !errors.Is(err, tt.err) {
				t.Errorf("status %d, %q, %v", resp.StatusCode, body, err)
			}
		})
	}
}

func TestServerKeepsItsScriptAndTheRequests(t *testing.T) {
	s := remotetest.Serve(t, remotetest.Say(200, "last"), remotetest.Say(500, "first"), remotetest.Say(400, "second"))
	var got []string
	for _, path := range []string{"/a", "/b", "/c", "/d"} {
		resp, err := http.Post(s.URL+path, "text/plain", strings.NewReader("to "+path))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		got = append(got, string(body))
	}
	if want := []string{"first", "second", "last", "last"}; !slices.Equal(got, want) {
		t.Errorf("answers %q, want %q", got, want)
	}
	seen := s.Requests()
	if len(seen) != 4 || seen[2].Path != "/c" || string(seen[2].Body) != "to /c" || seen[2].Header.Get("Content-Type") != "text/plain" || s.MostAtOnce() != 1 {
		t.Errorf("%d at once, %+v", s.MostAtOnce(), seen)
	}
}

func TestClock(t *testing.T) {
	clk := remotetest.NewClock()
	before := clk.Now()
	if err := clk.Sleep(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	if d := clk.Now().Sub(before); d != time.Hour || !slices.Equal(clk.Slept(), []time.Duration{time.Hour}) {
		t.Errorf("%s, %v", d, clk.Slept())
	}
}
