package builds_test

import (
	"slices"
	"testing"

	"motehound/internal/testkit"
	"motehound/study/builds"
	"motehound/world"
)

// mixed is a network of four motes and three builds. The kinds of motes 10 and 11 are two, as where a recipe has other settings for one
// of them, but the build is one.
func mixed(t *testing.T) *world.World {
	blink, again := testkit.Example(t, "blink", "uno"), testkit.Example(t, "blink", "uno")
	counter := testkit.Example(t, "counter", "micaz")
	return testkit.World(t, &world.Config{Motes: []world.MoteConfig{
		{Kind: blink, ID: 10}, {Kind: counter, ID: 2}, {Kind: again, ID: 11}, {Kind: testkit.Example(t, "blink", "micaz"), ID: 1},
	}}, world.Natural{Seed: 1})
}

func TestBuilds(t *testing.T) {
	w := mixed(t)
	n := builds.Of(w)
	all := n.All()
	if len(all) != 3 || !slices.Equal(all[0].Motes, []int{0, 2}) || !slices.Equal(all[1].Motes, []int{1}) || !slices.Equal(all[2].Motes, []int{3}) {
		t.Fatalf("builds: %s", builds.List(all))
	}
	for i, m := range w.Motes() {
		if b := n.At(i); b.Kind.Image.Hash != m.Kind.Image.Hash || b.Kind.Board != m.Kind.Board {
			t.Errorf("mote %d runs %s, not %s", m.ID(), m.Kind.Image.Path, b)
		}
	}
	some := n.Among([]int{3, 2})
	if got, want := builds.List(some), "blink-uno.elf on uno (mote 11), blink-micaz.elf on micaz (mote 1)"; got != want {
		t.Errorf("builds of motes 1 and 11: %s, want %s", got, want)
	}
	if got, want := all[0].String(), "blink-uno.elf on uno (motes 10 and 11)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if i, err := n.Mote(2); i != 1 || err != nil {
		t.Errorf("mote 2 is at %d: %v", i, err)
	}
}

func TestVariable(t *testing.T) {
	n := builds.Of(mixed(t))
	for _, c := range []struct {
		text  string
		motes []int
		path  string
		err   string
	}{
		{"CounterC__sent", []int{1}, "CounterC__sent", ""},
		{"2.CounterC__sent", []int{1}, "CounterC__sent", ""},
		{"SchedulerBasicP__m_next[0]", []int{0, 1, 2, 3}, "SchedulerBasicP__m_next[0]", ""},
		{"11.SchedulerBasicP__m_next[0]", []int{2}, "SchedulerBasicP__m_next[0]", ""},
		{"7.CounterC__sent", nil, "", "there is no mote 7: the node ids are 10, 2, 11, 1"},
		{"10.CounterC__sent", nil, "", "no variable CounterC__sent in blink-uno.elf; there is 2.CounterC__sent"},
		{"2.CounterC__snt", nil, "", "no variable CounterC__snt in counter-micaz.elf; did you mean CounterC__sent?"},
		{"CounterC__snt", nil, "", "no mote has a variable CounterC__snt: their firmware is blink-uno.elf on uno (motes 10 and 11), " +
			"counter-micaz.elf on micaz (mote 2), blink-micaz.elf on micaz (mote 1); did you mean 2.CounterC__sent?"},
		{"CounterC__sent.field", nil, "", "CounterC__sent is uint16_t and has no field field"},
	} {
		motes, path, err := n.Variable(c.text)
		switch {
		case err != nil && err.Error() != c.err:
			t.Errorf("%s: %v, want %s", c.text, err, c.err)
		case err == nil && (c.err != "" || !slices.Equal(motes, c.motes) || path != c.path):
			t.Errorf("%s: %s of motes %v; want %s of %v, %s", c.text, path, motes, c.path, c.motes, c.err)
		}
	}
}
