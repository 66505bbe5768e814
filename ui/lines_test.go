package ui

import (
	"context"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/session"
)

func TestTheNextKeyTakesTheStatusAway(t *testing.T) {
	t.Parallel()
	d := drive(t, 1, 120, 40, asking("decay"), "esc m")
	if got := d.status(); got != "form 2 of 2: markdown source" {
		t.Fatalf("the status says %q", got)
	}
	d.press("e")
	d.mustShow("explain") // in the footer
	if d.status() != "" {
		t.Errorf("the status still says %q", d.status())
	}
}

func TestAQueryThatWaitsIsNotCut(t *testing.T) {
	t.Parallel()
	d, _ := newDriver(t, 1, 100, 30, func(o *Options, _ *fakeCorpus) {
		o.Query = "depth decay"
		open := o.Open
		o.Open = func(ctx context.Context) (*session.Corpus, error) {
			c, err := open(ctx)
			c.Load = func(ctx context.Context, _ func(int, int)) error { return ctx.Err() }
			return c, err
		}
	})
	c, err := d.options().Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.session().Take(c, d.options().Open)
	d.session().Ask("depth decay")
	line := strings.Split(d.screen(), "\n")[1]
	if !strings.Contains(line, "depth decay") || !strings.Contains(line, "asked once") || strings.Contains(line, "…") {
		t.Errorf("the query line is %q", line)
	}
}
