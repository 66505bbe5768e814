// Package wording has the words and numbers that views share: scores, counts and times,
// the names of sections and pages, and phrases as the screen writes them.
package wording
