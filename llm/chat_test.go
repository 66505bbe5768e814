package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/remote/remotetest"
)

func newChat(t *testing.T, s *scripted, change func(*ChatConfig)) *Chat {
	t.Helper()
	cfg := ChatConfig{BaseURL: s.URL + "/v1/", Model: "test-model", APIKey: canary, Remote: hasty()}
	if change != nil {
		change(&cfg)
	}
	c, err := NewChat(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

const fine = `{"choices":[{"message":{"role":"assistant","content":"{\"a\":1}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":5}}`

var question = Prompt{System: "Answer as JSON.", User: "What?", JSON: true, MaxTokens: 50}

func TestChatAsks(t *testing.T) {
	s := newScripted(t, remotetest.Say(200, fine))
	got, err := newChat(t, s, nil).Complete(t.Context(), question)
	if want := (Completion{Text: `{"a":1}`, PromptTokens: 12, CompletionTokens: 5}); err != nil || got != want {
		t.Fatalf("got %+v, %v", got, err)
	}
	in := s.requests()[0]
	if in.path != "/v1/chat/completions" || in.auth != "Bearer "+canary || in.Model != "test-model" {
		t.Errorf("asked %+v", in)
	}
	if len(in.Messages) != 2 || in.Messages[0].Role != "system" || in.Messages[0].Content != question.System || in.Messages[1].Role != "user" || in.Messages[1].Content != question.User {
		t.Errorf("messages %+v", in.Messages)
	}
	// A temperature that is left out is the server's, and often 1.
	if in.Temperature == nil || *in.Temperature != 0 || in.MaxTokens != 50 || in.MaxCompletionTokens != 0 || in.ResponseFormat == nil || in.ResponseFormat.Type != "json_object" {
		t.Errorf("asked %+v", in)
	}
}

func TestChatWithReasoningModels(t *testing.T) {
	for model, reasons := range map[string]bool{
		"o1": true, "o3-mini": true, "openai/o4-mini": true, "gpt-5": true, "gpt-5.1-mini": true, "GPT-5-Nano": true,
		"gpt-4o": false, "gpt-4.1": false, "o365": false, "olmo-1": false, "gpt-50": false, "qwen3:8b": false,
	} {
		s := newScripted(t, remotetest.Say(200, fine))
		if _, err := newChat(t, s, func(c *ChatConfig) { c.Model = model }).Complete(t.Context(), question); err != nil {
			t.Fatal(err)
		}
		in := s.requests()[0]
		if (in.Temperature == nil) != reasons || (in.MaxTokens == 0) != reasons || (in.MaxCompletionTokens == 50) != reasons {
			t.Errorf("%s: asked %+v", model, in)
		}
	}
}

func TestChatLeavesOutWhatIsRefused(t *testing.T) {
	s := newScripted(t,
		remotetest.Say(400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`),
		remotetest.Say(400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`),
		remotetest.Say(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model."}}`),
		remotetest.Say(200, fine))
	c := newChat(t, s, nil)
	for range 2 {
		if _, err := c.Complete(t.Context(), question); err != nil {
			t.Fatal(err)
		}
	}
	seen := s.requests()
	if len(seen) != 5 {
		t.Fatalf("%d requests", len(seen))
	}
	for i, in := range seen[3:] {
		if in.Temperature != nil || in.MaxTokens != 0 || in.MaxCompletionTokens != 50 || in.ResponseFormat != nil {
			t.Errorf("request %d: %+v", i+3, in)
		}
	}
	// The same refusal again is an end, not a loop.
	s = newScripted(t, remotetest.Say(400, `{"error":"temperature"}`))
	if _, err := newChat(t, s, nil).Complete(t.Context(), question); err == nil || len(s.requests()) != 2 {
		t.Errorf("%d requests, %v", len(s.requests()), err)
	}
}

func TestChatReadsAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       Completion
	}{
		{"length", `{"choices":[{"message":{"content":"half"},"finish_reason":"length"}]}`, Completion{Text: "half", Truncated: true}},
		{"in parts", `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, Completion{Text: "ab"}},
		{"with thoughts", `{"choices":[{"message":{"content":"a","reasoning_content":"hm"},"finish_reason":null}]}`, Completion{Text: "a"}},
	} {
		s := newScripted(t, remotetest.Say(200, tt.body))
		if got, err := newChat(t, s, nil).Complete(t.Context(), question); err != nil || got != tt.want {
			t.Errorf("%s: got %+v, %v", tt.name, got, err)
		}
	}
}

func TestChatNamesFailures(t *testing.T) {
	unusable := errors.New("a *BadResponseError")
	for _, tt := range []struct {
		name     string
		step     remotetest.Step
		want     error // nil for any
		says     string
		requests int
	}{
		{"no choices", remotetest.Say(200, `{"choices":[]}`), unusable, "no choices", 1},
		{"no text", remotetest.Say(200, `{"choices":[{"message":{"content":null}}]}`), unusable, "no text", 1},
		{"refusal", remotetest.Say(200, `{"choices":[{"message":{"refusal":"I will not"}}]}`), unusable, "the model refused", 1},
		{"filter", remotetest.Say(200, `{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`), unusable, "a filter", 1},
		{"all thoughts", remotetest.Say(200, `{"choices":[{"message":{"content":""},"finish_reason":"length"}]}`), unusable, "thinking used up", 1},
		{"empty", remotetest.Say(200, ""), unusable, "not JSON", 1},
		{"garbage", remotetest.Say(200, "\x1b[2J"), unusable, "not JSON", 1},
		{"a list", remotetest.Say(200, "[]"), unusable, "not a chat completion", 1},
		{"HTML with 200", remotetest.Say(200, "<html>", "Content-Type", "text/html"), unusable, "not JSON", 1},
		{"an error in a 200", remotetest.Say(200, `{"error":"crashed, key `+canary+`"}`), unusable, "crashed, key ***", 1},
		{"401 that repeats the key", remotetest.Say(401, `{"error":{"message":"Incorrect API key provided: `+canary+`"}}`), ErrAuth, "***", 1},
		{"unknown model", remotetest.Say(404, `{"error":"model \"test-model\" not found, try pulling it first"}`), ErrModelNotFound, "", 1},
		{"unknown path", remotetest.Say(404, `404 page not found`), nil, "is the base URL right?", 1},
		{"quota", remotetest.Say(429, `{"error":{"message":"used up","type":"insufficient_quota"}}`), ErrQuota, "", 1},
		{"a long pause", remotetest.Say(429, "", "Retry-After", "600"), ErrUnavailable, "asks to wait 10 minutes", 1},
		{"HTML 502 for ever", remotetest.Say(502, "<html>"), ErrUnavailable, "3 attempts", 3},
		{"never answers", remotetest.Never(), ErrUnavailable, "no complete answer in time", 1},
		{"too large", remotetest.Endless(200, strings.Repeat(" ", 1<<16)), nil, "larger than 65536 bytes", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(t, tt.step)
			c := newChat(t, s, func(c *ChatConfig) {
				c.Remote.MaxBody = 1 << 16
				if tt.name == "never answers" {
					c.Remote.Timeout = 20 * time.Millisecond
				}
			})
			_, err := c.Complete(t.Context(), question)
			var answer *BadResponseError
			is := tt.want == nil || errors.Is(err, tt.want) || errors.Is(tt.want, unusable) && errors.As(err, &answer)
			if err == nil || !is {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			if !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "test-model") || strings.Contains(err.Error(), canary[:8]) || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("got %q, want %q", err, tt.says)
			}
			// A slow machine may give up before the request has arrived.
			if n := len(s.requests()); n > tt.requests || n < tt.requests && tt.name != "never answers" {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
		})
	}

	ctx, cancel := context.WithCancel(t.Context())
	s := newScripted(t, neverAfter(cancel))
	if _, err := newChat(t, s, nil).Complete(ctx, question); !errors.Is(err, ctx.Err()) {
		t.Errorf("got %v", err)
	}
}

func TestNewChatChecksItsConfig(t *testing.T) {
	for _, cfg := range []ChatConfig{{BaseURL: "http://h"}, {Model: "m"}, {Model: "m", BaseURL: "ftp://h"}, {Model: "m", BaseURL: "http://user:" + canary + "@"}} {
		if _, err := NewChat(cfg); err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("%v: %v", cfg, err)
		}
	}
	cfg := ChatConfig{BaseURL: "http://h", Model: "m", APIKey: canary}
	c, err := NewChat(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprintf("%v %+v %#v %+v %#v", cfg, cfg, cfg, c, c); strings.Contains(s, canary) {
		t.Errorf("the key is shown: %s", s)
	}
}
