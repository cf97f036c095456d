package job

import (
	"context"
	"testing"
	"time"

	"motehound/internal/cases"
	"motehound/study/check"
	"motehound/study/finding"
	"motehound/world"
	"motehound/world/recipe"
)

// What package cases calls the defaults are those of the usual request.
func TestCheckDefaults(t *testing.T) {
	f, want := NewCheck("x"), cases.Defaults()
	o, err := f.options(&subject{recipe: &recipe.Recipe{}, cfg: &world.Config{}})
	if err != nil {
		t.Fatal(err)
	}
	if o.Search.Events != want.Search.Events || o.Critical.Walks != want.Critical.Walks || o.Critical.Events != want.Critical.Events ||
		o.Minimise.Events != want.Minimise.Events || o.Minimise.Reach != want.Minimise.Reach || o.Minimise.Walks != want.Minimise.Walks {
		t.Errorf("%+v differs from %+v", o, want)
	}
}

// noGoals is a Liver without a goal.
type noGoals struct{}

func (noGoals) Goals() []finding.Goal  { return nil }
func (noGoals) Live(dst []bool) []bool { return dst }

// A budget of time ends walks some time after something unlikely was found, whether a search comes before them or not: it may hide others. A search alone has nothing to end.
func TestPace(t *testing.T) {
	const budget = 100 * time.Second
	for _, c := range []struct {
		mode                  check.Mode
		budget                time.Duration
		fed                   bool
		search, mild, ruinous time.Duration // when each is over; 0 for not by the clock
	}{
		{mode: check.ModeBoth, budget: budget, search: 10 * time.Second, mild: 80 * time.Second, ruinous: 70 * time.Second},
		{mode: check.ModeWalk, budget: budget, mild: 80 * time.Second, ruinous: 70 * time.Second},
		{mode: check.ModeSearch, budget: budget},
		{mode: check.ModeBoth},
		{mode: check.ModeWalk, budget: budget, fed: true, mild: 80 * time.Second, ruinous: 70 * time.Second},
	} {
		f := NewCheck("x")
		f.Budget = c.budget
		if c.fed {
			f.feed = func(context.Context, *subject, *check.Options, Host) error { return nil }
		}
		var now time.Duration
		opt := check.Options{Mode: c.mode}
		f.pace(&opt, func() time.Duration { return now }, 2, noGoals{})
		over := func(end func() bool) time.Duration {
			if end == nil {
				return 0
			}
			for now = 0; !end(); now += time.Second {
				if now > c.budget {
					return 0
				}
			}
			return now - time.Second
		}
		enough := func(ruined bool) func() bool {
			if opt.Enough == nil {
				return nil
			}
			return func() bool { return opt.Enough(ruined) }
		}
		if s, m, r := over(opt.SearchStop), over(enough(false)), over(enough(true)); s != c.search || m != c.mild || r != c.ruinous {
			t.Errorf("%+v: the search ends after %s, walks after %s and %s", c, s, m, r)
		}
	}
}
