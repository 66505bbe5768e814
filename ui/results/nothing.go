package results

import (
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// nothingLines say, w cells wide, why a query brought nothing, and what may help.
func (v *View) nothingLines(w int) []string {
	s, r := v.Styles(), v.Session().Result()
	said := append([]string{""}, widget.Indented(widget.Styled(s.Text.Render, widget.Wrapped(v.nothingSaid(), w-4)), 2)...)
	if len(v.list.rows) > 0 || r != nil && r.Mode == param.ModeChunk && !v.Session().Summary().IsEmpty() {
		said = append(said, "")
		said = append(said, widget.Indented(widget.Styled(s.Faint.Render, widget.Wrapped(v.Keyed(v.needs.Hint()), w-4)), 2)...)
	}
	return said
}

// Nothing is what the list says in the place of sections; empty where it lists some.
func (v *View) Nothing() string {
	if len(v.list.groups) > 0 || v.needs.Empty(v.list.w) != nil {
		return ""
	}
	return v.nothingSaid()
}

// nothingSaid says why a query brought nothing.
func (v *View) nothingSaid() string {
	r := v.Session().Result()
	if r == nil {
		return ""
	}
	switch {
	case v.Session().Summary().IsEmpty():
		return "The corpus has no pages."
	case r.ChildrenFound == 0 && noticeOf(r) != "":
		return noticeOf(r)
	case r.ChildrenFound == 0:
		return phrase.NothingComparable
	case r.ChildrenKept == 0 && len(r.NearMisses) > 0 && r.NearMisses[0].Why != nil:
		d := r.NearMisses[0].Why
		return v.unworded() + wording.Said(phrase.NothingSimilar.With(d.Value, r.Floor.Worded(d.Threshold).Number()), wording.Score)
	case len(r.NearMisses) > 0:
		return wording.Said(phrase.NothingLeftBut.With(wording.Plural(r.ChildrenFound, "passage")), wording.Score)
	}
	return wording.Said(phrase.NothingLeft.With(wording.Plural(r.ChildrenFound, "passage")), wording.Score)
}

// unworded says first of all that a query has nothing to do with the corpus,
// before anything is let in.
func (v *View) unworded() string {
	if match := v.Session().TermMatch(); match.None {
		return phrase.NoTermMatch(match.Lexical)
	}
	return ""
}

// noticeOf is the notice that says why nothing was found, if there is one.
func noticeOf(r *retrieval.Result) string {
	for _, n := range r.Notices {
		switch n.Code {
		case phrase.NoticeNoWords.Code, phrase.NoticeNoVectors.Code, phrase.NoticeEmptyScope.Code, phrase.NoticeNoParents.Code:
			return phrase.Capital(wording.Line(n.Shown()))
		}
	}
	return ""
}
