package retrieval

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// extraRounds is how often Retrieve extends beyond once for each hop: for the
// edges of the last frontier, for words to compare, for a reranker's scores, for
// the texts of what was ranked, and for those of what replaced it when a text
// showed that a section has no HTML.
const extraRounds = 5

// Retrieve gathers, then ranks and extends until nothing is missing.
func Retrieve(ctx context.Context, d Deps, q Query, p param.Params, o Options) (Result, error) {
	start := d.now()
	ctx, span := d.tracer().Start(ctx, "retriever.retrieve", trace.WithTimestamp(start), trace.WithAttributes(
		attribute.String(param.KeyPrefix+param.FieldMode, string(p.Mode)), attribute.Int(param.KeyPrefix+param.FieldTopK, p.TopK)))
	result, err := retrieve(ctx, &d, q, p, o)
	end := d.now()
	result.Timing.Total = end.Sub(start)
	result.Timing.Search = max(0, result.Timing.Total-result.Timing.Embed)
	if err != nil {
		span.RecordError(err)
		span.SetStatus(codes.Error, "retrieve")
		span.End(trace.WithTimestamp(end))
		return Result{}, err
	}
	if span.IsRecording() {
		d.traceStages(ctx, &result, start, end)
		span.SetAttributes(attribute.Int("retrieval.results", len(result.Items)))
	}
	if !o.Trace {
		result.Trace = nil
	}
	span.End(trace.WithTimestamp(end))
	d.log().InfoContext(ctx, "retrieved", "results", len(result.Items), "mode", result.Mode, "total", result.Timing.Total)
	return result, nil
}

func retrieve(ctx context.Context, d *Deps, q Query, p param.Params, o Options) (Result, error) {
	ev, err := Gather(ctx, *d, q, p)
	if err != nil {
		return Result{}, err
	}
	if ev, err = Complete(ctx, *d, ev, p); err != nil {
		return Result{}, err
	}
	if trace.SpanFromContext(ctx).IsRecording() {
		o.Trace = true
	}
	result, _ := Rank(ev, p, o)
	return result, nil
}

// Complete extends the evidence until Rank needs nothing more for p.
func Complete(ctx context.Context, d Deps, ev Evidence, p param.Params) (Evidence, error) {
	for range p.MaxHops + extraRounds {
		_, needs := Rank(ev, p, Options{})
		if needs.IsZero() {
			break
		}
		var err error
		if ev, err = Extend(ctx, d, ev, needs); err != nil {
			return Evidence{}, err
		}
	}
	return ev, nil
}

func (d *Deps) tracer() trace.Tracer {
	if d.Tracer == nil {
		return noop.Tracer{}
	}
	return d.Tracer
}

// traceStages makes a span of each stage, one after the other: those that read
// with their durations, those that rank without any, since ranking has no clock.
func (d *Deps) traceStages(ctx context.Context, r *Result, start, end time.Time) {
	at := start
	for i := range r.Trace.Stages {
		s := &r.Trace.Stages[i]
		_, span := d.tracer().Start(ctx, "retriever."+s.Name, trace.WithTimestamp(at), trace.WithAttributes(
			attribute.Int("stage.in", s.In), attribute.Int("stage.out", s.Out),
			attribute.Int("stage.dropped", len(s.Dropped)), attribute.Int("stage.merged", len(s.Merged))))
		if next := at.Add(s.Duration); !next.After(end) {
			at = next
		}
		span.End(trace.WithTimestamp(at))
	}
}
