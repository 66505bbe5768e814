package param

import (
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// Params are all the settings of a retrieval. A preset is a named value of this
// type; once loaded every field is explicit. Every field has a row in [Specs].
// Values are comparable with ==.
type Params struct {
	// Mode forces full-context or chunk mode; auto decides by corpus size.
	Mode Mode
	// FullContextThreshold is the corpus size in tokens up to which everything
	// is returned. It is clamped to ContextBudget with a notice.
	FullContextThreshold int
	// EmptyQuery says whether a blank query is an empty result or an error.
	EmptyQuery EmptyQuery
	// RequireOwner refuses to search a corpus that has owners without one.
	RequireOwner bool

	// Search asks for an approximate or an exact vector search; an exact store
	// always searches exactly. SearchPolicy says whose settings an index is
	// searched with, IterativeScan and HNSWEfSearch are those settings; an
	// ef_search of 0 is the index's own.
	Search        Search
	SearchPolicy  SearchPolicy
	IterativeScan IterativeScan
	HNSWEfSearch  int
	// TopKChildrenLimit is the most rows taken from each arm, 0 for TopK times
	// Overfetch; see [Params.ArmRows].
	TopKChildrenLimit int
	Overfetch         int
	// SimilarityFloor is the cosine that a row of the vector arm must exceed; -1
	// is off. FloorScale says whether it is a raw or a calibrated similarity.
	SimilarityFloor float64
	FloorScale      FloorScale

	// KeywordWeight is the keyword arm's weight in the fusion, of which the
	// vector arm has the rest; 0 leaves the arm out. KeywordMatch says how the
	// words combine.
	KeywordWeight float64
	KeywordMatch  KeywordMatch
	// KeywordUnindexed lets words be counted text by text where a database has no
	// index of them, up to a bound.
	KeywordUnindexed bool
	// HeadingWeight and TitleWeight say how much a word in the headings above a chunk
	// and in the title of its page counts, where one in its text counts 1; 0 does not
	// search the field.
	HeadingWeight, TitleWeight float64
	// FeedbackTerms is how many words of the best FeedbackChunks of the keyword arm
	// are added to the query (RM3), 0 for none; FeedbackWeight is their share of the
	// weight of all words, from 0 to 1.
	FeedbackTerms, FeedbackChunks int
	FeedbackWeight                float64
	// Fusion says what of the arms is fused: ranks (RRF) or scores. RRFK is the
	// constant of RRF, RRFScale the scale of its scores, SingleArm what becomes
	// of the weights when only one arm found something.
	Fusion    Fusion
	RRFK      int
	RRFScale  RRFScale
	SingleArm SingleArm

	// Unit is what is returned: sections, or the children themselves.
	// MissingParent says what becomes of a child without a section where sections
	// are returned.
	Unit          Unit
	MissingParent MissingParent

	// MaxHops is how far edges are followed from the seeds; 0 leaves the graph
	// out. SeedTopK is the most rows of each arm that become seeds.
	MaxHops  int
	SeedTopK int
	// VectorWeight and GraphWeight weigh seed scores and edges. HopDecay is the
	// weight of each hop; index 0 stands for the seeds.
	VectorWeight, GraphWeight float64
	HopDecay                  HopDecay
	// Bidirectional follows edges from target to source, too. Relations are those
	// followed, MinTraversalScore is the least weight of an edge that is.
	Bidirectional     bool
	Relations         Relations
	MinTraversalScore float64
	// GraphScoring says how seeds and edges add up, GraphFilterScope whether the
	// query's scope holds for what edges find.
	GraphScoring     GraphScoring
	GraphFilterScope GraphFilterScope
	// GraphTopK reserves places among TopK for what edges found; MaxFrontier is
	// the most nodes expanded at each hop. 0 is off.
	GraphTopK, MaxFrontier int

	// DepthDecayRate and DepthFloor: multiplier max(1 - depth*rate, floor).
	DepthDecayRate, DepthFloor float64
	// RecencyHalfLife is the age in days at which a score is halved; 0 is off.
	RecencyHalfLife float64
	// DedupThreshold is the Jaccard similarity of token sets above which the
	// lower of two candidates is dropped, as are equal texts; 0 is off.
	DedupThreshold float64

	// Reranker gives candidates new scores. RerankMinScore is the least score
	// that the score reranker keeps, Unscored what becomes of candidates to which
	// a reranker gave none.
	Reranker       RerankerKind
	RerankMinScore float64
	Unscored       Unscored
	// MinScore is the least score of a result, after reranking; 0 is off. TopK is
	// the most results; 0 is no cap.
	MinScore float64
	TopK     int
	// MergeAdjacent joins neighbouring children of a section.
	MergeAdjacent bool

	// ContextBudget is the most tokens returned. BudgetPolicy is what happens at
	// the first candidate that does not fit, BudgetCount says whose tokens count.
	ContextBudget int
	BudgetPolicy  BudgetPolicy
	BudgetCount   BudgetCount
	// FullContextOverflow is what gives way when the whole corpus is too big.
	FullContextOverflow FullContextOverflow
	// GroupBySource lists results by page; SurfacePolicy selects their form.
	GroupBySource bool
	SurfacePolicy SurfacePolicy

	// Reach says whether more is gathered than these parameters ask for, so that
	// most changes of them need no second search.
	Reach Reach
}

// SendsWhole reports whether a corpus of so many tokens is sent whole, in place of what a
// search would find: up to the threshold, which the budget clamps, unless a mode is forced.
func (p *Params) SendsWhole(tokens int) bool {
	return p.Mode == ModeFullContext || p.Mode != ModeChunk && tokens <= min(p.FullContextThreshold, p.ContextBudget)
}

// ArmRows is the most rows that each arm contributes: the seeds of a graph, else
// TopKChildrenLimit, else TopK times Overfetch.
func (p Params) ArmRows() int {
	switch {
	case p.MaxHops > 0 && p.SeedTopK > 0:
		return p.SeedTopK
	case p.TopKChildrenLimit > 0:
		return p.TopKChildrenLimit
	case p.TopK > 0:
		return min(p.TopK*max(1, p.Overfetch), MostRows)
	default:
		return MostRows
	}
}

// MostRows is the most rows that an arm is ever asked for.
const MostRows = 1000

// Mode says how a result was made.
type Mode string

// The modes. ModeAuto is a request only.
const (
	ModeAuto        Mode = "auto"
	ModeFullContext Mode = "full_context"
	ModeChunk       Mode = "chunk"
)

// The named values of parameters. Each is a word in settings and files.
type (
	// EmptyQuery is empty or error.
	EmptyQuery string
	// Search is ann or exact.
	Search string
	// SearchPolicy is auto, system or safe.
	SearchPolicy string
	// IterativeScan is off, strict or relaxed.
	IterativeScan string
	// FloorScale is auto, raw or calibrated.
	FloorScale string
	// KeywordMatch is auto, and, or or websearch.
	KeywordMatch string
	// Fusion is rrf or convex.
	Fusion string
	// RRFScale is normalized or raw.
	RRFScale string
	// SingleArm is renormalize or keep.
	SingleArm string
	// Unit is parent or chunk.
	Unit string
	// MissingParent is drop or keep.
	MissingParent string
	// GraphScoring is documented or oasis-code.
	GraphScoring string
	// GraphFilterScope is seeds or all.
	GraphFilterScope string
	// RerankerKind is none, score, llm or http.
	RerankerKind string
	// Unscored is demote or keep.
	Unscored string
	// BudgetPolicy is stop or skip.
	BudgetPolicy string
	// BudgetCount is markdown or surface.
	BudgetCount string
	// FullContextOverflow is drop_documents or skip.
	FullContextOverflow string
	// SurfacePolicy is auto or markdown.
	SurfacePolicy string
	// Reach is wide or preset.
	Reach string
)

// The values of the settings above.
const (
	// EmptyIsEmpty returns nothing for a blank query, EmptyIsError refuses it.
	EmptyIsEmpty EmptyQuery = "empty"
	EmptyIsError EmptyQuery = "error"

	// SearchANN lets a store use its index, SearchExact compares every vector.
	SearchANN   Search = "ann"
	SearchExact Search = "exact"

	// PolicyAuto is safe on corpora that this program made and system on others.
	PolicyAuto SearchPolicy = "auto"
	// PolicySystem searches exactly as the system under study does.
	PolicySystem SearchPolicy = SearchPolicy(store.PolicySystem)
	// PolicySafe searches so that the answer is as good as exact.
	PolicySafe SearchPolicy = SearchPolicy(store.PolicySafe)

	// ScanOff, ScanStrict and ScanRelaxed are pgvector's ways to go on when a
	// filter leaves too few rows.
	ScanOff     IterativeScan = IterativeScan(store.IterativeOff)
	ScanStrict  IterativeScan = IterativeScan(store.IterativeStrict)
	ScanRelaxed IterativeScan = IterativeScan(store.IterativeRelaxed)

	// FloorAuto is calibrated for a lexical embedder and raw for others.
	FloorAuto FloorScale = "auto"
	// FloorRaw reads the floor as a cosine.
	FloorRaw FloorScale = "raw"
	// FloorCalibrated reads the floor on the corpus's own scale, on which .3 is
	// above 99.5 % of the similarities of unrelated chunks.
	FloorCalibrated FloorScale = "calibrated"

	// MatchAuto ORs the words; in a database rarest first, up to a bound of rows.
	MatchAuto KeywordMatch = KeywordMatch(store.MatchAuto)
	// MatchAnd wants all words, MatchOr any.
	MatchAnd KeywordMatch = KeywordMatch(store.MatchAnd)
	MatchOr  KeywordMatch = KeywordMatch(store.MatchOr)
	// MatchWebsearch wants all words and phrases and none that has a minus.
	MatchWebsearch KeywordMatch = KeywordMatch(store.MatchWebsearch)

	// FusionRRF is reciprocal rank fusion: only ranks count.
	FusionRRF Fusion = "rrf"
	// FusionConvex is a convex combination of normalised scores.
	FusionConvex Fusion = "convex"

	// RRFNormalized multiplies by k+1, so that first in every arm is 1.
	RRFNormalized RRFScale = "normalized"
	// RRFRaw leaves the sum as it is, at most 1/(k+1).
	RRFRaw RRFScale = "raw"

	// SingleArmRenormalize gives an arm that is alone all the weight.
	SingleArmRenormalize SingleArm = "renormalize"
	// SingleArmKeep leaves it its own.
	SingleArmKeep SingleArm = "keep"

	// UnitParent returns sections, UnitChunk the children that were found.
	UnitParent Unit = "parent"
	UnitChunk  Unit = "chunk"

	// MissingParentDrop leaves out a child without a section, MissingParentKeep
	// returns the child itself.
	MissingParentDrop MissingParent = "drop"
	MissingParentKeep MissingParent = "keep"

	// ScoringDocumented adds seed score and edge term.
	ScoringDocumented GraphScoring = "documented"
	// ScoringOasis scores a node either as a seed or by the first edge.
	ScoringOasis GraphScoring = "oasis-code"

	// FilterSeeds holds the scope against seeds only, FilterAll against all.
	FilterSeeds GraphFilterScope = "seeds"
	FilterAll   GraphFilterScope = "all"

	// RerankerNone keeps the order.
	RerankerNone RerankerKind = "none"
	// RerankerScore drops what scores too low; it needs no model.
	RerankerScore RerankerKind = "score"
	// RerankerLLM asks a language model, RerankerHTTP a /rerank server.
	RerankerLLM  RerankerKind = "llm"
	RerankerHTTP RerankerKind = "http"

	// UnscoredDemote puts candidates without a score below all others.
	UnscoredDemote Unscored = "demote"
	// UnscoredKeep leaves them their old score, on another scale.
	UnscoredKeep Unscored = "keep"

	// BudgetStop ends at the first section that does not fit.
	BudgetStop BudgetPolicy = "stop"
	// BudgetSkip leaves it out and goes on to smaller ones.
	BudgetSkip BudgetPolicy = "skip"

	// CountMarkdown counts the tokens of the markdown, whatever is sent.
	CountMarkdown BudgetCount = "markdown"
	// CountSurface counts the tokens of the selected surface.
	CountSurface BudgetCount = "surface"

	// OverflowDropDocuments removes whole pages, the deepest first.
	OverflowDropDocuments FullContextOverflow = "drop_documents"
	// OverflowSkip walks the sections in reading order and leaves out each that
	// does not fit.
	OverflowSkip FullContextOverflow = "skip"

	// SurfaceAuto prefers HTML where markdown loses structure.
	SurfaceAuto SurfacePolicy = "auto"
	// SurfaceMarkdownOnly never selects HTML.
	SurfaceMarkdownOnly SurfacePolicy = "markdown"

	// ReachWide gathers more rows than are asked for, ReachPreset just those.
	ReachWide   Reach = "wide"
	ReachPreset Reach = "preset"
)

// Relations is a set of relations; the zero value is all of them.
type Relations uint16

// NewRelations makes a set.
func NewRelations(relations ...store.Relation) Relations {
	var set Relations
	for i, r := range store.Relations() {
		if slices.Contains(relations, r) {
			set |= 1 << i
		}
	}
	return set
}

// Has reports whether r is in the set.
func (rs Relations) Has(r store.Relation) bool { return rs == 0 || rs&NewRelations(r) != 0 }

// List is the set in its fixed order, all of them for the zero value.
func (rs Relations) List() []store.Relation {
	return slices.DeleteFunc(store.Relations(), func(r store.Relation) bool { return !rs.Has(r) })
}

// String is the relations separated by commas, or "all".
func (rs Relations) String() string {
	if rs == 0 {
		return allRelations
	}
	return strings.Join(words(rs.List()...), ",")
}

const allRelations = "all"

// MostHops bounds MaxHops, and with it the list of decays.
const MostHops = 8

// HopDecay holds a weight for each hop, from 0 for the seeds; at most nine.
type HopDecay struct {
	n      int
	values [MostHops + 1]float64
}

// NewHopDecay makes a list; what is beyond nine values is left out.
func NewHopDecay(values ...float64) HopDecay {
	var d HopDecay
	d.n = copy(d.values[:], values)
	return d
}

// Len is the number of weights.
func (d HopDecay) Len() int { return d.n }

// At is the weight of a hop, false when the list ends before it.
func (d HopDecay) At(hop int) (weight float64, ok bool) {
	if hop < 0 || hop >= d.n {
		return 0, false
	}
	return d.values[hop], true
}

// String is the weights separated by commas: "1,0.7,0.5".
func (d HopDecay) String() string {
	weights := make([]string, d.n)
	for i := range weights {
		weights[i] = phrase.Number(d.values[i])
	}
	return strings.Join(weights, ",")
}

// UsesFeedback says that the words of a query are added to.
func (p *Params) UsesFeedback() bool {
	return p.FeedbackTerms > 0 && p.FeedbackWeight > 0 && p.takesFeedback()
}

// takesFeedback says that words may be added to a query: one that wants all of its
// words, or phrases, means just those.
func (p *Params) takesFeedback() bool {
	return p.KeywordMatch == MatchAuto || p.KeywordMatch == MatchOr
}
