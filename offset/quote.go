package offset

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// QuoteHash identifies a quoted text wherever it stands: the SHA-256, in 64
// lower-case hexadecimal digits, of the text with each run of white space as one
// space and none at its ends. A text that was only wrapped anew keeps its hash. An
// empty quote, or one of white space alone, stands for a whole page and has none: "".
func QuoteHash(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
