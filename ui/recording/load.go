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

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// Load reads a recording. A file may come from anywhere: what it holds is checked
// and made safe to draw. The error of a line is an [Error]; a file of another kind
// gives [ErrNoRecording]. A last line that is not whole is left out.
func Load(in io.Reader) (*Recording, error) {
	// One byte more than may be tells what is too long.
	lines := bufio.NewReaderSize(io.LimitReader(in, MostBytes+mostLine+1), 1<<16)
	r := &Recording{answers: map[string]any{}, queries: map[string]bool{}, sections: map[string]*retrieval.Item{}}
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
	if h.Recording < oldestVersion || h.Recording > Version {
		return fmt.Errorf("the recording has version %d, and this program reads versions %d to %d: replay it with the program that made it, or record the session again", h.Recording, oldestVersion, Version)
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
	if l.Move != nil {
		return r.addMove(l.Move)
	}
	value, err := decode(l.Call, l.Value)
	if err != nil {
		return err
	}
	l.Value = nil
	if err := tidy(&l); err != nil {
		return err
	}
	p, err := changedBy(r.Params, l.Changed)
	if err != nil {
		return err
	}
	r.answers[key(l.Call, l.Query, differing(r.Params, p), l.Args)] = value
	if l.Call == callRank || l.Call == callRanks {
		r.queries[l.Query] = true
		result, _ := value.(retrieval.Result)
		for i := range result.Items {
			r.sections[result.Items[i].ChunkID] = &result.Items[i]
		}
	}
	return nil
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
	if len(r.queries) == 0 {
		return errors.New("the recording has no answer: nothing was asked in its session")
	}
	slices.SortStableFunc(r.moves, func(a, b move) int { return int(max(-1, min(1, a.At-b.At))) })
	for _, m := range r.moves {
		if r.queries[m.Query] && !slices.Contains(r.Queries, m.Query) {
			r.Queries = append(r.Queries, m.Query)
		}
	}
	if len(r.Queries) == 0 {
		r.Queries = slices.Sorted(maps.Keys(r.queries))
	}
	return nil
}

// decode reads what a call answered.
func decode(call string, raw json.RawMessage) (any, error) {
	switch call {
	case callRank, callRanks:
		return value(raw, checkResult)
	case callText:
		return value(raw, func(*text) error { return nil })
	case callToggles:
		return value(raw, func(v *[]whynot.Ablation) error {
			readable(*v)
			return nil
		})
	case callTurns, callSketch:
		return value(raw, func(*whynot.Breakpoints) error { return nil })
	case callRankTurns:
		return value(raw, func(*[]whynot.RankBreakpoint) error { return nil })
	case callTerms:
		return value(raw, func(*session.TermMatch) error { return nil })
	case callNamed:
		return value(raw, func(*retrieval.ChunkLabel) error { return nil })
	case callWhy:
		return value(raw, checkReport)
	case callCosines:
		return value(raw, func(*session.Cosines) error { return nil })
	case callSurvey:
		return value(raw, func(*session.Survey) error { return nil })
	case callSection, callAt, callAddress:
		return value(raw, checkChunk)
	case callInside:
		return value(raw, func(*[]session.SectionLink) error { return nil })
	case callNames:
		return value(raw, func(*session.SectionList) error { return nil })
	case callPages:
		return value(raw, func(*[]session.PageEntry) error { return nil })
	case callLinks:
		return value(raw, func(*[][]string) error { return nil })
	case callPage:
		return value(raw, checkPage)
	case callTexts:
		return value(raw, func(v *[]store.Chunk) error { return checkChunks(*v) })
	default:
		return nil, errors.New("there is no such call in a recording")
	}
}

// value reads a value, makes it safe to draw, and checks it.
func value[T any](raw json.RawMessage, check func(*T) error) (any, error) {
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, errors.New("its value is not of the kind that it should be")
	}
	if err := tidy(&v); err != nil {
		return nil, err
	}
	if err := check(&v); err != nil {
		return nil, err
	}
	return v, nil
}
