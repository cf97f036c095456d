package explore_test

import (
	"slices"
	"testing"

	"motehound/study/check"
)

// A device that the main program has set is set by a handler before it is used: the ADC looks at another pin, the EEPROM writes elsewhere. Who puts the setting back, or wants the same, does no harm.
func TestSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "race: lost update of ADMUX"}, {[]string{"-DEEPROM"}, "race: lost update of EEARL"},
		{[]string{"-DFIXED"}, ""}, {[]string{"-DEEPROM", "-DFIXED"}, ""}, {[]string{"-DRESTORES"}, ""}, {[]string{"-DSAME"}, ""},
	} {
		for _, optimise := range []string{"-Os", "-O1"} {
			r, err := check.Search(racing(t, "settings", append(c.flags, optimise)...), check.SearchOptions{Depth: 3, Reduce: check.Dynamic})
			if err != nil {
				t.Fatal(err)
			}
			is := func(f *check.Finding) bool { return f.Property == c.want }
			if c.want == "" && len(r.Findings) > 0 || c.want != "" && !slices.ContainsFunc(r.Findings, is) {
				t.Errorf("%v %s: %v", c.flags, optimise, details(r.Findings))
			}
		}
	}
}
