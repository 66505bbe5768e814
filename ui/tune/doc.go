// Package tune is the pane of parameters: a row for each, what is known of the one under
// the cursor, the values at which the ranking changes, and the presets and profiles that
// parameters start from.
package tune
