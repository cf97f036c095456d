package kernel

import (
	"slices"

	"motehound/firmware/image"
	life "motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/study/property/builtin"
)

// role is why an instruction is looked at.
type role uint16

const (
	roleLife    role = 1 << iota // the kernel's profile wants it
	roleReti                     // RETI
	roleSleep                    // SLEEP
	roleHalt                     // CLI in front of a jump to itself
	roleKick                     // WDR
	roleFlags                    // a write of the reset flags
	roleSite                     // a jump or call to address 0 or to a failure routine
	roleZ                        // one to where Z says
	roleRoutine                  // the first instruction of a failure routine
)

// table is what is worked out once for a kind of motes, with the same failure routines and description of the kernel. It never
// changes.
type table struct {
	kind     *mote.Kind
	im       *image.Image
	profile  *life.Profile
	roles    []role    // by word address
	at       []uint32  // what is to be looked at besides the kernel's life
	routines []routine // by entry
	entries  []uint32  // of handlers, by vector; 0 where the vector leads to address 0
	handlers bool      // there is one
	sources  []source
	ret      uint16 // size of a return address
}

// newTable works out what to look at in a kind of motes.
func newTable(k *mote.Kind, opt *builtin.Options) (*table, error) {
	t := &table{kind: k, im: k.Image, ret: uint16(k.Board.Chip.Has.ReturnBytes()), sources: sourcesOf(k.Board.Chip), roles: make([]role, k.Program().Words())}
	var err error
	if t.profile, err = opt.Kernels.Profile(k.Image, k.Program()); err != nil {
		return nil, err
	}
	for _, pc := range t.profile.Hooks() {
		t.mark(pc, roleLife)
	}
	t.routines = findRoutines(k.Image, opt.Failures)
	for _, r := range t.routines {
		t.mark(r.entry, roleRoutine)
	}
	t.entries = k.Handlers()
	t.handlers = slices.ContainsFunc(t.entries, func(pc uint32) bool { return pc != 0 })
	for pc := range uint32(len(t.roles)) {
		// Every word, whether an instruction begins there or not: those where none does are never reached.
		t.instruction(pc, k.Program().At(pc))
	}
	for pc, r := range t.roles {
		if r != 0 && r&roleLife == 0 {
			t.at = append(t.at, uint32(pc))
		}
	}
	return t, nil
}

func (t *table) mark(pc uint32, r role) {
	if pc < uint32(len(t.roles)) {
		t.roles[pc] |= r
	}
}

// instruction finds out whether one is to be looked at.
func (t *table) instruction(pc uint32, in avr.Inst) {
	switch in.Op {
	case avr.OpReti:
		t.mark(pc, roleReti)
	case avr.OpSleep:
		t.mark(pc, roleSleep)
	case avr.OpWdr:
		t.mark(pc, roleKick)
	case avr.OpCli:
		if after := t.kind.Program().At(pc + 1); after.Op == avr.OpRjmp && after.K == pc+1 {
			t.mark(pc, roleHalt)
		}
	case avr.OpOut, avr.OpSts:
		if in.K == uint32(t.kind.Board.Chip.Control.MCUSR) {
			t.mark(pc, roleFlags)
		}
	}
	switch flow, target := in.Flow(); flow {
	case avr.Jump, avr.Call:
		if target == 0 || t.routineAt(target) != nil {
			t.mark(pc, roleSite)
		}
	case avr.IndirectJump, avr.IndirectCall:
		t.mark(pc, roleZ)
	}
}

// entry is the flash byte address of a vector's handler.
func (t *table) entry(vector uint16) uint32 {
	if int(vector) < len(t.entries) {
		return t.entries[vector] * 2
	}
	return 0
}

// unhandled tells that a vector leads to address 0.
func (t *table) unhandled(vector uint16) bool {
	return int(vector) < len(t.entries) && t.entries[vector] == 0
}

// nests tells that a handler declares to be re-entrant: its first instruction is SEI, which the compiler puts there for
// __attribute__((interrupt)), as in avr-libc's ISR_NOBLOCK and TinyOS's AVR_NONATOMIC_HANDLER.
func (t *table) nests(vector uint16) bool {
	at := t.entry(vector) / 2
	return at != 0 && t.kind.Program().At(at).Op == avr.OpSei
}

func (t *table) vectorName(vector uint16) string { return t.kind.Board.Chip.VectorName(uint8(vector)) }

// places are the functions that an instruction belongs to, the innermost inlined one first.
func (t *table) places(addr uint32) []builtin.Place { return builtin.Places(t.im, addr) }

// calls tells whether an instruction is a call.
func (t *table) calls(pc uint32) bool {
	f, _ := t.kind.Program().At(pc).Flow()
	return f == avr.Call || f == avr.IndirectCall
}

// extended tells whether an indirect jump or call uses EIND.
func (t *table) extended(pc uint32) bool { return t.kind.Program().At(pc).Reads()&avr.EIND != 0 }
