// Package score is the pane that takes the score of one section apart: how it was made,
// where its arms and edges stand, what each word brings to a cosine, and what would change
// its rank.
package score
