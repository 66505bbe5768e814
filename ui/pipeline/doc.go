// Package pipeline is the view of the stages of a retrieval: how many candidates leave
// each, whom it dropped and why, and what would come without it.
package pipeline
