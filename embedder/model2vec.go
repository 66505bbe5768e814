package embedder

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/webrag/webrag-tui/embedder/internal/huggingface"
	"github.com/webrag/webrag-tui/file"
)

const (
	// model2vecTokens is how many tokens of a text count, as in the library
	// that such models are made with.
	model2vecTokens = 512
	// maxDims is the most that a vector may have anywhere in the program.
	maxDims = 4000

	maxModelBytes  = 2 << 30
	maxConfigBytes = 1 << 20
)

// Model2Vec embeds with a static model: each token of the vocabulary has a
// vector, and a text has the mean of those of its tokens. That is as fast as the
// built-in embedder, and unlike it knows synonyms. A text without any known
// token has the zero vector.
type Model2Vec struct {
	info      Info
	tokenizer modelTokenizer
	vocab     huggingface.Vocabulary
	dims      int
	rows      []float32 // one after the other
	weights   []float32 // of tokens, nil for 1 each
	mapping   []int32   // token to row, nil for the same number
	// hasNorm says that the model asks for vectors of length one. All vectors
	// get it at the end; it makes no difference but in between.
	hasNorm bool
}

var _ Embedder = (*Model2Vec)(nil)

// LoadModel2Vec reads a model from its folder, which has the files config.json,
// tokenizer.json and model.safetensors, or is in the layout of
// sentence-transformers, flat or with a folder 0_StaticEmbedding. The tokenizer is
// one that LoadTokenizer reads, and the tensors are of type F32, F16, F64 or I8.
func LoadModel2Vec(dir string) (*Model2Vec, error) {
	m, err := loadModel2Vec(dir)
	if err != nil {
		return nil, fmt.Errorf("load the Model2Vec model %s: %w", dir, err)
	}
	return m, nil
}

func loadModel2Vec(dir string) (*Model2Vec, error) {
	files, err := findModel2Vec(dir)
	if err != nil {
		return nil, err
	}
	hasNorm, err := readModel2VecConfig(files.config)
	if err != nil {
		return nil, err
	}
	tok, err := loadModelTokenizer(files.tokenizer)
	if err != nil {
		return nil, err
	}
	tensors, sum, err := readModelTensors(files.tensors)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", files.tensors, err)
	}
	m, err := newModel2Vec(tok, tensors)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", files.tensors, err)
	}
	m.hasNorm = hasNorm
	name := filepath.Base(dir)
	if abs, err := filepath.Abs(dir); err == nil {
		name = filepath.Base(abs)
	}
	m.info = Info{
		// The folder's name is not part of it: a model may be moved.
		ID:        fmt.Sprintf("model2vec/%d/%s-%s", m.dims, sum, tok.ID()[strings.IndexByte(tok.ID(), ':')+1:]),
		Model:     name,
		Dims:      m.dims,
		MaxTokens: model2vecTokens,
		Tokenizer: tok.ID(),
		InProcess: true,
	}
	return m, nil
}

// model2VecFiles are the paths of a model's files.
type model2VecFiles struct{ config, tokenizer, tensors string }

// findModel2Vec finds the files in each of the layouts.
func findModel2Vec(dir string) (model2VecFiles, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return model2VecFiles{}, err
	}
	if !info.IsDir() {
		return model2VecFiles{}, errors.New("it is a file; give the folder that it is in")
	}
	const tensors = "model.safetensors"
	for _, sub := range []string{"", "0_StaticEmbedding"} {
		at := filepath.Join(dir, sub)
		if _, err := os.Stat(filepath.Join(at, tensors)); err == nil {
			return model2VecFiles{
				config:    filepath.Join(dir, "config.json"),
				tokenizer: filepath.Join(at, tokenizerFile),
				tensors:   filepath.Join(at, tensors),
			}, nil
		}
	}
	return model2VecFiles{}, fmt.Errorf("the folder has no %s, nor has a folder 0_StaticEmbedding in it", tensors)
}

// readModel2VecConfig returns whether the model normalises. Without a file, as
// in the layouts of sentence-transformers, and without a word about it, it does
// not.
func readModel2VecConfig(path string) (bool, error) {
	raw, err := file.Read(path, maxConfigBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var config struct {
		Normalize bool `json:"normalize"`
	}
	if err := json.Unmarshal(raw, &config); err != nil {
		return false, fmt.Errorf("read %s: %w", path, err)
	}
	return config.Normalize, nil
}

// The names of the tensors.
const (
	rowsTensor    = "embeddings"
	rowsTensorST  = "embedding.weight" // of sentence-transformers
	weightsTensor = "weights"
	mappingTensor = "mapping"
)

// readModelTensors returns the tensors and the first 8 hexadecimal digits of the
// file's sha256.
func readModelTensors(path string) (map[string]*tensor, string, error) {
	f, err := file.Open(path, maxModelBytes)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	hash := sha256.New()
	tensors, err := readSafetensors(io.TeeReader(f, hash), f.Size(), map[string]bool{
		rowsTensor: false, rowsTensorST: false, weightsTensor: false, mappingTensor: true,
	})
	if err != nil {
		return nil, "", err
	}
	return tensors, fmt.Sprintf("%x", hash.Sum(nil)[:4]), nil
}

// newModel2Vec checks that the tensors fit each other and the vocabulary.
func newModel2Vec(tok modelTokenizer, tensors map[string]*tensor) (*Model2Vec, error) {
	rows := tensors[rowsTensor]
	if rows == nil {
		rows = tensors[rowsTensorST]
	}
	switch {
	case rows == nil:
		return nil, fmt.Errorf("it has no tensor %s or %s, so it is no Model2Vec model", rowsTensor, rowsTensorST)
	case len(rows.shape) != 2 || rows.shape[0] == 0 || rows.shape[1] == 0:
		return nil, fmt.Errorf("its vectors have the shape %v, not [tokens dimensions]", rows.shape)
	case rows.shape[1] > maxDims:
		return nil, fmt.Errorf("its vectors have %d dimensions, more than %d", rows.shape[1], maxDims)
	}
	m := &Model2Vec{tokenizer: tok, vocab: tok.vocabulary(), dims: rows.shape[1], rows: rows.floats}
	tokens := max(m.vocab.Size, m.vocab.Highest+1)
	if w := tensors[weightsTensor]; w != nil {
		if len(w.shape) != 1 || w.shape[0] != tokens {
			return nil, fmt.Errorf("its weights have the shape %v for %d tokens", w.shape, tokens)
		}
		m.weights = w.floats
	}
	if p := tensors[mappingTensor]; p != nil {
		if len(p.shape) != 1 || p.shape[0] != tokens {
			return nil, fmt.Errorf("its mapping has the shape %v for %d tokens", p.shape, tokens)
		}
		for id, row := range p.ints {
			if row < 0 || int(row) >= rows.shape[0] {
				return nil, fmt.Errorf("its mapping sends token %d to row %d of %d", id, row, rows.shape[0])
			}
		}
		m.mapping = p.ints
	} else if rows.shape[0] != tokens {
		return nil, fmt.Errorf("it has %d vectors for the %d tokens of its tokenizer.json", rows.shape[0], tokens)
	}
	return m, nil
}

// Info describes the embedder. Its ID ends in the hashes of the vectors and of
// the tokenizer.
func (m *Model2Vec) Info() Info { return m.info }

// Tokenizer returns the model's own tokenizer.
func (m *Model2Vec) Tokenizer() Tokenizer { return m.tokenizer }

// DefaultCalibration returns percentiles that leave cosines as they are, because
// nothing is known of the model's scale before it is measured.
func (m *Model2Vec) DefaultCalibration() (p50, p995 float64) { return 0, .3 }

// EmbedOne embeds a single text. The role makes no difference.
func (m *Model2Vec) EmbedOne(ctx context.Context, text string, role Role) ([]float32, error) {
	vecs, err := m.EmbedMany(ctx, []string{text}, role)
	if err != nil {
		return nil, err
	}
	return vecs[0], nil
}

// EmbedMany embeds texts on all cores. It stops between two texts when ctx ends.
// The only other error is an EmptyInputError.
func (m *Model2Vec) EmbedMany(ctx context.Context, texts []string, _ Role) ([][]float32, error) {
	if err := checkBlank(texts); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	err := onAllCores(ctx, len(texts), func(ctx context.Context, from, to int) error {
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("embed: %w", err)
			}
			out[i] = m.embed(texts[i])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// embed returns the unit vector of a text, zero without known tokens.
func (m *Model2Vec) embed(text string) []float32 {
	mean := m.mean(text)
	v := make([]float32, len(mean))
	norm := length(mean)
	if norm == 0 {
		return v
	}
	for i, x := range mean {
		v[i] = float32(x / norm)
	}
	return v
}

// mean is what the model itself makes of a text: the weighted mean of the rows
// of its first known tokens, with length one if the model asks for that. Rows
// keep their lengths, which are part of the training; a weight belongs to the
// token, a row to all tokens that map to it.
func (m *Model2Vec) mean(text string) []float64 {
	sum := make([]float64, m.dims)
	n := 0
	m.tokenizer.each(m.cut(text), func(id int32, _ int) bool {
		if id == m.vocab.Unknown {
			return true
		}
		m.addRow(sum, id)
		n++
		return n < model2vecTokens
	})
	if n == 0 {
		return sum
	}
	norm := 1.
	for i := range sum {
		sum[i] /= float64(n)
	}
	if m.hasNorm {
		norm = length(sum) + 1e-32
	}
	for i := range sum {
		sum[i] /= norm
	}
	return sum
}

// addRow adds the weighted row of a token.
func (m *Model2Vec) addRow(sum []float64, id int32) {
	row, weight := id, 1.
	if m.mapping != nil {
		row = m.mapping[id]
	}
	if m.weights != nil {
		weight = float64(m.weights[id])
	}
	at := int(row) * m.dims
	for i, x := range m.rows[at : at+m.dims] {
		// The conversion keeps the product from being fused with the sum, which
		// would make the bits depend on the machine.
		sum[i] += float64(weight * float64(x))
	}
}

// cut returns as much of a text as 512 tokens of the median length have, which
// bounds the work on long ones.
func (m *Model2Vec) cut(text string) string {
	most := model2vecTokens * m.vocab.MedianRunes
	if len(text) <= most {
		return text
	}
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}

func length(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += float64(x * x)
	}
	return math.Sqrt(s)
}
