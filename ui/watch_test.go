package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// ask types a query and waits for its answer.
func (d *driver) ask(query string) {
	d.t.Helper()
	d.setQuery("")
	d.press("/ '" + query + "' enter")
	if d.session().Query() != query {
		d.t.Fatalf("%q was not answered", query)
	}
}

func TestWatchingAQuery(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	d.mustNotShow("watch 1/1")
	page := d.selected().SourceURL
	d.press("*")
	d.mustShow("which it does at rank 1;")
	e := d.session().WatchedQuery(depthQuestion)
	if e == nil || e.Page != page || !e.Now.Known || !e.Now.Passed || e.Now.Rank != 1 {
		t.Fatalf("watched: %+v", e)
	}
	d.mustShow("# list", "★ "+depthQuestion)
	d.press("/")
	d.mustNotShow("★") // what is typed is another question
	d.press("esc t")
	d.mustShow("watch 1/1", "✓ how does depth decay", "# list")
	d.press("esc *")
	if d.session().WatchedQuery(depthQuestion) != nil {
		t.Error("it is still watched")
	}
	d.mustNotShow("watch 1/1", "# list", "★")
	small := openGuide(t, 80, 24, "webrag", depthQuestion, "* #")
	small.mustShow("must return", "Ranking and depth", "rank  was", "d take off")
	small.mustNotShow("out")
	small.press("esc w 'embedding with a model' enter")
	small.mustShow("w another one", "* watch")
}

// What is watched is the page that is selected in the view that is shown; with another one
// selected, that from then on.
func TestWatchingWhatIsSelected(t *testing.T) {
	d := openGuide(t, 140, 40, "webrag", depthQuestion, "*")
	first, was := d.session().WatchedQuery(depthQuestion).Page, d.session().WatchedQuery(depthQuestion).Title
	d.press("3 G *")
	e := d.session().WatchedQuery(depthQuestion)
	if e == nil || e.Page == first || e.Title == "" {
		t.Fatalf("in the list of pages: %+v", e)
	}
	d.mustShow("it must return " + e.Title + " from now on, no longer " + was)
	d.press("tab *")
	if d.session().WatchedQuery(depthQuestion) != nil {
		t.Error("the page beside its list is another one")
	}
	d.press("2 tab space down *")
	e = d.session().WatchedQuery(depthQuestion)
	if e == nil || e.Page == "" || e.Page == first {
		t.Errorf("in a stage: %+v", e)
	}
}

// Who asks why a page is missing watches for it with one key, and sees at once that it is
// not returned, and that a change that lets it in keeps it.
func TestWatchingAMissingPage(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "w 'embedding with a model' enter")
	d.mustShow("watch for this page")
	d.press("*")
	e := d.session().WatchedQuery(depthQuestion)
	if e == nil || e.Page != d.why().Report().Chunk.SourceURL || e.Now.Passed || e.Now.Rank != 0 {
		t.Fatalf("watched: %+v", e)
	}
	d.mustShow("and does not yet", "1/1", "watch no longer")
	d.press("enter")
	d.mustShow("u takes it back, W saves the parameters")
	if !e.Now.Passed || e.Now.Was != 0 {
		t.Errorf("let in: %+v", e.Now)
	}
}

// The keys that a report names work from it: # lists what is watched, over the report, and a new
// question takes its place.
func TestKeysFromAReport(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "w 'embedding with a model' enter *")
	d.mustShow("and does not yet; # shows the list", "1/1")
	d.press("#")
	d.mustShow("Watch list  0 of 1 pass")
	d.press("d")
	d.mustShow("Nothing is watched")
	d.press("esc")
	d.mustShow("What lets it in", "watch for this page")
	d.mustNotShow("1/1")
	d.press("* # esc")
	d.mustShow("What lets it in", "watch no longer", "1/1")
	d.press("/ 'token'")
	if got := d.query(); got != "token" || d.dialogs() != 0 {
		t.Errorf("typed %q, with %d dialogs open", got, d.dialogs())
	}
}

// From the list w says why the page of a query is not returned, of another query once that is
// answered.
func TestWhyFromTheWatchList(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "w 'embedding with a model' enter * esc")
	page := d.session().WatchedQuery(depthQuestion).Page
	d.press("#")
	d.mustShow("w why", "w says why")
	d.press("w")
	if r := d.why().Report(); r == nil || r.Chunk.SourceURL != page || d.dialogs() != 1 {
		t.Fatalf("the report is %+v, %d dialogs", r, d.dialogs())
	}
	d.press("esc")
	d.ask("what is a token budget")
	d.press("* # k w")
	if r := d.why().Report(); r == nil || r.Chunk.SourceURL != page || d.session().Query() != depthQuestion {
		t.Fatalf("the report is %+v of %q", r, d.session().Query())
	}
	d.press("# j enter")
	if d.dialogs() != 0 || d.session().Query() != "what is a token budget" {
		t.Errorf("enter leads to %q, with %d dialogs", d.session().Query(), d.dialogs())
	}
}

// Any page of the corpus can be what a watched query must return: those that it returns and
// nearly did first, others by letters of their names and addresses.
func TestRequiringAPageThatIsNotReturned(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "* # p")
	d.mustShow("as it is", "rank 2", "any page", "came near")
	returned := d.session().WatchedPages(depthQuestion)
	list, err := d.session().Corpus().Reader.Sections(t.Context(), 20_000, -1)
	if err != nil {
		t.Fatal(err)
	}
	missing := slices.IndexFunc(list.Sections, func(n session.SectionName) bool {
		return !slices.ContainsFunc(returned, func(p session.RankedPage) bool { return p.URL == n.SourceURL })
	})
	if missing < 0 {
		t.Fatal("all pages are near")
	}
	page := list.Sections[missing]
	d.press("'" + strings.TrimPrefix(page.SourceURL, "file:") + "' enter")
	if w := d.session().WatchedQuery(depthQuestion); w.Required() != page.SourceURL || w.Title != page.Title || w.Now.Passed {
		t.Errorf("of %q: %+v", page.SourceURL, w)
	}
	d.mustShow("and does not; enter asks it, and w says why")
	// The address of a page that is not among the first sections is taken as it is.
	many := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Query = "decay"
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: crowd{f, 30_000}, Live: true}, nil
		}
	}, "esc * # p 'https://x.example/2999'")
	many.mustShow("none of the pages of the first 20k sections")
	many.press("enter")
	if w := many.session().WatchedQuery("decay"); w == nil || w.Required() != "https://x.example/2999" {
		t.Errorf("by its address: %+v", w)
	}
}

// A page can be there by another section than the one that is asked about: watching for it
// says so.
func TestWatchingThePageOfAMissingSection(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	items := d.session().Result().Items
	missing := slices.IndexFunc(d.session().Result().NearMisses, func(it retrieval.Item) bool {
		return slices.ContainsFunc(items, func(in retrieval.Item) bool { return in.SourceURL == it.SourceURL })
	})
	if missing < 0 {
		t.Fatal("no page has a section that is missing and one that is not")
	}
	it := &d.session().Result().NearMisses[missing]
	d.press("G")
	for d.selected() == nil || d.at() != it.ChunkID {
		before := d.at()
		if d.press("k"); d.at() == before {
			t.Fatal("it is not in the list")
		}
	}
	d.press("w")
	d.mustShow("watch its page (rank ")
	d.press("*")
	d.mustShow("which it does at rank ", "watch no longer")
}

func TestAWatchedQueryWithoutAnswer(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", "", "esc *")
	d.mustShow("ask a query first")
	if len(d.session().Watched()) != 0 {
		t.Error("nothing was asked, and something is watched")
	}
}

// A list that was kept is gathered behind the first answer, one query at a time.
func TestAKeptWatchListIsGathered(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, onGuide(t, "webrag", depthQuestion))
	queries := []string{"what is a similarity floor", "how is a token budget spent", "what does reciprocal rank fusion do"}
	for _, q := range queries {
		d.session().KeepWatchLists(map[string][]session.WatchedQuery{"guide": append(d.session().WatchLists()["guide"], session.WatchedQuery{Query: q})})
	}
	d.settle()
	if passed, total, ok := d.session().WatchVerdict(d.session().Params()); passed != 3 || total != 3 || !ok {
		t.Fatalf("%d of %d pass, known %v", passed, total, ok)
	}
	p := d.session().Params()
	p.SimilarityFloor = .99
	if passed, total, ok := d.session().WatchVerdict(p); passed != 0 || total != 3 || !ok {
		t.Errorf("above .99: %d of %d pass, known %v", passed, total, ok)
	}
	p = d.session().Params()
	p.KeywordWeight = .5
	if _, _, ok := d.session().WatchVerdict(p); ok {
		t.Error("keywords were not searched, and still the verdict is known")
	}
	if got := d.state().Watch["guide"]; len(got) != 3 || got[0].Query != queries[0] {
		t.Errorf("kept: %+v", got)
	}
}

// What the slider does to the other queries stands in the strip.
func TestTheStripShowsWhatAChangeDoes(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "*")
	d.ask("what is a similarity floor")
	d.press("*")
	d.change("similarity_floor", "0.99")
	d.mustShow("watch 0/2", "✗ how does depth decay", "page left, was 1")
	d.change("similarity_floor", "0.3")
	d.mustNotShow("watch 2/2")
	d.press("t")
	d.mustShow("watch 2/2")
}

// A parameter beyond the evidence is asked for in the background, for every watched
// query, and what was known of the others says so until then.
func TestWatchedQueriesAreGatheredAnew(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "*")
	d.ask("what is a similarity floor")
	d.press("* t")
	p := d.session().Params()
	p.KeywordWeight = .5
	d.push(d.set(p, "keyword_weight"))
	if _, _, ok := d.session().WatchCounts(); ok {
		t.Error("all is known although no keywords were searched")
	}
	d.mustShow("watch 0/2…")
	d.settle()
	if passed, total, ok := d.session().WatchCounts(); !ok || passed != 2 || total != 2 {
		t.Errorf("%d of %d, known %v", passed, total, ok)
	}
	for _, e := range d.session().Watched() {
		if !e.Now.Compared {
			t.Errorf("%s has no baseline", e.Query)
		}
	}
}

func TestTheWatchListIsBounded(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	var list []session.WatchedQuery
	for i := range session.MostWatched {
		list = append(list, session.WatchedQuery{Query: fmt.Sprintf("floor %d", i)})
	}
	d.session().KeepWatchLists(map[string][]session.WatchedQuery{"full": list})
	d.session().OpenWatchList("full")
	d.press("*")
	d.mustShow("the watch list is full")
	if n := len(d.session().Watched()); n != session.MostWatched {
		t.Errorf("%d queries are watched", n)
	}
}

// refusing is an engine that fails every query but one.
type refusing struct {
	session.Engine
	but string
	err error
}

func (r refusing) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	if q.Text != r.but {
		return nil, r.err
	}
	return r.Engine.Gather(ctx, q, p)
}

// A watched query that cannot be asked says so and holds up nothing.
func TestAWatchedQueryThatFails(t *testing.T) {
	for _, c := range []struct {
		name  string
		err   error
		shown string
	}{
		{"refused", fmt.Errorf("embed: \x1b[31mno\x1b[m"), "not asked"},
		{"away", fmt.Errorf("search: %w", store.ErrUnavailable), "not asked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onTheGuide := onGuide(t, "webrag", depthQuestion)
			d, _ := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
				onTheGuide(o, f)
				open := o.Open
				o.Open = func(ctx context.Context) (*session.Corpus, error) {
					corpus, err := open(ctx)
					if err == nil {
						corpus.Engine = refusing{corpus.Engine, depthQuestion, c.err}
					}
					return corpus, err
				}
			})
			d.session().KeepWatchLists(map[string][]session.WatchedQuery{"guide": {{Query: "lost"}}})
			d.settle()
			d.press("* t")
			d.mustShow("watch 1/2…", c.shown)
			if d.session().Awaits(session.KindWatch, d.session().Generation(session.KindWatch)) {
				t.Error("it is still being asked")
			}
			if strings.Contains(d.session().WatchedQuery("lost").Failed, "\x1b") {
				t.Error("the error reaches the screen as it is")
			}
		})
	}
}

func TestTheWatchListDialog(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "#")
	d.mustShow("Nothing is watched.")
	d.press("esc *")
	d.ask("what is a similarity floor")
	d.press("* #")
	d.mustShow("Watch list  2 of 2 pass", "must return", "Ranking and depth", "Scores and their scales", "which is rank 1, and was 1 by webrag")
	d.press("k p")
	d.mustShow("It must return", "as it is", "rank 2", "any page")
	d.press("'any page' enter")
	d.mustShow("It must return something, and returns 9 sections.", "anything")
	if !d.session().Watched()[0].AnyPage {
		t.Error("the page is still required")
	}
	d.press("p 'ranking' enter")
	d.mustShow("It must return Ranking and depth")
	d.press("enter")
	if d.session().Query() != depthQuestion || d.dialogs() != 0 {
		t.Errorf("asked %q", d.session().Query())
	}
	d.press("# j d")
	if len(d.session().Watched()) != 1 || d.session().Watched()[0].Query != depthQuestion {
		t.Errorf("%d queries are left", len(d.session().Watched()))
	}
	d.press("d d q")
	if len(d.session().Watched()) != 0 || d.dialogs() != 0 {
		t.Errorf("%d queries are left, %d dialogs", len(d.session().Watched()), d.dialogs())
	}
}

// A query that was put on the list without a page takes the selected one, or one of those
// that it returns.
func TestAWatchedQueryTakesAPage(t *testing.T) {
	d, _ := newDriver(t, 1, 120, 40, onGuide(t, "webrag", depthQuestion))
	d.session().KeepWatchLists(map[string][]session.WatchedQuery{"guide": {{Query: depthQuestion}, {Query: "what is a similarity floor"}}})
	d.settle()
	d.press("# g p enter")
	if e := d.session().WatchedQuery(depthQuestion); e.Required() == "" || e.Now.Rank != 1 {
		t.Errorf("watched: %+v", e.WatchedQuery)
	}
	d.press("G p down enter")
	if e := d.session().WatchedQuery("what is a similarity floor"); e.Required() == "" || e.Now.Rank != 1 {
		t.Errorf("watched: %+v", e.WatchedQuery)
	}
}

func TestWatchScreens(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}, {50, 15}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := openGuide(t, size[0], size[1], "webrag", depthQuestion, "*")
			for _, q := range []string{"what is a similarity floor", "how is a token budget spent", "which database can be connected"} {
				d.ask(q)
				d.press("*")
			}
			d.change("similarity_floor", "0.5")
			d.press("#")
			golden.RequireEqual(t, d.screen())
		})
	}
}

// Pinning changes what watched queries are compared with, too.
func TestPinningChangesTheBaselineOfWatchedQueries(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "*")
	d.ask("what is a similarity floor")
	d.press("*")
	d.change("similarity_floor", "0.36")
	for _, e := range d.session().Watched() {
		if e.Now.Left == 0 {
			t.Errorf("%s: nothing left", e.Query)
		}
	}
	d.press("s")
	for _, e := range d.session().Watched() {
		if e.Now.Differs() || !e.Now.Compared {
			t.Errorf("%s differs from what was pinned: %+v", e.Query, e.Now)
		}
	}
}

// gathering notes what an engine is asked for.
type gathering struct {
	session.Engine
	asked *[]param.Params
}

func (g gathering) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	if q.Text != depthQuestion {
		*g.asked = append(*g.asked, p)
	}
	return g.Engine.Gather(ctx, q, p)
}

// A language model is not asked about queries that nobody looks at.
func TestWatchedQueriesCostNothing(t *testing.T) {
	var asked []param.Params
	onTheGuide := onGuide(t, "webrag", depthQuestion)
	d, _ := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		onTheGuide(o, f)
		o.Params.Reranker = param.RerankerLLM
		open := o.Open
		o.Open = func(ctx context.Context) (*session.Corpus, error) {
			corpus, err := open(ctx)
			if err == nil {
				corpus.Engine = gathering{corpus.Engine, &asked}
			}
			return corpus, err
		}
	})
	d.session().KeepWatchLists(map[string][]session.WatchedQuery{"guide": {{Query: "what is a similarity floor"}}})
	d.settle()
	if len(asked) != 1 || asked[0].Reranker != param.RerankerNone {
		t.Fatalf("asked %d times: %+v", len(asked), asked)
	}
	if _, _, ok := d.session().WatchVerdict(d.session().Params()); ok {
		t.Error("the verdict is known without the model")
	}
	d.press("#")
	d.mustShow("the reranker is not asked for watched queries")
	d.press("esc")
	p := d.session().Params()
	p.Reranker = param.RerankerNone
	if passed, _, ok := d.session().WatchVerdict(p); passed != 1 || !ok {
		t.Errorf("without a reranker %d pass, known %v", passed, ok)
	}
}

// On a screen that is read aloud, the query line says that it is watched.
func TestAWatchedQueryIsSaid(t *testing.T) {
	d := drive(t, 1, 80, 24, plainGuide(t), "esc")
	d.ask(depthQuestion)
	d.mustNotShow("watched >")
	d.press("*")
	d.mustShow("watched > " + depthQuestion)
}

// One key in the list makes a query set of it.
func TestTheListBecomesASet(t *testing.T) {
	d, sets := judgingGuide(t, 140, 40, nil, "* #")
	d.mustShow("J make it a query set")
	d.press("J")
	d.mustShow("the watch list is now the query set guide-watched as well", "guide-watched by pages  nDCG@10")
	if list := records(t, sets, "guide-watched"); len(list) != 1 || list[0].Grade != 3 {
		t.Errorf("it has %+v", list)
	}
}
