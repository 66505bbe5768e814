package judgment

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/store"
)

// State says what became of a judged text on the pages as they are now.
type State int

// The states. A page that was judged as a whole is Exact or PageGone.
const (
	// Exact: it stands where it was judged.
	Exact State = iota
	// Moved: it stands once, elsewhere.
	Moved
	// Ambiguous: it stands several times, elsewhere, and the nearest is taken.
	Ambiguous
	// Orphaned: it stands nowhere on the page.
	Orphaned
	// PageGone: there is no such page.
	PageGone
)

// IsLost says that the judgment cannot be used.
func (s State) IsLost() bool { return s == Orphaned || s == PageGone }

// Summary counts the judgments in each state, a key each.
type Summary struct{ Exact, Moved, Ambiguous, Orphaned, PageGone int }

// Total is how many there are.
func (s *Summary) Total() int { return s.Exact + s.Moved + s.Ambiguous + s.Lost() }

// Lost is how many cannot be used.
func (s *Summary) Lost() int { return s.Orphaned + s.PageGone }

// alarming is the part of all judgments that may be lost before a metric is doubtful.
const alarming = .05

// IsAlarming says that so many are lost, more than 5 in 100, that metrics measure
// something else than what was judged.
func (s *Summary) IsAlarming() bool { return float64(s.Lost()) > alarming*float64(s.Total()) }

func (s *Summary) count(state State) {
	*[...]*int{&s.Exact, &s.Moved, &s.Ambiguous, &s.Orphaned, &s.PageGone}[state]++
}

// Anchored is a judgment with its place on the pages as they are now.
type Anchored struct {
	Judgment
	State State
	// Page is the present address of the page, which may be another than was judged.
	Page string
	// Section is the id of the section, where the corpus has no offsets that tell one from
	// another; else empty.
	Section string
	// Start and End are code points of the page's markdown, both 0 for a whole page.
	Start, End int
}

// Anchors are the judgments of a set on the pages of a corpus.
type Anchors struct {
	// Judgments are those with a place, in the order in which they were first judged. What
	// was judged twice, before and after it moved, is one: of each judge the last record
	// counts.
	Judgments []Anchored
	// Lost are those without one.
	Lost []Anchored
	// Summary counts both.
	Summary Summary
}

// Pages is a corpus that is asked for the present texts of its pages.
type Pages interface {
	// EachPage calls each with those of the addresses that lead to a page, in any order:
	// with the page's present address and all its sections, which have their texts, in the
	// order of the page. It stops at an error of each, and returns it.
	EachPage(ctx context.Context, addresses []string, each func(address, page string, sections []store.Chunk) error) error
}

// Anchor finds the judged texts on the pages of a corpus. It reads and goes through each
// page once.
func (s *Set) Anchor(ctx context.Context, corpus Pages) (*Anchors, error) {
	all := s.latest()
	found := make([]Anchored, len(all))
	byPage := map[string][]int{}
	var addresses []string
	for i, j := range all {
		found[i] = Anchored{Judgment: j, State: PageGone}
		if byPage[j.SourceURL] == nil {
			addresses = append(addresses, j.SourceURL)
		}
		byPage[j.SourceURL] = append(byPage[j.SourceURL], i)
	}
	err := corpus.EachPage(ctx, addresses, func(address, page string, sections []store.Chunk) error {
		laid := layOut(sections)
		for _, i := range byPage[address] {
			if err := ctx.Err(); err != nil {
				return err
			}
			found[i].put(page, laid)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("find what was judged for %s: %w", s.Folder, err)
	}
	return join(found), nil
}

// put finds the place of the judgment on its page.
func (a *Anchored) put(address string, page []stretch) {
	a.Page = address
	if a.IsPage() {
		a.State = Exact
		return
	}
	var p place
	p, a.State = locate(page, []byte(collapse(a.Quote)), a.CharStart, a.CharEnd)
	a.Section, a.Start, a.End = p.section, p.start, p.end
}

// spot is what tells places of judgments from each other.
type spot struct {
	query, page, section, hash string
	start, end                 int
}

// join counts the judgments, and makes one of those that have come to the same place.
func join(found []Anchored) *Anchors {
	a := &Anchors{}
	at := map[spot]int{}
	for i := range found {
		f := &found[i]
		if len(f.standing().Opinions) > 0 {
			a.Summary.count(f.State)
		}
		if f.State.IsLost() {
			a.Lost = append(a.Lost, *f)
			continue
		}
		of := spot{f.QueryID, f.Page, f.Section, f.QuoteHash, f.Start, f.End}
		if first, ok := at[of]; ok {
			for _, o := range f.Opinions {
				a.Judgments[first].say(o)
			}
			continue
		}
		at[of] = len(a.Judgments)
		a.Judgments = append(a.Judgments, *f)
	}
	a.Judgments, a.Lost = standing(a.Judgments), standing(a.Lost)
	return a
}

// standing leaves out what was withdrawn.
func standing(list []Anchored) []Anchored {
	kept := list[:0]
	for _, a := range list {
		if a.Judgment = a.Judgment.standing(); len(a.Opinions) > 0 {
			kept = append(kept, a)
		}
	}
	return kept
}
