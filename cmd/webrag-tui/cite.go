package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// citeFlags say which words of a page are cited.
type citeFlags struct {
	span, quote string
	// hasQuote tells an empty quote, as of a variable that is not set, from none.
	hasQuote bool
	nth      int
}

func newCite(a *app) *cobra.Command {
	var f citeFlags
	cmd := &cobra.Command{
		Use:   "cite PAGE",
		Short: "Print the words at a span of a page, or the span of a quotation",
		Long: "cite cuts the characters of --span out of a page, or finds the words of --quote in it,\n" +
			"and prints the citation: the words as they stand in the page, the section and the\n" +
			"offsets. Offsets are code points in the page's markdown, the end not included. With\n" +
			"both it checks whether the quotation stands there. Runs of white space and capitals do\n" +
			"not matter for a quotation; one that stands there several times is listed, and --nth\n" +
			"chooses. PAGE is an address or an id, or with neither flag URL:START-END.\n\n" +
			"It exits with 1 when there is no such page, span or quotation, when there are several,\n" +
			"and when the words at the span are others.",
		Example: "webrag-tui cite https://docs.example.com/retries.html --span 1204-1391\n" +
			"webrag-tui cite https://docs.example.com/retries.html:1204-1391 --json\n" +
			"webrag-tui cite https://docs.example.com/retries.html --quote 'three times at most'",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("cite needs one page, by address or id: webrag-tui cite https://docs.example.com/retries.html --quote 'three times at most'")
			}
			return a.cite(cmd.Context(), args[0], f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.span, "span", "", "the `offsets` START-END, in characters of the page's markdown")
	fs.Func("quote", "the `words` to look for in the page", func(text string) error {
		f.quote, f.hasQuote = text, true
		return nil
	})
	fs.IntVar(&f.nth, "nth", 0, "of several places of the quotation take the `n`th, from 1")
	return cmd
}

// parse reads the page and the span that are meant; without a span it is nil.
func (f *citeFlags) parse(page string) (string, *citations.PageSpan, error) {
	switch {
	case f.hasQuote && strings.TrimSpace(f.quote) == "":
		return "", nil, errors.New("--quote is blank; give it words of the page")
	case f.nth < 0:
		return "", nil, fmt.Errorf("--nth %d: must be at least 1", f.nth)
	case f.nth > 0 && (!f.hasQuote || f.span != ""):
		return "", nil, errors.New("--nth chooses among the places of a quotation; give it with --quote alone")
	case f.span != "":
		s, err := citations.ParsePageSpan(page + ":" + f.span)
		if err != nil {
			return "", nil, fmt.Errorf("--span: %w; give it as START-END, for example --span 1204-1391", err)
		}
		return page, &s, nil
	case f.hasQuote:
		return page, nil, nil
	}
	s, err := citations.ParsePageSpan(page)
	if err != nil {
		return "", nil, errors.New("say what is cited: --span START-END, or --quote 'words of the page'")
	}
	return s.URL, &s, nil
}

func (a *app) cite(ctx context.Context, ref string, f citeFlags) error {
	ref, at, err := f.parse(ref)
	if err != nil {
		return err
	}
	v, err := a.openView(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	doc, page, err := a.citedPage(ctx, v, ref)
	if err != nil {
		return err
	}
	var span citations.Span
	if at != nil {
		span, err = a.citeSpan(ctx, page, doc.SourceURL, at, f)
	} else {
		span, err = a.citeQuote(ctx, page, doc.SourceURL, f)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(span)
	}
	return a.printSpan(&doc, span)
}

// citedPage reads the page that is meant; one that was deleted has nothing to cite.
func (a *app) citedPage(ctx context.Context, v store.View, ref string) (store.Document, citations.Page, error) {
	found, err := a.findDocuments(ctx, v, []string{ref}, false)
	if err != nil {
		return store.Document{}, citations.Page{}, err
	}
	doc := found[0]
	if !doc.DeletedAt.IsZero() {
		return doc, citations.Page{}, a.fellShort("%s was deleted; 'webrag-tui docs restore %s' brings it back", doc.SourceURL, file.ShellWord(doc.SourceURL))
	}
	parents, err := v.Parents(ctx, store.Scope{DocumentIDs: []string{doc.ID}}, store.FieldText, store.Page{})
	return doc, citations.NewPage(parents), err
}

// fellShort says why a check came to nothing.
func (a *app) fellShort(format string, args ...any) error {
	fmt.Fprintf(a.err, "webrag-tui: %s\n", offset.Line(fmt.Sprintf(format, args...)))
	return errNothing
}

// citeSpan cuts a span out of a page, and holds it against the quotation that is
// said to stand there.
func (a *app) citeSpan(ctx context.Context, page citations.Page, url string, at *citations.PageSpan, f citeFlags) (citations.Span, error) {
	span, err := page.Cite(at.Start, at.End)
	if err != nil {
		return span, a.fellShort("%s: %v", url, err)
	}
	switch {
	case span.Fit == citations.FitOutOfRange:
		return span, a.fellShort("%s: the indexer that made this corpus kept less text than the section of %d-%d takes up; find the words with --quote", url, at.Start, at.End)
	case f.hasQuote && !sameWords(span.VerbatimText, f.quote):
		instead, err := whereInstead(ctx, page, f.quote)
		if err != nil {
			return span, err
		}
		return span, a.fellShort("the characters %d-%d of %s are “%s”, and not the quotation; %s",
			at.Start, at.End, url, beginning(span.VerbatimText, 120), instead)
	case span.Fit == citations.FitUnsure && !a.quiet:
		fmt.Fprintln(a.err, "! warning: the indexer that made this corpus changed the text of this section, so the words can be shifted; check them with --quote")
	}
	return span, nil
}

// citeQuote finds a quotation in a page.
func (a *app) citeQuote(ctx context.Context, page citations.Page, url string, f citeFlags) (citations.Span, error) {
	found, err := page.Find(ctx, f.quote)
	if err != nil {
		return citations.Span{}, err
	}
	switch n := len(found); {
	case n == 0:
		instead, err := whereInstead(ctx, page, f.quote)
		if err != nil {
			return citations.Span{}, err
		}
		return citations.Span{}, a.fellShort("%s does not say that; %s", url, instead)
	case f.nth > n:
		return citations.Span{}, a.fellShort("%s has the quotation %s; --nth %d is too many", url, plural(n, "time"), f.nth)
	case f.nth > 0:
		return found[f.nth-1], nil
	case n > 1:
		_ = a.fellShort("%s has the quotation %d times; --nth chooses one:", url, n)
		for i, s := range found[:min(n, mostPlaces)] {
			heading := ""
			if s.SectionHeading != "" {
				heading = "  " + offset.Line(s.SectionHeading)
			}
			fmt.Fprintf(a.err, "  %d  %d-%d%s\n", i+1, s.CharStart, s.CharEnd, heading)
		}
		if n > mostPlaces {
			fmt.Fprintf(a.err, "  and %d more\n", n-mostPlaces)
		}
		return citations.Span{}, errNothing
	}
	return found[0], nil
}

// mostPlaces are the places of a quotation that are listed.
const mostPlaces = 20

// whereInstead says where a quotation is that is not where it should be.
func whereInstead(ctx context.Context, page citations.Page, quote string) (string, error) {
	found, err := page.Find(ctx, quote)
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		places := eachOf(found[:min(len(found), mostPlaces)], func(s citations.Span) string { return fmt.Sprintf("%d-%d", s.CharStart, s.CharEnd) })
		if n := len(found) - mostPlaces; n > 0 {
			places = append(places, fmt.Sprintf("and %d more", n))
		}
		return "that stands at " + strings.Join(places, ", "), nil
	}
	span, words, err := page.Beginning(ctx, quote)
	if err == nil && words > 0 {
		return fmt.Sprintf("its first %d words stand at %d-%d", words, span.CharStart, span.CharEnd), nil
	}
	return "the page has no words that it begins with", err
}

// sameWords reports whether two texts differ in nothing but white space and
// capitals.
func sameWords(a, b string) bool {
	x, ok := store.NewQuote(a)
	y, _ := store.NewQuote(b)
	return ok && x == y
}

// printSpan prints a citation for people: the words, whence they are, and the span
// as other commands take it.
func (a *app) printSpan(doc *store.Document, s citations.Span) error {
	place := slices.Compact(slices.DeleteFunc([]string{s.Title, s.SectionHeading}, isEmpty))
	w := a.output()
	fmt.Fprintf(w, "“%s”\n", offset.Display(s.VerbatimText).Text)
	if len(place) > 0 {
		fmt.Fprintln(w, offset.Line(strings.Join(place, " › ")))
	}
	_, err := fmt.Fprintf(w, "%s\n%scharacters %d to %d, in a section of the tokens %d to %d%s\n",
		offset.Line(citations.PageSpan{URL: doc.SourceURL, Start: s.CharStart, End: s.CharEnd}.String()), faint, s.CharStart, s.CharEnd, s.TokenStart, s.TokenEnd, plain)
	return err
}
