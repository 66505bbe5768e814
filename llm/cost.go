package llm

import "unicode/utf8"

// Cost is what questions will cost before they are asked.
type Cost struct {
	// Questions is how many are asked; a bad answer is asked for once more.
	Questions int
	// PromptTokens is what they have together. AnswerTokens is what the answers are
	// expected to have, AnswerTokensAtMost what they are bounded by.
	PromptTokens, AnswerTokens, AnswerTokensAtMost int
}

// Add counts one question in, with the tokens that its answer is expected to have.
// Tokens are counted by count; for nil a token is four code points, as it is about in
// English.
func (c *Cost) Add(p Prompt, answer int, count func(string) int) {
	if count == nil {
		count = func(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }
	}
	c.Questions++
	c.PromptTokens += count(p.System) + count(p.User)
	c.AnswerTokens += answer
	c.AnswerTokensAtMost += max(answer, p.MaxTokens)
}
