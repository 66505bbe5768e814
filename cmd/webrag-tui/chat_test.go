package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// chatCommand starts a language model and configures it: chat. It makes a question of the
// first passage that it is given, refuses the second and talks at the third; and it grades
// with 3 what has the word "leeks", and with 0 what has not. With a text it answers that,
// whatever it is asked: chat 'It depends.'
func chatCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: chat [text]")
	}
	passages := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		says := `{"grade":0}`
		switch _, text, isGrade := strings.Cut(string(body), `\"text\"`); {
		case len(args) > 0:
			says = args[0]
		case isGrade && strings.Contains(text, "leeks"):
			says = `{"grade":3}`
		case !isGrade:
			says = []string{`{"question":"How long do leeks boil?"}`, `{"question":null}`, "It depends."}[passages%3]
			passages++
		}
		answer, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": says}, "finish_reason": "stop"}}})
		_, _ = w.Write(answer)
	}))
	ts.Defer(server.Close)
	ts.Setenv("LLM_BASE_URL", server.URL+"/v1")
	ts.Setenv("LLM_MODEL", "scripted")
}
