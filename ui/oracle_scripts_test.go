package ui

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// oracleScripts visit every view, dialog and action. Those on the frozen corpus
// name a preset, those on the fake one a query that it knows.
var oracleScripts = []oracleScript{
	// Asking and finding.
	{name: "asking", preset: "webrag", keys: "'what is a floor' enter / ctrl+u 'token budget' down up enter / esc"},
	{name: "examples", keys: "down enter / esc", with: func(o *Options, _ *fakeCorpus) { o.Examples = []string{"what is a floor", "none"} }},
	{name: "history", query: "decay", keys: "/ ctrl+u 'cosine' enter / ctrl+r 'dec' enter : 'asked before' enter down enter esc"},
	{name: "finding", query: "decay", keys: "f 'depth' enter n N esc enter f 'score' enter n N f esc esc"},
	{name: "marks", preset: "webrag", query: depthQuestion, keys: "enter n n n n n N N"},
	{name: "nothing found", query: "none", keys: "w esc A u 2 1 /"},
	{name: "nothing above the floor", preset: "webrag", query: depthQuestion, keys: "A u", with: with("similarity_floor", "0.99")},
	{name: "whole corpus", query: "whole", keys: "j e 2 1 X"},
	{name: "whole frozen corpus", preset: "webrag", query: depthQuestion, keys: "j e 2 1 X u", with: with("full_context_threshold", "39000")},
	{name: "failure", query: "fail", keys: "E esc R w 2 3 1 ! esc"},
	{name: "empty corpus", keys: "'decay' enter esc 3 1", with: func(_ *Options, f *fakeCorpus) { f.stats = store.Stats{} }},
	{name: "broken corpus", keys: "E esc R 2 3", with: func(o *Options, _ *fakeCorpus) {
		o.Open = func(context.Context) (*session.Corpus, error) { return nil, errBroken }
	}},
	{name: "notices", query: "decay", keys: "! esc", with: func(o *Options, f *fakeCorpus) {
		o.Notices = []retrieval.Notice{{Code: "demo", Text: "The demo lowers the threshold to 4,000 tokens."}}
		f.notices = []retrieval.Notice{{Code: "clamped", Text: "The threshold is above the budget; the budget holds.", Warning: true}}
	}},

	// Lists, panes and the text.
	{name: "moving", query: "decay", keys: "j k down up ctrl+d ctrl+u pgdown pgup G g end home"},
	{name: "panes", query: "decay", keys: "tab shift+tab tab tab l h right left enter left space space h z z + - < < > enter tab esc"},
	{name: "forms", query: "decay", keys: "j j j m m m m r r enter j ctrl+d G esc"},
	{name: "hostile page", query: "decay", keys: "r G k k k enter e y esc"},
	{name: "opening", query: "decay", keys: "enter O j enter F esc F 'far' enter [ ] backspace alt+right alt+left o"},
	{name: "addresses", query: "decay", keys: ": 'by its address' enter 'guide.example/docs/scores' enter esc : 'open a span' enter 'nonsense' enter ctrl+u 'https://guide.example/docs/scores:320-350' enter : 'close the span' enter"},
	{name: "passage", query: "decay", keys: "tab v j k l h y v right c v v v down esc y"},
	{name: "copying", query: "decay", keys: "y enter y down enter y down down enter y 'json' enter y 'command' enter y esc E"},

	// Why a score is what it is.
	{name: "score of a similarity", preset: "webrag", query: depthQuestion, keys: "e e tab tab j j j ctrl+d G"},
	{name: "score of fused scores", preset: "blend", query: depthQuestion, keys: "tab tab ctrl+d G"},
	{name: "score of fused ranks", preset: "hybrid", query: depthQuestion, keys: "tab tab ctrl+d j"},
	{name: "score of an edge", preset: "graph", query: depthQuestion, keys: "G tab tab j"},
	{name: "score of a chunk", preset: "textbook", query: depthQuestion, keys: "j tab tab"},
	{name: "cosine", preset: "webrag", query: depthQuestion, keys: "c j c L"},
	{name: "cosine by a server", preset: "webrag", query: "depth decay", keys: "c L c", with: func(o *Options, f *fakeCorpus) {
		onServer(func(*Options, *fakeCorpus) {}, &servant{Embedder: embedder.NewBuiltin()})(o, f)
	}},
	{name: "one owner", preset: "topk", query: depthQuestion, keys: "e 2"},

	// Sweeping.
	{name: "measuring", preset: "hybrid", query: depthQuestion, with: judging, keys: "5 O 'mine' enter c down enter d esc o l h f esc m down enter x a esc b esc R e esc esc 5 enter esc"},
	{name: "sweeping", preset: "hybrid", query: depthQuestion, with: judging, keys: "J 'mine' enter J 6 space v esc r l h ] [ T enter u d esc K esc"},
	{name: "sweeping without a set", preset: "hybrid", query: depthQuestion, keys: "6 space j v esc r K enter tab ] T esc esc"},

	// Tuning.
	{name: "tuning", preset: "webrag", query: depthQuestion, keys: "t j j l H L h [ ] u ctrl+r backspace s s y esc"},
	{name: "typed values", preset: "webrag", query: depthQuestion, keys: "t enter ctrl+u '0.5' enter enter ctrl+u 'x' enter esc j space esc G enter esc"},
	{name: "profiles", preset: "webrag", query: depthQuestion, keys: "t p down down enter W 'mine' enter p 'topk' enter"},
	{name: "pinning", preset: "hybrid", query: depthQuestion, keys: "s : 'start from' enter 'webrag' enter j s"},
	{name: "watch list", preset: "webrag", query: depthQuestion, keys: "* / ctrl+u 'what is a floor' enter * t L : 'list by two' enter b 'hybrid' enter j p esc # k p enter # j d d q"},
	{name: "snapshots", preset: "webrag", query: depthQuestion, keys: "S 'first' enter t L S 'second' enter D 'first' enter j x b b R esc : 'restore its' enter 'first' enter : 'snapshot delete' enter 'second' enter"},

	// Why not.
	{name: "why of a name", preset: "webrag", query: depthQuestion, keys: "w 'sourdough' enter j j space u esc"},
	{name: "why of a row", preset: "webrag", query: depthQuestion, keys: "G w j space esc"},
	{name: "why of what is there", preset: "webrag", query: depthQuestion, keys: "w up enter esc esc : 'pick any page' enter 'everest' enter"},
	{name: "why of a page", preset: "hybrid", query: "which database can be connected", keys: "w 'starter' enter ctrl+d G"},

	// The pipeline and the corpus.
	{name: "pipeline", preset: "webrag", query: depthQuestion, keys: "2 l l l h x j x enter j space space y esc X u x esc"},
	{name: "pipeline of arms", preset: "hybrid", query: depthQuestion, keys: "2 l l l l l x tab"},
	{name: "pipeline of edges", preset: "graph", query: depthQuestion, keys: "2 l l l l l l tab j"},
	{name: "pipeline of chunks", preset: "textbook", query: depthQuestion, keys: "2 l l l l l l"},
	{name: "pages", preset: "webrag", query: depthQuestion, keys: "3 j h space space l h m n ctrl+d m l j l esc esc"},
	{name: "table of pages", preset: "webrag", query: depthQuestion, keys: "3 r O O I f 'tea' enter n N esc y"},
	{name: "page", preset: "webrag", query: depthQuestion, keys: "3 enter j j y m ctrl+d h 1 3 enter enter"},
	{name: "pages with addresses", query: "decay", keys: "3 o enter y 'u' m esc"},
	{name: "traversal", preset: "graph", query: depthQuestion, keys: "3 T j tab T"},

	// Judging.
	{name: "judging in place", preset: "hybrid", query: depthQuestion, with: judging, keys: "J 'mine' enter 3 - U 2 : 'choose a grade' enter down enter tab v 1 : 'disagree' enter esc J : 'open a set' enter esc"},
	{name: "judging one after the other", preset: "hybrid", query: depthQuestion, with: judging, keys: "4 J 'mine' enter 3 l h 0 b c P down enter tab ] [ j enter 1 : 'open a set' enter 'new' enter esc esc"},

	// Corpora.
	{name: "welcome", keys: "i 'docs' enter / esc", with: (&missing{}).again},
	{name: "guide of the welcome", keys: "? esc d", with: (&missing{}).again},
	{name: "connecting", keys: "c 'postgres://me@host/db' enter", with: (&missing{}).again},
	{name: "corpora", query: "decay", keys: ": 'open another' enter esc : 'corpus: connect' enter 'x.db' enter esc : 'corpus: index' enter 'docs' enter", with: (&missing{made: true}).again},

	{name: "index", query: "decay", keys: ": 'recall' enter esc", with: func(o *Options, f *fakeCorpus) {
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: true, Health: func(context.Context, string) (session.IndexHealth, error) {
				return session.IndexHealth{
					K: 60, Index: store.VectorIndex{Name: "chunks_idx", Method: "hnsw", Type: "halfvec", Valid: true, Rows: 100_000, Dead: 1200, Bytes: 1 << 27, TableBytes: 1 << 20},
					Probed: store.Probed{Exact: 90 * time.Millisecond, Rows: 100_000, Points: []store.ProbePoint{
						{EfSearch: 40, Returned: 40, Recall: .617, Took: 800 * time.Microsecond, Used: "chunks_idx"},
						{EfSearch: 800, Returned: 60, Recall: 1, Took: 40 * time.Millisecond},
					}},
				}, nil
			}}, nil
		}
	}},

	// The screen itself.
	{name: "themes", query: "decay", keys: ": 'theme: next' enter : 'theme: choose' enter down enter : 'light and dark' enter : 'mouse' enter"},
	{name: "keys and palette", query: "decay", keys: "? j pgdown pgdown pgdown pgdown pgdown pgdown pgdown pgdown G esc : 'split' esc ctrl+p 'zoom' enter esc q"},
	{name: "leaving", query: "decay", keys: "ctrl+z ctrl+c"},
}

// with changes one parameter.
func with(field, value string) func(*Options, *fakeCorpus) {
	return func(o *Options, _ *fakeCorpus) {
		if err := o.Params.Set(field, value); err != nil {
			panic(fmt.Sprint(field, err))
		}
	}
}

// judging makes a set in the working folder, anew for each time that a script is played.
func judging(o *Options, _ *fakeCorpus) {
	const sets = "sets"
	err := os.RemoveAll(sets)
	if err == nil {
		_, err = judgment.CreateExpected(context.Background(), sets, "mine", judgment.About{Seed: 7}, []judgment.Expected{
			{Query: depthQuestion, Page: "file:frozen/guide/ranking.md"}, {Query: "what is a floor", Page: "file:frozen/guide/ranking.md"},
		}, "bob", time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))
	}
	if err != nil {
		panic(err)
	}
	o.Sets, o.Judge = sets, "ana"
}

// again is change for a script that is played several times.
func (x *missing) again(o *Options, f *fakeCorpus) {
	fresh := *x
	fresh.change(o, f)
}
