// Package storetest holds a corpus backend to the promises of store.Store, by
// comparing it with a naive oracle that keeps everything in a map. The tests of
// a backend call [Run] and nothing else of this package:
//
//	func TestConformance(t *testing.T) {
//		storetest.Run(t, storetest.Backend{Loads: true, Checks: true}, func(t *testing.T) storetest.Open {
//			path := filepath.Join(t.TempDir(), "corpus.db")
//			return func(t *testing.T, owner string) store.Store { … }
//		})
//	}
//
// Scores are compared with a tolerance and ids only across gaps that are wider,
// because kernels round differently; exact ties must be in the order of ids.
package storetest
