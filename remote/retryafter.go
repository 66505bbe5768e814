package remote

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longest is longer than anyone waits, and cannot overflow.
const longest = 365 * 24 * time.Hour

// retryAfter returns the pause that an answer asks for, 0 if it asks for none
// or not understandably. Retry-After is a number of seconds or a date;
// Retry-After-Ms is what some servers send beside it.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := parseCount(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	value := h.Get("Retry-After")
	if d, ok := parseCount(value, time.Second); ok {
		return d
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(0, at.Sub(now)), longest)
	}
	return 0
}

// parseCount reads a count of units. Absurdly large ones become a year.
func parseCount(s string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case err != nil && n == 0, math.IsNaN(n), n < 0:
		return 0, false
	case n >= float64(longest/unit):
		return longest, true
	}
	return time.Duration(n * float64(unit)), true
}
