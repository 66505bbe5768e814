package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/indexing/edges"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

func newEdges(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "edges",
		Short: "List the edges between sections, and import others",
		Long: "edges shows the graph that graph retrieval walks. 'index' derives three relations from\n" +
			"the pages: part_of, sequence and references. Others are imported.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEdgesList(a), newEdgesImport(a))
	return cmd
}

type edgesListFlags struct {
	sources, relations []string
	dangling           bool
	limit              int
}

func newEdgesList(a *app) *cobra.Command {
	var f edgesListFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List edges with their weight, both ends and what they say",
		Long: "list prints edges by their source. It exits with 1 when there is none. Ends that are\n" +
			"deleted or gone are hidden; --dangling prints the edges that have one, with its id and\n" +
			"nothing that it says.",
		Example: "webrag-tui edges list --relation references\n" +
			"webrag-tui edges list --source https://docs.example.com/trees --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.edgesList(cmd.Context(), f) },
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&f.sources, "source", nil, "only edges at the sections of this page, by `URL` or id (repeatable)")
	fs.StringArrayVar(&f.relations, "relation", nil, "only edges of this `relation` (repeatable)")
	fs.BoolVar(&f.dangling, "dangling", false, "only edges with an end that is gone or deleted")
	fs.IntVar(&f.limit, "limit", 100, "print at most `n` edges (default 100), 0 for all")
	return cmd
}

func newEdgesImport(a *app) *cobra.Command {
	var skipBad bool
	cmd := &cobra.Command{
		Use:   "import FILE|-",
		Short: "Import edges from lines of JSON",
		Long: "import reads one object a line: source and target, each the id of a chunk or an object\n" +
			"with url and anchor or heading; relation; and, if wanted, weight (above 0, at most 1,\n" +
			"else 1) and description. A passage stands for its section. Of several lines for one\n" +
			"edge the heaviest counts, and an edge that exists is overwritten.\n\n" +
			"Nothing is written when a line is malformed, unless --skip-bad is given. Lines that\n" +
			"name what is not in the corpus are listed and left out.",
		Example: `echo '{"source":{"url":"https://docs.example.com/a","heading":"Boosting"},` + "\n" +
			`  "target":{"url":"https://docs.example.com/b"},"relation":"depends_on"}' |` + "\n" +
			"  tr -d '\\n' | webrag-tui edges import -",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("edges import needs one file of JSON lines, or - for standard input")
			}
			return a.edgesImport(cmd.Context(), args[0], skipBad)
		},
	}
	cmd.Flags().BoolVar(&skipBad, "skip-bad", false, "import the other lines when some are malformed")
	return cmd
}

// mostNamed is how many lines of one kind are named one by one.
const mostNamed = 20

func (a *app) edgesImport(ctx context.Context, name string, skipBad bool) error {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	entries, bad, err := a.readEdges(ctx, name)
	if err != nil {
		return err
	}
	if !a.json {
		a.nameLines(bad, "!")
	}
	if len(bad) > 0 && !skipBad {
		if a.json {
			if err := a.printJSON(importJSON(len(entries)+len(bad), 0, bad, edges.Resolution{})); err != nil {
				return err
			}
		}
		return fmt.Errorf("%s of %s: nothing was imported; correct them, or leave them out with --skip-bad",
			badLines(len(bad)), nameOfInput(name))
	}
	if len(entries)+len(bad) == 0 {
		a.note("%s has no line; write one object a line ('webrag-tui edges import --help' shows one)", nameOfInput(name))
	}
	a.narrate(corpusPlaceNotices(c))
	st, err := openCorpus(ctx, c)
	if err != nil {
		return err
	}
	defer st.Close()
	found, err := putEdges(ctx, st, entries)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(importJSON(len(entries)+len(bad), len(found.Edges), bad, found))
	} else {
		a.nameLines(found.Missing, "·")
		fmt.Fprintln(a.out, importWords(found, len(bad)))
	}
	return orNothing(err, len(found.Edges) == 0)
}

func badLines(n int) string {
	if n == 1 {
		return "a malformed line"
	}
	return fmt.Sprintf("%d malformed lines", n)
}

func (a *app) readEdges(ctx context.Context, name string) (entries []edges.Entry, bad []*edges.LineError, err error) {
	in, err := a.openInput(ctx, name, edges.MostBytes)
	if err == nil {
		defer in.Close()
		entries, bad, err = edges.Read(in)
	}
	var size *file.SizeError
	switch {
	case errors.As(err, &size):
		return nil, nil, fmt.Errorf("read edges of %s: larger than %d MB, the most that is imported at once; split it, and import the parts one after the other",
			nameOfInput(name), edges.MostBytes>>20)
	case err != nil:
		return nil, nil, fmt.Errorf("read edges of %s: %w", nameOfInput(name), err)
	}
	return entries, bad, nil
}

// putEdges resolves entries and writes them, in one transaction, as seen by the
// writer: nothing changes in between.
func putEdges(ctx context.Context, st store.Store, entries []edges.Entry) (edges.Resolution, error) {
	w, err := st.Write(ctx)
	if err != nil {
		return edges.Resolution{}, err
	}
	defer w.Close()
	v, err := w.View(ctx)
	if err != nil {
		return edges.Resolution{}, err
	}
	found, err := edges.Resolve(ctx, v, entries)
	if err = cmp.Or(err, v.Close()); err != nil || len(found.Edges) == 0 {
		return found, err
	}
	missing, err := w.PutEdges(ctx, found.Edges)
	if err != nil {
		return found, err
	}
	found.Edges = slices.DeleteFunc(found.Edges, func(e store.Edge) bool {
		return slices.ContainsFunc(missing, func(m store.Edge) bool { return m.ID == e.ID })
	})
	return found, nil
}

// nameLines says what is wrong with lines, one by one up to a bound.
func (a *app) nameLines(lines []*edges.LineError, sign string) {
	if a.quiet && sign == "·" {
		return
	}
	for i, l := range lines {
		if i == mostNamed {
			fmt.Fprintf(a.err, "%s and %d more lines\n", sign, len(lines)-i)
			return
		}
		fmt.Fprintf(a.err, "%s %s\n", sign, offset.Line(l.Error()))
	}
}

// importWords sums up an import.
func importWords(r edges.Resolution, bad int) string {
	words := plural(len(r.Edges), "edge") + " imported"
	for _, k := range []struct {
		n    int
		word string
	}{{r.Duplicates, "said twice"}, {len(r.Missing), "left out, with an end that is not there"}, {bad, "malformed"}} {
		if k.n > 0 {
			words += fmt.Sprintf("; %s %s", plural(k.n, "line"), k.word)
		}
	}
	return words
}

// importReport is the JSON of edges import.
type importReport struct {
	Lines      int         `json:"lines"`
	Imported   int         `json:"imported"`
	Duplicates int         `json:"duplicates"`
	Bad        []lineError `json:"bad"`
	Missing    []lineError `json:"missing"`
}

type lineError struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func importJSON(lines, imported int, bad []*edges.LineError, r edges.Resolution) importReport {
	told := func(l *edges.LineError) lineError { return lineError{l.Line, l.Err.Error()} }
	return importReport{Lines: lines, Imported: imported, Duplicates: r.Duplicates, Bad: eachOf(bad, told), Missing: eachOf(r.Missing, told)}
}

func (a *app) edgesList(ctx context.Context, f edgesListFlags) error {
	q, err := edgeQuery(f)
	if err != nil {
		return err
	}
	v, err := a.openView(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	if len(f.sources) > 0 {
		if q.Nodes, err = a.nodesOf(ctx, v, f.sources); err != nil {
			return err
		}
	}
	list, err := v.Edges(ctx, q)
	if err != nil {
		return err
	}
	// The sections of a page come in reading order, and after them what leads there.
	place := make(map[string]int, len(q.Nodes))
	for i, id := range q.Nodes {
		place[id] = i - len(q.Nodes)
	}
	slices.SortStableFunc(list, func(x, y store.Edge) int {
		return cmp.Or(cmp.Compare(place[x.SourceID], place[y.SourceID]), cmp.Compare(x.SourceID, y.SourceID), cmp.Compare(x.Relation, y.Relation), cmp.Compare(x.ID, y.ID))
	})
	more := f.limit > 0 && len(list) > f.limit
	if more {
		list = list[:f.limit]
	}
	ends, err := endsOf(ctx, v, list)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(encodeEdges(list, ends))
	} else {
		p := printer{w: a.output()}
		p.edges(list, ends)
	}
	switch {
	case err != nil:
		return err
	case len(list) == 0:
		if !a.quiet {
			words := "no edge found; those of no known relation, weight or origin are left out: webrag-tui doctor counts them"
			if why := v.lacks(store.CapEdges); why != "" {
				words = "· no edge found: " + offset.Line(why)
			}
			fmt.Fprintln(a.err, words)
		}
		return errNothing
	case more:
		a.note("there are more; --limit %d prints up to as many, --limit 0 all", 10*f.limit)
	}
	return nil
}

// edgeQuery is what the flags ask for, except for the pages.
func edgeQuery(f edgesListFlags) (store.EdgeQuery, error) {
	q := store.EdgeQuery{Direction: store.Both, Dangling: f.dangling}
	if f.limit < 0 {
		return q, fmt.Errorf("--limit %d: must be at least 0", f.limit)
	}
	if f.limit > 0 && len(f.sources) == 0 {
		q.Page.Limit = f.limit + 1
	}
	for _, name := range f.relations {
		r, err := store.ParseRelation(name)
		if err != nil {
			known := eachOf(store.Relations(), func(r store.Relation) string { return string(r) })
			if near, ok := config.Nearest(name, known); ok {
				return q, fmt.Errorf("--relation: %q is no relation; did you mean %q?", name, near)
			}
			return q, fmt.Errorf("--relation: %w", err)
		}
		q.Relations = append(q.Relations, r)
	}
	return q, nil
}

func (a *app) nodesOf(ctx context.Context, v store.View, refs []string) ([]string, error) {
	docs, err := a.findDocuments(ctx, v, refs, false)
	if err != nil {
		return nil, err
	}
	ids := eachOf(docs, func(d store.Document) string { return d.ID })
	parents, err := v.Parents(ctx, store.Scope{DocumentIDs: ids}, 0, store.Page{})
	return idsOf(parents), err
}

// endsOf returns the sections at the ends of edges, by id; those that are gone or
// hidden are missing.
func endsOf(ctx context.Context, v store.View, list []store.Edge) (map[string]store.Chunk, error) {
	var ids []string
	for i := range list {
		ids = append(ids, list[i].SourceID, list[i].TargetID)
	}
	slices.Sort(ids)
	ends := map[string]store.Chunk{}
	for some := range slices.Chunk(slices.Compact(ids), 1000) {
		chunks, err := v.Chunks(ctx, some, 0)
		if err != nil {
			return nil, err
		}
		for i := range chunks {
			ends[chunks[i].ID] = chunks[i]
		}
	}
	return ends, nil
}

// saidOf is what an edge says, as far as both its ends may be seen: it names the
// headings of both.
func saidOf(e *store.Edge, ends map[string]store.Chunk) string {
	_, hasSource := ends[e.SourceID]
	_, hasTarget := ends[e.TargetID]
	if !hasSource || !hasTarget {
		return ""
	}
	return e.Description
}

// edges prints each edge on two lines: what it connects, and what it says.
func (p *printer) edges(list []store.Edge, ends map[string]store.Chunk) {
	width := 0
	for i := range list {
		width = max(width, len(list[i].Relation))
	}
	for i := range list {
		e := &list[i]
		fmt.Fprintf(p.w, "%s  %s  %s → %s\n", weight(e.Weight), pad(string(e.Relation), width), endName(ends, e.SourceID, ""), endName(ends, e.TargetID, ends[e.SourceID].DocumentID))
		said := "[" + string(e.Origin) + "]"
		if words := saidOf(e, ends); words != "" {
			said = words + "  " + said
		}
		fmt.Fprintf(p.w, "      %s%s%s\n", faint, offset.Line(said), plain)
	}
}

// weight is a weight for lists: two decimals, more where they say something.
func weight(w float64) string {
	text := fmt.Sprintf("%.2f", w)
	if w < 0.005 {
		text = fmt.Sprintf("%.1g", w)
	}
	return text
}

// endName is what a list calls an end: its page and its headings, the page only
// when it is not the one given.
func endName(ends map[string]store.Chunk, id, page string) string {
	c, ok := ends[id]
	if !ok {
		return "(gone: " + offset.Line(id) + ")"
	}
	name := "“" + sectionPath(&c) + "”"
	if len(c.HeadingPath) == 0 {
		name = sectionPath(&c)
	}
	if c.DocumentID != page {
		name += " of " + c.SourceURL
	}
	return offset.Line(name)
}

// edgeJSON is an edge in JSON; the parts of an end that is gone or deleted are null,
// and then there is no description.
type edgeJSON struct {
	ID          string  `json:"id"`
	Relation    string  `json:"relation"`
	Weight      float64 `json:"weight"`
	Description string  `json:"description"`
	Origin      string  `json:"origin"`
	Source      endJSON `json:"source"`
	Target      endJSON `json:"target"`
}

type endJSON struct {
	ChunkID     string   `json:"chunk_id"`
	DocumentID  string   `json:"document_id"`
	SourceURL   *string  `json:"source_url"`
	HeadingPath []string `json:"heading_path"`
	Anchor      *string  `json:"anchor"`
}

func encodeEdges(list []store.Edge, ends map[string]store.Chunk) []edgeJSON {
	end := func(id, document string) endJSON {
		c := ends[id]
		return endJSON{
			ChunkID: id, DocumentID: document, SourceURL: orNull(c.SourceURL), HeadingPath: c.HeadingPath, Anchor: orNull(c.Anchor),
		}
	}
	return eachOf(list, func(e store.Edge) edgeJSON {
		return edgeJSON{
			ID: e.ID, Relation: string(e.Relation), Weight: e.Weight, Description: saidOf(&e, ends), Origin: string(e.Origin),
			Source: end(e.SourceID, e.DocumentID), Target: end(e.TargetID, e.TargetDocumentID),
		}
	})
}
