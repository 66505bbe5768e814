package config

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/file"
)

// MaxFile is the most bytes of a config file, a .env file or a theme: those of
// people have some thousand.
const MaxFile = 1 << 20

// Source is a place that values come from, weakest first.
type Source int

// The sources in rising precedence. LateEnvironment is the environment variable
// of a setting whose variable is weaker than the config file.
const (
	Default Source = iota
	LateEnvironment
	File
	DotEnv
	Environment
	Flag
)

// Origin says where a value came from.
type Origin struct {
	Source Source
	// Name is the flag, variable or file as the user wrote it; Line is the line
	// in a file, 0 when there is none.
	Name string
	Line int
	// dotEnv says that it is the .env file, also for a variable that is weaker than
	// the config file there.
	dotEnv bool
}

// String is the origin in words: "default", "config.toml:12", "--budget".
func (o Origin) String() string {
	switch {
	case o.Source == Default:
		return "default"
	case o.Line > 0:
		return fmt.Sprintf("%s:%d", o.Name, o.Line)
	case o.dotEnv:
		return o.Name
	case o.Source == Environment || o.Source == LateEnvironment:
		return "environment " + o.Name
	default:
		return o.Name
	}
}

// IsDotEnv says that a value stands in a .env file, whatever its precedence.
func (o Origin) IsDotEnv() bool { return o.dotEnv }

// Value is a setting with its value and origin.
type Value struct {
	Setting *Setting
	Text    string
	Origin  Origin
}

// Shown is the value as it may be printed: secrets only say that they are set,
// and an address keeps what may be a secret in it to itself.
func (v Value) Shown() string {
	if v.Setting.Secret {
		if v.Text == "" {
			return "not set"
		}
		return "set"
	}
	return v.Setting.show(v.Text)
}

// show is a text that was given for a setting as it may be printed.
func (s *Setting) show(text string) string {
	if s.Show != nil {
		return s.Show(text)
	}
	if addressLike.MatchString(text) {
		return "***"
	}
	return text
}

// addressLike is what stands in addresses and in no value of another setting: one
// that was put into the wrong place may hold a password, wherever in it.
var addressLike = regexp.MustCompile(`(?i)://|:[^/\\]*@|pass\w*\s*=|(?:key|token|secret|pwd)\s*=`)

// Inputs are the places to read. Nothing is read from the process itself, so
// that tests decide everything.
type Inputs struct {
	// File is the config file; it may be missing unless FileRequired.
	File         string
	FileRequired bool
	// DotEnvFile is the .env file, which may be missing.
	DotEnvFile string
	// Environ is the environment as os.Environ gives it.
	Environ []string
	// Flags are the values given on the command line, by key.
	Flags map[string]string
	// FlagNames are the flags as they were written, by key, where that is not the
	// setting's own flag or --set.
	FlagNames map[string]string
	// OwnPrefixes are prefixes of environment variables that belong to the
	// program: an unknown variable with one of them is an error.
	OwnPrefixes []string
	// ListSections are sections of the config file that hold lists under names
	// that this package does not know; [Config.Lists] returns them.
	ListSections []string
	// Reserved are variables with such a prefix that are not settings and are
	// left alone.
	Reserved []string
}

// Error is one thing that is wrong with a setting. Its text names the place, the
// key, the value and what would be accepted.
type Error struct {
	Origin Origin
	Key    string
	Why    string
}

func (e *Error) Error() string {
	if strings.HasSuffix(e.Origin.String(), e.Key) { // a variable is its own key
		return fmt.Sprintf("%s: %s", e.Origin, e.Why)
	}
	return fmt.Sprintf("%s: %s: %s", e.Origin, e.Key, e.Why)
}

// Config holds every setting with its value.
type Config struct {
	settings []Setting
	values   map[string]Value
	lists    []List
	// dotEnv are the values of the .env file, in force or not, and dotEnvSum the
	// SHA-256 of its bytes.
	dotEnv    map[string]Value
	dotEnvSum string
}

// List is a name in a section of lists, with the texts given for it.
type List struct {
	Name   string
	Texts  []string
	Origin Origin
	// section is that of Inputs.ListSections.
	section string
}

// Load resolves all settings. The error joins an [Error] for each wrong value or
// unknown key; nothing wrong is ever ignored or replaced by a default.
func Load(settings []Setting, in Inputs) (*Config, error) {
	c := &Config{settings: settings, values: make(map[string]Value, len(settings)), dotEnv: map[string]Value{}}
	for i := range c.settings {
		s := &c.settings[i]
		c.values[s.Key] = Value{Setting: s, Text: s.Default}
	}
	var problems []error
	problems = append(problems, c.readFile(in)...)
	problems = append(problems, c.readDotEnv(in)...)
	problems = append(problems, c.readEnviron(in)...)
	for key, text := range in.Flags {
		s := c.setting(key)
		if s == nil {
			problems = append(problems, c.unknownFlag(key))
			continue
		}
		name := "--set " + fieldOf(key)
		if s.Flag != "" {
			name = "--" + s.Flag
		}
		if written := in.FlagNames[key]; written != "" {
			name = written
		}
		problems = append(problems, c.take(s, text, Origin{Source: Flag, Name: name})...)
	}
	sort.SliceStable(problems, func(i, j int) bool { return problems[i].Error() < problems[j].Error() })
	return c, errors.Join(problems...)
}

// fieldOf is the part of a key after its section.
func fieldOf(key string) string {
	if _, field, ok := strings.Cut(key, "."); ok {
		return field
	}
	return key
}

// take records a value unless a stronger source gave one. Wrong values are
// reported even when a stronger source overrides them: they are wrong tomorrow.
func (c *Config) take(s *Setting, text string, from Origin) []error {
	if from.IsDotEnv() && strings.ContainsAny(text, "\r\n") {
		return []error{&Error{Origin: from, Key: s.Key, Why: "the value has a line break, which no setting takes; close its quote on its line"}}
	}
	if s.WhyNotEmpty != "" && strings.TrimSpace(text) == "" {
		return []error{&Error{Origin: from, Key: s.Key, Why: s.WhyNotEmpty}}
	}
	if err := s.Check(text); err != nil {
		shown := strconv.Quote(s.show(text))
		// One slip in a .env file, such as a quote left open, puts a key into the
		// value of another variable.
		if s.Secret || from.IsDotEnv() {
			shown = "the value"
		}
		return []error{&Error{Origin: from, Key: s.Key, Why: shown + " " + joinWhy(err)}}
	}
	if from.IsDotEnv() {
		c.dotEnv[s.Key] = Value{Setting: s, Text: text, Origin: from}
	}
	if from.Source >= c.values[s.Key].Origin.Source {
		c.values[s.Key] = Value{Setting: s, Text: text, Origin: from}
	}
	return nil
}

func joinWhy(err error) string {
	why := err.Error()
	if strings.HasPrefix(why, "not ") {
		return "is " + why
	}
	return why
}

func (c *Config) readFile(in Inputs) []error {
	if in.File == "" {
		return nil
	}
	raw, err := file.Read(in.File, MaxFile)
	if errors.Is(err, fs.ErrNotExist) && !in.FileRequired {
		return nil
	}
	if err != nil {
		return []error{fmt.Errorf("read the config file: %w", err)}
	}
	entries, err := ParseTOML(raw)
	if err != nil {
		return []error{fmt.Errorf("%s: %w", in.File, err)}
	}
	var problems []error
	for _, e := range entries {
		from := Origin{Source: File, Name: in.File, Line: e.Line}
		s := c.setting(e.Key)
		if section, name, ok := strings.Cut(e.Key, "."); ok && slices.Contains(in.ListSections, section) {
			problems = append(problems, c.takeList(List{Name: name, Texts: e.List, Origin: from, section: section})...)
			continue
		}
		switch {
		case s == nil:
			problems = append(problems, c.unknown(from, e.Key, c.Keys()))
		case e.Why != "":
			problems = append(problems, &Error{Origin: from, Key: e.Key, Why: e.Why})
		default:
			problems = append(problems, c.take(s, e.Text, from)...)
		}
	}
	return problems
}

// takeList records a list. Names are compared by the program, but one that is
// given twice, which TOML allows in two spellings, is a mistake in any section.
func (c *Config) takeList(l List) []error {
	if l.Texts == nil {
		return []error{&Error{Origin: l.Origin, Key: l.section + "." + l.Name, Why: "must be a list of texts, such as [\"x\", \"y\"]"}}
	}
	for _, other := range c.lists {
		if other.section == l.section && other.Name == l.Name {
			return []error{&Error{Origin: l.Origin, Key: l.section + "." + l.Name, Why: "given before, in line " + strconv.Itoa(other.Origin.Line)}}
		}
	}
	c.lists = append(c.lists, l)
	return nil
}

// Lists returns the lists of a section of [Inputs.ListSections], in the order of
// the file.
func (c *Config) Lists(section string) []List {
	var lists []List
	for _, l := range c.lists {
		if l.section == section {
			lists = append(lists, l)
		}
	}
	return lists
}

func (c *Config) readEnviron(in Inputs) []error {
	vars := map[string]string{}
	for _, pair := range in.Environ {
		if name, text, ok := strings.Cut(pair, "="); ok {
			vars[name] = text
		}
	}
	return c.readVars(vars, in, func(name string) Origin { return Origin{Source: Environment, Name: name} })
}

// readVars takes the variables of an environment. An empty variable counts as
// not given, as in a copied .env template, unless its setting says why it must not.
func (c *Config) readVars(vars map[string]string, in Inputs, origin func(name string) Origin) []error {
	byEnv := map[string]*Setting{}
	var names []string
	for i := range c.settings {
		if s := &c.settings[i]; s.Env != "" {
			byEnv[s.Env] = s
			names = append(names, s.Env)
		}
	}
	var problems []error
	for name, text := range vars {
		s := byEnv[name]
		if s == nil {
			if hasPrefix(name, in.OwnPrefixes) && !hasPrefix(name, in.Reserved) {
				problems = append(problems, c.unknown(origin(name), name, names))
			}
			continue
		}
		if text == "" && s.WhyNotEmpty == "" {
			continue
		}
		from := origin(name)
		if s.LateEnv {
			from.Source = LateEnvironment
		}
		problems = append(problems, c.take(s, text, from)...)
	}
	return problems
}

func hasPrefix(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

func (c *Config) unknown(from Origin, key string, known []string) error {
	why := "no such setting"
	if near, ok := nearestKey(key, known); ok {
		why += fmt.Sprintf(" (did you mean %q?)", near)
	}
	return &Error{Origin: from, Key: key, Why: why}
}

// unknownFlag reports a key of --set, which is written there without its section.
func (c *Config) unknownFlag(key string) error {
	why := "no such setting"
	if near, ok := nearestKey(key, c.Keys()); ok {
		why += fmt.Sprintf(" (did you mean %q?)", fieldOf(near))
	}
	return &Error{Origin: Origin{Source: Flag, Name: "--set " + fieldOf(key)}, Key: fieldOf(key), Why: why}
}

func (c *Config) setting(key string) *Setting {
	if v, ok := c.values[key]; ok {
		return v.Setting
	}
	return nil
}

// Keys are all keys in the order of the table.
func (c *Config) Keys() []string {
	keys := make([]string, len(c.settings))
	for i := range c.settings {
		keys[i] = c.settings[i].Key
	}
	return keys
}

// Values are all settings in the order of the table.
func (c *Config) Values() []Value {
	values := make([]Value, len(c.settings))
	for i := range c.settings {
		values[i] = c.values[c.settings[i].Key]
	}
	return values
}

// Value returns a setting's value; it panics for a key that is not in the table,
// which is a programmer's error.
func (c *Config) Value(key string) Value {
	v, ok := c.values[key]
	if !ok {
		panic("config: no setting " + key)
	}
	return v
}

// InDotEnv is what the .env file says of a setting, whether or not a stronger
// source has another value; ok is false where it says nothing.
func (c *Config) InDotEnv(key string) (v Value, ok bool) {
	v, ok = c.dotEnv[key]
	return v, ok
}

// DotEnvSum is the SHA-256 of the .env file that was read, in hexadecimal digits;
// empty where there was none.
func (c *Config) DotEnvSum() string { return c.dotEnvSum }

// Text returns a setting's value as text.
func (c *Config) Text(key string) string { return c.Value(key).Text }

// IsSet reports whether any source gave the setting a value.
func (c *Config) IsSet(key string) bool { return c.Value(key).Origin.Source != Default }

// Int returns a setting of kind Integer; an empty value is 0.
func (c *Config) Int(key string) int {
	n, _ := strconv.Atoi(c.Text(key)) // Load checked it; empty is 0
	return n
}

// Float returns a setting of kind Float; an empty value is 0.
func (c *Config) Float(key string) float64 {
	f, _ := strconv.ParseFloat(c.Text(key), 64) // Load checked it; empty is 0
	return f
}

// Bool returns a setting of kind Boolean; an empty value is false.
func (c *Config) Bool(key string) bool {
	b, _ := strconv.ParseBool(c.Text(key)) // Load checked it; empty is false
	return b
}
