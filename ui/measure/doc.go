// Package measure is the view of what settings are worth by the open query set: a row for
// every judged query and a column for every setting, with the means, whether a difference is
// more than chance, and the way from any query to what moved and why.
package measure
