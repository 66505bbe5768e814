package retrieval

import (
	"time"

	"github.com/webrag/webrag-tui/store"
)

// Mode says how a result was made.
type Mode string

// The modes. ModeAuto is a request only.
const (
	ModeAuto        Mode = "auto"
	ModeFullContext Mode = "full_context"
	ModeChunk       Mode = "chunk"
)

// Surface says which form of a section is handed on.
type Surface string

// The surfaces.
const (
	SurfaceMarkdown Surface = "markdown"
	SurfaceHTML     Surface = "html"
)

// Result is what a query returned, with everything that explains it.
type Result struct {
	Mode Mode
	// Items are grouped by source document, best group first, and in reading
	// order within a group. Rank holds the order by score.
	Items []Item
	// Below are the best candidates that a stage dropped, best first: what a
	// list shows faintly under its cuts. They carry no texts until Extend is
	// asked for them.
	Below       []Item
	QueryVector []float32
	Stats       CorpusStats
	Timing      Timing
	Notices     []Notice
	Trace       *Trace
	// ChildrenFound counts the children that the search returned within the
	// limit, ChildrenKept those of them above the floor, ParentsFound their
	// distinct parents, or in full context all parents in scope.
	ChildrenFound, ChildrenKept, ParentsFound int
	// Tokens is the sum of the items' markdown tokens, SurfaceTokens that of
	// the selected surfaces; Budget the limit.
	Tokens, SurfaceTokens, Budget int
	// Floor is the similarity floor that was applied, on both scales.
	Floor Floor
}

// IsEmpty reports whether nothing came back.
func (r *Result) IsEmpty() bool { return len(r.Items) == 0 }

// TopScore is the highest score, 0 for an empty result.
func (r *Result) TopScore() float64 {
	top := 0.0
	for i := range r.Items {
		if i == 0 || r.Items[i].Score > top {
			top = r.Items[i].Score
		}
	}
	return top
}

// SourceURLs are the URLs of the items, each once, in order.
func (r *Result) SourceURLs() []string {
	seen := map[string]bool{}
	var urls []string
	for i := range r.Items {
		if u := r.Items[i].SourceURL; !seen[u] {
			seen[u] = true
			urls = append(urls, u)
		}
	}
	return urls
}

// Item is one section of a result.
type Item struct {
	ChunkID, DocumentID, ParentID string
	SourceURL, Title              string
	SectionHeading                string
	HeadingPath                   []string
	Anchor                        string
	ChunkIndex                    int
	// CharStart to TokenEnd are offsets in the document's markdown.
	CharStart, CharEnd, TokenStart, TokenEnd int
	// Rank is the place by score, from 1; in full context the reading order.
	Rank int
	// Score is 1.0 in full context, otherwise the depth-adjusted similarity.
	Score float64
	// RawSimilarity is the best child's cosine; HasRaw is false in full context.
	RawSimilarity float64
	HasRaw        bool
	Depth         int
	// CumulativeTokens is what the budget had counted once this section was
	// taken, in order of Rank; 0 below a cut.
	CumulativeTokens int
	Flags            store.Flags
	HTMLTokens       int
	Surface          Surface
	FetchedAt        time.Time
	// Matches are the children that matched, best first. In full context they
	// are the nearest children, which did not select anything.
	Matches []Match
	// Why is set on items below a cut: the reason, the value and the threshold.
	Why *Drop
	// Explanation takes the score apart; nil unless it was asked for.
	Explanation *Explanation

	// ChunkText and HTMLText are filled by Extend; SelectedText follows Surface.
	ChunkText, HTMLText string
}

// SelectedText is the text of the selected surface.
func (it *Item) SelectedText() string {
	if it.Surface == SurfaceHTML {
		return it.HTMLText
	}
	return it.ChunkText
}

// Tokens is the item's length in markdown tokens.
func (it *Item) Tokens() int { return it.TokenEnd - it.TokenStart }

// Match is a child that matched, with its place in the document.
type Match struct {
	ChunkID            string
	CharStart, CharEnd int
	Similarity         float64
	// Rank is the child's place in the vector arm, from 1.
	Rank int
}

// CorpusStats are sums over the corpus in scope.
type CorpusStats struct {
	TotalDocuments, TotalParentChunks, TotalTokens int
	// DocumentsMatched are the URLs that contributed, in result order.
	DocumentsMatched []string
}

// Timing is how long a retrieval took.
type Timing struct {
	Embed, Search, Total time.Duration
}

// Notice is something the user should know about a result.
type Notice struct {
	// Code is stable ("threshold_clamped"); Text is the sentence shown.
	Code string `json:"code"`
	Text string `json:"text"`
	// Warning marks what may be wrong, as opposed to what is good to know.
	Warning bool `json:"warning,omitempty"`
}

// Trace records the stages of a retrieval in order: first what Gather did, then
// the stages of Rank.
type Trace struct {
	Stages []Stage
}

// Stage is one step: In − Dropped − Merged + Added = Out.
type Stage struct {
	Name    string
	In, Out int
	Dropped []Drop
	Merged  []Merge
	Added   int
	// Params are the settings that the stage used, as shown.
	Params map[string]string
	Notes  []string
	// Duration is set by Gather's stages; Rank has no clock.
	Duration time.Duration
}

// Drop is a candidate that a stage removed.
type Drop struct {
	ID string
	// Reason is stable: below_floor, beyond_limit, no_parent, over_budget,
	// after_budget_stop and so on.
	Reason string
	// Value failed against Threshold.
	Value, Threshold float64
	// Rank is the candidate's place when it was dropped, from 1.
	Rank int
}

// Merge is a candidate that became part of another.
type Merge struct{ From, Into string }

// Op is how an explanation's value follows from its children.
type Op string

// The operations. A leaf has no children; clamp is the second child's value
// limited to at least the first's.
const (
	OpLeaf    Op = "leaf"
	OpSum     Op = "sum"
	OpProduct Op = "product"
	OpMax     Op = "max"
	OpClamp   Op = "clamp"
)

// Explanation is a score taken apart: recomputed from the leaves it equals the
// score bit for bit.
type Explanation struct {
	Op    Op      `json:"op"`
	Value float64 `json:"value"`
	// Label names the number; Formula shows how it was made; Scale says what it
	// may be compared with.
	Label    string         `json:"label"`
	Formula  string         `json:"formula,omitempty"`
	Scale    string         `json:"scale,omitempty"`
	Children []*Explanation `json:"children,omitempty"`
}
