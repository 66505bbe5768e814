// Package synthetic makes questions from a corpus, with what answers them: the page and
// the passage that each was made from.
//
// They are made of what pages are called, what stands above their sections and what links
// say of them, which needs no model ([FromPages]); or by a language model that reads
// passages and asks what they answer ([NewPlan]).
//
//	made, report, err := synthetic.FromPages(ctx, view, synthetic.Options{Count: 100, Seed: 1})
//	set, err := synthetic.Save(ctx, sets, "known-items", judgment.About{}, made, time.Now())
//
// Known-item queries have long been made from the documents that they are to find
// (Azzopardi, de Rijke and Balog, "Building simulated queries for known-item topics",
// SIGIR 2007). They are easier than what people ask: their words are those of the page,
// often in a row. So they are marked wherever they are kept, and what stands verbatim in
// its page is counted. What differs between two configurations on them need not differ on
// questions of people.
package synthetic

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/webrag/webrag-tui/store"
)

// Kind says what a question was made from.
type Kind string

// The kinds. The first three need no model.
const (
	// Title is what a page is called.
	Title Kind = "title"
	// Heading stands above a part of a page.
	Heading Kind = "heading"
	// Link is the text of a hyperlink from another page.
	Link Kind = "link"
	// Model is a passage of which a language model made a question.
	Model Kind = "model"
)

// Kinds are those that need no model.
func Kinds() []Kind { return []Kind{Title, Heading, Link} }

// Options say what is made.
type Options struct {
	// Kinds are taken in turns, as many of each, as long as there are some.
	//
	// Defaults to [Kinds].
	Kinds []Kind
	// Count is how many questions are made at most.
	//
	// Defaults to 100.
	Count int
	// Seed decides which of all possible questions these are. The same corpus and seed
	// give the same ones, and what is added to the corpus leaves most of them.
	Seed uint32
	// Progress is told how many pages have been looked at; it may be nil.
	Progress func(pages, of int)
}

func (o Options) withDefaults() Options {
	if len(o.Kinds) == 0 {
		o.Kinds = Kinds()
	}
	if o.Count == 0 {
		o.Count = 100
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	return o
}

// Question is a question with what answers it.
type Question struct {
	// Text is one line.
	Text string
	Kind Kind
	// Targets are the places that it was made from, each on a page of its own.
	Targets []Target
	// Verbatim says that the text stands in one of these pages as it is, but for case
	// and white space: a free hit for whoever compares words.
	Verbatim bool
	// Shared says that another question was made from one of these pages.
	Shared bool
	// By names the model, empty for the other kinds.
	By string
}

// Target is a page, and the passage of it that answers.
type Target struct {
	// Page is the address.
	Page string
	// Quote is the passage, which begins at the code point Start of the page's markdown.
	// Empty, it is the page alone.
	Quote string
	Start int
}

// Report counts what was made and what was not.
type Report struct {
	// Pages were looked at, of so many.
	Pages, Of int
	// Kinds are those asked for, in their order.
	Kinds []KindCount
	// Short have too few words to say something, Long too many for a query, Common
	// lead to more than 3 pages: "Options" stands on every page of a manual.
	Short, Long, Common int
	// Asked counts the passages that a model was given. Of its answers Refused say that
	// there is nothing to ask, Unusable are no question of one line, and Repeated are one
	// that it had asked before.
	Asked, Refused, Unusable, Repeated int
	// Verbatim stand in their page as they are, Shared share a page with another.
	Verbatim, Shared int
}

// KindCount counts questions of one kind: how many there could have been, how many were
// taken, and how many of these stand verbatim in their page.
type KindCount struct {
	Kind                   Kind
	Found, Taken, Verbatim int
}

// What is looked at and taken [chosen]: pages of a corpus, code points of a query, terms
// of a heading or a link's text, and pages that one text may lead to.
const (
	mostPages   = 100_000
	mostText    = 200
	leastTerms  = 2
	mostTargets = 3
)

// turn is when something is taken: the first number of a generator that the seed and the
// names start (PCG, O'Neill 2014), so that it does not depend on what else there is.
func turn(seed uint32, names ...string) uint64 {
	h := fnv.New64a()
	for _, name := range names {
		h.Write([]byte(name))
		h.Write([]byte{0})
	}
	return rand.NewPCG(uint64(seed), h.Sum64()).Uint64()
}

// count fills in what is known of the questions that were made.
func (r *Report) count(made []Question) {
	pages := map[string]int{}
	for i := range made {
		for _, t := range made[i].Targets {
			pages[store.PageKey(t.Page)]++
		}
	}
	for i := range made {
		q := &made[i]
		for _, t := range q.Targets {
			q.Shared = q.Shared || pages[store.PageKey(t.Page)] > 1
		}
		if q.Shared {
			r.Shared++
		}
		if q.Verbatim {
			r.Verbatim++
		}
		for j := range r.Kinds {
			if k := &r.Kinds[j]; k.Kind == q.Kind {
				k.Taken++
				if q.Verbatim {
					k.Verbatim++
				}
			}
		}
	}
}
