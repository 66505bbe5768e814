// Package record says what a document, its chunks and their words are as rows of a
// corpus of the program's own: in which columns, as which values, and what of that
// PostgreSQL cannot keep.
package record
