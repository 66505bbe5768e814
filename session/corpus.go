package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session/titles"
	"github.com/webrag/webrag-tui/store"
)

// Reader reads what a result does not carry. It is called from several
// goroutines.
type Reader interface {
	Summary(ctx context.Context) (CorpusSummary, error)
	// Section returns a chunk with its texts.
	Section(ctx context.Context, id string) (store.Chunk, error)
	// SectionAt returns, with its texts, the parent of the page at url that
	// holds the code point at. It fails with a [NoSectionError] when there is
	// no such page or the page ends before.
	SectionAt(ctx context.Context, url string, at int) (store.Chunk, error)
	// Sections names at most limit sections. Where the corpus is still of the
	// version known it names none; no corpus has the version -1.
	Sections(ctx context.Context, limit int, known int64) (SectionList, error)
	PageReader
	LinkReader
}

// TitleSuffixes are what the titles of many pages end with.
type TitleSuffixes = titles.Suffixes

// CorpusSummary is what the screen says of a corpus as a whole, and what its pages have
// in common, so that lists can leave it out.
type CorpusSummary struct {
	store.Stats
	// TitleSuffixes end the titles of many pages, as the name of a site does, longest
	// first.
	TitleSuffixes []string
	// Level says that all pages have the same depth.
	Level bool
	// Parts are those of sections that were cut into several, by their ids; nil for a corpus
	// of too many sections.
	Parts map[string]SectionPart `json:",omitempty"`
}

// IsEmpty reports that the corpus has no pages. A nil summary, of which nothing is known yet,
// is not.
func (s *CorpusSummary) IsEmpty() bool { return s != nil && s.Documents == 0 }

// NoSectionError reports a place that the corpus does not have.
type NoSectionError struct {
	URL string
	At  int // a code point of the page's markdown
	// Len is the page's length in code points, 0 when there is no such page.
	Len int
}

func (e *NoSectionError) Error() string {
	if e.Len == 0 {
		return fmt.Sprintf("no page %s in this corpus", e.URL)
	}
	return fmt.Sprintf("%s has %d characters; there is nothing at %d", e.URL, e.Len, e.At)
}

// ErrNoCorpus is what opening a place fails with where there is no corpus yet: one can be
// made there.
var ErrNoCorpus = errors.New("there is no corpus yet")

// NoCorpusError is an [ErrNoCorpus] that says apart from what to do about it what is
// missing.
type NoCorpusError interface {
	error
	// Missing is a clause such as "there is no corpus at a.db".
	Missing() string
}

// NotRecordedError says that a recording does not have what is asked for.
type NotRecordedError struct {
	// Why is a clause: "this query was not asked in the recorded session".
	Why string
}

func (e *NotRecordedError) Error() string { return e.Why }

// sectionGone says that a section was there and is not.
func sectionGone(id string) error { return fmt.Errorf("section %s is no longer in the corpus", id) }

// Corpus is an opened corpus and what asks it.
type Corpus struct {
	// Name is what the header shows.
	Name string
	// Location tells the corpus from others of its name. It is not shown, and never
	// written anywhere.
	Location string
	Engine   Engine
	// Reader may be nil where the engine is a [Replayer].
	Reader Reader
	// Live says that asking costs neither money nor waiting, so that answers
	// follow the typing. Otherwise enter asks.
	Live bool
	// Load brings into memory what the first search needs, nil when nothing
	// has to be. progress is told what is done of what there is.
	Load func(ctx context.Context, progress func(done, total int)) error
	// NeedsOwner says that the pages have owners and none was chosen.
	NeedsOwner bool
	// Recorded says that this is a recording of a corpus, which itself is not there.
	Recorded bool
	// Foreign says that another program made the corpus, and nothing is written to it.
	Foreign bool
	// Missing has the capabilities that the corpus lacks, with the reasons.
	Missing map[store.Capability]string
	// Estimated says that tokens were counted with a stand-in for the model's
	// vocabulary.
	Estimated bool
	// Health asks the index of vectors one query in several ways; nil is a corpus
	// without one.
	Health func(ctx context.Context, query string) (IndexHealth, error)
	// Set is the query set that is opened with the corpus until another, or none,
	// is chosen; empty for none.
	Set string
	// Cosines takes cosines apart; nil is a corpus whose vectors are not known.
	Cosines Cosiner
	// Measurer measures by query sets; nil where the corpus itself is not there.
	Measurer SetMeasurer
	// Notices are shown from when the corpus is open, beside those of each result.
	Notices []retrieval.Notice
	// Examples are queries that it answers well, for the empty screen.
	Examples []string
	// Close closes it once nothing asks it any more: when it is left, or the program
	// ends. nil does nothing.
	Close func() error
}

// NewCorpus makes a Corpus of the retrieval layer's own parts.
func NewCorpus(d retrieval.Deps) *Corpus {
	info := d.Store.Info()
	c := &Corpus{
		Name: info.Name, Location: info.Location,
		Engine: NewEngine(d),
		Reader: reader{d.Store},
		Live:   d.Embedder.Info().InProcess,
		Close:  d.Store.Close,

		Foreign:    info.Foreign,
		Missing:    info.Missing,
		NeedsOwner: info.HasOwners && info.Owner == "",
		Estimated:  embedder.IsApproximate(info.Meta.Tokenizer),
	}
	c.Health = func(ctx context.Context, query string) (IndexHealth, error) { return health(ctx, d, query) }
	c.Cosines = newCosiner(d)
	c.Measurer = measurer{d}
	c.Notices = noticesOf(info)
	if w, ok := d.Store.(store.Preloader); ok {
		c.Load = w.Load
	}
	return c
}

// noticesOf says of a corpus that another program made what it lacks.
func noticesOf(info store.Info) []retrieval.Notice {
	if !info.Foreign {
		return nil
	}
	notices := []retrieval.Notice{{
		Code: "corpus",
		Text: "another program made this corpus: it is shown as that program sees it, and never written",
	}}
	for _, capability := range slices.Sorted(maps.Keys(info.Missing)) {
		notices = append(notices, retrieval.Notice{Code: "corpus", Text: "no " + string(capability) + ": " + info.Missing[capability]})
	}
	return notices
}

type reader struct{ store store.Store }

// summarisedPages is how many pages are looked at for what they have in common.
const summarisedPages = 1000

func (r reader) Summary(ctx context.Context) (s CorpusSummary, err error) {
	err = r.view(ctx, func(v store.View) error {
		if s.Stats, err = v.Stats(ctx, store.Scope{}); err != nil || s.Documents == 0 {
			return err
		}
		pages, err := v.Documents(ctx, store.Scope{}, store.Page{Limit: summarisedPages})
		if err != nil || len(pages) == 0 {
			return err
		}
		all := make([]string, len(pages))
		for i := range pages {
			all[i] = pages[i].Title
		}
		s.TitleSuffixes = titles.SharedSuffixes(all)
		// They come by depth: the last is the deepest.
		last, err := v.Documents(ctx, store.Scope{}, store.Page{Offset: s.Documents - 1, Limit: 1})
		if err != nil {
			return err
		}
		s.Level = len(last) == 1 && last[0].Depth == pages[0].Depth
		if s.Parents > mostCounted {
			return nil
		}
		sections, err := v.Parents(ctx, store.Scope{}, 0, store.Page{})
		s.Parts = partsOf(sections)
		return err
	})
	return s, err
}

func (r reader) Section(ctx context.Context, id string) (section store.Chunk, err error) {
	err = r.view(ctx, func(v store.View) error {
		found, err := v.Chunks(ctx, []string{id}, store.FieldText|store.FieldHTML)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return sectionGone(id)
		}
		section = found[0]
		return nil
	})
	return section, err
}

func (r reader) SectionAt(ctx context.Context, url string, at int) (section store.Chunk, err error) {
	err = r.view(ctx, func(v store.View) error {
		parents, err := v.Parents(ctx, store.Scope{SourceURLs: []string{url}}, 0, store.Page{})
		if err != nil {
			return err
		}
		length := 0
		for _, p := range parents {
			length = max(length, p.CharEnd)
			if p.CharStart <= at && at < p.CharEnd {
				found, err := v.Chunks(ctx, []string{p.ID}, store.FieldText|store.FieldHTML)
				if err == nil && len(found) == 1 {
					section = found[0]
				}
				return err
			}
		}
		return &NoSectionError{URL: url, At: at, Len: length}
	})
	return section, err
}

// view runs read on one version of the corpus.
func (r reader) view(ctx context.Context, read func(store.View) error) error {
	v, err := r.store.Read(ctx)
	if err != nil {
		return fmt.Errorf("read the corpus: %w", err)
	}
	err = read(v)
	if closed := v.Close(); err == nil {
		err = closed
	}
	return err
}

// ItemOf makes a list item of a section that was opened, not found.
func ItemOf(c store.Chunk) *retrieval.Item {
	it := &retrieval.Item{
		ChunkID: c.ID, DocumentID: c.DocumentID, ParentID: c.ParentID,
		SourceURL: c.SourceURL, Title: c.Title, SectionHeading: c.SectionHeading,
		HeadingPath: c.HeadingPath, Anchor: c.Anchor, ChunkIndex: c.Index,
		CharStart: c.CharStart, CharEnd: c.CharEnd, TokenStart: c.TokenStart, TokenEnd: c.TokenEnd,
		Depth: c.Depth, Flags: c.Flags, HTMLTokens: c.HTMLTokens, FetchedAt: c.FetchedAt,
		Surface: retrieval.SurfaceMarkdown,
	}
	if c.HTMLText != "" && c.Flags.Has(store.HTMLPreferred) {
		it.Surface = retrieval.SurfaceHTML
	}
	it.ChunkText, it.HTMLText = c.ChunkText, c.HTMLText
	return it
}
