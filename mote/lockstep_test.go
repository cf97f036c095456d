package mote

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/peer/simavr"
	"motehound/isa/avr"
	"motehound/mote/board"
	"motehound/mote/cell"
	"motehound/mote/chip"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/mote/radio"
)

// Whole programs in lockstep with simavr: registers, SREG, SP, PC and cycle count are compared after every instruction,
// SRAM at the end. Single instructions on random states are compared in isa/avr. Deviations have the numbers of
// docs/simavr-differences.md.

// TestCPULockstep runs the CPU-bound examples from reset to their end, more than 100 million instructions each, on our
// mote with all its peripherals and on simavr's bare core. States are compared through a rolling hash (simavr.Mix),
// block by block; where a block differs, the first differing instruction is found.
func TestCPULockstep(t *testing.T) {
	for _, k := range []struct {
		name                 string
		instructions, cycles uint64
	}{
		{"cpu-sort", 109_667_557, 150_718_543},
		{"cpu-crypt", 113_555_370, 141_042_936},
		{"cpu-arith", 126_662_515, 171_952_500},
	} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			kind := exampleKind(t, k.name, "atmega128", board.Bare(&chip.ATmega128, 8_000_000))
			ours := &stepped{kind: kind}
			theirs := bare{loadSim(t, kind, simavr.Bare, kind.Image.Flash)}
			limit := uint64(1) << 40
			if testing.Short() {
				limit = 3_000_000
			}
			diff, err := simavr.FirstDifference(ours, theirs, limit, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if diff != nil {
				t.Fatalf("ours is a, simavr's is b: %v", diff)
			}
			compareSRAM(t, ours.m, theirs.Program)
			c := ours.m.Core()
			if !testing.Short() && (c.Instructions != k.instructions || c.Cycles != k.cycles || ours.m.Stopped() != mcu.StopDeadSleep) {
				t.Errorf("ended (%v) after %d instructions and %d cycles, want %d and %d", ours.m.Stopped(), c.Instructions, c.Cycles, k.instructions, k.cycles)
			}
		})
	}
}

// bare is a program on simavr's bare core that starts as the ATmega128 does: with SP at 0 (deviation 7).
type bare struct{ *simavr.Program }

func (b bare) Restart() error {
	if err := b.Program.Restart(); err != nil {
		return err
	}
	return b.SetState(simavr.State{})
}

// stepped is one of our motes, as simavr.FirstDifference drives it.
type stepped struct {
	kind *Kind
	m    *Mote
	hash uint64
}

func (s *stepped) Restart() error {
	s.m, s.hash = s.kind.New(1, 0, &testEnv{}), 0
	return nil
}

func (s *stepped) Hashes(n, block uint64) ([]uint64, error) {
	var all []uint64
	c := s.m.Core()
	h, ran := s.hash, uint64(0)
	for ran < n && s.step() {
		h = simavr.Mix(h, &c.R, c.SREG(), c.SP, c.PC*2, c.Cycles)
		if ran++; ran%block == 0 {
			all = append(all, h)
		}
	}
	if ran%block != 0 {
		all = append(all, h)
	}
	s.hash = h
	return all, nil
}

func (s *stepped) Trace(n uint64) ([]simavr.State, error) {
	var all []simavr.State
	for uint64(len(all)) < n && s.step() {
		all = append(all, sample(s.m.Core()))
	}
	return all, nil
}

// step runs one instruction. Nothing else can happen to a program that never enables an interrupt, except for its end.
func (s *stepped) step() bool {
	c := s.m.Core()
	before := c.Instructions
	s.m.Step()
	return c.Instructions == before+1
}

func sample(c *avr.Core) simavr.State {
	return simavr.State{R: c.R, SREG: c.SREG(), SP: c.SP, PC: c.PC * 2, Cycle: c.Cycles}
}

// TestExamplesLockstep runs the example applications, our peripherals being the masters: simavr's core gets the
// values of all I/O reads from our log, and interrupts, sleep and stalls at the instruction where our mote had them. A mote that hardly sleeps
// repeats itself within a second, so five million instructions of it are enough. With MOTEHOUND_LONG=1 each runs for a minute.
func TestExamplesLockstep(t *testing.T) {
	// So many seconds at least and at most, in between until so many instructions are enough; and so many are enough in any case.
	least, most, enough, plenty := uint64(10), uint64(60), uint64(3_000_000), uint64(5_000_000)
	switch {
	case testing.Short():
		least, most = 2, 2
	case need.Long():
		least, plenty = most, 1<<62
	}
	for _, fw := range examples.All {
		if fw.Board == "" {
			continue
		}
		t.Run(fw.Name+"-"+fw.Board, func(t *testing.T) {
			t.Parallel()
			b, err := board.Find(fw.Board)
			if err != nil {
				t.Fatal(err)
			}
			kind := exampleKind(t, fw.Name, fw.Board, b)
			env := &testEnv{}
			r := newRecorder(t, kind, env)
			if fw.Name == "serial" {
				for i := range most {
					frame := serialFrame(0x44, uint8(i), []byte{0, 0, 1, 0, 2, 2, 0x22, 9, 0, uint8(i)})
					r.m.SerialIn(b.Console, Input{At: (1000*i + 700) * 1e9, Bytes: cells(frame)})
				}
			}
			sim := loadSim(t, kind, simavr.Scripted, r.flash())
			ms := uint64(0)
			for ms < least*1000 && r.ran < plenty || ms < most*1000 && r.ran < enough {
				ms += 100
				r.run(ms * 1e9)
				if r.m.Resets() > 1 {
					// The peer has no watchdog. These are meant to hang; who else is reset has a bug, or we have.
					if fw.Name != "starve" && fw.Name != "starve_traced" || ms < 2000 {
						t.Fatalf("it was reset after %d ms", ms)
					}
					t.Logf("reset by its watchdog within %d ms: compared up to %d", ms, ms-100)
					return
				}
				if err := r.compare(sim); err != nil {
					t.Fatal(err)
				}
			}
			compareSRAM(t, r.m, sim)
			r.mustHaveLived(fw.Name, ms/1000)
			t.Logf("%d instructions in %d ms, %d interrupts, %d I/O reads, asleep for %d of %d cycles",
				r.ran, ms, r.interrupts, r.logged, r.m.SleepCycles(), r.m.Cycles())
		})
	}
}

// recorder steps a mote and logs what its peripherals did to its core.
type recorder struct {
	*mcu.Machine // the bus of the core, except for what the recorder overrides
	t            *testing.T
	m            *Mote
	env          *testEnv
	plain        *avr.Program
	watched      *avr.Program // stops before every instruction
	ran          uint64       // instructions
	reads        []simavr.Read
	events       []simavr.Event
	states       []simavr.State // not yet compared, as reads and events
	interrupts   int
	logged       int
}

func newRecorder(t *testing.T, kind *Kind, env *testEnv) *recorder {
	m := kind.New(1, 0, env)
	all := make([]uint32, kind.Program().Words())
	for i := range all {
		all[i] = uint32(i)
	}
	r := &recorder{Machine: m.Machine, t: t, m: m, env: env, plain: m.Core().Program, watched: kind.Program().Hooked(all)}
	m.Core().Bus = r
	const spl, sph = 0x5D, 0x5E
	r.event(simavr.Event{Kind: simavr.Poke, Target: spl, Value: uint8(m.Core().SP)}) // deviation 7
	r.event(simavr.Event{Kind: simavr.Poke, Target: sph, Value: uint8(m.Core().SP >> 8)})
	return r
}

func (r *recorder) event(e simavr.Event) {
	e.At = r.ran
	r.events = append(r.events, e)
}

// Load implements avr.Bus: it logs.
func (r *recorder) Load(addr uint16) uint8 {
	v := r.Machine.Load(addr)
	if addr < r.m.Chip().RAMBase {
		r.reads = append(r.reads, simavr.Read{Addr: addr, Value: v})
		r.logged++
	}
	return v
}

// SelfProgram implements avr.Bus.
func (r *recorder) SelfProgram(uint32) { r.t.Error("an example programs its flash: log that too") }

// run steps the mote until a moment.
func (r *recorder) run(until uint64) {
	c := r.m.Core()
	for r.m.Time() < until && r.m.Stopped() == mcu.Running {
		before, sp, cycles := c.Instructions, c.SP, c.Cycles
		if _, asleep := r.m.Asleep(); asleep {
			c.Program = r.watched
			r.m.RunUntil(until)
			c.Program = r.plain
			if r.m.Stopped() == mcu.StopHook {
				r.m.Resume()
			}
		} else {
			r.m.Step()
		}
		switch passed := c.Cycles - cycles; {
		case c.Instructions == before+1:
			r.states = append(r.states, sample(c))
			r.ran++
		case c.Instructions != before:
			r.t.Fatalf("a step ran %d instructions", c.Instructions-before)
		case c.SP == sp && passed > 0:
			r.event(simavr.Event{Kind: simavr.TakeCycles, Cycles: uint32(passed)})
		case c.SP != sp:
			const entry = 4
			if passed > entry {
				r.event(simavr.Event{Kind: simavr.TakeCycles, Cycles: uint32(passed - entry)})
			}
			r.event(simavr.Event{Kind: simavr.Interrupt, Target: c.PC * 2, Cycles: entry})
			r.interrupts++
		}
	}
	if s := r.m.Stopped(); s != mcu.Running {
		r.t.Fatalf("stopped: %v", s)
	}
}

// compare lets simavr catch up and compares each state.
func (r *recorder) compare(sim *simavr.Program) error {
	// What belongs to the next instruction is not due yet.
	due := slices.IndexFunc(r.events, func(e simavr.Event) bool { return e.At >= r.ran })
	if due < 0 {
		due = len(r.events)
	}
	if err := sim.Script(r.reads, r.events[:due]); err != nil {
		return err
	}
	theirs, err := sim.Trace(uint64(len(r.states)))
	if err != nil {
		return err
	}
	for i := range r.states {
		if i < len(theirs) && theirs[i] == r.states[i] {
			continue
		}
		diff := simavr.Difference{Instruction: r.ran - uint64(len(r.states)-i), A: &r.states[i]}
		if i > 0 {
			diff.Before = r.states[i-1]
		}
		if i < len(theirs) {
			diff.B = &theirs[i]
		}
		return fmt.Errorf("ours is a, simavr's is b: %v", &diff)
	}
	r.reads, r.states = r.reads[:0], r.states[:0]
	r.events = slices.Delete(r.events, 0, due)
	return nil
}

// TestExamplesLockstepCanFail spoils what the recorder saw.
func TestExamplesLockstepCanFail(t *testing.T) {
	for name, spoil := range map[string]func(r *recorder){
		"nothing":       nil,
		"a register":    func(r *recorder) { r.states[1000].R[5] ^= 1 },
		"a flag":        func(r *recorder) { r.states[1000].SREG ^= 1 },
		"SP":            func(r *recorder) { r.states[1000].SP++ },
		"PC":            func(r *recorder) { r.states[1000].PC += 2 },
		"the cycle":     func(r *recorder) { r.states[1000].Cycle++ },
		"a read":        func(r *recorder) { r.reads[3].Value ^= 0xFF },
		"a lost read":   func(r *recorder) { r.reads = r.reads[1:] },
		"a lost event":  func(r *recorder) { r.events = slices.Delete(r.events, len(r.events)/2, len(r.events)/2+1) },
		"another event": func(r *recorder) { r.events[len(r.events)/2].Cycles++ },
	} {
		t.Run(name, func(t *testing.T) {
			kind := exampleKind(t, "sense", "micaz", &board.MicaZ)
			r := newRecorder(t, kind, &testEnv{})
			sim := loadSim(t, kind, simavr.Scripted, r.flash())
			r.run(500e9)
			if spoil != nil {
				spoil(r)
			}
			if err := r.compare(sim); (err != nil) != (spoil != nil) {
				t.Errorf("comparing says %v", err)
			}
		})
	}
}

// flash is all of the mote's program memory, its node id in it.
func (r *recorder) flash() []byte {
	all := make([]byte, 0, r.m.Chip().FlashSize)
	for pc := range r.m.Chip().FlashSize / 2 {
		w := r.m.ProgWord(pc)
		all = append(all, uint8(w), uint8(w>>8))
	}
	return all
}

// mustHaveLived checks that the application did what it is for: else equal states would say little.
func (r *recorder) mustHaveLived(name string, seconds uint64) {
	r.t.Helper()
	frames := uint64(bytes.Count(r.env.sent, []byte{0x7E}) / 2)
	switch name {
	case "blink": // 4 + 2 + 1 changes a second
		if uint64(r.env.lights) < 7*(seconds-1) {
			r.t.Errorf("%d changes of LEDs in %d s", r.env.lights, seconds)
		}
	case "sense": // a frame for each of ten readings a second
		if frames < 9*(seconds-1) || r.env.lights == 0 {
			r.t.Errorf("%d frames and %d changes of LEDs in %d s", frames, r.env.lights, seconds)
		}
	case "serial": // a count, an acknowledgement and an echo a second
		if frames < 3*(seconds-1) || !bytes.Contains(r.env.sent, []byte{0x7E, 0x43, 0x00}) || r.env.lights == 0 {
			r.t.Errorf("%d frames and %d changes of LEDs in %d s: % x", frames, r.env.lights, seconds, r.env.sent)
		}
	case "counter": // four frames a second
		if r.env.frames < 4*(seconds-1)-2 {
			r.t.Errorf("%d frames on the air in %d s", r.env.frames, seconds)
		}
	case "relay": // it has somebody to hand its messages to, who never answers
		if r.env.frames < seconds/8 {
			r.t.Errorf("%d frames on the air in %d s", r.env.frames, seconds)
		}
	}
}

// exampleKind prepares an example for a board.
func exampleKind(t testing.TB, name, target string, b *board.Board) *Kind {
	t.Helper()
	fw, ok := examples.Find(name, target)
	if !ok {
		t.Fatalf("no example %s for %s", name, target)
	}
	im, err := image.Parse(fw.File(), fw.ELF())
	if err != nil {
		t.Fatal(err)
	}
	kind, err := NewKind(b, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	return kind
}

func loadSim(t *testing.T, kind *Kind, mode simavr.Mode, flash []byte) *simavr.Program {
	t.Helper()
	p, err := simavr.Build(t).Load(simavr.Spec{MCU: kind.Board.Chip.Name, Frequency: uint32(kind.Board.Hertz), Mode: mode, Flash: flash})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func compareSRAM(t *testing.T, m *Mote, sim *simavr.Program) {
	t.Helper()
	theirs, err := sim.SRAM()
	if err != nil {
		t.Fatal(err)
	}
	if uint32(len(theirs)) != m.Chip().RAMSize {
		t.Fatalf("simavr has %d bytes of SRAM, we have %d", len(theirs), m.Chip().RAMSize)
	}
	for i, v := range theirs {
		a := m.Chip().RAMBase + uint16(i)
		if got := m.Peek(a); got != v {
			t.Errorf("SRAM at 0x%04x: ours 0x%02x, simavr's 0x%02x", a, got, v)
		}
	}
}

// serialFrame is a frame of TinyOS's serial stack: HDLC with a CRC-16 over what is between its flags.
func serialFrame(protocol, sequence uint8, payload []byte) []byte {
	body := append([]byte{protocol, sequence}, payload...)
	crc := uint16(0)
	for _, b := range body {
		crc ^= uint16(b) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	out := []byte{0x7E}
	for _, b := range append(body, uint8(crc), uint8(crc>>8)) {
		if b == 0x7E || b == 0x7D {
			out = append(out, 0x7D)
			b ^= 0x20
		}
		out = append(out, b)
	}
	return append(out, 0x7E)
}

func cells(b []byte) []cell.Cell {
	all := make([]cell.Cell, len(b))
	for i, v := range b {
		all[i] = cell.Of(v)
	}
	return all
}

// testEnv is a world for one mote, with a light that brightens and nobody else on the air. What a mote alone cannot
// meet it leaves to an Env that does not exist.
type testEnv struct {
	Env
	sent   []byte
	lights int
	read   uint16
	frames uint64 // on the air
}

func (e *testEnv) Sensor(*Mote, uint8) (uint16, uint32, uint32) {
	e.read = (e.read + 97) % 1024
	return e.read, 0, 0
}
func (e *testEnv) Sent(_ *Mote, _ uint8, c periph.SerialChar) { e.sent = append(e.sent, c.Data.V()) }
func (e *testEnv) Pad(*Mote, periph.Pin, bool)                {}
func (e *testEnv) LED(*Mote, int, bool)                       { e.lights++ }
func (e *testEnv) Interrupt(*Mote, uint8)                     {}
func (e *testEnv) Hook(*Mote, uint32) bool                    { return true }
func (e *testEnv) Notice(_ *Mote, n mcu.Note) {
	panic(fmt.Sprintf("an example does what is not modelled: %+v", n))
}

func (*testEnv) Starting(*Mote, uint8, periph.SerialChar) {}
func (*testEnv) SwitchOn(*Mote, uint64, radio.Carrier)    {}
func (*testEnv) Emit(*Mote, uint64, uint64, cell.Cell)    {}
func (e *testEnv) SwitchOff(*Mote, uint64)                { e.frames++ }
func (*testEnv) Choose(*Mote, uint32) uint32              { return 0 }
func (*testEnv) CatchUp(*Mote)                            {}
func (*testEnv) ReplanAir(*Mote)                          {}
