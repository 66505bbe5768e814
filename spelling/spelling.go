// Package spelling says how far a mistyped word is from one that may have been meant.
package spelling

// Distance is the Levenshtein distance of two short words, in bytes.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			swap := 1
			if a[i] == b[j] {
				swap = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+swap)
		}
	}
	return row[len(b)]
}
