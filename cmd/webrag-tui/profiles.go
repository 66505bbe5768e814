package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// profileExt ends the names of profile files.
const profileExt = ".toml"

// profilesFolder keeps the profiles that are given by name.
func profilesFolder() string { return filepath.Join(xdg.ConfigHome, appFolder, "profiles") }

// basis is what the parameters of a run start from: a preset, or a profile.
type basis struct {
	profile param.Profile
	// file is the profile's, empty for a preset.
	file string
	// why says in a clause why it was chosen, where nobody chose it.
	why string
}

// isOfDefaultPreset tells the notice on a preset that nobody chose.
func isOfDefaultPreset(n retrieval.Notice) bool { return n.Code == phrase.CodeDefaultPreset }

// notices say which preset is used and why, where nobody chose it.
func (b basis) notices() []retrieval.Notice {
	if b.why == "" {
		return nil
	}
	return []retrieval.Notice{{Code: phrase.CodeDefaultPreset, Text: "preset " + b.profile.Preset + ": " + b.why}}
}

// String is the basis in words: "preset webrag", "profile tight".
func (b basis) String() string {
	if b.file == "" {
		return "preset " + b.profile.Preset
	}
	return "profile " + b.profile.Name
}

// origin says where the value of a field comes from: lines that a profile lacks
// are its preset's.
func (b basis) origin(field string) string {
	if b.file != "" && slices.Contains(b.profile.Missing, field) {
		return "preset " + b.profile.Preset + ", not in profile " + b.profile.Name
	}
	return b.String()
}

// isProfileFile says that a name is a path.
func isProfileFile(name string) bool {
	return strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) || strings.HasSuffix(name, profileExt)
}

// profilePath is the file of a profile that is given by name or as a file.
func profilePath(name string) string {
	if isProfileFile(name) {
		return name
	}
	return filepath.Join(profilesFolder(), name+profileExt)
}

// openBasis finds a preset or reads a profile.
func openBasis(name string) (basis, error) {
	if p, ok := param.Preset(name); ok {
		return basis{profile: param.Profile{Version: param.ProfileVersion, Name: name, Preset: name, Params: p}}, nil
	}
	path := profilePath(name)
	f, err := file.Open(path, config.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return basis{}, noBasis(name, path)
	}
	if err != nil {
		return basis{}, fmt.Errorf("open profile: %w", err)
	}
	defer f.Close()
	p, err := param.ParseProfile(f)
	if err != nil {
		return basis{}, eachLine("profile "+path+": ", err)
	}
	if p.Name == "" {
		p.Name = strings.TrimSuffix(filepath.Base(path), profileExt)
	}
	return basis{profile: p, file: path}, nil
}

// eachLine puts a prefix before each line of an error: joined errors are told one
// a line.
func eachLine(prefix string, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return fmt.Errorf("%s%w", prefix, err)
	}
	var lines []error
	for _, e := range joined.Unwrap() {
		lines = append(lines, fmt.Errorf("%s%w", prefix, e))
	}
	return errors.Join(lines...)
}

// noBasis says what there is instead.
func noBasis(name, path string) error {
	if isProfileFile(name) {
		return fmt.Errorf("there is no profile %s", path)
	}
	profiles, err := profileNames()
	if err != nil {
		return err
	}
	near := config.DidYouMean(name, append(param.Presets(), profiles...))
	there := "the presets are " + strings.Join(param.Presets(), ", ")
	if len(profiles) > 0 {
		there += ", the profiles " + strings.Join(profiles, ", ")
	}
	return fmt.Errorf("%q is no preset and no profile%s: %s", name, near, there)
}

// profileNames lists the profiles that can be given by name.
func profileNames() ([]string, error) {
	entries, err := os.ReadDir(profilesFolder())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list profiles: %w", err)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), profileExt); ok && !e.IsDir() {
			names = append(names, name)
		}
	}
	return names, nil
}

// basisOf is what the configured parameters start from; where none is configured,
// what suits the configured embedder.
func basisOf(c *config.Config) (basis, error) {
	return basisFor(c, provider(c) == providerBuiltin)
}

// basisFor is basisOf for an embedder that is lexical or not.
func basisFor(c *config.Config, lexical bool) (basis, error) {
	if !c.IsSet(presetKey) {
		name, why := param.DefaultPreset(lexical)
		b, err := openBasis(name)
		b.why = why
		return b, err
	}
	v := c.Value(presetKey)
	b, err := openBasis(v.Text)
	if err != nil {
		return b, eachLine(v.Origin.String()+": ", err)
	}
	return b, nil
}

// retrievalBasis resolves the settings, what the parameters start from, and the
// parameters that both make.
func retrievalBasis(load func() (*config.Config, error)) (*config.Config, basis, param.Params, error) {
	c, err := load()
	if err != nil {
		return nil, basis{}, param.Params{}, err
	}
	b, err := basisOf(c)
	if err != nil {
		return nil, basis{}, param.Params{}, err
	}
	p, err := retrievalParams(c, b.profile.Params)
	return c, b, p, err
}

// retrievalParams are the parameters started from, with what the settings change.
func retrievalParams(c *config.Config, p param.Params) (param.Params, error) {
	for _, spec := range param.Specs() {
		if !c.IsSet(spec.Key) {
			continue
		}
		if err := p.Set(spec.Field, c.Text(spec.Key)); err != nil {
			from := c.Value(spec.Key).Origin
			// A key that stands in the wrong line of a .env file stays there.
			var wrong *param.Error
			if errors.As(err, &wrong) && from.IsDotEnv() {
				return p, fmt.Errorf("%s: %s: the value %s", from, wrong.Field, wrong.Why)
			}
			return p, fmt.Errorf("%s: %w", from, err)
		}
	}
	err := enableReranker(c, &p)
	return p, err
}
