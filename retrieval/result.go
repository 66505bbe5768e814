package retrieval

import (
	"cmp"
	"time"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
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
	Mode param.Mode
	// Items are grouped by source document, best group first, and in reading
	// order within a group. Rank holds the order by score.
	Items []Item
	// NearMisses are the best candidates that a stage dropped, best first: what a
	// list shows faintly under its cuts. They carry no texts until Extend is
	// asked for them.
	NearMisses  []Item
	QueryVector []float32
	Stats       CorpusStats
	Timing      Timing
	Notices     []Notice
	Trace       *Trace
	// ChildrenFound counts the children that the vector arm returned within the
	// limit, ChildrenKept those of them above the floor, ParentsFound their
	// distinct parents, or in full context all parents in scope. KeywordFound
	// counts the rows of the keyword arm within the limit.
	ChildrenFound, ChildrenKept, ParentsFound, KeywordFound int
	// Terms are the keyword arm's query terms; nil without that arm.
	Terms []store.TermStat
	// Tokens is the sum of the items' markdown tokens, SurfaceTokens that of
	// the selected surfaces; Budget the limit.
	Tokens, SurfaceTokens, Budget int
	// Floor is the similarity floor that was applied, on both scales.
	Floor param.Floor
}

// IsEmpty reports whether nothing came back.
func (r *Result) IsEmpty() bool { return len(r.Items) == 0 }

// mostNearest is how many sections [Result.Nearest] lists.
const mostNearest = 5

// Nearest are the sections that came nearest where nothing came back, the nearest
// first and each once, at most five; nil where something did.
func (r *Result) Nearest() []*Item {
	if !r.IsEmpty() {
		return nil
	}
	var nearest []*Item
	seen := map[string]bool{}
	for i := range r.NearMisses {
		it := &r.NearMisses[i]
		section := cmp.Or(it.ParentID, it.ChunkID)
		if !seen[section] && len(nearest) < mostNearest {
			nearest = append(nearest, it)
		}
		seen[section] = true
	}
	return nearest
}

// TopScore is the score of the first rank, 0 for an empty result. It is the
// highest, unless a reranker left out some whose old scores are.
func (r *Result) TopScore() float64 {
	for i := range r.Items {
		if r.Items[i].Rank == 1 {
			return r.Items[i].Score
		}
	}
	return 0
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

// Item is one result: a section, or with unit chunk a child or a run of
// neighbouring children.
type Item struct {
	// ChunkID is opaque. ParentID is the section of a child, empty for a section.
	ChunkID, DocumentID, ParentID string
	Level                         store.Level
	SourceURL, Title              string
	SectionHeading                string
	HeadingPath                   []string
	Anchor                        string
	ChunkIndex                    int
	// Part is which part of its section it is, from 1, of Parts, where a section was cut
	// into several; both are 0 for a whole one. Ranking does not know: who reads the page does.
	Part, Parts int
	// CharStart to TokenEnd are offsets in the document's markdown.
	CharStart, CharEnd, TokenStart, TokenEnd int
	// Rank is the place by score, from 1; in full context the reading order.
	Rank int
	// Score is 1.0 in full context, otherwise what the last scoring stage made it.
	// Scale says what it may be compared with.
	Score float64
	Scale string
	// RawSimilarity is the best child's cosine; HasRaw is false in full context and
	// for what the vector arm did not find.
	RawSimilarity float64
	HasRaw        bool
	// Vector and Keyword are the best rows in each arm, nil where it found none.
	Vector, Keyword *ArmPlace
	// Hop is 0 for what a search found and otherwise how many edges away from it
	// the item is. GraphContext are up to three paths to it, the best first; nil
	// for what a search found. EdgesIn are the same for seeds that edges reach,
	// too.
	Hop          int
	GraphContext []GraphPath
	EdgesIn      []GraphPath
	// Rerank is what a reranker said; nil when none did.
	Rerank *RerankPlace
	// Merged are the ids of the chunks that were joined, in order; nil for an
	// item of one chunk.
	Merged []string
	// Document is the metadata of the item's page, which all items of it share; nil where
	// none was read. See [Item.Meta].
	Document *DocumentMeta
	Depth    int
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

// SectionID is the id of the section that the item belongs to, which is the item itself
// where it is no child.
func (it *Item) SectionID() string { return cmp.Or(it.ParentID, it.ChunkID) }

// Meta is the metadata of the item's page, without any where none was read.
func (it *Item) Meta() DocumentMeta {
	if it.Document == nil {
		return DocumentMeta{}
	}
	return *it.Document
}

// Tokens is the item's length in markdown tokens.
func (it *Item) Tokens() int { return it.TokenEnd - it.TokenStart }

// Match is a child that matched, with its place in the document.
type Match struct {
	ChunkID            string
	CharStart, CharEnd int
	Similarity         float64
	// Rank is the child's place in the vector arm, from 1; 0 when that arm did not
	// find it. KeywordRank is that in the keyword arm, BM25 its score there.
	Rank        int
	KeywordRank int
	BM25        float64
}

// ArmPlace is a row of an arm: the best of an item's.
type ArmPlace struct {
	// ChunkID is the child that was found, Rank its place, from 1.
	ChunkID string
	Rank    int
	// Score is the cosine, or the BM25 score; Contribution is what the arm adds
	// to the fused score of the item's best child, before that is scaled. Without
	// fusion it is Score.
	Score, Contribution float64
	// Words are the BM25 shares of the query's terms, in their order; nil in the
	// vector arm. They add up to Score.
	Words []WordShare
}

// WordShare is what one query term adds to a BM25 score.
type WordShare struct {
	Term string
	// TF is how often the chunk holds it in each field that is searched, DF how many
	// chunks hold it in any.
	TF store.FieldCounts
	DF int
	// Weight is how much the term counts: how often the query repeats it.
	Weight, Share float64
	// Added says that the query does not have the term: feedback added it.
	Added bool
}

// GraphPath is an edge that led to an item: its last step, with the arithmetic of
// its term.
type GraphPath struct {
	FromChunkID, FromHeading string
	// Relation and Description are the edge's; Weight too, in (0, 1].
	Relation, Description string
	Weight                float64
	// Reversed says that the edge was walked from its target to its source.
	Reversed bool
	// Hop is how many edges away from a seed it leads, Decay that hop's weight;
	// Term is graph weight × Decay × Weight.
	Hop         int
	Decay, Term float64
}

// RerankPlace is what a reranker said about an item.
type RerankPlace struct {
	// By names the model, Scale says what its scores mean.
	By, Scale string
	// Score is the reranker's; Scored is false when it said nothing about this
	// item. Before and After are its ranks around the reranking, from 1.
	Score         float64
	Scored        bool
	Before, After int
}

// DocumentMeta is what is known of a result's page beyond its address.
type DocumentMeta struct {
	SourceType, Filename, DocPath string
	Owner                         string
	Tags                          []string
	Metadata                      map[string]string
	IndexedAt                     time.Time
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
	// Placeless is Text for those who keep it, where that may name a place: a server, an
	// address, what a server said. It is empty where Text names none.
	Placeless string `json:"-"`
	// screen is Text as a screen says it, where that calls parameters otherwise.
	screen string
}

// Shown is the text as a screen says it, which calls parameters by their names there.
func (n *Notice) Shown() string { return cmp.Or(n.screen, n.Text) }

// reason is why something failed, or who said something: as the user is told, and for
// those who keep it, without the places that it may name.
type reason struct{ said, placeless string }

// ours is a reason in words of ours, which name no place.
func ours(said string) reason { return reason{said, said} }

func (w *reason) isNone() bool { return w.said == "" }

// Trace records the stages of a retrieval in order.
type Trace struct{ Stages []Stage }

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
	// Reason is a stable code, such as [phrase.ReasonBelowFloor]: Value failed against
	// Threshold.
	Reason           string
	Value, Threshold float64
	// Rank is the candidate's place when it was dropped, from 1.
	Rank int
	// Of is the better candidate that this one repeats, for duplicates.
	Of string
	// Arm is the arm of a row that was dropped before both were fused, see
	// [param.StageVector]; the other arm may still hold the chunk.
	Arm string
}

// Worded is what decided, to be put into words.
func (d *Drop) Worded() phrase.Reason {
	why := phrase.Reason{Code: d.Reason, Value: d.Value, Threshold: d.Threshold, Arm: d.Arm}
	if d.Reason == phrase.ReasonBeyondTopK {
		why.Setting = param.Called(param.FieldTopK)
	}
	return why
}

// Merge is a candidate that became part of another.
type Merge struct{ From, Into string }

// Op is how an explanation's value follows from its children.
type Op string

// The operations, from left to right over the children that are no notes.
const (
	OpLeaf     Op = "leaf" // a number that is given; its children are notes at most
	OpSum      Op = "sum"
	OpProduct  Op = "product"
	OpQuotient Op = "quotient" // the first child by the second
	OpMax      Op = "max"
	OpClamp    Op = "clamp" // the second child, but at least the first
	OpNote     Op = "note"  // beside the arithmetic: no part of its parent's value, and not recomputed
)

// Explanation is a score taken apart: recomputed from the leaves it equals the
// score bit for bit.
type Explanation struct {
	Op    Op      `json:"op"`
	Value float64 `json:"value"`
	// Label names the number; Formula shows how it was made; Scale says what it
	// may be compared with.
	Label   string `json:"label"`
	Formula string `json:"formula,omitempty"`
	Scale   string `json:"scale,omitempty"`
	// Fields name the parameters that enter here, as [param.Spec] does, divided by
	// commas; empty for none.
	Fields   string         `json:"fields,omitempty"`
	Children []*Explanation `json:"children,omitempty"`
}

// IsMultiplier reports that the value is a pure number by which a score is multiplied.
func (e *Explanation) IsMultiplier() bool { return e.Scale == scaleMultiplier }
