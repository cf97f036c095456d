// Package outputs records what motes did that people see: the bytes that they sent, their lights, and notices about them.
//
// Invariants: recording changes nothing in the world, and what is kept of a run does not grow without bound.
package outputs

import (
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/world"
)

// maxLEDChanges bounds what is kept of each mote's lights: a light that is dimmed by its timer changes thousands of times
// a second.
const maxLEDChanges = 100_000

// maxSent bounds what is kept of what each USART has sent: its first bytes. A run of days does not take more memory than one of an hour.
const maxSent = 4 << 20

// LEDChange is a light that went on or off.
type LEDChange struct {
	At    uint64 // picoseconds since the world's start
	Cycle uint64
	LED   int
	On    bool
}

// Recorder keeps what a report needs and a world forgets.
type Recorder struct {
	w     *world.World
	motes []moteRecord
}

type moteRecord struct {
	uart    [4]sent
	leds    []LEDChange
	changes int // of lights, also those beyond maxLEDChanges
	notices []mcu.Note
}

// sent is what a USART has sent.
type sent struct {
	first  []byte
	beyond int // how many bytes came behind those
}

func (s *sent) add(c byte) {
	if len(s.first) == maxSent {
		s.beyond++
		return
	}
	s.first = append(s.first, c)
}

// Record starts recording.
func Record(w *world.World) *Recorder {
	r := &Recorder{w: w, motes: make([]moteRecord, len(w.Motes()))}
	w.Observe(world.Observer{
		Serial: func(i int, usart uint8, c periph.SerialChar) {
			r.motes[i].uart[usart].add(c.Data.V())
		},
		LED: func(i int, ps uint64, led int, on bool) {
			m := &r.motes[i]
			if m.changes++; m.changes <= maxLEDChanges {
				m.leds = append(m.leds, LEDChange{ps, w.Motes()[i].Cycles(), led, on})
			}
		},
		Notice: func(i int, n mcu.Note) { r.motes[i].notices = append(r.motes[i].notices, n) },
	})
	return r
}

// UART is what a mote's USART has sent, and how many bytes there were beyond those that are kept.
func (r *Recorder) UART(i int, usart uint8) (first []byte, beyond int) {
	u := &r.motes[i].uart[usart]
	return u.first, u.beyond
}

// LEDs are the changes of a mote's lights, in order of time, and how many there were beyond those that are kept.
func (r *Recorder) LEDs(i int) (changes []LEDChange, beyond int) {
	m := &r.motes[i]
	return m.leds, m.changes - len(m.leds)
}

// Notices are what is to be known about a mote, in order of time.
func (r *Recorder) Notices(i int) []mcu.Note { return r.motes[i].notices }
