package main

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

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
