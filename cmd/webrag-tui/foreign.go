package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// The codes of notices on opening a corpus.
const (
	noticeCorpus  = "corpus_warning"
	noticeAdvice  = "server_advice"
	noticeAdopted = "embedder_adopted"
	noticeUnlike  = "embedder_unlike"
)

// theEmbedder stands for an embedder's id where that is not kept: it may name a file.
const theEmbedder = "the configured embedder"

// corpusNotices are what whoever opens a corpus should read once.
func corpusNotices(info store.Info) []retrieval.Notice { return warnings(noticeCorpus, info.Warnings) }

// advice is what whoever maintains the server of a corpus should read: now and then,
// and not with each answer.
func advice(info store.Info) []retrieval.Notice { return warnings(noticeAdvice, info.Advice) }

func warnings(code string, texts []string) []retrieval.Notice {
	return eachOf(texts, func(text string) retrieval.Notice { return retrieval.Notice{Code: code, Text: text, Warning: true} })
}

// adoptForeign takes e for the embedder of a corpus whose program did not say
// which one that was. What comes back is e, or where its vectors cannot be
// compared with those of the corpus an embedder that says so: everything else
// about the corpus can be looked at even so.
//
// The first time, and whenever the corpus has changed since, a few stored passages
// are embedded anew and compared with their vectors, and the outcome is kept beside
// the corpus. Nothing is kept of one without vectors.
func adoptForeign(ctx context.Context, e embedder.Embedder, st store.Store) (embedder.Embedder, []retrieval.Notice, error) {
	have, info := st.Info(), e.Info()
	if why := incomparable(have, info); why != "" {
		return unfit{have.Meta, errors.New(why)}, nil, nil
	}
	var notices []retrieval.Notice
	isNew := have.Meta.EmbedderID != info.ID
	if isNew || have.Meta.AgreementAt != have.Meta.Changed {
		texts, err := recognise(ctx, e, st)
		if err != nil {
			return nil, nil, err
		}
		if texts == 0 {
			return unmeasured{e, have.Meta.EmbedderID}, nil, nil
		}
		if m := st.Info().Meta; isNew && m.Agreement >= indexing.LeastAgreement {
			adopted := func(id string) string {
				return fmt.Sprintf("%s does not say which model made its vectors; %s agrees with them (cosine %.3f), which is remembered on this machine", have.Name, id, m.Agreement)
			}
			notices = append(notices, retrieval.Notice{Code: noticeAdopted, Text: adopted(info.ID), Placeless: adopted(theEmbedder)})
		}
	}
	if m := st.Info().Meta; m.Agreement < indexing.LeastAgreement {
		notices = append(notices, retrieval.Notice{Code: noticeUnlike, Warning: true, Text: unlike(info.ID, have.Name, m.Agreement, m.Dimensions), Placeless: unlike(theEmbedder, have.Name, m.Agreement, m.Dimensions)})
	}
	return e, notices, nil
}

// recognise compares an embedder with stored vectors and keeps what came of it,
// unless there was nothing to compare.
func recognise(ctx context.Context, e embedder.Embedder, st store.Store) (texts int, err error) {
	keeper, ok := st.(store.NoteKeeper)
	if !ok {
		return 0, fmt.Errorf("corpus %s can keep no embedder", st.Info().Name)
	}
	v, err := st.Read(ctx)
	if err != nil {
		return 0, err
	}
	m := v.Meta()
	m.Agreement, texts, err = indexing.Agreement(ctx, v, e)
	if err = errors.Join(err, v.Close()); err != nil {
		return 0, fmt.Errorf("compare the embedder with the vectors of %s: %w", st.Info().Name, err)
	}
	if texts == 0 {
		return 0, nil
	}
	m.AgreementAt = m.Changed
	m.EmbedderID, m.Calibration = e.Info().ID, indexing.DefaultCalibration(e)
	return texts, keeper.Remember(ctx, m)
}

// incomparable says why vectors of an embedder cannot be compared with those of a
// corpus, nothing if they can.
func incomparable(have store.Info, info embedder.Info) string {
	switch dims := have.Meta.Dimensions; {
	case dims == 0 && len(have.Warnings) > 0:
		return fmt.Sprintf("%s has no vectors to search: %s", have.Name, strings.Join(have.Warnings, "; "))
	case dims == 0:
		return have.Name + " has no vectors to search"
	case dims != info.Dims:
		return fmt.Sprintf("the vectors of %s have %d dimensions, those of the configured embedder %s have %d; configure the one that made them%s",
			have.Name, dims, info.ID, info.Dims, usual(dims))
	}
	return ""
}

// usual says how to configure a model that makes so many dimensions.
func usual(dims int) string {
	const how = "EMBEDDING_BASE_URL and EMBEDDING_MODEL name a server and its model"
	models := embedder.UsualModels(dims)
	if len(models) == 0 {
		return ": " + how
	}
	return fmt.Sprintf(": with %d dimensions usually %s (%s)", dims, strings.Join(models, ", "), how)
}

// unmeasured is an embedder that could not be compared with the vectors of a corpus,
// because those that were looked at are not there. It goes by the name that the
// corpus knows, so that it is compared as soon as they are.
type unmeasured struct {
	embedder.Embedder
	id string
}

func (u unmeasured) Info() embedder.Info {
	info := u.Embedder.Info()
	info.ID = u.id
	return info
}

// unfit stands for the embedder of a corpus that none of ours can be compared
// with: it refuses to embed and says why.
type unfit struct {
	corpus store.Meta
	why    error
}

func (u unfit) Info() embedder.Info {
	return embedder.Info{ID: u.corpus.EmbedderID, Dims: u.corpus.Dimensions, InProcess: true}
}

func (u unfit) EmbedMany(context.Context, []string, embedder.Role) ([][]float32, error) {
	return nil, u.why
}

func (u unfit) EmbedOne(context.Context, string, embedder.Role) ([]float32, error) {
	return nil, u.why
}

// probably says what may have happened where an embedder almost agrees with the
// vectors of a corpus, nothing where it is another one.
func probably(agreement float64) string {
	if agreement < indexing.LikelyAgreement || agreement >= indexing.LeastAgreement {
		return ""
	}
	return "probably the same model with other text around it (title, heading, prefix)"
}

// unlike says that an embedder did not make the vectors of a foreign corpus as they
// are.
func unlike(id, corpus string, agreement float64, dims int) string {
	const cosine = "a stored passage and its vector have a cosine of %.3f, which should be 1"
	if why := probably(agreement); why != "" {
		return fmt.Sprintf("%s agrees only nearly with the vectors of %s: "+cosine+"; %s, and similarities are somewhat too low", id, corpus, agreement, why)
	}
	return fmt.Sprintf("%s did not make the vectors of %s: "+cosine+"; similarities mean nothing until the right model is configured%s", id, corpus, agreement, usual(dims))
}
