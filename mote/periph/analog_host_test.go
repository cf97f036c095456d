package periph

import (
	"reflect"
	"testing"

	"motehound/mote/cell"
	"motehound/mote/digest"
)

// analogHost is a chip for tests: an 8 MHz CPU clock, a few devices, ports. It is its own PadSink, Staller and ClockGate.
type analogHost struct {
	t        *testing.T
	cycle    uint64
	halted   [NumClocks]bool
	lost     [NumClocks]uint64 // cycles that a clock did not count
	pending  map[analogKey]analogEvent
	devices  []Device
	ports    [12]*Port
	request  map[uint8]bool
	signals  []Signal
	notices  []string
	changes  []Pin
	stalled  uint64
	quietPin bool // do not forward pad changes
}

type analogKey struct {
	device ID
	kind   uint8
}

type analogEvent struct {
	clock Clock
	at    uint64
}

const analogCyclePs = 125_000

func newAnalogHost(t *testing.T) *analogHost {
	return &analogHost{t: t, pending: map[analogKey]analogEvent{}, request: map[uint8]bool{}}
}

// add registers a device under the ID that it was made with, and resets it.
func (h *analogHost) add(id ID, d Device) {
	for len(h.devices) <= int(id) {
		h.devices = append(h.devices, nil)
	}
	h.devices[id] = d
	if p, ok := d.(*Port); ok {
		h.ports[p.Cfg.Name-'A'] = p
		p.Sink = h
	}
	d.Reset(h, true)
}

func (h *analogHost) Now(c Clock) uint64 {
	if c == ClkReal {
		return h.cycle * analogCyclePs
	}
	return h.cycle - h.lost[c]
}

func (h *analogHost) At(d ID, kind uint8, c Clock, t uint64) {
	if int(kind) >= h.devices[d].Kinds() {
		h.t.Fatalf("device %d plans kind %d of %d", d, kind, h.devices[d].Kinds())
	}
	if t == Never {
		delete(h.pending, analogKey{d, kind})
		return
	}
	h.pending[analogKey{d, kind}] = analogEvent{c, t}
}

func (h *analogHost) Hertz() uint64 { return 8_000_000 }

func (h *analogHost) Request(vector uint8, on bool) { h.request[vector] = on }

func (h *analogHost) Level(p Pin) bool {
	port := h.ports[p.Port()]
	return port != nil && port.Level(p.Bit())
}

func (h *analogHost) Drive(d ID, p Pin, level, force bool) {
	h.ports[p.Port()].Override(h, d, p.Bit(), level, force)
}

func (h *analogHost) Release(d ID, p Pin) { h.ports[p.Port()].Release(h, d, p.Bit()) }

func (h *analogHost) IsOutput(p Pin) bool { return h.ports[p.Port()].IsOutput(p.Bit()) }

func (h *analogHost) Signal(s Signal) {
	h.signals = append(h.signals, s)
	for _, d := range h.devices {
		if l, ok := d.(Listener); ok {
			for _, want := range l.Signals() {
				if want == s {
					l.Signalled(h, s)
				}
			}
		}
	}
}

func (h *analogHost) Notice(_ ID, key, _ string) { h.notices = append(h.notices, key) }

func (h *analogHost) PadChanged(p Pin, level bool) {
	h.changes = append(h.changes, p)
	for _, d := range h.devices {
		if w, ok := d.(PinWatcher); ok && !h.quietPin {
			for _, q := range w.Pins() {
				if q == p {
					w.PinChanged(h, p, level)
				}
			}
		}
	}
}

func (h *analogHost) Stall(cycles uint64) { h.stalled += cycles }

func (h *analogHost) Halted(c Clock) bool { return h.halted[c] }

// run lets n cycles pass and fires what falls due.
func (h *analogHost) run(n uint64) {
	for range n {
		h.cycle++
		for c := range h.halted {
			if h.halted[c] {
				h.lost[c]++
			}
		}
		h.fire()
	}
}

func (h *analogHost) fire() {
	for again := true; again; {
		again = false
		for d := range h.devices {
			for kind := range uint8(16) {
				k := analogKey{ID(d), kind}
				if e, ok := h.pending[k]; ok && h.Now(e.clock) >= e.at {
					delete(h.pending, k)
					h.devices[d].Event(h, kind)
					again = true
				}
			}
		}
	}
}

// until runs until the condition holds and returns how many cycles that took.
func (h *analogHost) until(limit uint64, done func() bool) uint64 {
	h.t.Helper()
	for n := range limit {
		if done() {
			return n
		}
		h.run(1)
	}
	h.t.Fatalf("not within %d cycles", limit)
	return 0
}

// out is a register write that takes one cycle.
func (h *analogHost) out(d Device, addr uint16, v uint8) {
	d.Write(h, addr, cell.Of(v))
	h.run(1)
}

// in is a register read that takes one cycle.
func (h *analogHost) in(d Device, addr uint16) uint8 {
	v := d.Read(h, addr).V()
	h.run(1)
	return v
}

func TestAnalogStatesArePlain(t *testing.T) {
	for _, s := range []any{PortState{}, ExtIntState{}, PinChangeState{}, ADCState{}, ComparatorState{}, EEPROMState{}, SelfProgState{}} {
		if err := digest.Plain(reflect.TypeOf(s)); err != nil {
			t.Error(err)
		}
	}
}

// Every register that a device claims keeps what it may hold, Read and Peek agree, and other addresses read as zero.
func TestAnalogRegisters(t *testing.T) {
	h := newAnalogHost(t)
	_, port := gpioTestPort(t, true)
	_, ext := extTest(t)
	_, adc, _ := adcTest(t)
	_, comparator, _, _ := comparatorTest(t)
	_, eeprom := eepromTest(t, true)
	h.run(100)
	for _, c := range []struct {
		d     Device
		holds map[uint16]uint8 // what stays of 0xFF
	}{
		{port, map[uint16]uint8{gpioTestPORT: 0xFF, gpioTestDDR: 0xFF, gpioTestPUD: 0x10, gpioTestDIDR: 0x03}},
		{ext, map[uint16]uint8{0x6A: 0x03, 0x5A: 0x03, 0x59: 0x11, 0x58: 0}},
		{adc, map[uint16]uint8{adcTestMUX: 0xFF, adcTestSRB: 0x0F, adcTestL: 0, adcTestH: 0}},
		{comparator, map[uint16]uint8{0x28: 0xCF, 0x40: 0x08}},
		{eeprom, map[uint16]uint8{eeTestARL: 0xFF, eeTestARH: 0x03, eeTestDR: 0xFF}},
	} {
		h.devices = []Device{c.d, c.d, c.d}
		claimed := map[uint16]bool{}
		for _, addr := range c.d.Registers() {
			claimed[addr] = true
		}
		for addr, want := range c.holds {
			if !claimed[addr] {
				t.Errorf("%T does not claim %#x", c.d, addr)
			}
			c.d.Write(h, addr, cell.Of(0xFF))
			if got, peek := c.d.Read(h, addr).V(), c.d.Peek(h, addr); got != want || peek != want {
				t.Errorf("%T, register %#x: read %#x, peek %#x, want %#x", c.d, addr, got, peek, want)
			}
		}
		if got := c.d.Peek(h, 0x1FF); got != 0 {
			t.Errorf("%T answers %#x for an address that it did not claim", c.d, got)
		}
		c.d.Clocked(h)
	}
}

// The compiler checks that the devices keep the contract.
var (
	_ = []Device{&Port{}, &ExtInt{}, &PinChange{}, &ADC{}, &Comparator{}, &EEPROM{}, &SelfProg{}}
	_ = []BitWriter{&Port{}, &ExtInt{}, &PinChange{}}
	_ = []PinWatcher{&ExtInt{}, &PinChange{}}
	_ = []Listener{&ADC{}, &Comparator{}}
)
