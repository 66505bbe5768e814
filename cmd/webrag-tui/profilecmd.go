package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

func newProfile(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Keep retrieval parameters under a name, and hand them to the system under tuning",
		Long: "A profile is a set of retrieval parameters under a name, kept as a TOML file. Every\n" +
			"command that retrieves starts from one with --profile or --preset.",
		Example: "webrag-tui profile save tight --set " + param.FieldSimilarityFloor + "=0.4 --budget 8000\n" +
			"webrag-tui query --profile tight 'depth decay'\n" +
			"webrag-tui profile env tight >> .env",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "List the profiles",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.listProfiles() },
	}, newProfileShow(a), newProfileSave(a), newProfileEnv(a))
	return cmd
}

// profileRow is a profile in the list; Problem says why it cannot be used.
type profileRow struct {
	Name    string `json:"name"`
	Preset  string `json:"preset,omitempty"`
	Changed int    `json:"changed"`
	Note    string `json:"note,omitempty"`
	Problem string `json:"problem,omitempty"`
}

func (a *app) listProfiles() error {
	names, err := profileNames()
	if err != nil {
		return err
	}
	rows := []profileRow{}
	for _, name := range names {
		row := profileRow{Name: name}
		b, err := openBasis(filepath.Join(profilesFolder(), name+profileExt))
		if err != nil {
			row.Problem, _, _ = strings.Cut(err.Error(), "\n")
		} else {
			row.Preset, row.Note, row.Changed = b.profile.Preset, b.profile.Note, changes(b.profile)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 && !a.json {
		fmt.Fprintf(a.out, "no profiles yet in %s; make one with 'webrag-tui profile save NAME --set field=value'\n", profilesFolder())
	}
	return printRows(a, rows, func(r profileRow) string {
		if r.Problem != "" {
			return fmt.Sprintf("%s\t! %s", offset.Line(r.Name), offset.Line(r.Problem))
		}
		return fmt.Sprintf("%s\t%s, %d changed\t%s", offset.Line(r.Name), r.Preset, r.Changed, offset.Line(r.Note))
	})
}

// presetParams are the parameters of a preset that is known to exist.
func presetParams(name string) param.Params {
	p, _ := param.Preset(name)
	return p
}

func newProfileShow(a *app) *cobra.Command {
	changed := false
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Print the parameters of a profile and what it changes of its preset",
		Long: "show prints every parameter of a profile or preset. Where the floor is a number on\n" +
			"the scale of a corpus, the cosine that it is on the configured corpus stands below.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := openBasis(args[0])
			if err != nil {
				return err
			}
			c, err := a.loadConfig()
			if err != nil {
				return err
			}
			floor := knownFloor(cmd.Context(), c, b.profile.Params)
			if b.file == "" {
				return a.showPreset(b.profile, changed, &floor)
			}
			return a.showProfile(b, changed, floor)
		},
	}
	cmd.Flags().BoolVar(&changed, "changed", false, "print only what it changes")
	return cmd
}

// profileView is the JSON of profile show.
type profileView struct {
	Name       string         `json:"name"`
	File       string         `json:"file"`
	Version    int            `json:"version"`
	Preset     string         `json:"preset"`
	Created    string         `json:"created,omitempty"`
	Corpus     string         `json:"corpus,omitempty"`
	Note       string         `json:"note,omitempty"`
	Missing    []string       `json:"missing"`
	Floor      *floorView     `json:"floor"`
	Parameters []parameterRow `json:"parameters"`
}

func (a *app) showProfile(b basis, changed bool, floor param.KnownFloor) error {
	p := b.profile
	rows := parameterRows(p.Params, presetParams(p.Preset))
	if changed {
		rows = changedRows(rows)
	}
	for i := range rows {
		rows[i].Origin = b.origin(rows[i].Field)
	}
	created := ""
	if !p.Created.IsZero() {
		created = p.Created.Format("2006-01-02 15:04:05Z07:00")
	}
	if a.json {
		missing := append([]string{}, p.Missing...)
		return a.printJSON(profileView{p.Name, b.file, p.Version, p.Preset, created, p.Corpus, p.Note, missing, viewFloor(p.Params, floor), rows})
	}
	noteFloor(rows, floor)
	a.tellMissing(b)
	parts := []string{"preset " + p.Preset}
	for _, part := range []struct{ word, text string }{{"saved ", created}, {"corpus ", p.Corpus}, {"", p.Note}} {
		if part.text != "" {
			parts = append(parts, part.word+offset.Line(part.text))
		}
	}
	fmt.Fprintf(a.output(), "%s%s%s  %s\n", bold, offset.Line(p.Name), plain, strings.Join(parts, " · "))
	return a.printParameters(rows, p.Preset)
}

// tellMissing reports the lines that a profile lacks.
func (a *app) tellMissing(b basis) {
	if len(b.profile.Missing) == 0 || a.quiet {
		return
	}
	fmt.Fprintf(a.err, "! %s: these lines are missing and are those of preset %s: %s\n", offset.Line(b.file), b.profile.Preset,
		strings.Join(b.profile.Missing, ", "))
}

func newProfileSave(a *app) *cobra.Command {
	var note string
	var force bool
	cmd := &cobra.Command{
		Use:   "save NAME",
		Short: "Save the parameters that the flags and settings make",
		Long: "save writes the parameters that a query with the same flags would use into a file\n" +
			"of the profiles' folder, or into the file that NAME is.",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.saveProfile(args[0], note, force) },
	}
	a.retrievalFlags(cmd.Flags())
	cmd.Flags().StringVar(&note, "note", "", "a `text` that is kept with it")
	cmd.Flags().BoolVar(&force, "force", false, "replace a profile of this name")
	return cmd
}

// profileName is what can be a name: also a file's, on every system.
var profileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func (a *app) saveProfile(name, note string, force bool) error {
	path, short, err := newProfilePath(name, force)
	if err != nil {
		return err
	}
	c, from, params, err := retrievalBasis(a.loadConfig)
	if err != nil {
		return err
	}
	p := param.Profile{Name: short, Preset: from.profile.Preset, Corpus: tunedOn(c), Note: note, Params: params}
	if err := a.writeProfile(path, p, force); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]string{"name": short, "file": path})
	}
	fmt.Fprintf(a.out, "%s: %s; use it with --profile %s\n", path, changedWords(p), file.ShellWord(name))
	return nil
}

// newProfilePath is where a profile is written, and what it is called there.
func newProfilePath(name string, force bool) (path, short string, err error) {
	if isProfileFile(name) && !strings.HasSuffix(name, profileExt) {
		return "", "", fmt.Errorf("%q is no name for a profile: it is a path, and profiles are files that end in %s", name, profileExt)
	}
	path, short = profilePath(name), strings.TrimSuffix(filepath.Base(name), profileExt)
	return path, short, errors.Join(checkProfileName(short), checkProfileFree(path, force))
}

// checkProfileName reports a name that a profile cannot have.
func checkProfileName(name string) error {
	if !profileName.MatchString(name) || strings.HasSuffix(name, profileExt) {
		return fmt.Errorf("%q is no name for a profile: use letters, digits, dots, hyphens and underscores, at most 64", name)
	}
	if _, ok := param.Preset(name); ok {
		return fmt.Errorf("%s is the name of a preset; give the profile another one", name)
	}
	return nil
}

func checkProfileFree(path string, force bool) error {
	if _, err := os.Stat(path); err == nil && !force {
		return fmt.Errorf("there is a profile at %s; replace it with --force", path)
	}
	return nil
}

// writeProfile writes a profile as it is at this moment.
func (a *app) writeProfile(path string, p param.Profile, force bool) error {
	p.Version, p.Created = param.ProfileVersion, a.now().UTC().Truncate(time.Second)
	var text bytes.Buffer
	if err := p.Write(&text); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the profiles' folder: %w", err)
	}
	if err := checkProfileFree(path, force); err != nil {
		return err
	}
	if err := file.ReplaceAtOnce(path, 0o644, text.Bytes()); err != nil {
		return fmt.Errorf("save profile: %w", err)
	}
	return nil
}

// changedWords says what a profile changes of its preset.
func changedWords(p param.Profile) string {
	return "preset " + p.Preset + " with " + plural(changes(p), "parameter") + " changed"
}

// changes is how many parameters of its preset a profile changes.
func changes(p param.Profile) int {
	return len(changedRows(parameterRows(p.Params, presetParams(p.Preset))))
}

// tunedOn names the corpus that is configured, where there is one.
func tunedOn(c *config.Config) string {
	at := corpusPlace(c)
	if !at.isDatabase && !corpusExists(at.path) {
		return ""
	}
	return at.name()
}

func newProfileEnv(a *app) *cobra.Command {
	var asGo bool
	cmd := &cobra.Command{
		Use:   "env NAME",
		Short: "Print a profile as the settings of the system under tuning",
		Long: "env prints the lines that give the system under tuning the same parameters: the\n" +
			"variables of a small-to-large retriever, or with --go the options of a hybrid or\n" +
			"graph retriever. What that system cannot be told stands there as a comment, with\n" +
			"what it does instead. A small-to-large retriever reads its floor as a cosine: where\n" +
			"the profile's is on the scale of a corpus, it is written as the cosine that it is on\n" +
			"the corpus of --corpus, and left out, with the reason, where there is none.",
		Example: "webrag-tui profile env tight --corpus guide.db >> .env\n" +
			"webrag-tui profile env hybrid --go",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := openBasis(args[0])
			if err != nil {
				return err
			}
			a.tellMissing(b)
			if asGo {
				return b.profile.WriteGoOptions(a.out)
			}
			c, err := a.loadConfig()
			if err != nil {
				return err
			}
			return b.profile.WriteSystemEnv(a.out, knownFloor(cmd.Context(), c, b.profile.Params))
		},
	}
	cmd.Flags().BoolVar(&asGo, "go", false, "print the options of a Go retriever")
	return cmd
}

// knownFloor is what can be said of a floor on the configured corpus: a number on
// the scale of a corpus is another cosine on each. A corpus is opened only if that
// is needed, and no embedding server is asked.
func knownFloor(ctx context.Context, c *config.Config, p param.Params) param.KnownFloor {
	var k param.KnownFloor
	unknown := func(err error) param.KnownFloor {
		k.Unknown = err.Error()
		return k
	}
	if !p.NeedsScale(true) {
		k.Floor, _ = p.FloorOn(true, store.Calibration{})
		return k
	}
	emb, err := newEmbedder(c)
	if err != nil {
		return unknown(err)
	}
	lexical := emb.Info().Lexical
	if !p.NeedsScale(lexical) {
		k.Floor, _ = p.FloorOn(lexical, store.Calibration{})
		return k
	}
	st, err := openCorpus(ctx, c)
	if err != nil {
		return unknown(fmt.Errorf("%w; --corpus names the one that the profile is for", err))
	}
	defer st.Close()
	meta := st.Info().Meta
	adopt(emb, meta)
	switch id := emb.Info().ID; {
	case meta.EmbedderID == "":
		return unknown(fmt.Errorf("corpus %s has no vectors of a known embedder; ask it something first", st.Info().Name))
	case meta.EmbedderID != id:
		return unknown(fmt.Errorf("corpus %s was embedded with %s, and %s is configured", st.Info().Name, meta.EmbedderID, id))
	}
	k.Corpus = st.Info().Name
	k.Floor, _ = p.FloorOn(lexical, meta.Calibration)
	return k
}

// floorView is a floor with every number that it has, as JSON.
type floorView struct {
	// Calibrated is the number on the scale of a corpus, null where the floor is a
	// plain cosine; Raw the cosine, null where that is not known.
	Calibrated *float64 `json:"calibrated"`
	Raw        *float64 `json:"raw"`
	Corpus     string   `json:"corpus,omitempty"`
	Unknown    string   `json:"unknown,omitempty"`
}

// viewFloor is nil for a floor that is off.
func viewFloor(p param.Params, k param.KnownFloor) *floorView {
	v := &floorView{Corpus: k.Corpus, Unknown: k.Unknown}
	switch {
	case k.Unknown != "":
		v.Calibrated = &p.SimilarityFloor
	case k.Floor.Off:
		return nil
	default:
		raw := k.Floor.Cosine()
		v.Raw = &raw
		if k.Floor.Scale == param.FloorCalibrated {
			v.Calibrated = &p.SimilarityFloor
		}
	}
	return v
}

// noteFloor puts what the floor is as a cosine below its row.
func noteFloor(rows []parameterRow, k param.KnownFloor) {
	for i := range rows {
		switch {
		case rows[i].Field != param.FieldSimilarityFloor:
		case k.Unknown != "":
			rows[i].note = "on the scale of a corpus; its cosine is not known: " + k.Unknown
		case k.Floor.Scale == param.FloorCalibrated && !k.Floor.Off:
			rows[i].note = "on corpus " + k.Corpus + ": " + k.Floor.String()
		}
	}
}
