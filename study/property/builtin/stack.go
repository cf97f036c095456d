package builtin

import (
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/periph"
)

// Frame is an instruction and what the stack pointer is there.
type Frame struct {
	PC uint32 // word address
	SP uint16
}

// Unwind gives the calls that led a mote to an instruction, the innermost first, as far as the file's frame information tells.
func Unwind(m *mote.Mote, at Frame) []Frame {
	im := m.Kind.Image
	regs := image.Regs{R: m.Core().R, SP: at.SP, PC: at.PC * 2}
	var list []Frame
	for len(list) < MaxChain {
		handler, isHandler := handlerAt(im, regs.PC)
		up, err := im.Unwind(regs, m.Memory())
		if back, ok := interrupted(m, handler, regs); isHandler && ok {
			up.PC, up.SP, err = back.PC, back.SP, nil
		}
		if err != nil || up.PC < 2 || up.SP <= regs.SP {
			break
		}
		if !isHandler { // it goes on at the instruction that was interrupted, and behind one that called
			up.PC -= 2
		}
		if _, ok := im.FunctionAt(up.PC); !ok { // start-up code, or astray
			break
		}
		list = append(list, Frame{up.PC / 2, up.SP})
		regs = up
	}
	return list
}

// handlerAt is the interrupt handler that an instruction belongs to.
func handlerAt(im *image.Image, addr uint32) (image.Symbol, bool) {
	s, ok := im.FuncAt(addr)
	return s, ok && strings.HasPrefix(s.Name, "__vector_")
}

// interrupted is what a handler goes back to. The compiler's frame information does not know all that handlers push, so pushes are counted: those of the
// prologue, if the handler is behind it and has no frame of its own.
func interrupted(m *mote.Mote, handler image.Symbol, regs image.Regs) (up image.Regs, ok bool) {
	p := m.Kind.Program()
	pushed, pc := uint16(0), handler.Addr/2
	for ; pc*2 < regs.PC; pc++ {
		in := p.At(pc)
		switch {
		case in.Op == avr.OpPush:
			pushed++
			continue
		case in.Op == avr.OpIn && in.D == 0, in.Op == avr.OpEor && in.D == in.R:
			continue
		}
		break
	}
	if m.Chip().FlashSize > 1<<17 || pushed == 0 {
		return up, false
	}
	top := regs.SP + pushed
	up.SP = top + 2
	up.PC = 2 * (uint32(m.Peek(top+1))<<8 | uint32(m.Peek(top+2)))
	_, ok = m.Kind.Image.FunctionAt(up.PC)
	return up, ok
}

// SwitchedOff says where a mote has switched interrupts off: at the last CLI before an instruction in its function, or before the call
// in a function that led there.
func SwitchedOff(m *mote.Mote, at Frame) (Place, bool) {
	p := m.Kind.Program()
	for _, x := range append([]Frame{at}, Unwind(m, at)...) {
		f, ok := m.Kind.Image.FuncAt(x.PC * 2)
		for pc := x.PC; ok && pc+1 > f.Addr/2; pc-- {
			if p.At(pc).Op == avr.OpCli {
				return Places(m.Kind.Image, pc*2)[0], true
			}
		}
	}
	return Place{}, false
}

// Guarded tells whether a mote's watchdog is on: it ends everything.
func Guarded(m *mote.Mote) bool {
	w := m.Chip().Watchdog
	if w == nil {
		return false
	}
	mask := uint8(1) << w.WDE
	if w.WDIE != periph.NoBit {
		mask |= 1 << w.WDIE
	}
	return m.Peek(w.WDTCSR)&mask != 0
}
