// Package sweep looks for better settings of a retriever by what was judged, and says
// whether it found any.
//
// A [Plan] says which parameters are tried at which values, by which measure and under which
// constraints. [Run] asks every query once and ranks it by all settings, as [experiment]
// does, and goes on where an earlier run was interrupted if it has a [Journal]. A
// [Finding] is what came of it: the setting that is best on each half of the queries and what
// it is worth on the other half, which is the number that counts, and curves, maps and
// the frontier of quality against length.
//
// Every value of an axis is ranked, also where it changes nothing: to find the breakpoints of a
// parameter takes as many rankings of each query as its grid has values, and over fifty
// queries most steps are one of some query. Values that turn out alike are told as one,
// see [Point].
//
//	axis, err := sweep.ParseAxis("top_k=3..20", base)
//	found, err := sweep.Run(ctx, &sweep.Plan{Base: base, Axes: evaluation.Grid{axis}}, x, deps, sweep.Options{})
//	fmt.Println(found.Verdict, found.Settings[found.Winner].Values)
package sweep
