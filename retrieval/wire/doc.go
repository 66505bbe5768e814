// Package wire is the JSON that the program writes: results, sections, contexts, lines
// of a batch, comparisons and why reports. Fields are never renamed or removed; see the
// goldens of package retrieval.
package wire
