package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// Load reads a recording. A file may come from anywhere: what it holds is checked
// and made safe to draw. The error of a line is an [Error]; a file of another kind
// gives [ErrNoRecording]. A last line that is not whole is left out.
func Load(in io.Reader) (*Recording, error) {
	// One byte more than may be tells what is too long.
	lines := bufio.NewReaderSize(io.LimitReader(in, MostBytes+mostLine+1), 1<<16)
	r := &Recording{
		whole: &completed{most: mostEffort, of: map[*gathered]session.Gathered{}}, gathered: map[string][]*gathered{}, sections: map[string]section{},
		reads: map[string]*session.Read{}, lists: map[string]*session.SectionList{}, chunks: map[string]*store.Chunk{}, pages: map[string]*session.PageContent{},
	}
	r.known = sync.OnceValue(r.knownSections)
	total := 0
	for n := 1; ; n++ {
		raw, err := lines.ReadBytes('\n')
		total += len(raw)
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read the recording: %w", err)
		case total > MostBytes:
			return nil, fmt.Errorf("the recording is longer than %d MB", MostBytes>>20)
		case n > mostLines:
			return nil, &Error{n, fmt.Sprintf("a recording has at most %d lines", mostLines)}
		case len(raw) > mostLine:
			return nil, &Error{n, "the line is too long"}
		}
		end := err != nil
		if n == 1 {
			if err := r.begin(raw); err != nil {
				return nil, err
			}
		} else if len(bytes.TrimSpace(raw)) > 0 {
			_, more := lines.Peek(1)
			if errors.Is(more, io.EOF) && !json.Valid(raw) {
				r.Truncated = true
			} else if err := r.add(raw); err != nil {
				return nil, &Error{n, offset.Line(err.Error())}
			}
		}
		if end {
			break
		}
	}
	return r, r.finish()
}

// begin reads the first line.
func (r *Recording) begin(raw []byte) error {
	var h header
	if err := json.Unmarshal(raw, &h); err != nil || h.Recording == 0 {
		return ErrNoRecording
	}
	if h.Recording != Version {
		return fmt.Errorf("the recording has version %d, and this program reads version %d: replay it with the program that made it, or record the session again", h.Recording, Version)
	}
	if err := tidy(&h); err != nil {
		return &Error{1, err.Error()}
	}
	// What the line does not say is as the preset has it.
	params, ok := param.Preset(h.Preset)
	if !ok {
		params, _ = param.Preset("webrag")
	}
	params, err := changedBy(params, h.Params)
	if err != nil {
		return &Error{1, offset.Line(err.Error())}
	}
	if _, err := changedBy(params, h.Adapted); err != nil {
		return &Error{1, offset.Line(err.Error())}
	}
	r.adapted = h.Adapted
	r.Program, r.Corpus, r.Preset, r.Params = h.Program, h.Corpus, h.Preset, params
	r.Notices, r.estimated, r.foreign = h.Notices, h.Estimated, h.Foreign
	return nil
}

// add reads one of the other lines.
func (r *Recording) add(raw []byte) error {
	var l line
	if err := json.Unmarshal(raw, &l); err != nil {
		return errors.New("it is no line of a recording")
	}
	switch {
	case l.Move != nil:
		return r.addMove(l.Move)
	case l.Done != nil:
		return r.addDone(l.Done, len(raw))
	case l.Found != nil:
		return r.addFound(l.Found)
	case l.Text != nil:
		r.texts = append(r.texts, *l.Text)
		return nil
	case l.Words != nil:
		r.words = append(r.words, *l.Words)
		return l.Words.Check()
	}
	return errors.New("it is no line of a recording")
}

func (r *Recording) addFound(f *kept.Found) error {
	if err := tidy(f); err != nil {
		return err
	}
	ev, err := retrieval.FromFound(f)
	if err != nil {
		return err
	}
	r.found = append(r.found, found{f, ev})
	return nil
}

// addDone reads what work has brought, from a line of so many bytes.
func (r *Recording) addDone(d *done, bytes int) error {
	if err := tidy(d); err != nil {
		return err
	}
	p, err := changedBy(r.Params, d.Changed)
	if err != nil {
		return err
	}
	if d.Read != nil {
		if err := r.addRead(readKey(d.Query, differing(r.Params, p), d.Asked), d); err != nil {
			return err
		}
	}
	if d.Evidence == nil {
		return nil
	}
	g := gathered{evidence: *d.Evidence, params: p}
	if g.size, err = r.check(&g.evidence, bytes); err != nil {
		return err
	}
	r.gathered[d.Query] = append(r.gathered[d.Query], &g)
	for id, n := range g.Texts {
		if !r.texts[n].Gone {
			r.sections[id] = section{g.Found, n}
		}
	}
	return nil
}

// addRead reads what was read of the corpus, whatever that is: it is made safe to draw, and
// checks itself.
func (r *Recording) addRead(key string, d *done) error {
	read := &session.Read{}
	if err := json.Unmarshal(d.Read, read); err != nil {
		return errors.New("what was read is not of the kind that it should be")
	}
	if err := tidy(read); err != nil {
		return err
	}
	if err := read.Check(d.Asked); err != nil {
		return err
	}
	r.reads[key] = read
	if len(d.Asked) == 3 && d.Asked[0] == session.AskedSections && d.Asked[2] != strconv.FormatInt(read.List.Version, 10) {
		r.lists[d.Asked[1]] = &read.List
	}
	r.indexed = r.indexed || len(d.Asked) > 0 && d.Asked[0] == session.AskedIndex
	if read.Section.ID != "" {
		r.chunks[read.Section.ID] = &read.Section
	}
	if p := read.Page; p != nil {
		r.pages[p.Document.ID] = p
	}
	return nil
}

// check finds out whether all parts of evidence are there, and not more text than a
// recording can have, however often it is named: size is how much, with the line that is so
// many bytes long.
func (r *Recording) check(e *evidence, bytes int) (size int, err error) {
	if e.Found < 0 || e.Found >= len(r.found) || e.Took < 0 || e.Took > longest {
		return 0, errors.New("evidence lacks what was found, or took less than no time")
	}
	size = bytes
	for _, n := range e.Texts {
		if n < 0 || n >= len(r.texts) {
			return 0, errors.New("evidence lacks a text")
		}
		if size += len(r.texts[n].Markdown); size > MostBytes {
			return 0, errors.New("evidence has too much text")
		}
	}
	for _, n := range e.Words {
		if n < 0 || n >= len(r.words) {
			return 0, errors.New("evidence lacks the words of a text")
		}
		if size += len(r.words[n].Words); size > MostBytes {
			return 0, errors.New("evidence has too many words")
		}
	}
	return size, e.Completion.Check(r.found[e.Found].kept)
}

func (r *Recording) addMove(m *move) error {
	if err := tidy(m); err != nil {
		return err
	}
	p, err := changedBy(r.Params, m.Changed)
	if err != nil {
		return err
	}
	if m.View < 1 {
		return errors.New("a move has no view")
	}
	m.Changed = differing(r.Params, p)
	r.moves = append(r.moves, *m)
	return nil
}

// finish puts the moves in order, and finds out what was asked.
func (r *Recording) finish() error {
	if len(r.gathered) == 0 {
		return errors.New("the recording has no answer: nothing was asked in its session")
	}
	slices.SortStableFunc(r.moves, func(a, b move) int { return int(max(-1, min(1, a.At-b.At))) })
	seen := map[string]bool{}
	for _, m := range r.moves {
		if r.gathered[m.Query] != nil && !seen[m.Query] {
			seen[m.Query] = true
			r.Queries = append(r.Queries, m.Query)
		}
	}
	if len(r.Queries) == 0 {
		r.Queries = slices.Sorted(maps.Keys(r.gathered))
	}
	return nil
}
