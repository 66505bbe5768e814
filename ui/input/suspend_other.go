//go:build !unix

package input

import tea "charm.land/bubbletea/v2"

// Suspend does nothing where the system's shells have no jobs.
func Suspend() tea.Cmd { return nil }
