package storetest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/store"
)

func writeTests() []test {
	return []test{
		{"re-indexing the same document writes nothing", noOp},
		{"dates of a visit alone are not written", visitOnly},
		{"equal derived hashes write nothing", sameDerivedHash},
		{"a changed document alone is written", documentOnly},
		{"changed links alone are written", linksOnly},
		{"a new ingestion is on all chunks", ingestion},
		{"chunks move, stay, come and go", chunksMove},
		{"a refused page leaves the old one", refusedPages},
		{"several pages at once", atOnce},
		{"deleting", deleting},
		{"one writer at a time", oneWriter},
		{"known vectors", knownVectors},
	}
}

func (c *corpus) version() (version int64) {
	c.Helper()
	c.read(func(v store.View) { version = v.Version() })
	return version
}

func noOp(c *corpus) {
	r := rand.New(rand.NewPCG(24, 25))
	pages := append(randomPages(r, 5, 2), rich(), store.Bundle{Document: store.Document{ID: ID("bare"), SourceURL: "x", CurrentIngestionID: ID("ingestion")}})
	c.fill(2, pages...)
	version := c.version()
	c.write(func(w store.Writer) {
		for _, b := range pages {
			c.put(w, b, false)
		}
	})
	if got := c.version(); got != version {
		c.Errorf("the version went from %d to %d", version, got)
	}
}

func visitOnly(c *corpus) {
	b := rich()
	b.Document.DerivedHash = ""
	c.fill(2, b)
	again := withDocument(b, func(d *store.Document) {
		d.FetchedAt = d.FetchedAt.Add(time.Hour)
		d.IndexedAt = d.IndexedAt.Add(time.Hour)
		d.StatusCode, d.PublishedTime, d.ModifiedTime = 200, "today", "today"
		d.CurrentIngestionID = ID("second ingestion")
	})
	c.write(func(w store.Writer) { c.put(w, again, false) })
	c.checkStored(b)
	// Together with a real change they are.
	again.Document.Title = "Changed"
	again = withDocument(again, func(*store.Document) {})
	c.write(func(w store.Writer) { c.put(w, again, true) })
	c.checkStored(again)
}

func sameDerivedHash(c *corpus) {
	b := rich()
	c.fill(2, b)
	c.write(func(w store.Writer) {
		c.put(w, withDocument(b, func(d *store.Document) { d.FetchedAt = d.FetchedAt.Add(time.Hour) }), false)
		c.put(w, withDocument(b, func(d *store.Document) { d.DerivedHash = "another" }), true)
	})
}

func documentOnly(c *corpus) {
	b := rich()
	for name, change := range map[string]func(d *store.Document){
		"title":       func(d *store.Document) { d.Title = "New" },
		"description": func(d *store.Document) { d.Description = "" },
		"tags":        func(d *store.Document) { d.Tags = append(slices.Clone(d.Tags), "c") },
		"metadata":    func(d *store.Document) { d.Metadata = map[string]string{"module": "2"} },
		"depth":       func(d *store.Document) { d.Depth = 1 },
		"aliases":     func(d *store.Document) { d.URLAliases = nil },
		"fingerprint": func(d *store.Document) { d.PipelineFingerprint = "pipeline-2" },
	} {
		c := newBundleTest(c.T, c.open)
		changed := withDocument(b, change)
		c.fill(2)
		c.write(func(w store.Writer) {
			if _, err := w.Delete(c.ctx, b.Document.ID); err != nil {
				c.Fatal(err)
			}
			c.put(w, b, true)
			c.put(w, changed, true)
			c.put(w, changed, false)
		})
		c.Log(name)
		c.checkStored(changed)
	}
}

func linksOnly(c *corpus) {
	b := rich()
	b.Document.DerivedHash = "" // which would cover them
	c.fill(2, b)
	for _, links := range [][]store.Link{
		b.Links[:1],
		{b.Links[0], {ChunkID: b.Chunks[0].ID, TargetURL: "https://example.org/new"}},
		nil,
	} {
		b.Links = links
		c.write(func(w store.Writer) {
			c.put(w, b, true)
			c.put(w, b, false)
		})
	}
}

func ingestion(c *corpus) {
	const url = "https://example.org/a"
	one, two := passage{"one ", unit(1, 0)}, passage{"two ", unit(0, 1)}
	c.fill(2, page(url, []passage{one, two}))
	next := withDocument(page(url, []passage{one, two, {"three", unit(1, 1)}}), func(d *store.Document) {
		d.CurrentIngestionID = ID("next")
		d.FetchedAt = d.FetchedAt.Add(time.Hour)
	})
	c.write(func(w store.Writer) { c.put(w, next, true) })
	c.checkStored(next)
}

// chunksMove changes a page in every way and compares all after each step.
func chunksMove(c *corpus) {
	const url = "https://example.org/a"
	p := func(text string, v ...float32) passage { return passage{text, unit(v...)} }
	a, b, d := p("alpha text ", 1, 0), p("beta ", 0, 1), p("delta words here ", 1, 1)
	c.fill(2, page(url, []passage{a, b}, []passage{d}), page("https://example.org/other", []passage{b}))
	first := page(url, []passage{a, b}, []passage{d})
	swapped := first
	swapped.Chunks = slices.Clone(first.Chunks)
	swapped.Chunks[1].ID, swapped.Chunks[2].ID = first.Chunks[2].ID, first.Chunks[1].ID
	for name, next := range map[string]store.Bundle{
		"grows in front":        page(url, []passage{p("new first ", 2, 1), a, b}, []passage{d}),
		"loses a section":       page(url, []passage{a, b}),
		"loses everything":      page(url),
		"gains a section":       page(url, []passage{a, b}, []passage{d}, []passage{p("epsilon ", 1, 3)}),
		"ids swap":              swapped,
		"another vector":        withChunk(first, 1, func(ch *store.Chunk) { ch.Embedding = unit(3, 5) }),
		"loses a vector":        withChunk(first, 1, func(ch *store.Chunk) { ch.Embedding, ch.EmbedHash = nil, "" }),
		"another text":          withChunk(first, 1, func(ch *store.Chunk) { ch.ChunkText, ch.Terms = "gamma", "gamma" }),
		"loses its terms":       withChunk(first, 1, func(ch *store.Chunk) { ch.Terms = "" }),
		"another flag":          withChunk(first, 1, func(ch *store.Chunk) { ch.Flags = store.HasSteps }),
		"another html":          withChunk(first, 0, func(ch *store.Chunk) { ch.HTMLText, ch.HTMLTokens = "<p>", 1 }),
		"another embed hash":    withChunk(first, 1, func(ch *store.Chunk) { ch.EmbedHash = "other" }),
		"a child moves":         withChunk(first, 2, func(ch *store.Chunk) { ch.Index = 0; ch.ParentID = first.Chunks[0].ID }),
		"another heading":       withChunk(first, 0, func(ch *store.Chunk) { ch.SectionHeading, ch.Anchor = "H", "h" }),
		"another heading path":  withChunk(first, 0, func(ch *store.Chunk) { ch.HeadingPath = []string{"H"} }),
		"another anchor":        withChunk(first, 0, func(ch *store.Chunk) { ch.Anchors = []string{"there"} }),
		"another image":         withChunk(first, 0, func(ch *store.Chunk) { ch.ImageRefs = []store.ImageRef{{URL: "u"}} }),
		"another place":         withChunk(first, 1, func(ch *store.Chunk) { ch.CharEnd++ }),
		"another omitted cause": withChunk(first, 1, func(ch *store.Chunk) { ch.HTMLOmittedReason = "size" }),
	} {
		for _, step := range []store.Bundle{next, first} {
			c.write(func(w store.Writer) {
				c.put(w, step, true)
				c.put(w, step, false)
			})
			c.checkStored(step)
			c.checkNearest(unit(1, 0), 100, store.Scope{})
			c.checkKeyword([]string{"alpha", "beta", "gamma", "new", "epsilon"}, store.MatchAuto, store.Scope{})
			if c.Failed() {
				c.Fatalf("after the page %s", name)
			}
		}
	}
}

func refusedPages(c *corpus) {
	const url = "https://example.org/a"
	good := page(url, []passage{{"one ", unit(1, 0)}, {"two", unit(0, 1)}})
	other := page("https://example.org/other", []passage{{"three", unit(1, 1)}})
	c.fill(2, good, other)
	version := c.version()
	bad := map[string]store.Bundle{
		"no id":              withDocument(good, func(d *store.Document) { d.ID = "" }),
		"id not a UUID":      withDocument(good, func(d *store.Document) { d.ID = "a" }),
		"no ingestion":       withDocument(good, func(d *store.Document) { d.CurrentIngestionID = "" }),
		"no source URL":      withDocument(good, func(d *store.Document) { d.SourceURL = "" }),
		"chunk without id":   withChunk(good, 1, func(ch *store.Chunk) { ch.ID = "" }),
		"id twice":           withChunk(good, 1, func(ch *store.Chunk) { ch.ID = good.Chunks[2].ID }),
		"id of another page": withChunk(good, 2, func(ch *store.Chunk) { ch.ID = other.Chunks[1].ID }),
		"another document":   withChunk(good, 1, func(ch *store.Chunk) { ch.DocumentID = other.Document.ID }),
		"no level":           withChunk(good, 1, func(ch *store.Chunk) { ch.Level = "" }),
		"no parent":          withChunk(good, 1, func(ch *store.Chunk) { ch.ParentID = "" }),
		"parent elsewhere":   withChunk(good, 1, func(ch *store.Chunk) { ch.ParentID = other.Chunks[0].ID }),
		"parent a child":     withChunk(good, 2, func(ch *store.Chunk) { ch.ParentID = good.Chunks[1].ID }),
		"parent's parent":    withChunk(good, 0, func(ch *store.Chunk) { ch.ParentID = other.Chunks[0].ID }),
		"parent's vector":    withChunk(good, 0, func(ch *store.Chunk) { ch.Embedding = unit(1, 1) }),
		"parent's hash":      withChunk(good, 0, func(ch *store.Chunk) { ch.EmbedHash = "h" }),
		"parent's terms":     withChunk(good, 0, func(ch *store.Chunk) { ch.Terms = "term" }),
		"negative offset":    withChunk(good, 1, func(ch *store.Chunk) { ch.CharStart = -1 }),
		"end before start":   withChunk(good, 1, func(ch *store.Chunk) { ch.CharStart, ch.CharEnd = 2, 1 }),
		"link from a child":  {Document: good.Document, Chunks: good.Chunks, Links: []store.Link{{ChunkID: good.Chunks[1].ID, TargetURL: "u"}}},
		"link from nowhere":  {Document: good.Document, Chunks: good.Chunks, Links: []store.Link{{ChunkID: ID("x"), TargetURL: "u"}}},
		"link to nowhere":    {Document: good.Document, Chunks: good.Chunks, Links: []store.Link{{ChunkID: good.Chunks[0].ID}}},
	}
	for name, v := range noDirections() {
		bad["vector "+name] = withChunk(good, 1, func(ch *store.Chunk) { ch.Embedding = v })
	}
	c.write(func(w store.Writer) {
		for name, b := range bad {
			b.Document.Title += " changed"
			b.Chunks = append([]store.Chunk(nil), b.Chunks...)
			b.Chunks[len(b.Chunks)-1].ChunkText += " changed"
			if changed, err := w.Put(c.ctx, b); err == nil || changed {
				c.Errorf("a page with %s: changed = %v, %v, want an error", name, changed, err)
			}
		}
		c.put(w, good, false)
	})
	if got := c.version(); got != version {
		c.Errorf("the version went from %d to %d", version, got)
	}
	c.checkStored(good)
	c.checkStored(other)
}

// atOnce holds writing several pages at once to what writing one after the other does.
func atOnce(c *corpus) {
	r := rand.New(rand.NewPCG(74, 75))
	pages := randomPages(r, 6, 2)
	c.fill(2, pages[:4]...)
	version := c.version()
	changed := withDocument(pages[1], func(d *store.Document) { d.Title, d.DerivedHash = "another", "another" })
	again := withDocument(changed, func(d *store.Document) { d.Title, d.DerivedHash = "yet another", "yet another" })
	c.write(func(w store.Writer) {
		if got, want := c.putAll(w, pages[0], changed, pages[4], pages[2], again), []bool{false, true, true, false, true}; !slices.Equal(got, want) {
			c.Errorf("changed = %v, want %v", got, want)
		}
		if got := w.Meta().Changed; got != version+3 {
			c.Errorf("after three changes the version went from %d to %d", version, got)
		}
	})
	for _, b := range append(slices.Clone(pages[:1]), pages[2], pages[3], pages[4], again) {
		c.checkStored(b)
	}
	c.checkKeyword(store.Terms("gradient trees"), store.MatchAuto, store.Scope{})

	// What is refused does not take with it what comes before.
	refused := withChunk(pages[5], 1, func(ch *store.Chunk) { ch.CharStart = -1 })
	moved := withDocument(pages[2], func(d *store.Document) { d.Title, d.DerivedHash = "moved", "moved" })
	c.write(func(w store.Writer) {
		got, err := store.PutAll(c.ctx, w, []store.Bundle{moved, pages[0], refused, pages[5]})
		if err == nil || !slices.Equal(got, []bool{true, false}) {
			c.Errorf("with a page that is refused: %v, %v", got, err)
		}
		c.want[moved.Document.ID] = moved
	})
	c.read(func(v store.View) {
		if stats, err := v.Stats(c.ctx, store.Scope{}); err != nil || stats.Documents != len(c.want) {
			c.Errorf("%d documents, %v, want %d", stats.Documents, err, len(c.want))
		}
	})
}

func deleting(c *corpus) {
	r := rand.New(rand.NewPCG(26, 27))
	pages := randomPages(r, 10, 2)
	c.fill(2, pages...)
	c.remove(pages[3].Document.ID, pages[7].Document.ID)
	check := func() {
		c.checkNearest(unit(1, 0), 100, store.Scope{})
		c.checkKeyword(store.Terms("gradient trees"), store.MatchAuto, store.Scope{})
		c.read(func(v store.View) {
			for _, i := range []int{3, 7} {
				_, want := c.want[pages[i].Document.ID]
				got, err := v.Chunks(c.ctx, []string{pages[i].Chunks[0].ID}, allFields)
				if err != nil || (len(got) == 1) != want {
					c.Errorf("page %d: %d chunks, %v", i, len(got), err)
				}
			}
		})
	}
	check()
	// A page that comes back has its former ids.
	c.write(func(w store.Writer) { c.put(w, pages[3], true) })
	check()
}

func oneWriter(c *corpus) {
	other := c.open(c.T, "")
	first, err := c.store.Write(c.ctx)
	if err != nil {
		c.Fatal(err)
	}
	for _, s := range []store.Store{c.store, other} {
		if w, err := s.Write(c.ctx); !errors.Is(err, store.ErrLocked) {
			c.Errorf("a second writer: %v, %v, want ErrLocked", w, err)
		}
	}
	if err := first.Close(); err != nil {
		c.Fatal(err)
	}
	second, err := other.Write(c.ctx)
	if err != nil {
		c.Fatalf("after the first is closed: %v", err)
	}
	if err := second.Close(); err != nil {
		c.Error(err)
	}
}

func knownVectors(c *corpus) {
	b := page("https://example.org/a", []passage{{"one", unit(1, 2)}, {"two", unit(2, 1)}, {"three", nil}})
	c.fill(2, b)
	c.write(func(w store.Writer) {
		got, err := w.Known(c.ctx, []string{ID("one"), ID("two"), ID("three"), ID("four"), "", ID("one")})
		if err != nil || len(got) != 2 || !slices.Equal(got[ID("one")], unit(1, 2)) || !slices.Equal(got[ID("two")], unit(2, 1)) {
			c.Errorf("Known = %v, %v", got, err)
		}
		if got, err := w.Known(c.ctx, nil); err != nil || len(got) != 0 {
			c.Errorf("Known of nothing = %v, %v", got, err)
		}
	})
}
