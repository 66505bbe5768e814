package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/webrag/webrag-tui/offset"
)

// sniffBytes is how much of a file decides whether it is text.
const sniffBytes = 8 << 10

// fewControls is how many control characters a file must have to be binary: in a
// short page a share says nothing.
const fewControls = 8

// decode returns a file as UTF-8. HTML says its charset itself, or has a byte
// order mark; what says nothing and is not UTF-8 is taken for Windows-1252, as
// browsers do. Binary files are refused, and stray NULs dropped: no format of a
// page has a use for them.
func decode(raw []byte, html bool) (string, error) {
	contentType := "text/plain"
	if html {
		contentType = ""
	}
	enc, name, certain := charset.DetermineEncoding(raw[:min(len(raw), 1024)], contentType)
	if !strings.HasPrefix(name, "utf-16") {
		if why := binary(raw[:min(len(raw), sniffBytes)]); why != "" {
			return "", fmt.Errorf("%w: %s", ErrBinary, why)
		}
	}
	switch {
	case name == "utf-8":
	case !certain && utf8.Valid(raw) && name != "iso-2022-jp":
		// What is valid UTF-8 beyond ASCII is no other charset by chance.
	default:
		decoded, err := enc.NewDecoder().Bytes(raw)
		if err != nil {
			return "", fmt.Errorf("decode %s: %w", name, err)
		}
		raw = decoded
	}
	return strings.ReplaceAll(string(raw), "\x00", ""), nil
}

// binary says why bytes are no text, or "".
func binary(head []byte) string {
	kind := http.DetectContentType(head)
	for _, prefix := range []string{"image/", "audio/", "video/", "font/", "application/pdf", "application/zip", "application/x-gzip", "application/vnd", "application/x-rar", "application/wasm"} {
		if strings.HasPrefix(kind, prefix) && kind != "image/svg+xml" {
			return kind
		}
	}
	// A page may hold stray control characters; several of them, and one in fifty,
	// mean that it is something else.
	controls := 0
	for _, c := range head {
		if c < ' ' && !bytes.ContainsRune([]byte("\t\n\v\f\r\x1b"), rune(c)) {
			controls++
		}
	}
	if controls >= fewControls && 50*controls > len(head) {
		return "it holds binary data"
	}
	return ""
}

// hashOf is the content hash of a text: the hex SHA-256 of its normalised form.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(offset.Document(text)))
	return hex.EncodeToString(sum[:])
}
