package recording

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// Recording is a session that was recorded. Nothing that it says ever changes.
type Recording struct {
	// Program is the version of the program that wrote it.
	Program string
	// Corpus is the name of the corpus, Preset and Params what the session started
	// from.
	Corpus string
	Preset string
	Params param.Params
	// Notices are those of the session's start.
	Notices []retrieval.Notice
	// Queries are those that were asked, each once, in their order.
	Queries []string
	// Truncated says that the last line is not whole: the program that wrote it
	// was ended.
	Truncated bool

	estimated, foreign bool
	adapted            map[string]string
	// indexed says that the index of vectors was tested.
	indexed bool
	// found, texts and words are the parts of evidence, by their numbers.
	found []found
	texts []kept.Text
	words []kept.Words
	// gathered are the evidences of each query, in the order in which they came.
	gathered map[string][]*gathered
	// whole are those of them that are completed.
	whole *completed
	moves []move
	// reads are what was read, by readKey; lists are the last lists of sections among that, by
	// their limits; chunks are the sections with their texts, and pages the pages, by their
	// ids.
	reads  map[string]*session.Read
	lists  map[string]*session.SectionList
	chunks map[string]*store.Chunk
	pages  map[string]*session.PageContent
	// known are the sections that evidence knows.
	known func() session.SectionList
	// sections are the chunks whose texts came with evidence, by their ids.
	sections map[string]section
}

// found is what a search found, as it was kept and as evidence that is not completed.
type found struct {
	kept *kept.Found
	ev   retrieval.Evidence
}

// gathered is evidence with the parameters that it was gathered for; size is how many bytes
// completing it goes through.
type gathered struct {
	evidence
	params param.Params
	size   int
}

// section is a chunk with a text.
type section struct{ found, text int }

// Adapt is a preset as it was in the session: with what presets had there in place of their
// own values, as far as nobody has set that.
func (r *Recording) Adapt(p session.Profile) session.Profile {
	base, ok := param.Preset(p.Base)
	for field, value := range r.adapted {
		if ok && p.Params.Get(field) == base.Get(field) {
			_ = p.Params.Set(field, value) // Load has tried it
		}
	}
	return p
}

// NewCorpus is what the explorer is opened on.
func (r *Recording) NewCorpus() *session.Corpus {
	c := &session.Corpus{Name: r.Corpus, Engine: player{r}, Cosines: shares{}, Recorded: true, Estimated: r.estimated, Foreign: r.foreign}
	if r.indexed {
		c.Health = func(context.Context, string) (session.IndexHealth, error) {
			return session.IndexHealth{}, &session.NotRecordedError{Why: noMore}
		}
	}
	return c
}

const (
	noMore    = "this was not looked at in the recorded session"
	noCosines = "the cosines of this section were not taken apart in the recorded session"
)

// Replay implements [session.Replayer]. What was not asked in the session may have been read
// for something else.
func (e player) Replay(_ context.Context, asked session.Done) (session.Done, bool) {
	r, d := e.r, asked
	if asked.Asked[0] == session.AskedSections {
		d.List = r.list(asked.Asked)
		return d, true
	}
	if read := r.reads[readKey(asked.Query, differing(r.Params, asked.Params), asked.Asked)]; read != nil {
		d.Read = *read
		return d, true
	}
	what, of := asked.Asked[0], ""
	if len(asked.Asked) > 1 {
		of = asked.Asked[1]
	}
	d.Err = &session.NotRecordedError{Why: noMore}
	switch what {
	case session.AskedWhy, session.AskedTerms:
		return asked, false // the evidence knows
	case session.AskedCosines:
		d.Err = &session.NotRecordedError{Why: noCosines}
	case session.AskedSection:
		if c, ok := r.section(of); ok {
			d.Section, d.Err = c, nil
		}
	case session.AskedPage:
		if p := r.pages[of]; p != nil {
			d.Page, d.Err = p, nil
		}
	}
	return d, true
}

// list names the sections that were listed last, or else those that evidence knows, as far as
// nothing newer is asked for.
func (r *Recording) list(asked []string) session.SectionList {
	limit, known := asked[1], asked[2]
	var list session.SectionList
	if last := r.lists[limit]; last != nil {
		list = *last
	} else {
		list = r.known()
		if n, err := strconv.Atoi(limit); err == nil && len(list.Sections) > n {
			list.Sections = list.Sections[:max(0, n)]
		}
	}
	if known == strconv.FormatInt(list.Version, 10) {
		return session.SectionList{Version: list.Version}
	}
	return list
}

// knownSections are the sections that evidence knows, as a corpus lists them.
func (r *Recording) knownSections() session.SectionList {
	list := session.SectionList{Partial: true}
	var all []store.Chunk
	seen := map[string]bool{}
	for i := range r.found {
		f := &r.found[i]
		for at := range f.kept.Rows {
			if row := &f.kept.Rows[at]; !row.Child && !seen[row.ID] {
				seen[row.ID] = true
				all = append(all, f.ev.Chunk(int32(at)))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b store.Chunk) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.SourceURL, b.SourceURL), cmp.Compare(a.Index, b.Index))
	})
	for i := range all {
		list.Sections = append(list.Sections, session.NameOf(&all[i]))
	}
	return list
}

// section is one that was read, or one whose text came with evidence.
func (r *Recording) section(id string) (store.Chunk, bool) {
	if c := r.chunks[id]; c != nil {
		return *c, true
	}
	own, ok := r.sections[id]
	if !ok {
		return store.Chunk{}, false
	}
	ev := &r.found[own.found].ev
	at, ok := ev.NumberOf(id)
	if !ok {
		return store.Chunk{}, false
	}
	c := ev.Chunk(at)
	c.ChunkText, c.HTMLText = r.texts[own.text].Markdown, r.texts[own.text].HTML
	return c, true
}

// shares is the [session.Cosiner] of a replay: those that were recorded come from
// [player.Replay].
type shares struct{}

// Cost implements [session.Cosiner]: nobody is asked.
func (shares) Cost(string) int { return 0 }

// Cosines implements [session.Cosiner].
func (shares) Cosines(context.Context, string, []float32, *retrieval.Item) (session.Cosines, error) {
	return session.Cosines{}, &session.NotRecordedError{Why: noCosines}
}
