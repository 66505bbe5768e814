package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/wire"
)

func newContext(a *app) *cobra.Command {
	var f queryFlags
	cmd := &cobra.Command{
		Use:   "context TEXT",
		Short: "Print the context that a language model gets for a query",
		Long: "context asks a corpus and prints the sections that come back as a language model\n" +
			"gets them: each in its selected surface, under a line that names its source. With\n" +
			"--ground, an instruction comes before, and the sections stand between the lines\n" +
			"<excerpts> and </excerpts>, followed by their addresses. The preset webrag sends\n" +
			"sections with tables, mathematics and the like as HTML, and as markdown with\n" +
			"--set " + param.FieldSurfacePolicy + "=markdown; the other presets send markdown. It exits with 1\n" +
			"when nothing was found.",
		Example: "webrag-tui context 'what is a decorator'\n" +
			"webrag-tui context --ground --budget 4000 'gradient boosting'\n" +
			"webrag-tui context --json 'gradient boosting' | jq '.sources[].url'\n" +
			"webrag-tui context --ground --selected-text page.md 'what does it say about depth'",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if len(args) == 0 || text == "-" {
				return fmt.Errorf("context needs one text: webrag-tui context 'what is a decorator'; " +
					"for many, give them to 'webrag-tui query --ground --json -'")
			}
			return a.printContext(cmd.Context(), text, f)
		},
	}
	fs := cmd.Flags()
	a.retrievalFlags(fs)
	f.register(fs)
	f.prompt.register(fs)
	return cmd
}

func (a *app) printContext(ctx context.Context, text string, f queryFlags) error {
	q, err := a.newAsker(ctx, text, f)
	if err != nil {
		return err
	}
	defer q.close()
	res, err := q.result(ctx, text)
	if err != nil {
		return err
	}
	grounded := res.Ground(q.encode.Policy)
	a.narrate(append(res.Notices, forgeries(grounded.Placed, q.passage != nil)...))
	if a.json {
		q.encode.Indent = true
		return orNothing(a.printEncoded(wire.EncodeContext(res, q.encode)), res.IsEmpty())
	}
	var parts []string
	if f.prompt.ground {
		parts = append(parts, offset.Display(grounded.SystemInstruction).Text+"\n")
	}
	if grounded.Context != "" {
		parts = append(parts, offset.Display(grounded.Context).Text+"\n")
	}
	fmt.Fprint(a.out, strings.Join(parts, "\n"))
	return orNothing(nil, res.IsEmpty())
}

// forgeries tells of pages that had made up markers of sources, or fences.
func forgeries(placed []citations.Placed, isSelection bool) []retrieval.Notice {
	var notices []retrieval.Notice
	for i, p := range placed {
		if p.Disarmed == 0 {
			continue
		}
		text := fmt.Sprintf("source %d has %s of a source or of the end of the excerpts in its text, made up by the page; the brackets are round ones now",
			i+1, plural(p.Disarmed, "marker"))
		if isSelection {
			text = fmt.Sprintf("the selected text has %s of its own end in it; the brackets are round ones now", plural(p.Disarmed, "marker"))
		}
		notices = append(notices, retrieval.Notice{Code: "forged_marker", Warning: true, Text: text})
	}
	return notices
}

// passage writes the result of a selection.
func (p *printer) passage(res *retrieval.Result, links citations.Links) {
	it := &res.Items[0]
	parts := []string{"selected text", plural(it.CharEnd, "character")}
	if cite := citations.Cite(it.Place(), links); cite.URL != "" {
		parts = append(parts, offset.Line(cite.URL))
	} else if cite.Section != "" {
		parts = append(parts, offset.Line(cite.Section))
	}
	fmt.Fprintln(p.w, faint+strings.Join(parts, " · ")+" · nothing was searched"+plain)
	if p.text {
		p.quoted(it.SelectedText())
		return
	}
	fmt.Fprintf(p.w, "      %s%s%s\n", faint, beginning(offset.Line(it.SelectedText()), excerptRunes), plain)
}

// prompt writes what a language model is told.
func (p *printer) prompt(g citations.Grounded) {
	fmt.Fprintf(p.w, "\n%ssystem instruction%s\n", bold, plain)
	p.quoted(g.SystemInstruction)
	fmt.Fprintf(p.w, "\n%scontext%s\n", bold, plain)
	if !g.SufficientContext {
		fmt.Fprintf(p.w, "      %snone: nothing was found to answer from%s\n", faint, plain)
		return
	}
	p.quoted(g.Context)
}

// quoted writes a text behind a rule.
func (p *printer) quoted(text string) {
	for line := range strings.Lines(offset.Display(text).Text) {
		fmt.Fprintf(p.w, "      │ %s\n", strings.TrimRight(line, "\n"))
	}
}
