package explore_test

import (
	"strings"
	"testing"

	"motehound/study/check"
)

// A counter is supposed to be about to carry, if it gets there: not if it counts in a circle, to a limit, or if somebody sets it back.
func TestSupposed(t *testing.T) {
	t.Parallel()
	for _, optimise := range []string{"-Os", "-O2", "-O1"} {
		for _, c := range []struct {
			flags []string
			want  string
		}{
			{nil, "once pulses is 255 (it is "}, {[]string{"-DFIXED"}, ""}, {[]string{"-DRESET"}, ""},
		} {
			r, err := check.Search(racing(t, "far", append(c.flags, optimise)...), check.SearchOptions{Depth: 4, Reduce: check.Dynamic})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case c.want == "" && len(r.Findings) > 0:
				t.Errorf("%s %v: %+v", optimise, c.flags, r.Findings)
			case c.want != "" && (len(r.Findings) != 1 || r.Findings[0].Property != "race: torn read of pulses" || r.Findings[0].Line != buggy(t, "far") || !strings.HasPrefix(r.Findings[0].Detail, c.want)):
				t.Errorf("%s: %+v", optimise, r.Findings)
			}
		}
	}
}
