package postgres

// knownFunctions are the functions whose results may stand in SQL, and what those
// are. Of the package's own ones the results are looked at, too.
func knownFunctions() map[string]string {
	const (
		identifier  = "a quoted identifier"
		placeholder = "placeholders"
		number      = "a number"
		text        = "SQL of its own"
	)
	known := map[string]string{
		"Quote": identifier, "Quoted": identifier, "Sanitize": identifier, "table": identifier,
		"add": placeholder, "placeholders": placeholder,
		"Itoa": number, "FormatInt": number,
		"exportSnapshot": "the checked name of a snapshot",
		"Refused":        "a condition without values of others",
	}
	for _, name := range []string{
		"address", "among", "bounds", "chunkColumns", "from", "metadata", "scoped", "searchable", "tokens", "chunksFrom", "column", "createIndex", "created", "distance", "fits", "json", "mine", "sourceIn", "text", "Distribution", "documentColumns", "embeddingColumn",
		"embeddingType", "hasAddress", "indexed", "inScope", "itself", "linksQuery", "mayHold", "narrowed", "ownChunk", "ownDocument", "wanted",
		"RowSecurity", "hidden", "scopedBy", "scopedChunk", "scopedDocument", "scopedParent", "selectChunks", "selectStored", "setVersion", "statements", "steps", "ChunkColumns", "DocumentColumns", "TermColumns", "textsToRead",
		"forced", "indexTerms", "nameColumns", "termFields", "underHeading", "visibleChunk", "visibleChunks", "visibleDocument", "visibleParent", "visibleSection", "visibleVersion", "webragVersion", "whole",
	} {
		known[name] = text
	}
	return known
}

// knownParameters are the parameters ("function.parameter") and fields (".field")
// that may stand in SQL, and what they are given.
func knownParameters() map[string]string {
	known := map[string]string{}
	for what, names := range map[string][]string{
		"a table, a column or an alias, as the code names it": {
			"table.name", "column.alias", "column.name", "visibleVersion.alias", "underHeading.alias",
			"scopedBy.id", "atAddress.id", "isOneOf.column", "contains.text", "flags.flagColumns", ".name", "queueTotals.column", "indexTerms.column", "insert.columns",
		},
		"a quoted table":             {".schema", ".from", "createIndex.table", "embeddingColumn.table"},
		"a placeholder, or a column": {"distance.query", "indexed.query", "candidatesOf.chunk", "candidatesOf.document"},
		"SQL of the caller's": {
			".sql", ".SQL", "Scan.sql", ".Vectors", "readTables.sql", "column.otherwise", "ids.from", ".tie", "strings.query", "exec.query", "queryChunks.query", "queryDocuments.query", "listed.condition", "putEdges.conflict",
			"changeDocuments.condition", "hidden.conditions", "scopeTests.conditions",
			".rows", ".applies", ".parent", ".mine", ".scoped",
		},
		"what the catalog prints, to stand in SQL":                             {".expression", ".Expression", ".predicate", "makeIndex.covered", ".key"},
		"a sentence, and no SQL":                                               {"notCorpus.address"},
		"the name of a snapshot, which is checked":                             {"exportSnapshot.id"},
		"one of two words":                                                     {".VectorType", "embeddingType.kind", ".queryType", ".QueryType", ".list", ".Type"},
		"a name of this program, and a checked number or word (store.Setting)": {".Name", ".Value", ".value"},
	} {
		for _, name := range names {
			known[name] = what
		}
	}
	return known
}

// everywhere are the functions whose SQL reads rows of any document, and why. On a
// cluster all servers answer it.
func everywhere() map[string]string {
	known := map[string]string{}
	for why, names := range map[string][]string{
		"the interface of the store gives ids of chunks alone": {"chunks", "Within", "target", "sections", "candidatesOf", "stage"},
		"the corpus is searched, counted or sampled as a whole": {
			"vectors",
			"askDimensions", "askWords", "refusedEdges", "checkStaged", "countHidden", "dropStaged", "fitColumn", "indexState", "likely", "readIndexed",
			"sampleVectors", "scopeCount", "sectionStats", "textsToRead", "VectorIndex",
		},
		"what leads to a document is not its id: an address, or the hash of a text":            {"Known", "named", "settle", "LinksTo"},
		"an edge lies where its source does, and is also found by its target, or by ids alone": {"sides", "after", "dropTo"},
	} {
		for _, name := range names {
			known[name] = why
		}
	}
	return known
}
