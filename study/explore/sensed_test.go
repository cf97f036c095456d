package explore_test

import (
	"strings"
	"testing"

	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
)

// A sensor is supposed to read something else while half of its reading was read,; not where the program is right, nor where the scenario says what the sensor reads.
func TestSensed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags string
		want  string
	}{
		{"", "once the sensor reads 511 (it reads 512 here): level is "}, {"-DSCALED", "once the sensor reads "}, {"-DBY_TIMER", "once the sensor reads "},
		{"-DATOMIC", ""}, {"-DAGREE", ""}, {"-DBUFFER", ""}, {"-DBYTE", ""}, {"-DBY_TIMER -DATOMIC", ""}, {"-DSAID", ""},
	} {
		for _, optimise := range []string{"-Os", "-O1"} {
			flags := append(strings.Fields(c.flags), optimise)
			cfg := configOf(t, "sensed", flags...)
			cfg.Serial = nil
			if c.flags == "-DSAID" {
				cfg.Sensors = []world.Sensor{{Value: 200}}
			}
			s, err := explore.New(cfg, explore.Options{Preempt: 2})
			if err != nil {
				t.Fatal(err)
			}
			r, err := check.Search(s, check.SearchOptions{Depth: 5, Deepen: true, Reduce: check.Dynamic})
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if len(r.Findings) > 0 || !r.Complete {
					t.Errorf("%v: %+v", flags, r)
				}
				continue
			}
			if len(r.Findings) != 1 || r.Findings[0].Property != "race: torn read of reading" || r.Findings[0].Line != buggy(t, "sensed") || !strings.HasPrefix(r.Findings[0].Detail, c.want) {
				t.Errorf("%v: %+v", flags, r.Findings)
			}
		}
	}
}
