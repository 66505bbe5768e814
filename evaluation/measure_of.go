package evaluation

// Of is the measure of a ranking, by the formulas of [Measure]. It allocates nothing, but for a
// measure of one's own, and may be called from several goroutines.
func (m Measure) Of(j Judged) float64 {
	cut := j.Grades
	if m.k > 0 && m.k < len(cut) {
		cut = cut[:m.k]
	}
	switch m.kind {
	case ndcg:
		return m.ndcg(cut, j.Pool)
	case precision:
		return float64(m.relevant(cut)) / float64(m.k)
	case recall:
		return over(float64(m.relevant(cut)), j.Pool.Relevant(m.rel))
	case averagePrecision:
		return m.averagePrecision(cut, j.Pool)
	case reciprocalRank:
		if at := m.first(cut); at > 0 {
			return 1 / float64(at)
		}
		return 0
	case success:
		return float64(min(1, m.first(cut)))
	case expectedReciprocalRank:
		return expectedReciprocal(cut)
	case rankBiasedPrecision:
		return m.rankBiased(cut)
	case judgedRate:
		return judgedShare(cut)
	case ownScore:
		return m.own.of(cut, j.Pool)
	case none:
	}
	return 0
}

func (m *Measure) ndcg(cut []int, pool *Pool) float64 {
	best := pool.ideal(m.exponential, m.k)
	if best == 0 {
		return 0
	}
	sum := 0.0
	for i, grade := range cut {
		if grade > 0 {
			sum += gain(grade, m.exponential) / discount(i)
		}
	}
	return sum / best
}

// relevant counts the results that are.
func (m *Measure) relevant(cut []int) int {
	n := 0
	for _, grade := range cut {
		if grade >= m.rel {
			n++
		}
	}
	return n
}

// first is the rank of the first relevant result, 0 for none.
func (m *Measure) first(cut []int) int {
	for i, grade := range cut {
		if grade >= m.rel {
			return i + 1
		}
	}
	return 0
}

func (m *Measure) averagePrecision(cut []int, pool *Pool) float64 {
	sum, found := 0.0, 0
	for i, grade := range cut {
		if grade >= m.rel {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return over(sum, pool.Relevant(m.rel))
}

// errGrade is the best grade that expected reciprocal rank knows.
const errGrade = 4

// expectedReciprocal is the mean of 1/rank at which a reader stops who is content with
// each result by chance, the sooner the better its grade.
func expectedReciprocal(cut []int) float64 {
	sum, reads := 0.0, 1.0
	for i, grade := range cut {
		if grade <= 0 {
			continue
		}
		stops := gain(min(grade, errGrade), true) / (1 << errGrade)
		sum += float64(reads * stops / float64(i+1))
		reads *= 1 - stops
	}
	return sum
}

func (m *Measure) rankBiased(cut []int) float64 {
	sum, weight := 0.0, 1.0
	for _, grade := range cut {
		if grade >= m.rel {
			sum += weight
		}
		weight *= m.persistence
	}
	return (1 - m.persistence) * sum
}

func judgedShare(cut []int) float64 {
	n := 0
	for _, grade := range cut {
		if grade >= 0 {
			n++
		}
	}
	return over(float64(n), len(cut))
}

// over is sum/n, and 0 over nothing.
func over(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
