package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

func newDoctor(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Examine a corpus and what it depends on, with a fix for what is wrong",
		Long: "doctor looks at a corpus, at the embedder that is configured for it, and, for a database,\n" +
			"at the server: versions, rights, vectors, indexes, dead rows, settings and memory. It only\n" +
			"reads. It exits with 1 when something is broken; what is only worth knowing does not count.",
		Example: "webrag-tui doctor\n" +
			"webrag-tui doctor --corpus postgres://app@db.example.com/rag --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

func (a *app) doctor(ctx context.Context) error {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	at := corpusPlace(c)
	a.narrate(sendNotices(c))
	checks, err := examine(ctx, c)
	if err != nil {
		if a.json && ctx.Err() == nil {
			gone := []store.Check{{Name: "corpus", State: store.CheckBroken, Found: err.Error()}}
			err = errors.Join(err, a.printJSON(encodeChecks(at.String(), gone)))
		}
		return err
	}
	if a.json {
		err = a.printJSON(encodeChecks(at.String(), checks))
	} else {
		p := printer{w: a.output()}
		p.checks(at.String(), checks)
	}
	return orNothing(err, slices.ContainsFunc(checks, func(c store.Check) bool { return c.State == store.CheckBroken }))
}

// examine looks at the corpus and at what is configured for it. A corpus that
// cannot be opened is a finding, unless it may be there the next time.
func examine(ctx context.Context, c *config.Config) ([]store.Check, error) {
	st, err := openCorpus(ctx, c)
	switch {
	case errors.Is(err, store.ErrUnavailable), ctx.Err() != nil:
		return nil, err
	case err != nil:
		found := err
		if damaged := (*sqlite.DamagedError)(nil); errors.As(err, &damaged) {
			found = damaged.Found // who reads this need not be sent to doctor
		}
		checks := []store.Check{{Name: "corpus", State: store.CheckBroken, Found: found.Error()}}
		if at := corpusPlace(c); !at.isDatabase && errors.Is(err, sqlite.ErrDamaged) {
			checks = append(checks, sqlite.CheckFile(ctx, at.path)...)
		}
		return checks, ctx.Err()
	}
	defer st.Close()
	// Each looks for itself, whatever the others came upon.
	var checks []store.Check
	for _, l := range []struct {
		name string
		look func() ([]store.Check, error)
	}{
		{"corpus", func() ([]store.Check, error) { return examineContents(ctx, st, corpusPlace(c)) }},
		{"embedder", func() ([]store.Check, error) { return examineEmbedder(ctx, c, st) }},
		{"pages", func() ([]store.Check, error) { return examinePages(ctx, st, corpusPlace(c)) }},
		{"store", func() ([]store.Check, error) { return examineStore(ctx, st) }},
	} {
		found, err := l.look()
		if ctx.Err() != nil || errors.Is(err, store.ErrUnavailable) {
			return nil, err
		}
		checks = append(checks, found...)
		if err != nil {
			checks = append(checks, store.Check{Name: l.name, State: store.CheckBroken, Found: err.Error()})
		}
	}
	if unused := unusedDimensions(c); unused != "" {
		checks = append(checks, store.Check{Name: "dimensions", State: store.CheckWarning, Found: unused, Fix: "leave out EMBEDDING_DIMENSIONS, or configure a model"})
	}
	return checks, nil
}

// examineStore has the store look at what it is kept in.
func examineStore(ctx context.Context, st store.Store) ([]store.Check, error) {
	if examined, ok := st.(store.Checker); ok {
		return examined.Check(ctx)
	}
	return nil, nil
}

// examineContents looks at what every corpus has: pages, owners, what is hidden.
func examineContents(ctx context.Context, st store.Store, at place) (checks []store.Check, err error) {
	v, err := st.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	stats, err := v.Stats(ctx, store.Scope{})
	if err != nil {
		return nil, err
	}
	info := st.Info()
	found := fmt.Sprintf("%s, %s, %s", plural(stats.Documents, "page"), plural(stats.Parents, "section"), plural(stats.Children, "passage"))
	corpus := store.Check{Name: "corpus", State: store.CheckFine, Found: found}
	if stats.Documents == 0 {
		corpus.State = store.CheckWarning
		switch {
		case info.Owner != "" && info.HasOwners:
			corpus.Found, corpus.Fix = fmt.Sprintf("no page belongs to owner %q", info.Owner), "leave out --owner to see everybody's"
		case info.Foreign:
			corpus.Found, corpus.Fix = "it is empty", "let the program that made it index pages"
		default:
			corpus.Found, corpus.Fix = "it is empty", "webrag-tui index PATH --corpus "+at.argument()
		}
	}
	checks = append(checks, corpus)
	if info.HasOwners && info.Owner == "" {
		checks = append(checks, store.Check{
			Name: "owner", State: store.CheckWarning, Found: "pages have owners, and none is chosen: everybody's are searched",
			Fix: "--owner NAME, or WEBRAG_OWNER, chooses one",
		})
	}
	hidden, err := v.Hidden(ctx)
	if err != nil {
		return nil, err
	}
	if hidden.Unfinished > 0 || hidden.Stale > 0 {
		checks = append(checks, store.Check{
			Name: "unfinished", State: store.CheckWarning,
			Found: fmt.Sprintf("%s never indexed to the end, %d chunks of another indexing: nothing shows them", plural(hidden.Unfinished, "page"), hidden.Stale),
			Fix:   "index these pages again",
		})
	}
	return checks, nil
}

// examineEmbedder looks whether the configured embedder made the vectors, and how
// the scale of its cosines is known.
func examineEmbedder(ctx context.Context, c *config.Config, st store.Store) ([]store.Check, error) {
	info := st.Info()
	check := store.Check{Name: "embedder", State: store.CheckFine}
	if info.Meta.EmbedderID == "" && !info.Foreign {
		check.Found = "nothing was embedded yet"
		return []store.Check{check}, nil
	}
	emb, err := newEmbedder(c)
	if err == nil {
		adopt(emb, info.Meta)
		err = mustAnswer(ctx, emb)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		check.State, check.Found = store.CheckBroken, err.Error()
		// A server that does not answer may still be the one.
		if emb != nil && !info.Foreign && emb.Info().ID == info.Meta.EmbedderID {
			return []store.Check{check, examineTokens(info.Meta, emb.Info())}, nil
		}
		return []store.Check{check}, nil
	}
	if info.Foreign {
		check, err = examineForeign(ctx, emb, st)
		return []store.Check{check}, err
	}
	have := emb.Info()
	if have.ID != info.Meta.EmbedderID {
		check.State = store.CheckBroken
		check.Found = fmt.Sprintf("the corpus was embedded with %s (%d dimensions), and %s is configured", info.Meta.EmbedderID, info.Meta.Dimensions, have.ID)
		check.Fix = "configure the one that made it, or embed it anew: webrag-tui index --reembed --corpus " + corpusPlace(c).argument()
		return []store.Check{check}, nil
	}
	check.Found = fmt.Sprintf("%s, %d dimensions, as configured", have.ID, info.Meta.Dimensions)
	return []store.Check{check, examineCalibration(info.Meta, corpusPlace(c)), examineTokens(info.Meta, have)}, nil
}

// examineTokens says whether the sizes of chunks and budgets are counted as the
// model counts, or what would make it so.
func examineTokens(m store.Meta, model embedder.Info) store.Check {
	counting := embedder.CountingOf(m.Tokenizer, model)
	check := store.Check{Name: "tokens", State: store.CheckFine, Found: "counted with " + counting.By, Fix: counting.Remedy}
	if !counting.Exact {
		check.State = store.CheckWarning
	}
	return check
}

// examineForeign compares the embedder with the vectors of a corpus that does not
// name its own.
func examineForeign(ctx context.Context, emb embedder.Embedder, st store.Store) (store.Check, error) {
	check := store.Check{Name: "embedder", State: store.CheckBroken}
	info := st.Info()
	if why := incomparable(info, emb.Info()); why != "" {
		check.Found = why
		return check, nil
	}
	v, err := st.Read(ctx)
	if err != nil {
		return check, err
	}
	defer v.Close()
	agreement, texts, err := indexing.Agreement(ctx, v, emb)
	switch {
	case ctx.Err() != nil:
		return check, err
	case err != nil:
		check.Found = err.Error()
	case texts == 0:
		check.State, check.Found = store.CheckUnknown, "no passage has a vector to compare with"
	case probably(agreement) != "":
		check.State = store.CheckWarning
		check.Found = fmt.Sprintf("%s agrees only nearly with the vectors of %d stored passages (cosine %.3f, which should be 1): %s", emb.Info().ID, texts, agreement, probably(agreement))
	case agreement < indexing.LeastAgreement:
		check.Found = fmt.Sprintf("%s did not make the vectors: those of %d stored passages and its own have a cosine of %.3f, which should be 1", emb.Info().ID, texts, agreement)
		check.Fix = "configure the model that made them" + usual(info.Meta.Dimensions)
	default:
		check.State = store.CheckFine
		check.Found = fmt.Sprintf("%s agrees with the vectors of %d stored passages (cosine %.3f)", emb.Info().ID, texts, agreement)
	}
	return check, nil
}

// examineCalibration says where the scale of cosines is from.
func examineCalibration(m store.Meta, at place) store.Check {
	check := store.Check{Name: "calibration", State: store.CheckFine}
	switch cal := m.Calibration; {
	case cal.EmbedderID != m.EmbedderID:
		check.State, check.Found = store.CheckWarning, "the scale of cosines is not that of these vectors, so a calibrated floor means nothing"
		check.Fix = "webrag-tui index --reembed --corpus " + at.argument()
	case cal.Chunks > 0:
		check.Found = fmt.Sprintf("measured on %d passages: unrelated ones have a median cosine of %.3f, the 99.5th percentile is %.3f", cal.Chunks, cal.P50, cal.P995)
		if cal.Own > 0 {
			check.Found += fmt.Sprintf(", and 95 %% of short questions have a cosine above %.3f with their own; .3 on the scale is %.3f", cal.Own, cal.Knee())
		}
	default:
		check.Found = fmt.Sprintf("the embedder's own: median %.3f, 99.5th percentile %.3f", cal.P50, cal.P995)
	}
	return check
}

// checkReport is the JSON of doctor.
type checkReport struct {
	Corpus string      `json:"corpus"`
	Checks []checkJSON `json:"checks"`
}

type checkJSON struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Found string `json:"found"`
	Fix   string `json:"fix,omitempty"`
}

func encodeChecks(corpus string, checks []store.Check) checkReport {
	return checkReport{corpus, eachOf(checks, func(c store.Check) checkJSON { return checkJSON{c.Name, string(c.State), c.Found, c.Fix} })}
}

// checks prints a line for each check, and below it what to do.
func (p *printer) checks(corpus string, checks []store.Check) {
	fmt.Fprintf(p.w, "%s%s%s\n", bold, offset.Line(corpus), plain)
	names, counts := 0, map[store.CheckState]int{}
	for i := range checks {
		names = max(names, len([]rune(checks[i].Name)))
		counts[checks[i].State]++
	}
	signs := map[store.CheckState]string{store.CheckFine: "✓", store.CheckWarning: "!", store.CheckBroken: "✗", store.CheckUnknown: "?"}
	for i := range checks {
		c := &checks[i]
		fmt.Fprintf(p.w, "%s %s  %s\n", signs[c.State], pad(offset.Line(c.Name), names), offset.Line(c.Found))
		if c.Fix != "" {
			fmt.Fprintf(p.w, "  %s  → %s\n", pad("", names), offset.Line(c.Fix))
		}
	}
	fmt.Fprintf(p.w, "%s: %d broken, %s, %d not looked at\n", plural(len(checks), "check"), counts[store.CheckBroken],
		plural(counts[store.CheckWarning], "warning"), counts[store.CheckUnknown])
}

// mostWrong is how many pages a finding names.
const mostWrong = 3

// examinePages reads every page with all its chunks and holds it to what indexing
// made of it.
func examinePages(ctx context.Context, st store.Store, at place) (checks []store.Check, err error) {
	if st.Info().Foreign {
		return nil, nil
	}
	v, err := st.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	const atOnce = 500
	var wrong []string
	all, unknown, unread, last := 0, 0, 0, ""
	damaged := false
	for {
		docs, err := v.Documents(ctx, store.Scope{}, store.Page{Offset: all, Limit: atOnce})
		if err != nil {
			return nil, err
		}
		for i := range docs {
			known, err := examinePage(ctx, v, docs[i])
			if ctx.Err() != nil {
				return nil, err
			}
			switch {
			case errors.Is(err, sqlite.ErrDamaged): // the other checks say where
				unread++
				damaged = true
			case err != nil:
				if err.Error() == last { // of the whole corpus, not of this page
					unread++
					break
				}
				last = err.Error()
				wrong = append(wrong, fmt.Sprintf("%s (%v)", docs[i].SourceURL, err))
			case !known:
				unknown++
			}
		}
		all += len(docs)
		if len(docs) < atOnce {
			break
		}
	}
	check := store.Check{Name: "pages", State: store.CheckFine, Found: fmt.Sprintf("%s, texts and places are those that were indexed", plural(all, "page"))}
	if unknown > 0 {
		check.Found += fmt.Sprintf("; of %d that another version or program made only the sections were looked at", unknown)
	}
	switch {
	case len(wrong) > 0:
		check.Fix = fmt.Sprintf("take them out and index them again: webrag-tui docs delete --forever URL --corpus %[1]s, then webrag-tui index PAGES --corpus %[1]s", at.argument())
		if damaged {
			check.Fix = "see the checks below"
		}
		check.State = store.CheckBroken
		check.Found = fmt.Sprintf("%d of %s are not what was indexed: %s", len(wrong)+unread, plural(all, "page"), strings.Join(wrong[:min(len(wrong), mostWrong)], "; "))
		if more := len(wrong) + unread - min(len(wrong), mostWrong); more > 0 {
			check.Found += fmt.Sprintf("; and %d more", more)
		}
	case unread > 0:
		check.State, check.Fix = store.CheckBroken, "see the checks below"
		check.Found = fmt.Sprintf("%d of %s cannot be read for the damage of the file", unread, plural(all, "page"))
	}
	return []store.Check{check}, nil
}

func examinePage(ctx context.Context, v store.View, d store.Document) (known bool, err error) {
	const fields = store.FieldText | store.FieldHTML | store.FieldTerms
	parents, err := v.Parents(ctx, store.Scope{DocumentIDs: []string{d.ID}}, fields, store.Page{})
	if err != nil {
		return false, err
	}
	children, err := v.Children(ctx, idsOf(parents), fields)
	if err != nil {
		return false, err
	}
	links, err := v.Links(ctx, d.ID)
	if err != nil {
		return false, err
	}
	return indexing.Verify(d, parents, children, links)
}
