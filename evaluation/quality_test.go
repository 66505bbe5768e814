package evaluation_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata"
)

// The floors are a little below what was measured when they were last set: .85
// for all queries, .67 for the weakest kind. Retrieval can lose a third of its quality without any test of
// a formula noticing; these notice.
const (
	floorNDCG = 0.80
	// floorKind is the least mean of any one kind of query.
	floorKind = 0.60
	// mostEmpty is how many queries may find nothing at all.
	mostEmpty = 1
)

// TestRetrievalQuality asks the judged queries of the guide and the fixtures with
// the default preset in chunk mode, and holds nDCG@10 over sections.
func TestRetrievalQuality(t *testing.T) {
	deps, urls := qualityCorpus(t)
	params, _ := retrieval.Preset(retrieval.PresetWebRAG)
	params.Mode = retrieval.ModeChunk
	judgments, err := testdata.Judgments()
	if err != nil {
		t.Fatal(err)
	}
	sum, empty, queries := 0.0, 0, 0
	kinds := map[string][]float64{}
	for len(judgments) > 0 {
		n := 1
		for n < len(judgments) && judgments[n].QueryID == judgments[0].QueryID {
			n++
		}
		judged := judgments[:n]
		judgments = judgments[n:]
		res, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: judged[0].Query}, params, retrieval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if res.IsEmpty() {
			empty++
		}
		got := evaluation.NDCG(gains(res.Items, judged, urls), grades(judged), 10)
		t.Logf("%.3f  %-10s %s", got, judged[0].Kind, judged[0].Query)
		sum += got
		queries++
		kinds[judged[0].Kind] = append(kinds[judged[0].Kind], got)
	}
	mean := sum / float64(queries)
	t.Logf("nDCG@10 %.3f over %d queries, %d without a result", mean, queries, empty)
	if queries < 30 {
		t.Errorf("only %d queries are judged", queries)
	}
	if mean < floorNDCG {
		t.Errorf("nDCG@10 is %.3f, below %.2f", mean, floorNDCG)
	}
	if empty > mostEmpty {
		t.Errorf("%d queries find nothing", empty)
	}
	for kind, values := range kinds {
		of := 0.0
		for _, v := range values {
			of += v / float64(len(values))
		}
		t.Logf("%-10s nDCG@10 %.3f over %d", kind, of, len(values))
		if of < floorKind {
			t.Errorf("nDCG@10 of %s queries is %.3f, below %.2f", kind, of, floorKind)
		}
	}
}

// qualityCorpus indexes the guide and the fixtures. It also returns the URL of
// each judged source.
func qualityCorpus(t *testing.T) (retrieval.Deps, map[string]string) {
	t.Helper()
	l := newLibrary(t)
	guide, err := fs.Sub(docs.Guide, "guide")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := fs.Sub(testdata.Files, "pages")
	if err != nil {
		t.Fatal(err)
	}
	for name, fsys := range map[string]fs.FS{"guide": guide, "pages": pages, "": only{testdata.Files, "everest.html"}} {
		l.add(source.ScanFS(t.Context(), fsys, name, source.Options{}))
	}
	return l.deps, sources(t.Context(), t, l.deps.Store)
}

// only is a file system with one of its files.
type only struct {
	fs.FS
	name string
}

// ReadDir lists the one file.
func (o only) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(o.FS, name)
	var one []fs.DirEntry
	for _, e := range all {
		if e.Name() == o.name {
			one = append(one, e)
		}
	}
	return one, err
}

// sources maps "guide/ranking.md" and the like to the URLs of the documents.
func sources(ctx context.Context, t *testing.T, st store.Store) map[string]string {
	t.Helper()
	view, err := st.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	list, err := view.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	urls := map[string]string{}
	for i := range list {
		for _, folder := range []string{"guide/", "pages/", ""} {
			if strings.HasPrefix(list[i].SourceURL, "file:"+folder) || folder == "" {
				urls[folder+list[i].DocPath] = list[i].SourceURL
				break
			}
		}
	}
	return urls
}

// gains are the grades of the items by rank: an item earns the grade of the
// judged quote that it holds, and each quote is earned once.
func gains(items []retrieval.Item, judged []testdata.Judgment, urls map[string]string) []float64 {
	out := make([]float64, len(items))
	earned := map[int]bool{}
	for i := range items {
		it := &items[i]
		text := strings.Join(strings.Fields(it.ChunkText), " ")
		for j := range judged {
			if earned[j] || urls[judged[j].Source] != it.SourceURL || !strings.Contains(text, judged[j].Quote) {
				continue
			}
			earned[j] = true
			out[it.Rank-1] = max(out[it.Rank-1], float64(judged[j].Grade))
		}
	}
	return out
}

func grades(judged []testdata.Judgment) []float64 {
	pool := make([]float64, len(judged))
	for i := range judged {
		pool[i] = float64(judged[i].Grade)
	}
	return pool
}
