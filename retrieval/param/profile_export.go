package param

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// counterpart is what another system has in the place of a parameter: a setting, or
// what it does where it has none.
type counterpart struct {
	// line is the setting's place among those of the system, from 1; 0 for none.
	line int
	// takes says of parameters that the system can be told the value, nil where it
	// always can; untaken says what the value means that it cannot be told, with %d
	// for [Params.ArmRows].
	takes   func(*Params) bool
	untaken string
	// option is the setting's name in code that takes the value as it is, write
	// writes another one.
	option string
	write  func(b *strings.Builder, p *Params)

	// value is the parameter's value that stands for what the system does without a
	// setting, empty where none does; does says it in words: "the system …".
	value, does string
}

// fixed is a column for a system that has no setting.
func fixed(value, does string) *counterpart { return &counterpart{value: value, does: does} }

// What systems do about several parameters.
const (
	noKeywords = "has no keyword search"
	noFusion   = "fuses nothing"
	noEdges    = "follows no edges"
	noBudget   = "has no budget of tokens"
	asItsStore = "searches as its store does"
	ownWords   = "searches the query's own words only"
)

// ofSystem gives a row's counterpart in one system.
type ofSystem func(s *Spec) *counterpart

func inWebRAG(s *Spec) *counterpart { return cmp.Or(s.webrag, &counterpart{}) }

// settings are the rows for which a system has a setting, in its order.
func (of ofSystem) settings() []*Spec {
	var list []*Spec
	specs := table()
	for i := range specs {
		if of(&specs[i]).line > 0 {
			list = append(list, &specs[i])
		}
	}
	slices.SortFunc(list, func(a, b *Spec) int { return cmp.Compare(of(a).line, of(b).line) })
	return list
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
	for _, s := range ofSystem(inWebRAG).settings() {
		if warning := p.envWarning(s); warning != "" {
			fmt.Fprintf(&b, "# ! %s\n", warning)
		}
		mark, value := "", s.Get(&p.Params)
		if !p.transfers(s) {
			mark = "# "
		}
		if s.Field == FieldSimilarityFloor {
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
	p.writeRest(&b, "# ", inWebRAG, func(s *Spec) bool { return inWebRAG(s).line > 0 })
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
		return fmt.Sprintf("! %s %s is on the scale of a corpus, and the system reads a plain cosine. Which one, is not known: %s.", FieldSimilarityFloor, setting, inComment(k.Unknown)), ""
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
	for _, s := range changed {
		if inWebRAG(s).line > 0 && p.transfers(s) {
			told++
		}
	}
	differs, can := "1 setting differs", "it can"
	switch n := len(changed); {
	case n == 0:
		return fmt.Sprintf("%s: no setting differs from preset %s.", title, base)
	case n == 1 && told == 0:
		can = "it cannot"
	case n > 1 && told == 0:
		differs, can = fmt.Sprintf("%d settings differ", n), "none of them can"
	case n > 1:
		differs, can = fmt.Sprintf("%d settings differ", n), fmt.Sprintf("%d of them can", told)
	}
	return fmt.Sprintf("%s: %s from preset %s; %s be set in the system under tuning.", title, differs, base, can)
}

// changedFrom are the parameters that are not those of a preset.
func (p Profile) changedFrom(preset string) []*Spec {
	base, ok := Preset(preset)
	if !ok {
		return nil
	}
	var list []*Spec
	specs := table()
	for i := range specs {
		if s := &specs[i]; s.Get(&p.Params) != s.Get(&base) {
			list = append(list, s)
		}
	}
	return list
}

// transfers says that a variable of the small-to-large system is worth setting:
// the system can take the value, and the value means something in this profile.
// What another preset than webrag has turned off was never chosen for the system.
func (p Profile) transfers(s *Spec) bool {
	if s.webrag.takes != nil {
		return s.webrag.takes(&p.Params)
	}
	return p.Preset == PresetWebRAG || slices.Contains(p.changedFrom(p.Preset), s) || s.UsedIn(&p.Params)
}

// envWarning says where the system's setting would not mean the same, empty for
// nowhere.
func (p Profile) envWarning(s *Spec) string {
	q := &p.Params
	switch {
	case s.Field == FieldFullContextThreshold && q.Mode == ModeChunk && q.FullContextThreshold > 0:
		return "This profile searches whatever the corpus's size (mode chunk); a threshold of 0 makes the system do so."
	case s.Field == FieldFullContextThreshold && q.Mode == ModeFullContext:
		return "This profile returns the whole corpus whatever its size (mode full_context); the system does so up to the threshold only."
	case s.webrag.takes == nil || s.webrag.takes(q):
		return ""
	default:
		return strings.ReplaceAll(s.webrag.untaken, "%d", strconv.Itoa(q.ArmRows()))
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
func (p Profile) writeRest(b *strings.Builder, mark string, of ofSystem, told func(*Spec) bool) {
	var differ, same, unused []string
	specs := table()
	for i := range specs {
		s := &specs[i]
		value := s.Get(&p.Params)
		switch there := of(s); {
		case told(s):
		case s.IdleIn(&p.Params):
			unused = append(unused, s.Field)
		case there.value == value:
			same = append(same, s.Field+"="+value)
		default:
			differ = append(differ, fmt.Sprintf("%s=%s: the system %s", s.Field, value, there.does))
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

// inHybrid and inGraph are the columns of the hybrid and the graph retriever.
func inHybrid(s *Spec) *counterpart { return cmp.Or(s.hybrid, &counterpart{}) }
func inGraph(s *Spec) *counterpart  { return cmp.Or(s.graph, inHybrid(s)) }

// argument is the place of what a retriever is told with each query, behind its
// options.
const argument = 100

// WriteGoOptions writes the profile as Go code for the hybrid retriever under
// tuning, or for the graph retriever when edges are followed. What those have no
// option for becomes a comment that says what they do instead.
func (p Profile) WriteGoOptions(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s, for the retriever under tuning.\n", p.oneLine())
	q, retriever, of := &p.Params, "Hybrid", ofSystem(inHybrid)
	if q.MaxHops > 0 {
		retriever, of = "Graph", inGraph
	}
	told := func(s *Spec) bool {
		there := of(s)
		return there.line > 0 && (there.takes == nil || there.takes(q))
	}
	fmt.Fprintf(&b, "retriever := oasis.New%sRetriever(store, embedding,\n", retriever)
	for _, s := range of.settings() {
		switch there := of(s); {
		case !told(s):
		case there.write != nil:
			there.write(&b, q)
		case there.option != "":
			fmt.Fprintf(&b, "\toasis.%s(%s),\n", there.option, s.Get(q))
		}
	}
	b.WriteString(")\n")
	topK := strconv.Itoa(q.TopK)
	if q.TopK == 0 {
		b.WriteString("// ! top_k is 0 here, no cap; the retriever needs a number.\n")
		topK = "topK"
	}
	fmt.Fprintf(&b, "results, err := retriever.Retrieve(ctx, query, %s)\n", topK)
	b.WriteString("// Filters belong to a query, not to a profile: pass those of --source, --doc and the like with WithFilters or WithGraphFilters.\n")
	p.writeRest(&b, "// ", of, told)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write profile %s: %w", p.Name, err)
	}
	return nil
}

func writeHopDecay(b *strings.Builder, p *Params) {
	fmt.Fprintf(b, "\toasis.WithHopDecay([]float32{%s}),\n", strings.ReplaceAll(p.HopDecay.String(), ",", ", "))
}

func writeRelations(b *strings.Builder, p *Params) {
	if p.Relations == 0 {
		b.WriteString("\t// relations=all: no WithRelationFilter\n")
		return
	}
	// Words fit a type of strings whatever its constants are called.
	var names []string
	for _, r := range p.Relations.List() {
		names = append(names, strconv.Quote(string(r)))
	}
	fmt.Fprintf(b, "\toasis.WithRelationFilter(%s),\n", strings.Join(names, ", "))
}

func writeSeeds(b *strings.Builder, p *Params) {
	if p.SeedTopK > 0 {
		fmt.Fprintf(b, "\toasis.WithSeedTopK(%d),\n", p.SeedTopK)
		return
	}
	fmt.Fprintf(b, "\toasis.WithSeedTopK(%d), // seed_top_k is 0 here: the arms' own limit\n", p.ArmRows())
}

func writeMinScore(b *strings.Builder, p *Params) {
	writeLeast(b, p, FieldMinScore, p.MinScore, "oasis.WithMinRetrievalScore(%s),", reranks(p) && !reranksByScore(p))
}

func writeRerankMinScore(b *strings.Builder, p *Params) {
	writeLeast(b, p, FieldRerankMinScore, p.RerankMinScore, "oasis.WithReranker(oasis.NewScoreReranker(%s)),", false)
}

func writeReranker(b *strings.Builder, p *Params) {
	switch p.Reranker {
	case RerankerScore: // is told with its least score
	case RerankerLLM:
		b.WriteString("\toasis.WithReranker(oasis.NewLLMReranker(llmProvider)),\n")
	case RerankerHTTP:
		b.WriteString("\t// reranker=http: write an oasis.Reranker that asks your /rerank server, and pass it with WithReranker\n")
	case RerankerNone:
		b.WriteString("\t// reranker=none: no WithReranker\n")
	}
}

// writeLeast writes an option with a least score of the hybrid retriever. Its fused
// scores are sums of weight / (60 + rank + 1), so that a score of ours, of which the
// best is 1, is divided by 61; one on another scale means nothing there. isReranked
// says that the score is a reranker's.
func writeLeast(b *strings.Builder, p *Params, field string, least float64, option string, isReranked bool) {
	value := phrase.Number(least)
	switch {
	case least == 0 || isReranked:
	case p.KeywordWeight == 0 || p.Fusion != FusionRRF:
		fmt.Fprintf(b, "\t// ! %s=%s is no score of fused ranks in this profile, as the retriever's scores are: choose one of at most 1/%d\n", field, value, theirK+1)
		return
	case p.RRFScale == RRFNormalized:
		fmt.Fprintf(b, "\t// %s=%s, divided by %d: the retriever does not scale its fused scores\n", field, value, theirK+1)
		value = strconv.FormatFloat(least/(theirK+1), 'g', 6, 64)
	}
	fmt.Fprintf(b, "\t"+option+"\n", value)
}

// theirK is the constant of reciprocal ranks of the hybrid retriever.
const theirK = 60
