package recording_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/remote"
	"github.com/webrag/webrag-tui/remote/remotetest"
	"github.com/webrag/webrag-tui/rerank"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/recording"
)

// away is an embedder whose server fails when a query is embedded.
type away struct {
	embedder.Embedder
	server *embedder.OpenAI
}

func (a away) EmbedOne(ctx context.Context, text string, role embedder.Role) ([]float32, error) {
	return a.server.EmbedOne(ctx, text, role)
}

// torn is a store in which neither words nor edges can be read.
type torn struct {
	store.Store
	why error
}

type tornView struct {
	store.View
	why error
}

func (s torn) Read(ctx context.Context) (store.View, error) {
	v, err := s.Store.Read(ctx)
	return tornView{v, s.why}, err
}

func (v tornView) Search(ctx context.Context, q store.Search) (store.Found, error) {
	found, err := v.View.Search(ctx, q)
	if err == nil && q.Terms != nil {
		found.Keyword, found.KeywordErr = nil, v.why
	}
	return found, err
}

func (v tornView) Edges(context.Context, store.EdgeQuery) ([]store.Edge, error) { return nil, v.why }

// Whatever fails, and whatever the servers and stores say of it: a recording holds no
// host, address or secret, and what is replayed still says what failed.
func TestARecordingOfFailuresHoldsNoPlace(t *testing.T) {
	const (
		key  = "sk-hunter2hunter2hunter2"
		path = "/vault7/v1"
		user = "deployer9"
	)
	gone := remotetest.Serve(t, remotetest.Never())
	gone.Close()
	answers := func(status int) string {
		said := fmt.Sprintf(`{"error":{"message":"no %s at inner.example:6333%s for %s"}}`, user, path, key)
		return remotetest.Serve(t, remotetest.Say(status, said)).URL
	}
	for _, tt := range []struct {
		name, url string
		torn      bool
		says      []string
	}{
		{"servers that are away", gone.URL, false, []string{"could not be embedded", "refused the connection", "the reranking failed"}},
		{"servers that refuse", answers(401), false, []string{"could not be embedded", "401 Unauthorized", "the reranking failed"}},
		{"servers that are broken", answers(503), false, []string{"could not be embedded", "503 Service Unavailable", "the reranking failed"}},
		{"a corpus that is torn", answers(503), true, []string{"the keyword search failed", "the edges could not be read", "may name a place"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := failing(t, tt.url+path, key, tt.torn)
			p := searched(t)
			p.KeywordWeight, p.MaxHops, p.Reranker = 0.5, 1, param.RerankerHTTP
			file, live := askedOf(t, c, p)
			if !tt.torn && !bytes.Contains(file, []byte(`"Verdict":`)) {
				t.Error("no report was recorded")
			}
			at, err := url.Parse(tt.url)
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range []string{key, "hunter2", strings.Trim(path, "/"), at.Host, at.Hostname(), ":" + at.Port(), user, "inner.example", "6333", "/api/rerank"} {
				if bytes.Contains(file, []byte(secret)) {
					t.Errorf("the recording holds %q: …%s…", secret, around(file, secret))
				}
			}
			if !bytes.Contains(file, []byte(`"a notice of a server"`)) {
				t.Error("the corpus's notices are not recorded")
			}
			replayed := noticesOf(t, load(t, file).NewCorpus(), p)
			if len(replayed) == 0 || len(replayed) != len(live) {
				t.Fatalf("replayed:\n%s\nlive:\n%s", strings.Join(replayed, "\n"), strings.Join(live, "\n"))
			}
			for _, words := range tt.says {
				if !strings.Contains(strings.Join(replayed, "\n"), words) {
					t.Errorf("the replay does not say %q:\n%s\nlive:\n%s", words, strings.Join(replayed, "\n"), strings.Join(live, "\n"))
				}
			}
		})
	}
}

func around(file []byte, word string) []byte {
	at := bytes.Index(file, []byte(word))
	return file[max(0, at-100):min(len(file), at+100)]
}

// failing is the guide, with an embedder and a reranker at a server.
func failing(t *testing.T, base, key string, isTorn bool) *session.Corpus {
	t.Helper()
	once := remote.Config{Key: key, Attempts: 1}
	server, err := embedder.NewOpenAI(embedder.OpenAIConfig{BaseURL: base, APIKey: key, Model: "m", Dimensions: 8, Remote: once})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	ranks, err := llm.NewReranker(llm.RerankConfig{BaseURL: base, APIKey: key, Model: "cross", Remote: once})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ranks.Close)
	return guideWith(t, func(d *retrieval.Deps) {
		d.Scorers = map[param.RerankerKind]retrieval.Scorer{param.RerankerHTTP: rerank.NewHTTPScorer(ranks)}
		if !isTorn {
			d.Embedder = away{d.Embedder, server}
		} else {
			d.Store = torn{d.Store, errors.New("dial tcp inner.example:6333: password authentication failed for user deployer9 (sk-hunter2hunter2hunter2)")}
		}
	})
}

// askedOf records a query and why something is missing, and returns the notices that
// were shown.
func askedOf(t *testing.T, c *session.Corpus, p param.Params) (file []byte, notices []string) {
	t.Helper()
	var out bytes.Buffer
	rec := recording.NewRecorder(&out, recording.Start{Preset: "webrag", Params: p, Now: func() time.Time { return noon }})
	s := session.New(session.Setting{Name: "webrag", Params: p}, nil)
	c.Notices = append(c.Notices, retrieval.Notice{Text: "a notice of inner.example:6333", Placeless: "a notice of a server"})
	finish(t, s, s.Take(rec.Wrap(c), nil))
	finish(t, s, s.Ask(question))
	if s.Result() == nil {
		t.Fatalf("no answer: %+v", s.Failure())
	}
	for _, n := range s.Result().Notices {
		notices = append(notices, n.Text)
	}
	finish(t, s, s.WhyNot(whynot.Target{Quote: "What a search can miss"}, p))
	if _, err := rec.Summary(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), notices
}

func noticesOf(t *testing.T, c *session.Corpus, p param.Params) (said []string) {
	t.Helper()
	ev, err := c.Engine.Gather(t.Context(), retrieval.Query{Text: question}, p)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := ev.Rank(p, retrieval.Options{Trace: true, Explain: true})
	for _, n := range r.Notices {
		said = append(said, n.Text)
	}
	return said
}

// finish does all work, and what follows from it.
func finish(t *testing.T, s *session.Session, work []session.Work) {
	t.Helper()
	for n := 0; len(work) > 0; n++ {
		if n > 1000 {
			t.Fatal("the session never becomes idle")
		}
		work = append(work[1:], s.Apply(work[0].Run(t.Context()))...)
	}
}
