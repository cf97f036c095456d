package mcu

import (
	"slices"
	"testing"

	"motehound/isa/avr"
	"motehound/mote/chip"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/mote/relative"
	"motehound/mote/relative/relativetest"
)

// nowhere is a board on which nothing happens.
type nowhere struct{ Outside }

func (nowhere) PadChanged(periph.Pin, bool)  {}
func (nowhere) DirectionChanged()            {}
func (nowhere) Millivolts(periph.Pin) uint16 { return 0 }

// busyMachine is one that is at many things at once: every event is planned.
func busyMachine(mode sleepMode) *Machine {
	d := NewDesign(&chip.ATmega128, Options{Hertz: 7_372_800, CrystalHz: 32_768, AREF: 3000, AVCC: 3000, Fuses: [3]uint8{0xFF, 0xFF, 0xFF}, Kinds: 4})
	m := d.New(avr.Compile(nil, 1024, d.Chip.Has), nil, nil, nowhere{})
	m.PowerOn(0)
	m.core.Cycles, m.core.SP, m.core.I = 90_000, 0x1000, 1
	st := m.st
	st.halted = [2]uint64{20_000, 10_000}
	for i := range m.lay.slots {
		m.setSlot(i, 91_000+uint64(i))
		st.slotClock[i], st.real[i] = periph.Clock(i%3), m.Time()+uint64(i)
	}
	st.sleep, st.sleptAt, st.stalled = mode, 80_000, 90_010
	st.control.window = m.Now(periph.ClkIO) + 2
	st.adc.Origin, st.adc.ADCSRA, st.adc.Phase, st.adc.Start = m.Now(periph.ClkADC)-9, 0x80, 1, m.Now(periph.ClkADC)+4
	st.eeprom.Master, st.eeprom.Busy = m.Now(periph.ClkIO), 1
	st.selfProg.Armed, st.selfProg.Op = m.Now(periph.ClkIO), 1
	st.watchdog.WDE, st.watchdog.Changing, st.watchdog.ChangeUntil = true, true, m.Now(periph.ClkIO)+3
	st.clock.Changing, st.clock.ChangeUntil = true, m.Now(periph.ClkIO)+3
	st.spi.End, st.spi.Pads = m.Now(periph.ClkIO)+7, 2
	m.replan()
	return m
}

// Of the chip's state the relative hash leaves out what only counts, and what follows from the rest. Most of what is planned in a
// sleeping machine is so far away as it was when it fell asleep.
func TestRelativeState(t *testing.T) {
	unseen := func(m *Machine) []string {
		return relativetest.Unseen(func(v *state) digest.Sum {
			h := digest.New()
			m.memo = noInstant
			now := m.Clocks()
			m.AppendRelative(&h, &now, 0x10000)
			return h.Sum()
		}, m.st)
	}
	awake, asleep := unseen(busyMachine(awake)), unseen(busyMachine(powerSave))
	if want := []string{".next", ".slept", ".sleptAt", ".rate.beforePs", ".resets", ".adc.SampleLo", ".adc.SampleHi", ".adc.Input"}; !slices.Equal(awake, want) {
		t.Errorf("awake, unseen are %v, want %v", awake, want)
	}
	if want := []string{".next", ".slept", ".rate.beforePs", ".resets", ".adc.SampleLo", ".adc.SampleHi", ".adc.Input"}; !slices.Equal(asleep, want) {
		t.Errorf("asleep, unseen are %v, want %v", asleep, want)
	}
}

// Registers, flags and counters of the core: only whether interrupts wait for one more instruction matters of its cycles.
func TestRelativeCore(t *testing.T) {
	m := busyMachine(awake)
	hash := func(*avr.State) digest.Sum {
		h, now := digest.New(), m.Clocks()
		m.AppendRelative(&h, &now, 0x10000)
		return h.Sum()
	}
	unseen := func() []string {
		return slices.DeleteFunc(relativetest.Unseen(hash, &m.core.State), func(name string) bool {
			return len(name) == 3 && name != ".PC" && name != ".SP" // the flags, of which not every bit counts
		})
	}
	m.core.Enabled = m.core.Cycles
	if got, want := unseen(), []string{".Instructions"}; !slices.Equal(got, want) {
		t.Errorf("after SEI, unseen are %v, want %v", got, want)
	}
	m.core.Enabled = 17
	if got, want := unseen(), []string{".Instructions", ".Enabled"}; !slices.Equal(got, want) {
		t.Errorf("unseen are %v, want %v", got, want)
	}
	seen := map[digest.Sum]int{}
	for sreg := range 256 {
		m.core.SetSREG(uint8(sreg))
		sum := hash(nil)
		if before, twice := seen[sum]; twice {
			t.Fatalf("the flags %#x are taken for %#x", sreg, before)
		}
		seen[sum] = sreg
	}
}

// Between the variables and the stack nothing counts; everything does when the stack pointer is not where stacks are.
func TestRelativeRAM(t *testing.T) {
	m := busyMachine(awake)
	dead := func(beyond uint32) (n int) {
		sum := func() digest.Sum {
			h, now := digest.New(), m.Clocks()
			m.AppendRelative(&h, &now, beyond)
			return h.Sum()
		}
		before := sum()
		for i := range m.ram {
			m.ram[i] ^= 0x10
			if sum() == before {
				n++
			}
			m.ram[i] ^= 0x10
		}
		return n
	}
	for _, c := range []struct {
		beyond uint32
		sp     uint16
		dead   int
	}{
		{0x300, 0x1000, 0x1000 + 1 - 0x300}, {0x300, 0x10FF, 0x1100 - 0x300}, {0x100, 0x10FF, 0x1000}, {0x10000, 0x1000, 0},
		{0x300, 0x2FF, 0}, {0x300, 0x2FE, 0}, {0x300, 0, 0}, {0x300, 0x2000, 0}, {0x20, 0x1000, 0},
	} {
		m.core.SP = c.sp
		if got := dead(c.beyond); got != c.dead {
			t.Errorf("variables up to %#x, stack pointer %#x: %d bytes are dead, want %d", c.beyond, c.sp, got, c.dead)
		}
	}
}

// Every clock of the chip is one that package relative knows.
func TestRelativeClocks(t *testing.T) {
	m := busyMachine(powerSave)
	now := m.Clocks()
	if want := (relative.Now{90_000, 60_000, 70_000, m.Time(), 0}); now != want {
		t.Errorf("the clocks show %v, want %v", now, want)
	}
	if got := m.period(); got != 1800 {
		t.Errorf("a period of %d cycles, want 1800: 8 edges of the crystal", got)
	}
}
