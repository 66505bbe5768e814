package retrieval

import (
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/wordset"
	"github.com/webrag/webrag-tui/store"
)

// Evidence is what was gathered for one query: which children each arm found,
// which sections they belong to, which edges lead on, and how much there is. It
// holds ids and numbers, about 200 bytes a candidate; the texts that Extend
// fetched are kept beside them. An Evidence is never changed, so it may be used
// from several goroutines.
type Evidence struct {
	query Query
	// isCut says that the query was longer than what is searched.
	isCut bool
	// blank queries reached neither the embedder nor the store.
	blank bool
	// vector is the query's unit vector, nil when nothing was embedded and where it
	// was not kept; dimensions are its own, directionless says that it is all zeros.
	// embedErr is why nothing was embedded although it should have been.
	vector        []float32
	dimensions    int
	directionless bool
	embedErr      reason

	// now is when the evidence was gathered: pages grow old by it.
	now         time.Time
	version     int64
	foreign     bool // another program made the corpus
	stats       store.Stats
	hidden      store.Hidden
	lexical     bool
	calibration store.Calibration
	coverage    coverage
	timing      gatherTiming

	// rows are the chunks known, in no order; the arms, the reading order and the
	// graph point into them. Extend adds to their end.
	rows      []row
	documents []documentRow
	// nearest is the vector arm, by similarity descending, then id.
	nearest []armRow
	keyword keywordArm
	// reading is the order of all parents in scope by depth, URL and index. It
	// is nil unless coverage.allParents.
	reading []int32
	graph   graphRows

	texts map[string]texts
	// words are the token sets of the chunks whose texts were read.
	words wordset.Sets
	// answers are what rerankers said, by what they were asked.
	answers map[string]rerankAnswer
	// changed says that the corpus was written between Gather and Extend.
	changed bool
}

// coverage is how far Gather asked, and how.
type coverage struct {
	// rows is what each arm was asked for, armRows what the preset wanted of it.
	rows, armRows int
	way           SearchWay
	// usedEf is the ef_search of the index, 0 for none.
	usedEf int
	exact  bool
	// scanned is how many vectors were compared, returned how many came back,
	// missed how many of them the index did not find.
	scanned, returned, missed int
	allParents                bool
	// system says that an index was asked as the system under study does.
	system bool
	// asked says in words how a database was asked.
	asked []string
	// keyword says that the keyword arm was asked.
	keyword bool
}

// SearchWay holds the parameters that decide what a search returns, but for how many
// rows: two that are equal find the same.
type SearchWay struct {
	index struct {
		search    param.Search
		policy    param.SearchPolicy
		iterative param.IterativeScan
		ef        int
	}
	match param.KeywordMatch
	// words decide what each word counts.
	words struct {
		heading, title float64
		// terms, chunks and weight are those of feedback, all 0 where there is none.
		terms, chunks int
		weight        float64
	}
}

// WayOf is how p searches.
func WayOf(p param.Params) (w SearchWay) {
	w.index.search, w.index.policy, w.index.iterative, w.index.ef = p.Search, p.SearchPolicy, p.IterativeScan, p.HNSWEfSearch
	w.match, w.words.heading, w.words.title = p.KeywordMatch, p.HeadingWeight, p.TitleWeight
	if p.UsesFeedback() {
		w.words.terms, w.words.chunks, w.words.weight = p.FeedbackTerms, p.FeedbackChunks, p.FeedbackWeight
	}
	return w
}

type gatherTiming struct {
	mode, embed, search, rows, texts, edges, rerank time.Duration
}

// reading is all the time that was not spent on embedding.
func (t *gatherTiming) reading() time.Duration {
	return t.mode + t.search + t.rows + t.texts + t.edges + t.rerank
}

// noRow marks what is not in the evidence.
const noRow = -1

// row is a chunk: a section or a child.
type row struct {
	id string
	// names is nil for children whose names are their section's, as most are: the
	// evidence is small.
	names    *names
	document int32 // index in documents
	// parent is the child's section, noRow for sections and for children whose
	// section is missing.
	parent               int32
	index, depth         int32
	charStart, charEnd   int32
	tokenStart, tokenEnd int32
	htmlTokens           int32
	flags                store.Flags
	isChild              bool
	// outside says that an edge led here, out of the query's scope.
	outside bool
}

// own is the innermost heading.
func (n *names) own() string {
	if len(n.path) > 0 {
		return n.path[len(n.path)-1]
	}
	return n.heading
}

// level is the level of a row.
func (r *row) level() store.Level {
	if r.isChild {
		return store.Child
	}
	return store.Parent
}

// names are what a chunk is called.
type names struct {
	heading, anchor string
	path            []string
}

func (r *row) tokens() int { return int(r.tokenEnd - r.tokenStart) }

type documentRow struct {
	id, url, title string
	fetchedAt      time.Time
	meta           *DocumentMeta // nil until it was read
}

// armRow is a hit of the vector arm.
type armRow struct {
	row   int32
	score float64
	// missed marks what only an exact search finds.
	missed bool
}

// keywordArm is what the keyword arm found.
type keywordArm struct {
	rows  []keywordRow
	terms []store.TermStat
	// own is how many of terms are the query's own, which come first; the others are
	// of its feedback.
	own int
	// children and meanLength are those of the whole corpus; matches is how many
	// rows hold the terms.
	children, matches int
	meanLength        store.FieldLengths
	fields            store.FieldWeights
	sampled           bool
	// unindexed says that texts were read one by one, possible that they can be
	// where missing says that there is no index.
	unindexed, possible bool
	// err is why the arm failed, missing why there is none; run says when it ran if
	// the store has a choice.
	err          reason
	missing, run string
}

// keywordRow is a hit of the keyword arm, with the counts that its score is made
// of.
type keywordRow struct {
	row    int32
	length fieldCounts
	score  float64
	counts []fieldCounts
}

// fieldCounts are store.FieldCounts in half the memory.
type fieldCounts struct{ body, heading, title int32 }

func compactCounts(c store.FieldCounts) fieldCounts {
	return fieldCounts{int32(c.Body), int32(c.Heading), int32(c.Title)}
}

func (c fieldCounts) wide() store.FieldCounts {
	return store.FieldCounts{Body: int(c.body), Heading: int(c.heading), Title: int(c.title)}
}

// texts are the two forms of a chunk; gone says that it was not found when they
// were asked for.
type texts struct {
	markdown, html string
	gone           bool
}

// Covers reports whether the evidence reaches far enough for p, and if not why.
func (ev Evidence) Covers(p param.Params) (ok bool, why string) {
	if ev.blank || ev.isEmpty() {
		return true, ""
	}
	if mode, _, _ := decideMode(p, ev.stats); mode == param.ModeFullContext && !ev.coverage.allParents {
		return false, fmt.Sprintf("only some of the %d sections in scope were read", ev.stats.Parents)
	}
	have, want := &ev.coverage, WayOf(p)
	if p.ArmRows() > have.rows && (have.returned >= have.rows || len(ev.keyword.rows) >= have.rows) {
		return false, fmt.Sprintf("the search returned %d rows", have.rows)
	}
	switch {
	case p.KeywordWeight == 0:
	case !have.keyword && (ev.keyword.missing == "" || ev.keyword.possible && p.KeywordUnindexed):
		return false, "no keywords were searched"
	case have.keyword && want.match != have.way.match:
		return false, fmt.Sprintf("the words were searched with match %s", have.way.match)
	case have.keyword && want.words != have.way.words:
		return false, "the words were searched with other weights"
	}
	switch {
	case ev.directionless || have.exact:
	case want.index != have.way.index:
		return false, fmt.Sprintf("the index was searched with ef_search %d", have.usedEf)
	// Without iterative scan a smaller limit returns the first rows of a larger one.
	// With it, only the limit that was asked is known.
	case p.ArmRows() > have.armRows && have.system && want.index.iterative != param.ScanOff:
		return false, fmt.Sprintf("the index was asked for %d rows", have.armRows)
	}
	return true, ""
}

// namesOf are the names of a row, or of its section.
func (ev *Evidence) namesOf(at int32) *names {
	r := &ev.rows[at]
	if r.names == nil && r.parent != noRow {
		return ev.namesOf(r.parent)
	}
	if r.names == nil {
		return &names{}
	}
	return r.names
}

// isEmpty reports that there is nothing in scope.
func (ev *Evidence) isEmpty() bool { return ev.stats.Parents == 0 && ev.stats.Children == 0 }
