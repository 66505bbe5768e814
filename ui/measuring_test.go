package ui

import "testing"

// What was judged is measured query by query, and again when a parameter changes; from a query
// one comes to what moved, and to why its page is there.
func TestMeasureView(t *testing.T) {
	d, _ := judgingGuide(t, 150, 42, nil, "5")
	d.mustShow("5 Measure", "J opens a query set")
	if d.view() != viewMeasure {
		t.Errorf("the key leads to view %d", d.view())
	}
	d.press("J 'mine' enter")
	d.mustShow("mine has no queries yet", "4 judges")
	d.press("1 0 0 3 J 5")
	d.mustShow("A hybrid (compared with)", "live is A: move a parameter to compare", "1 query")
	d.change("top_k", "1")
	d.mustShow("B hybrid* (now)", "too few queries for a verdict", "0 won", "1 lost", "! too little is judged")
	d.press("O")
	d.mustShow("Query set, kept in")
	d.press("esc c 'blend' enter")
	d.mustShow("B blend", "C hybrid* (now)", "p (Holm)")
	d.press("left enter")
	if d.view() != viewExplore || d.session().Baseline().Name != "hybrid" || d.session().Result() == nil {
		t.Errorf("enter leads to view %d, against %s", d.view(), d.session().Baseline().Name)
	}
	d.press("5 e")
	d.mustShow("Why this is ")
}

// From a query one comes back to it, and to the parameters as they were, unless they were
// changed meanwhile.
func TestBackToMeasure(t *testing.T) {
	d, _ := judgingGuide(t, 150, 42, nil, "J 'mine' enter 0 0 3 J 5")
	before, against := d.session().Params(), d.session().Baseline()
	d.press("c 'blend' enter left right")
	for _, keys := range []string{"enter", "e"} {
		d.press(keys)
		if d.session().Params() == before {
			t.Errorf("%s shows the query by the parameters as they were", keys)
		}
		d.press("esc")
		if d.view() != viewMeasure || d.session().Params() != before || d.session().Baseline() != against {
			t.Errorf("%s esc: view %d with the parameters of %s, against %s", keys, d.view(), d.session().Name(), d.session().Baseline().Name)
		}
		d.press("u")
		d.mustShow("nothing to undo")
	}
	d.press("enter")
	d.change("top_k", "3")
	d.press("esc")
	if d.view() != viewMeasure || d.session().Params().TopK != 3 {
		t.Errorf("view %d with top k %d, which was changed to 3 meanwhile", d.view(), d.session().Params().TopK)
	}
}
