// Package phrase puts what the engine found into words.
package phrase
