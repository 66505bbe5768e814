package corpus

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
)

// Actions implements [view.View].
func (v *View) Actions() []view.Action {
	both := view.Contexts{Pages, Page}
	listed := func() (bool, string) { return v.tree.selected() != nil, "no page is selected" }
	return []view.Action{
		{
			ID: "pages.table", Title: "Pages: As links or as a table", Short: "table", Help: "List the pages as the tree of the links by which they are reached, or as a table.",
			Keys: []string{"r"}, Contexts: both, Footer: 60,
			Run: v.toggleTable, Verb: v.otherOrder,
		},
		{
			ID: "pages.sort", Title: "Pages: Sort by", Short: "sort", Help: "Sort the table of pages by title, depth, tokens, date or address.",
			Keys: []string{"O"}, Contexts: both, Footer: 45, Enabled: v.isTable,
			Run: func() tea.Cmd { return v.sortPages(false) },
		},
		{
			ID: "pages.reverse", Title: "Pages: Turn the order round", Short: "turn", Help: "Turn the order of the table of pages round.",
			Keys: []string{"I"}, Contexts: both, Enabled: v.isTable,
			Run: func() tea.Cmd { return v.sortPages(true) },
		},
		{
			ID: "pages.fold", Title: "Pages: Fold", Short: "fold", Help: "Fold or unfold the pages that hang from a page.",
			Keys: []string{"space"}, Contexts: view.Contexts{Pages}, Footer: 30, Enabled: func() (bool, string) {
				return !v.tree.table, "pages fold in the tree (r)"
			},
			Run: func() tea.Cmd { v.tree.fold(); return nil },
		},
		{
			ID: "pages.unfold", Title: "Pages: Unfold, or open", Help: "Unfold the pages that hang from a page; where they are, open the page.",
			Keys: []string{"right", "l"}, Contexts: view.Contexts{Pages}, Enabled: listed,
			Run: v.unfoldOrOpen,
		},
		{
			ID: "pages.up", Title: "Pages: Fold, or up", Help: "Fold the pages that hang from a page; where they are, go to the page it hangs from.",
			Keys: []string{"left", "h"}, Contexts: view.Contexts{Pages}, Enabled: listed,
			Run: func() tea.Cmd { v.tree.foldOrUp(); return nil },
		},
		{
			ID: "pages.open", Title: "Pages: Open", Short: "open", Help: "Go to the sections of the page; after an error, try again.",
			Keys: []string{"enter"}, Contexts: view.Contexts{Pages}, Footer: 80, Enabled: func() (bool, string) {
				if v.failure() != nil {
					return true, ""
				}
				return listed()
			},
			Run: func() tea.Cmd {
				if v.failure() != nil {
					return v.retryPages()
				}
				return v.Focus(Page)
			},
		},
		{
			ID: "page.read", Title: "Page: Read the section", Short: "read", Help: "Read the selected section in the explorer, or the whole page here; after an error, try again.",
			Keys: []string{"enter", "right", "l"}, Contexts: view.Contexts{Page}, Footer: 80,
			Run: pagePane{v}.open,
		},
		{
			ID: "page.back", Title: "Page: Back to the pages", Help: "Back to the list of pages.",
			Keys: []string{"left", "h"}, Contexts: view.Contexts{Page},
			Run: func() tea.Cmd { return v.Focus(Pages) },
		},
		{
			ID: "page.whole", Title: "Page: Whole or in parts", Short: "whole page", Help: "Read the whole page, or see its sections.",
			Keys: []string{"m"}, Contexts: both, Footer: 70, Enabled: listed,
			Run: v.toggleWhole,
		},
		{
			ID: "page.browse", Title: "Page: Open its address", Short: "browse", Help: "Open the selected page's address in the browser.", Outside: true,
			Keys: []string{"o"}, Contexts: both, Footer: 20, Enabled: v.canBrowse,
			Run: func() tea.Cmd { cmd, _ := v.Browse(v.tree.selected().URL); return cmd },
		},
		{
			ID: "pages.traversal", Title: "Pages: Traversal", Short: "traversal", Help: "Show which pages the query reached, and by which links.",
			Keys: []string{"T"}, Contexts: both, Footer: 50,
			Run: v.showTraversal,
		},
		{
			ID: "pages.copy", Title: "Pages: Copy", Words: "export clipboard", Short: "copy", Help: "Copy the address or the title of the selected page, or the id of the selected section.", Outside: true,
			Keys: []string{"y"}, Contexts: both, Footer: 25, Enabled: listed, Run: v.openCopyMenu,
		},
	}
}

// otherOrder is how the pages are listed after the key that changes that.
func (v *View) otherOrder() string {
	switch t := &v.tree; {
	case t.table && t.pages.byLinks > 0:
		return "links"
	case t.table:
		return "tree"
	}
	return ""
}

func (v *View) isTable() (bool, string) {
	return v.tree.table, "the tree has the order of the links; {pages.table} shows the table"
}

func (v *View) canBrowse() (bool, string) {
	p := v.tree.selected()
	if p == nil {
		return false, "no page is selected"
	}
	_, why := v.Browse(p.URL)
	return why == "", why
}

func (v *View) toggleTable() tea.Cmd {
	t := &v.tree
	t.table = !t.table
	t.build()
	return nil
}

// sortPages sorts by the next column, or turns the order round.
func (v *View) sortPages(turn bool) tea.Cmd {
	t := &v.tree
	if turn {
		t.reversed = !t.reversed
	} else {
		t.order, t.reversed = (t.order+1)%orderCount, false
	}
	t.build()
	return nil
}

func (v *View) unfoldOrOpen() tea.Cmd {
	t := &v.tree
	if t.pages.Folded(t.rows[t.At].Node) && !t.table {
		t.fold()
		return nil
	}
	return v.Focus(Page)
}

// toggleWhole changes between the whole page and its parts.
func (v *View) toggleWhole() tea.Cmd {
	p := &v.page
	p.asWhole = !p.asWhole
	if p.asWhole {
		p.whole.goTo(place{section: max(0, p.cursor)})
	} else {
		pagePane{v}.goToSection(p.whole.at.section)
	}
	return v.Focus(Page)
}
