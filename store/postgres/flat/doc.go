// Package flat shows a table of passages with vectors that another program made,
// whatever its columns are called: those of LangChain and LlamaIndex by themselves,
// any other by a [Mapping]. Nothing is ever written to it.
//
// Each row is a passage, and a section of its own: nothing is above or below it. A
// document is what the rows with the same source have in common, and its id is
// that source. The ids of passages are those of the rows, as text.
package flat
