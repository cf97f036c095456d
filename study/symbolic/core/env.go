package core

import (
	"slices"

	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/mote/radio"
	"motehound/study/symbolic/expr"
)

// OutputKind is what a mote has done that others may notice.
type OutputKind uint8

const (
	CharStart  OutputKind = iota // a USART begins to send a character
	CharSent                     // it has sent it
	CarrierOn                    // a transmission begins
	AirByte                      // its next byte
	CarrierOff                   // it ends
	Light                        // one of the board's lights changed
)

// Output is one such thing. Bytes are cells: what they depend on goes along.
type Output struct {
	At      uint64 // picoseconds since the mote was switched on
	Told    uint64 // when it was known; mostly before
	Kind    OutputKind
	USART   uint8
	Char    periph.SerialChar // of CharStart and CharSent
	Carrier radio.Carrier     // of CarrierOn
	Bit     uint64            // of AirByte, picoseconds
	Data    cell.Cell
	LED     int
	On      bool
}

// Take is what the mote has done since Take was last called.
func (s *State) Take() []Output {
	s.board()
	out := s.outbox
	s.outbox = nil
	return out
}

// Listener is notified when the moment of a state's alarm has come. It says what arrives then (Hear, Receive) and sets the alarm again. If it
// returns false, it cannot go on before somebody has chosen: RunUntil returns, and when it is called again the Listener is called first,
// as if no time had passed.
type Listener interface{ Arrived(s *State) bool }

// Listen sets the listener. A copy of a state has none until it is given one.
func (s *State) Listen(l Listener) { s.listener = l }

// SetAlarm has the listener told at a moment. There is one alarm; periph.Never is none.
func (s *State) SetAlarm(ps uint64) {
	m := s.board()
	if s.alarm != ps {
		s.alarm = ps
		m.PlanLines(ps)
	}
}

// Waits reports whether the listener could not go on.
func (s *State) Waits() bool { return s.waits }

// Hear has the mote's radio hear something, now or at an exact moment a little before. The value of its cell is taken from its expression.
func (s *State) Hear(at uint64, x radio.Heard) {
	m := s.board()
	x.Data = s.Revalued(x.Data)
	if m.Radio() != nil {
		m.Heard(at, x)
	}
}

// Receive puts a character on a USART's line.
func (s *State) Receive(usart uint8, c periph.SerialChar) {
	m := s.board()
	c.Data = s.Revalued(c.Data)
	m.Receive(usart, c)
}

// Revalued is a cell with the value that its expression has in this state.
func (s *State) Revalued(c cell.Cell) cell.Cell { return revalued(s.x.evaluator(s), c) }

// SerialIn has bytes reach a USART from outside.
func (s *State) SerialIn(usart uint8, in mote.Input) {
	m := s.board()
	ev := s.x.evaluator(s)
	in.Bytes = slices.Clone(in.Bytes)
	for i, b := range in.Bytes {
		in.Bytes[i] = revalued(ev, b)
	}
	m.SerialIn(usart, in)
}

// PowerCycle takes the mote's power away for a moment.
func (s *State) PowerCycle() {
	m := s.board()
	m.PowerCycle()
	s.sh.wipe()
	m.Core().Program = s.rig.program()
}

// PowerOff takes the mote's power away, PowerUp gives it back at a moment. What arrives meanwhile is lost.
func (s *State) PowerOff() {
	m := s.board()
	m.PowerOff()
	s.sh.wipe()
	m.Core().Program = s.rig.program()
}

// PowerUp switches the mote on again.
func (s *State) PowerUp(ps uint64) {
	m := s.board()
	m.PowerUp(ps)
}

// revalue gives cells on their way out the values that they have under the state's model.
func (s *State) revalue(ev *expr.Evaluator) {
	s.outbox = slices.Clone(s.outbox)
	for i := range s.outbox {
		o := &s.outbox[i]
		o.Data, o.Char.Data = revalued(ev, o.Data), revalued(ev, o.Char.Data)
	}
}

func (r *rig) emit(o Output) {
	if r.cur != nil { // not while the mote is being made
		o.Told = r.m.Time()
		r.cur.outbox = append(r.cur.outbox, o)
	}
}

// Sensor implements mote.Env, as do the other methods.
func (r *rig) Sensor(_ *mote.Mote, channel uint8) (value uint16, lo, hi uint32) {
	return r.reading(channel)
}

func (r *rig) Sent(_ *mote.Mote, usart uint8, c periph.SerialChar) {
	r.emit(Output{At: c.End, Kind: CharSent, USART: usart, Char: c})
}

func (r *rig) Starting(_ *mote.Mote, usart uint8, c periph.SerialChar) {
	r.emit(Output{At: c.Start, Kind: CharStart, USART: usart, Char: c})
}

func (r *rig) LED(m *mote.Mote, led int, on bool) {
	r.emit(Output{At: m.Time(), Kind: Light, LED: led, On: on})
}

func (r *rig) SwitchOn(_ *mote.Mote, at uint64, c radio.Carrier) {
	r.emit(Output{At: at, Kind: CarrierOn, Carrier: c})
}

func (r *rig) Emit(_ *mote.Mote, at, bit uint64, c cell.Cell) {
	r.emit(Output{At: at, Kind: AirByte, Bit: bit, Data: c})
}

func (r *rig) SwitchOff(_ *mote.Mote, at uint64) { r.emit(Output{At: at, Kind: CarrierOff}) }

func (r *rig) Air(*mote.Mote) {}

// Lines is the alarm.
func (r *rig) Lines(m *mote.Mote) {
	s := r.cur
	at := s.alarm
	s.alarm = periph.Never
	if s.listener != nil && s.listener.Arrived(s) {
		return
	}
	s.waits, s.alarm = true, at
	m.PlanLines(at)
	m.Pause()
}

// Choose takes the ordinary outcome: noise is no input.
func (r *rig) Choose(*mote.Mote, uint32) uint32 { return 0 }

func (r *rig) Pad(*mote.Mote, periph.Pin, bool) {}
func (r *rig) CatchUp(*mote.Mote)               {}
func (r *rig) ReplanAir(*mote.Mote)             {}
func (r *rig) Notice(*mote.Mote, mcu.Note)      {}

// Hook stops before a stop, once.
func (r *rig) Hook(m *mote.Mote, pc uint32) bool {
	s, now := r.cur, m.Core().Instructions+1
	if s.passed == now {
		return false
	}
	s.passed, s.stops = now, r.table.stopAt[pc]
	return true
}

// Interrupt is called when a return address was pushed: it overwrites what was there.
func (r *rig) Interrupt(m *mote.Mote, vector uint8) {
	s, c := &r.cur.sh, m.Core()
	r.cur.serves(m, vector)
	if s.bytes == 0 {
		return
	}
	n := uint16(m.Chip().Has.ReturnBytes())
	for a := c.SP + 1; a <= c.SP+n; a++ {
		if uint(a)-uint(s.base) < uint(len(c.RAM)) {
			s.put(a, 0)
		}
	}
}
