// Package spans renders markdown for the terminal and knows, for every cell of
// the result, which code points of the source it came from. Spans of the source
// are then painted over the finished lines without moving a character.
//
// Rendering takes milliseconds and is cached by the caller per (text, width,
// theme); painting takes microseconds and happens for visible lines only. The
// package knows no model and no corpus.
package spans
