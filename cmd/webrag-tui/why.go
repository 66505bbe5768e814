package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/retrieval/wire"
)

// whyFlags say which text is missed.
type whyFlags struct {
	target whynot.Target
	url    string
	query  queryFlags
}

func newWhy(a *app) *cobra.Command {
	var f whyFlags
	cmd := &cobra.Command{
		Use:   "why TEXT",
		Short: "Say why a page or passage is not in the result of a query, and what would let it in",
		Long: "why looks for one text in everything that a query could have found: where exactly\n" +
			"it stands in each search, how far from each cut, and which stage drops it. Then it\n" +
			"tries changes of each parameter and lists those that let it in, first those that\n" +
			"change the rest of the result least. It exits with 1 when the corpus does not hold\n" +
			"the text.",
		Example: "webrag-tui why 'depth decay' --quote 'a page that is three links away'\n" +
			"webrag-tui why 'depth decay' --source https://docs.example.com/ranking --preset hybrid\n" +
			"webrag-tui why 'depth decay' --chunk 0b9c0f6e-… --json",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.target.SourceURL != "" && f.url != "" && f.target.SourceURL != f.url {
				return errors.New("--url and --source mean the same; give one of them")
			}
			f.target.SourceURL = cmp.Or(f.target.SourceURL, f.url)
			text := strings.Join(args, " ")
			if text == "" || text == "-" {
				return errors.New("why needs one query: webrag-tui why 'depth decay' --quote 'words of the passage'")
			}
			return a.why(cmd.Context(), text, f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.target.SourceURL, "source", "", "the page that is missed, by `URL`")
	fs.StringVar(&f.url, "url", "", "the same as --source: a `URL`")
	fs.StringVar(&f.target.ChunkID, "chunk", "", "the section or passage that is missed, by `id`")
	fs.StringVar(&f.target.Quote, "quote", "", "a `text` of the page that is missed")
	a.retrievalFlags(fs)
	f.query.registerFilters(fs)
	return cmd
}

func (a *app) why(ctx context.Context, text string, f whyFlags) error {
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	switch given := len(slices.DeleteFunc([]string{f.target.SourceURL, f.target.ChunkID, f.target.Quote}, blank)); {
	case given == 0:
		return errors.New("say which text is missed: --source URL, --chunk ID or --quote TEXT")
	case given > 1:
		return errors.New("--source, --chunk and --quote each name the text that is missed; give one of them")
	}
	q, err := a.newAsker(ctx, text, f.query)
	if err != nil {
		return err
	}
	defer q.close()
	report, err := whynot.Ask(ctx, q.deps, retrieval.Query{Text: text, Scope: q.scope}, q.params, f.target)
	if err != nil {
		return err
	}
	report.Notices = append(q.opened, report.Notices...)
	if a.json {
		err = a.printEncoded(wire.EncodeReport(report, wire.Options{Indent: true}))
	} else {
		a.narrate(report.Notices)
		reportPrinter{w: a.output(), floor: q.params.SimilarityFloor}.print(&report)
	}
	return orNothing(err, report.Meant == 0 && report.Chunk.DocumentID == "")
}

// reportPrinter writes the answer to why for people: the verdict first.
type reportPrinter struct {
	w io.Writer
	// floor is the setting: the cut itself is a cosine, which is another number
	// where the floor is calibrated.
	floor float64
}

func (p reportPrinter) print(r *whynot.Report) {
	fmt.Fprintf(p.w, "%s%s%s\n", bold, offset.Line(r.Verdict), plain)
	if r.Chunk.DocumentID == "" {
		return
	}
	isPage := r.Target.SourceURL != ""
	fmt.Fprintf(p.w, "\n%s  %s%s%s\n", chunkTitle(&r.Chunk, isPage), faint, offset.Line(r.Chunk.SourceURL), plain)
	switch {
	case isPage && r.Meant > 1:
		fmt.Fprintf(p.w, "  %s%s%s\n", faint, phrase.EachArmsBest.With(phrase.Several(r.Meant, "passage")), plain)
	case r.Meant > 1:
		fmt.Fprintf(p.w, "  %s%s%s\n", faint, phrase.Nearest.With(phrase.Several(r.Meant, "passage")), plain)
	}
	if len(r.InResult) > 0 {
		fmt.Fprintf(p.w, "  result   %s\n", said(whynot.NamePlaces(r.InResult)))
	}
	p.standing(param.StageVector, phrase.Cosine, r.Vector, r)
	p.standing(param.StageKeyword, phrase.BM25, r.Keyword, r)
	if d := r.DroppedBy; d != nil {
		fmt.Fprintf(p.w, "  dropped  %s%s\n", passageWords(d.Name, d.ID, r), said(phrase.DroppedAt.With(d.Stage, d.Worded().Say(phrase.Clause))))
	}
	if r.Graph != nil {
		fmt.Fprintf(p.w, "  edges    %s\n", said(r.Graph.Words(false)))
	}
	p.suggestions(r)
}

func nameWords(name string) string {
	if name == "" {
		return "(no heading)"
	}
	return "“" + offset.Line(name) + "”"
}

// passageWords name a passage where it is not the one that the report is about.
func passageWords(name, id string, r *whynot.Report) string {
	if r.Target.SourceURL == "" && id == r.Chunk.ChunkID || r.Meant < 2 && r.Target.ChunkID == "" || id == r.Chunk.ParentID {
		return ""
	}
	return nameWords(name) + ": "
}

// chunkTitle names the page, and unless all of it is meant the section.
func chunkTitle(c *whynot.TargetChunk, isPage bool) string {
	var parts []string
	names := []string{c.Title, c.Heading, c.Name}
	if isPage {
		names = names[:1]
	}
	for _, part := range names {
		if part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return offset.Line(cmp.Or(strings.Join(parts, " › "), c.SourceURL))
}

// standing is a line such as "vector   rank 14, cosine .327 · floor .341: .014
// short · limit 60: 46 to spare".
func (p reportPrinter) standing(arm string, unit phrase.Words, s *whynot.ArmPosition, r *whynot.Report) {
	if s == nil {
		return
	}
	parts := []string{}
	switch {
	case s.Found:
		parts = append(parts, said(s.Words(0))+", "+said(unit.With(s.Score)))
	case s.Reason != "":
		parts = append(parts, said(phrase.NotFoundSince.With(phrase.Reason{Code: s.Reason}.Say(phrase.Label))))
	default:
		parts = append(parts, phrase.NotFound)
	}
	for _, c := range s.Cuts {
		parts = append(parts, said(c.Words(p.floor, false)))
	}
	if s.Missed {
		parts = append(parts, phrase.IndexMissed)
	}
	if len(s.LacksWords) > 0 {
		parts = append(parts, said(phrase.LacksBrief.With(phrase.Named(strings.Join(s.LacksWords, ", ")))))
	}
	switch {
	case r.Mode == param.ModeFullContext:
		parts = append(parts, phrase.WholeUnasked)
	case !s.Used:
		parts = append(parts, phrase.ArmUnused)
	}
	fmt.Fprintf(p.w, "  %s  %s%s\n", pad(arm, len("keyword")), passageWords(s.Name, s.ChunkID, r), strings.Join(parts, " · "))
}

// suggestions are a table of what would let the text in, with what else it does.
func (p reportPrinter) suggestions(r *whynot.Report) {
	if len(r.Suggestions) == 0 {
		return
	}
	changes, widest := make([]string, len(r.Suggestions)), 0
	for i := range r.Suggestions {
		changes[i] = changeWords(r, &r.Suggestions[i])
		widest = max(widest, len([]rune(changes[i])))
	}
	fmt.Fprintf(p.w, "\n%s%s, %s%s  %s%s%s\n", bold, phrase.WhatLetsIn, phrase.LeastFirst, plain, faint, phrase.Tried.With(phrase.Several(r.Runs, "ranking")), plain)
	for i := range r.Suggestions {
		s := &r.Suggestions[i]
		via, then := "", phrase.Phrase{}
		if long, _ := phrase.Via(string(s.Via)); long != "" {
			via = " " + long
		}
		if s.Rows > 0 {
			then = phrase.RowsAfter.With(phrase.Several(s.Rows, "row"))
		}
		fmt.Fprintf(p.w, "  %s  %s\n", pad(changes[i], widest), said(phrase.Gain.With(s.Rank, s.Items, via, s.Effects(), then)))
		p.shifts("+", s.Enters)
		p.shifts("−", s.Leaves)
	}
}

// shifts names a few of the items that come or go.
func (p reportPrinter) shifts(sign string, shifts []retrieval.Shift) {
	if len(shifts) > 0 {
		fmt.Fprintf(p.w, "      %s%s %s%s\n", faint, sign, said(whynot.NameShifts(shifts, 3)), plain)
	}
}

func changeWords(r *whynot.Report, s *whynot.Suggestion) string {
	changes := make([]phrase.Phrase, len(s.Changes))
	for i, c := range s.Changes {
		changes[i] = phrase.Change.With(c.Field, param.Shown(c.Field, c.From), phrase.Signed("→"), param.Shown(c.Field, c.To), r.AsCosine(s, c.Change))
	}
	return said(phrase.Join(changes, " and "))
}
