package whynot

import (
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Breakpoint is where the ranking changes as a parameter moves.
type Breakpoint struct {
	// Below is the last value of one ranking, Above the first of the next one, in
	// the order of the track; values as [param.Params.Set] reads them.
	Below, Above string
	// Entered are the names of the items that come in on the way up, Left of those
	// that go out.
	Entered, Left []string
	// Mover is set if one item alone moved past others: on the way up past Passed of
	// them, forwards if Ahead. Other is the one that it passed, if that is one. Moved
	// counts the items that change places among those that stay.
	Mover, Other  string
	Ahead         bool
	Passed, Moved int
}

// Cause says in words what changes, on the way up the track or down. Names come
// from the corpus as they are.
func (t *Breakpoint) Cause(up bool) phrase.Phrase {
	entered, left := t.Entered, t.Left
	if !up {
		entered, left = left, entered
	}
	parts := append(doing(entered, phrase.Enters, phrase.Enter), doing(left, phrase.Leaves, phrase.Leave)...)
	mover, other, ahead := phrase.Named(t.Mover), phrase.Named(t.Other), t.Ahead == up
	switch {
	case parts != nil:
		return phrase.Join(parts, ", ")
	case t.Passed == 1 && ahead:
		return phrase.Passes.With(mover, other)
	case t.Passed == 1:
		return phrase.Passes.With(other, mover)
	case t.Passed > 0 && ahead:
		return phrase.Passes.With(mover, t.Passed)
	case t.Passed > 0:
		return phrase.FallsBehind.With(mover, t.Passed)
	case t.Moved > 0:
		return phrase.ChangePlaces.With(t.Moved)
	default:
		return phrase.Words(phrase.OtherOrder).With()
	}
}

// doing says what one or several do, and nothing of none.
func doing(names []string, one, several phrase.Words) []phrase.Phrase {
	switch len(names) {
	case 0:
		return nil
	case 1:
		return []phrase.Phrase{one.With(phrase.Named(names[0]))}
	default:
		return []phrase.Phrase{several.With(len(names))}
	}
}

// compare describes what changes between two rankings.
func (t *Breakpoint) compare(ev *retrieval.Evidence, below, above []int32) {
	// was and is are the places among the items that are in both, from 1; 0 is not
	// there.
	was, is := make([]int32, ev.Chunks()), make([]int32, ev.Chunks())
	name := naming(ev)
	for _, row := range below {
		was[row] = 1
	}
	for _, row := range above {
		is[row] = 1
		if was[row] == 0 {
			t.Entered = append(t.Entered, name(row))
		}
	}
	var common []int32 // by rank below
	for _, row := range below {
		if is[row] == 0 {
			t.Left = append(t.Left, name(row))
			continue
		}
		common = append(common, row)
		was[row] = int32(len(common))
	}
	n := int32(0)
	for _, row := range above {
		if was[row] != 0 {
			n++
			is[row] = n
		}
	}
	t.move(name, common, was, is)
}

// move says who passes whom among the items in both rankings, given their places
// and what they are called.
func (t *Breakpoint) move(name func(int32) string, common, was, is []int32) {
	mover, most := int32(-1), int32(0)
	for _, row := range common {
		by := was[row] - is[row]
		if by == 0 {
			continue
		}
		t.Moved++
		if abs(by) > abs(most) {
			mover, most = row, by
		}
	}
	// One item moved alone when the others only made room for it.
	if mover < 0 || t.Moved != int(abs(most))+1 {
		return
	}
	for _, row := range common {
		by := was[row] - is[row]
		if row != mover && by != 0 && (abs(by) != 1 || by > 0 == (most > 0)) {
			return
		}
	}
	t.Passed, t.Ahead = int(abs(most)), most > 0
	t.Mover = name(mover)
	if t.Passed != 1 {
		return
	}
	for _, row := range common {
		if row != mover && was[row] != is[row] {
			t.Other = name(row)
		}
	}
}

func abs(n int32) int32 { return max(n, -n) }

// naming names chunks, each with its page: a ranking may have several of one name, and a corpus
// more of them.
func naming(ev *retrieval.Evidence) func(chunk int32) string {
	return func(chunk int32) string { return onPage(ev.TitleOf(chunk), ev.NameOf(chunk)) }
}

// onPage is a name with the title of its page before it, unless this says nothing more.
func onPage(title, name string) string {
	own, _, _ := strings.Cut(name, " ¶")
	if title == "" || strings.HasPrefix(title, own) {
		return name
	}
	return title + " › " + name
}
