// Package reader is the view of the text of a section: in its forms, with what matched, is
// cited or was found marked in it, passages to be copied, and the links and headings that
// lead on from it.
package reader
