package results

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// anyRanking draws a result of some of thirty sections on six pages: those that are
// returned, page by page, and some of the others, which were dropped.
func anyRanking(t *rapid.T) *retrieval.Result {
	r := &retrieval.Result{Mode: rapid.SampledFrom([]param.Mode{param.ModeChunk, param.ModeFullContext}).Draw(t, "mode"), ChildrenFound: 60}
	ids := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}).Draw(t, "ids")
	returned := rapid.IntRange(0, len(ids)).Draw(t, "returned")
	dropped := rapid.IntRange(returned, len(ids)).Draw(t, "dropped")
	for i, id := range ids[:dropped] {
		it := retrieval.Item{
			ChunkID: fmt.Sprint("c", id), Title: fmt.Sprintf("Title %d of a page", id%6), SourceURL: fmt.Sprint("https://guide.example/", id%6),
			HeadingPath: []string{fmt.Sprintf("Section %d of it", id)}, Scale: "cosine",
		}
		if rapid.Bool().Draw(t, "has matches") {
			it.Matches = []retrieval.Match{{Similarity: .95 - .02*float64(i)}}
		}
		if i < returned {
			it.Rank, it.Score = i+1, .97-.03*float64(i)
			r.Items = append(r.Items, it)
			continue
		}
		it.Why = &retrieval.Drop{ID: it.ChunkID, Reason: rapid.SampledFrom([]string{phrase.ReasonBelowFloor, phrase.ReasonBeyondTopK}).Draw(t, "reason"), Value: .25, Threshold: .3}
		r.NearMisses = append(r.NearMisses, it)
	}
	slices.SortStableFunc(r.Items, func(a, b retrieval.Item) int { return strings.Compare(a.SourceURL, b.SourceURL) })
	return r
}

// anyChange does something with the list, and returns the result that is listed after it.
func anyChange(t *rapid.T, p *list, base, now *retrieval.Result, keep string) *retrieval.Result {
	switch rapid.IntRange(0, 6).Draw(t, "what") {
	case 0:
		p.setSize(rapid.IntRange(20, 160).Draw(t, "w"), rapid.IntRange(1, 60).Draw(t, "h"))
	case 1:
		p.moveBy(rapid.IntRange(-40, 40).Draw(t, "by"))
	case 2:
		p.moveRows(rapid.IntRange(-40, 40).Draw(t, "rows"))
	case 3:
		p.fold()
	case 4:
		p.flat = !p.flat
		p.build()
		p.showCursor()
	case 5:
		p.change(now, changes{})
	default:
		now = anyRanking(t)
		c := retrieval.Compare(*base, *now, session.OverlapDepth)
		p.change(now, changesOf(&c, base, "webrag"))
		p.put(groupsOf(now.Items), now, keep)
	}
	return now
}

func listOf(r *retrieval.Result) *list {
	p := &list{List: widget.List{At: -1}, folded: map[string]bool{}}
	p.setSize(120, 30)
	p.put(groupsOf(r.Items), r, "")
	return p
}

func stylesOf(t testing.TB, o theme.Options) *theme.Styles {
	t.Helper()
	s, err := theme.New("", o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Whatever is done, no line of the list is empty at its beginning, none at its end
// while rows are hidden, what is hidden is counted in the title, no section stands twice,
// and the cursor stands on a row that can be selected, in sight.
func TestTheListIsNeverTorn(t *testing.T) {
	s := stylesOf(t, theme.Options{Dark: true})
	rapid.Check(t, func(rt *rapid.T) {
		base := anyRanking(rt)
		now := base
		p := listOf(base)
		for range rapid.IntRange(1, 12).Draw(rt, "changes") {
			keep := ""
			if it := p.selected(); it != nil && rapid.Bool().Draw(rt, "keep") {
				keep = it.ChunkID
			}
			now = anyChange(rt, p, base, now, keep)
			isWhole(rt, p, s)
		}
	})
}

func isWhole(t *rapid.T, p *list, s *theme.Styles) {
	lines := p.lines(s, true)
	if len(lines) != p.Height {
		t.Fatalf("%d lines, and there is room for %d", len(lines), p.Height)
	}
	for i := range min(p.Height, len(p.rows)) {
		if strings.TrimSpace(ansi.Strip(lines[i])) == "" {
			t.Fatalf("line %d is empty:\n%s", i, strings.Join(lines, "\n"))
		}
	}
	if last := max(0, len(p.rows)-p.Height); p.Top < 0 || p.Top > last {
		t.Fatalf("row %d is the first of %d in %d lines", p.Top, len(p.rows), p.Height)
	}
	seen := map[string]bool{}
	for _, r := range p.rows {
		if r.item != nil && seen[r.item.ChunkID] {
			t.Fatalf("%s stands in the list twice", r.item.ChunkID)
		} else if r.item != nil {
			seen[r.item.ChunkID] = true
		}
	}
	if p.At >= 0 && (!p.stops(p.At) || !p.Has(p.At)) {
		t.Fatalf("the cursor is in row %d, from %d to %d are in sight", p.At, p.Top, p.Until())
	}
}

// The selected section keeps its line when the ranking changes, unless the list begins or
// ends there; rows marked new are those that entered, rows that are gone those that left.
func TestRowsFollowTheComparison(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		base, before, after := anyRanking(rt), anyRanking(rt), anyRanking(rt)
		p := listOf(before)
		p.moveBy(rapid.IntRange(0, 30).Draw(rt, "by"))
		keep, line, found := "", p.At-p.Top, p.sections > 0
		if it := p.selected(); it != nil {
			keep = it.ChunkID
		}
		c := retrieval.Compare(*base, *after, session.OverlapDepth)
		p.change(after, changesOf(&c, base, "webrag"))
		p.put(groupsOf(after.Items), after, keep)
		entered, gone := 0, 0
		for _, r := range p.rows {
			switch {
			case r.kind == sectionRow && p.changes.shifts[r.item.ChunkID] != nil && p.changes.shifts[r.item.ChunkID].RankA == 0:
				entered++
			case r.kind == goneRow:
				gone++
			}
		}
		if entered != len(c.Entered) || gone != len(c.Left) {
			rt.Fatalf("%d rows are new and %d gone, want %d and %d", entered, gone, len(c.Entered), len(c.Left))
		}
		at := p.rowWith(keep)
		if at >= 0 && at != p.At {
			rt.Fatalf("%s is listed and no longer selected", keep)
		}
		last := max(0, len(p.rows)-p.Height)
		if at >= 0 && found && p.rows[at].kind == sectionRow && p.At-p.Top != line && !(p.Top == 0 && p.At < line) && !(p.Top == last && p.At-last > line) {
			rt.Fatalf("the section on line %d is on line %d", line, p.At-p.Top)
		}
	})
}

// Words are not cut as the row is: where there is room for all of it, they are what the
// row shows, its parts set apart.
func TestARowIsSaidAsItIsDrawn(t *testing.T) {
	s := stylesOf(t, theme.Options{Dark: true, Spoken: true})
	gaps, rank := regexp.MustCompile(` {2,}`), regexp.MustCompile(`^(\d+) +`)
	rapid.Check(t, func(rt *rapid.T) {
		base := anyRanking(rt)
		now := base
		p := listOf(base)
		for range rapid.IntRange(0, 8).Draw(rt, "changes") {
			now = anyChange(rt, p, base, now, "")
		}
		p.setSize(220, 30)
		p.moveBy(rapid.IntRange(-30, 30).Draw(rt, "by"))
		want := ""
		for _, l := range p.lines(s, true) {
			if row, ok := strings.CutPrefix(ansi.Strip(s.Line(l, ansi.StringWidth(l))), ">"); ok {
				row = rank.ReplaceAllString(strings.TrimSpace(row), "$1 ") // sections of a page stand in
				if page, ok := strings.CutPrefix(row, "folded "); ok {
					row = "folded  " + page
				}
				want = gaps.ReplaceAllString(row, ", ")
			}
		}
		if got := s.Line(drawing{list: p, s: s}.said(), 0); got != want {
			rt.Fatalf("%q is said, and %q is drawn", got, want)
		}
	})
}
