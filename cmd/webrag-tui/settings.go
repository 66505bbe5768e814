package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui"
)

// appFolder is the program's folder in each of the user's folders.
const appFolder = "webrag-tui"

// defaultCorpus is the corpus that is used when none is named.
func defaultCorpus() string { return filepath.Join(xdg.DataHome, appFolder, "corpus.db") }

// defaultConfig is the config file that is read when none is named.
func defaultConfig() string { return filepath.Join(xdg.ConfigHome, appFolder, "config.toml") }

// ownPrefixes are the prefixes of environment variables that belong to the
// program; reservedVariables are those among them that other parts of a project
// use, so that one .env file serves several programs.
var (
	ownPrefixes       = []string{"RETRIEVAL_", "EMBEDDING_", "WEBRAG_"}
	reservedVariables = []string{"WEBRAG_TEST_", "WEBRAG_CORPORA"}
)

// settings returns the table of all settings: the program's own, and one for each
// parameter of retrieval. It is made once, since each of some hundred flags looks for its
// own in it, and is not to be changed.
var settings = sync.OnceValue(makeSettings)

func makeSettings() []config.Setting {
	table := []config.Setting{
		{
			Key: "corpus.path", Env: "DATABASE_URL", LateEnv: true, Flag: "corpus", Show: postgres.Redact,
			DefaultNote: "corpus.db in the data folder", Example: "corpus.db", Help: "The corpus: a file made by 'webrag-tui index', or a PostgreSQL database, as postgres://USER@HOST/DATABASE.",
		},
		{
			Key: "corpus.table", Env: "WEBRAG_TABLE", Flag: "table", Example: "public.passages",
			Help: "Look at this table of the database, which another program made, as NAME or SCHEMA.NAME; those of LangChain and LlamaIndex are found without.",
		},
		{
			Key: "corpus.map", Env: "WEBRAG_MAP", Flag: "map", Example: "text=content,embedding=vector,source=meta.url",
			Help: "What the columns of the table mean, as NAME=COLUMN with commas between, of text, embedding, id, source, title, heading, owner, created, metadata and collection; what is not named is guessed.",
		},
		{
			Key: "corpus.owner", Env: "WEBRAG_OWNER", Flag: "owner",
			Help:        "See and write only the documents of this owner, none that belong to nobody; without it, everybody's.",
			WhyNotEmpty: "an empty owner would mean everybody; name one, or leave the setting out to see and write everybody's documents",
		},
		{
			Key: "corpus.memory", Env: "WEBRAG_MEMORY", Kind: config.Integer, Min: 1, Max: 1 << 30, DefaultNote: "half of the machine's memory", Example: "4096",
			Help: "The most memory that searching a corpus file may take, in MB; a larger one is refused before it is loaded.",
		},
		{
			Key: "embedding.provider", Env: "EMBEDDING_PROVIDER", Kind: config.Choice, Values: []string{providerBuiltin, providerOpenAI, providerModel2Vec},
			Default: providerBuiltin, Help: "builtin needs nothing and finds word forms; openai is any server with that API; model2vec is a folder with a static model. A base URL or a key selects openai.",
		},
		{
			Key: "embedding.base_url", Env: "EMBEDDING_BASE_URL", Show: postgres.Redact, DefaultNote: "https://api.openai.com/v1", Example: "http://localhost:11434/v1",
			Help: "Address of the embedding server, up to and with /v1.",
		},
		{
			Key: "embedding.model", Env: "EMBEDDING_MODEL", DefaultNote: "text-embedding-3-small", Example: "nomic-embed-text",
			Help: "The model that the server embeds with; for model2vec the model's folder.",
		},
		{Key: "embedding.api_key", Env: "EMBEDDING_API_KEY", Secret: true, Help: "The server's key, if it wants one."},
		{
			Key: "embedding.dimensions", Env: "EMBEDDING_DIMENSIONS", Kind: config.Integer, Min: 1, Max: 4000,
			DefaultNote: "the corpus's, for a new one the model's", Help: "Dimensions of the vectors; fewer than the model's where it bears cutting.",
		},
		{
			Key: "embedding.tokenizer", Env: "EMBEDDING_TOKENIZER", Kind: config.Choice, Values: []string{"cl100k_base", "o200k_base", "hf:PATH", "wordpiece:PATH", "approx"},
			DefaultNote: "the corpus's, for a new one the model's", Help: "The tokenizer that sizes and budgets are counted with; hf takes the tokenizer.json of a model, wordpiece that of a WordPiece model.",
		},
		{
			Key: "embedding.batch_size", Env: "EMBEDDING_BATCH_SIZE", Kind: config.Integer, Min: 1, Max: 2048, Default: "256",
			Help: "Texts in a request to the server.", Unit: "texts",
		},
		{
			Key: "embedding.max_workers", Env: "EMBEDDING_MAX_WORKERS", Kind: config.Integer, Min: 1, Max: 64, Default: "4",
			Help: "Requests to the server at a time.", Unit: "requests",
		},
		{
			Key: "llm.base_url", Env: "LLM_BASE_URL", Show: postgres.Redact, DefaultNote: "none: no language model", Example: "http://localhost:11434/v1",
			Help: "Address of the language model's server, up to and with /v1; only the reranker llm asks it.",
		},
		{
			Key: "llm.model", Env: "LLM_MODEL", Example: "qwen3:8b",
			Help: "The language model that the server runs.",
		},
		{Key: "llm.api_key", Env: "LLM_API_KEY", Secret: true, Help: "The language model server's key, if it wants one."},
		{
			Key: "indexing.child_target_tokens", Env: "CHILD_TARGET_TOKENS", Kind: config.Integer, Min: 32, Max: 4096, Default: "256",
			Help: "The most tokens of a passage, the unit of search.", Unit: "tokens",
		},
		{
			Key: "indexing.parent_max_tokens", Env: "PARENT_MAX_TOKENS", Kind: config.Integer, Min: 32, Max: math.MaxInt32, Default: "1000",
			Help: "The most tokens of a section, the unit of context; at least those of a passage.", Unit: "tokens",
		},
		{
			Key: "indexing.chunk_children", Env: "CHUNK_CHILDREN", Kind: config.Choice, Values: []string{"merged", "paragraph"}, Default: "merged",
			Help: "merged packs paragraphs up to the target; paragraph makes each one a passage.",
		},
		{
			Key: "citations.base_url", Env: "CITATION_BASE_URL", Show: postgres.Redact, DefaultNote: "none: every page has its own address", Example: citations.TextbookBaseURL,
			Help: "What the addresses of citations begin with, for documents that have a path: it stands in place of their own address, before the path without its ending.",
		},
		{
			Key: "evaluation.sets", Env: "WEBRAG_SETS", Flag: "sets", DefaultNote: "sets in the data folder", Example: "eval",
			Help: "The folder of the query sets, which have a folder each.",
		},
		{
			Key: "evaluation.judge", Env: "WEBRAG_JUDGE", DefaultNote: "the user's name", Example: "ana",
			Help: "Who judges in the explorer and on the command line.",
		},
		{
			Key: "ui.theme", Env: "WEBRAG_THEME", Flag: "theme", Default: theme.Lamp,
			Help: "The colours of the explorer: " + strings.Join(theme.Names(), ", ") + ", or a theme of one's own, the name of a file in the folder of themes or its path.",
		},
		{
			Key: "ui.background", Env: "WEBRAG_BACKGROUND", Flag: "background", Kind: config.Choice, Values: []string{"auto", "dark", "light"}, Default: "auto",
			Help: "The terminal's background; auto asks the terminal and takes dark until it answers.",
		},
		{
			Key: "ui.plain", Env: "WEBRAG_PLAIN", Flag: "plain", Kind: config.Boolean, Default: "false",
			Help: "A screen to be read aloud or by touch: one pane at a time, words and ASCII in place of lines and bars, no colours, no mouse.",
		},
		{Key: "ui.mouse", Kind: config.Boolean, Default: "true", Help: "Take the mouse for clicks and the wheel."},
	}
	return append(table, retrievalSettings()...)
}

// presetKey is the setting that the parameters start from.
const presetKey = "retrieval.preset"

// retrievalSettings makes a setting of every parameter, so that the two tables
// cannot drift apart.
func retrievalSettings() []config.Setting {
	table := []config.Setting{
		{
			Key: presetKey, Env: "WEBRAG_PRESET", Flag: "preset", Example: param.PresetWebRAG,
			DefaultNote: param.PresetBlend + " with the built-in embedder, " + param.PresetWebRAG + " with a model",
			Help:        "The strategy whose parameters are the defaults: " + strings.Join(param.Presets(), ", ") + ", or a profile's name or file.",
		},
	}
	table = append(table, rerankSettings()...)
	webrag, _ := param.Preset(param.PresetWebRAG)
	for _, spec := range param.Specs() {
		value := webrag.Get(spec.Field)
		s := config.Setting{
			Key: spec.Key, Env: spec.Env, Flag: spec.Flag, Help: spec.Help, Unit: spec.Unit,
			Min: spec.Min, Max: spec.Max, DefaultNote: "the preset's, with webrag " + value, Example: value,
		}
		switch spec.Kind {
		case param.KindInt:
			s.Kind = config.Integer
		case param.KindFloat:
			s.Kind = config.Float
		case param.KindBool:
			s.Kind = config.Boolean
		case param.KindEnum:
			s.Kind, s.Values = config.Choice, spec.Values
		}
		table = append(table, s)
	}
	return table
}

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
