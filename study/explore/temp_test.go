package explore_test

import (
	"strings"
	"testing"

	"motehound/study/check"
)

// A handler uses another register of a 16-bit timer while the main program is between two bytes of one: that gets, or gives, the upper byte that the handler has left in TEMP.
func TestTemp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags        []string
		want, detail string
	}{
		{nil, "race: torn write of OCR1A", "the upper byte of OCR1A is 18, would be 11: "},
		{[]string{"-DREADS"}, "race: torn read of TCNT1", "the upper byte of TCNT1 is 18, would be 0: "},
		{[]string{"-DFIXED"}, "", ""}, {[]string{"-DREADS", "-DFIXED"}, "", ""}, {[]string{"-DSAME"}, "", ""}, {[]string{"-DOTHER"}, "", ""},
	} {
		for _, optimise := range []string{"-Os", "-O1"} {
			r, err := check.Search(racing(t, "temp", append(c.flags, optimise)...), check.SearchOptions{Depth: 4, Reduce: check.Dynamic})
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" && len(r.Findings) == 0 && r.Complete {
				continue
			}
			if len(r.Findings) != 1 || r.Findings[0].Property != c.want || !strings.HasPrefix(r.Findings[0].Detail, c.detail) {
				t.Errorf("%v %s: complete: %v, %q", c.flags, optimise, r.Complete, details(r.Findings))
			}
		}
	}
}
