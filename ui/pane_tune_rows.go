package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// knobRow is a row of the drawer: the head of a group, a parameter, or the row
// that folds those that the preset has no use for.
type knobRow struct {
	head  string
	field string
	fold  bool
	// after says that the row stands under the folding one.
	after bool
}

// stops reports whether the cursor can stand on the row.
func (r *knobRow) stops() bool { return r.head == "" }

// knobGroup is a group of parameters that belong together on the screen: those
// of neighbouring stages.
type knobGroup struct {
	name  string
	knobs []knobName
}

// knobName is a parameter and what the drawer calls it, where the group says the
// rest.
type knobName struct{ field, short string }

// knobGroups are all parameters in the order of the pipeline, but for those that
// are seldom moved, which come last.
func knobGroups() []knobGroup {
	return []knobGroup{
		{"MODE", []knobName{{"mode", "mode"}, {"full_context_threshold", "whole up to"}, {"full_context_overflow", "overflow"}}},
		{"CHILDREN", []knobName{
			{"top_k_children_limit", "limit"}, {"overfetch", "overfetch"}, {"similarity_floor", "floor"}, {"floor_scale", "floor scale"},
		}},
		{"KEYWORDS", []knobName{
			{"keyword_weight", "weight"},
			{"keyword_match", "match"},
			{"keyword_unindexed", "unindexed"},
			{"title_weight", "titles"},
			{"heading_weight", "headings"},
			{"feedback_terms", "feedback"},
			{"feedback_chunks", "from chunks"},
			{"feedback_weight", "their share"},
			{"fusion", "fusion"},
			{"rrf_k", "rrf k"},
			{"rrf_scale", "rrf scale"},
			{"single_arm", "single arm"},
		}},
		{"SECTIONS", []knobName{{"unit", "unit"}, {"missing_parent", "orphans"}, {"merge_adjacent", "merge"}}},
		{"GRAPH", []knobName{
			{"max_hops", "hops"},
			{"seed_top_k", "seeds"},
			{"vector_weight", "seed weight"},
			{"graph_weight", "edge weight"},
			{"hop_decay", "hop decay"},
			{"bidirectional", "both ways"},
			{"relations", "relations"},
			{"min_traversal_score", "least edge"},
			{"max_frontier", "frontier"},
			{"graph_scoring", "scoring"},
			{"graph_filter_scope", "filters"},
			{"graph_top_k", "kept places"},
		}},
		{"DEPTH", []knobName{{"depth_decay_rate", "decay"}, {"depth_floor", "depth floor"}}},
		{"AGE", []knobName{{"recency_half_life", "half-life"}}},
		{"CHOICE", []knobName{
			{"dedup_threshold", "duplicates"},
			{"reranker", "reranker"},
			{"rerank_min_score", "rerank least"},
			{"unscored", "unscored"},
			{"min_score", "least score"},
			{"top_k", "top k"},
		}},
		{"BUDGET", []knobName{{"context_budget", "tokens"}, {"budget_policy", "policy"}, {"budget_count", "count"}}},
		{"OUTPUT", []knobName{{"group_by_source", "by page"}, {"surface_policy", "surface"}}},
		{"SEARCH", []knobName{
			{"search", "search"}, {"search_policy", "asked as"}, {"iterative_scan", "iterative"}, {"hnsw_ef_search", "ef search"}, {"reach", "reach"},
		}},
		{"QUERY", []knobName{{"empty_query", "blank query"}, {"require_owner", "owner needed"}}},
	}
}

// knobShort is what the drawer calls a parameter.
func knobShort(field string) string {
	for _, g := range knobGroups() {
		for _, k := range g.knobs {
			if k.field == field {
				return k.short
			}
		}
	}
	return field
}

// knobRows are the rows for parameters that start as given: first those that it
// uses, then, behind a row that folds them, the others. Of these, what was
// changed is shown in any case.
func knobRows(start, present param.Params, unfolded bool) []knobRow {
	var rows, rest []knobRow
	hidden := 0
	for _, g := range knobGroups() {
		used, unused := []knobRow{{head: g.name}}, []knobRow{{head: g.name, after: true}}
		for _, k := range g.knobs {
			switch {
			case start.Uses(k.field):
				used = append(used, knobRow{field: k.field})
			case unfolded || start.Get(k.field) != present.Get(k.field):
				unused = append(unused, knobRow{field: k.field, after: true})
			default:
				hidden++
			}
		}
		if len(used) > 1 {
			rows = append(rows, used...)
		}
		if len(unused) > 1 {
			rest = append(rest, unused...)
		}
	}
	if hidden > 0 || len(rest) > 0 {
		rows = append(rows, knobRow{fold: true})
	}
	return append(rows, rest...)
}

// knobValue is a value as the drawer shows it.
func knobValue(s *param.Spec, value string) string {
	if word, ok := knobWord(s, value); ok {
		return word
	}
	switch s.Kind {
	case param.KindBool:
		if value == "true" {
			return "yes"
		}
		return "no"
	case param.KindInt:
		if n, err := strconv.Atoi(value); err == nil && n >= 10_000 && n%1000 == 0 {
			return strconv.Itoa(n/1000) + "k"
		}
	case param.KindFloat:
		f, err := strconv.ParseFloat(value, 64)
		_, decimals, _ := strings.Cut(value, ".")
		if err == nil && s.Step < 1 && len(decimals) <= 3 {
			return listScore(f)
		}
	}
	return value
}

// knobWord is what a value says that stands for no number.
func knobWord(s *param.Spec, value string) (string, bool) {
	switch {
	case s.Field == "context_budget" && value == s.Off:
		return "no limit", true
	case s.Field == "similarity_floor" && value == s.Off:
		return "off", true
	case value != "0":
		return "", false
	}
	switch s.Field {
	case "top_k", "max_frontier":
		return "no cap", true
	case "recency_half_life", "dedup_threshold", "full_context_threshold":
		return "off", true
	case "top_k_children_limit":
		return "by top k", true
	case "seed_top_k":
		return "limit", true
	case "hnsw_ef_search":
		return "index", true
	default:
		return "", false
	}
}

// drawer is the state of the pane of parameters.
type drawer struct {
	w, h int
	// field is the parameter under the cursor; onFold says that it is the folding
	// row instead.
	field  string
	onFold bool
	// unfolded shows the parameters that the preset has no use for, too.
	unfolded bool
	top      int // first line shown

	rows []knobRow
	of   knobRowsOf
	// arrived says what the last jump to a turn did, as long as the value that it
	// led to stands.
	arrived   string
	arrivedAt param.Params

	turning turning
	drawn   drawing[drawerLook]
	version int // of what is known of the tracks
}

// knobRowsOf is what the rows depend on.
type knobRowsOf struct {
	start, present param.Params
	unfolded       bool
}

// layRows makes the rows anew where what they depend on has changed, and finds
// the cursor a place.
func (m *Model) layRows() []knobRow {
	d := &m.tune.drawer
	of := knobRowsOf{m.tune.start.params, m.tune.params, d.unfolded}
	if d.rows == nil || d.of != of {
		d.rows, d.of = knobRows(of.start, of.present, of.unfolded), of
	}
	if d.at() < 0 {
		d.goTo(d.first())
	}
	return d.rows
}

// at is the cursor's row, -1 when it is nowhere.
func (d *drawer) at() int {
	return slices.IndexFunc(d.rows, func(r knobRow) bool {
		return d.onFold && r.fold || !d.onFold && r.field != "" && r.field == d.field
	})
}

// first is the row that the cursor begins on: a number that decides much, if one
// is used.
func (d *drawer) first() int {
	for _, field := range [...]string{"similarity_floor", "keyword_weight", "max_hops", "top_k"} {
		if i := slices.IndexFunc(d.rows, func(r knobRow) bool { return r.field == field && !r.after }); i >= 0 {
			return i
		}
	}
	return slices.IndexFunc(d.rows, func(r knobRow) bool { return r.stops() })
}

// goTo puts the cursor on a row.
func (d *drawer) goTo(i int) {
	if i < 0 || i >= len(d.rows) || !d.rows[i].stops() {
		return
	}
	d.field, d.onFold = d.rows[i].field, d.rows[i].fold
}

// move moves the cursor by rows that it can stand on.
func (d *drawer) move(n int) {
	sign := 1
	if n < 0 {
		sign, n = -1, -n
	}
	at := d.at()
	for i := at + sign; i >= 0 && i < len(d.rows) && n > 0; i += sign {
		if d.rows[i].stops() {
			at = i
			n--
		}
	}
	d.goTo(at)
}

// selectedKnob is the parameter under the cursor.
func (m *Model) selectedKnob() (param.Spec, bool) {
	m.layRows()
	return param.SpecOf(m.tune.drawer.field)
}
