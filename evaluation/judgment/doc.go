// Package judgment keeps query sets: queries, and what people or models judged to be
// relevant to them, in plain files that survive when pages are indexed anew.
//
// A set is a folder:
//
//	<set>/set.json         name, labels of the grades, k, notes, origin, corpus, seed
//	<set>/queries.tsv      id TAB text [TAB tag,tag]
//	<set>/judgments.jsonl  one [Record] a line, only ever appended to
//
// Ids of chunks die with the next change of a page or of the chunking, so a judgment is
// keyed by the address of its page and by the words that were judged. [Set.Anchor] finds
// these on the pages as they are now, and says which moved and which are gone. What was
// found is made ready once for each query ([Anchors.Prepare]) and then grades rankings,
// many thousands of them in a second ([Grader.Judged]).
//
//	set, problems, err := judgment.Open(folder, "guide")
//	anchors, err := set.Anchor(ctx, judgment.InView(view))
//	grader := anchors.Prepare(judgment.People)["q7"].Grader(judgment.Passages)
//	ranking = judgment.Ranking(ranking[:0], &result)
//	value := measure.Of(grader.Judged(ranking))
//
// Anybody may have written the files. A line that cannot be used is named as a
// [Problem], and neither it nor anything else in the files is lost by writing to them.
// Names, notes and texts of queries are fit to be shown; quotes and addresses are as they
// are, so that they are found again, and whoever draws them makes them safe.
package judgment
