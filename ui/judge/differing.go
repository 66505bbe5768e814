package judge

// OnlyDiffering leaves out what all rankings return, so that what is left decides between them.
func OnlyDiffering(v *View) {
	v.changed = true
	v.pool.of = nil
}
