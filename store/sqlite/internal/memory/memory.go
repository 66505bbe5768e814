// Package memory knows how much memory the machine has, or the group of processes
// (cgroup) that this one is of.
package memory

import (
	"bufio"
	"bytes"
	"path"
	"strconv"
	"strings"
)

// Total is how many bytes of memory there are for this process, 0 where nobody knows.
func Total() int64 { return total() }

// meminfo reads the machine's memory from the text of /proc/meminfo.
func meminfo(text []byte) int64 {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "MemTotal:"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			if err != nil || kilobytes < 0 || kilobytes > 1<<50 {
				return 0
			}
			return kilobytes << 10
		}
	}
	return 0
}

// cgroup is the least limit of the groups that the text of /proc/self/cgroup names, of
// either version, and of those that they are in; 0 for none. read returns a file's text.
func cgroup(text []byte, read func(name string) ([]byte, error)) int64 {
	least := int64(0)
	note := func(folder, file string) {
		limit, err := read(path.Join(folder, file))
		if err != nil {
			return
		}
		// No limit is "max", or in the first version a number that no machine has.
		n, err := strconv.ParseInt(strings.TrimSpace(string(limit)), 10, 64)
		if err == nil && n > 0 && n < 1<<60 && (least == 0 || n < least) {
			least = n
		}
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		fields := strings.SplitN(lines.Text(), ":", 3)
		if len(fields) < 3 {
			continue
		}
		root, file := "/sys/fs/cgroup", "memory.max"
		switch {
		case fields[1] == "memory":
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case fields[1] != "":
			continue
		}
		for of := path.Clean("/" + fields[2]); ; of = path.Dir(of) {
			note(path.Join(root, of), file)
			if of == "/" {
				break
			}
		}
	}
	return least
}
