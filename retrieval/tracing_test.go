package retrieval_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	otelcodes "go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/embedded"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/webrag/webrag-tui/retrieval"
)

// spans is a tracer that remembers what it was told.
type spans struct {
	embedded.Tracer
	started, ended, failed []string
	parents                map[string]string
	attributes             map[string][]attribute.KeyValue
}

type span struct {
	noop.Span
	name string
	to   *spans
}

func (s *spans) Start(ctx context.Context, name string, o ...trace.SpanStartOption) (context.Context, trace.Span) {
	if parent, ok := trace.SpanFromContext(ctx).(*span); ok {
		s.parents[name] = parent.name
	}
	s.started = append(s.started, name)
	config := trace.NewSpanStartConfig(o...)
	s.attributes[name] = config.Attributes()
	sp := &span{name: name, to: s}
	return trace.ContextWithSpan(ctx, sp), sp
}

func (s *span) IsRecording() bool          { return true }
func (s *span) End(...trace.SpanEndOption) { s.to.ended = append(s.to.ended, s.name) }
func (s *span) SetStatus(c otelcodes.Code, _ string) {
	s.to.failed = append(s.to.failed, s.name+" "+c.String())
}
func (s *span) RecordError(error, ...trace.EventOption) {}

func newSpans() *spans {
	return &spans{parents: map[string]string{}, attributes: map[string][]attribute.KeyValue{}}
}

func TestSpans(t *testing.T) {
	b := twoArms(t)
	d, rec := b.deps(), newSpans()
	d.Tracer = rec
	r, err := retrieval.Retrieve(t.Context(), d, retrieval.Query{Text: "question"}, b.params, retrieval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Trace != nil {
		t.Error("a trace came back that nobody asked for")
	}
	want := []string{
		"retriever.retrieve", "retriever.mode", "retriever.embed", "retriever.vector", "retriever.keyword", "retriever.limit",
		"retriever.fusion", "retriever.parents", "retriever.top_k", "retriever.budget", "retriever.surface",
	}
	if !slices.Equal(rec.started, want) {
		t.Errorf("spans %v", rec.started)
	}
	slices.Sort(want)
	slices.Sort(rec.ended)
	if !slices.Equal(rec.ended, want) {
		t.Errorf("ended %v", rec.ended)
	}
	for _, name := range want {
		if name != "retriever.retrieve" && rec.parents[name] != "retriever.retrieve" {
			t.Errorf("%s is below %q", name, rec.parents[name])
		}
	}
	if !slices.Contains(rec.attributes["retriever.fusion"], attribute.Int("stage.in", 7)) {
		t.Errorf("fusion: %v", rec.attributes["retriever.fusion"])
	}

	b.memory.fail = errors.New("broken")
	if _, err := retrieval.Retrieve(t.Context(), d, retrieval.Query{Text: "question"}, b.params, retrieval.Options{}); err == nil {
		t.Fatal("no error")
	}
	if !slices.Equal(rec.failed, []string{"retriever.retrieve Error"}) {
		t.Errorf("failed %v", rec.failed)
	}
}

// The log tells of a retrieval, and never the query: queries are people's.
func TestLog(t *testing.T) {
	b := twoArms(t)
	d := b.deps()
	var out bytes.Buffer
	d.Log = slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if _, err := retrieval.Retrieve(t.Context(), d, retrieval.Query{Text: "canary"}, b.params, retrieval.Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "retrieved") || strings.Contains(out.String(), "canary") {
		t.Errorf("log:\n%s", out.String())
	}
}
