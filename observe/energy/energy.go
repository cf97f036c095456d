// Package energy says how long each mote's CPU and radio were in which mode, and what that took from its supply, by the table of its board.
//
// Watching changes nothing in the world. Lights, sensors, the external flash and losses of the supply are not counted.
package energy

import (
	"cmp"
	"fmt"
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/mote/radio"
	"motehound/world"
)

// Mote is what one mote took.
type Mote struct {
	Millivolts uint16
	States     []State
}

// State is a mode of a part.
type State struct {
	Part      string // CPU or radio
	Mode      string
	PS        uint64 // how long, in picoseconds
	Microamps float64
}

// Millijoules is what a state took at a voltage.
func (s *State) Millijoules(millivolts uint16) float64 {
	return float64(millivolts) / 1000 * s.Microamps / 1000 * float64(s.PS) / world.Second
}

// Watcher watches one world.
type Watcher struct {
	w     *world.World
	motes []watched
}

// watched is a mote under way.
type watched struct {
	m     *mote.Mote
	mode  string            // that the CPU entered last
	slept uint64            // cycles until then
	modes map[string]uint64 // cycles of sleep
	draws radio.Draw
	since uint64
	radio map[radio.Draw]uint64 // picoseconds
}

// Watch begins to watch.
func Watch(w *world.World) (*Watcher, error) {
	x := &Watcher{w: w}
	for _, m := range w.Motes() {
		if m.Board().Draw == nil {
			return nil, fmt.Errorf("mote %d: what the parts of board %s draw is not known: it is of micaz and mica2", m.ID(), m.Board().Name)
		}
		s := watched{m: m, modes: map[string]uint64{}, radio: map[radio.Draw]uint64{}, since: w.Now(), draws: m.Radio().Draw()}
		x.motes = append(x.motes, s)
	}
	w.Observe(world.Observer{
		Draws: func(i int, ps uint64, d radio.Draw) { x.motes[i].radioDraws(ps, d) },
		Code: func(i int, _ uint64, _ uint32) bool {
			x.motes[i].sleeps()
			return false
		},
		CodeAt: func(k *mote.Kind) (at []uint32) {
			for pc := range k.Program().Words() {
				if k.Program().At(pc).Op == avr.OpSleep {
					at = append(at, pc)
				}
			}
			return at
		},
		Kept: func(int, *digest.Digest) {}, // only the last mode, and sums that time adds to
	})
	return x, nil
}

// sleeps is what happens before a SLEEP: what was slept since the last one was in the mode of that.
func (s *watched) sleeps() {
	if now := s.m.SleepCycles(); now > s.slept {
		s.modes[s.mode] += now - s.slept
		s.slept = now
	}
	s.mode = s.m.SleepMode()
}

func (s *watched) radioDraws(ps uint64, d radio.Draw) {
	s.radio[s.draws] += ps - min(s.since, ps)
	s.draws, s.since = d, max(s.since, ps)
}

// Motes is what each mote took until now.
func (x *Watcher) Motes() []Mote {
	var all []Mote
	for i := range x.motes {
		s := &x.motes[i]
		s.sleeps()
		s.radioDraws(x.w.Now(), s.draws)
		draw := s.m.Board().Draw
		m := Mote{Millivolts: draw.Millivolts}
		time := func(cycles uint64) uint64 {
			return uint64(float64(cycles) / float64(max(s.m.Cycles(), 1)) * float64(s.m.Time()))
		}
		for _, c := range draw.CPU {
			cycles := s.modes[c.Mode]
			if c.Mode == "active" {
				cycles = s.m.Cycles() - s.m.SleepCycles()
			}
			if cycles > 0 {
				m.States = append(m.States, State{"CPU", c.Mode, time(cycles), c.Microamps})
			}
		}
		m.States = append(m.States, s.radioStates(draw.OfRadio)...)
		all = append(all, m)
	}
	return all
}

// radioStates are those of the radio, in order of mode and power.
func (s *watched) radioStates(microamps func(radio.Draw) float64) (list []State) {
	var draws []radio.Draw
	for d, ps := range s.radio {
		if ps > 0 {
			draws = append(draws, d)
		}
	}
	slices.SortFunc(draws, func(a, b radio.Draw) int { return cmp.Or(cmp.Compare(a.Mode, b.Mode), cmp.Compare(a.DBm, b.DBm)) })
	for _, d := range draws {
		name := d.Mode.String()
		if d.Mode == radio.Transmits {
			name = fmt.Sprintf("%s at %d dBm", name, d.DBm)
		}
		list = append(list, State{"radio", name, s.radio[d], microamps(d)})
	}
	return list
}
