package ui

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/session"
)

// On the guide, the shares of every match of several queries add up to the cosine
// that the search returned: on the side of the query, and over title, headings and
// text.
func TestCosinesOfTheGuideAddUp(t *testing.T) {
	queries := []string{
		"how does depth decay change the ranking", "rank fusion", "what is a floor, and why calibrate it?", "HTML or markdown tables",
	}
	for i, preset := range append(slices.Repeat([]string{"webrag"}, len(queries)), "hybrid", "graph", "textbook", "topk") {
		query := queries[i%len(queries)]
		d := openGuide(t, 150, 42, preset, query, "")
		c, r := d.session().Corpus().Cosines, d.session().Result()
		if c.Cost(query) != 0 {
			t.Fatalf("the built-in embedder costs %d texts", c.Cost(query))
		}
		matches, onPage := 0, 0
		for i := range r.Items {
			it := &r.Items[i]
			got, err := c.Cosines(t.Context(), query, r.QueryVector, it)
			if err != nil || !got.Exact {
				t.Fatal(got, err)
			}
			for _, m := range it.Matches {
				one, ok := got.Children[m.ChunkID]
				if !ok || one.Changed {
					t.Fatalf("%s: match %s is not opened", query, m.ChunkID)
				}
				if m.Rank == 0 {
					continue // the words alone found it
				}
				matches++
				words := 0.0
				for _, w := range one.Query {
					words += w.Share
				}
				if math.Abs(words-m.Similarity) > 1e-6 {
					t.Errorf("%s: the words add up to %.8f, the search returned %.8f", query, words, m.Similarity)
				}
				if parts := one.Title + one.Headings + one.Repeated + one.Body; math.Abs(parts-m.Similarity) > 1e-6 {
					t.Errorf("%s: the parts add up to %.8f, the search returned %.8f", query, parts, m.Similarity)
				}
				for _, w := range one.Text {
					if w.Start < m.CharStart || w.End > m.CharEnd || w.Start >= w.End {
						t.Fatalf("%s: a word at %d to %d of the passage at %d to %d", query, w.Start, w.End, m.CharStart, m.CharEnd)
					}
				}
				onPage += len(one.Text)
			}
		}
		if matches == 0 || onPage == 0 {
			t.Errorf("%s: %d matches with %d words were looked at", query, matches, onPage)
		}
	}
}

// A painted word stands where it is said to stand.
func TestWordsAreFoundInTheText(t *testing.T) {
	d := openGuide(t, 150, 42, "webrag", "depth decay", "")
	it := d.selected()
	got, err := d.session().Corpus().Cosines.Cosines(t.Context(), "depth decay", nil, it)
	if err != nil {
		t.Fatal(err)
	}
	text, best, word := []rune(it.ChunkText), 0.0, ""
	for _, c := range got.Children {
		for _, w := range c.Text {
			if w.Share > best {
				best, word = w.Share, string(text[w.Start-it.CharStart:w.End-it.CharStart])
			}
		}
	}
	if low := strings.ToLower(word); low != "decay" && low != "depth" {
		t.Errorf("the word with the largest share is %q", word)
	}
}

// servant stands for an embedding server: nothing is known of its vectors, and each
// text costs.
type servant struct {
	embedder.Embedder
	texts int
	err   error
}

func (s *servant) Info() embedder.Info {
	info := s.Embedder.Info()
	info.InProcess = false
	return info
}

func (s *servant) EmbedMany(ctx context.Context, texts []string, role embedder.Role) ([][]float32, error) {
	s.texts += len(texts)
	if s.err != nil {
		return nil, s.err
	}
	return s.Embedder.EmbedMany(ctx, texts, role)
}

// onServer changes the guide's embedder to a server.
func onServer(with func(*Options, *fakeCorpus), s *servant) func(*Options, *fakeCorpus) {
	return func(o *Options, f *fakeCorpus) {
		with(o, f)
		open := o.Open
		o.Open = func(ctx context.Context) (*session.Corpus, error) {
			return open(context.WithValue(ctx, servantKey{}, s))
		}
	}
}

// servantKey is the key of a servant in the context that a corpus is opened in.
type servantKey struct{}

func TestLeavingWordsOutOfAQuery(t *testing.T) {
	s := &servant{Embedder: embedder.NewBuiltin()}
	d := drive(t, 1, 150, 42, onServer(onGuide(t, "webrag", "depth decay ranking"), s), "")
	d.mustShow("words in passage 1's similarity", "L asks it for 3 texts")
	if s.texts != 0 {
		t.Fatalf("%d texts were embedded before anybody asked", s.texts)
	}
	d.press("c")
	d.mustShow("L asks the embedding server first: 3 texts")
	d.press("L")
	if s.texts != 3 {
		t.Fatalf("L had %d texts embedded, 3 were announced", s.texts)
	}
	d.mustShow("how far the cosine falls without", "decay")
	d.mustNotShow("L asks it")
	// The vectors serve all sections of the query.
	d.press("down down")
	d.mustShow("how far the cosine falls without")
	d.press("L")
	d.mustShow("nobody has to be asked")
	if s.texts != 3 {
		t.Errorf("another section had %d texts embedded", s.texts-3)
	}
	d.press("up up c")
	d.mustShow("where the question's words stand", "word 1/")
	d.press("c")
	d.mustNotShow("word 1/")
}

func TestAServerThatFailsToLeaveWordsOut(t *testing.T) {
	s := &servant{Embedder: embedder.NewBuiltin(), err: errors.New("no more\x1b]52;c;aGk=\a today")}
	d := drive(t, 1, 150, 42, onServer(onGuide(t, "webrag", "depth decay"), s), "L")
	d.mustShow("no more", "today")
	if strings.Contains(d.frame().Content, "\x1b]52") {
		t.Error("an escape sequence of the server reaches the terminal")
	}
	s.err = nil
	d.press("L")
	d.mustShow("how far the cosine falls without")
}

func TestWordsArePaintedAndGoAway(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", "how does depth decay change the ranking", "")
	d.mustShow("match 1/")
	d.press("c")
	d.mustShow("word 1/", "painted: what each word brings")
	marks := d.reader().Marks(d.reader().Item())
	text := []rune(d.reader().Item().ChunkText)
	seen := map[string]bool{}
	for _, mk := range marks {
		seen[strings.ToLower(string(text[mk.Start:mk.End]))] = true
	}
	if !seen["depth"] || !seen["decay"] || seen["the"] || seen["unless"] {
		t.Errorf("painted are %v", seen)
	}
	d.press("esc")
	d.mustShow("match 1/")
	d.mustNotShow("word 1/")
	d.press("c down")
	d.mustShow("  word ") // the next section is painted as well
	d.press("c")
	d.mustNotShow("  word ")
}

// A key that comes before the words are known is not lost.
func TestWordsThatAreNotKnownYetArePaintedLater(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", "depth decay", "")
	d.send(keyOf("down"))
	d.send(keyOf("c"))
	if d.session().Cosines(d.selected()) != nil {
		t.Fatal("the words are known at once")
	}
	d.settle()
	d.mustShow("word 1/")
}

// The key in the preview and in the score does the same.
func TestPaintFromEveryPane(t *testing.T) {
	for _, keys := range []string{"c", "enter c", "tab tab c"} {
		openGuide(t, 120, 40, "webrag", "depth decay", keys).mustShow("word 1/")
	}
}

// A passage that was embedded from another text says so.
func TestAChangedTextIsNotExplained(t *testing.T) {
	d := openGuide(t, 150, 42, "webrag", "depth decay", "")
	known := d.session().Cosines(d.selected())
	for id := range known.Children {
		known.Children[id] = session.Cosine{Changed: true}
	}
	d.score().Redraw()
	d.press("z z")
	d.mustShow("Index the page again")
	d.press("c")
	d.mustNotShow("word 1/")
}
