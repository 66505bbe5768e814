package whynot

import (
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// The effort of one question is counted in steps, not in time, so that the same
// question always has the same answer. A step is less than a microsecond.
const (
	// mostEffort bounds the steps of one question, [singleShare] of which are for
	// changes of one parameter.
	mostEffort  = 6_000_000
	singleShare = 0.6
	// rankEffort are the steps of any ranking, candidateEffort those of each
	// candidate that is ranked.
	rankEffort, candidateEffort = 20, 1
	// edgesEffort are the steps of reading the edges at a section, wordsEffort
	// those of reading a text and its words.
	edgesEffort, wordsEffort = 800, 300
	// mostExpanded bounds the sections whose edges are read to try changes.
	mostExpanded = 2_000
)

// effort is what was spent on a question, and on what it did not suffice.
type effort struct {
	spent int
	// begin and limit are the share that is being spent; a limit of 0 is none.
	begin, limit int
	// hasty spends nothing on trying every value.
	hasty bool
	// expanded counts the sections whose edges were read.
	expanded int
	// over, strides and denied say of the present share that it did not suffice,
	// that only some values were tried, and that too many edges would have had to
	// be read.
	over, strides, denied bool
	// untried are the parameters that were not tried to the end, coarse those of
	// which not every value was, far those for which edges were left unread.
	untried, coarse, far []string
	// pairs says that not every pair was tried, unasked that a reranker would have
	// had to be asked too often, unkept that a search would have been needed.
	pairs, unasked, unkept bool
}

// share sets aside an nth of what is left until end.
func (e *effort) share(end, n int) {
	e.over, e.strides, e.denied = false, false, false
	e.begin = e.spent
	e.limit = max(1, e.spent+max(0, end-e.spent)/n)
}

// unlimited lets the next ranking be made whatever was spent.
func (e *effort) unlimited() { e.limit, e.over = 0, false }

// isOver reports that the share is spent.
func (e *effort) isOver() bool {
	if e.limit > 0 && e.spent >= e.limit {
		e.over = true
	}
	return e.over
}

// isHalfSpent reports that the rest must do with fewer trials.
func (e *effort) isHalfSpent() bool {
	return e.hasty || e.limit > 0 && e.spent-e.begin > (e.limit-e.begin)/2
}

// allows accounts for what an evidence needs, unless it is too much.
func (e *effort) allows(n *retrieval.Needs) bool {
	if e.limit > 0 && len(n.Edges) > 0 && e.expanded+len(n.Edges) > mostExpanded {
		e.denied = true
		return false
	}
	e.expanded += len(n.Edges)
	e.spent += len(n.Edges)*edgesEffort + (len(n.Words)+len(n.Texts))*wordsEffort
	return true
}

// note keeps what the share of a parameter did not suffice for.
func (e *effort) note(field string, found bool) {
	switch {
	case e.over && !found:
		e.untried = append(e.untried, field)
	case e.denied && !found:
		e.far = append(e.far, field)
	case e.over, e.strides:
		e.coarse = append(e.coarse, field)
	}
}

// notices say what was not tried.
func (e *effort) notices(found bool) []retrieval.Notice {
	var parts []phrase.Phrase
	for _, some := range []struct {
		fields []string
		words  phrase.Words
	}{{e.untried, phrase.Untried}, {e.coarse, phrase.TriedCoarsely}, {e.far, phrase.UntriedEdges}} {
		if len(some.fields) > 0 {
			fields := make([]phrase.Phrase, len(some.fields))
			for i, field := range some.fields {
				fields[i] = phrase.Phrase{param.Called(field)}
			}
			parts = append(parts, some.words.With(phrase.Join(fields, ", "), mostExpanded))
		}
	}
	if e.pairs && !found {
		parts = append(parts, phrase.Words(phrase.UntriedPairs).With())
	}
	if e.unasked {
		parts = append(parts, phrase.UntriedReranks.With(mostAsked))
	}
	if e.unkept {
		parts = append(parts, phrase.Words(phrase.UntriedSearches).With())
	}
	if len(parts) == 0 {
		return nil
	}
	n := phrase.NoticeIncomplete
	n.Warning = !found
	return []retrieval.Notice{retrieval.Worded(n, phrase.Join(parts, "; "))}
}

// workOfRanking are the steps that a ranking took.
func workOfRanking(ev *retrieval.Evidence, r *retrieval.Result) int {
	return rankEffort + candidateEffort*(ev.RowsFound()+4*(len(r.Items)+len(r.NearMisses)))
}
