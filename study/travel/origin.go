package travel

import (
	"errors"
	"math/bits"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/world"
)

// Last finds the last thing that is watched before the present stop, and goes nowhere.
func (t *Traveller) Last(w *Watch, stop func() bool) (Hit, error) {
	return t.before(t.Here(), w, stop)
}

// How says what became of a byte on its way.
type How uint8

// The ways.
const (
	Stored   How = iota // it was written to memory
	Loaded              // it was read from there
	Computed            // it was made of something else
	Constant            // it is in the program
	Heard               // it was read from a device, and came from another program
	Outside             // it was read from a device
	Sent                // it was written to a device
	Initial             // nobody has written it since the mote was switched on
)

// Link is a part of a byte's way, the last one first. The mote is before the instruction that did it.
type Link struct {
	Stop
	How   How
	PC    uint32
	Addr  uint16 // of memory, or of a device's register
	Value uint8
}

// mostLinks bounds how far a byte is followed.
const mostLinks = 64

// Origin follows a byte of a mote's memory back to where it came from: through copies in memory and registers, and over the air or a wire to the
// program that sent it.
func (t *Traveller) Origin(mote int, addr uint16, stop func() bool) (way []Link, err error) {
	at := t.Here()
	in := byteAt{mote: mote, addr: addr}
	for len(way) < mostLinks {
		var next *byteAt
		if in.register {
			next, err = t.made(&way, at, in, stop)
		} else {
			next, err = t.stored(&way, at, in, stop)
		}
		if err != nil || next == nil {
			return way, err
		}
		in, at = *next, way[len(way)-1].Stop
	}
	return way, nil
}

// byteAt is a byte of memory, or a register.
type byteAt struct {
	mote     int
	addr     uint16
	register bool
}

// stored finds the store that wrote a byte, and where it had it from.
func (t *Traveller) stored(way *[]Link, at Stop, b byteAt, stop func() bool) (*byteAt, error) {
	h, err := t.before(at, &Watch{Writes: []Range{{b.mote, b.addr, 1}}}, stop)
	if errors.Is(err, ErrNone) {
		*way = append(*way, Link{Stop: Stop{at.Point, b.mote}, How: Initial, Addr: b.addr})
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	in := t.instruction(h)
	a := in.Access()
	plain := h.Kind == Write && in.Op != avr.OpSbi && in.Op != avr.OpCbi && a.Bytes == 1
	how := Stored
	if !plain {
		how = Computed
	}
	*way = append(*way, Link{Stop: h.Stop, How: how, PC: h.PC, Addr: b.addr, Value: h.New})
	if !plain {
		return nil, nil
	}
	return &byteAt{mote: b.mote, addr: uint16(in.D & 31), register: true}, nil
}

// instruction is what a mote is before.
func (t *Traveller) instruction(h Hit) avr.Inst { return t.Motes()[h.Mote].Kind.Program().At(h.PC) }

// executed is an instruction, and what it accessed.
type executed struct {
	Stop
	in    avr.Inst
	pc    uint32
	addr  uint16
	value uint8
}

// made finds the instruction that gave a register its value.
func (t *Traveller) made(way *[]Link, at Stop, b byteAt, stop func() bool) (*byteAt, error) {
	of := avr.RegSet(uint8(b.addr))
	x, err := t.maker(at, b.mote, &of, stop)
	if err != nil {
		if errors.Is(err, ErrNone) {
			err = nil
		}
		return nil, err
	}
	l := Link{Stop: x.Stop, PC: x.pc, Addr: x.addr, Value: x.value}
	a := x.in.Access()
	device := (a.Space == avr.DataMemory || a.Space == avr.IORegister) && x.addr < t.Motes()[b.mote].Core().RAMBase
	var next *byteAt
	switch {
	case bits.OnesCount64(uint64(of)) != 1:
		l.How = Computed
	case a.Reads && device && t.Motes()[b.mote].KeepsCell(x.addr):
		return t.heard(way, l, func(h Hit) bool { return h.Stop == l.Stop }, stop)
	case a.Reads && device:
		l.How = Outside
	case a.Reads && a.Space == avr.CodeMemory, a.Space == avr.NoMemory && uint32(x.in.Reads()) == 0, clears(x.in):
		l.How = Constant
	case a.Reads:
		l.How, next = Loaded, &byteAt{mote: b.mote, addr: x.addr}
	default:
		l.How = Computed
	}
	*way = append(*way, l)
	if stream, _ := t.Motes()[b.mote].Kind.RadioVectors(); l.How == Computed && stream != 0 {
		return t.streamed(way, l, stop)
	}
	return next, nil
}

// streamed is for radios that hand over bits as they come, eight at a time wherever a byte begins. The program puts its bytes together of two of these, and
// the later of them begins in the byte that was sent.
func (t *Traveller) streamed(way *[]Link, l Link, stop func() bool) (*byteAt, error) {
	known := len(*way)
	next, err := t.heard(way, l, func(h Hit) bool {
		return h.Mote == l.Mote && h.Event == l.Event && h.Stop.Compare(l.Stop) < 0 && l.Time-h.Time < aByte
	}, stop)
	if next == nil { // it was made of something else
		*way = (*way)[:known]
	}
	return next, err
}

// aByte is as long as it takes until the next byte comes, on a CC1000 at its usual rate.
const aByte = 416 * world.Microsecond

// clears reports whether an instruction gives 0, whatever its operand is.
func clears(in avr.Inst) bool { return (in.Op == avr.OpEor || in.Op == avr.OpSub) && in.D == in.R }

// maker finds the instruction that gave a value to a register, or to all of some whose exclusive or is looked for: compilers swap bytes that way. What
// only moves or swaps them is skipped; then they are others from there on.
func (t *Traveller) maker(at Stop, mote int, of *avr.Set, stop func() bool) (executed, error) {
	first, _ := t.bounds()
	to := at.Point
	for step := -1; to.Compare(first) > 0; step-- {
		from := t.further(to, step)
		var list []executed
		err := t.scan(from, to, &Watch{Each: []int{mote}, If: writesRegister}, func(h Hit) {
			list = append(list, t.note(h))
		}, stop)
		if err != nil {
			return executed{}, err
		}
		for i := len(list) - 1; i >= 0; i-- {
			if x := list[i]; x.Stop.Compare(at) < 0 && x.in.Results()&*of != 0 && !moves(x.in, of) {
				return x, nil
			}
		}
		to = from
	}
	return executed{}, ErrNone
}

// moves follows an instruction that only moves or swaps what is looked for, and reports whether it does.
func moves(in avr.Inst, of *avr.Set) bool {
	d, r := avr.RegSet(in.D&31), avr.RegSet(in.R&31)
	switch in.Op {
	case avr.OpMov:
		*of = *of&^d ^ r
	case avr.OpMovw:
		if *of&d != 0 {
			*of ^= d ^ r
		}
		if *of&(d<<1) != 0 {
			*of ^= d<<1 ^ r<<1
		}
	case avr.OpEor:
		if d == r {
			return false
		}
		*of ^= r
	default:
		return false
	}
	return true
}

func writesRegister(m *mote.Mote, _ Hit) bool { return uint32(m.Core().Coming().Results()) != 0 }

// note keeps what a watched mote is about to do.
func (t *Traveller) note(h Hit) executed {
	return executed{Stop: h.Stop, in: t.instruction(h), pc: h.PC, addr: h.Addr, value: h.Old}
}

// heard finds where what a mote read from a device came from: the last read that is meant. That was sent some time before: how long is not known.
func (t *Traveller) heard(way *[]Link, l Link, meant func(Hit) bool, stop func() bool) (*byteAt, error) {
	first, _ := t.bounds()
	end := l.Point
	end.Time++
	for from, step := l.Point, -1; ; step-- {
		from = t.further(from, step)
		var read, came *Hit
		err := t.scan(from, end, &Watch{Origins: true}, func(h Hit) {
			if meant(h) {
				x := *h.Came
				read, came = &h, &x
			}
		}, stop)
		switch {
		case err != nil:
			return nil, err
		case came != nil:
			*way = append(*way, Link{Stop: read.Stop, How: Heard, PC: read.PC, Addr: read.Addr}, Link{Stop: came.Stop, How: Sent, PC: came.PC, Addr: came.Addr})
			return &byteAt{mote: came.Mote, addr: uint16(t.instruction(*came).D & 31), register: true}, nil
		case from.Compare(first) <= 0 || step < -8:
			l.How = Outside
			*way = append(*way, l)
			return nil, nil
		}
	}
}
