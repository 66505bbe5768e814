package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/webrag/webrag-tui/remote"
)

// ChatConfig sets up a Chat.
type ChatConfig struct {
	// BaseURL is the address up to and including the version.
	BaseURL string

	// Model is the name that the server knows.
	Model string

	// APIKey is sent as bearer token, if there is one.
	APIKey string

	// Remote sets up the HTTP layer; its Key is ignored.
	//
	// Its Timeout defaults to 120 s here, its Attempts to 3 and its MaxWait to
	// 10 s.
	Remote remote.Config
}

// String describes the configuration without the key.
func (c ChatConfig) String() string {
	return fmt.Sprintf("llm.ChatConfig{model %s, key set: %t}", c.Model, c.APIKey != "")
}

// GoString is String, so that no format verb shows the key.
func (c ChatConfig) GoString() string { return c.String() }

// Chat asks a server that speaks the OpenAI chat protocol. It may be used from
// several goroutines.
type Chat struct {
	model  string
	server *server
	// refused are the request fields that the server would not take.
	refused atomic.Uint32
}

// NewChat returns a client. It sends nothing yet.
func NewChat(cfg ChatConfig) (*Chat, error) {
	if cfg.Model == "" {
		return nil, errors.New("name the model to chat with")
	}
	s, err := newServer(cfg.BaseURL, cfg.APIKey, patience(cfg.Remote, 120*time.Second))
	if err != nil {
		return nil, err
	}
	return &Chat{model: cfg.Model, server: s}, nil
}

// Close closes idle connections.
func (c *Chat) Close() { c.server.http.Close() }

// Model is the configured model.
func (c *Chat) Model() string { return c.model }

// Host is the server's host, for names and messages.
func (c *Chat) Host() string { return c.server.base.Host }

// Prompt is one question.
type Prompt struct {
	// System says who answers and how, User what is asked.
	System, User string
	// JSON asks for a JSON object. It is a wish: not every server can hold a
	// model to it, and the prompt must ask for it in words, too.
	JSON bool
	// MaxTokens bounds the answer, with a reasoning model also its thinking; 0 is
	// the server's own bound.
	MaxTokens int
}

// Completion is one answer.
type Completion struct {
	// Text is untrusted, and not free of control characters.
	Text string
	// Truncated says that a bound on tokens cut the answer off.
	Truncated bool
	// PromptTokens and CompletionTokens are the server's count, 0 if it has none.
	PromptTokens, CompletionTokens int
}

// Complete asks once and waits for the whole answer. Temperature is 0, except for
// models that have none. An answer without text is a *BadResponseError; the other
// kinds of errors are in this package's variables.
func (c *Chat) Complete(ctx context.Context, p Prompt) (Completion, error) {
	refused := field(c.refused.Load())
	for {
		body, err := c.server.post(ctx, c.server.base.JoinPath("chat", "completions"), c.request(p, refused))
		if err != nil {
			if more := refusedField(err) &^ refused; more != 0 {
				refused |= more
				continue
			}
			return Completion{}, c.describe(ctx, err)
		}
		c.refused.Store(uint32(refused))
		answer, err := readCompletion(body)
		if err != nil {
			return Completion{}, c.describe(ctx, err)
		}
		return answer, nil
	}
}

func (c *Chat) describe(ctx context.Context, err error) error {
	var unusable *BadResponseError
	if errors.As(err, &unusable) {
		return fmt.Errorf("ask %s at %s: %w", c.model, c.Host(), err)
	}
	return fmt.Errorf("ask %s: %w", c.model, classify(ctx, err))
}

// chatRequest is that of the library but for the temperature, which the library
// leaves out when it is 0.
type chatRequest struct {
	Model               string                               `json:"model"`
	Messages            []openai.ChatCompletionMessage       `json:"messages"`
	Temperature         *float64                             `json:"temperature,omitempty"`
	MaxTokens           int                                  `json:"max_tokens,omitempty"`
	MaxCompletionTokens int                                  `json:"max_completion_tokens,omitempty"`
	ResponseFormat      *openai.ChatCompletionResponseFormat `json:"response_format,omitempty"`
}

// field is a set of request fields that not every server or model takes.
type field uint32

const (
	fieldTemperature field = 1 << iota
	fieldMaxTokens
	fieldResponseFormat
)

func (c *Chat) request(p Prompt, refused field) chatRequest {
	r := chatRequest{Model: c.model}
	if p.System != "" {
		r.Messages = append(r.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: p.System})
	}
	r.Messages = append(r.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: p.User})
	reasons := isReasoningModel(c.model)
	if !reasons && refused&fieldTemperature == 0 {
		r.Temperature = new(float64)
	}
	if reasons || refused&fieldMaxTokens != 0 {
		r.MaxCompletionTokens = p.MaxTokens
	} else {
		r.MaxTokens = p.MaxTokens
	}
	if p.JSON && refused&fieldResponseFormat == 0 {
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return r
}

// refusedField recognises a refusal of a field that can be left out.
func refusedField(err error) field {
	var status *remote.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusBadRequest && status.Status != http.StatusUnprocessableEntity {
		return 0
	}
	switch {
	case says(status, "response_format", "json_object", "json mode"):
		return fieldResponseFormat
	case says(status, "max_completion_tokens", "max_tokens"):
		return fieldMaxTokens
	case says(status, "temperature"):
		return fieldTemperature
	}
	return 0
}

// isReasoningModel goes by the names of the models that take no temperature and
// count their thinking as part of the answer.
func isReasoningModel(model string) bool {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:]) // vendor/model
	for _, series := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if rest, ok := strings.CutPrefix(name, series); ok && (rest == "" || !isLetterOrDigit(rest[0])) {
			return true
		}
	}
	return false
}

func isLetterOrDigit(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z'
}

func readCompletion(body []byte) (Completion, error) {
	var answer openai.ChatCompletionResponse
	if err := json.Unmarshal(body, &answer); err != nil {
		return Completion{}, bad("it is not a chat completion")
	}
	if len(answer.Choices) == 0 {
		return Completion{}, bad("it has no choices")
	}
	choice := answer.Choices[0]
	text := choice.Message.Content
	for _, part := range choice.Message.MultiContent { // some servers answer in parts
		text += part.Text
	}
	if strings.TrimSpace(text) == "" {
		return Completion{}, bad("it has no text%s", whyNoText(choice))
	}
	return Completion{
		Text:             text,
		Truncated:        choice.FinishReason == openai.FinishReasonLength,
		PromptTokens:     answer.Usage.PromptTokens,
		CompletionTokens: answer.Usage.CompletionTokens,
	}, nil
}

func whyNoText(choice openai.ChatCompletionChoice) string {
	switch {
	case choice.Message.Refusal != "":
		return " (the model refused)"
	case choice.FinishReason == openai.FinishReasonContentFilter:
		return " (a filter withheld it)"
	case choice.FinishReason == openai.FinishReasonLength:
		return " (thinking used up the tokens)"
	}
	return ""
}
