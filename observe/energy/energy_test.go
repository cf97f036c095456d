package energy_test

import (
	"math"
	"strings"
	"testing"

	"motehound/internal/testkit"
	"motehound/mote/board"
	"motehound/observe/energy"
	"motehound/world"
)

// The modes of CPU and radio fill the whole run, transmissions last as long as what is on the air, and watching changes nothing.
func TestEnergy(t *testing.T) {
	t.Parallel()
	const until = 5 * world.Second
	for _, name := range []string{board.MicaZ.Name, board.Mica2.Name} {
		k := testkit.Example(t, "counter", name)
		plain, w := testkit.Pair(t, k), testkit.Pair(t, k)
		x, err := energy.Watch(w)
		if err != nil {
			t.Fatal(err)
		}
		air, frames := make([]uint64, 2), make([]uint64, 2)
		w.Observe(world.Observer{Frame: func(f world.Frame) { air[f.Sender] += f.End - f.Start; frames[f.Sender]++ }})
		plain.RunUntil(until)
		w.RunUntil(until)
		if plain.Hash() != w.Hash() {
			t.Errorf("%s: watching changes the run", name)
		}
		for i, m := range x.Motes() {
			sum, modes, sent := map[string]uint64{}, map[string]bool{}, uint64(0)
			for _, s := range m.States {
				sum[s.Part] += s.PS
				mode, _, transmits := strings.Cut(s.Mode, " at ")
				modes[mode] = true
				if transmits {
					sent += s.PS
				}
			}
			if d := math.Abs(float64(sum["CPU"]) - float64(w.Motes()[i].Time())); d > 1e6 {
				t.Errorf("%s mote %d: the CPU's modes take %d ps of %d", name, i, sum["CPU"], w.Motes()[i].Time())
			}
			if sum["radio"] != until {
				t.Errorf("%s mote %d: the radio's modes take %d ps", name, i, sum["radio"])
			}
			if frames[i] == 0 || sent < air[i] || sent > air[i]+frames[i]*5*world.Millisecond {
				t.Errorf("%s mote %d: it transmits for %d ps, %d frames take %d", name, i, sent, frames[i], air[i])
			}
			if !modes["active"] || len(modes) < 4 || !modes["receive"] {
				t.Errorf("%s mote %d: %v", name, i, m.States)
			}
		}
	}
}

// A mode's energy is voltage, current and time.
func TestMillijoules(t *testing.T) {
	s := energy.State{PS: 2 * world.Second, Microamps: 18_800}
	if got := s.Millijoules(3000); math.Abs(got-112.8) > 1e-9 {
		t.Errorf("%v mJ", got)
	}
}

// A board without a table is refused.
func TestEnergyRefused(t *testing.T) {
	if _, err := energy.Watch(testkit.Alone(t, testkit.Example(t, "serial", board.Uno.Name), 1)); err == nil || !strings.Contains(err.Error(), "board uno draw is not known") {
		t.Errorf("%v", err)
	}
}
