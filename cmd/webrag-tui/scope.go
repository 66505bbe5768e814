package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/scoping"
	"github.com/webrag/webrag-tui/store"
)

// scopeFlags restrict a command to some pages and sections. Flags that are given
// several times allow any of their values; different flags must all hold.
type scopeFlags struct {
	sources, docs, excluded        []string
	modules, chapters, contentType []string
	tags, meta, headings           []string
	after, before                  string
	maxDepth                       string
}

// filterGroup is the annotation of the flags that restrict a search: the help
// lists them apart.
const filterGroup = "filter"

// register adds the flags to a command's, and returns what says what they ask for.
func (f *scopeFlags) register(fs *pflag.FlagSet) func() (store.Scope, error) {
	fs.StringArrayVar(&f.sources, "source", nil, "only this page, by `URL` (repeatable)")
	asFilter(fs.Lookup("source"))
	f.registerFilters(fs)
	return f.scope
}

func asFilter(flag *pflag.Flag) { flag.Annotations = map[string][]string{filterGroup: nil} }

// registerFilters adds all flags but --source, which means something else to a
// command that looks for a page.
func (f *scopeFlags) registerFilters(all *pflag.FlagSet) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	list := func(values *[]string, name, usage string) {
		fs.StringArrayVar(values, name, nil, usage+" (repeatable)")
	}
	list(&f.docs, "doc", "only this document, by `id`")
	list(&f.excluded, "exclude-doc", "leave this document out, by `id`")
	list(&f.modules, "module", "only pages of this `module` (metadata)")
	list(&f.chapters, "chapter", "only pages of this `chapter` (metadata)")
	list(&f.contentType, "content-type", "only pages of this content `type` (metadata)")
	list(&f.tags, "tag", "only pages with this `tag`")
	list(&f.meta, "meta", "only pages with this metadata: `key=value`")
	list(&f.headings, "heading", "only sections under this `heading`")
	fs.StringVar(&f.after, "after", "", "only pages fetched after this `time`: 2026-03-01, 2026-03-01T12:00:00Z or unix seconds")
	fs.StringVar(&f.before, "before", "", "only pages fetched before this `time`")
	fs.StringVar(&f.maxDepth, "max-depth-filter", "", "only pages at most `n` links from the seed page")
	fs.VisitAll(asFilter)
	all.AddFlagSet(fs)
}

// scope is what the flags ask for.
func (f *scopeFlags) scope() (store.Scope, error) {
	s := store.Scope{
		SourceURLs: f.sources, DocumentIDs: f.docs, ExcludeDocumentIDs: f.excluded, Tags: f.tags, Headings: f.headings,
	}
	s.Meta = slices.DeleteFunc([]store.MetaFilter{
		{Key: store.MetaModule, Values: f.modules}, {Key: store.MetaChapter, Values: f.chapters}, {Key: store.MetaContentType, Values: f.contentType},
	}, func(m store.MetaFilter) bool { return len(m.Values) == 0 })
	for _, pair := range f.meta {
		key, value, ok := strings.Cut(pair, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return s, fmt.Errorf("--meta %s: give it as key=value, for example --meta product=compass", pair)
		}
		s.Meta = withValue(s.Meta, key, value)
	}
	var err error
	if s.CreatedAfter, err = parseTime("after", f.after); err != nil {
		return s, err
	}
	if s.CreatedBefore, err = parseTime("before", f.before); err != nil {
		return s, err
	}
	if f.maxDepth != "" {
		depth, err := parseDepth("max-depth-filter", f.maxDepth)
		if err != nil {
			return s, err
		}
		s.MaxDepth = &depth
	}
	return s, nil
}

// parseDepth reads a number of links from the seed page.
func parseDepth(flag, text string) (int, error) {
	depth, err := strconv.Atoi(text)
	if err != nil || depth < 0 {
		return 0, fmt.Errorf("--%s %s: give a number of links, at least 0", flag, file.ShellWord(text))
	}
	return depth, nil
}

// withValue allows one more value of a metadata key.
func withValue(filters []store.MetaFilter, key, value string) []store.MetaFilter {
	at := slices.IndexFunc(filters, func(m store.MetaFilter) bool { return m.Key == key })
	if at < 0 {
		return append(filters, store.MetaFilter{Key: key, Values: []string{value}})
	}
	filters[at].Values = append(filters[at].Values, value)
	return filters
}

// The first and the last second of the years 1 to 9999, in unix time.
const (
	firstSecond = -62135596800
	lastSecond  = 253402300799
)

// parseTime reads a moment: a day is its beginning in UTC. One before the year 1 or
// after 9999 is none: times of such a distance overflow, and the first moment of
// all is no bound.
func parseTime(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	wrong := fmt.Errorf("--%s %s: not a time; give 2026-03-01, 2026-03-01T12:00:00Z or unix seconds, of the years 1 to 9999", flag, file.ShellWord(text))
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil && t.After(time.Time{}) {
			return t, nil
		}
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds <= firstSecond || seconds > lastSecond {
		return time.Time{}, wrong
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// noticeUnmatchedValue is the code of a notice on one value of a filter that no
// page has, where others of its values do.
const noticeUnmatchedValue = "unmatched_value"

// explainOwner says that it is the owner who has nothing where the corpus that
// they see is empty.
func explainOwner(c *config.Config, notices []retrieval.Notice) {
	if c.Text("corpus.owner") == "" {
		return
	}
	at := slices.IndexFunc(notices, func(n retrieval.Notice) bool {
		return n.Code == phrase.NoticeEmptyCorpus.Code || n.Code == phrase.NoticeEmptyScope.Code
	})
	if at >= 0 {
		notices[at].Text = noOwner(c)
	}
}

// noOwner says that an owner has no page. Who else has some is not theirs to know.
func noOwner(c *config.Config) string {
	return fmt.Sprintf("no page of this corpus belongs to owner %q; without --owner all pages are shown", c.Text("corpus.owner"))
}

// explainScope replaces the notice that a scope is empty by one that says why, and
// adds one for each value of a filter that no page has.
func explainScope(ctx context.Context, st store.Store, scope store.Scope, res *retrieval.Result) error {
	if scope.IsZero() {
		return nil
	}
	view, err := st.Read(ctx)
	if err != nil {
		return err
	}
	defer view.Close()
	report, err := scoping.Count(ctx, view, scope)
	if err != nil || report.Documents == 0 {
		return err
	}
	for i := range res.Notices {
		if res.Notices[i].Code == phrase.NoticeEmptyScope.Code {
			res.Notices[i].Text = report.String()
		}
	}
	for _, note := range report.Notes() {
		res.Notices = append(res.Notices, retrieval.Notice{Code: noticeUnmatchedValue, Text: note})
	}
	return nil
}

// corpusSize is how much a result was chosen from.
type corpusSize struct {
	// all is the corpus, scope what of it the filters let in.
	all, scope store.Stats
	isScoped   bool
	// owner is whose documents are counted alone, empty for everybody's.
	owner string
}

// sizeOf counts a corpus and what is in scope of it.
func sizeOf(ctx context.Context, st store.Store, scope store.Scope) (size corpusSize, err error) {
	size.owner = st.Info().Owner
	view, err := st.Read(ctx)
	if err != nil {
		return size, err
	}
	defer view.Close()
	size.isScoped = !scope.IsZero()
	if size.all, err = view.Stats(ctx, store.Scope{}); err != nil {
		return size, err
	}
	size.scope, err = view.Stats(ctx, scope)
	return size, err
}

// words are "14 pages", or "3 of 14 pages in scope", with what is in them.
func (s corpusSize) words(tokens func(string) string) []string {
	pages := plural(s.all.Documents, "page")
	if s.owner != "" {
		pages += " of owner " + offset.Line(s.owner)
	}
	if s.isScoped {
		pages = fmt.Sprintf("%d of %s in scope", s.scope.Documents, pages)
	}
	if s.scope.Documents == 0 {
		return []string{pages}
	}
	return []string{pages, plural(s.scope.Parents, "section"), tokens(thousands(s.scope.Tokens)) + " tokens"}
}
