package recording

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
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
	// mostLines bounds the lines, longest each of them.
	mostLines, longest int
	full               bool
	err                error
	// lines counts the lines, left what was too long for one.
	lines, left int
	// seen are the digests of what was read last, by those of their keys.
	seen           map[[sha256.Size]byte][sha256.Size]byte
	answers, moves int

	// brought is what work has brought and is not written yet, as writing says that it
	// is being: the goroutine that draws does not wait for it. idle wakes who does.
	brought []brought
	writing bool
	idle    *sync.Cond
	// parts are the numbers of the parts of evidence that were written, by their
	// digests; next are those of the next ones, by kind.
	parts map[[sha256.Size]byte]int
	next  map[partKind]int

	start Start
	began time.Time
	// corpus is the one that is recorded, nil before it is open.
	corpus *session.Corpus
}

// engine tells the recorder what work of the session has brought.
type engine struct {
	session.Engine
	r *Recorder
}

// Applied implements [session.Applier].
func (e engine) Applied(d session.Done) { e.r.applied(d) }

// Replay implements [session.Replayer] where the engine does: a replay can be recorded, too.
func (e engine) Replay(ctx context.Context, asked session.Done) (session.Done, bool) {
	if replayer, ok := e.Engine.(session.Replayer); ok {
		return replayer.Replay(ctx, asked)
	}
	return asked, false
}

// brought is what work has brought, and when.
type brought struct {
	session.Done
	at int64
}

// partKind is a kind of parts of evidence.
type partKind int

const (
	partFound partKind = iota
	partText
	partWords
)

// Start is what a session begins with.
type Start struct {
	// Program is the version of the program.
	Program string
	Preset  string
	Params  param.Params
	// Adapted are the parameters, by field, that presets have on this corpus in place of
	// their own.
	Adapted map[string]string
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
	r := &Recorder{
		out: out, limit: MostBytes, mostLines: mostLines, longest: mostLine, seen: map[[sha256.Size]byte][sha256.Size]byte{}, start: s, began: s.Now(),
		parts: map[[sha256.Size]byte]int{}, next: map[partKind]int{},
	}
	r.idle = sync.NewCond(&r.mu)
	return r
}

// Wrap returns a corpus that is recorded. Of several, only the first one is, also when it
// is opened again: the others are returned as they are.
func (r *Recorder) Wrap(c *session.Corpus) *session.Corpus {
	r.mu.Lock()
	first := r.corpus == nil
	if first {
		r.corpus = c
	}
	same := r.corpus.Name == c.Name && r.corpus.Location == c.Location
	r.mu.Unlock()
	if !same {
		return c
	}
	if first {
		r.write(header{
			Recording: Version, Program: r.start.Program, Corpus: c.Name, Preset: r.start.Preset, Params: allOf(r.start.Params), Adapted: r.start.Adapted,
			Estimated: c.Estimated, Foreign: c.Foreign, Notices: placeless(slices.Concat(r.start.Notices, c.Notices)),
		})
	}
	wrapped := *c
	wrapped.Engine = engine{c.Engine, r}
	return &wrapped
}

// Move records what is on the screen.
func (r *Recorder) Move(m ui.Move) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m.Corpus == nil {
		return
	}
	if e, ok := m.Corpus.Engine.(engine); !ok || e.r != r {
		return // it is another corpus, whatever its name
	}
	now := move{
		Query: m.Query, Preset: m.Preset, Changed: differing(r.start.Params, m.Params), View: m.View, Tune: m.Tune, Section: m.Section,
		At: r.clock(),
	}
	raw, err := json.Marshal(line{Move: &now})
	if err != nil {
		return
	}
	r.moves++
	r.writeLine(raw)
}

// Status says in a few words how the recording goes, for the header of the screen.
func (r *Recorder) Status() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.err != nil:
		return "recording failed"
	case r.full:
		return "recording ended at " + r.bound()
	case r.left > 0:
		return "recording but for " + r.leftOut()
	default:
		return "recording"
	}
}

// Summary says in a sentence what was recorded, once all of it is written. The error is
// the first one of writing.
func (r *Recorder) Summary() (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.writing {
		r.idle.Wait()
	}
	if r.err != nil {
		return "", fmt.Errorf("write the recording: %w", r.err)
	}
	said := fmt.Sprintf("%d answers and %d moves, %.1f MB", r.answers, r.moves, float64(r.written)/(1<<20))
	if r.left > 0 {
		said += "; without " + r.leftOut()
	}
	if r.full {
		said += fmt.Sprintf("; it was full at %s, and what came after is not in it", r.bound())
	}
	return said, nil
}

// bound is what a recording that is full is full by.
func (r *Recorder) bound() string {
	if r.lines >= r.mostLines {
		return fmt.Sprintf("%d lines", r.mostLines)
	}
	return fmt.Sprintf("%d MB", r.limit>>20)
}

// leftOut is what was too long for a line.
func (r *Recorder) leftOut() string {
	return fmt.Sprintf("%s of over %d MB", phrase.Counted(r.left, "part"), r.longest>>20)
}

// clock counts the milliseconds from the beginning.
func (r *Recorder) clock() int64 { return r.start.Now().Sub(r.began).Milliseconds() }

// applied has what work has brought recorded. Evidence is never changed, so that it can
// be written later.
func (r *Recorder) applied(d session.Done) {
	if d.Err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full || r.err != nil {
		return
	}
	r.brought = append(r.brought, brought{d, r.clock()})
	if !r.writing {
		r.writing = true
		go r.writeBrought()
	}
}

func (r *Recorder) writeBrought() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.brought) > 0 {
		next := r.brought[0]
		r.brought = r.brought[1:]
		r.mu.Unlock()
		r.done(next)
		r.mu.Lock()
	}
	r.writing = false
	r.idle.Broadcast()
}

// done records what work has brought, if it is anything but what follows from evidence.
func (r *Recorder) done(b brought) {
	now := done{At: b.at, Kind: b.Kind.String(), Query: b.Query, Changed: differing(r.start.Params, b.Params), Evidence: r.evidence(b.Evidence)}
	var key, digest [sha256.Size]byte
	if b.Asked != nil {
		now.Asked = b.Asked
		now.Read, key, digest = r.read(&now, b.Read)
	}
	if (now.Evidence != nil || now.Read != nil) && r.write(line{Done: &now}) && now.Read != nil {
		r.mu.Lock()
		r.seen[key] = digest
		r.mu.Unlock()
	}
	if base := r.evidence(b.BaseEvidence); base != nil {
		r.write(line{Done: &done{At: b.at, Kind: now.Kind, Query: b.Query, Changed: differing(r.start.Params, b.Base), Evidence: base}})
	}
}

// read is what was read as it is written, with the digests of its key and of itself. It is
// nil for what was written already, and for what JSON has no numbers for: that nobody can
// be shown again.
func (r *Recorder) read(of *done, read session.Read) (raw json.RawMessage, key, digest [sha256.Size]byte) {
	read.Report.Notices = placeless(read.Report.Notices)
	raw, err := json.Marshal(read)
	if err != nil {
		return nil, key, digest
	}
	key, digest = sha256.Sum256([]byte(readKey(of.Query, of.Changed, of.Asked))), sha256.Sum256(raw)
	r.mu.Lock()
	defer r.mu.Unlock()
	if was, ok := r.seen[key]; r.full || r.err != nil || ok && was == digest {
		return nil, key, digest
	}
	return raw, key, digest
}

// placeless are notices without the places that they name: they may have secrets.
func placeless(all []retrieval.Notice) []retrieval.Notice {
	kept := slices.Clone(all)
	for i := range kept {
		kept[i].Text = cmp.Or(kept[i].Placeless, kept[i].Text)
	}
	return kept
}

// evidence writes the parts of evidence. It is nil for none, for what JSON has no numbers
// for, and where there is no room for a part.
func (r *Recorder) evidence(of session.Evidence) *evidence {
	own, ok := of.(session.Gathered)
	if !ok {
		return nil
	}
	k := retrieval.Keep(own.Evidence)
	e := evidence{Took: own.Took, Completion: k.Completion, Texts: make(map[string]int, len(k.Texts)), Words: make(map[string]int, len(k.Words))}
	if e.Found, ok = r.part(partFound, line{Found: &k.Found}); !ok {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(k.Texts)) {
		text := k.Texts[id]
		if e.Texts[id], ok = r.part(partText, line{Text: &text}); !ok {
			return nil
		}
	}
	for _, id := range slices.Sorted(maps.Keys(k.Words)) {
		words := k.Words[id]
		if e.Words[id], ok = r.part(partWords, line{Words: &words}); !ok {
			return nil
		}
	}
	return &e
}

// part writes a part of evidence, the first time, and returns its number.
func (r *Recorder) part(kind partKind, l line) (number int, ok bool) {
	raw, err := json.Marshal(l)
	if err != nil {
		return 0, false
	}
	digest := sha256.Sum256(raw)
	r.mu.Lock()
	defer r.mu.Unlock()
	number, known := r.parts[digest]
	if !known {
		if !r.writeLine(raw) {
			return 0, false
		}
		number = r.next[kind]
		r.parts[digest] = number
		r.next[kind]++
	}
	return number, true
}

// write writes the first line, or one of an answer, and says whether it did. What JSON has no
// number for nobody can be shown again.
func (r *Recorder) write(v any) bool {
	raw, err := json.Marshal(v)
	if err != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.writeLine(raw) {
		return false
	}
	if _, ok := v.(line); ok {
		r.answers++
	}
	return true
}

// writeLine writes a line, as long as there is room, and says whether there was.
func (r *Recorder) writeLine(raw []byte) bool {
	if r.full || r.err != nil {
		return false
	}
	if len(raw) >= r.longest {
		r.left++
		return false
	}
	if r.written+len(raw)+1 > r.limit || r.lines >= r.mostLines {
		r.full = true
		return false
	}
	r.lines++
	n, err := r.out.Write(append(raw, '\n'))
	r.written += n
	r.err = err
	return err == nil
}
