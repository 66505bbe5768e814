package ui

import (
	tea "charm.land/bubbletea/v2"
)

func corpusActions() []action { return nil }

// enterCorpus is called when the view is opened.
func (m *Model) enterCorpus() tea.Cmd { return nil }

// treePanel is the list of the corpus's pages.
type treePanel struct{}

func (treePanel) setSize(*Model, int, int) {}

func (treePanel) title(*Model) (name, note string) { return "Pages", "" }

func (treePanel) view(_ *Model, w, h int, _ bool) []string { return clip(nil, w, h) }

func (treePanel) move(*Model, int) {}

func (treePanel) movePage(*Model, int, int) {}

func (treePanel) moveEnd(*Model, int) {}

func (treePanel) scrollBy(*Model, int) {}

func (treePanel) click(*Model, int, int) tea.Cmd { return nil }
