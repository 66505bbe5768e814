package ann

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// The range of hnsw.ef_search. The server refuses values outside of it only once
// the extension is loaded into the session, and ignores them before, so that they
// are checked here.
const (
	leastEf = 1
	mostEf  = 1000
)

// scanTuples is how many entries of the index an iterative scan visits at most,
// where whoever asks leaves that to us.
const scanTuples = 20_000

// indexSettings are how one search asks the index.
type indexSettings struct {
	// ef is hnsw.ef_search, 0 for the server's own.
	ef int
	// iterative is one of the ways; empty is off, as it is where nobody sets it.
	iterative store.Iterative
	// bounded sets how many entries an iterative scan visits.
	bounded bool
	// forced keeps the planner from sorting all rows instead. It takes a high
	// ef_search for dearer than that, as it does not count the pages that long
	// vectors are read from.
	forced bool
}

// iterativeWord is the server's name of a way to go on searching.
func iterativeWord(i store.Iterative) (string, error) {
	switch i {
	case store.IterativeOff, "":
		return "off", nil
	case store.IterativeStrict:
		return "strict_order", nil
	case store.IterativeRelaxed:
		return "relaxed_order", nil
	}
	return "", fmt.Errorf("iterative scan %q is none of %s, %s and %s", i, store.IterativeOff, store.IterativeStrict, store.IterativeRelaxed)
}

// list returns the settings in the order in which they must be set.
//
// All those of the index are set in every search, since a view can search many
// times in its transaction: what one leaves to the server must not be what another
// has set.
func (s indexSettings) list(x *Index) ([]store.Setting, error) {
	var list []store.Setting
	set := func(name, value string) { list = append(list, store.Setting{Name: name, Value: value}) }
	if x.Distributed {
		// The servers that hold the rows are told only of what is set after this,
		// and know nothing of the settings of this connection.
		set("citus.propagate_set_commands", "'local'")
		set("plan_cache_mode", "force_custom_plan")
		set("random_page_cost", "1.1")
	}
	if s.forced {
		set(settingSort, "off")
	}
	method := x.Method
	if method == MethodHNSW {
		switch {
		case s.ef == 0:
			set("hnsw.ef_search", settingDefault)
		case s.ef < leastEf || s.ef > mostEf:
			return nil, fmt.Errorf("ef_search %d is not between %d and %d", s.ef, leastEf, mostEf)
		default:
			set("hnsw.ef_search", strconv.Itoa(s.ef))
		}
	}
	word, err := iterativeWord(s.iterative)
	if err != nil {
		return nil, err
	}
	set(method+".iterative_scan", word)
	if method == MethodHNSW && word != "off" {
		value := settingDefault
		if s.bounded {
			value = strconv.Itoa(scanTuples)
		}
		set("hnsw.max_scan_tuples", value)
	}
	return list, nil
}

// settingDefault puts a setting back to what the session began with. That of
// sorting is put back right after the search, since it concerns other statements.
const (
	settingDefault = "DEFAULT"
	settingSort    = "enable_sort"
	resetSort      = "SET LOCAL " + settingSort + " TO " + settingDefault
)

// statements joins settings to one string for the simple protocol: SET takes no
// parameters, and set_config would stay on the coordinator of a cluster. Names and
// values are words of this file and numbers.
func statements(settings []store.Setting) string {
	var b strings.Builder
	for _, s := range settings {
		b.WriteString("SET LOCAL " + s.Name + " TO " + s.Value + ";")
	}
	return b.String()
}

// chosen leaves out the settings that were only put back, and the quotes.
func chosen(settings []store.Setting) []store.Setting {
	var out []store.Setting
	for _, s := range settings {
		if s.Value != settingDefault {
			out = append(out, store.Setting{Name: s.Name, Value: strings.Trim(s.Value, "'")})
		}
	}
	return out
}
