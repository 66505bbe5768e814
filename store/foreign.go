package store

import (
	"errors"
	"fmt"
	"math"
)

// A corpus may come from anybody. What stands here is checked by both stores when a
// corpus is opened or a row is read: sizes that decide how much memory is asked for,
// and places that lie nowhere.
const (
	// MostRow is the longest value or row that is read or written, in bytes. A page
	// may have 8 MB, and a row has its text, its HTML and its terms.
	MostRow = 32 << 20
	// mostText is the longest text of a chunk, and mostTexts what the texts that are
	// read at once may have together, in bytes.
	mostText, mostTexts = 8 << 20, 64 << 20
	// mostPlace is the last place in a page, in characters or tokens: Markdown can be
	// longer than what it was made of, but where it is four times as long it is not taken.
	mostPlace = 4 * mostText
	// mostName is the longest text that a corpus has about itself, and the longest
	// address of a page, in bytes.
	mostName = 64 << 10
	// mostDimensions is what pgvector's type bears, and twice what any model has.
	mostDimensions = 16_000
)

// ErrForeign is the error for what no writer of this program puts into a corpus.
var ErrForeign = errors.New("this program did not write that; restore a copy, or index the pages into a corpus of your own")

// CheckMeta refuses what no corpus says about itself, with an [ErrForeign].
func CheckMeta(m *Meta) error {
	switch {
	case m.SchemaVersion < 0:
		return fmt.Errorf("corpus_meta says that it has schema version %d, as no corpus has: %w", m.SchemaVersion, ErrForeign)
	case m.Dimensions < 0 || m.Dimensions > mostDimensions:
		return fmt.Errorf("corpus_meta says that vectors have %d dimensions; there are 0 to %d: %w", m.Dimensions, mostDimensions, ErrForeign)
	case m.Changed < 0 || m.Changed == math.MaxInt64:
		return fmt.Errorf("corpus_meta says that it was changed %d times: %w", m.Changed, ErrForeign)
	}
	for name, text := range map[string]string{"embedder_id": m.EmbedderID, "tokenizer": m.Tokenizer, "pipeline_fingerprint": m.Fingerprint, "calibration": m.Calibration.EmbedderID} {
		if err := CheckName(name, text); err != nil {
			return err
		}
	}
	return nil
}

// CheckName refuses a text of corpus_meta that is longer than any, with an
// [ErrForeign].
func CheckName(name, text string) error {
	if len(text) > mostName {
		return fmt.Errorf("%s in corpus_meta has %d bytes; there are at most %d: %w", name, len(text), mostName, ErrForeign)
	}
	return nil
}

// CheckAddress refuses an address that is longer than any: it is kept in memory with
// every page, and told with every passage.
func CheckAddress(url string) error {
	if len(url) > mostName {
		return fmt.Errorf("its address has %d bytes; there are at most %d", len(url), mostName)
	}
	return nil
}

// CheckPlace refuses a place that lies nowhere: no number is negative or beyond the
// end of any page, no end comes before its start, and no text is longer than any. A
// character and a token have a byte at least.
func CheckPlace(index, charStart, charEnd, tokenStart, tokenEnd, htmlTokens int64) error {
	for _, n := range [...]int64{index, charStart, charEnd, tokenStart, tokenEnd, htmlTokens} {
		if n < 0 || n > mostPlace {
			return fmt.Errorf("its place is out of range: index %d, characters %d to %d, tokens %d to %d, %d tokens of HTML",
				index, charStart, charEnd, tokenStart, tokenEnd, htmlTokens)
		}
	}
	if charEnd < charStart || tokenEnd < tokenStart {
		return fmt.Errorf("it ends before it starts: characters %d to %d, tokens %d to %d", charStart, charEnd, tokenStart, tokenEnd)
	}
	if chars, tokens := charEnd-charStart, tokenEnd-tokenStart; max(chars, tokens, htmlTokens) > mostText {
		return fmt.Errorf("it is longer than any text: %d characters, %d tokens, %d of HTML", chars, tokens, htmlTokens)
	}
	return nil
}

// checkPlace checks where a chunk is.
func (c *Chunk) checkPlace() error {
	return CheckPlace(int64(c.Index), int64(c.CharStart), int64(c.CharEnd), int64(c.TokenStart), int64(c.TokenEnd), int64(c.HTMLTokens))
}

// Reading counts the bytes of the texts that are read at once.
type Reading int

// Check refuses, with an [ErrForeign], a chunk that was read whose place lies
// nowhere, or whose texts take more memory than those of any page.
func (r *Reading) Check(c *Chunk) error {
	if err := c.checkPlace(); err != nil {
		return fmt.Errorf("chunk %s: %w: %w", c.ID, err, ErrForeign)
	}
	if err := CheckAddress(c.SourceURL); err != nil {
		return fmt.Errorf("chunk %s: %w: %w", c.ID, err, ErrForeign)
	}
	for _, p := range []struct{ name, text string }{{"text", c.ChunkText}, {"HTML", c.HTMLText}, {"terms", c.Terms}} {
		if len(p.text) > mostText {
			return fmt.Errorf("the %s of chunk %s has %d MB; there are at most %d: %w", p.name, c.ID, len(p.text)>>20, mostText>>20, ErrForeign)
		}
		*r += Reading(len(p.text))
	}
	for _, path := range c.HeadingPath {
		*r += Reading(len(path))
	}
	*r += Reading(len(c.Title) + len(c.SectionHeading) + len(c.HeadingTerms) + len(c.TitleTerms))
	if *r > mostTexts {
		return fmt.Errorf("the texts of one answer have more than %d MB: %w", mostTexts>>20, ErrForeign)
	}
	return nil
}
