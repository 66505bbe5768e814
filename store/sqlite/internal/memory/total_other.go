//go:build !linux && !darwin

package memory

func total() int64 { return 0 }
