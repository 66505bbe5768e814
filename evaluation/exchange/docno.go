package exchange

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/offset"
)

// chunkMark stands between the address of a page and the hash of a chunk.
const chunkMark = "::"

// chunkDigits are how many digits of a chunk's hash an id has: 48 bits, of which two
// chunks of one page are not likely to share all.
const chunkDigits = 12

// Docno is the id of a page in files of TREC: its address, with percent signs and two
// hexadecimal digits for each byte that is no printable ASCII, for #, for % itself, and
// for a colon that follows another one. It has no white space, and [ParseDocno] gets
// the address back:
//
//	https://example.org/a b#c  is  https://example.org/a%20b%23c
func Docno(address string) string {
	var b strings.Builder
	for i := 0; i < len(address); i++ {
		c := address[i]
		if c <= ' ' || c > '~' || c == '#' || c == '%' || c == ':' && i > 0 && address[i-1] == ':' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ChunkDocno is the id of a chunk: that of its page, two colons, and the first 12
// hexadecimal digits of [offset.QuoteHash] of its text. It outlives a new index of the
// page, as long as the chunk's words stay the same. A text without words has no hash,
// and stands for its page.
func ChunkDocno(address, text string) string {
	hash := offset.QuoteHash(text)
	if hash == "" {
		return Docno(address)
	}
	return Docno(address) + chunkMark + hash[:chunkDigits]
}

// ParseDocno returns the address that an id of [Docno] or [ChunkDocno] was made of, and
// the 12 digits of the chunk, or "". Ids of other programs that are addresses, or plain
// words, are returned as they are, as long as their percent signs are followed by two
// hexadecimal digits; those stand for a byte, as they do here. The address may hold any
// byte: it is a stranger's.
func ParseDocno(docno string) (address, chunk string, err error) {
	if at := strings.LastIndex(docno, chunkMark); at >= 0 && isChunk(docno[at+len(chunkMark):]) {
		docno, chunk = docno[:at], docno[at+len(chunkMark):]
	}
	var b strings.Builder
	for i := 0; i < len(docno); i++ {
		if docno[i] != '%' {
			b.WriteByte(docno[i])
			continue
		}
		if i+2 >= len(docno) {
			return "", "", percentError(docno)
		}
		c, err := hex.DecodeString(docno[i+1 : i+3])
		if err != nil {
			return "", "", percentError(docno)
		}
		b.WriteByte(c[0])
		i += 2
	}
	if b.Len() == 0 {
		return "", "", errors.New("the document id is empty: it is made of an address")
	}
	return b.String(), chunk, nil
}

func percentError(docno string) error {
	return fmt.Errorf("the document id %.60q has a percent sign without two hexadecimal digits after it: write %%25 for the sign itself", docno)
}

func isChunk(text string) bool {
	return len(text) == chunkDigits && strings.Trim(text, "0123456789abcdef") == ""
}
