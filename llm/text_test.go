package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEachJSONFindsWhatIsWanted(t *testing.T) {
	for _, tt := range []struct{ answer, want string }{
		{`{"a":1}`, `{"a":1}`},
		{"Sure.\n```json\n{\"a\":1}\n``` and {\"b\":[{\"a\":2}]}", `{"a":1}{"a":2}`},
		{`<think>{"a":1}</think>{"a":3}`, `{"a":3}`},
		{`{"a":N} is {"a":4}`, `{"a":4}`},
		{`[[[{`, ``},
		{strings.Repeat("[", 1<<20) + `{"a":1}`, ``},
		{`{"a":9}` + strings.Repeat(" ", 64<<10), ``},
	} {
		var got strings.Builder
		EachJSON(tt.answer, func(raw json.RawMessage) bool {
			var o struct{ A *int }
			if json.Unmarshal(raw, &o) != nil || o.A == nil {
				return false
			}
			got.Write(raw)
			return true
		})
		if got.String() != tt.want {
			t.Errorf("%.40q: got %s, want %s", tt.answer, got.String(), tt.want)
		}
	}
}

// Four code points are a token, and a part of one is one: "abcd", "éfgh" and "abc" have 3.
func TestCost(t *testing.T) {
	var c Cost
	c.Add(Prompt{System: "abcd", User: "éfgh", MaxTokens: 100}, 20, nil)
	c.Add(Prompt{User: "abc"}, 20, nil)
	if want := (Cost{Questions: 2, PromptTokens: 3, AnswerTokens: 40, AnswerTokensAtMost: 120}); c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
	c.Add(Prompt{System: "a b", User: "c"}, 1, func(text string) int { return len(strings.Fields(text)) })
	if c.PromptTokens != 6 {
		t.Errorf("got %d tokens", c.PromptTokens)
	}
}
