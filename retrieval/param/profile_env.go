package param

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// systemVariables are the parameters that the small-to-large system reads from
// its environment, under the names that they have here, too.
func systemVariables() []string {
	return []string{
		"full_context_threshold", "context_budget", "top_k_children_limit", "similarity_floor",
		"depth_decay_rate", "depth_floor", "hnsw_ef_search",
	}
}

// fixedThere is what a system does where it has no setting.
type fixedThere struct {
	// value is the parameter's value that stands for it, empty where none does.
	Value string
	// does is what it does, in words: "the system …".
	does string
}

// fixedInWebRAG says what the small-to-large system does about the parameters
// that it cannot be told.
func fixedInWebRAG() map[string]fixedThere {
	return map[string]fixedThere{
		"mode":                  {"auto", "decides by the corpus's size"},
		"empty_query":           {"empty", "embeds a blank query like any other"},
		"require_owner":         {"false", "knows no owners"},
		"search":                {"ann", "searches its HNSW index"},
		"search_policy":         {"system", "asks its index once, with hnsw_ef_search"},
		"iterative_scan":        {"off", "does not go on when a filter leaves too few rows"},
		"keyword_match":         {"", "has no keyword search"},
		"keyword_unindexed":     {"", "has no keyword search"},
		"title_weight":          {"", "has no keyword search"},
		"heading_weight":        {"", "has no keyword search"},
		"feedback_terms":        {"", "has no keyword search"},
		"feedback_chunks":       {"", "has no keyword search"},
		"feedback_weight":       {"", "has no keyword search"},
		"floor_scale":           {"raw", "reads similarity_floor as a plain cosine"},
		"overfetch":             {"1", "takes top_k_children_limit rows"},
		"keyword_weight":        {"0", "has no keyword search"},
		"fusion":                {"", "fuses nothing"},
		"rrf_k":                 {"", "fuses nothing"},
		"rrf_scale":             {"", "fuses nothing"},
		"single_arm":            {"", "fuses nothing"},
		"unit":                  {"parent", "returns sections"},
		"missing_parent":        {"drop", "returns nothing for a chunk without a section"},
		"max_hops":              {"0", "follows no edges"},
		"seed_top_k":            {"", "follows no edges"},
		"vector_weight":         {"", "follows no edges"},
		"graph_weight":          {"", "follows no edges"},
		"hop_decay":             {"", "follows no edges"},
		"bidirectional":         {"", "follows no edges"},
		"relations":             {"", "follows no edges"},
		"min_traversal_score":   {"", "follows no edges"},
		"max_frontier":          {"", "follows no edges"},
		"graph_scoring":         {"", "follows no edges"},
		"graph_filter_scope":    {"", "follows no edges"},
		"graph_top_k":           {"0", "follows no edges"},
		"recency_half_life":     {"0", "takes no account of age"},
		"dedup_threshold":       {"0", "keeps near-duplicates"},
		"reranker":              {"none", "does not rerank"},
		"rerank_min_score":      {"", "does not rerank"},
		"unscored":              {"", "does not rerank"},
		"min_score":             {"0", "has no least score beyond similarity_floor"},
		"top_k":                 {"0", "returns as many sections as the budget holds"},
		"merge_adjacent":        {"false", "returns whole sections"},
		"budget_policy":         {"stop", "ends at the first section that does not fit"},
		"budget_count":          {"markdown", "counts the tokens of the markdown, also where it sends HTML"},
		"full_context_overflow": {"drop_documents", "drops whole pages, the deepest first"},
		"group_by_source":       {"true", "lists sections page by page"},
		"surface_policy":        {"auto", "sends HTML where markdown loses structure"},
	}
}

// Uses reports whether a parameter has a part in what p does: its stage is not
// switched off, and no other value leaves it without effect.
func (p Params) Uses(field string) bool {
	for _, s := range Switches() {
		if s.Field == field {
			spec, _ := SpecOf(field)
			if spec.Get(&p) == spec.Off {
				return false
			}
		}
	}
	return field == "reach" || !slices.Contains(p.Idle(), field)
}

// Idle are the parameters that have no effect because their stage is off,
// and those that only steer this program.
func (p Params) Idle() []string {
	idle := []string{"reach"}
	if p.KeywordWeight == 0 {
		idle = append(idle, "keyword_match", "keyword_unindexed", "title_weight", "heading_weight", "feedback_terms", "fusion", "rrf_k", "rrf_scale", "single_arm")
	}
	if p.KeywordWeight == 0 || p.FeedbackTerms == 0 || !p.takesFeedback() {
		idle = append(idle, "feedback_chunks", "feedback_weight")
	}
	if p.MaxHops == 0 {
		idle = append(idle, "seed_top_k", "vector_weight", "graph_weight", "hop_decay", "bidirectional", "relations",
			"min_traversal_score", "max_frontier", "graph_scoring", "graph_filter_scope", "graph_top_k")
	}
	if p.Reranker == RerankerNone {
		idle = append(idle, "unscored")
	}
	if p.Reranker != RerankerScore {
		idle = append(idle, "rerank_min_score")
	}
	if p.MaxHops > 0 && p.SeedTopK > 0 || p.TopKChildrenLimit > 0 {
		idle = append(idle, "overfetch")
	}
	if p.Search == SearchExact {
		idle = append(idle, "search_policy", "iterative_scan")
	}
	if p.ContextBudget == Unlimited {
		idle = append(idle, "budget_policy", "budget_count")
	}
	if p.Mode == ModeChunk {
		idle = append(idle, "full_context_threshold", "full_context_overflow")
	}
	if p.SimilarityFloor == -1 {
		idle = append(idle, "floor_scale")
	}
	if p.DepthDecayRate == 0 {
		idle = append(idle, "depth_floor")
	}
	if p.Unit == UnitParent {
		idle = append(idle, "merge_adjacent")
	}
	return idle
}

// KnownFloor is what an export can say of a floor: the cosine at which it cuts, or
// why that is not known.
type KnownFloor struct {
	// Floor is what [Params.FloorOn] gives.
	Floor Floor
	// Corpus names the corpus that has the scale, for a comment.
	Corpus string
	// Unknown says why the cosine is not known, as a clause, and what to do about
	// it. It is empty where Floor is.
	Unknown string
}

// WriteSystemEnv writes the profile as lines for the environment file of the
// small-to-large system under tuning. The first line counts what of the profile's
// changes that system can be told. What it cannot be told becomes a comment that
// says what it does instead.
//
// That system reads its floor as a cosine, so a floor on the scale of a corpus is
// written as the cosine that it is there, or not at all.
func (p Profile) WriteSystemEnv(w io.Writer, floor KnownFloor) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", p.transferWords())
	if p.Preset != PresetWebRAG {
		fmt.Fprintf(&b, "# Preset %s is another retriever than that system; 'profile env --go' may fit it.\n", p.Preset)
	}
	for _, field := range systemVariables() {
		s, _ := SpecOf(field)
		for _, warning := range p.envWarnings(field) {
			fmt.Fprintf(&b, "# ! %s\n", warning)
		}
		mark, value := "", p.Params.Get(field)
		if !p.transfers(field) {
			mark = "# "
		}
		if field == "similarity_floor" {
			var note string
			if note, value = floor.exported(value); note != "" {
				fmt.Fprintf(&b, "# %s\n", note)
			}
			if value == "" {
				mark = "# "
			}
		}
		fmt.Fprintf(&b, "%s%s=%s\n", mark, s.Env, value)
	}
	p.writeRest(&b, "# ", systemVariables(), fixedInWebRAG())
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write profile %s: %w", p.Name, err)
	}
	return nil
}

// exported is the value that a system gets that reads its floor as a cosine, empty
// where that is not known, and a line about it. setting is the parameter's value.
func (k KnownFloor) exported(setting string) (note, value string) {
	switch {
	case k.Unknown != "":
		return fmt.Sprintf("! similarity_floor %s is on the scale of a corpus, and the system reads a plain cosine. Which one, is not known: %s.", setting, inComment(k.Unknown)), ""
	case !k.Floor.Off && k.Floor.Scale == FloorCalibrated:
		return fmt.Sprintf("On the scale of the corpus%s: %s.", named(k.Corpus), k.Floor), phrase.Number(k.Floor.Cosine())
	default:
		return "", setting
	}
}

// named puts a name behind a noun, without what could end a comment.
func named(name string) string {
	if name == "" {
		return ""
	}
	return " " + inComment(name)
}

// transferWords say how many of the profile's changes the small-to-large system
// can be told: those of its preset, and for a preset itself those of webrag.
func (p Profile) transferWords() string {
	base, title := p.Preset, "Profile "+p.nameInComment()
	if p.Name == p.Preset {
		base, title = PresetWebRAG, "Preset "+p.nameInComment()
	}
	changed := p.changedFrom(base)
	told := 0
	for _, field := range changed {
		if slices.Contains(systemVariables(), field) && p.transfers(field) {
			told++
		}
	}
	const system = "in the system under tuning"
	switch n := len(changed); {
	case n == 0:
		return fmt.Sprintf("%s: no setting differs from preset %s.", title, base)
	case n == 1 && told == 1:
		return fmt.Sprintf("%s: 1 setting differs from preset %s; it can be set %s.", title, base, system)
	case n == 1:
		return fmt.Sprintf("%s: 1 setting differs from preset %s; it cannot be set %s.", title, base, system)
	case told == 0:
		return fmt.Sprintf("%s: %d settings differ from preset %s; none of them can be set %s.", title, n, base, system)
	default:
		return fmt.Sprintf("%s: %d settings differ from preset %s; %d of them can be set %s.", title, n, base, told, system)
	}
}

// changedFrom are the parameters that are not those of a preset.
func (p Profile) changedFrom(preset string) []string {
	base, ok := Preset(preset)
	if !ok {
		return nil
	}
	var fields []string
	for _, s := range Specs() {
		if p.Params.Get(s.Field) != base.Get(s.Field) {
			fields = append(fields, s.Field)
		}
	}
	return fields
}

// transfers says that a variable of the small-to-large system is worth setting:
// the system can take the value, and the value means something in this profile.
// What another preset than webrag has turned off was never chosen for the system.
func (p Profile) transfers(field string) bool {
	q := p.Params
	switch field {
	case "top_k_children_limit":
		return q.TopKChildrenLimit > 0
	case "hnsw_ef_search":
		return q.HNSWEfSearch > 0
	case "context_budget":
		return q.ContextBudget != Unlimited
	case "full_context_threshold":
		return q.Mode != ModeChunk
	}
	if p.Preset == PresetWebRAG || slices.Contains(p.changedFrom(p.Preset), field) {
		return true
	}
	switch field {
	case "similarity_floor":
		return q.SimilarityFloor != -1
	case "depth_decay_rate", "depth_floor":
		return q.DepthDecayRate != 0
	default:
		return true
	}
}

// envWarnings say where the system's parameter does not mean the same.
func (p Profile) envWarnings(field string) []string {
	switch {
	case field == "full_context_threshold" && p.Params.Mode == ModeChunk && p.Params.FullContextThreshold > 0:
		return []string{"This profile searches whatever the corpus's size (mode chunk); a threshold of 0 makes the system do so."}
	case field == "full_context_threshold" && p.Params.Mode == ModeFullContext:
		return []string{"This profile returns the whole corpus whatever its size (mode full_context); the system does so up to the threshold only."}
	case field == "top_k_children_limit" && p.Params.TopKChildrenLimit == 0:
		return []string{fmt.Sprintf("0 means %d rows here (top_k times overfetch, or seed_top_k); the system would take none: give it that number.", p.Params.ArmRows())}
	case field == "context_budget" && p.Params.ContextBudget == Unlimited:
		return []string{"This profile has no budget; the system needs one, or keeps its own."}
	case field == "hnsw_ef_search" && p.Params.HNSWEfSearch == 0:
		return []string{"0 means the index's own here (pgvector's is 40); the system needs a number of at least 1."}
	default:
		return nil
	}
}

// nameInComment is the profile's name without what could end a line.
func (p Profile) nameInComment() string { return inComment(p.Name) }

// inComment is a text without what could end a line.
func inComment(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}

// oneLine names a profile in a comment.
func (p Profile) oneLine() string {
	name := p.nameInComment()
	if p.Name == p.Preset {
		return "Preset " + name
	}
	return "Profile " + name + " (preset " + p.Preset + ")"
}

// writeRest writes a comment for each parameter that a system has no setting for:
// first those on which it differs, then the others by name.
func (p Profile) writeRest(b *strings.Builder, mark string, told []string, there map[string]fixedThere) {
	idle := p.Params.Idle()
	var differ, same, unused []string
	for _, s := range Specs() {
		value := p.Params.Get(s.Field)
		switch fixed := there[s.Field]; {
		case slices.Contains(told, s.Field):
		case slices.Contains(idle, s.Field):
			unused = append(unused, s.Field)
		case fixed.Value == value:
			same = append(same, s.Field+"="+value)
		default:
			differ = append(differ, fmt.Sprintf("%s=%s: the system %s", s.Field, value, fixed.does))
		}
	}
	group := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(b, "%s\n%s%s\n", strings.TrimSpace(mark), mark, title)
			for _, line := range lines {
				fmt.Fprintf(b, "%s  %s\n", mark, line)
			}
		}
	}
	group("The system has no setting for these, and goes its own way:", differ)
	group("It has no setting for these either, and does the same anyway:", inColumns(same))
	group("These have no effect in this profile:", inColumns(unused))
}

// inColumns joins words to lines of moderate length.
func inColumns(words []string) []string {
	const width = 96
	var lines []string
	for _, word := range words {
		if n := len(lines); n > 0 && len(lines[n-1])+len(word) < width {
			lines[n-1] += ", " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
