package whynot

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/ui/view"
)

// watchedBy is what the watched queries say of a change: how many of them pass
// with it. known is false where that takes another search.
type watchedBy struct {
	passed, total int
	known         bool
}

// tier is 0 where all pass, 1 where that is not known, 2 where some do not.
func (w watchedBy) tier() int {
	switch {
	case !w.known:
		return 1
	case w.passed == w.total:
		return 0
	default:
		return 2
	}
}

// words are the cell of a table.
func (w watchedBy) words(dash string) string {
	if !w.known {
		return dash
	}
	return fmt.Sprintf("%d/%d", w.passed, w.total)
}

// watchedWith judges one suggestion by the watched queries.
func (v *View) watchedWith(p param.Params, s *whynot.Suggestion) (w watchedBy) {
	if p, err := s.Applied(p); err == nil {
		w.passed, w.total, w.known = v.Session().WatchVerdict(p)
	}
	return w
}

// judge asks what the watched queries say of the suggestions of a report: of one at a time,
// since each is a ranking of every query. watched has one more each time; then is done in
// the end, unless w is ended.
func (v *View) judge(w *view.Work, p param.Params, r *whynot.Report, watched *[]watchedBy, then func() tea.Cmd) tea.Cmd {
	n := len(*watched)
	if n == len(r.Suggestions) || len(v.Session().Watched()) == 0 {
		return then()
	}
	*watched = append(*watched, v.watchedWith(p, &r.Suggestions[n]))
	return w.Rest(v.After, 0, func() tea.Cmd { return v.judge(w, p, r, watched, then) })
}

// preferWatched puts the suggestions first that the watched queries allow, then
// those of which it is not known, and words the verdict anew. The verdicts come
// in the order of the suggestions, and are put into theirs. It returns the old
// places in the new order.
func preferWatched(r *whynot.Report, watched []watchedBy) []int {
	places := make([]int, len(r.Suggestions))
	for i := range places {
		places[i] = i
	}
	if len(watched) != len(places) {
		return places
	}
	slices.SortStableFunc(places, func(a, b int) int {
		x, y := watched[a], watched[b]
		if x.tier() == 2 && y.tier() == 2 {
			return cmp.Compare(y.passed, x.passed)
		}
		return cmp.Compare(x.tier(), y.tier())
	})
	if slices.IsSorted(places) {
		return places
	}
	suggestions, verdicts := slices.Clone(r.Suggestions), slices.Clone(watched)
	for to, from := range places {
		suggestions[to], verdicts[to] = r.Suggestions[from], watched[from]
	}
	r.Suggestions = suggestions
	copy(watched, verdicts)
	r.Restate()
	return places
}

// prefer puts first what the watched queries allow. A suggestion that was selected
// meanwhile stays so.
func (d *dialog) prefer() {
	places := preferWatched(d.report, d.watched)
	if d.page.at > 0 {
		d.page.at = max(0, slices.Index(places, d.page.at))
	}
}
