// Package judge is the view of what is judged and measured by query sets: results are
// graded in place, or one after the other and without their ranks in a view of its own, and
// a line says what the parameters are worth by all that was judged.
package judge
