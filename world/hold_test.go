package world_test

import (
	"slices"
	"strings"
	"testing"

	"motehound/world"
)

// An interrupt that has to wait is served when it no longer has to, and those before and after are served as ever. It makes no difference
// whether the world is put back in between, while the interrupt waits or not.
func TestHold(t *testing.T) {
	k := kindOf(t, "blink", "micaz")
	timer := uint8(slices.Index(k.Board.Chip.Vectors, "TIMER0_COMP"))
	run := func(cloned bool, holds ...world.Hold) (served []uint64, hash string) {
		w := newWorld(t, &world.Config{Motes: []world.MoteConfig{{Kind: k}}, Holds: holds}, world.Natural{})
		w.Observe(world.Observer{Interrupt: func(i int, _ uint64, vector uint8) {
			if vector == timer {
				served = append(served, w.Motes()[i].Time())
			}
		}})
		for at := uint64(20 * ms); at <= 2*world.Second; at += 20 * ms {
			w.RunUntil(at)
			if cloned {
				c := w.Clone()
				w.RunUntil(at + 500*ms)
				served = slices.DeleteFunc(served, func(ps uint64) bool { return ps >= at })
				w.CopyFrom(c)
			}
		}
		return served, w.Hash().String()
	}
	plain, _ := run(false)
	if len(plain) < 3 {
		t.Fatalf("the timer was served %d times", len(plain))
	}
	hold := world.Hold{Vector: timer, From: plain[1] - ms, Until: plain[1] + 47*ms}
	late, hash := run(false, hold)
	if late[0] != plain[0] || late[1] < hold.Until || late[1] > hold.Until+5*ms {
		t.Errorf("served at %d and %d, want %d, and right after %d", late[0], late[1], plain[0], hold.Until)
	}
	if again, other := run(true, hold); other != hash || !slices.Equal(again, late) {
		t.Errorf("put back in between it is served at %v, not %v", again, late)
	}
}

func TestHoldRefused(t *testing.T) {
	k := kindOf(t, "blink", "micaz")
	for want, h := range map[string]world.Hold{
		"there are only 1":      {Mote: 1, Vector: 2, Until: 1},
		"a number from 2 to":    {Vector: 1, Until: 1},
		"from 2 to 35":          {Vector: 36, Until: 1},
		"an end after the begi": {Vector: 5, From: 7, Until: 7},
	} {
		if _, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k}}, Holds: []world.Hold{h}}, world.Natural{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want something of %q", h, err, want)
		}
	}
}
