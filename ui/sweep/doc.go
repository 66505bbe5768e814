// Package sweep is the view in which better parameters are looked for: the parameters that are
// to be moved and over which values, how long that takes, and what came of it, as a curve, a
// map, or lists of the best settings.
package sweep
