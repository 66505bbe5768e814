// Package keys gives actions their keys: those of the program or of a user's table,
// one meaning in each context, under the names that terminals' key presses have.
package keys
