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
		up, err := im.Unwind(regs, m.Memory())
		if err != nil || up.PC < 2 || up.SP <= regs.SP {
			break
		}
		if !isHandler(im, regs.PC) { // it goes on at the instruction that was interrupted, and behind one that called
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

// isHandler reports whether an instruction belongs to an interrupt handler.
func isHandler(im *image.Image, addr uint32) bool {
	s, ok := im.FuncAt(addr)
	return ok && strings.HasPrefix(s.Name, "__vector_")
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
