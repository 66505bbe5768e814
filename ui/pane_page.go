package ui

import (
	tea "charm.land/bubbletea/v2"
)

// pagePanel is one page of the corpus.
type pagePanel struct{}

func (pagePanel) setSize(*Model, int, int) {}

func (pagePanel) title(*Model) (name, note string) { return "Page", "" }

func (pagePanel) view(_ *Model, w, h int, _ bool) []string { return clip(nil, w, h) }

func (pagePanel) move(*Model, int) {}

func (pagePanel) movePage(*Model, int, int) {}

func (pagePanel) moveEnd(*Model, int) {}

func (pagePanel) scrollBy(*Model, int) {}

func (pagePanel) click(*Model, int, int) tea.Cmd { return nil }
