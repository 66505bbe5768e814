// Package compare is the view of what compares rankings: that of the query with its
// baseline in a line, the watch list, and two rankings side by side, of which snapshots
// are kept. It has no pane: it is dialogs and lines of the screen.
package compare
