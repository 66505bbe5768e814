package judgment

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
)

// Candidate is a text to be judged.
type Candidate struct {
	Key
	// Quote is the text.
	Quote string
	// ChunkID is that of the first result that has it, Title that of its page, and
	// HeadingPath where on the page it stands; of a section that was cut into several it is
	// part Part, from 1, of Parts.
	ChunkID, Title string
	HeadingPath    []string
	Part, Parts    int
	// From names the rankings that have it among the first k, and Ranks are its ranks
	// there. Both are for who has judged: they make a judge biased.
	From  []string
	Ranks []int
}

// Record is the candidate as it was judged. seen says that the judge saw the rank.
func (c *Candidate) Record(grade Grade, by Judge, at time.Time, seen bool) Record {
	r := Record{Key: c.Key, Quote: c.Quote, Grade: grade, Judge: by, JudgedAt: at, Pool: c.From}
	if seen && len(c.Ranks) > 0 {
		r.SeenRank = slices.Min(c.Ranks)
	}
	return r
}

// Contender is a configuration with what it returned for the query.
type Contender struct {
	Name   string
	Result *retrieval.Result
}

// PoolOptions say what of the rankings is to be judged.
type PoolOptions struct {
	// K is how many results of each ranking are taken, all of them for 0.
	K int
	// Seed is that of the set: it gives the order.
	Seed uint32
	// Changed leaves out what all rankings have among the first K: of two what is left is
	// what makes them differ. Where all have the same texts it leaves out those of the same
	// rank: what is left has moved.
	Changed bool
	// Done says what is left out since it was judged; nil for nothing.
	Done func(*Candidate) bool
}

// Pool is what is to be judged for a query: what the rankings return, each text once,
// shuffled, so that neither the order nor who found it tells how good it was held to be.
// Texts must have been read; a result without one is left out.
//
// Of each text the seed and its key decide where it comes: it keeps its place among the
// others when some were judged meanwhile, or when there are more rankings.
func Pool(queryID string, from []Contender, o PoolOptions) []Candidate {
	var pool []Candidate
	at := map[Key]int{}
	for _, c := range from {
		for i := range c.Result.Items {
			it := &c.Result.Items[i]
			key := KeyOf(queryID, it.SourceURL, it.ChunkText, it.CharStart)
			if o.K > 0 && it.Rank > o.K || key.IsPage() {
				continue
			}
			place, ok := at[key]
			if !ok {
				place = len(pool)
				at[key] = place
				pool = append(pool, Candidate{Key: key, Quote: it.ChunkText, ChunkID: it.ChunkID, Title: it.Title, HeadingPath: it.HeadingPath, Part: it.Part, Parts: it.Parts})
			}
			if of := &pool[place]; !slices.Contains(of.From, c.Name) {
				of.From, of.Ranks = append(of.From, c.Name), append(of.Ranks, it.Rank)
			}
		}
	}
	if o.Changed {
		pool = changed(pool, len(from))
	}
	if o.Done != nil {
		pool = slices.DeleteFunc(pool, func(c Candidate) bool { return o.Done(&c) })
	}
	slices.SortFunc(pool, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(turn(&a.Key, o.Seed), turn(&b.Key, o.Seed)), cmp.Compare(a.SourceURL, b.SourceURL), cmp.Compare(a.CharStart, b.CharStart), cmp.Compare(a.CharEnd, b.CharEnd))
	})
	return pool
}

// changed are the candidates that not all of so many rankings have, or where all have all
// those that are not at the same rank in each.
func changed(pool []Candidate, rankings int) []Candidate {
	isOfAll := func(c Candidate) bool { return len(c.From) == rankings }
	if slices.ContainsFunc(pool, func(c Candidate) bool { return !isOfAll(c) }) {
		return slices.DeleteFunc(pool, isOfAll)
	}
	return slices.DeleteFunc(pool, func(c Candidate) bool { return slices.Min(c.Ranks) == slices.Max(c.Ranks) })
}

// turn is when a key comes: the first number of a generator that its seed and the key
// start (PCG, O'Neill 2014).
func turn(k *Key, seed uint32) uint64 {
	h := fnv.New64a()
	for _, part := range []string{k.QueryID, k.SourceURL, k.QuoteHash, strconv.Itoa(k.CharStart), strconv.Itoa(k.CharEnd)} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return rand.NewPCG(uint64(seed), h.Sum64()).Uint64()
}

// JudgedBy says of candidates whether a judge has judged them, or could not tell: by the
// place that a text has now.
func (a *Anchors) JudgedBy(judge Judge) func(*Candidate) bool {
	done := map[Key]bool{}
	for i := range a.Judgments {
		j := &a.Judgments[i]
		if slices.ContainsFunc(j.Opinions, func(o Opinion) bool { return o.Judge == judge }) {
			done[Key{j.QueryID, j.Page, j.QuoteHash, j.Start, j.End}] = true
		}
	}
	return func(c *Candidate) bool { return done[c.Key] }
}
