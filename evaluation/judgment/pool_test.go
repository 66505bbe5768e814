package judgment_test

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
)

// returned is a result with these texts of page p, each at its place there, by rank.
func returned(texts ...string) *retrieval.Result {
	r := &retrieval.Result{}
	for i, text := range texts {
		n, _ := strconv.Atoi(text)
		r.Items = append(r.Items, retrieval.Item{ChunkID: "c" + text, SourceURL: "p", CharStart: 10 * n, CharEnd: 10*n + len(text), ChunkText: text, Rank: i + 1})
	}
	return r
}

// quotes are the texts of a pool in its order.
func quotes(pool []judgment.Candidate) []string {
	var list []string
	for _, c := range pool {
		list = append(list, c.Quote)
	}
	return list
}

func TestAPoolIsWhatRankingsReturn(t *testing.T) {
	t.Parallel()
	a, b := returned("1", "2", "3", "4"), returned("3", "1", "5", "6")
	from := []judgment.Contender{{Name: "a", Result: a}, {Name: "b", Result: b}}
	sorted := func(o judgment.PoolOptions) []string {
		return slices.Sorted(slices.Values(quotes(judgment.Pool("q", from, o))))
	}
	if got, want := sorted(judgment.PoolOptions{}), []string{"1", "2", "3", "4", "5", "6"}; !slices.Equal(got, want) {
		t.Errorf("the pool is %q", got)
	}
	if got, want := sorted(judgment.PoolOptions{K: 3}), []string{"1", "2", "3", "5"}; !slices.Equal(got, want) {
		t.Errorf("to a depth of 3 it is %q", got)
	}
	if got, want := sorted(judgment.PoolOptions{K: 3, Changed: true}), []string{"2", "5"}; !slices.Equal(got, want) {
		t.Errorf("what changed is %q", got)
	}
	pool := judgment.Pool("q", from, judgment.PoolOptions{K: 3})
	at1 := slices.IndexFunc(pool, func(c judgment.Candidate) bool { return c.Quote == "1" })
	if c := pool[at1]; !slices.Equal(c.From, []string{"a", "b"}) || !slices.Equal(c.Ranks, []int{1, 2}) || c.Key != judgment.KeyOf("q", "p", "1", 10) {
		t.Errorf("the text 1 is %+v", c)
	}
	if r := pool[at1].Record(2, "ana", at, true); r.SeenRank != 1 || r.Grade != 2 || !slices.Equal(r.Pool, []string{"a", "b"}) {
		t.Errorf("it becomes %+v", r)
	}
	if r := pool[at1].Record(2, "ana", at, false); r.SeenRank != 0 {
		t.Errorf("hidden, it becomes %+v", r)
	}
	// Without its text a result cannot be judged.
	a.Items[0].ChunkText = ""
	if got := sorted(judgment.PoolOptions{K: 1}); !slices.Equal(got, []string{"3"}) {
		t.Errorf("without a text: %q", got)
	}
}

func TestTheOrderOfAPoolStays(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 40 {
		all = append(all, strconv.Itoa(i))
	}
	forwards := []judgment.Contender{{Name: "a", Result: returned(all...)}}
	order := quotes(judgment.Pool("q", forwards, judgment.PoolOptions{Seed: 7}))
	slices.Reverse(all)
	if got := quotes(judgment.Pool("q", []judgment.Contender{{Name: "b", Result: returned(all...)}}, judgment.PoolOptions{Seed: 7})); !slices.Equal(got, order) {
		t.Errorf("the order tells the ranking: %q, then %q", order, got)
	}
	if got := quotes(judgment.Pool("q", forwards, judgment.PoolOptions{Seed: 8})); slices.Equal(got, order) {
		t.Error("another seed gives the same order")
	}
	if got := quotes(judgment.Pool("r", forwards, judgment.PoolOptions{Seed: 7})); slices.Equal(got, order) {
		t.Error("another query has the same order")
	}
	if slices.IsSorted(order) || slices.Equal(order, all) {
		t.Errorf("it is not shuffled: %q", order)
	}
	// What was judged leaves, and the others stay as they were.
	s := newSet(t, "q")
	must(t, s, graded("q", "p", order[0], 0, "ana", 3), graded("q", "p", order[3], 0, "ana", int(judgment.CannotTell)),
		graded("q", "p", order[4], 0, "ben", 1), graded("q", "p", order[5], 0, "ana", 1), graded("q", "p", order[5], 0, "ana", int(judgment.Withdrawn)))
	for i := range s.Records {
		n, _ := strconv.Atoi(s.Records[i].Quote)
		s.Records[i].Key = judgment.KeyOf("q", "p", s.Records[i].Quote, 10*n)
	}
	page := []rune(slices.Repeat([]string{"          "}, 1)[0])
	for i := range 40 {
		page = append(page[:min(len(page), 10*i)], append([]rune(strconv.Itoa(i)), []rune("          ")...)...)[:10*i+10]
	}
	done := anchored(t, s, texts{"p": string(page)}).JudgedBy("ana")
	left := quotes(judgment.Pool("q", forwards, judgment.PoolOptions{Seed: 7, Done: done}))
	if want := append(slices.Clone(order[1:3]), order[4:]...); !slices.Equal(left, want) {
		t.Errorf("left is %q, want %q", left, want)
	}
}

// Of the same texts in another order those that moved are what differs.
func TestWhatDiffersOfTheSameTextsHasMoved(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ a, b, want []string }{
		"moved":       {[]string{"1", "2", "3"}, []string{"1", "3", "2"}, []string{"2", "3"}},
		"as it was":   {[]string{"1", "2"}, []string{"1", "2"}, nil},
		"other texts": {[]string{"1", "2", "3"}, []string{"2", "1", "4"}, []string{"3", "4"}},
	} {
		got := quotes(judgment.Pool("q", []judgment.Contender{{Name: "a", Result: returned(c.a...)}, {Name: "b", Result: returned(c.b...)}}, judgment.PoolOptions{Changed: true}))
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q differ, want %q", name, got, c.want)
		}
	}
}

func TestAWatchListBecomesASet(t *testing.T) {
	t.Parallel()
	list := []judgment.Expected{{"what is depth decay", "file:guide/ranking.md"}, {"retries", ""}, {"what is depth decay ", "file:guide/index.md"}, {"What is depth decay?", "file:guide/ranking.md"}}
	sets := t.TempDir()
	s, err := judgment.CreateExpected(t.Context(), sets, "watched", judgment.About{}, list, "ana", at)
	if err != nil {
		t.Fatal(err)
	}
	s, problems := reopen(t, s)
	var ids []string
	for _, q := range s.Queries {
		ids = append(ids, q.ID)
	}
	if len(problems) > 0 || !slices.Equal(ids, []string{"what-is-depth-decay", "retries", "what-is-depth-decay-2"}) {
		t.Errorf("the queries are %q, %v", ids, problems)
	}
	all := s.Judgments()
	if len(all) != 3 || all[1].QueryID != ids[0] || all[1].SourceURL != "file:guide/index.md" || !all[1].IsPage() || all[1].Opinions[0].Grade != 3 {
		t.Errorf("the judgments are %+v", all)
	}
	if _, err := judgment.CreateExpected(t.Context(), sets, "watched", judgment.About{}, nil, "ana", at); !errors.Is(err, judgment.ErrSetExists) {
		t.Errorf("made twice: %v", err)
	}
}
