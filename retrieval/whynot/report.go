package whynot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// Target says which text is missed. Exactly one field is set.
type Target struct {
	// ChunkID is the id of a section or of a child.
	ChunkID string
	// SourceURL is the address of a page; its best chunk is meant.
	SourceURL string
	// Quote is text of a page; where it occurs more than once the best-ranked
	// chunk is meant.
	Quote string
}

func (t Target) validate() error {
	set := 0
	for _, s := range []string{t.ChunkID, t.SourceURL, t.Quote} {
		if strings.TrimSpace(s) != "" {
			set++
		}
	}
	if set != 1 {
		return errors.New("say which text is missed: one of a chunk's id, a page's address or a quote")
	}
	return nil
}

// String names the target as it was given.
func (t Target) String() string {
	switch {
	case t.ChunkID != "":
		return "chunk " + t.ChunkID
	case t.SourceURL != "":
		return "page " + t.SourceURL
	default:
		return fmt.Sprintf("quote %q", t.Quote)
	}
}

// Report answers why a text is not among the results of a query, or that it is.
type Report struct {
	Target Target
	// Chunk is the chunk the report is about: the best-ranked of those meant. It
	// is zero when there is none. Meant is how many chunks the target names,
	// Others the rest of them, at most 20, best first.
	Chunk  TargetChunk
	Meant  int
	Others []TargetChunk
	// Verdict is the answer in a sentence; see [Report.Restate]. screen is the same with the
	// names of parameters that a screen has, empty where none is named.
	Verdict, screen string
	// Floor is the similarity floor that the result was cut by.
	Floor param.Floor
	// NoTermMatch reports that none of the query's words occurs in the corpus, as far
	// as its words were counted; Lexical that similarity is one of words, so that
	// what is near is then near by chance.
	NoTermMatch bool
	Lexical     bool
	// Mode is how the result was made.
	Mode param.Mode
	// Present reports that the text is in the result, as part of Item, with its
	// rank and score there. Via is what brought it.
	Present bool
	Item    string
	Rank    int
	Score   float64
	Via     Via
	// InResult are all items that are part of a page that was asked about.
	InResult []PagePlace
	// Absence is why the chunk cannot be found whatever the parameters are;
	// Condition names the condition of the scope that leaves it out.
	Absence   store.Absence
	Condition string
	// Vector and Keyword are where it stands in the arms; Keyword is nil where
	// there are no words to search for, both are for an absent chunk.
	Vector, Keyword *ArmPosition
	// DroppedBy is the last stage that it came to; nil when it is present, absent
	// or was never a candidate.
	DroppedBy *DroppedBy
	// Graph is how edges lead to it; nil when none was looked for.
	Graph *GraphPath
	// Suggestions let it in, each verified by ranking with it: single changes, or
	// if no change alone does, pairs of them. Those that push nothing out come
	// first, then those that move nothing, then what changes the rest least.
	Suggestions []Suggestion
	// Runs is how many rankings were tried.
	Runs    int
	Notices []retrieval.Notice
}

// Via is what brings a text into a result.
type Via string

// A passage is part of a section: that may be returned for other reasons.
const (
	ViaItself  Via = ""
	ViaPassage Via = phrase.ViaPassage
	ViaEdges   Via = phrase.ViaEdges
)

// PagePlace is an item of a page, under the nearest heading.
type PagePlace struct {
	ChunkID, Name string
	Rank          int
	Score         float64
}

// TargetChunk is a chunk that a target names. Heading is the section's, Name the
// nearest one above the chunk.
type TargetChunk struct {
	ChunkID, ParentID, DocumentID   string
	Level                           store.Level
	SourceURL, Title, Heading, Name string
	// VectorRank and KeywordRank are among the target's own chunks, from 1; 0 for
	// what an arm does not find.
	VectorRank, KeywordRank int
}

// ArmPosition is the exact place of a chunk in an arm: what an exhaustive search
// would say, whatever index is used.
type ArmPosition struct {
	// ChunkID is the target's best child in this arm, Name the heading above it:
	// of a page the arms may find different passages best. Section is the id of its section,
	// empty where it is that itself.
	ChunkID, Name, Section string
	// Used reports that the parameters use the arm.
	Used bool
	// Found is false when the arm cannot find it; Reason says why:
	// [phrase.ReasonNoEmbedding], [phrase.ReasonNoQueryVector],
	// [phrase.ReasonKeywordNoMatch].
	Found  bool
	Reason string
	// Rank is its place among all rows in scope, from 1; AtLeast says that it is
	// only a lower bound. Score is the cosine or the BM25 score.
	Rank    int
	AtLeast bool
	Score   float64
	// Cuts are what the rank and the score are held against.
	Cuts []Cut
	// Has and Lacks are the query's terms that the chunk holds and that it does
	// not; nil in the vector arm. LacksWords are the query's words for Lacks.
	Has, Lacks, LacksWords []string
	// Missed reports that the rank is within the rows asked for, but the index did
	// not return it.
	Missed bool
}

// Cut is a threshold of a stage and how far the chunk is from it.
type Cut struct {
	Stage string
	// Value passes when it is above the floor or within the limit.
	Value, Threshold float64
	Passes           bool
}

// Distance is by how much the value misses the threshold, negative when it
// passes.
func (c Cut) Distance() float64 {
	if c.Stage == param.StageLimit {
		return c.Value - c.Threshold
	}
	return c.Threshold - c.Value
}

// DroppedBy is a drop and the stage it happened in. Name is the heading above
// what was dropped.
type DroppedBy struct {
	Stage, Name string
	retrieval.Drop
}

// GraphPath is the shortest way along edges from the seeds to the target.
type GraphPath struct {
	// Used reports that the parameters follow edges at all.
	Used bool
	// Hops is its length, 0 when none was found within four hops. Within is not 0 where
	// less was searched, since too much lies around the target: so many hops.
	Hops, Within int
	// Reason is why the parameters do not follow it: [phrase.ReasonUnreached] for too many hops,
	// [phrase.ReasonEdgeFiltered] for an edge that a setting leaves out. It is empty when
	// nothing but a bound of the frontier is in the way.
	Reason string
	// Settings are the parameters that do not follow these edges as they are.
	Settings []string
	// Steps lead from a seed to the target's section.
	Steps []GraphStep
}

// GraphStep is an edge of a way.
type GraphStep struct {
	From, To string
	// FromName and ToName are the headings of both.
	FromName, ToName string
	Relation         store.Relation
	Weight           float64
	// Reversed says that the edge is walked from its target to its source, which
	// takes bidirectional.
	Reversed bool
}

// Suggestion is a change of parameters that lets the target in.
type Suggestion struct {
	// Changes are one or two.
	Changes []Adjustment
	// Rank is the target's rank with them, of Items; Via is what brings it.
	Rank, Items int
	Via         Via
	// Item is the section that comes in, or the passage's, and ItemName the heading above it:
	// of a page it may be another one than that of the best passage.
	Item, ItemName string
	// Floor is the similarity floor with them.
	Floor param.Floor
	// Rows is how many rows each arm returns with them, where too few were what
	// kept the target out; else 0.
	Rows int
	// Enters and Leaves are the other items that come and go, Moved counts those
	// that change their rank or score.
	Enters, Leaves []retrieval.Shift
	Moved          int
	// Size is how much of their ranges the changes take, from 0; a word or a
	// switch counts 1.
	Size float64
}

// Applied are parameters with the changes. The error is that of [param.Params.Set].
func (s *Suggestion) Applied(p param.Params) (param.Params, error) {
	for _, c := range s.Changes {
		if err := p.Set(c.Field, c.To); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Collateral is how many other items come or go.
func (s *Suggestion) Collateral() int { return len(s.Enters) + len(s.Leaves) }

// Adjustment is a change of one parameter. To is the nearest value on the
// parameter's steps that lets the target in; of a pair, or where a notice says that
// only some values were tried, the nearest of those. Between two steps lies
// Boundary, where letting in begins: the number before it does not. It is empty for
// whole numbers and words, where it would be To, and where the parameter's present
// value leaves its stage out. No step that is nearer lets it in.
type Adjustment struct {
	param.Change
	Boundary string
}

const (
	// othersMost bounds the chunks listed beside the one that is reported on.
	othersMost = 20
	// deepest is the lowest rank that a search can be made to return.
	deepest = param.MostRows
)

// Ask finds out why a text is not among the results of a query: what hides it,
// where exactly it stands in each arm, which stage drops it, and which smallest
// change of which parameter would let it in. Each suggestion was tried.
//
// A target that the corpus does not hold is no error: the report says so. The
// parameters are those of the result in question.
func Ask(ctx context.Context, d retrieval.Deps, q retrieval.Query, p param.Params, t Target) (Report, error) {
	return ask(ctx, newCorpus(d, q), p, t)
}

func ask(ctx context.Context, from source, p param.Params, t Target) (Report, error) {
	report := Report{Target: t}
	if err := t.validate(); err != nil {
		return report, fmt.Errorf("why not: %w", err)
	}
	pr := newProber(ctx, from, p)
	ev, err := from.gather(ctx, p, 0)
	if err != nil {
		return report, err
	}
	if ev.IsBlank() {
		report.Verdict = phrase.VerdictBlank
		return report, nil
	}
	sought, err := pr.locate(t)
	if err != nil {
		return report, err
	}
	report.Chunk, report.Meant, report.Others = sought.chunk, sought.meant, sought.others
	if sought.meant == 0 || sought.best.Absence != store.AbsentNone {
		report.Absence, report.Condition = sought.best.Absence, sought.best.Condition
		report.Verdict = sayAbsent(&report)
		return report, nil
	}
	pr.sought = sought
	if err := pr.examine(&report, ev); err != nil {
		return report, err
	}
	report.Runs = pr.runs
	return report, nil
}

// examine fills the report about a chunk that can be found.
func (pr *prober) examine(report *Report, ev retrieval.Evidence) error {
	present, extended, err := pr.complete(ev, pr.base, true, true)
	if err != nil {
		return err
	}
	pr.first = extended
	report.Mode, report.Floor, report.Notices = present.Mode, present.Floor, present.Notices
	report.NoTermMatch, report.Lexical = retrieval.NoTermMatch(pr.sought.keyword.Terms), ev.IsLexical()
	pr.blind = !ev.HasDirection()
	report.Vector, report.Keyword = pr.positions(&present, &ev)
	if at := pr.sought.find(&present); at != nil {
		report.Present, report.Item, report.Rank, report.Score = true, at.ChunkID, at.Rank, at.Score
		report.Via, report.InResult = pr.sought.via(at, present.Mode), pr.sought.ofPage(&present)
		report.Verdict = sayPresent(report).String()
		return nil
	}
	if err := pr.deepen(); err != nil {
		return err
	}
	deep, ok := pr.rank(pr.base, true)
	if !ok {
		return cmp.Or(pr.err, errUnranked)
	}
	if report.DroppedBy = pr.lastDrop(&deep); report.DroppedBy != nil {
		report.DroppedBy.Name = pr.sought.names[report.DroppedBy.ID]
	}
	if report.Graph, err = pr.shortestPath(&present, &ev); err != nil {
		return err
	}
	if report.Suggestions = pr.suggest(&present, report.DroppedBy, report.Graph); pr.err != nil {
		return pr.err
	}
	report.Notices = append(report.Notices, pr.notices...)
	report.Restate()
	return nil
}

// Restate words the verdict anew, after the suggestions were put into another
// order: it names the first of them.
func (r *Report) Restate() {
	if !r.Present && r.Absence == store.AbsentNone && r.Meant > 0 {
		said := sayDropped(r)
		r.Verdict, r.screen = said.String(), said.OnScreen()
	}
}

// Shown is the verdict as a screen says it, which calls parameters by their names there.
func (r *Report) Shown() string { return cmp.Or(r.screen, r.Verdict) }

// AsCosine is what a suggestion's floor is as a cosine, as in " (cosine .114)", where
// the change moves the floor and it is set on another scale; else empty. It has as many
// decimals as tell it from the target's.
func (r *Report) AsCosine(s *Suggestion, c param.Change) string {
	if cosine := r.cosineOf(s); cosine != "" && c.MovesFloor() {
		return phrase.AsCosine.With(cosine).String()
	}
	return ""
}

func (r *Report) cosineOf(s *Suggestion) string {
	if s.Floor.Off || s.Floor == r.Floor || s.Floor.Scale != param.FloorCalibrated && r.Floor.Scale != param.FloorCalibrated {
		return ""
	}
	if r.Vector == nil || !r.Vector.Found {
		return phrase.Short(s.Floor.Raw)
	}
	return phrase.Apart(s.Floor.Raw, r.Vector.Score)
}
