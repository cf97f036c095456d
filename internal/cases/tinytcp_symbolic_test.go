package cases_test

import (
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"testing"

	"motehound/examples"
	"motehound/study/property"
	"motehound/study/symbolic/plan"
)

// Where only failures branch, all runs can be made one by one: symbolic must have as many outcomes, and each must violate what its run
// violates.
func TestTinytcpSymbolicIsExhaustive(t *testing.T) {
	for _, x := range allInsidious[1:] {
		for _, medium := range media {
			if testing.Short() && medium.name == "radio" {
				continue
			}
			t.Run(x.name+"/"+medium.name, func(t *testing.T) {
				runs, bad := everyFault(t, x, x.wrong, medium.name, nil)
				c := introduce(t, x.file, "micaz", x.wrong, medium.name, nil, nil)
				r := c.symbolic(t)
				if len(r.Outcomes) != runs || len(r.LeftOut) > 0 || len(r.Refuted) > 0 || r.More {
					t.Errorf("%d outcomes, but %d runs; left out %q, refuted %q", len(r.Outcomes), runs, r.LeftOut, r.Refuted)
				}
				got := map[string][]string{}
				for _, o := range r.Outcomes {
					if len(o.Violates) > 0 {
						got[tellAnswers(o.Answers)] = slices.Sorted(slices.Values(o.Violates))
					}
				}
				if !reflect.DeepEqual(got, bad) {
					t.Errorf("bad outcomes are %v, bad runs %v", got, bad)
				}
				found := map[string]bool{}
				for _, f := range r.Findings {
					found[f.Property] = true
				}
				want := map[string]bool{}
				for _, list := range bad {
					for _, name := range list {
						want[name] = true
					}
				}
				if !maps.Equal(found, want) {
					t.Errorf("found %v, want %v", found, want)
				}
			})
		}
	}
}

// The same with two failures, which together are within the budget or are not.
func TestTinytcpSymbolicTwoFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs")
	}
	for _, faults := range []string{"[lose(max = 2)]", "[lose(max = 1), duplicate(max = 1)]"} {
		t.Run(faults, func(t *testing.T) {
			x, edit := allInsidious[1], as("faults", faults)
			runs, bad := everyFault(t, x, x.wrong, "wire", edit)
			r := introduce(t, x.file, "micaz", x.wrong, "wire", edit, nil).symbolic(t)
			if len(r.Outcomes) != runs || len(r.LeftOut) > 0 || len(r.Refuted) > 0 || r.More {
				t.Errorf("%d outcomes, but %d runs; left out %q, refuted %q", len(r.Outcomes), runs, r.LeftOut, r.Refuted)
			}
			for _, o := range r.Outcomes {
				if want := bad[tellAnswers(o.Answers)]; !slices.Equal(slices.Sorted(slices.Values(o.Violates)), want) {
					t.Errorf("%s violates %q, its run %q", tellAnswers(o.Answers), o.Violates, want)
				}
			}
		})
	}
}

// symbolic explores the connection's scenario.
func (c *connection) symbolic(t *testing.T) *plan.Result {
	t.Helper()
	rec, err := c.s.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.New(c.s, rec, c.w.Config(), plan.Options{Checks: property.Options{Without: []string{"memory"}}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Explore(func(name string) ([]byte, error) {
		for _, f := range examples.All {
			if f.File() == path.Base(name) {
				return f.ELF(), nil
			}
		}
		return nil, os.ErrNotExist
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
