package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Options tune Encode. The zero value gives one line without the
// query's vector.
type Options struct {
	// WithEmbedding adds query_embedding.
	WithEmbedding bool
	// Indent puts each field on its own line.
	Indent bool
	// ApproxTokens marks all token counts as estimates, as those of a corpus are
	// whose model has no known tokenizer.
	ApproxTokens bool
	// Ground adds grounded, the prompt, under Policy; ShapeTextbook always has it.
	Ground bool
	Policy citations.Policy
	// Links makes the addresses of ShapeTextbook's citations.
	Links citations.Links
}

// Encode writes a result as JSON in the shape that `query --json` prints.
// Ids are strings, offsets code points, times RFC 3339 in UTC, durations
// milliseconds; what a page does not have is null, a list that holds nothing is
// []. Control characters above ASCII and those that change the direction of text
// are escaped, which is the same data and cannot disturb a terminal.
func Encode(r retrieval.Result, o Options) ([]byte, error) {
	return encode("the result", wireOf(&r, o), o.Indent)
}

// EncodeItem writes one section as it stands in a result's chunks, indented.
func EncodeItem(it *retrieval.Item) ([]byte, error) { return encode("the section", wireItem(it), true) }

func encode(what string, v any, indent bool) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %s: %w", what, err)
	}
	return offset.JSON(bytes.TrimSuffix(b.Bytes(), []byte{'\n'})), nil
}

// wireHead is what an object of results has in every shape.
type wireHead struct {
	Mode           param.Mode `json:"mode"`
	Chunks         any        `json:"chunks"`
	QueryEmbedding *[]float32 `json:"query_embedding,omitempty"`
	CorpusStats    wireStats  `json:"corpus_stats"`
	Timing         wireTiming `json:"timing"`
	IsEmpty        bool       `json:"is_empty"`
	// Nearest is what came nearest, where nothing came back.
	Nearest    []wireNearest `json:"nearest,omitempty"`
	TopScore   float64       `json:"top_score"`
	SourceURLs []string      `json:"source_urls"`
}

type wireResult struct {
	wireHead
	Notices  []wireNotice  `json:"notices"`
	Trace    []wireStage   `json:"trace"`
	Grounded *wireGrounded `json:"grounded,omitempty"`
}

// wireNearest is a section that came nearest. Similarity is its cosine, null where
// it has none.
type wireNearest struct {
	ChunkID     string   `json:"chunk_id"`
	SourceURL   string   `json:"source_url"`
	Title       string   `json:"title"`
	HeadingPath []string `json:"heading_path"`
	Similarity  *float64 `json:"similarity"`
}

func wireNearestOf(r *retrieval.Result) []wireNearest {
	return each(r.Nearest(), func(at **retrieval.Item) wireNearest {
		it := *at
		n := wireNearest{ChunkID: it.ChunkID, SourceURL: it.SourceURL, Title: it.Title, HeadingPath: it.HeadingPath}
		if it.HasRaw {
			n.Similarity = &it.RawSimilarity
		}
		return n
	})
}

type wireStats struct {
	TotalDocuments    int      `json:"total_documents"`
	TotalParentChunks int      `json:"total_parent_chunks"`
	TotalTokens       int      `json:"total_tokens"`
	DocumentsMatched  []string `json:"documents_matched"`
	// TokensApproximate says that TotalTokens and all other counts and offsets of
	// tokens are estimates.
	TokensApproximate bool `json:"tokens_approximate,omitempty"`
}

type wireTiming struct {
	EmbedMS  float64 `json:"embed_ms"`
	SearchMS float64 `json:"search_ms"`
	TotalMS  float64 `json:"total_ms"`
}

type wireNotice struct {
	Code    string `json:"code"`
	Text    string `json:"text"`
	Warning bool   `json:"warning"`
}

// wireSection is what a section has in every shape with all of its fields.
type wireSection struct {
	ChunkID           string            `json:"chunk_id"`
	DocumentID        string            `json:"document_id"`
	ParentID          *string           `json:"parent_id"`
	SourceURL         string            `json:"source_url"`
	Title             *string           `json:"title"`
	SelectedText      string            `json:"selected_text"`
	Surface           retrieval.Surface `json:"surface"`
	SectionHeading    *string           `json:"section_heading"`
	ChunkIndex        int               `json:"chunk_index"`
	CharStart         int               `json:"char_start"`
	CharEnd           int               `json:"char_end"`
	TokenStart        int               `json:"token_start"`
	TokenEnd          int               `json:"token_end"`
	Score             float64           `json:"score"`
	RawSimilarity     *float64          `json:"raw_similarity"`
	Depth             int               `json:"depth"`
	HasTable          bool              `json:"has_table"`
	HasCode           bool              `json:"has_code"`
	HasMath           bool              `json:"has_math"`
	HasDefinitionList bool              `json:"has_definition_list"`
	HasAdmonition     bool              `json:"has_admonition"`
	HasSteps          bool              `json:"has_steps"`
}

type wireChunk struct {
	wireSection
	HasImage     bool                   `json:"has_image"`
	FetchedAt    *time.Time             `json:"fetched_at"`
	Rank         int                    `json:"rank"`
	ChunkText    string                 `json:"chunk_text"`
	HeadingPath  []string               `json:"heading_path"`
	Anchor       *string                `json:"anchor"`
	Matches      []wireMatch            `json:"matches"`
	Arms         wireArms               `json:"arms"`
	Scale        string                 `json:"scale"`
	Hop          int                    `json:"hop"`
	GraphContext []wirePath             `json:"graph_context"`
	Rerank       *wireRerank            `json:"rerank"`
	Merged       []string               `json:"merged_chunk_ids"`
	Explanation  *retrieval.Explanation `json:"explanation"`
}

type wireMatch struct {
	ChunkID   string `json:"chunk_id"`
	CharStart int    `json:"char_start"`
	CharEnd   int    `json:"char_end"`
	// Similarity and Rank are null where the vector arm did not find the child,
	// the keyword fields where the keyword arm did not.
	Similarity  *float64 `json:"similarity"`
	Rank        *int     `json:"rank"`
	BM25        *float64 `json:"bm25"`
	KeywordRank *int     `json:"keyword_rank"`
}

// wirePath is a step of the graph that led to the section.
type wirePath struct {
	FromChunkID string  `json:"from_chunk_id"`
	Relation    string  `json:"relation"`
	Description string  `json:"description"`
	Weight      float64 `json:"weight"`
	Hop         int     `json:"hop"`
	Term        float64 `json:"term"`
}

type wireRerank struct {
	By     string   `json:"by"`
	Scale  string   `json:"scale"`
	Score  *float64 `json:"score"`
	Before int      `json:"rank_before"`
	After  int      `json:"rank_after"`
}

// wireArms has null for an arm that did not find the section.
type wireArms struct {
	Vector  *wireArm `json:"vector"`
	Keyword *wireArm `json:"keyword"`
}

// wireArm is a section's best row in an arm, and what the arm gives to the score
// before depth.
type wireArm struct {
	Rank         int     `json:"rank"`
	Score        float64 `json:"score"`
	Contribution float64 `json:"contribution"`
	// Words are the shares of the query's terms, absent in the vector arm.
	Words []wireWord `json:"words,omitempty"`
}

type wireWord struct {
	Term string `json:"term"`
	// TF counts the term in the text, HeadingTF and TitleTF in the headings and the
	// title. Weight is how much it counts, which is left out if it is 1.
	TF        int     `json:"tf"`
	HeadingTF int     `json:"heading_tf,omitempty"`
	TitleTF   int     `json:"title_tf,omitempty"`
	DF        int     `json:"df"`
	Weight    float64 `json:"weight,omitempty"`
	Added     bool    `json:"added,omitempty"`
	Share     float64 `json:"share"`
}

type wireStage struct {
	Name       string            `json:"name"`
	In         int               `json:"in"`
	Out        int               `json:"out"`
	Added      int               `json:"added"`
	Dropped    []wireDrop        `json:"dropped"`
	Merged     []wireMerge       `json:"merged"`
	Params     map[string]string `json:"params"`
	Notes      []string          `json:"notes"`
	DurationMS float64           `json:"duration_ms"`
}

type wireDrop struct {
	ID        string  `json:"id"`
	Reason    string  `json:"reason"`
	Value     float64 `json:"value"`
	Threshold float64 `json:"threshold"`
	Rank      int     `json:"rank"`
	Of        string  `json:"of,omitempty"`
	Arm       string  `json:"arm,omitempty"`
}

type wireMerge struct {
	From string `json:"from"`
	Into string `json:"into"`
}

func wireOf(r *retrieval.Result, o Options) wireResult {
	w := wireResult{wireHead: wireHeadOf(r, each(r.Items, wireItem)), Notices: each(r.Notices, wireNoticeOf), Trace: []wireStage{}}
	w.CorpusStats.TokensApproximate = o.ApproxTokens
	w.Nearest = wireNearestOf(r)
	if !o.WithEmbedding {
		w.QueryEmbedding = nil
	}
	if o.Ground {
		grounded := wireGroundedOf(r, o)
		w.Grounded = &grounded
	}
	if r.Trace != nil {
		w.Trace = each(r.Trace.Stages, wireStageOf)
	}
	return w
}

func wireHeadOf(r *retrieval.Result, chunks any) wireHead {
	vector := list(r.QueryVector)
	return wireHead{
		Mode: r.Mode, Chunks: chunks, QueryEmbedding: &vector,
		CorpusStats: wireStats{
			TotalDocuments: r.Stats.TotalDocuments, TotalParentChunks: r.Stats.TotalParentChunks,
			TotalTokens: r.Stats.TotalTokens, DocumentsMatched: list(r.Stats.DocumentsMatched),
		},
		Timing:  wireTiming{EmbedMS: milliseconds(r.Timing.Embed), SearchMS: milliseconds(r.Timing.Search), TotalMS: milliseconds(r.Timing.Total)},
		IsEmpty: r.IsEmpty(), TopScore: r.TopScore(), SourceURLs: list(r.SourceURLs()),
	}
}

func wireNoticeOf(n *retrieval.Notice) wireNotice {
	return wireNotice{Code: n.Code, Text: n.Text, Warning: n.Warning}
}

func wireSectionOf(it *retrieval.Item) wireSection {
	w := wireSection{
		ChunkID: it.ChunkID, DocumentID: it.DocumentID, ParentID: orNull(it.ParentID),
		SourceURL: it.SourceURL, Title: orNull(it.Title),
		SelectedText: it.SelectedText(), Surface: it.Surface,
		SectionHeading: orNull(it.SectionHeading), ChunkIndex: it.ChunkIndex,
		CharStart: it.CharStart, CharEnd: it.CharEnd, TokenStart: it.TokenStart, TokenEnd: it.TokenEnd,
		Score: it.Score, Depth: it.Depth,
		HasTable: it.Flags.Has(store.HasTable), HasCode: it.Flags.Has(store.HasCode), HasMath: it.Flags.Has(store.HasMath),
		HasDefinitionList: it.Flags.Has(store.HasDefinitionList), HasAdmonition: it.Flags.Has(store.HasAdmonition),
		HasSteps: it.Flags.Has(store.HasSteps),
	}
	if it.HasRaw {
		w.RawSimilarity = &it.RawSimilarity
	}
	return w
}

func fetchedAt(it *retrieval.Item) *time.Time {
	if it.FetchedAt.IsZero() {
		return nil
	}
	at := it.FetchedAt.UTC()
	return &at
}

func wireItem(it *retrieval.Item) wireChunk {
	w := wireChunk{
		wireSection: wireSectionOf(it), HasImage: it.Flags.Has(store.HasImage), FetchedAt: fetchedAt(it),
		Scale: it.Scale, Hop: it.Hop, Rank: it.Rank, ChunkText: it.ChunkText,
		HeadingPath: list(it.HeadingPath), Anchor: orNull(it.Anchor),
		Matches: each(it.Matches, wireMatchOf), Arms: wireArms{Vector: wireArmOf(it.Vector), Keyword: wireArmOf(it.Keyword)},
		GraphContext: each(it.GraphContext, wirePathOf), Merged: list(it.Merged), Explanation: it.Explanation,
	}
	if r := it.Rerank; r != nil {
		w.Rerank = &wireRerank{By: r.By, Scale: r.Scale, Before: r.Before, After: r.After}
		if r.Scored {
			w.Rerank.Score = &r.Score
		}
	}
	return w
}

func wireMatchOf(m *retrieval.Match) wireMatch {
	w := wireMatch{ChunkID: m.ChunkID, CharStart: m.CharStart, CharEnd: m.CharEnd}
	if m.Rank > 0 {
		w.Similarity, w.Rank = &m.Similarity, &m.Rank
	}
	if m.KeywordRank > 0 {
		w.BM25, w.KeywordRank = &m.BM25, &m.KeywordRank
	}
	return w
}

func wireArmOf(a *retrieval.ArmPlace) *wireArm {
	if a == nil {
		return nil
	}
	return &wireArm{Rank: a.Rank, Score: a.Score, Contribution: a.Contribution, Words: each(a.Words, wireWordOf)}
}

func wireWordOf(s *retrieval.WordShare) wireWord {
	w := wireWord{Term: s.Term, TF: s.TF.Body, HeadingTF: s.TF.Heading, TitleTF: s.TF.Title, DF: s.DF, Share: s.Share, Added: s.Added}
	if s.Weight != 1 {
		w.Weight = s.Weight
	}
	return w
}

func wirePathOf(p *retrieval.GraphPath) wirePath {
	return wirePath{FromChunkID: p.FromChunkID, Relation: p.Relation, Description: p.Description, Weight: p.Weight, Hop: p.Hop, Term: p.Term}
}

func wireStageOf(s *retrieval.Stage) wireStage {
	w := wireStage{
		Name: s.Name, In: s.In, Out: s.Out, Added: s.Added,
		Dropped: each(s.Dropped, func(d *retrieval.Drop) wireDrop { return wireDrop(*d) }),
		Merged:  each(s.Merged, func(m *retrieval.Merge) wireMerge { return wireMerge(*m) }),
		Params:  s.Params, Notes: list(s.Notes), DurationMS: milliseconds(s.Duration),
	}
	if w.Params == nil {
		w.Params = map[string]string{}
	}
	return w
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func orNull[S ~string](s S) *S {
	if s == "" {
		return nil
	}
	return &s
}

// list makes an empty list of nil, which JSON would show as null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// each lists what JSON shows of the elements of a list, [] for none.
func each[T, U any](list []T, of func(*T) U) []U {
	out := make([]U, len(list))
	for i := range list {
		out[i] = of(&list[i])
	}
	return out
}
