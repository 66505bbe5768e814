package memory

import "github.com/webrag/webrag-tui/file"

// most is more than the kernel writes of either.
const most = 1 << 20

func read(name string) ([]byte, error) { return file.Read(name, most) }

func total() int64 {
	text, err := read("/proc/meminfo")
	if err != nil {
		return 0
	}
	all := meminfo(text)
	if text, err = read("/proc/self/cgroup"); err != nil {
		return all
	}
	if limit := cgroup(text, read); limit > 0 && (all == 0 || limit < all) {
		return limit
	}
	return all
}
