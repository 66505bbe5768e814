package embedder

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/webrag/webrag-tui/remote"
)

// DefaultBaseURL is the server that is asked where none is named.
const DefaultBaseURL = "https://api.openai.com/v1"

// OpenAIConfig sets up a client. The zero value is OpenAI's small model without
// a key.
type OpenAIConfig struct {
	// BaseURL is the address up to and including the version.
	//
	// Defaults to https://api.openai.com/v1.
	BaseURL string

	// Model is the name that the server knows.
	//
	// Defaults to text-embedding-3-small.
	Model string

	// APIKey is sent as bearer token, if there is one.
	APIKey string

	// Dimensions is the wanted vector length, 1 to 4000. A server that returns
	// more is cut to it if the model was trained for that.
	//
	// Defaults to the model's; for an unknown model to what the first answer
	// has, see Probe.
	Dimensions int

	// BatchSize is the number of texts in a request, 1 to 2048. The server's
	// own limit is kept, too.
	//
	// Defaults to 256.
	BatchSize int

	// Workers is the number of requests under way at once, 1 to 64.
	//
	// Defaults to 4.
	Workers int

	// Tokenizer is the id of the tokenizer that counts what requests hold, as
	// NewTokenizer takes it. It is loaded when it is first needed.
	//
	// Defaults to that of the profile.
	Tokenizer string

	// Profile replaces what ProfileFor knows of the model.
	Profile *Profile

	// Remote sets up the HTTP layer; its Key is ignored.
	Remote remote.Config
}

// String describes the configuration without the key.
func (c OpenAIConfig) String() string {
	return fmt.Sprintf("embedder.OpenAIConfig{model %s, key set: %t}", c.Model, c.APIKey != "")
}

// GoString is String, so that no format verb shows the key.
func (c OpenAIConfig) GoString() string { return c.String() }

func (c OpenAIConfig) withDefaults() OpenAIConfig {
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	if c.Model == "" {
		c.Model = string(openai.SmallEmbedding3)
	}
	if c.BatchSize == 0 {
		c.BatchSize = 256
	}
	if c.Workers == 0 {
		c.Workers = 4
	}
	if c.Profile == nil {
		p := ProfileFor(c.BaseURL, c.Model)
		c.Profile = &p
	} else if c.Profile.Tokenizer == "" {
		p := *c.Profile
		p.Tokenizer = TokenizerApprox
		c.Profile = &p
	}
	c.Remote.Key = c.APIKey
	return c
}

// errBaseURL stands for the error of url.Parse, which would repeat the URL, and
// that may hold a password.
var errBaseURL = errors.New("the base URL of the embedding server must begin with http:// or https:// and a host")

func (c OpenAIConfig) validate() error {
	u, err := url.Parse(c.BaseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errBaseURL
	}
	for _, field := range []struct {
		name      string
		value     int
		low, high int
	}{
		{"dimensions", c.Dimensions, 0, 4000},
		{"batch size", c.BatchSize, 1, 2048},
		{"workers", c.Workers, 1, 64},
	} {
		if field.value < field.low || field.value > field.high {
			return fmt.Errorf("%s %d is outside %d to %d", field.name, field.value, field.low, field.high)
		}
	}
	return nil
}

// OpenAI embeds with a server that speaks the OpenAI embeddings protocol.
//
// It trusts no answer: the number of vectors, their indices, length and values
// are checked, because a vector that is silently wrong spoils every later
// search.
type OpenAI struct {
	cfg     OpenAIConfig
	profile Profile
	host    string // of the base URL
	http    *remote.Client
	api     *openai.Client

	dims      atomic.Int64 // 0 while unknown
	asked     atomic.Int64 // what requests ask for, 0 for nothing
	maxInputs atomic.Int64 // what the server takes at once, learned from refusals
	truncated atomic.Int64

	tokenizer func() (Tokenizer, error)
}

var _ Embedder = (*OpenAI)(nil)

// NewOpenAI returns a client. It sends nothing yet.
func NewOpenAI(cfg OpenAIConfig) (*OpenAI, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	base, err := url.Parse(cfg.BaseURL)
	if err != nil {
		return nil, errBaseURL
	}
	o := &OpenAI{cfg: cfg, profile: *cfg.Profile, host: base.Host, http: remote.New(cfg.Remote)}
	api := openai.DefaultConfig("") // the key stays with the HTTP layer
	api.BaseURL = strings.TrimRight(cfg.BaseURL, "/")
	api.HTTPClient = o.http
	o.api = openai.NewClientWithConfig(api)
	o.maxInputs.Store(int64(cfg.BatchSize))
	if o.profile.MaxInputs > 0 {
		o.maxInputs.Store(int64(min(cfg.BatchSize, o.profile.MaxInputs)))
	}
	o.dims.Store(int64(cfg.Dimensions))
	o.asked.Store(int64(o.wantedDimensions(cfg.Dimensions)))
	if cfg.Dimensions == 0 {
		o.dims.Store(int64(o.profile.Dims))
	}
	// Nobody who prints this embedder needs the key.
	o.cfg.APIKey, o.cfg.Remote = "", remote.Config{}
	o.tokenizer = sync.OnceValues(func() (Tokenizer, error) { return NewTokenizer(cmp.Or(cfg.Tokenizer, o.profile.Tokenizer)) })
	return o, nil
}

// Tokenizer loads the tokenizer that counts what requests hold.
func (o *OpenAI) Tokenizer() (Tokenizer, error) { return o.tokenizer() }

// Close closes idle connections.
func (o *OpenAI) Close() { o.http.Close() }

// Info describes the embedder. Before the first answer of an unknown model its
// Dims are 0 and its ID is not final: call Probe first.
func (o *OpenAI) Info() Info {
	dims := int(o.dims.Load())
	return Info{
		ID:        o.id(dims),
		Model:     o.cfg.Model,
		Dims:      dims,
		MaxTokens: o.profile.MaxTokens,
		Tokenizer: o.profile.Tokenizer,
	}
}

// id is the ID of the client with the given dimensions. Vectors that were cut are
// others than those of a model that has no more.
func (o *OpenAI) id(dims int) string {
	id := fmt.Sprintf("openai/%s/%d", o.cfg.Model, dims)
	if o.profile.Dims > dims {
		id += fmt.Sprintf("-of-%d", o.profile.Dims)
	}
	if p := o.profile; p.QueryPrefix+p.DocumentPrefix != "" {
		sum := sha256.Sum256([]byte(p.QueryPrefix + "\x00" + p.DocumentPrefix))
		id += fmt.Sprintf("/prefix-%x", sum[:4])
	}
	return id
}

// Adopt takes over how far a corpus cut its vectors, given the ID and the
// dimensions that it was made with, so that queries are cut alike and nobody has
// to repeat a number that the corpus knows. It reports whether it did: not if
// dimensions are configured, the model is not known to bear cutting, or the corpus
// is another model's. Call it before the first request.
func (o *OpenAI) Adopt(id string, dims int) bool {
	if o.cfg.Dimensions != 0 || !o.profile.Matryoshka || dims < 1 || dims >= o.profile.Dims || o.id(dims) != id {
		return false
	}
	o.dims.Store(int64(dims))
	o.asked.Store(int64(o.wantedDimensions(dims)))
	return true
}

// DefaultCalibration returns percentiles that leave cosines as they are,
// because nothing is known of the model's scale before it is measured.
func (o *OpenAI) DefaultCalibration() (p50, p995 float64) { return 0, .3 }

// Truncated returns how many texts were shortened so far because the server
// found them too long.
func (o *OpenAI) Truncated() int { return int(o.truncated.Load()) }

// Probe embeds two short texts, so that Info knows the dimensions of an unknown
// model and a server that cannot embed is noticed before the work begins.
func (o *OpenAI) Probe(ctx context.Context) error {
	vecs, err := o.EmbedMany(ctx, []string{
		"A lighthouse.",
		"Gradient boosting builds decision trees one after the other, each on the errors of those before.",
	}, RoleDocument)
	if err != nil {
		return fmt.Errorf("probe: %w", err)
	}
	var cos float64
	for i, x := range vecs[0] {
		cos += float64(x) * float64(vecs[1][i])
	}
	if cos > .999 {
		return fmt.Errorf("probe: %w", &BadResponseError{Why: "two different texts have the same vector"})
	}
	return nil
}

// queryTimeout bounds one attempt at a query, for which someone is waiting.
// Batches have the longer default of the HTTP layer.
const queryTimeout = 30 * time.Second

// EmbedOne embeds a single text.
func (o *OpenAI) EmbedOne(ctx context.Context, text string, role Role) ([]float32, error) {
	if err := checkBlank([]string{text}); err != nil {
		return nil, err
	}
	b := batch{texts: []string{o.profile.prefix(role) + text}, timeout: queryTimeout}
	vecs, err := o.embedBatch(ctx, b)
	if err != nil {
		return nil, o.describe(err)
	}
	return vecs[0], nil
}

// EmbedMany embeds texts in batches, several at a time. The first batch that
// fails ends the others.
func (o *OpenAI) EmbedMany(ctx context.Context, texts []string, role Role) ([][]float32, error) {
	if err := checkBlank(texts); err != nil {
		return nil, err
	}
	batches, err := o.cut(texts, o.profile.prefix(role))
	if err != nil {
		return nil, err
	}
	vecs, err := o.embedBatches(ctx, batches)
	if err != nil {
		return nil, o.describe(err)
	}
	return vecs, nil
}

// describe names the model, and the server where the error does not: those of
// the HTTP layer do.
func (o *OpenAI) describe(err error) error {
	var unusable *BadResponseError
	var dims *DimensionError
	if errors.As(err, &unusable) || errors.As(err, &dims) {
		return fmt.Errorf("embed with %s at %s: %w", o.cfg.Model, o.host, err)
	}
	return fmt.Errorf("embed with %s: %w", o.cfg.Model, err)
}
