// Package kept is the evidence of a query as plain data, for those who keep it: what a
// search found, what was read to complete it, and the texts. It can be written as JSON
// and read again. Whoever reads it may not trust it: nothing in it is out of range after
// [Found.Check] and [Completion.Check].
//
// Chunks are named by their index in [Found.Rows], and pages by theirs in
// [Found.Documents].
package kept

import (
	"time"

	"github.com/webrag/webrag-tui/store"
)

// None stands for a row that there is not.
const None = -1

// Found is what a search found, with all chunks that the evidence knows. The vector of
// the query is not kept: ranking needs none.
type Found struct {
	Query string `json:"query"`
	// Scope is nil where all of the corpus was searched.
	Scope *store.Scope `json:"scope,omitempty"`
	// Cut says that the query was longer than what is searched, Blank that it was not
	// searched at all.
	Cut   bool `json:"cut,omitempty"`
	Blank bool `json:"blank,omitempty"`
	// Dimensions are those of the query's vector, 0 where it was not embedded, and
	// EmbedError is why; Directionless says that all of them are 0.
	Dimensions    int    `json:"dimensions"`
	Directionless bool   `json:"directionless,omitempty"`
	EmbedError    string `json:"embed_error,omitempty"`
	// Now is when it was gathered, from which the age of pages is counted.
	Now         time.Time         `json:"now"`
	Foreign     bool              `json:"foreign,omitempty"`
	Lexical     bool              `json:"lexical,omitempty"`
	Stats       store.Stats       `json:"stats"`
	Hidden      store.Hidden      `json:"hidden"`
	Calibration store.Calibration `json:"calibration"`
	Coverage    Coverage          `json:"coverage"`
	Documents   []Document        `json:"documents"`
	Rows        []Row             `json:"rows"`
	// Nearest is the vector arm, by similarity descending.
	Nearest []Hit   `json:"nearest"`
	Keyword Keyword `json:"keyword"`
	// Reading is the reading order of all sections in scope, where AllParents says
	// that they are known.
	AllParents bool    `json:"all_parents,omitempty"`
	Reading    []int32 `json:"reading,omitempty"`
}

// Coverage is how far was searched, and how.
type Coverage struct {
	// Rows is what each arm was asked for, OwnRows what the parameters wanted of it.
	Rows    int `json:"rows"`
	OwnRows int `json:"own_rows"`
	// Search to FeedbackWeight are the parameters that decide what a search returns;
	// those of feedback are 0 where there is none.
	Search         string  `json:"search"`
	Policy         string  `json:"policy"`
	Iterative      string  `json:"iterative"`
	Ef             int     `json:"ef"`
	Match          string  `json:"match"`
	HeadingWeight  float64 `json:"heading_weight"`
	TitleWeight    float64 `json:"title_weight"`
	FeedbackTerms  int     `json:"feedback_terms,omitempty"`
	FeedbackChunks int     `json:"feedback_chunks,omitempty"`
	FeedbackWeight float64 `json:"feedback_weight,omitempty"`
	// UsedEf is the ef_search of the index, 0 for none.
	UsedEf int  `json:"used_ef,omitempty"`
	Exact  bool `json:"exact,omitempty"`
	// Scanned is how many vectors were compared, Returned how many came back, Missed how
	// many of them the index did not find.
	Scanned  int `json:"scanned"`
	Returned int `json:"returned"`
	Missed   int `json:"missed,omitempty"`
	// System says that an index was asked as the system under study does, Asked in words
	// how a database was asked, Keyword that words were searched for.
	System  bool     `json:"system,omitempty"`
	Asked   []string `json:"asked,omitempty"`
	Keyword bool     `json:"keyword,omitempty"`
}

// Document is a page.
type Document struct {
	ID      string    `json:"id"`
	URL     string    `json:"url"`
	Title   string    `json:"title"`
	Fetched time.Time `json:"fetched"`
}

// Row is a chunk: a section or a passage.
type Row struct {
	ID string `json:"id"`
	// Names are nil for a passage that is called as its section is.
	Names    *Names `json:"names,omitempty"`
	Document int32  `json:"doc"`
	// Parent is the section of a passage, [None] where there is none; it stands before
	// its passages.
	Parent int32 `json:"in"`
	Index  int32 `json:"n"`
	Depth  int32 `json:"depth,omitempty"`
	// Chars and Tokens are where it begins and ends in its page.
	Chars      [2]int32    `json:"chars"`
	Tokens     [2]int32    `json:"tokens"`
	HTMLTokens int32       `json:"html,omitempty"`
	Flags      store.Flags `json:"flags,omitempty"`
	Child      bool        `json:"child,omitempty"`
	// Outside says that an edge led here, out of the query's scope.
	Outside bool `json:"outside,omitempty"`
}

// Names are what a chunk is called.
type Names struct {
	Heading string   `json:"heading"`
	Anchor  string   `json:"anchor,omitempty"`
	Path    []string `json:"path"`
}

// Hit is a row that the vector arm found.
type Hit struct {
	Row   int32   `json:"row"`
	Score float64 `json:"score"`
	// Missed marks what only an exact search finds.
	Missed bool `json:"missed,omitempty"`
}

// Keyword is what the keyword arm found.
type Keyword struct {
	// Rows are by score descending.
	Rows  []KeywordHit     `json:"rows"`
	Terms []store.TermStat `json:"terms"`
	// Own is how many of Terms are the query's own, which come first.
	Own int `json:"own"`
	// Children and MeanLength are those of the corpus, Matches is how many rows hold the
	// terms.
	Children   int                `json:"children"`
	Matches    int                `json:"matches"`
	MeanLength store.FieldLengths `json:"mean_length"`
	Fields     store.FieldWeights `json:"fields"`
	Sampled    bool               `json:"sampled,omitempty"`
	Unindexed  bool               `json:"unindexed,omitempty"`
	Possible   bool               `json:"possible,omitempty"`
	// Error is why the arm failed, Missing why there is none, Run when it ran.
	Error   string `json:"error,omitempty"`
	Missing string `json:"missing,omitempty"`
	Run     string `json:"run,omitempty"`
}

// KeywordHit is a row that the keyword arm found, with the counts of words in its text,
// headings and title that the score is made of: of the whole row, and of each term.
type KeywordHit struct {
	Row    int32      `json:"row"`
	Score  float64    `json:"score"`
	Length [3]int32   `json:"length"`
	Counts [][3]int32 `json:"counts"`
}

// Completion is what was read after the search, but for texts.
type Completion struct {
	Timing   Timing     `json:"timing"`
	Metadata []Metadata `json:"metadata,omitempty"`
	Graph    Graph      `json:"graph"`
	// Answers are what rerankers said, by what they were asked.
	Answers map[string]Answer `json:"answers,omitempty"`
	// Changed says that the corpus was written meanwhile.
	Changed bool `json:"changed,omitempty"`
}

// Timing is how long each part took.
type Timing struct {
	Mode   time.Duration `json:"mode"`
	Embed  time.Duration `json:"embed"`
	Search time.Duration `json:"search"`
	Rows   time.Duration `json:"rows"`
	Texts  time.Duration `json:"texts"`
	Edges  time.Duration `json:"edges"`
	Rerank time.Duration `json:"rerank"`
}

// Metadata is what is known of a page beyond its address.
type Metadata struct {
	Document   int32             `json:"doc"`
	SourceType string            `json:"source_type,omitempty"`
	Filename   string            `json:"filename,omitempty"`
	DocPath    string            `json:"doc_path,omitempty"`
	Owner      string            `json:"owner,omitempty"`
	Tags       []string          `json:"tags"`
	Values     map[string]string `json:"values"`
	IndexedAt  time.Time         `json:"indexed_at"`
}

// Graph are the edges that were read.
type Graph struct {
	Edges []Edge `json:"edges,omitempty"`
	// Nodes are the rows whose edges were read.
	Nodes []Node `json:"nodes,omitempty"`
	// Capped counts the nodes that may have more edges.
	Capped int `json:"capped,omitempty"`
	// Missing says why there are no edges at all, Error why they could not be read.
	Missing string `json:"missing,omitempty"`
	Error   string `json:"error,omitempty"`
}

// Edge leads from one row to another.
type Edge struct {
	ID          string         `json:"id"`
	Source      int32          `json:"from"`
	Target      int32          `json:"to"`
	Relation    store.Relation `json:"relation"`
	Weight      float64        `json:"weight"`
	Description string         `json:"description,omitempty"`
}

// Node is a row with the edges that begin and those that end there, as indices.
type Node struct {
	Row int32   `json:"row"`
	Out []int32 `json:"out,omitempty"`
	In  []int32 `json:"in,omitempty"`
}

// Answer is what a reranker said of chunks, by their ids, or why it said nothing.
type Answer struct {
	By     string             `json:"by"`
	Scale  string             `json:"scale"`
	Scores map[string]float64 `json:"scores"`
	Asked  []string           `json:"asked"`
	// Invalid counts scores for no candidate.
	Invalid int      `json:"invalid,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Error   string   `json:"error,omitempty"`
}

// Text is the text of a chunk in its two forms. Gone says that it was not in the corpus
// any more when it was asked for.
type Text struct {
	Markdown string `json:"markdown"`
	HTML     string `json:"html,omitempty"`
	Gone     bool   `json:"gone,omitempty"`
}

// Words are the words of a text that is not kept, to compare it with others.
type Words struct {
	// Digest is that of the text, Words have eight bytes for each different word.
	Digest []byte `json:"digest"`
	Words  []byte `json:"words"`
}

// Evidence is all of it.
type Evidence struct {
	Found
	Completion
	// Texts and Words are by chunk id. What has a text has no words.
	Texts map[string]Text
	Words map[string]Words
}
