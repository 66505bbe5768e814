package retrieval

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// The modes of a [Request]: the second is also that of its result.
const (
	ModeNormal       param.Mode = "normal"
	ModeSelectedText param.Mode = "selected_text_only"
)

// MaxSelection bounds a selected passage, in bytes.
const MaxSelection = 1 << 20

// selectionID is the id of the one item that a selection gives.
const selectionID = "selection"

// What a request can lack.
var (
	ErrBlankQuestion  = errors.New("the question is blank; ask something")
	ErrBlankSelection = errors.New("the selected text is blank; select a passage to ask about")
)

// Request is a question about a corpus, or about a passage that its reader has
// selected.
type Request struct {
	Question string
	// Mode is ModeNormal or ModeSelectedText; empty is ModeNormal.
	Mode param.Mode
	// SelectedText is the passage, DocPath and Section where it was selected, as
	// far as known. ModeNormal ignores them.
	SelectedText, DocPath, Section string
}

// Validate reports what the request lacks. A blank question is an error in both
// modes, a blank selection in its own.
func (r *Request) Validate() error {
	switch r.Mode {
	case "", ModeNormal, ModeSelectedText:
	default:
		return fmt.Errorf("no mode %q for a question; there is %s, %s", r.Mode, ModeNormal, ModeSelectedText)
	}
	if strings.TrimSpace(r.Question) == "" {
		return ErrBlankQuestion
	}
	if r.Mode != ModeSelectedText {
		return nil
	}
	if strings.TrimSpace(r.SelectedText) == "" {
		return ErrBlankSelection
	}
	if len(r.SelectedText) > MaxSelection {
		return fmt.Errorf("the selected text has %d bytes, and at most %d are taken; select less of it", len(r.SelectedText), MaxSelection)
	}
	return nil
}

// Select makes the result of a request in ModeSelectedText: the passage as its
// only item, with the score 1. Nothing is embedded and no corpus is opened; this
// file cannot reach either.
func Select(r Request) (Result, error) {
	r.Mode = ModeSelectedText
	if err := r.Validate(); err != nil {
		return Result{}, err
	}
	points := utf8.RuneCountInString(r.SelectedText)
	return Result{
		Mode: ModeSelectedText,
		Items: []Item{{
			ChunkID: selectionID, ChunkText: r.SelectedText, Surface: SurfaceMarkdown,
			SectionHeading: r.Section, CharEnd: points, Rank: 1, Score: 1,
			Document:    &DocumentMeta{DocPath: r.DocPath, SourceType: "text"},
			Explanation: &Explanation{Op: OpLeaf, Value: 1, Label: "selected by the reader", Scale: "not compared with anything"},
		}},
		Trace: &Trace{Stages: []Stage{{Name: selectionID, Added: 1, Out: 1}}},
	}, nil
}
