package ui

import (
	tea "charm.land/bubbletea/v2"
)

// fallenPanel is what happened in one stage.
type fallenPanel struct{}

func (fallenPanel) setSize(*Model, int, int) {}

func (fallenPanel) title(*Model) (name, note string) { return "Dropped", "" }

func (fallenPanel) view(_ *Model, w, h int, _ bool) []string { return clip(nil, w, h) }

func (fallenPanel) move(*Model, int) {}

func (fallenPanel) movePage(*Model, int, int) {}

func (fallenPanel) moveEnd(*Model, int) {}

func (fallenPanel) scrollBy(*Model, int) {}

func (fallenPanel) click(*Model, int, int) tea.Cmd { return nil }
