package compare

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Needs are what the view asks of the explorer around it, beside what every view may.
type Needs struct {
	// Page is the page that is selected in the view that is shown, empty for none.
	Page func() view.Page
	// Ask asks a query in place of the present one.
	Ask func(query string) tea.Cmd
	// Why asks a query in place of the present one, and why a page is or is not among its
	// results; without an address, that is picked.
	Why func(query, page string) tea.Cmd
	// Keep writes what is kept between runs while the program goes on.
	Keep func() tea.Cmd
	// MakeSet makes a query set of the watch list, and opens it.
	MakeSet func() tea.Cmd
	// Folder is where the comparisons of all corpora are kept, empty for nowhere; Place
	// tells the present corpus from others, and is empty for one that nothing is kept of.
	Folder string
	Place  func() string
	// Profiles lists the presets and profiles, which waits; nil are the presets. Suit
	// gives one as it suits the present corpus.
	Profiles func() ([]session.Profile, error)
	Suit     func(session.Profile) session.Profile
	// IsOpen reports whether a dialog is open, Close closes it with those over it.
	IsOpen func(view.Dialog) bool
	Close  func(view.Dialog)
}

// View compares rankings: that of the present query with its baseline, those of the
// watched queries, and snapshots. It has no pane.
type View struct {
	view.Shell
	needs Needs
	// keeper keeps the comparisons of the corpus; recalling reads them.
	keeper    keeper
	recalling view.Work
	// starts are the presets and profiles that can be put side by side; reading reads them.
	starts  []session.Profile
	reading view.Work
	// requiring is the choice of a page that waits for those of the corpus, nil for none.
	requiring *requiring
	// pushed are the dialogs that may still be open.
	pushed []view.Dialog
}

// Push opens a dialog, and remembers it for when the corpus is left.
func (v *View) Push(d view.Dialog) tea.Cmd {
	v.pushed = append(slices.DeleteFunc(v.pushed, func(o view.Dialog) bool { return !v.needs.IsOpen(o) }), d)
	return v.Shell.Push(d)
}

// New is the view of a session.
func New(s view.Shell, n Needs) *View { return &View{Shell: s, needs: n} }

// Actions are what can be done in every pane.
func (v *View) Actions() []view.Action {
	return []view.Action{
		{
			ID: "watch.toggle", Title: "Watch: This query", Short: "watch", Help: "Put the query on the watch list, with the page that is selected in this view as the one that it must return; with another one selected, that from then on; again to take it off.",
			Words: "judge judgment star mark relevant test assert expect must return missing",
			Keys:  []string{"*"}, Contexts: view.AnyPane, Footer: 44, Enabled: v.canWatch,
			Run: v.toggleWatch,
		},
		{
			ID: "watch.list", Title: "Watch: Show the list", Words: "judge judgments tests", Help: "Show the watched queries, what became of each, and ask, change or delete them.",
			Keys: []string{"#"}, Contexts: view.AnyPane, Footer: 72, Verb: v.listVerb, Run: v.showWatchList,
		},
		{
			ID: "snapshot.take", Title: "Snapshot: Take", Words: "save keep remember", Help: "Keep this ranking with its parameters under a name.",
			Keys: []string{"S"}, Contexts: view.AnyPane, Enabled: v.hasResult, Run: v.takeSnapshot,
		},
		{
			ID: "snapshot.compare", Title: "Compare: Two rankings side by side", Short: "compare two",
			Help:  "Show this ranking beside another one: a snapshot, what it is compared with, or that of a preset or profile.",
			Words: "snapshot diff difference a b ab versus preset", Keys: []string{"D"}, Contexts: view.AnyPane, Enabled: v.hasResult,
			Run: func() tea.Cmd { return v.comparePair(false) },
		},
		{
			ID: "watch.compare", Title: "Compare: The watch list by two sets of parameters", Help: "Show what ranks the pages of all watched queries have by these parameters and by others, how many pass, and MRR.",
			Words: "a b ab diff difference test experiment mrr passes judge evaluate presets", Contexts: view.AnyPane, Enabled: v.canCompareWatched,
			Run: func() tea.Cmd { return v.comparePair(true) },
		},
		{
			ID: "snapshot.restore", Title: "Snapshot: Restore its parameters…", Help: "Set the parameters that a snapshot was taken with.",
			Contexts: view.AnyPane, Enabled: v.hasSnapshot,
			Run: func() tea.Cmd {
				return v.chooseSnapshot("Restore whose parameters", v.restoreSnapshot)
			},
		},
		{
			ID: "snapshot.delete", Title: "Snapshot: Delete…", Help: "Forget a snapshot.",
			Contexts: view.AnyPane, Enabled: v.hasSnapshot,
			Run: func() tea.Cmd { return v.chooseSnapshot("Delete which snapshot", v.deleteSnapshot) },
		},
	}
}

// Summary says how the shown result differs from the baseline, and what that is: in the
// free cells if they do, else in at most room cells. That nothing was changed is no reason
// to cut what stands before it, unless there is [spacious] room. bare says that there was no
// room for what it differs from.
func (v *View) Summary(free, room int) (text string, bare bool) {
	s, now := v.Styles(), v.Session()
	if err := now.Unasked(); err != nil {
		what, why, again := "not of these parameters", wording.FirstLine(err), v.Keyed("{corpus.reopen} tries again")
		if now.IsCurrent() {
			what = "texts are missing"
		}
		return widget.FirstFitting(room, s.Warning.Render(what+": "+why+"; "+again), s.Warning.Render(what+"; "+again), s.Warning.Render(again)), false
	}
	against, brief := s.Faint.Render("against "+v.against(24)+"   "), s.Faint.Render("against "+v.against(12)+"  ")
	fitting := func(forms ...string) (string, bool) {
		text := cmp.Or(widget.FirstFitting(free, forms[:len(forms)-1]...), widget.FirstFitting(room, forms...))
		return text, text == forms[len(forms)-1]
	}
	said := func(long, short string) (string, bool) {
		long, short = s.Faint.Render(long), s.Faint.Render(short)
		return fitting(against+long, against+short, brief+short, short)
	}
	switch {
	case now.Pending() != "":
		return said("asks the corpus: "+wording.Line(now.Pending()), "asks the corpus"+s.Signs.Ellipsis)
	case now.Result() == nil:
		return "", false
	case now.Baseline().Params == now.Params():
		if room < spacious {
			room = free
		}
		forms := []string{"against " + v.against(24) + "   no change", "against " + v.against(24), "against " + v.against(12)}
		if now.DiffersByMode() {
			forms = []string{"nothing to compare: only the mode differs", "nothing to compare"}
		}
		return s.Faint.Render(widget.FirstFitting(room, forms...)), false
	case now.Unlike() != session.Alike:
		return said(saidUnlike(now.Unlike()), "not compared")
	}
	c := now.Difference()
	if c == nil {
		return "", false
	}
	if c.IsIdentical() {
		return said("the same ranking", "the same")
	}
	counted, short := wording.DiffCounts(s, c)
	_, rbo := wording.Measures(c)
	measure, overlap := wording.Overlap(c)
	overlap = "   " + strings.TrimRight(s.Faint.Render(measure)+" "+overlap, " ")
	if rbo != "" {
		rbo = "   " + s.Faint.Render("RBO ") + rbo
	}
	scale := ""
	if !c.SameScale() {
		scale = s.Faint.Render(saidScales + " · ")
	}
	return fitting(
		against+scale+counted+overlap+rbo, against+scale+counted+rbo, against+scale+counted, brief+scale+short,
		against+counted, brief+counted, against+short, brief+short, short)
}

// spacious is the room from which on the comparison is named though nothing has changed.
const spacious = 60

// against names the baseline in at most wide cells.
func (v *View) against(wide int) string {
	return ansi.Truncate(wording.Line(v.Session().Baseline().Name), wide, v.Styles().Signs.Ellipsis)
}

// saidScales is said of two rankings whose scores mean other things.
const saidScales = "scores not comparable"

// saidUnlike is said in place of a comparison of two results.
func saidUnlike(why session.Unlike) string {
	if why == session.UnlikeOrder {
		return "one sends the whole corpus, unranked: not compared"
	}
	return "sections and passages are not compared"
}
