package mote

import (
	"fmt"
	"testing"

	"motehound/examples"
	"motehound/mote/board"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/mote/radio"
	"motehound/mote/relative"
)

// stage is a mote with all that surrounds it, which two copies of the mote can have each for itself, and at different times: what
// happens is logged as it looks without the shift.
type stage struct {
	*Mote
	Env
	air    []signal // what reaches its radio
	heard  int      // how much of it has
	seed   uint32   // of sensors
	log    digest.Digest
	events int
	cycles uint64 // how far the mote was postponed
	ps     uint64
}

// signal is something on the air.
type signal struct {
	at uint64
	radio.Heard
}

func newStage(k *Kind, id uint16, air []signal) *stage {
	s := &stage{air: air, log: digest.New()}
	s.Mote = k.New(id, 0, s)
	s.Watch(WatchPads | WatchInterrupts)
	s.planNext(s.Mote)
	return s
}

// clone is a copy of the stage, by way of a Rest.
func (s *stage) clone() *stage {
	c := *s
	var r Rest
	s.Mote.Save(&r)
	c.Mote = r.Wake(new(Room), &c)
	c.Watch(WatchPads | WatchInterrupts)
	return &c
}

// postpone moves the stage into the future.
func (s *stage) postpone(periods uint64) {
	cycles, ps := s.Core().Cycles, s.Time()
	s.Postpone(periods)
	s.cycles += s.Core().Cycles - cycles
	s.ps += s.Time() - ps
}

// run runs up to a moment that does not count the shift.
func (s *stage) run(ps uint64) { s.RunUntil(ps + s.ps) }

// now is the moment without the shift.
func (s *stage) now() uint64 { return s.Time() - s.ps }

// relative is the mote's relative hash.
func (s *stage) relative() digest.Sum {
	d := digest.New()
	s.AppendRelative(&d)
	return d.Sum()
}

// state is the mote's ordinary hash.
func (s *stage) state() digest.Sum {
	d := digest.New()
	s.AppendState(&d)
	return d.Sum()
}

// behaviour is all that can be seen of a mote up to now: what it did, and its registers, variables and, if asked for, stack.
func (s *stage) behaviour(stack bool) string {
	c, end := s.Core(), min(int(s.Kind.beyond)-int(s.Core().RAMBase), len(s.Core().RAM))
	d := digest.New()
	d.Bytes(c.R[:])
	d.Bytes(c.RAM[:end])
	if top := int(c.SP) + 1 - int(c.RAMBase); stack && top >= 0 && top <= len(c.RAM) {
		d.Bytes(c.RAM[top:])
	}
	promise := uint64(radio.Never)
	if s.radio != nil {
		if promise = s.radio.Promise(s.Time(), s.NextAction()); promise != radio.Never {
			promise -= s.ps
		}
	}
	return fmt.Sprintf("%v at cycle %d, pc %#x sp %#x sreg %#x, memory %v, %d events %v, lights %b, nothing on the air before %d ps",
		s.Stopped(), c.Cycles-s.cycles, c.PC, c.SP, c.SREG(), d.Sum(), s.events, s.log.Sum(), s.LEDs(), promise)
}

// note logs something that the mote does, at its cycle.
func (s *stage) note(kind, what uint64) {
	s.events++
	s.log.Word(s.Core().Cycles - s.cycles)
	s.log.Word(kind)
	s.log.Word(what)
}

func (s *stage) planNext(m *Mote) {
	if s.heard < len(s.air) {
		m.PlanAir(s.air[s.heard].at + s.ps)
	}
}

// Air gives the radio what has reached it, at its exact moment.
func (s *stage) hear(m *Mote) {
	for ; s.heard < len(s.air) && s.air[s.heard].at+s.ps <= m.Time(); s.heard++ {
		x := s.air[s.heard]
		m.Heard(x.at+s.ps, x.Heard)
	}
}

func (s *stage) Air(m *Mote) {
	s.hear(m)
	s.planNext(m)
}

func (s *stage) Sensor(m *Mote, channel uint8) (uint16, uint32, uint32) {
	s.seed = s.seed*1103515245 + 12345
	s.note(1, uint64(channel))
	return uint16(s.seed >> 20 % 1024), 0, 0
}

func (s *stage) Sent(_ *Mote, usart uint8, c periph.SerialChar) {
	s.note(2, uint64(usart)<<32|uint64(c.Data))
	s.log.Word(c.Start - s.ps)
	s.log.Word(c.End - s.ps)
}

func (s *stage) Pad(_ *Mote, p periph.Pin, level bool) {
	s.note(3, uint64(p))
	s.note(3, map[bool]uint64{true: 1}[level])
}

func (s *stage) LED(_ *Mote, led int, on bool)   { s.note(4, uint64(led)) }
func (s *stage) Interrupt(_ *Mote, vector uint8) { s.note(5, uint64(vector)) }
func (s *stage) Hook(*Mote, uint32) bool         { return false }
func (s *stage) Notice(_ *Mote, n mcu.Note)      {}
func (s *stage) Choose(*Mote, uint32) uint32     { return 7 }
func (s *stage) Lines(*Mote)                     {}
func (s *stage) CatchUp(m *Mote)                 { s.hear(m) }
func (s *stage) ReplanAir(m *Mote)               { s.planNext(m) }
func (s *stage) SwitchOff(_ *Mote, at uint64)    { s.note(8, at-s.ps) }
func (s *stage) Emit(_ *Mote, at, bit uint64, c cell.Cell) {
	s.note(7, at-s.ps)
	s.note(7, uint64(c))
}

func (s *stage) SwitchOn(_ *Mote, at uint64, c radio.Carrier) {
	s.note(6, at-s.ps)
	digest.Struct(&s.log, &c)
}

func (s *stage) Starting(_ *Mote, usart uint8, c periph.SerialChar) {
	s.note(9, uint64(usart))
	s.log.Word(c.Start - s.ps)
	s.log.Word(c.End - s.ps)
}

// tape is an Env that records what a mote has on the air.
type tape struct {
	*stage
	id  uint16
	air []signal
}

func (r *tape) SwitchOn(_ *Mote, at uint64, c radio.Carrier) {
	c.DBm -= 60
	r.air = append(r.air, signal{at, radio.Heard{Kind: radio.CarrierOn, Sender: r.id, Carrier: c}})
}

func (r *tape) Emit(_ *Mote, at, bit uint64, c cell.Cell) {
	r.air = append(r.air, signal{at, radio.Heard{Kind: radio.Byte, Sender: r.id, Bit: bit, Data: c}})
}

func (r *tape) SwitchOff(_ *Mote, at uint64) {
	r.air = append(r.air, signal{at, radio.Heard{Kind: radio.CarrierOff, Sender: r.id}})
}

// sentBy is what a mote puts on the air by itself, up to a moment.
func sentBy(k *Kind, id uint16, until uint64) []signal {
	r := &tape{stage: &stage{log: digest.New()}, id: id}
	r.stage.Mote = k.New(id, 0, r)
	r.stage.Mote.RunUntil(until)
	return r.air
}

// second is in picoseconds.
const second = 1_000_000_000_000

// relativeExamples are the programs that are run.
var relativeExamples = []string{"blink", "sense", "counter", "collect", "relay", "readings", "serialbuf_fixed", "timesync", "serial"}

// forEachStage runs every example on every board with a neighbour on the air and input on its serial line, and calls f at some
// moments: every other one while the CPU is busy.
func forEachStage(t *testing.T, moments int, f func(t *testing.T, s *stage)) {
	const until = 3 * second
	if testing.Short() {
		moments = moments/4 + 2
	}
	for _, b := range []*board.Board{&board.MicaZ, &board.Mica2, &board.Uno} {
		for _, name := range relativeExamples {
			if _, ok := examples.Find(name, b.Name); !ok {
				continue
			}
			t.Run(name+"-"+b.Name, func(t *testing.T) {
				k := exampleKind(t, name, b.Name, b)
				var air []signal
				if k.Board.Radio != nil {
					air = sentBy(k, 2, until)
				}
				s := newStage(k, 1, air)
				for i := range uint64(8) {
					s.SerialIn(0, Input{At: (300 + 311*i) * second / 1000, Bytes: greeting})
				}
				for i := range moments {
					s.run(uint64(i) * until / uint64(moments))
					if i%2 == 1 {
						s.RunUntil(min(s.NextAction(), s.Time()+second))
						for range i * 37 % 101 {
							s.Step()
						}
					}
					f(t, s)
				}
			})
		}
	}
}

// greeting is a frame of TinyOS's serial protocol, and something that is none.
var greeting = []cell.Cell{0x7E, 0x45, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0x02, 0x22, 0x09, 0x00, 0x01, 0x7E, 0x55, 0x00}

// Postpone moves the mote so many Periods into the future: see mcu.Machine.Postpone. Serial input that is still to come moves with it.
func (m *Mote) Postpone(periods uint64) {
	now := m.Clocks()
	by := m.Machine.Postpone(periods)
	stateTable.Shift(m.st, &now, &by)
	for usart, all := range m.input {
		moved := make([]Input, len(all))
		for i, in := range all {
			moved[i] = Input{At: in.At + by[relative.Real], Bytes: in.Bytes}
		}
		m.input[usart] = moved
	}
	if m.radio != nil {
		m.radio.Shift(&now, &by)
	}
}
