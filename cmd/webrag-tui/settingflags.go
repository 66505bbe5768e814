package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui"
)

// settingFlags adds the flags of settings to a flag set.
func (a *app) settingFlags(fs *pflag.FlagSet, keys ...string) {
	for _, key := range keys {
		s := settingOf(key)
		// The table has sentences; flags are described as commands are.
		usage := strings.ToLower(s.Help[:1]) + strings.TrimSuffix(s.Help[1:], ".")
		if s.Kind == config.Choice {
			usage += " (" + strings.Join(s.Values, ", ") + ")"
		}
		flag := fs.VarPF(&settingValue{app: a, setting: s}, s.Flag, "", usage)
		if s.Kind == config.Boolean {
			flag.NoOptDefVal = "true"
		}
	}
}

// settingOf is the setting of a key that the table has.
func settingOf(key string) config.Setting {
	table := settings()
	return table[slices.IndexFunc(table, func(s config.Setting) bool { return s.Key == key })]
}

// settingValue is a flag that stands for a setting. It only remembers the text:
// config checks it together with the other sources.
type settingValue struct {
	app     *app
	setting config.Setting
}

// String is what pflag shows as the default: nothing, since the config decides.
func (v *settingValue) String() string { return "" }

// Set remembers the text.
func (v *settingValue) Set(text string) error {
	v.app.flags[v.setting.Key] = text
	return nil
}

// Type names the value in the help; what is true or false needs none.
func (v *settingValue) Type() string {
	if v.setting.Kind == config.Boolean {
		return "bool"
	}
	return fieldName(v.setting.Key)
}

func fieldName(key string) string {
	_, field, _ := strings.Cut(key, ".")
	return field
}

// retrievalFlags adds the flags that change retrieval.
func (a *app) retrievalFlags(fs *pflag.FlagSet) {
	a.settingFlags(fs, presetKey)
	fs.StringVar(&a.profile, "profile", "", "start from this profile: a `name` or file (see 'webrag-tui profile list')")
	a.parameterFlags(fs)
}

// exampleSetting shows how a parameter is set.
const exampleSetting = param.FieldSimilarityFloor + "=0.2"

// parameterFlags adds the flags that change parameters, wherever those start.
func (a *app) parameterFlags(fs *pflag.FlagSet) {
	for _, spec := range param.Specs() {
		if spec.Flag != "" {
			a.settingFlags(fs, spec.Key)
		}
	}
	fs.BoolVar(&a.exact, "exact", false, "compare every vector, whatever index there is ("+param.FieldSearch+"="+string(param.SearchExact)+")")
	fs.StringArrayVar(&a.set, "set", nil, "set a retrieval parameter: `field=value` (repeatable)")
}

// flagError says where the flags are listed, and which one was probably meant.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	hint := ""
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			word := a.dashed(letters)
			return fmt.Errorf("unknown flag: %s; a text that begins with a hyphen goes after two of them: %s -- %s; '%s --help' lists the flags",
				word, cmd.CommandPath(), file.ShellWord(word), cmd.CommandPath())
		}
		var names []string
		add := func(f *pflag.Flag) { names = append(names, f.Name) }
		cmd.Flags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		if near, ok := config.Nearest(unknown.GetSpecifiedName(), names); ok {
			hint = fmt.Sprintf(" (did you mean --%s?)", near)
		}
	}
	return fmt.Errorf("%w%s; '%s --help' lists the flags", err, hint, cmd.CommandPath())
}

// dashed is the argument that ends in letters that are no flags.
func (a *app) dashed(letters string) string {
	for _, arg := range a.args {
		if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.HasSuffix(arg, letters) {
			return arg
		}
	}
	return "-" + letters
}

// given are settings from the command line, by key.
type given struct {
	texts map[string]string
	// names are the flags that gave them, written the flags with their values.
	names, written map[string]string
}

// take records a setting. Two flags that say different things about it are an
// error, two of the same name are not: the last one holds.
func (g given) take(key, text, flag, written string) error {
	if other, ok := g.texts[key]; ok && other != text && g.names[key] != flag {
		return fmt.Errorf("%s contradicts %s; give one of them", written, g.written[key])
	}
	g.texts[key], g.names[key], g.written[key] = text, flag, written
	return nil
}

// givenSettings are the settings given on the command line.
func (a *app) givenSettings() (given, error) {
	g := given{map[string]string{}, map[string]string{}, map[string]string{}}
	for key, text := range a.flags {
		flag := "--" + settingOf(key).Flag
		if err := g.take(key, text, flag, flag+" "+text); err != nil {
			return g, err
		}
	}
	if a.profile != "" {
		if err := g.take(presetKey, a.profile, "--profile", "--profile "+a.profile); err != nil {
			return g, err
		}
	}
	if a.exact {
		if err := g.take(param.KeyPrefix+param.FieldSearch, string(param.SearchExact), "--exact", "--exact"); err != nil {
			return g, err
		}
	}
	for _, pair := range a.set {
		field, text, err := cutSetting("--set", pair)
		if err != nil {
			return g, err
		}
		if err := g.take(param.KeyPrefix+field, strings.TrimSpace(text), "--set "+field, "--set "+pair); err != nil {
			return g, err
		}
	}
	return g, nil
}

// cutSetting reads the field=value of a flag.
func cutSetting(flag, pair string) (field, text string, err error) {
	field, text, ok := strings.Cut(pair, "=")
	if !ok {
		return "", "", fmt.Errorf("%s %s: give it as field=value, for example %s %s", flag, pair, flag, exampleSetting)
	}
	return strings.TrimPrefix(strings.TrimSpace(field), param.KeyPrefix), text, nil
}

// loadConfig resolves all settings for this run, to be used: a .env file that decides
// where data goes must be trusted.
func (a *app) loadConfig() (*config.Config, error) {
	c, err := a.readConfig()
	if err != nil {
		return nil, err
	}
	if err := a.mustTrust(c); err != nil {
		return nil, err
	}
	return c, nil
}

// readConfig is loadConfig for what is only shown, and for settings that say nothing
// of where data goes.
func (a *app) readConfig() (*config.Config, error) {
	given, err := a.givenSettings()
	if err != nil {
		return nil, err
	}
	file := a.configFile
	if file == "" {
		file = defaultConfig()
	}
	dotEnv := ".env"
	if path, err := dotEnvPath("."); err == nil {
		dotEnv = path
	}
	c, err := config.Load(settings(), config.Inputs{
		File: file, FileRequired: a.configFile != "", DotEnvFile: dotEnv, Environ: a.environ,
		Flags: given.texts, FlagNames: given.names, OwnPrefixes: ownPrefixes, Reserved: reservedVariables,
		ListSections: []string{keysSection},
	})
	if err != nil {
		return nil, err
	}
	if err := ui.CheckKeys(rebindings(c)); err != nil {
		return nil, err
	}
	if parent, child := c.Int("indexing.parent_max_tokens"), c.Int("indexing.child_target_tokens"); parent < child {
		return nil, fmt.Errorf("%s: indexing.parent_max_tokens: %d must be at least child_target_tokens, which is %d (%s)",
			c.Value("indexing.parent_max_tokens").Origin, parent, child, c.Value("indexing.child_target_tokens").Origin)
	}
	return c, nil
}
