package judge

// OnlyDiffering leaves out what all rankings return, so that what is left decides between them.
func (v *View) OnlyDiffering() {
	v.changed = true
	v.pool.of = nil
}
