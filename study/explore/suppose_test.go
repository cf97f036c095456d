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
			{nil, "once pulses is 255 (it is "}, {[]string{"-DROUND"}, "once pulses is 255 (it is "}, {[]string{"-DFIXED"}, ""}, {[]string{"-DRESET"}, ""},
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

// A number that is only compared is torn if that changes a variable or a pin. What follows the counter, the time of the next alarm, is where the program has it by then.
func TestSupposedAlarm(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{"-DRINGS": "alarm is 360, would be 300: ", "-DPIN": "PORTB gets 32, would be 0: "} {
		for _, fixed := range []string{"-DBUGGY", "-DFIXED"} {
			r, err := check.Search(racing(t, "alarm", flag, fixed), check.SearchOptions{Depth: 4, Reduce: check.Dynamic})
			if err != nil {
				t.Fatal(err)
			}
			if fixed == "-DFIXED" {
				if len(r.Findings) > 0 || !r.Complete {
					t.Errorf("%s: %+v", flag, r)
				}
				continue
			}
			if len(r.Findings) != 1 || r.Findings[0].Property != "race: torn read of seconds" || r.Findings[0].Line != buggy(t, "alarm") || !strings.Contains(r.Findings[0].Detail, want) {
				t.Errorf("%s: %+v", flag, r.Findings)
			}
		}
	}
}

// A limit that is written byte by byte is torn if the handler's counter gets to where that matters.
func TestLimit(t *testing.T) {
	t.Parallel()
	for _, optimise := range []string{"-Os", "-O2", "-O1"} {
		for _, flag := range []string{"-DBUGGY", "-DFIXED", "-DSMALL"} {
			r, err := check.Search(racing(t, "limit", flag, optimise), check.SearchOptions{Depth: 5, Reduce: check.Dynamic})
			switch {
			case err != nil:
				t.Fatal(err)
			case flag != "-DBUGGY" && (len(r.Findings) > 0 || !r.Complete):
				t.Errorf("%s %s: %+v", optimise, flag, r)
			case flag == "-DBUGGY" && (len(r.Findings) != 1 || r.Findings[0].Property != "race: torn write of limit" || r.Findings[0].Line != buggy(t, "limit")):
				t.Errorf("%s: %q", optimise, details(r.Findings))
			}
		}
	}
}
