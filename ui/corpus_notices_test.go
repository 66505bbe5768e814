package ui

import (
	"context"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// What should be known of a database is said when it is opened.
func TestNoticesOfACorpus(t *testing.T) {
	notices := noticesOf(store.Info{
		Foreign: true,
		Missing: map[store.Capability]string{store.CapOwners: "it knows no owners", store.CapKeyword: "there is no index of words"},
	})
	d, _ := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Open = func(context.Context) (*Corpus, error) {
			return &Corpus{Name: "webrag", Engine: answering{f}, Reader: f, Live: true, Notices: notices}, nil
		}
	})
	d.settle()
	d.press("esc !")
	d.mustShow("never written", "no keyword search: there is no index of words", "no owners: it knows no owners")
	if n := noticesOf(store.Info{Missing: map[store.Capability]string{store.CapApprox: "no index"}}); len(n) != 0 {
		t.Errorf("a corpus of ours: %v", n)
	}
}
