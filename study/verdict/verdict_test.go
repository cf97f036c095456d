package verdict_test

import (
	"slices"
	"testing"

	"motehound/internal/testkit"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/medium"
)

func TestCase(t *testing.T) {
	for _, x := range []struct {
		c    verdict.Case
		want verdict.Verdict
	}{
		{verdict.Case{Complete: true}, verdict.Holds},
		{verdict.Case{}, verdict.Unknown},
		{verdict.Case{Complete: true, LeftOut: []string{"something"}}, verdict.Unknown},
		{verdict.Case{Findings: 1, LeftOut: []string{"something"}}, verdict.Violated},
		{verdict.Case{Findings: 2, Complete: true}, verdict.Violated},
	} {
		if got := x.c.Verdict(); got != x.want {
			t.Errorf("%+v: %s, want %s", x.c, got, x.want)
		}
	}
	var c verdict.Case
	c.Miss("a", "b", "a")
	c.Miss("b")
	if !slices.Equal(c.LeftOut, []string{"a", "b"}) {
		t.Errorf("left out %q", c.LeftOut)
	}
}

// network is motes with one of the examples, joined by links.
func network(t *testing.T, app, on string, motes int, links ...medium.Link) *world.Config {
	t.Helper()
	k := testkit.Example(t, app, on)
	cfg := &world.Config{}
	for i := range motes {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i + 1)})
	}
	var err error
	if cfg.Net, err = medium.New(motes, links); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// What a mote listens to and never hears is told, for each board's radio and for lines.
func TestUnheard(t *testing.T) {
	there := medium.Link{From: 0, To: 1}
	for _, x := range []struct {
		name string
		cfg  *world.Config
		want int
	}{
		{"nothing to listen to", network(t, "blink", "uno", 1), 0},
		{"a CC2420 alone", network(t, "readings", "micaz", 1), 1},
		{"a CC1000 alone", network(t, "readings", "mica2", 1), 1},
		{"one hears the other", network(t, "readings", "mica2", 2, there), 1},
		{"both hear", network(t, "readings", "micaz", 2, there, medium.Link{From: 1, To: 0}), 0},
		{"a line", network(t, "serial", "uno", 1), 1},
	} {
		if got := verdict.Unheard(x.cfg); len(got) != x.want {
			t.Errorf("%s: %q", x.name, got)
		}
	}
	fed := network(t, "serial", "uno", 1)
	fed.Serial = []world.Serial{{Bytes: []byte{1}}}
	if got := verdict.Unheard(fed); len(got) > 0 {
		t.Errorf("a line with input: %q", got)
	}
	heard := network(t, "readings", "micaz", 1)
	heard.Events = []world.Event{{Kind: world.HearFrame, Frame: []byte{1}}}
	if got := verdict.Unheard(heard); len(got) > 0 {
		t.Errorf("a frame from outside: %q", got)
	}
}

func TestIdle(t *testing.T) {
	cfg := network(t, "blink", "uno", 2)
	cfg.Faults = []world.Fault{{Kind: world.Lose, Max: 1, Mote: world.Everyone}, {Kind: world.Reboot, Max: 1, Mote: 1}, {Kind: world.Corrupt, Mote: world.Everyone}}
	got := verdict.Idle(cfg, func(n int) bool { return n == 0 })
	if !slices.Equal(got, []string{"reboot of mote 2 could not happen"}) {
		t.Errorf("idle: %q", got)
	}
}
