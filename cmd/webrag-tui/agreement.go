package main

import (
	"fmt"

	"github.com/webrag/webrag-tui/indexing"
)

// probably says what may have happened where an embedder almost agrees with the
// vectors of a corpus, nothing where it is another one.
func probably(agreement float64) string {
	if agreement < indexing.LikelyAgreement || agreement >= indexing.LeastAgreement {
		return ""
	}
	return "probably the same model with other text around it (title, heading, prefix)"
}

// unlike says that an embedder did not make the vectors of a foreign corpus as they
// are.
func unlike(id, corpus string, agreement float64, dims int) string {
	const cosine = "a stored passage and its vector have a cosine of %.3f, which should be 1"
	if why := probably(agreement); why != "" {
		return fmt.Sprintf("%s agrees only nearly with the vectors of %s: "+cosine+"; %s, and similarities are somewhat too low", id, corpus, agreement, why)
	}
	return fmt.Sprintf("%s did not make the vectors of %s: "+cosine+"; similarities mean nothing until the right model is configured%s", id, corpus, agreement, usual(dims))
}
