package simavr

import (
	"fmt"
	"path/filepath"
)

// Mode says what stands around the core.
type Mode uint8

// The three modes of a [Program].
const (
	// Bare: I/O registers are plain memory that starts as zero, and
	// nothing ever happens but instructions. SLEEP ends the run.
	Bare Mode = iota
	// Native: simavr's own peripherals and interrupts. A sample shows the state
	// after simavr's loop went round: the instruction, then cycle timers that
	// became due, then the entry into an interrupt, if any. SLEEP's own sample
	// includes the sleep up to the next timer; waking is not a sample.
	Native
	// Scripted: the driver's peripherals, from the log given to [Program.Script].
	Scripted
)

// Spec says what to load.
type Spec struct {
	MCU       string // may be empty when the ELF names it in .mmcu
	Frequency uint32 // Hz; 0 leaves it to the ELF, else simavr takes 1 MHz
	Mode      Mode
	ELF       string // path, read by simavr's own loader; or:
	Flash     []byte // an image from address 0
}

// Program is a machine with a program in it.
type Program struct {
	*process
	Info Info
	spec Spec
}

// Load starts a harness process with a program at its reset address.
func (h *Harness) Load(spec Spec) (*Program, error) {
	if spec.ELF != "" {
		abs, err := filepath.Abs(spec.ELF)
		if err != nil {
			return nil, err
		}
		spec.ELF = abs
	}
	p, err := h.start()
	if err != nil {
		return nil, err
	}
	prog := &Program{process: p, spec: spec}
	if err := prog.Restart(); err != nil {
		p.Close()
		return nil, err
	}
	return prog, nil
}

// Restart loads the program again: everything is as after [Harness.Load], and
// the script of a scripted program is forgotten.
func (p *Program) Restart() error {
	b := appendString(nil, p.spec.MCU)
	b = appendString(b, p.spec.ELF)
	b = append(b, byte(p.spec.Mode))
	b = le.AppendUint32(b, p.spec.Frequency)
	b = le.AppendUint32(b, uint32(len(p.spec.Flash)))
	d, err := p.call(opLoad, append(b, p.spec.Flash...))
	if err != nil {
		return err
	}
	p.Info = d.info()
	return nil
}

// Limits end a run: whichever comes first. At least one of Instructions and
// Cycle must be set.
type Limits struct {
	Instructions uint64 // how many to run; 0 for no limit
	Cycle        uint64 // stop at or after this cycle; 0 for no limit
	Hash         bool   // mix each sample into the program's rolling hash
	Block        uint64 // with Hash: report the hash after every so many instructions
}

// Stop is why a run ended.
type Stop uint8

// The reasons.
const (
	StopCount     Stop = iota // Limits.Instructions
	StopCycle                 // Limits.Cycle
	StopDone                  // SLEEP with interrupts off
	StopCrashed               // see [Crashed]
	StopDeadSleep             // SLEEP, and nothing can wake it, or nothing did for 100 s (when Cycle is 0)
)

func (s Stop) String() string {
	return [...]string{"count", "cycle", "done", "crashed", "dead sleep"}[s]
}

// Status is a [State] and what simavr has to say besides.
type Status struct {
	State
	CPU            CPUState
	InvalidOpcodes uint32 // logged since the load; simavr ran on
	BadAddresses   uint32
}

// Report is what [Program.Run] saw.
type Report struct {
	Stop   Stop
	Ran    uint64   // instructions; sleeping does not count
	Hash   uint64   // rolling since the load, over all hashed runs
	Blocks []uint64 // the rolling hash after each whole block of this run
	Status Status
}

// Run runs on within limits. In the scripted mode it fails, naming the
// instruction, where the program reads something else than the log holds.
func (p *Program) Run(l Limits) (Report, error) {
	if l.Instructions == 0 && l.Cycle == 0 {
		return Report{}, fmt.Errorf("simavr: a run needs a limit")
	}
	b := le.AppendUint64(nil, l.Instructions)
	b = le.AppendUint64(b, l.Cycle)
	b = le.AppendUint64(b, l.Block)
	hash := byte(0)
	if l.Hash {
		hash = 1
	}
	d, err := p.call(opRun, append(b, hash))
	if err != nil {
		return Report{}, err
	}
	r := Report{Blocks: make([]uint64, d.u32())}
	for i := range r.Blocks {
		r.Blocks[i] = d.u64()
	}
	r.Stop, r.Ran, r.Hash, r.Status = Stop(d.u8()), d.u64(), d.u64(), d.status()
	return r, nil
}

// Hashes runs n instructions and returns the rolling hash after every block
// of them, and after the rest when the program or n ends inside a block.
func (p *Program) Hashes(n, block uint64) ([]uint64, error) {
	r, err := p.Run(Limits{Instructions: n, Hash: true, Block: block})
	if err != nil {
		return nil, err
	}
	if r.Ran%block != 0 {
		r.Blocks = append(r.Blocks, r.Hash)
	}
	return r.Blocks, nil
}

// traceChunk is the most that the harness traces in one answer.
const traceChunk = 1 << 20

// Trace runs n instructions, or fewer when the program ends, and returns the
// state after each.
func (p *Program) Trace(n uint64) ([]State, error) {
	var states []State
	for n > 0 {
		chunk := min(n, traceChunk)
		d, err := p.call(opTrace, le.AppendUint64(nil, chunk))
		if err != nil {
			return states, err
		}
		before := len(states)
		for len(d.b) > 0 {
			states = append(states, d.status().State)
		}
		if uint64(len(states)-before) < chunk {
			break
		}
		n -= chunk
	}
	return states, nil
}

func (d *decoder) status() Status {
	var s Status
	copy(s.R[:], d.take(32))
	s.SREG = d.u8()
	s.CPU = CPUState(d.u8())
	s.SP, s.PC, s.Cycle = d.u16(), d.u32(), d.u64()
	s.InvalidOpcodes, s.BadAddresses = d.u32(), d.u32()
	return s
}

// Status returns the present state.
func (p *Program) Status() (Status, error) {
	d, err := p.call(opState, nil)
	if err != nil {
		return Status{}, err
	}
	return d.status(), nil
}

// SetState overwrites registers, SREG, SP, PC and the cycle count.
func (p *Program) SetState(s State) error {
	b := append([]byte(nil), s.R[:]...)
	b = append(b, s.SREG)
	b = le.AppendUint16(b, s.SP)
	b = le.AppendUint32(b, s.PC)
	b = le.AppendUint64(b, s.Cycle)
	_, err := p.call(opSetState, b)
	return err
}

// Space is a memory of the machine.
type Space uint8

// The spaces.
const (
	Data  Space = iota // registers, I/O, SRAM: raw, no peripheral notices
	Flash              // byte addresses
)

// Read copies n bytes out of a memory.
func (p *Program) Read(s Space, addr uint32, n int) ([]byte, error) {
	b := le.AppendUint32([]byte{byte(s)}, addr)
	d, err := p.call(opRead, le.AppendUint32(b, uint32(n)))
	if err != nil {
		return nil, err
	}
	return append([]byte(nil), d.b...), nil
}

// Write overwrites bytes of a memory.
func (p *Program) Write(s Space, addr uint32, data []byte) error {
	b := le.AppendUint32([]byte{byte(s)}, addr)
	_, err := p.call(opWrite, append(b, data...))
	return err
}

// SRAM returns the internal SRAM, from the first byte after the I/O registers.
func (p *Program) SRAM() ([]byte, error) {
	from := uint32(p.Info.IOEnd) + 1
	return p.Read(Data, from, int(uint32(p.Info.RAMEnd)+1-from))
}
