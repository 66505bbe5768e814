package store

// Search asks one or both arms in one go.
type Search struct {
	Scope Scope
	// Vector is the query's unit vector, nil to leave the arm out. Its length
	// must be the corpus's dimension.
	Vector []float32
	// VectorRows is how many rows the vector arm returns at most. OwnRows, at most
	// that, is how many of them the strategy itself asks for: the rest are near
	// misses and room to move. 0 means all of them.
	VectorRows, OwnRows int
	// Exact asks for a scan of all vectors in scope where the store would use an
	// index. EfSearch and Iterative are for that index and mean nothing to an
	// exact store; an EfSearch of 0 is the index's own.
	Exact     bool
	EfSearch  int
	Iterative Iterative
	// Policy says whose settings the index is searched with.
	Policy Policy
	// Explain asks for the plan of the vector arm ([Asked.Plan]), where there is one.
	Explain bool
	// Terms are the query's distinct keyword terms, as [Terms] makes them, nil to
	// leave the arm out; KeywordRows is the most rows it returns.
	Terms       []string
	KeywordRows int
	Match       Match
	// TermWeights say how much each of Terms counts: how often the query repeats it,
	// or what feedback gives it. nil stands for 1 each.
	TermWeights []float64
	// Fields says which fields beside the body are searched.
	Fields FieldWeights
	// Unindexed lets the keyword arm read texts one by one, up to a bound, where
	// there is no index of words; see [Info.Unindexed].
	Unindexed bool
	// Phrases and Excluded are those of a web search: each phrase is a run of
	// terms that must follow one another, no row holds an excluded term, or run of
	// terms separated by single spaces. Only [MatchWebsearch] reads them. The terms
	// of phrases are among Terms, excluded ones are not. [Websearch] makes them. A
	// phrase lies within one field that is searched; what is excluded is in none.
	Phrases  [][]string
	Excluded []string
}

// Iterative says whether an index goes on searching when a filter leaves too
// few rows.
type Iterative string

// The ways of pgvector (hnsw.iterative_scan).
const (
	IterativeOff     Iterative = "off"
	IterativeStrict  Iterative = "strict"
	IterativeRelaxed Iterative = "relaxed"
)

// Policy says how an approximate index is asked.
type Policy string

// The policies. An exact store has no use for them.
const (
	// PolicySystem asks exactly as the system under study does: its ef_search,
	// its iterative scan, no exact fallback.
	PolicySystem Policy = "system"
	// PolicySafe asks so that the answer is as good as exact.
	PolicySafe Policy = "safe"
)

// Match says how keyword terms combine.
type Match string

// The ways to combine.
const (
	// MatchAuto ORs the terms. Where the cost of a search grows steeply with its
	// matches, as in a database, it leaves common ones out: the terms find rows, rarest
	// first, while the sum of their document frequencies is at most 20,000 rows. All
	// terms score.
	MatchAuto Match = "auto"
	// MatchAnd finds rows with all terms, MatchOr rows with any.
	MatchAnd Match = "and"
	MatchOr  Match = "or"
	// MatchWebsearch finds rows with all terms and phrases and none of what is
	// excluded, as web search engines do.
	MatchWebsearch Match = "websearch"
)

// Found is what a search returned and how it was done.
type Found struct {
	Vector  []VectorRow
	Keyword []KeywordRow
	// Terms describes the query's terms in the order of Search.Terms.
	Terms []TermStat
	// KeywordRows is the number of searchable children in the corpus, which are those
	// with a term in any field, and AvgLength their mean number of terms, whatever the
	// scope. Fields are those of the search.
	KeywordRows int
	AvgLength   FieldLengths
	Fields      FieldWeights
	// KeywordSampled says that the terms have so many matches that not all of
	// them were ranked.
	KeywordSampled bool
	// KeywordMatches is how many rows match, in scope, as far as was counted: with
	// KeywordSampled it is a lower bound.
	KeywordMatches int
	// KeywordRun says in words when the keyword arm ran if the vector arm did, too:
	// at once, or after it and why. It is empty where there is nothing to choose.
	KeywordRun string
	// KeywordErr is why the keyword arm failed while the vector arm did not; its
	// rows are missing then. Without a vector arm the search fails instead.
	KeywordErr error
	// VectorScanned is how many vectors were compared, VectorReturned and
	// KeywordReturned what came back. Exact says that no approximation was used.
	VectorScanned, VectorReturned, KeywordReturned int
	Exact                                          bool
	// EfSearch is what an index was searched with, 0 for an exact search.
	EfSearch int
	// Vectors says how the vector arm was asked, where that is a question.
	Vectors Asked
	// KeywordUnindexed says that texts were read one by one. If KeywordSampled,
	// too, these were not all: then Rows, AvgLength and the frequencies of terms
	// are those of what was read.
	KeywordUnindexed bool
}

// TakeKeyword takes over what a search of the keyword arm alone has found.
func (f *Found) TakeKeyword(from *Found) {
	f.Keyword, f.Terms, f.KeywordRows, f.AvgLength = from.Keyword, from.Terms, from.KeywordRows, from.AvgLength
	f.KeywordSampled, f.KeywordMatches, f.KeywordReturned = from.KeywordSampled, from.KeywordMatches, from.KeywordReturned
	f.KeywordUnindexed = from.KeywordUnindexed
}

// Asked is how the vector arm of a database was asked, and what came of it.
type Asked struct {
	// Rows is the LIMIT that was sent, Returned what came back, before near misses
	// were added.
	Rows, Returned int
	// Index is the index that could be used, empty if there is none; Why says in
	// words why the search was exact though there is one, or why there is none.
	Index, Why string
	// Iterative is as it was set, empty if it was not.
	Iterative Iterative
	// Settings are those that were set for this search alone, in their order.
	Settings []Setting
	// Used is the index that the plan names, empty for none, and Plan the plan line
	// by line: only with [Search.Explain].
	Used string
	Plan []string
}

// Setting is a setting of a database and its value.
type Setting struct{ Name, Value string }

// VectorRow is a hit of the vector arm.
type VectorRow struct {
	ID, ParentID, DocumentID string
	// Similarity is the cosine, rescored in float64 in index order.
	Similarity float64
	// Missed marks a near miss: an exact search finds the row, the index as it
	// was asked does not.
	Missed bool
}

// KeywordRow is a hit of the keyword arm. Its score is computed from the counts
// by [BM25F].
type KeywordRow struct {
	ID, ParentID, DocumentID string
	// TF[i] is how often the i-th query term occurs in each field that is searched;
	// Length is the child's number of terms.
	TF     []FieldCounts
	Length FieldCounts
	// Score is the BM25F sum over all query terms.
	Score float64
}

// TermStat is a query term, the number of children that hold it in any field, and
// whether it was used to find rows. Weight is its own of [Search.TermWeights].
type TermStat struct {
	Term   string
	DF     int
	Used   bool
	Weight float64
}

// Absence says why a chunk cannot be found at all. The first that applies is
// given.
type Absence string

// The absences.
const (
	// AbsentNone: the chunk is searchable and in scope.
	AbsentNone Absence = ""
	// AbsentUnknown: there is no such chunk for this owner.
	AbsentUnknown Absence = "unknown"
	// AbsentOwner: chunk and document belong to different owners.
	AbsentOwner Absence = "wrong_owner"
	// AbsentDeleted: its document was deleted.
	AbsentDeleted Absence = "deleted"
	// AbsentStale: it is of an ingestion that is not its document's current one.
	AbsentStale Absence = "stale_ingestion"
	// AbsentScope: it is outside of the addresses and documents asked for.
	AbsentScope Absence = "not_in_scope"
	// AbsentFilter: another condition of the scope leaves it out.
	AbsentFilter Absence = "filter"
)

// Placement is where one chunk stands in each arm, counted exactly: whatever
// index the search itself uses.
type Placement struct {
	Chunk Chunk // without texts
	// Absence is why it cannot be found, with Condition naming the condition of
	// the scope in words ("tag"); the ranks are 0 then, but Similarity and the
	// keyword counts are filled where the chunk exists.
	Absence   Absence
	Condition string
	// HasVector is false for a child without an embedding and for a parent.
	HasVector  bool
	Similarity float64
	// VectorRank is 1 plus the number of rows in scope that come before it.
	VectorRank int
	// Keyword holds its counts and BM25F score; HasKeyword is false when it holds
	// no term of the query, or the match leaves it out.
	HasKeyword bool
	Keyword    KeywordRow
	// KeywordRank is 1 plus the number of rows in scope that match and come before
	// it, 0 without HasKeyword. KeywordAtLeast says that it is a lower bound: there
	// are more matches than were counted.
	KeywordRank    int
	KeywordAtLeast bool
	// Terms are the query's, as in Found.
	Terms []TermStat
}

// FindQuery says which chunk is meant. Exactly one of ChunkID, SourceURL and
// Quote is set; Scope narrows the last two.
type FindQuery struct {
	ChunkID   string
	SourceURL string
	// Quote is text of the page; runs of white space and case do not matter.
	Quote string
	Scope Scope
	// Level is the level of the chunks returned; empty, it is both, and for a
	// SourceURL parents.
	Level Level
	// Limit is the most chunks returned, 0 for 100.
	Limit int
}
