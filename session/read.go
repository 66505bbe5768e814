package session

import (
	"context"
	"errors"
	"slices"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/store"
)

// Read is what was read of the corpus, or found out by asking it: the field that is of
// the kind of the work, as [Done] says it. It is plain data, which can be written as JSON
// and read again.
type Read struct {
	// Terms is what was found of the words, of [KindTerms].
	Terms TermMatch `json:"terms,omitzero"`
	// Report is of [KindWhy] and [KindAdmit].
	Report whynot.Report `json:"report,omitzero"`
	// Summary is of [KindSummary], Cosines of [KindCosines], Health of [KindHealth].
	Summary *CorpusSummary `json:"summary,omitempty"`
	Cosines *Cosines       `json:"cosines,omitempty"`
	Health  IndexHealth    `json:"health,omitzero"`
	// Section is of [KindSection], [KindSpan], [KindAddress] and [KindText]; Sections, with
	// their texts, are of [KindOutline] and [KindPageTexts]; Page is of [KindOutline] and
	// [KindPage]; the others have the kind of their name.
	Section   store.Chunk   `json:"section,omitzero"`
	Sections  []store.Chunk `json:"sections,omitempty"`
	List      SectionList   `json:"list,omitzero"`
	Links     []SectionLink `json:"links,omitempty"`
	Page      *PageContent  `json:"page,omitempty"`
	Pages     []PageEntry   `json:"pages,omitempty"`
	PageLinks [][]string    `json:"page_links,omitempty"`
}

// What can be asked of a corpus: the first word of [Done.Asked], and what follows it.
const (
	AskedSummary   = "summary"
	AskedSection   = "section"            // its id
	AskedSpan      = "section at"         // the page's address, the code point
	AskedAddress   = "section by address" // the address
	AskedLinks     = "links"              // the section's id
	AskedOutline   = "outline"            // the page's id
	AskedSections  = "sections"           // the limit, the version known
	AskedPages     = "pages"              // how many are left out, how many are read
	AskedPageLinks = "links of pages"     // their ids
	AskedPage      = "page"               // its id
	AskedTexts     = "texts"              // the ids of sections
	AskedCosines   = "cosines"            // the section's id, those of its passages
	AskedTerms     = "terms"
	AskedWhy       = "why" // the three ways to name a text
	AskedIndex     = "index"
)

// Replayer is an [Engine] that has what was read of a corpus before, in place of the
// corpus: that then needs no [Reader].
type Replayer interface {
	// Replay completes work that reads, given as it was asked: with Query, Params and
	// Asked. ok is false for what the engine itself finds out. It is called from several
	// goroutines.
	Replay(ctx context.Context, asked Done) (d Done, ok bool)
}

// replayable is the run of work that reads: asked says what, and read does it. What is to be
// replayed is found by asked, so it must tell the work from all that brings something
// else.
func (w *works) replayable(asked Done, read func(ctx context.Context, d *Done)) func(context.Context) Done {
	replayer, _ := w.engine.(Replayer)
	return func(ctx context.Context) Done {
		if replayer != nil {
			if d, ok := replayer.Replay(ctx, asked); ok {
				return d
			}
		}
		d := asked
		read(ctx, &d)
		return d
	}
}

var (
	errRange = errors.New("a range ends before it begins, or begins before the page")
	errCount = errors.New("there is less than nothing of something")
)

// Check finds out whether what somebody else has written down fits what was asked, and
// whether all of it is in its range: what shows it relies on that.
func (r *Read) Check(asked []string) error {
	if len(asked) > 0 && asked[0] == AskedPageLinks && len(r.PageLinks) != len(asked)-1 {
		return errors.New("these are the links of other pages")
	}
	for i := range r.Report.Suggestions {
		if len(r.Report.Suggestions[i].Changes) == 0 {
			return errors.New("a suggestion changes nothing")
		}
	}
	return errors.Join(r.checkChunks(), r.checkCounts(), r.checkCosines(), r.checkHealth())
}

func (r *Read) checkChunks() error {
	chunks := append([]store.Chunk{r.Section}, r.Sections...)
	if p := r.Page; p != nil {
		if len(p.Children) != len(p.Sections) {
			return errors.New("a page has other children than sections")
		}
		chunks = append(append(chunks, p.Sections...), slices.Concat(p.Children...)...)
	}
	for i := range chunks {
		if c := &chunks[i]; c.CharStart < 0 || c.CharEnd < c.CharStart || c.TokenStart < 0 || c.TokenEnd < c.TokenStart {
			return errRange
		}
	}
	return nil
}

func (r *Read) checkCounts() error {
	for i := range r.Pages {
		if p := &r.Pages[i]; min(p.Depth, p.Sections, p.Tokens, p.Status) < 0 {
			return errCount
		}
	}
	if s := r.Summary; r.List.More < 0 || s != nil && min(s.Documents, s.Parents, s.Children, s.Tokens) < 0 {
		return errCount
	}
	return nil
}

func (r *Read) checkCosines() error {
	if r.Cosines == nil {
		return nil
	}
	for _, c := range r.Cosines.Children {
		for _, words := range [][]embedder.WordShare{c.Query, c.Text} {
			for _, w := range words {
				if w.Start < 0 || w.End < w.Start {
					return errRange
				}
			}
		}
	}
	return nil
}

func (r *Read) checkHealth() error {
	h := &r.Health
	if h.K < 0 || h.Probed.Rows < 0 || h.Index.Rows < 0 || h.Index.Dead < 0 {
		return errCount
	}
	for _, p := range h.Probed.Points {
		if p.EfSearch < 0 || p.Returned < 0 || !(p.Recall >= 0 && p.Recall <= 1) {
			return errCount
		}
	}
	return nil
}
