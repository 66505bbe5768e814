package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/remote/remotetest"
)

const canary = "canary-0f3b9d51c7"

func config(clk *remotetest.Clock) Config {
	return Config{Key: canary, Now: clk.Now, Sleep: clk.Sleep, Random: func() float64 { return .5 }}
}

// serve answers the n-th request with the n-th step, the last one for ever.
func serve(t *testing.T, steps ...remotetest.Step) *remotetest.Server {
	t.Helper()
	last := len(steps) - 1
	return remotetest.Serve(t, steps[last], steps[:last]...)
}

func send(ctx context.Context, t *testing.T, c *Client, url string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("the body"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), canary[:8]) {
			t.Errorf("the error shows the key: %v", err)
		}
		return "", err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body), nil
}

func TestDoRetriesWhatMayPass(t *testing.T) {
	ok := remotetest.Say(200, "fine")
	sec := time.Second
	for _, tt := range []struct {
		name   string
		steps  []remotetest.Step
		sleeps []time.Duration
	}{
		{"at once", []remotetest.Step{ok}, nil},
		{"500 twice", []remotetest.Step{remotetest.Say(500, "x"), remotetest.Say(503, "x"), ok}, []time.Duration{sec / 4, sec / 2}},
		{"four failures", []remotetest.Step{remotetest.Say(502, ""), remotetest.Say(504, ""), remotetest.Say(408, ""), remotetest.Say(424, ""), ok}, []time.Duration{sec / 4, sec / 2, sec, 2 * sec}},
		{"429 with seconds", []remotetest.Step{remotetest.Say(429, "", "Retry-After", "7"), ok}, []time.Duration{7 * sec}},
		{"429 with milliseconds", []remotetest.Step{remotetest.Say(429, "", "Retry-After", "7", "Retry-After-Ms", "1500"), ok}, []time.Duration{1500 * time.Millisecond}},
		{"429 with a date", []remotetest.Step{remotetest.Say(429, "", "Retry-After", "Fri, 02 Jan 2026 03:04:45 GMT"), ok}, []time.Duration{40 * sec}},
		{"429 with a date gone by", []remotetest.Step{remotetest.Say(429, "", "Retry-After", "Fri, 02 Jan 2026 03:00:00 GMT"), ok}, []time.Duration{sec / 4}},
		{"503 with nonsense", []remotetest.Step{remotetest.Say(503, "", "Retry-After", "soon"), ok}, []time.Duration{sec / 4}},
		{"a broken body", []remotetest.Step{remotetest.ResetBody(200, "half"), ok}, []time.Duration{sec / 4}},
		{"a broken connection", []remotetest.Step{remotetest.Reset(), ok}, []time.Duration{sec / 4}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			clk, srv := remotetest.NewClock(), serve(t, tt.steps...)
			body, err := send(t.Context(), t, New(config(clk)), srv.URL)
			if err != nil || body != "fine" {
				t.Fatalf("got %q, %v", body, err)
			}
			if fmt.Sprint(clk.Slept()) != fmt.Sprint(tt.sleeps) {
				t.Errorf("slept %v, want %v", clk.Slept(), tt.sleeps)
			}
			for i, in := range srv.Requests() {
				if string(in.Body) != "the body" {
					t.Errorf("request %d had the body %q", i, in.Body)
				}
			}
		})
	}
}

func TestDoGivesUp(t *testing.T) {
	for _, tt := range []struct {
		name     string
		step     remotetest.Step
		requests int
		want     []string // in the message
	}{
		{"400", remotetest.Say(400, `{"error":{"message":"bad input"}}`), 1, []string{"400 Bad Request: bad input"}},
		{"401 that repeats the key", remotetest.Say(401, `{"error":{"message":"Incorrect API key provided: `+canary+`. Bearer `+canary+`"}}`), 1, []string{"Incorrect API key provided: ***"}},
		{"403", remotetest.Say(403, "no"), 1, []string{"403", "no"}},
		{"404 as a string", remotetest.Say(404, `{"error":"model \"m\" not found, try pulling it first"}`), 1, []string{`model "m" not found`}},
		{"413", remotetest.Say(413, ""), 1, []string{"413"}},
		{"422 at top level", remotetest.Say(422, `{"message":"too many","code":422,"type":"validation"}`), 1, []string{"422 Unprocessable Entity: too many"}},
		{"422 with detail", remotetest.Say(422, `{"detail":[{"msg":"x"}]}`), 1, []string{`[{"msg":"x"}]`}},
		{"quota", remotetest.Say(429, `{"error":{"message":"used up","type":"insufficient_quota","code":"insufficient_quota"}}`, "Retry-After", "1"), 1, []string{"used up"}},
		{"too long a pause", remotetest.Say(429, "", "Retry-After", "3600"), 1, []string{"asks to wait 1 hour"}},
		{"an absurd pause", remotetest.Say(503, "", "Retry-After", "1e300"), 1, []string{"asks for a pause of more than an hour"}},
		{"500 for ever", remotetest.Say(500, `{"error":{"message":"oh"}}`, "X-Request-Id", "req-7"), 5, []string{"oh", "(5 attempts)", "(request req-7)"}},
		{"an HTML page", remotetest.Say(502, "<html>\r\n<b>Bad\x1b[31m</b>", "Content-Type", "text/html"), 5, []string{"<html> <b>Bad[31m</b>"}},
		{"an empty page", remotetest.Say(500, ""), 5, []string{"500 Internal Server Error (5"}},
		{"null", remotetest.Say(500, `{"error":null}`), 5, []string{`{"error":null}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			clk, srv := remotetest.NewClock(), serve(t, tt.step)
			_, err := send(t.Context(), t, New(config(clk)), srv.URL+"/v1/embeddings?token=secret")
			var status *StatusError
			if !errors.As(err, &status) {
				t.Fatalf("got %v", err)
			}
			if n := len(srv.Requests()); n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
			for _, want := range append(tt.want, "POST "+srv.Listener.Addr().String()+"/v1/embeddings: ") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%q shows the query", err)
			}
		})
	}
}

func TestDoSetsTheKeyItself(t *testing.T) {
	srv := serve(t, remotetest.Say(200, ""))
	for _, key := range []string{canary, ""} {
		if _, err := send(t.Context(), t, New(Config{Key: key}), srv.URL); err != nil {
			t.Fatal(err)
		}
	}
	with, without := srv.Requests()[0].Header, srv.Requests()[1].Header
	if with.Get("Authorization") != "Bearer "+canary || without["Authorization"] != nil {
		t.Errorf("headers %v and %v", with, without)
	}
}

func TestConfigDoesNotPrintTheKey(t *testing.T) {
	cfg := Config{Key: canary}
	if s := fmt.Sprintf("%v %+v %#v %s %+v %#v", cfg, cfg, cfg, cfg, New(cfg), New(cfg)); strings.Contains(s, canary) || !strings.Contains(s, "key set") {
		t.Error(s)
	}
}

func TestDoRefusesOtherServers(t *testing.T) {
	other := serve(t, remotetest.Say(200, "stolen"))
	for _, tt := range []struct {
		name   string
		status int
		to     string
		ok     bool
	}{
		{"another host", 307, other.URL + "/v1?key=" + canary, false},
		{"the same host", 308, "/v2", true},
		{"another method", 302, "/v2", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := serve(t, remotetest.Say(tt.status, "", "Location", tt.to), remotetest.Say(200, "fine"))
			_, err := send(t.Context(), t, New(config(remotetest.NewClock())), srv.URL)
			var redirect *RedirectError
			if tt.ok != (err == nil) || !tt.ok && !errors.As(err, &redirect) {
				t.Errorf("got %v", err)
			}
		})
	}
	if n := len(other.Requests()); n != 0 {
		t.Errorf("the other server got %d requests", n)
	}
}

func TestDoBoundsTheBody(t *testing.T) {
	for _, tt := range []struct {
		name string
		step remotetest.Step
		ok   bool
	}{
		{"at the limit", remotetest.Say(200, strings.Repeat("a", 1000)), true},
		{"announced", remotetest.Say(200, strings.Repeat("a", 1001)), false},
		{"without end", remotetest.Endless(200, strings.Repeat("a", 100)), false},
		{"compressed", remotetest.Gzip(200, strings.Repeat("a", 5000)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config(remotetest.NewClock())
			cfg.MaxBody = 1000
			srv := serve(t, tt.step)
			_, err := send(t.Context(), t, New(cfg), srv.URL)
			var tooLarge *BodyTooLargeError
			if tt.ok != (err == nil) || !tt.ok && !errors.As(err, &tooLarge) {
				t.Errorf("got %v", err)
			}
			if n := len(srv.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestDoEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	srv := serve(t, func(w http.ResponseWriter, r *http.Request, in remotetest.Request) {
		cancel()
		remotetest.Never()(w, r, in)
	})
	if _, err := send(ctx, t, New(config(remotetest.NewClock())), srv.URL); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n := len(srv.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestDoEndsAnAttempt(t *testing.T) {
	srv := serve(t, remotetest.Never())
	call := &Call{Timeout: time.Millisecond}
	_, err := send(WithCall(t.Context(), call), t, New(config(remotetest.NewClock())), srv.URL)
	var transport *TransportError
	if !errors.As(err, &transport) || !strings.Contains(err.Error(), "no complete answer in time") || !transport.IsTemporary() {
		t.Errorf("got %v", err)
	}
}

func TestDoReportsAServerThatIsDown(t *testing.T) {
	srv := serve(t, remotetest.Say(200, ""))
	srv.Close()
	clk := remotetest.NewClock()
	_, err := send(t.Context(), t, New(config(clk)), srv.URL)
	var transport *TransportError
	if !errors.As(err, &transport) || !strings.Contains(err.Error(), "(5 attempts)") || len(clk.Slept()) != 4 {
		t.Errorf("got %v after %v", err, clk.Slept())
	}
}

func TestDoRetriesAResetStream(t *testing.T) {
	s := remotetest.ServeTLS(t, remotetest.Say(200, "fine"), remotetest.ResetBody(200, "half"))
	cfg := config(remotetest.NewClock())
	cfg.Transport = s.Client().Transport
	if body, err := send(t.Context(), t, New(cfg), s.URL); err != nil || body != "fine" {
		t.Errorf("got %q, %v", body, err)
	}
}

// One worker's 429 is everybody's.
func TestRateLimitPausesAllWorkers(t *testing.T) {
	clk := remotetest.NewClock()
	srv := serve(t, remotetest.Say(429, "", "Retry-After", "20"), remotetest.Say(200, "fine"))
	c := New(config(clk))
	c.pause(30 * time.Second)
	if _, err := send(t.Context(), t, c, srv.URL); err != nil {
		t.Fatal(err)
	}
	if want := "[30s 20s]"; fmt.Sprint(clk.Slept()) != want {
		t.Errorf("slept %v, want %s", clk.Slept(), want)
	}
}

func TestCallKeepsTheAnswer(t *testing.T) {
	srv := serve(t, remotetest.Say(500, "x"), remotetest.Say(200, "raw", "X-Ratelimit-Remaining-Requests", "3"))
	var call Call
	if _, err := send(WithCall(t.Context(), &call), t, New(config(remotetest.NewClock())), srv.URL); err != nil {
		t.Fatal(err)
	}
	if string(call.Body) != "raw" || call.Attempts != 2 || call.Status != 200 || call.Header.Get("X-Ratelimit-Remaining-Requests") != "3" {
		t.Errorf("%+v", call)
	}
}

func TestBackoffIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dice := rapid.Float64Range(0, .999999).Draw(t, "dice")
		attempt := rapid.IntRange(1, 1000).Draw(t, "attempt")
		d := New(Config{Random: func() float64 { return dice }}).backoff(attempt)
		if bound := min(30*time.Second, 500*time.Millisecond<<min(attempt-1, 10)); d < 0 || d > bound {
			t.Fatalf("%s, bound %s", d, bound)
		}
	})
}

func TestRedaction(t *testing.T) {
	for _, tt := range []struct{ key, in, want string }{
		{"", "plain", "plain"},
		{"canary-123", "key canary-123!", "key ***!"},
		{"canary-123", "key canar\x00y-123!", "key ***!"},
		{"canary-123", "key canary***123 and y-123", "key ******123 and y-123"},
		{"x", "a box", "a box"},
		{"", "Authorization: Bearer abc.def, next", "Authorization: ***, next"},
		{"", "provided: sk-proj-ab**cd. See", "provided: *** See"},
		{"", "a\u202eb\r\n\x1b[2Jc", "ab [2Jc"},
		{"", strings.Repeat("é", 400), strings.Repeat("é", 299) + "…"},
	} {
		if got := newRedactor(tt.key).text(tt.in); got != tt.want {
			t.Errorf("%q with key %q: %q, want %q", tt.in, tt.key, got, tt.want)
		}
	}
}

// What a server repeats of the secrets in its address is removed, in the form in
// which they were sent too: usr:BASICSECRET is dXNyOkJBU0lDU0VDUkVU in base64.
func TestSecretsOfAnAddressAreRedacted(t *testing.T) {
	for userinfo, secrets := range map[string][]string{
		"usr:BASICSECRET": {"BASICSECRET", "dXNyOkJBU0lDU0VDUkVU", "OkJBU0lDU0VD"},
		"usr:p%40ssw0rd!": {"p@ssw0rd!", "p%40ssw0rd", "dXNyOnBAc3N3MHJkIQ"},
		"TOKEN-123":       {"TOKEN-123", "VE9LRU4tMTIzOg"},
	} {
		srv := remotetest.Serve(t, remotetest.Say(400, "you sent "+strings.Join(secrets, " and ")+", which is wrong"))
		c := New(config(remotetest.NewClock()))
		_, err := send(t.Context(), t, c, strings.Replace(srv.URL, "http://", "http://"+userinfo+"@", 1))
		if err == nil || !strings.Contains(err.Error(), "you sent ***") || !strings.Contains(err.Error(), "which is wrong") {
			t.Fatalf("%s: got %v", userinfo, err)
		}
		for _, text := range []string{err.Error(), c.Message([]byte(`{"error":"` + strings.Join(secrets, " ") + `"}`))} {
			for _, secret := range secrets {
				if strings.Contains(text, secret) {
					t.Errorf("%s: %q shows %q", userinfo, text, secret)
				}
			}
		}
	}
}

func FuzzRedaction(f *testing.F) {
	f.Add("before "+canary+" after", 3)
	f.Add(canary[:9]+"\x00"+canary[9:], 0)
	f.Fuzz(func(t *testing.T, text string, at int) {
		if len(text) > 4096 {
			return
		}
		if at < 0 || at > len(text) {
			at = 0
		}
		got := newRedactor(canary).text(text[:at] + canary + text[at:])
		if strings.Contains(got, canary[:8]) || strings.Contains(got, canary[8:]) || len([]rune(got)) > maxMessage {
			t.Fatalf("%q", got)
		}
	})
}

func FuzzServerError(f *testing.F) {
	for _, seed := range []string{`{"error":{"message":"m","code":1}}`, `{"error":"x"}`, `{"detail":[]}`, `{"error":[1]}`, `null`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if said := parseServerError(body); said.message == "" && len(body) > 0 {
			t.Fatalf("%q says nothing", body)
		}
	})
}
