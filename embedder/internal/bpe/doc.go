// Package bpe splits texts into the tokens of OpenAI's byte-pair encodings
// cl100k_base and o200k_base.
//
// A text is cut into pieces (words with the blank before them, numbers of up to
// three digits, runs of punctuation, of white space), and the bytes of a piece
// are merged, always the neighbours first that together are the token of the
// lowest rank.
//
// github.com/tiktoken-go/tokenizer does the same, and the tests compare with it.
// It is not linked into the program because its vocabularies are map literals,
// 9 MB of a binary that may have 40; here both are packed into 1.1 MB. It also
// drops U+007F, takes quadratic time on some white space, and splits white space
// between line ends ("\n \n") where the patterns do not.
package bpe
