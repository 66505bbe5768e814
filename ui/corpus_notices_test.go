package ui

import (
	"context"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
)

// What should be known of a database is said when it is opened.
func TestNoticesOfACorpus(t *testing.T) {
	notices := []retrieval.Notice{
		{Code: "corpus", Text: "another program made this corpus: it is shown as that program sees it, and never written"},
		{Code: "corpus", Text: "no keyword search: there is no index of words"},
		{Code: "corpus", Text: "no owners: it knows no owners"},
	}
	d, _ := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "webrag", Engine: answering{f}, Reader: f, Live: true, Notices: notices}, nil
		}
	})
	d.settle()
	d.press("esc !")
	d.mustShow("never written", "no keyword search: there is no index of words", "no owners: it knows no owners")
}
