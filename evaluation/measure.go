// Package evaluation measures rankings against judgments.
//
// A [Measure] makes a number of one ranking, a [Report] the means over many queries with
// their intervals, [Compare] says of two reports whether they differ by more than chance, and
// package experiment tries many settings.
package evaluation

import (
	"fmt"
	"strconv"
)

// MostDepth is the deepest cut of a measure.
const MostDepth = 1000

// Measure says how good a ranking is as one number. Its text is that of ir_measures,
// the common names of such numbers: see [ParseMeasure], which makes one. The zero value
// measures nothing and is 0 for every ranking.
//
// With grade_i the grade of the result at rank i, 0 for what was not judged, relevant_i
// for a grade of at least rel (1 unless it is given), and R the number of documents
// judged to be so, whether they came back or not:
//
//	nDCG@k                  Σ_{i≤k} grade_i/log2(i+1), over the same sum for all that
//	                        was judged, by grade and cut at k
//	nDCG(dcg='exp-log2')@k  the same with 2^grade_i − 1 in place of grade_i
//	P@k, R@k                relevant ones in the first k over k, and over R
//	AP, AP@k                Σ of the precisions at the ranks of relevant ones, over R
//	RR, RR@k                1/rank of the first relevant one
//	Success@k               1 if a relevant one is among the first k, else 0
//	ERR, ERR@k              Σ_i 1/i · s_i · Π_{j<i}(1 − s_j), s = (2^grade − 1)/16
//	RBP(p=0.8,rel=1)        (1 − p) Σ_i p^(i−1) · [relevant_i]
//	Judged@k                judged ones in the first k over min(k, returned)
//	expr:NAME=…             one of one's own, see [ParseMeasure]
//
// Without @k the whole ranking counts. P@k divides by k however few came back. The best
// grade that ERR knows is 4, as in TREC's gdeval, and better ones count as 4. All lie
// between 0 and 1 (one's own where it wants), and are 0 where nothing is relevant or nothing
// came back.
//
// Definitions: Järvelin and Kekäläinen, Cumulated Gain-based Evaluation (2002); Burges
// et al., Learning to Rank using Gradient Descent (2005), for the exponential gain;
// Chapelle et al., Expected Reciprocal Rank for Graded Relevance (2009); Moffat and Zobel,
// Rank-Biased Precision (2008). Where they leave something open it is as in trec_eval.
type Measure struct {
	kind        kind
	k           int // 0 for the whole ranking
	rel         int
	persistence float64 // of RBP
	exponential bool    // of nDCG
	own         *scorer // of one's own
}

type kind int

const (
	none kind = iota
	ndcg
	precision
	recall
	averagePrecision
	reciprocalRank
	success
	expectedReciprocalRank
	rankBiasedPrecision
	judgedRate
	ownScore
)

// What a measure has where its text does not say otherwise.
const (
	defaultRel         = 1
	defaultPersistence = 0.8
)

// measureRow says what the text of a kind of measure has.
type measureRow struct {
	kind       kind
	name, also string // also is another name for it, read and not written
	// cut says that there must be an @k; arguments are the names of those it takes.
	cut       bool
	arguments []string
}

func measureTable() []measureRow {
	const rel, p, dcg = "rel", "p", "dcg"
	return []measureRow{
		{ndcg, "nDCG", "", false, []string{dcg}},
		{precision, "P", "Precision", true, []string{rel}},
		{recall, "R", "Recall", true, []string{rel}},
		{averagePrecision, "AP", "MAP", false, []string{rel}},
		{reciprocalRank, "RR", "MRR", false, []string{rel}},
		{success, "Success", "", true, []string{rel}},
		{expectedReciprocalRank, "ERR", "", false, nil},
		{rankBiasedPrecision, "RBP", "", false, []string{p, rel}},
		{judgedRate, "Judged", "", true, nil},
	}
}

// DefaultMeasures are those of a report that nobody asked for others: nDCG@10, RR@10,
// R@60, P@5 and Judged@10.
func DefaultMeasures() []Measure {
	return []Measure{
		{kind: ndcg, k: 10, rel: defaultRel},
		{kind: reciprocalRank, k: 10, rel: defaultRel},
		{kind: recall, k: 60, rel: defaultRel},
		{kind: precision, k: 5, rel: defaultRel},
		JudgedAt(10),
	}
}

// JudgedAt is Judged@k.
func JudgedAt(k int) Measure { return Measure{kind: judgedRate, k: k, rel: defaultRel} }

// judgedDepth is the depth to which judgments are asked for: nobody judges a ranking to its end.
const judgedDepth = 10

// Judged is the Judged@k to be shown beside the measure: with its own k, but 10 for a deeper
// one or one of the whole ranking.
func (m Measure) Judged() Measure {
	if m.k == 0 || m.k > judgedDepth && m.kind != judgedRate {
		return JudgedAt(judgedDepth)
	}
	return JudgedAt(m.k)
}

// Depth is k, or 0 where the whole ranking counts.
func (m Measure) Depth() int { return m.k }

// String is the measure's text, which [ParseMeasure] reads: arguments that have their
// defaults are left out. RBP always says its own, since ir_measures takes it without rel
// for one that is graded.
func (m Measure) String() string {
	if m.kind == ownScore {
		return m.own.String()
	}
	text := ""
	for _, row := range measureTable() {
		if row.kind == m.kind {
			text = row.name
		}
	}
	switch {
	case m.kind == rankBiasedPrecision:
		text += fmt.Sprintf("(p=%s,rel=%d)", strconv.FormatFloat(m.persistence, 'g', -1, 64), m.rel)
	case m.exponential:
		text += "(dcg='exp-log2')"
	case m.rel > defaultRel:
		text += fmt.Sprintf("(rel=%d)", m.rel)
	}
	if m.k > 0 {
		text += fmt.Sprintf("@%d", m.k)
	}
	return text
}
