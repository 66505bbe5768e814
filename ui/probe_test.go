package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/reader"
	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/score"
	"github.com/webrag/webrag-tui/ui/tour"
	"github.com/webrag/webrag-tui/ui/tune"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/welcome"
	"github.com/webrag/webrag-tui/ui/whynot"
)

// What tests ask of the explorer, beside what it draws. A test of the house sees to it that
// they reach into it nowhere else.

func (d *driver) session() *session.Session { return d.m.session }

// The views say themselves what is selected in them.
func (d *driver) list() *results.View    { return d.m.results }
func (d *driver) reader() *reader.View   { return d.m.reader }
func (d *driver) score() *score.View     { return d.m.score }
func (d *driver) tune() *tune.View       { return d.m.tune }
func (d *driver) why() *whynot.View      { return d.m.why }
func (d *driver) welcome() *welcome.View { return d.m.welcome }
func (d *driver) tour() *tour.Player     { return d.m.tour }

func (d *driver) panel(p view.Context) view.Pane      { return d.m.panel(p) }
func (d *driver) panesOf(v viewID) []view.Context     { return d.m.panesOf(v) }
func (d *driver) views() []viewRow                    { return d.m.views }
func (d *driver) view() viewID                        { return d.m.view }
func (d *driver) focus() view.Context                 { return d.m.focus }
func (d *driver) context() view.Context               { return d.m.context() }
func (d *driver) zoomed() bool                        { return d.m.zoomed }
func (d *driver) finding() bool                       { return d.m.find.on }
func (d *driver) typing() bool                        { return d.m.typing() }
func (d *driver) atBeginning() bool                   { return d.m.atBeginning() }
func (d *driver) editing() bool                       { return d.m.editing }
func (d *driver) showsTune() bool                     { return d.m.showTune }
func (d *driver) cites() bool                         { return d.m.opened.cites() }
func (d *driver) notices() []retrieval.Notice         { return notices{d.m}.all() }
func (d *driver) opened() bool                        { return d.m.opened != nil }
func (d *driver) sections() int                       { return len(shownIDs(d)) }
func (d *driver) query() string                       { return d.m.input.Value() }
func (d *driver) status() string                      { return d.m.status.text }
func (d *driver) crash() string                       { return d.m.crash }
func (d *driver) state() screenState                  { return d.m.state() }
func (d *driver) suffixes() session.TitleSuffixes     { return d.m.session.TitleSuffixes() }
func (d *driver) profiles() *session.Profiles         { return &d.m.profiles }
func (d *driver) options() *Options                   { return &d.m.opts }
func (d *driver) commandLine() string                 { return d.m.commandLine() }
func (d *driver) spins() bool                         { return d.m.spin > 0 }
func (d *driver) top() view.Dialog                    { return d.m.top() }
func (d *driver) finder() view.Finder                 { return finding{d.m}.finder() }
func (d *driver) actions() []view.Action              { return d.m.Actions }
func (d *driver) hints() []hint                       { return footer{d.m}.hints() }
func (d *driver) bound(c view.Context, k string) bool { return d.m.At(c, k) != nil }

// dialogs is how many dialogs are open.
func (d *driver) dialogs() int { return len(d.m.open) }

// How it looks, and where things are drawn.
func (d *driver) frame() tea.View                 { return d.m.View() }
func (d *driver) place() *layout                  { return &d.m.place }
func (d *driver) width() int                      { return d.m.width }
func (d *driver) height() int                     { return d.m.height }
func (d *driver) split() int                      { return d.m.split }
func (d *driver) styles() *theme.Styles           { return d.m.styles }
func (d *driver) theme() string                   { return d.m.themeName }
func (d *driver) themes() []string                { return d.m.themeNames() }
func (d *driver) dark() bool                      { return d.m.dark }
func (d *driver) cursor() ([]string, *tea.Cursor) { return frame{d.m}.screen() }

// box is where the top dialog is drawn.
func (d *driver) box() image.Rectangle {
	_, at := frame{d.m}.dialogBox(d.m.top())
	return at
}

// What tests do without a key.
func (d *driver) update(msg tea.Msg) (tea.Model, tea.Cmd)  { return d.m.Update(msg) }
func (d *driver) set(p param.Params, field string) tea.Cmd { return d.m.setParams(p, field) }
func (d *driver) retuned(work []session.Work) tea.Cmd      { return d.m.retuned(work) }
func (d *driver) start(work []session.Work) tea.Cmd        { return d.m.start(work) }
func (d *driver) undoChange() tea.Cmd                      { return d.m.undoChange() }
func (d *driver) redoChange() tea.Cmd                      { return d.m.redoChange() }
func (d *driver) pin() tea.Cmd                             { return d.m.pin() }
func (d *driver) run(a *view.Action) tea.Cmd               { return d.m.run(a) }
func (d *driver) actionTable() []view.Action               { return d.m.actionTable() }
func (d *driver) showView(v viewID) tea.Cmd                { return d.m.showView(v) }
func (d *driver) openSpan(s citations.PageSpan) tea.Cmd    { return navigation{d.m}.openSpan(s) }
func (d *driver) reopen() tea.Cmd                          { return d.m.reopen() }
func (d *driver) setQuery(query string)                    { d.m.input.SetValue(query) }
func (d *driver) submitQuery() tea.Cmd                     { return d.m.submitQuery() }
func (d *driver) sendQuery(now bool) tea.Cmd               { return d.m.sendQuery(now) }
func (d *driver) interrupt() tea.Cmd                       { return d.m.interrupt() }
func (d *driver) editOrDetails() tea.Cmd                   { return d.m.editOrDetails() }
func (d *driver) showCorpus(work []session.Work) tea.Cmd   { return d.m.showCorpus(work) }
func (d *driver) restore(s screenState)                    { d.m.restore(s) }
func (d *driver) leave() error                             { return d.m.leave(nil, false) }
func (d *driver) follow() tea.Cmd                          { return d.m.follow() }
func (d *driver) hush()                                    { d.m.unsay() }
func (d *driver) toggleDark()                              { d.m.toggleDark() }
func (d *driver) turn()                                    { d.m.turn() }
func (d *driver) wear(theme string, dark bool)             { d.m.themeName, d.m.dark = theme, dark }
func (d *driver) pop()                                     { d.m.pop() }
func (d *driver) spin() tea.Cmd {
	return d.m.spinning.Rest(d.m.opts.After, view.SpinnerDelay, d.m.turn)
}
