package engine

import (
	"maps"
	"testing"

	"motehound/study/symbolic/mapping"
	"motehound/world"
)

// onWire allows something on the wire, in both directions together.
func onWire(kind world.FaultKind, most uint32) world.Fault {
	return world.Fault{Kind: kind, Max: most, Mote: world.Everyone, From: world.None, To: world.None}
}

func ofMote(kind world.FaultKind, mote int, span uint64) world.Fault {
	return world.Fault{Kind: kind, Max: 1, Mote: mote, From: world.None, To: world.None, Wire: world.None, Span: span}
}

// TestLate: frames on the air that come late, or in another order, do so when they are run again.
func TestLate(t *testing.T) {
	const until = 15 * world.Second
	for _, f := range []world.Fault{
		{Kind: world.Delay, Max: 1, Mote: world.Everyone, From: world.None, To: world.None, Span: 3 * world.Second},
		{Kind: world.Reorder, Max: 1, Mote: world.Everyone, From: world.None, To: world.None},
		{Kind: world.Busy, Max: 1, Mote: world.Everyone, From: world.None, To: world.None, Span: 3 * world.Second},
	} {
		f.Wire = world.None
		e := explored(t, Config{World: tinytcp(t, "fixed", "micaz", "radio", []world.Variable{{Path: "ClientC__requests", Value: 1}}, nil, f), Until: until})
		count := outcomes(t, e, until, "ClientC__pages", "ClientC__resets", "TcpP__sentAgain", "TcpP__outOfOrder")
		t.Logf("%s: %v", f.Kind, count)
		if len(count) < 4 {
			t.Errorf("%s: outcomes end as %v, want more kinds", f.Kind, count)
		}
	}
}

// TestFaults lets things go wrong, with a symbolic port: each outcome must be the same when it is run again in package world, and the
// mapping algorithms must have the same ones.
func TestFaults(t *testing.T) {
	k := compile(t, "ports.c")
	const until = 300 * world.Millisecond
	for _, c := range []struct {
		name   string
		faults []world.Fault
		least  int // outcomes
	}{
		{"loss", []world.Fault{onWire(world.Lose, 1)}, 6},
		{"losses", []world.Fault{onWire(world.Lose, 3)}, 10},
		{"duplicates", []world.Fault{onWire(world.Duplicate, 1)}, 6},
		{"reboot", []world.Fault{ofMote(world.Reboot, 1, 0)}, 4},
		{"client", []world.Fault{ofMote(world.Reboot, 0, 0)}, 4},
		{"outage", []world.Fault{ofMote(world.Outage, 1, 60*world.Millisecond)}, 4},
		{"for good", []world.Fault{ofMote(world.Outage, 1, 0)}, 3},
		{"corruption", []world.Fault{onWire(world.Corrupt, 1)}, 6},
		{"delay", []world.Fault{{Kind: world.Delay, Max: 1, Mote: world.Everyone, From: world.None, To: world.None, Span: 25 * world.Millisecond}}, 6},
		{"reorder", []world.Fault{onWire(world.Reorder, 1)}, 6},
		{"both", []world.Fault{onWire(world.Lose, 1), onWire(world.Duplicate, 1)}, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			var first map[string]int
			for _, a := range mapping.Algorithms {
				e := run(t, ports(t, k, c.faults...), a, until)
				count := outcomes(t, e, until, "state", "served", "tries", "ticks")
				total := 0
				for _, n := range count {
					total += n
				}
				t.Logf("%s: %d outcomes, %+v, %d states, %d dstates", a.Name, total, e.Stats(), e.g.mapping.States(), e.g.mapping.Dstates())
				if total < c.least {
					t.Errorf("%s: %d outcomes, want at least %d", a.Name, total, c.least)
				}
				for _, l := range e.Explorer().LeftOut() {
					t.Errorf("%s: left out: %s", a.Name, l)
				}
				if first == nil {
					first = count
				} else if !maps.Equal(first, count) {
					t.Errorf("%s has the outcomes %v, sds %v", a.Name, count, first)
				}
			}
		})
	}
}
