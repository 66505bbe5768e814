package recording

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui"
)

// Recorder writes a session. Its methods may be called from several goroutines.
type Recorder struct {
	mu  sync.Mutex
	out io.Writer
	// limit bounds the bytes, written counts them, full says that something was
	// left out.
	limit, written int
	full           bool
	err            error
	seen           map[string]bool
	answers, moves int

	start    Start
	began    time.Time
	corpus   string
	lastMove move
}

// Start is what a session begins with.
type Start struct {
	// Program is the version of the program.
	Program string
	Preset  string
	Params  param.Params
	// Notices are those of the start.
	Notices []retrieval.Notice
	// Now is the clock.
	Now func() time.Time
}

// NewRecorder records to out, which it does not close, at most [MostBytes].
func NewRecorder(out io.Writer, s Start) *Recorder {
	if s.Now == nil {
		s.Now = time.Now
	}
	return &Recorder{out: out, limit: MostBytes, seen: map[string]bool{}, start: s, began: s.Now()}
}

// Wrap returns a corpus that is recorded. Of several, only the first one is:
// the others are returned as they are.
func (r *Recorder) Wrap(c *session.Corpus) *session.Corpus {
	r.mu.Lock()
	first, another := r.corpus == "", r.corpus != "" && r.corpus != c.Name
	if first {
		r.corpus = c.Name
	}
	r.mu.Unlock()
	if another {
		return c
	}
	if first {
		r.write(header{
			Recording: Version, Program: r.start.Program, Corpus: c.Name, Preset: r.start.Preset, Params: allOf(r.start.Params),
			Estimated: c.Estimated, Foreign: c.Foreign, Notices: slices.Concat(r.start.Notices, c.Notices),
		})
	}
	wrapped := *c
	wrapped.Engine, wrapped.Reader = engine{c.Engine, r}, reader{c.Reader, r}
	if c.Cosines != nil {
		wrapped.Cosines = cosiner{c.Cosines, r}
	}
	return &wrapped
}

// Move records what is on the screen.
func (r *Recorder) Move(m ui.Move) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.corpus == "" || m.Corpus != r.corpus {
		return
	}
	now := move{
		Query: m.Query, Preset: m.Preset, Changed: differing(r.start.Params, m.Params), View: m.View, Tune: m.Tune, Section: m.Section,
		At: r.start.Now().Sub(r.began).Milliseconds(),
	}
	r.lastMove = now
	r.moves++
	r.writeLocked(line{Move: &now})
}

// Status says in a few words how the recording goes, for the header of the screen.
func (r *Recorder) Status() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.err != nil:
		return "recording failed"
	case r.full:
		return fmt.Sprintf("recording ended at %d MB", r.limit>>20)
	default:
		return "recording"
	}
}

// Summary says in a sentence what was recorded. The error is the first one of
// writing.
func (r *Recorder) Summary() (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return "", fmt.Errorf("write the recording: %w", r.err)
	}
	said := fmt.Sprintf("%d answers and %d moves, %.1f MB", r.answers, r.moves, float64(r.written)/(1<<20))
	if r.full {
		said += fmt.Sprintf("; it was full at %d MB, and what came after is not in it", r.limit>>20)
	}
	return said, nil
}

// answer records what a call gave, the first time.
func (r *Recorder) answer(call, query string, p *param.Params, args []string, value any) {
	var changed map[string]string
	if p != nil {
		changed = differing(r.start.Params, *p)
	}
	k := key(call, query, changed, args)
	r.mu.Lock()
	known := r.seen[k] || r.full
	r.seen[k] = true
	r.mu.Unlock()
	if known {
		return
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return // a number that JSON has not: nobody can be shown it again
	}
	r.write(line{Call: call, Query: query, Changed: changed, Args: args, Value: raw})
}

func (r *Recorder) write(v any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writeLocked(v)
}

func (r *Recorder) writeLocked(v any) {
	if r.full || r.err != nil {
		return
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return
	}
	if r.written+len(raw)+1 > r.limit || len(raw) > mostLine {
		r.full = true
		return
	}
	if l, ok := v.(line); ok && l.Move == nil {
		r.answers++
	}
	n, err := r.out.Write(append(raw, '\n'))
	r.written += n
	r.err = err
}

// result records a ranking, and the texts that it has.
func (r *Recorder) result(call, query string, p param.Params, of *retrieval.Result) {
	bare := *of
	bare.QueryVector = nil
	bare.Items = slices.Clone(of.Items)
	bare.NearMisses = slices.Clone(of.NearMisses)
	for _, items := range [][]retrieval.Item{bare.Items, bare.NearMisses} {
		for i := range items {
			it := &items[i]
			if it.ChunkText != "" || it.HTMLText != "" {
				r.answer(callText, "", nil, textArgs(it), text{it.ChunkText, it.HTMLText})
			}
			it.ChunkText, it.HTMLText = "", ""
		}
	}
	r.answer(call, query, &p, nil, bare)
}

// textArgs tell the text of an item from others: of passages that were joined,
// the first has another text than by itself.
func textArgs(it *retrieval.Item) []string {
	return []string{it.ChunkID, fmt.Sprint(it.CharStart), fmt.Sprint(it.CharEnd)}
}

// noTau stands for a correlation that is not a number.
const noTau = 2

func writable(toggles []whynot.Ablation) []whynot.Ablation {
	out := slices.Clone(toggles)
	for i := range out {
		if math.IsNaN(out[i].Comparison.TauB) {
			out[i].Comparison.TauB = noTau
		}
	}
	return out
}

// targetArgs name a target.
func targetArgs(t whynot.Target) []string { return []string{t.ChunkID, t.SourceURL, t.Quote} }

// cosineArgs name the passages of an item.
func cosineArgs(it *retrieval.Item) []string {
	args := []string{it.ChunkID}
	for _, m := range it.Matches {
		args = append(args, m.ChunkID)
	}
	return args
}
