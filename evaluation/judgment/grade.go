package judgment

import (
	"cmp"
	"slices"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval"
)

// Level says what is graded.
type Level int

const (
	// Passages grades every result by the judged texts that it holds. Judgments of whole
	// pages do not count.
	Passages Level = iota
	// WholePages grades the first result of each page, by the judgment of the page, else by the
	// best of its texts. It compares what was cut otherwise.
	WholePages
)

// Ranked is a place of a ranking.
type Ranked struct {
	// Page is the address, Section the id of the section, see [retrieval.Item.SectionID].
	Page, Section string
	// Start and End are code points of the page's markdown.
	Start, End int
	ranked     bool
}

// Ranking appends the places of a result to list, which may be one to be used again, in
// the order of their ranks.
func Ranking(list []Ranked, r *retrieval.Result) []Ranked {
	from, n := len(list), len(r.Items)
	list = slices.Grow(list, n)[:from+n]
	ranked := list[from:]
	clear(ranked)
	for i := range r.Items {
		it := &r.Items[i]
		if it.Rank < 1 || it.Rank > n || ranked[it.Rank-1].ranked {
			for j, it := range r.ByRank() { // ranks with gaps, as an own Retriever may give
				ranked[j] = placed(it)
			}
			return list
		}
		ranked[it.Rank-1] = placed(it)
	}
	return list
}

func placed(it *retrieval.Item) Ranked {
	return Ranked{it.SourceURL, it.SectionID(), it.CharStart, it.CharEnd, true}
}

// Prepared is what was judged for one query, made ready to grade rankings. It does not
// change, and may be used from several goroutines.
type Prepared struct {
	pages map[string]*judgedPage
	// spans and whole are the grades of all judged texts and of all judged pages, the
	// highest first.
	spans, whole []int
	// pool and wholePool are the same for measures.
	pool, wholePool *evaluation.Pool
	// asPages counts the judgments of whole pages.
	asPages int
}

type judgedPage struct {
	// spans are in the order of the page.
	spans []judgedSpan
	// grade is that of the page: its own, else the best of its spans.
	grade int
	own   bool
}

type judgedSpan struct {
	section           string
	start, end, grade int
	index             int // among all of the query
}

// Prepare makes ready what the judges that count have said, by query. A query for which
// nothing was judged is not among them.
func (a *Anchors) Prepare(keep Keep) map[string]*Prepared {
	all := map[string]*Prepared{}
	for i := range a.Judgments {
		j := &a.Judgments[i]
		grade, ok := j.Grade(keep)
		if !ok {
			continue
		}
		p := all[j.QueryID]
		if p == nil {
			p = &Prepared{pages: map[string]*judgedPage{}}
			all[j.QueryID] = p
		}
		p.take(j, grade)
	}
	for _, p := range all {
		p.finish()
	}
	return all
}

func (p *Prepared) take(j *Anchored, grade int) {
	page := p.pages[j.Page]
	if page == nil {
		page = &judgedPage{}
		p.pages[j.Page] = page
	}
	if j.IsPage() {
		page.grade, page.own = grade, true
		p.asPages++
		return
	}
	page.spans = append(page.spans, judgedSpan{j.Section, j.Start, j.End, grade, len(p.spans)})
	p.spans = append(p.spans, grade)
}

func (p *Prepared) finish() {
	for _, page := range p.pages {
		slices.SortStableFunc(page.spans, func(a, b judgedSpan) int { return cmp.Compare(a.start, b.start) })
		if !page.own {
			for _, s := range page.spans {
				page.grade = max(page.grade, s.grade)
			}
		}
		p.whole = append(p.whole, page.grade)
	}
	descending := func(a, b int) int { return cmp.Compare(b, a) }
	slices.SortFunc(p.spans, descending)
	slices.SortFunc(p.whole, descending)
	p.pool, p.wholePool = evaluation.NewPool(p.spans), evaluation.NewPool(p.whole)
}

// Grades are those of all that was judged, the highest first: the ideal ranking. They must
// not be changed.
func (p *Prepared) Grades(level Level) []int {
	if level == WholePages {
		return p.whole
	}
	return p.spans
}

// Pool is what measures make of [Prepared.Grades].
func (p *Prepared) Pool(level Level) *evaluation.Pool {
	if level == WholePages {
		return p.wholePool
	}
	return p.pool
}

// OfPage is the grade of a page that was judged as a whole; ok is false for others.
func (p *Prepared) OfPage(address string) (grade int, ok bool) {
	page := p.pages[address]
	if page == nil || !page.own {
		return 0, false
	}
	return page.grade, true
}

// Count counts the judged texts and the pages that were judged as a whole. Where there
// are no texts, only pages can be graded.
func (p *Prepared) Count() (texts, pages int) { return len(p.spans), p.asPages }

// Grader grades rankings of one query. It is used by one goroutine.
type Grader struct {
	of     *Prepared
	level  Level
	grades []int
	// call counts the rankings. earned and seen say in which of them a span was last
	// earned and a page last seen, so that nothing needs to be cleared.
	call   uint64
	earned []uint64
	seen   map[string]uint64
}

// Grader makes a grader.
func (p *Prepared) Grader(level Level) *Grader {
	return &Grader{of: p, level: level, earned: make([]uint64, len(p.spans)), seen: map[string]uint64{}}
}

// Judged is a ranking as measures see it. It is valid as long as [Grader.Grades] are.
func (g *Grader) Judged(ranking []Ranked) evaluation.Judged {
	return evaluation.Judged{Grades: g.Grades(ranking), Pool: g.of.Pool(g.level)}
}

// Grades returns the grades of a ranking by rank, [evaluation.Unjudged] for what was not judged. They
// are valid until the next call, which allocates nothing where no longer ranking and no
// other page comes than before.
//
// A result is judged if it has a part of a judged text. It earns the grade if it has at
// least half of the text's characters, of several the highest; and a text is earned once,
// by the first that does: else overlapping results would count it several times. For
// [WholePages] there is one grade for each page, in the order of their first results.
func (g *Grader) Grades(ranking []Ranked) []int {
	g.call++
	g.grades = g.grades[:0]
	for i := range ranking {
		r := &ranking[i]
		if g.level == WholePages {
			if g.seen[r.Page] == g.call {
				continue
			}
			g.seen[r.Page] = g.call
		}
		grade := evaluation.Unjudged
		if page := g.of.pages[r.Page]; page != nil {
			grade = page.grade
			if g.level == Passages {
				grade = g.passage(page, r)
			}
		}
		g.grades = append(g.grades, grade)
	}
	return g.grades
}

// passage grades a result on a judged page.
func (g *Grader) passage(page *judgedPage, r *Ranked) int {
	grade := evaluation.Unjudged
	for i := range page.spans {
		s := &page.spans[i]
		if s.start >= r.End {
			break
		}
		shared := min(s.end, r.End) - max(s.start, r.Start)
		if shared <= 0 || s.section != "" && s.section != r.Section {
			continue
		}
		grade = max(grade, 0)
		if 2*shared >= s.end-s.start && g.earned[s.index] != g.call {
			g.earned[s.index] = g.call
			grade = max(grade, s.grade)
		}
	}
	return grade
}
