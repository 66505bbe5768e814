package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/testdata/oracle"
)

// The help of every command is what it was.
func TestOracleOfHelp(t *testing.T) {
	command, hold := onFrozenPages(t)
	var b strings.Builder
	var add func(cmd *cobra.Command)
	add = func(cmd *cobra.Command) {
		if cmd.Name() == "completion" || cmd.Name() == "help" {
			return // they are the library's
		}
		args := strings.Fields(cmd.CommandPath() + " --help")[1:]
		code, out, narration := command("", args...)
		fmt.Fprintf(&b, "%swebrag-tui %s\nexit code %d\n%s%s", oracle.Mark, shellLine(args), code, out, narration)
		for _, sub := range cmd.Commands() {
			add(sub)
		}
	}
	add(newRoot(newApp(process{})))
	hold("help.golden", b.String())
}

// oracleCommands are run one after the other. PRESET stands for each preset.
const oracleCommands = `
keys
keys --json
config env
config show
config show --json
config show --preset hybrid --set top_k=7 --exact
config path
presets
presets --json
presets PRESET
presets PRESET --json
presets hybird
profile save tight --preset hybrid --set top_k=2 --set rrf_k=20 --note 'for short windows'
profile save tight
profile list
profile list --json
profile show tight
profile show tight --json
profile show tight --changed
profile show tight --changed --json
profile show PRESET --changed
profile env tight
profile env tight --go
profile env PRESET
profile env PRESET --go
docs list
docs list --json
docs show file:guide/ranking.md
docs show file:guide/ranking.md --json
docs show ranking
docs delete file:pages/tides.html --json
docs delete file:pages/green-tea.html
docs list --deleted
docs list --deleted --json
docs restore file:pages/tides.html --json
docs restore file:pages/green-tea.html
edges list --limit 5
edges list --limit 5 --json
edges list --dangling
edges list --relation cites
edges import edges.jsonl
edges import edges.jsonl --json
edges list --relation elaborates --json
edges list --dangling --json
cite file:guide/ranking.md --span 1048-1100
cite file:guide/ranking.md --span 1048-1100 --json
cite file:guide/ranking.md --quote 'a page that is three links away' --json
cite file:guide/ranking.md --quote depth
cite file:guide/ranking.md --quote depth --json
cite file:guide/ranking.md --span 1-20 --quote 'no such words' --json
cite file:guide/rankin.md --span 1-20
query --preset PRESET --mode chunk 'how does depth decay change the ranking'
query --preset PRESET --mode chunk --explain --top 3 'how does depth decay change the ranking'
query --preset PRESET --mode chunk --explain --json --set top_k=3 'which settings make an approximate search miss nothing'
query --mode full_context --budget 3000 'depth decay'
query --mode full_context --budget 3000 --explain --json 'depth decay'
query --text --top 1 'depth decay'
query --ground --top 2 'depth decay'
query --ground --json --set top_k=1 'depth decay'
query --json --with-embedding --set top_k=1 'depth decay'
query --json --plan --set top_k=1 'depth decay'
query --shape webrag --set top_k=2 'depth decay'
query --shape textbook --preset textbook 'depth decay'
query --shape hybrid --preset hybrid 'depth decay'
query --shape topk --preset topk 'depth decay'
query --selected-text pages/tides.html --doc-path a/b.md --section Tides 'what is a tide'
query --selected-text pages/tides.html --doc-path a/b.md --section Tides 'what is a tide' --json
query --selected-text pages/tides.html --shape textbook 'what is a tide'
query --preset hybrid --json 'qqq zzz'
query --preset webrag --set mode=chunk --set similarity_floor=0.99 'depth decay'
query --preset webrag --set mode=chunk --set similarity_floor=0.99 --json 'depth decay'
query --source file:guide/ranking.md --heading 'Depth decay' --explain 'depth decay'
query --tag tuning --json --set top_k=2 'depth decay'
query --tag none 'depth decay'
query --max-depth-filter 1 --exclude-doc x --top 2 'depth decay'
query --preset PRESET --mode chunk --set top_k=2 -
query ' '
query
query --set topk=3 'depth decay'
query --preset hybird 'depth decay'
query --mode chnk 'depth decay'
query --profile tight --explain 'depth decay'
context --preset PRESET --mode chunk --budget 900 'how does depth decay change the ranking'
context --ground --budget 900 --mode chunk 'how does depth decay change the ranking'
context --ground --budget 900 --mode chunk --json 'how does depth decay change the ranking'
why 'depth decay' --preset PRESET --mode chunk --source file:pages/sourdough.md
why 'depth decay' --preset PRESET --mode chunk --source file:pages/sourdough.md --json
why 'depth decay' --preset PRESET --mode chunk --quote 'A rate of 0.2 with a floor of 0.2'
why 'depth decay' --preset webrag --mode full_context --budget 3000 --source file:pages/sourdough.md
why 'depth decay' --preset blend --budget 900 --quote 'A rate of 0.2 with a floor of 0.2'
why 'depth decay' --preset blend --budget 900 --set budget_policy=skip --quote 'A rate of 0.2 with a floor of 0.2'
why 'depth decay' --preset textbook --set dedup_threshold=0.02 --quote 'A rate of 0.2 with a floor of 0.2'
why 'depth decay' --preset blend --set min_score=0.8 --quote 'A rate of 0.2 with a floor of 0.2'
why 'depth decay' --preset blend --set reranker=score --set rerank_min_score=0.8 --quote 'A rate of 0.2 with a floor of 0.2'
why 'depth decay' --preset graph --set graph_top_k=4 --set top_k=5 --quote 'A rate of 0.2 with a floor of 0.2'
why 'depth decay' --preset hybrid --tag none --quote 'A rate of 0.2 with a floor of 0.2'
why 'depth decay' --quote 'no page says this'
why 'depth decay' --quote 'no page says this' --json
why 'depth decay' --chunk none
why 'depth decay' --chunk none --json
why 'depth decay' --source file:guide/rankin.md
why 'depth decay'
compare 'depth decay' --a webrag --b PRESET --mode chunk
compare 'depth decay' --a webrag --b PRESET --mode chunk --json
compare 'depth decay' --a hybrid --b hybrid --set-b rrf_k=5 --at 3
compare 'depth decay' --a hybrid --b tight
compare 'qqq zzz' --a hybrid --b graph
doctor
doctor --json
ann 'depth decay'
ann 'depth decay' --json
copy --from frozen.db --to copy.db
copy --from frozen.db --to copy.db --json
index guide pages everest.html
index guide pages everest.html --json
index pages/tides.html --owner ada --tag sea --meta module=m1 --json
query --owner ada --preset topk --json tides
query --preset topk tides
docs list --owner ada --json
migrate
trust --list
demo --theme none
qurey
query --jsn x
docs lst
`

// oracleRefusals is asked with each parameter: what is wrong with these values.
var oracleRefusals = []string{"", "-77", "1e9", "nonsense"}

// What every command prints, for people and as JSON, is what it was; so is what is
// said of a parameter that is out of range.
func TestOracleOfOutput(t *testing.T) {
	command, hold := onFrozenPages(t)
	edges := []string{
		`{"source":{"url":"file:guide/ranking.md","heading":"Depth decay"},"target":{"url":"file:guide/tuning.md"},"relation":"elaborates","weight":0.9,"description":"says how"}`,
		`{"source":{"url":"file:guide/ranking.md"},"target":{"url":"file:guide/none.md"},"relation":"elaborates"}`,
	}
	if err := os.WriteFile("edges.jsonl", []byte(strings.Join(edges, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	add := func(args ...string) {
		t.Helper()
		code, out, narration := command("what is a floor\nqqq zzz\n", args...)
		fmt.Fprintf(&b, "%swebrag-tui %s\nexit code %d\n%s", oracle.Mark, shellLine(args), code, steady(out+narration, dir))
	}
	for line := range strings.Lines(strings.TrimPrefix(oracleCommands, "\n")) {
		fill := []string{line}
		if strings.Contains(line, "PRESET") {
			fill = nil
			for _, preset := range oraclePresets {
				fill = append(fill, strings.Replace(line, "PRESET", preset, 1))
			}
		}
		for _, line := range fill {
			add(words(strings.TrimSpace(line))...)
		}
	}
	for _, field := range oracleFields(t, command) {
		for _, value := range oracleRefusals {
			add("config", "show", "--set", field+"="+value)
		}
	}
	hold("output.txt.gz", b.String())
}

// Of what is printed, these are not the same on every machine and at every time: how
// much work it was, where the folder of the pages is, how the corpus lies in its file
// and in memory, and when a page was deleted.
var (
	triedField = regexp.MustCompile(`"rankings_tried": \d+`)
	rootField  = regexp.MustCompile(`("?webrag:root"?[ :=]+"?)[0-9a-f]{16}`)
	fileSize   = regexp.MustCompile(`\d+ blocks|[\d.]+ MB of them in memory`)
	deletion   = regexp.MustCompile(`(deleted(?:_at)?[ ":]+)20[-0-9]{8}[T ][0-9:.]+(?:Z|[-+][0-9:]+)?`)
)

func steady(text, dir string) string {
	text = strings.ReplaceAll(text, dir, "DIR")
	text = triedField.ReplaceAllString(effort.ReplaceAllString(text, "N rankings tried"), `"rankings_tried": 0`)
	text = fileSize.ReplaceAllString(text, "SIZE")
	return roundedAll(deletion.ReplaceAllString(rootField.ReplaceAllString(text, "${1}ROOT"), "${1}TIME"))
}

// oracleFields are the parameters, as the program lists them.
func oracleFields(t *testing.T, command func(string, ...string) (int, string, string)) (fields []string) {
	t.Helper()
	_, out, _ := command("", "presets", "blend", "--json")
	var shown struct {
		Parameters []struct {
			Field string `json:"field"`
		} `json:"parameters"`
	}
	if err := json.Unmarshal([]byte(out), &shown); err != nil {
		t.Fatal(err)
	}
	for _, p := range shown.Parameters {
		fields = append(fields, p.Field)
	}
	return fields
}

// oracleChanges are presets with changed parameters. Each parameter is the first of
// at least one of them, with what it needs to matter after it.
const oracleChanges = `
blend mode=full_context context_budget=5000
webrag full_context_threshold=39000
blend empty_query=error
blend require_owner=true
blend search=exact
hybrid search_policy=system
hybrid iterative_scan=strict
hybrid hnsw_ef_search=20
blend reach=preset
hybrid keyword_match=and
hybrid keyword_match=websearch
hybrid keyword_unindexed=true
blend title_weight=0
blend heading_weight=0
hybrid feedback_terms=10
hybrid feedback_chunks=2 feedback_terms=10
hybrid feedback_weight=0.6 feedback_terms=10
webrag similarity_floor=0.2 mode=chunk
webrag floor_scale=raw mode=chunk
blend top_k_children_limit=7
blend overfetch=3 top_k_children_limit=0 top_k=5
graph seed_top_k=2
blend keyword_weight=0.2
blend fusion=rrf
hybrid rrf_k=5
hybrid rrf_scale=raw
hybrid single_arm=keep
blend unit=chunk
blend missing_parent=drop
blend max_hops=2
graph vector_weight=0.2
graph graph_weight=0.9
graph hop_decay=1,0.2
graph bidirectional=true
graph relations=references
graph min_traversal_score=0.5
graph max_frontier=1
graph graph_scoring=oasis-code
graph graph_filter_scope=seeds
graph graph_top_k=2 top_k=4
blend top_k=3
blend depth_decay_rate=0.2
blend depth_floor=0.1 depth_decay_rate=0.5
blend recency_half_life=30
blend dedup_threshold=0.1
blend reranker=score
blend reranker=llm
blend reranker=http
blend rerank_min_score=0.5 reranker=score
blend unscored=keep reranker=llm
blend min_score=0.6
textbook merge_adjacent=true
blend context_budget=900
blend budget_policy=skip context_budget=900
blend budget_count=surface context_budget=900
webrag full_context_overflow=skip mode=full_context context_budget=5000
blend group_by_source=false
blend surface_policy=markdown
`

// What each parameter changes is what it was, in words and as JSON.
func TestOracleOfParameters(t *testing.T) {
	command, hold := onFrozenPages(t)
	const query = "which settings make an approximate search miss nothing"
	var b strings.Builder
	fields := oracleFields(t, command)
	for line := range strings.Lines(strings.TrimPrefix(oracleChanges, "\n")) {
		parts := strings.Fields(line)
		args := []string{"query", "--explain", "--preset", parts[0]}
		for _, change := range parts[1:] {
			args = append(args, "--set", change)
		}
		first, _, _ := strings.Cut(parts[1], "=")
		fields = slices.DeleteFunc(fields, func(field string) bool { return field == first })
		code, out, narration := command("", append(args, query)...)
		fmt.Fprintf(&b, "%swebrag-tui %s\nexit code %d\n%s%s", oracle.Mark, shellLine(append(args, query)), code, out, narration)
		if code == exitFine {
			_, out, _ = command("", append(args, "--json", query)...)
			b.WriteString(digest(t, out))
		}
	}
	hold("parameters.txt.gz", b.String())
	if len(fields) > 0 {
		t.Errorf("no change begins with %s", strings.Join(fields, ", "))
	}
}
