package whynot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/wording"
)

// changeWords are the changes of a suggestion: "floor .300 → .260 (cosine .136)".
func changeWords(r *whynot.Report, s *whynot.Suggestion, g *theme.Signs) string {
	changes := make([]phrase.Phrase, len(s.Changes))
	for i, c := range s.Changes {
		unit := ""
		if spec, ok := param.SpecOf(c.Field); ok && spec.Kind == param.KindInt && spec.Unit != "" && wording.Setting(c.Field, c.To) == c.To {
			unit = " " + spec.Unit
		}
		unit = cmp.Or(r.AsCosine(s, c.Change), unit)
		changes[i] = phrase.Change.With(param.Called(c.Field), wording.Setting(c.Field, c.From), phrase.Signed("→"), wording.Setting(c.Field, c.To), unit)
	}
	return wording.Exactly(phrase.Join(changes, " and "), g)
}

// boundaryWords are a boundary with at most four decimals, rounded to the side of
// the number that works.
func boundaryWords(boundary, works string) string {
	edge, err := strconv.ParseFloat(boundary, 64)
	to, err2 := strconv.ParseFloat(works, 64)
	if err != nil || err2 != nil {
		return boundary
	}
	const parts = 10_000
	rounded := math.Ceil(edge*parts) / parts
	if to <= edge {
		rounded = math.Floor(edge*parts) / parts
	}
	if short := strconv.FormatFloat(rounded, 'f', -1, 64); len(short) < len(boundary) && (to <= edge && rounded >= to || to > edge && rounded <= to) {
		return short
	}
	return boundary
}

// armWords are what an arm says of a text: its score, its rank, and on which
// side of each cut it is.
type armWords struct {
	arm, score, rank string
	cuts             []cutWords
	notes            []string
}

type cutWords struct {
	passes bool
	text   string
}

// section is what a report calls a section of the page that it is about: by the heading
// above it, and by which part of a section it is; empty where neither is known.
func (d *dialog) section(id, heading string) string {
	part, name := "", wording.Line(heading)
	if known := d.v.Session().Summary(); known != nil {
		if p := known.Parts[id]; p.Of > 1 {
			part = fmt.Sprintf("%d/%d", p.Part, p.Of)
		}
	}
	switch {
	case name != "":
		return "“" + strings.TrimSpace(name+" "+part) + "”"
	case part != "":
		return "part " + part
	}
	return ""
}

// wordsOf puts a position into words. in is what the section of its passage is called,
// children how many there are to rank among, 0 where that is not known.
func wordsOf(arm string, st *whynot.ArmPosition, r *whynot.Report, floor float64, in string, children int) armWords {
	w := armWords{arm: arm}
	unit := phrase.Cosine
	if arm == param.StageKeyword {
		unit, children = phrase.BM25, 0
	}
	w.score = phrase.Reason{Code: st.Reason}.Say(phrase.Absent).String()
	if st.Found {
		w.score = wording.Said(unit.With(st.Score), wording.Score)
		w.rank = wording.Exactly(st.Words(children), nil)
	}
	if st.Found && !st.Used && r.Mode != param.ModeFullContext {
		// The arm was not asked: this is where it would have the text, before its cuts.
		w.notes, w.rank = append(w.notes, phrase.ArmWouldBe+w.rank), ""
	}
	for _, c := range st.Cuts {
		if !st.Used {
			break
		}
		w.cuts = append(w.cuts, cutWords{c.Passes, wording.Exactly(c.Words(floor, true), nil)})
	}
	if st.Missed {
		w.notes = append(w.notes, phrase.IndexMissed)
	}
	switch {
	case r.Mode == param.ModeFullContext:
		w.notes = append(w.notes, phrase.WholeUnaskedToo)
	case !st.Used && !st.Found:
		w.notes = append(w.notes, phrase.ArmOff)
	}
	if in != "" && (st.ChunkID != r.Chunk.ChunkID || r.Target.SourceURL != "" && r.Meant > 1) {
		w.notes = append(w.notes, "in "+in)
	}
	return w
}

// queryWords divides the words of the query into those that a text has and those
// that it lacks. Words that no search looks for are in neither.
func queryWords(query string, st *whynot.ArmPosition) (has, lacks []string) {
	if st == nil {
		return nil, nil
	}
	for _, word := range strings.FieldsFunc(query, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }) {
		word = strings.ToLower(word)
		terms := store.Terms(word)
		if len(terms) == 0 || slices.Contains(has, word) || slices.Contains(st.LacksWords, word) {
			continue
		}
		if slices.ContainsFunc(terms, func(t string) bool { return slices.Contains(st.Has, t) }) {
			has = append(has, word)
		}
	}
	return has, st.LacksWords
}

// stageTitle is a stage as the screen calls it.
func stageTitle(name string) string { return wording.Line(retrieval.StageOf(name).Title) }

// stagesAfter are the stages behind the arms that a result went through.
func stagesAfter(r *retrieval.Result) []string {
	if r == nil || r.Trace == nil {
		return nil
	}
	var names []string
	for _, s := range r.Trace.Stages {
		if retrieval.StageOf(s.Name).Phase == retrieval.PhaseChoose && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}
