package param

import (
	"math"

	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// calibratedKnee is the calibrated similarity of [store.Calibration.Knee]: where
// both pieces of the scale meet.
const calibratedKnee = 0.3

// Floor is a similarity floor as it was set and as it cuts.
type Floor struct {
	// Off says that nothing is cut.
	Off bool
	// Setting is the parameter's value, on Scale.
	Setting float64
	// Scale is raw or calibrated, never auto.
	Scale FloorScale
	// Raw is the cosine that a child must exceed.
	Raw float64
}

// Passes reports whether a cosine is above the floor. Equality is below.
func (f Floor) Passes(cosine float64) bool { return f.Off || cosine > f.Raw }

// Cosine is Raw for another program, with six decimals: two computations of one
// cosine differ by more.
func (f Floor) Cosine() float64 { return math.Round(f.Raw*1e6) / 1e6 }

// Worded is the floor in words where it cuts at a cosine.
func (f Floor) Worded(cosine float64) phrase.Floor {
	return phrase.Floor{Cosine: cosine, Setting: f.Setting, Calibrated: f.Scale == FloorCalibrated}
}

// String shows every number that the floor has: ".300" or, where it was set on
// the calibrated scale, ".300 cal = .327 raw".
func (f Floor) String() string {
	switch {
	case f.Off:
		return "off"
	case f.Scale == FloorCalibrated:
		return phrase.Short(f.Setting) + " cal = " + phrase.Short(f.Raw) + " raw"
	default:
		return phrase.Short(f.Raw)
	}
}

// Said is the cosine at which the floor cuts, with the setting where that is another
// number: ".327 (set as .300)".
func (f Floor) Said() string {
	switch {
	case f.Off:
		return "off"
	case f.Scale == FloorCalibrated:
		return phrase.Short(f.Raw) + " (set as " + phrase.Short(f.Setting) + ")"
	default:
		return phrase.Short(f.Raw)
	}
}

// NeedsScale reports whether the floor is a number on the scale of a corpus, so
// that the cosine at which it cuts is known of a corpus only. lexical says that
// the embedder knows words and not meanings (its Info).
func (p Params) NeedsScale(lexical bool) bool {
	return p.SimilarityFloor > -1 && (p.FloorScale == FloorCalibrated || p.FloorScale == FloorAuto && lexical)
}

// FloorOn decides on which scale the floor is read on a corpus with the calibration c,
// and translates it to the cosine that cuts there. uncalibrated is true when the
// calibrated scale was meant but the corpus has none; the floor is raw then.
func (p Params) FloorOn(lexical bool, c store.Calibration) (f Floor, uncalibrated bool) {
	f = Floor{Off: p.SimilarityFloor <= -1, Setting: p.SimilarityFloor, Scale: FloorRaw, Raw: p.SimilarityFloor}
	if p.FloorScale == FloorCalibrated || p.FloorScale == FloorAuto && lexical {
		if !usable(c) {
			return f, !f.Off
		}
		f.Scale, f.Raw = FloorCalibrated, rawFromCalibrated(c, p.SimilarityFloor)
	}
	return f, false
}

// usable reports whether c describes a scale: percentiles in order and apart
// from 1.
func usable(c store.Calibration) bool { return c.P50 < c.Knee() && c.P995 < 1 }

// rawFromCalibrated translates a calibrated similarity to a cosine. It is the
// inverse of [Calibrated] above 0; below, the first piece goes on.
func rawFromCalibrated(c store.Calibration, s float64) float64 {
	knee := c.Knee()
	if s <= calibratedKnee {
		return c.P50 + float64(s/calibratedKnee*(knee-c.P50))
	}
	return knee + float64((s-calibratedKnee)/(1-calibratedKnee)*(1-knee))
}

// Calibrated translates a cosine to the scale of a corpus: 0 up to the median of
// unrelated chunks, .3 at [store.Calibration.Knee], 1 at 1, linear in between. It
// is for showing; ranking stays on the cosine, since everything below the median
// is one here. Without a usable calibration the cosine comes back unchanged.
func Calibrated(c store.Calibration, cosine float64) float64 {
	knee := c.Knee()
	switch {
	case !usable(c):
		return cosine
	case cosine <= c.P50:
		return 0
	case cosine <= knee:
		return calibratedKnee * (cosine - c.P50) / (knee - c.P50)
	default:
		return calibratedKnee + float64((1-calibratedKnee)*(cosine-knee)/(1-knee))
	}
}
