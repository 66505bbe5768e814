// Package store holds the corpus types and the interface that every corpus
// backend implements: a document and its parent and child chunks, how they are
// searched, and how they are written.
//
// The package decides what a corpus is, not how it is kept. store/sqlite keeps
// one in a file with the vectors in memory; store/storetest is the suite that
// every backend has to pass. Nothing here knows about embedding, ranking or
// screens, and nothing here imports another package of this module.
//
// A [Store] is opened for one owner. Reading goes through a [View]: one version
// of everything, opened for one request and closed after it. Writing goes
// through a [Writer], of which a corpus has at most one at a time.
//
// All offsets in these types are code points in the document's normalised
// markdown. Byte offsets never leave a function.
package store
