package phrase

import (
	"fmt"
	"testing"
)

func TestDidYouMean(t *testing.T) {
	words := []string{"run", "mine", "model", "check", "symbolic"}
	for given, want := range map[string]string{
		"rnu": "run", "mode": "model", "simbolic": "symbolic", "sym": "symbolic", "Check": "check", "xyzzy": "", "": "", "symbo": "symbolic",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		if got := DidYouMean(given, words); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"über", "uber", 1}} {
		if got := distance(c.a, c.b); got != c.want || distance(c.b, c.a) != got {
			t.Errorf("%s", fmt.Sprint(c, got))
		}
	}
}
