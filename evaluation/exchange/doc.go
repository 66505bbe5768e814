// Package exchange reads and writes the files by which programs that evaluate
// retrieval exchange queries, judgments and rankings: qrels and runs of TREC, folders
// of BEIR, CSV and JSON of Quepid and OpenSearch, and Cranfield's own files.
//
// Qrels are grades by query id and document id: what is not in them was not judged,
// and a grade of 0 was. All that is read is taken for a stranger's: lines, files and
// numbers of lines have limits, ids have no control characters, and an error names
// the file, the line, what is wrong and what to do about it.
package exchange
