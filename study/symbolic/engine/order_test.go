package engine

import (
	"fmt"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/mapping"
	"motehound/world"
	"motehound/world/medium"
)

// ordered is a case of order.c.
func ordered(t *testing.T, n int) Config {
	k := compile(t, "order.c", fmt.Sprintf("-DCASE=%d", n))
	w := &world.Config{Motes: []world.MoteConfig{{Kind: k, ID: 0}}}
	if n == 3 {
		net, err := medium.New(3, nil)
		if err != nil {
			t.Fatal(err)
		}
		net.Wires = []medium.Wire{{A: medium.End{Mote: 0}, B: medium.End{Mote: 1}}, {A: medium.End{Mote: 0, USART: 1}, B: medium.End{Mote: 2}}}
		w.Motes, w.Net = append(w.Motes, world.MoteConfig{Kind: k, ID: 1}, world.MoteConfig{Kind: k, ID: 2}), net
	}
	return Config{World: w, Until: 40 * world.Millisecond, Core: core.Config{Verify: true}}
}

// TestReorder: interrupts of one mote, an interrupt and a task, and what two motes send change places. What is wrong then is found, for the
// inputs for which it is, and only if both the order and the input may be other than usual.
func TestReorder(t *testing.T) {
	other := Reorder{Max: 1, Within: 5 * world.Millisecond}
	for n, c := range []struct {
		name     string
		outcomes int
		same     int // orders that are the natural one, but later
	}{{"two interrupts", 2, 1}, {"an interrupt and a task", 3, 0}, {"two motes", 4, 3}} {
		t.Run(c.name, func(t *testing.T) {
			cfg := ordered(t, n+1)
			if e := explored(t, cfg); len(e.Findings()) != 0 || e.Stats().Choices != 0 {
				t.Errorf("in the natural order it finds %v", e.Findings())
			}
			cfg.Reorder = other
			for _, a := range mapping.Algorithms {
				cfg.Mapping = a
				e := explored(t, cfg)
				found := e.Findings()
				if len(found) != 1 || len(found[0].Holds) != 1 {
					t.Fatalf("%s: found %v, want the assertion once, with one interrupt that waits", a.Name, found)
				}
				if got := e.concrete(found[0].Way()).Pokes; len(got) != 1 || got[0].Bytes[0] <= 100 {
					t.Errorf("%s: it is found with %v", a.Name, got)
				}
				confirm(t, e, found[0])
				got := outcomes(t, e, cfg.Until, "used", "limit", "both")
				all, _ := e.Outcomes(100, noHurry)
				if len(got) != 2 || len(all) != c.outcomes || e.Stats().Same != c.same {
					t.Errorf("%s comes to %d ends of %d outcomes, %+v: the limit is set before it is used, or after", a.Name, len(got), len(all), e.Stats())
				}
			}
		})
	}
}

// TestReorderBounds: what cannot be is refused, and no more interrupts wait than may. It can be stopped and resumed.
func TestReorderBounds(t *testing.T) {
	for _, bad := range []Reorder{{Max: 1}, {Within: world.Millisecond}} {
		cfg := ordered(t, 1)
		cfg.Reorder = bad
		if _, err := resumable(t, cfg); err == nil || !strings.Contains(err.Error(), "wait") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	cfg := ordered(t, 3)
	cfg.Reorder = Reorder{Max: 2, Within: 5 * world.Millisecond}
	e := explored(t, cfg)
	list, _ := e.Outcomes(1000, noHurry)
	most := 0
	for _, s := range list {
		most = max(most, len(s.Holds))
	}
	if most != 2 {
		t.Errorf("%d interrupts wait at most, want 2", most)
	}
	outcomes(t, e, cfg.Until, "used", "limit", "both")
	straight, err := resumable(t, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := straight.Run(); err != nil {
		t.Fatal(err)
	}
	cfg.Resume = stopAt(t, cfg, nil, straight.Stats().Windows/2)
	again, err := resumable(t, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Run(); err != nil {
		t.Fatal(err)
	}
	if got, want := tell(again), tell(straight); got != want {
		t.Errorf("resumed it comes to\n%s\nnot to\n%s", got, want)
	}
}

// TestReorderReplays: whatever waits, of timers, a radio and characters on a wire, all motes end as they do when it is run again.
func TestReorderReplays(t *testing.T) {
	f, ok := examples.Find("counter", "micaz")
	if !ok {
		t.Fatal("there is no example counter")
	}
	wired := Config{World: ports(t, compile(t, "ports.c"), onWire(world.Lose, 1)), Until: 30 * world.Millisecond}
	aired := Config{World: lineOf(t, example(t, f), 2), Until: 600 * world.Millisecond}
	for name, cfg := range map[string]Config{"wire": wired, "air": aired} {
		t.Run(name, func(t *testing.T) {
			cfg.Reorder = Reorder{Max: 1, Within: 2 * world.Millisecond}
			e := explored(t, cfg)
			list, more := e.Outcomes(1000, noHurry)
			waits := map[uint8]bool{}
			for _, sc := range list {
				w, err := e.Replay(sc.Way())
				if err != nil {
					t.Fatal(err)
				}
				w.RunUntil(cfg.Until)
				ev := e.pool.NewEvaluator()
				ev.Use(sc.Model)
				for i, id := range sc.States {
					s, _ := e.State(id)
					for k, b := range w.Motes()[i].Core().RAM {
						if addr := w.Motes()[i].Core().RAMBase + uint16(k); uint8(ev.Eval(s.Byte(addr))) != b {
							t.Errorf("mote %d has another byte at %#x when it is run again, with %v", i, addr, sc.Holds)
							break
						}
					}
				}
				for _, h := range sc.Holds {
					waits[h.Vector] = true
				}
			}
			if more || len(waits) < 2 {
				t.Errorf("%d outcomes, in which %v wait", len(list), waits)
			}
			t.Logf("%d outcomes, in which %v wait, %+v", len(list), waits, e.Stats())
		})
	}
}
