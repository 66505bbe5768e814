package wording

// Term is a word of the screen, and what it means.
type Term struct{ Name, Means string }

// Glossary says in a sentence each what the words of a ranking mean, from the page to what two
// of them are compared by.
func Glossary() []Term {
	return []Term{
		{"page", "A document of the corpus, with an address. It is cut into sections."},
		{"section", "What is returned and sent to the model: the text under one heading of a page."},
		{"passage", "A chunk of a section, small enough to be searched: it has a vector. ¶2 is the second of its section."},
		{"similarity", "How near a passage is to the question: the cosine of their vectors, 1 for the same meaning."},
		{"vector search", "It finds the passages that are most similar to the question."},
		{"keyword search", "It finds the passages with the question's words (BM25): the rarer a word, the more it counts."},
		{"floor", "The similarity that a passage must have. What is below it is dropped."},
		{"convex fusion", "One score of both searches: the weighted sum of their scores, each brought to 0 to 1."},
		{"RRF", "One score of both searches by ranks alone: 1 / (k + rank), added up."},
		{"depth", "How many links lead from the first page to this one. Decay takes a little off the score with each."},
		{"budget", "How many tokens the sections may have that are sent to the model."},
		{"full context", "A corpus that fits into the budget is sent whole: nothing is searched or ranked."},
		{"preset, profile", "A set of parameters with a name: ours, and your own."},
		{"baseline", "The ranking that this one is compared with: that of the preset, or the one that you compare from."},
		{"RBO, overlap", "How alike two rankings are, 1 for the same. The first places count most in RBO."},
		{"ef_search", "How many places the vector index looks at: more finds more of the nearest, and takes longer."},
	}
}

// MeasuringGlossary does for the words by which rankings are judged and measured.
func MeasuringGlossary() []Term {
	return []Term{
		{"judgment, grade", "How well a text answers a query, as somebody says: 0 to 3."},
		{"pool", "What is to be judged: the first results of several rankings."},
		{"judged share", "How many of the first results have a grade."},
		{"nDCG, MRR", "How good a ranking is by judgments: how high up all relevant sections stand, and the first one."},
		{"95 %", "The interval of 95 in 100 means when the queries are drawn again, some twice and some not: the bootstrap."},
		{"p", "The sign-flip test: how often as large a difference comes when it is chance which of both is A. Verdicts go by it."},
		{"t test", "Student's, for pairs: the same p, if differences are spread as a bell. It is beside p to be compared."},
		{"Holm", "Several p made larger together, as the best of many is better by chance more often than one."},
		{"kappa", "How far two judges agree: 1 throughout, 0 as by chance; far apart counts more (weighted kappa)."},
		{"synthetic", "Queries that were made from the corpus: they are easier than those that people ask."},
	}
}
