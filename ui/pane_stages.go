package ui

import (
	tea "charm.land/bubbletea/v2"
)

func pipelineActions() []action { return nil }

// enterPipeline is called when the view is opened.
func (m *Model) enterPipeline() tea.Cmd { return nil }

// stagesPanel is the line of stages.
type stagesPanel struct{}

func (stagesPanel) setSize(*Model, int, int) {}

func (stagesPanel) title(*Model) (name, note string) { return "Pipeline", "" }

func (stagesPanel) view(_ *Model, w, h int, _ bool) []string { return clip(nil, w, h) }

func (stagesPanel) move(*Model, int) {}

func (stagesPanel) movePage(*Model, int, int) {}

func (stagesPanel) moveEnd(*Model, int) {}

func (stagesPanel) scrollBy(*Model, int) {}

func (stagesPanel) click(*Model, int, int) tea.Cmd { return nil }
