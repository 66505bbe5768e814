package store

// isStopWord reports whether a lower-cased word carries no meaning for keyword
// search. The list is frozen: changing it changes the terms of every corpus
// that was indexed before.
func isStopWord(word string) bool {
	switch word {
	case "a", "about", "above", "after", "again", "against", "all", "also", "am", "an", "and", "any", "are", "aren",
		"as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by",
		"can", "cannot", "could", "did", "do", "does", "doing", "don", "down", "during", "each", "few", "for", "from",
		"further", "had", "has", "have", "having", "he", "her", "here", "hers", "herself", "him", "himself", "his", "how",
		"i", "if", "in", "into", "is", "isn", "it", "its", "itself", "just", "let", "may", "me", "more", "most", "must",
		"my", "myself", "no", "nor", "not", "of", "off", "on", "once", "only", "or", "other", "our", "ours", "ourselves",
		"out", "over", "own", "s", "same", "shall", "she", "should", "so", "some", "such", "t", "than", "that", "the",
		"their", "theirs", "them", "themselves", "then", "there", "these", "they", "this", "those", "through", "to",
		"too", "under", "until", "up", "very", "was", "we", "were", "what", "when", "where", "which", "while", "who",
		"whom", "why", "will", "with", "would", "you", "your", "yours", "yourself", "yourselves":
		return true
	}
	return false
}
