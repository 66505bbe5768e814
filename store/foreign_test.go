package store

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestCheckMeta(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", mostName+1)
	for says, m := range map[string]Meta{
		"":                            {},
		"schema version -1":           {SchemaVersion: -1},
		"-1 dimensions":               {Dimensions: -1},
		"16001 dimensions":            {Dimensions: mostDimensions + 1},
		"changed -1 times":            {Changed: -1},
		"changed 9223372036854775807": {Changed: math.MaxInt64},
		"embedder_id in":              {EmbedderID: long},
		"tokenizer in":                {Tokenizer: long},
		"pipeline_fingerprint in":     {Fingerprint: long},
		"calibration in":              {Calibration: Calibration{EmbedderID: long}},
	} {
		err := CheckMeta(&m)
		if says == "" && err != nil || says != "" && (!errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), says)) {
			t.Errorf("%q: %v", says, err)
		}
	}
	if err := CheckMeta(&Meta{SchemaVersion: 99, Dimensions: mostDimensions, Changed: math.MaxInt64 - 1, Tokenizer: long[1:]}); err != nil {
		t.Error(err)
	}
}

func TestCheckPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		index, charStart, charEnd, tokenStart, tokenEnd, htmlTokens int64
		says                                                        string
	}{
		{},
		{mostPlace, mostPlace - mostText, mostPlace, mostPlace - mostText, mostPlace, mostText, ""},
		{index: -1, says: "out of range: index -1"},
		{index: mostPlace + 1, says: "out of range"},
		{charStart: -1, says: "out of range"},
		{charStart: mostPlace + 1, charEnd: mostPlace + 1, says: "out of range"},
		{tokenStart: mostPlace + 1, tokenEnd: mostPlace + 1, says: "out of range"},
		{htmlTokens: math.MaxInt64, says: "out of range"},
		{charStart: 2, charEnd: 1, says: "ends before it starts"},
		{tokenStart: 2, tokenEnd: 1, says: "ends before it starts"},
		{charStart: 78, charEnd: 78 + mostText + 1, says: "8388609 characters"},
		{tokenStart: 5, tokenEnd: 5 + mostText + 1, says: "8388609 tokens"},
		{htmlTokens: mostText + 1, says: "8388609 of HTML"},
	} {
		err := CheckPlace(c.index, c.charStart, c.charEnd, c.tokenStart, c.tokenEnd, c.htmlTokens)
		if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
