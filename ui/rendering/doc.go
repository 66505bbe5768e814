// Package rendering makes the text of a section ready to be shown: in one of its forms, for
// one width, with places for its marks, and what stands in for it until then.
//
// What is rendered depends on nothing but the section and the theme, so that it can be made
// beside the screen and kept.
package rendering
