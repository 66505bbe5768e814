package ui

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
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
)

// changeWords are the changes of a suggestion: "similarity floor .3 → .26 (cosine
// .136)".
func changeWords(r *whynot.Report, s *whynot.Suggestion, g *theme.Signs) string {
	parts := make([]string, len(s.Changes))
	for i, c := range s.Changes {
		unit := ""
		if spec, ok := param.SpecOf(c.Field); ok && spec.Kind == param.KindInt && spec.Unit != "" && c.To != strconv.Itoa(param.Unlimited) {
			unit = " " + spec.Unit
		}
		if cosine := r.CosineOf(s); cosine != "" && c.MovesFloor() {
			unit = " (cosine " + cosine + ")"
		}
		parts[i] = fmt.Sprintf("%s %s %s %s%s", plainField(c.Field), settingWords(c.Field, c.From), g.ArrowRight, settingWords(c.Field, c.To), unit)
	}
	return strings.Join(parts, " and ")
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

// plainField is the name of a parameter in words.
func plainField(field string) string { return strings.ReplaceAll(field, "_", " ") }

// settingWords is a parameter's value: numbers as they are shown elsewhere.
func settingWords(field, v string) string {
	if v == strconv.Itoa(param.Unlimited) {
		return "no limit"
	}
	if n, err := strconv.Atoi(v); err == nil {
		return grouped(n)
	}
	return shownValue(field, v)
}

// grouped is a number with its thousands divided: a suggestion is exact.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0 && s[at-1] != '-'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// rankWords is the rank that a suggestion gives, of how many there are then where
// that is known.
func rankWords(rank, total int) string {
	if total < rank {
		return strconv.Itoa(rank)
	}
	return fmt.Sprintf("%d of %d", rank, total)
}

// standingWords are what an arm says of a text: its score, its rank, and on which
// side of each cut it is.
type standingWords struct {
	arm, score, rank string
	cuts             []cutWords
	notes            []string
}

type cutWords struct {
	passes bool
	text   string
}

// wordsOf puts a standing into words. children is how many there are to rank
// among, 0 where that is not known.
func wordsOf(arm string, st *whynot.ArmPosition, r *whynot.Report, floor float64, children int) standingWords {
	w := standingWords{arm: arm}
	unit := "cosine "
	if arm == param.StageKeyword {
		unit = "BM25 "
	}
	switch {
	case st.Found:
		w.score, w.rank = unit+listScore(st.Score), "rank "+grouped(st.Rank)
		switch {
		case st.AtLeast:
			w.rank += " or worse"
		case children > 0 && arm == param.StageVector:
			w.rank += " of " + grouped(children)
		}
	case st.Reason == retrieval.ReasonKeywordNoMatch:
		w.score = "has none of the query's words"
	case st.Reason == retrieval.ReasonNoEmbedding:
		w.score = "has no embedding"
	case st.Reason == retrieval.ReasonNoQueryVector:
		w.score = "the query has no vector to compare it with"
	default:
		w.score = "not found"
	}
	if st.Found && !st.Used && r.Mode != param.ModeFullContext {
		// What would be is not held against cuts that nobody makes.
		w.notes, w.rank = append(w.notes, "off in these parameters, would be "+w.rank), ""
	}
	for _, c := range st.Cuts {
		if !st.Used {
			break
		}
		w.cuts = append(w.cuts, cutWords{c.Passes, distanceWords(c, floor)})
	}
	if st.Missed {
		w.notes = append(w.notes, "the index did not return it")
	}
	switch {
	case r.Mode == param.ModeFullContext:
		w.notes = append(w.notes, "not asked: everything is returned")
	case !st.Used && !st.Found:
		w.notes = append(w.notes, "off in these parameters")
	}
	if name := st.Name; name != "" && st.ChunkID != r.Chunk.ChunkID || r.Target.SourceURL != "" && r.Meant > 1 && name != "" {
		w.notes = append(w.notes, "in “"+oneLine(name)+"”")
	}
	return w
}

// distanceWords say how far a value is from a cut. floor is the setting, which is
// another number than the cut where the scale is calibrated.
func distanceWords(c whynot.Cut, floor float64) string {
	if c.Stage == param.StageLimit {
		by := grouped(int(max(c.Distance(), -c.Distance())))
		if c.Passes {
			return "limit " + grouped(int(c.Threshold)) + ", " + by + " to spare"
		}
		return "limit " + grouped(int(c.Threshold)) + ", " + by + " too far"
	}
	name := plainField(c.Stage) + " " + listScore(c.Threshold)
	if c.Stage == param.StageFloor && c.Threshold != floor {
		name += " (" + listScore(floor) + " calibrated)"
	}
	if c.Passes {
		return name + ", " + listScore(-c.Distance()) + " above"
	}
	return name + ", short by " + listScore(c.Distance())
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

// stepWords are the steps of a way along edges.
func stepWords(g *whynot.GraphPath, signs *theme.Signs) string {
	if g.Hops == 0 || len(g.Steps) == 0 {
		if g.Within > 0 {
			return fmt.Sprintf("none lead to it within %s; more was not read", plural(g.Within, "hop"))
		}
		return "none lead to it from what was found"
	}
	name := func(s string) string { return "“" + cmp.Or(oneLine(s), "(no heading)") + "”" }
	var b strings.Builder
	for _, s := range g.Steps {
		from, to := "", signs.ArrowRight
		if s.Reversed {
			from, to = signs.ArrowLeft, ""
		}
		fmt.Fprintf(&b, "%s %s%s%s %s ", name(s.FromName), from, oneLine(string(s.Relation)), to, listScore(s.Weight))
	}
	b.WriteString(name(g.Steps[len(g.Steps)-1].ToName))
	return fmt.Sprintf("%s from what was found: %s", plural(g.Hops, "hop"), b.String())
}

// otherWords name the items that come or go, up to most of them.
func otherWords(shifts []retrieval.Shift, most int) string {
	var names []string
	for i := range shifts {
		if i == most {
			names = append(names, grouped(len(shifts)-most)+" more")
			break
		}
		s := &shifts[i]
		names = append(names, oneLine(cmp.Or(s.Name, s.Heading, s.Title, s.SourceURL)))
	}
	return strings.Join(names, ", ")
}
