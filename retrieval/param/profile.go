package param

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// ProfileVersion is the format of profiles that this package reads and writes.
const ProfileVersion = 1

// Profile is a named set of parameters: what somebody settled on, and from where
// they started. It is kept as a TOML file.
type Profile struct {
	// Version is the format, [ProfileVersion] when written here.
	Version int
	Name    string
	// Preset is the preset that the parameters started from.
	Preset  string
	Created time.Time
	// Corpus is what the parameters were chosen on, Note anything worth knowing;
	// both may be empty.
	Corpus, Note string
	Params       Params
	// Missing are the parameters that a file did not have and that are its
	// preset's. Write leaves it out.
	Missing []string
}

// ProfileError reports a line of a profile that cannot be used.
type ProfileError struct {
	// Field is the line's key, as it stands in the file: "params.top_k".
	Field string
	Why   string
}

func (e *ProfileError) Error() string { return e.Field + ": " + e.Why }

// ProfileVersionError reports a profile of another format.
type ProfileVersionError struct{ Version int }

func (e *ProfileVersionError) Error() string {
	if e.Version > ProfileVersion {
		return fmt.Sprintf("version: a later webrag-tui wrote this profile, in format %d; this one reads format %d: use the later one, or save the profile again with this one",
			e.Version, ProfileVersion)
	}
	return fmt.Sprintf("version: format %d was never written by any webrag-tui; this one reads format %d: save the profile again", e.Version, ProfileVersion)
}

// mostProfileBytes bounds what is read: a profile has some thousand bytes.
const mostProfileBytes = 1 << 20

// The keys of a profile beside its parameters.
const (
	keyVersion = "version"
	keyName    = "name"
	keyPreset  = "preset"
	keyCreated = "created"
	keyCorpus  = "corpus"
	keyNote    = "note"
	keyParams  = "params"
)

func profileKeys() []string {
	return []string{keyVersion, keyName, keyPreset, keyCreated, keyCorpus, keyNote, keyParams}
}

// ParseProfile reads a profile. What the file lacks is the preset's and listed in
// Missing; what it has and should not, or what is out of range, is an error: a
// [ProfileVersionError], or a [ProfileError] for each line, joined.
func ParseProfile(r io.Reader) (Profile, error) {
	raw, err := io.ReadAll(io.LimitReader(r, mostProfileBytes+1))
	if err != nil {
		return Profile{}, fmt.Errorf("read profile: %w", err)
	}
	if len(raw) > mostProfileBytes {
		return Profile{}, errors.New("this is no profile: it is larger than 1 MB")
	}
	var file map[string]any
	if err := toml.Unmarshal(raw, &file); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return Profile{}, fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return Profile{}, fmt.Errorf("this is no TOML: %w", err)
	}
	// The version comes first: of another one nothing else can be judged.
	version, isNumber := file[keyVersion].(int64)
	if !isNumber {
		return Profile{}, &ProfileError{keyVersion, fmt.Sprintf("a profile says its format: version = %d", ProfileVersion)}
	}
	if version != ProfileVersion {
		return Profile{}, &ProfileVersionError{Version: int(version)}
	}
	p := Profile{Version: int(version)}
	reader := profileReader{file: file, profile: &p}
	reader.head()
	reader.params()
	if len(reader.problems) > 0 {
		return Profile{}, errors.Join(reader.problems...)
	}
	return p, nil
}

// profileReader moves a decoded file into a profile and collects what is wrong.
type profileReader struct {
	file     map[string]any
	profile  *Profile
	problems []error
}

func (r *profileReader) wrong(field, why string) {
	r.problems = append(r.problems, &ProfileError{Field: field, Why: why})
}

// head reads everything but the parameters.
func (r *profileReader) head() {
	for _, key := range sortedKeys(r.file) {
		if !slices.Contains(profileKeys(), key) {
			r.wrong(key, "a profile has no such line"+didYouMean(key, profileKeys()))
		}
	}
	r.profile.Name = r.text(keyName)
	r.profile.Corpus = r.text(keyCorpus)
	r.profile.Note = r.text(keyNote)
	r.profile.Preset = r.text(keyPreset)
	if r.profile.Preset == "" {
		r.profile.Preset = PresetWebRAG
		r.profile.Missing = append(r.profile.Missing, keyPreset)
	}
	preset, ok := Preset(r.profile.Preset)
	if !ok {
		r.wrong(keyPreset, strconv.Quote(r.profile.Preset)+" is no preset: there is "+strings.Join(Presets(), ", ")+didYouMean(r.profile.Preset, Presets()))
	}
	r.profile.Params = preset
	switch created := r.file[keyCreated].(type) {
	case nil:
	case time.Time:
		r.profile.Created = created.UTC()
	default:
		r.wrong(keyCreated, "must be a time such as 2026-03-01T12:00:00Z")
	}
}

func (r *profileReader) text(key string) string {
	switch v := r.file[key].(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		r.wrong(key, "must be a text in quotes")
		return ""
	}
}

// params reads the parameters over those of the preset.
func (r *profileReader) params() {
	table, ok := r.file[keyParams].(map[string]any)
	if !ok && r.file[keyParams] != nil {
		r.wrong(keyParams, "must be a table: [params]")
		return
	}
	for _, s := range Specs() {
		if _, ok := table[s.Field]; !ok {
			r.profile.Missing = append(r.profile.Missing, s.Field)
		}
	}
	for _, field := range sortedKeys(table) {
		text, ok := valueText(table[field])
		if !ok {
			r.wrong(keyParams+"."+field, "must be a text, a number, true or false, or a list of those")
			continue
		}
		if err := r.profile.Params.Set(field, text); err != nil {
			why := err.Error()
			if problem := (*Error)(nil); errors.As(err, &problem) {
				why = problem.Says()
			}
			r.wrong(keyParams+"."+field, why)
		}
	}
}

// valueText is a TOML value as Params.Set reads it.
func valueText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return phrase.Number(v), true
	case bool:
		return strconv.FormatBool(v), true
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			text, ok := valueText(v[i])
			if _, nested := v[i].([]any); nested || !ok {
				return "", false
			}
			parts[i] = text
		}
		return strings.Join(parts, ","), true
	default:
		return "", false
	}
}

func sortedKeys(m map[string]any) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Write writes the profile as TOML, every parameter under a comment with its
// meaning. It fails, having written nothing, when a parameter is out of its range.
func (p Profile) Write(w io.Writer) error {
	if err := p.Params.Validate(); err != nil {
		return fmt.Errorf("write profile %s: %w", p.Name, err)
	}
	if _, ok := Preset(p.Preset); !ok {
		return fmt.Errorf("write profile %s: %q is no preset", p.Name, p.Preset)
	}
	b := tomlLines{}
	b.comment("Retrieval parameters for webrag-tui: use them with --profile, see them with 'webrag-tui profile show'.")
	b.line(keyVersion, ProfileVersion)
	b.line(keyName, strings.ToValidUTF8(p.Name, string(utf8.RuneError)))
	b.comment("The preset that the parameters started from; it stands in for lines that are missing.")
	b.line(keyPreset, p.Preset)
	if !p.Created.IsZero() {
		b.line(keyCreated, p.Created.UTC())
	}
	b.line(keyCorpus, strings.ToValidUTF8(p.Corpus, string(utf8.RuneError)))
	b.line(keyNote, strings.ToValidUTF8(p.Note, string(utf8.RuneError)))
	b.WriteString("\n[" + keyParams + "]\n")
	for _, s := range Specs() {
		b.comment(strings.TrimSuffix(s.Help, ".") + " (" + s.Range() + ").")
		b.line(s.Field, s.tomlValue(&p.Params))
	}
	if b.err != nil {
		return fmt.Errorf("write profile %s: %w", p.Name, b.err)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write profile %s: %w", p.Name, err)
	}
	return nil
}

// tomlLines writes a file line by line, so that each can have its comment.
type tomlLines struct {
	strings.Builder
	err error
}

func (b *tomlLines) comment(text string) { b.WriteString("# " + text + "\n") }

func (b *tomlLines) line(key string, value any) {
	raw, err := toml.Marshal(map[string]any{key: value})
	if err != nil && b.err == nil {
		b.err = err
	}
	b.Write(raw)
}

// tomlValue is the field's value as a TOML value of its own type.
func (s *Spec) tomlValue(p *Params) any {
	switch v := s.ref(p).(type) {
	case *int:
		return *v
	case *float64:
		return *v
	case *bool:
		return *v
	case *HopDecay:
		return v.values[:v.n]
	case *Relations:
		if *v == 0 {
			return allRelations
		}
		return words(v.List()...)
	default:
		return s.Get(p)
	}
}
