package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/param"
)

func newPresets(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "presets [NAME]",
		Short: "List the retrieval strategies, or the parameters of one",
		Long: "presets lists the strategies that --preset accepts. With a name it prints every\n" +
			"parameter with its value, its range and what it does; a * marks those that differ\n" +
			"from webrag.",
		Example: "webrag-tui presets\n" +
			"webrag-tui presets hybrid\n" +
			"webrag-tui presets graph --json | jq '.parameters[] | select(.differs)'",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listPresets()
			}
			b, err := openBasis(args[0])
			if err != nil {
				return err
			}
			if b.file != "" {
				return fmt.Errorf("%s is a profile; see it with 'webrag-tui profile show %s'", b.profile.Name, file.ShellWord(args[0]))
			}
			return a.showPreset(b.profile, false, nil)
		},
	}
}

// presetRow is a preset in the list.
type presetRow struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

func (a *app) listPresets() error {
	rows := eachOf(param.PresetInfos(), func(p param.PresetInfo) presetRow { return presetRow(p) })
	return printRows(a, rows, func(r presetRow) string { return r.Name + "\t" + r.Summary })
}

// summaryOf is what a preset does, in a sentence.
func summaryOf(preset string) string {
	infos := param.PresetInfos()
	at := slices.IndexFunc(infos, func(p param.PresetInfo) bool { return p.Name == preset })
	if at < 0 {
		return ""
	}
	return infos[at].Summary
}

// parameterRow is a parameter with its description.
type parameterRow struct {
	Field  string `json:"field"`
	Value  string `json:"value"`
	Unit   string `json:"unit,omitempty"`
	Stage  string `json:"stage"`
	Range  string `json:"range"`
	Help   string `json:"help"`
	Origin string `json:"origin,omitempty"`
	// Compared is the value that the row is compared with, Differs that it is
	// another one.
	Compared string `json:"compared"`
	Differs  bool   `json:"differs"`
	// note is a line below the row.
	note string
}

// parameterRows are all parameters of p beside those of another.
func parameterRows(p, other param.Params) []parameterRow {
	return eachOf(param.Specs(), func(s param.Spec) parameterRow {
		value, compared := p.Get(s.Field), other.Get(s.Field)
		return parameterRow{
			Field: s.Field, Value: value, Unit: s.Unit, Stage: s.Stage, Range: s.Range(), Help: s.Help,
			Compared: compared, Differs: value != compared,
		}
	})
}

// showPreset prints a preset, with what its floor is on a corpus where that was
// asked.
func (a *app) showPreset(p param.Profile, changed bool, floor *param.KnownFloor) error {
	rows := parameterRows(p.Params, presetParams(param.PresetWebRAG))
	if changed {
		rows = changedRows(rows)
	}
	var view *floorView
	if floor != nil {
		view = viewFloor(p.Params, *floor)
		noteFloor(rows, *floor)
	}
	if a.json {
		return a.printJSON(struct {
			presetRow
			ComparedWith string         `json:"compared_with"`
			Floor        *floorView     `json:"floor,omitempty"`
			Parameters   []parameterRow `json:"parameters"`
		}{presetRow{p.Name, summaryOf(p.Name)}, param.PresetWebRAG, view, rows})
	}
	fmt.Fprintf(a.output(), "%s%s%s  %s\n", bold, p.Name, plain, summaryOf(p.Name))
	return a.printParameters(rows, param.PresetWebRAG)
}

// printParameters lists parameters by stage. A * marks those that differ from
// what they are compared with, whose value stands behind.
func (a *app) printParameters(rows []parameterRow, comparedWith string) error {
	out := a.output()
	names, values := 0, 0
	for _, r := range rows {
		names = max(names, len(r.Field))
		values = max(values, len([]rune(r.shown())))
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintf(out, "\nnothing differs from %s\n", comparedWith)
		return err
	}
	stage := ""
	for _, r := range byStage(rows) {
		if r.Stage != stage {
			stage = r.Stage
			fmt.Fprintf(out, "\n%s%s%s\n", bold, stage, plain)
		}
		mark, compared := " ", ""
		if r.Differs {
			mark, compared = "*", fmt.Sprintf("; %s: %s", comparedWith, param.Shown(r.Field, r.Compared))
		}
		if _, err := fmt.Fprintf(out, "%s %s  %s  %s%s (%s%s)%s\n", mark, pad(r.Field, names), pad(offset.Line(r.shown()), values),
			faint, strings.TrimSuffix(r.Help, "."), r.Range, compared, plain); err != nil {
			return fmt.Errorf("print parameters: %w", err)
		}
		if r.note != "" {
			fmt.Fprintf(out, "    %s%s%s\n", faint, offset.Line(r.note), plain)
		}
	}
	return nil
}

func changedRows(rows []parameterRow) []parameterRow {
	return slices.DeleteFunc(rows, func(r parameterRow) bool { return !r.Differs })
}

// byStage puts the rows of a stage together, the stages in the order in which the
// first of each comes.
func byStage(rows []parameterRow) []parameterRow {
	first := func(of parameterRow) int {
		return slices.IndexFunc(rows, func(r parameterRow) bool { return r.Stage == of.Stage })
	}
	return slices.SortedStableFunc(slices.Values(rows), func(a, b parameterRow) int { return first(a) - first(b) })
}

// shown is the value with its unit.
func (r *parameterRow) shown() string {
	return param.Measured(r.Field, r.Value)
}
