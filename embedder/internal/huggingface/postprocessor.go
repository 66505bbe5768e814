package huggingface

import (
	"encoding/json"
	"errors"
)

// SpecialTokens returns how many tokens a post-processor puts around a text.
func SpecialTokens(raw json.RawMessage) (int, error) {
	kind, err := typeOf(raw)
	if err != nil || kind == "" {
		return 0, err
	}
	n, err := specialTokensOf(kind, raw)
	if err != nil && !errors.As(err, new(*partError)) {
		err = &partError{kind, err}
	}
	return n, err
}

func specialTokensOf(kind string, raw json.RawMessage) (int, error) {
	switch kind {
	case "ByteLevel":
		return 0, nil
	case "BertProcessing", "RobertaProcessing":
		return 2, nil // one before the text, one behind it
	case "TemplateProcessing":
		return templateTokens(raw)
	case "Sequence":
		var f struct {
			typed
			Processors []json.RawMessage `json:"processors"`
		}
		if err := fields(raw, &f); err != nil {
			return 0, err
		}
		sum := 0
		for _, part := range f.Processors {
			n, err := SpecialTokens(part)
			if err != nil {
				return 0, err
			}
			sum += n
		}
		return sum, nil
	}
	return 0, errUnknownType
}

// templateTokens counts the tokens of a template for one text, such as
// "<s> $A </s>".
func templateTokens(raw json.RawMessage) (int, error) {
	var f struct {
		typed
		Single []struct {
			SpecialToken *struct {
				ID     string `json:"id"`
				TypeID int    `json:"type_id"`
			} `json:"SpecialToken"`
			Sequence *struct {
				ID     string `json:"id"`
				TypeID int    `json:"type_id"`
			} `json:"Sequence"`
		} `json:"single"`
		Pair          json.RawMessage `json:"pair"`
		SpecialTokens map[string]struct {
			ID     string   `json:"id"`
			IDs    []int64  `json:"ids"`
			Tokens []string `json:"tokens"`
		} `json:"special_tokens"`
	}
	if err := fields(raw, &f); err != nil {
		return 0, err
	}
	n, texts := 0, 0
	for _, part := range f.Single {
		switch {
		case part.Sequence != nil:
			texts++
		case part.SpecialToken != nil:
			n += len(f.SpecialTokens[part.SpecialToken.ID].IDs)
		}
	}
	if texts != 1 {
		return 0, errors.New("does not have the text once in its template for one text")
	}
	return n, nil
}
