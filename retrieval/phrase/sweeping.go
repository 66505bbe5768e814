package phrase

// What a sweep comes to on queries that did not choose the setting.
const (
	VerdictHolds   Words = "better on both halves, each by what the other one chose"
	VerdictFalls   Words = "worse on both halves, each by what the other one chose"
	VerdictOneHalf Words = "no difference that holds: better beyond chance on one half of the queries only"
	VerdictNotHeld Words = "no difference beyond chance on queries that did not choose it"
	SweptWinner    Words = "chosen by a sweep of {} ({}, {}, seed {}) on the query set {} ({}){}: {} {}, and {} on queries that did not choose it, against {} of {}: {}"
	SweptByHand    Words = "taken by hand of a sweep of {} ({}, {}, seed {}) on the query set {} ({}): {} {} with {} tokens, against {} of {} with {}; these queries are those that it was seen on"
	SweptWithin    Words = " within {}"
)
