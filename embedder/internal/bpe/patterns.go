package bpe

// The patterns that well-known tokenizers split texts by, as their files have them.
const (
	cl100kPattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	qwenPattern   = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	gpt2Pattern   = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
)

// PieceEnd returns what finds the end of the first piece of a non-empty text that
// is split by a pattern, nil for a pattern that is not known. Every text is pieces
// from its beginning to its end.
func PieceEnd(pattern string) func(text string) int {
	switch pattern {
	case cl100kPattern:
		return cl100kPieceEnd
	case qwenPattern:
		return func(text string) int { return cl100kLikeEnd(text, 1) }
	case gpt2Pattern:
		return gpt2PieceEnd
	}
	return nil
}

// gpt2PieceEnd returns where the first piece of a non-empty text ends.
func gpt2PieceEnd(text string) int {
	if n := contraction(text); n > 0 && text[1] >= 'a' && text[n-1] >= 'a' {
		return n
	}
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	kind, _ := first(text, start)
	for _, kinds := range []int{anyLetter, number, mark | other} {
		if kind&kinds != 0 {
			return skip(text, start, kinds)
		}
	}
	end, last := 0, 0
	for {
		kind, size := first(text, end)
		if kind&anySpace == 0 {
			break
		}
		last, end = end, end+size
	}
	if end == len(text) || last == 0 {
		return end
	}
	return last
}
