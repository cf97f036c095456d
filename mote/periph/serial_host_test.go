package periph

import (
	"encoding/binary"
	"reflect"
	"testing"

	"motehound/mote/cell"
)

// serialHost is a chip with nothing but the devices under test: a clock, one event per device and kind, pads that
// wires may join.
type serialHost struct {
	io, halted uint64 // cycles of clkI/O; picoseconds during which it stood still
	hz         uint64
	devices    []Device
	due        map[[2]uint8]uint64
	requests   map[uint8]bool
	levels     map[Pin]bool
	outputs    map[Pin]bool
	owners     map[Pin]ID
	wires      map[Pin]Pin
	notices    map[string]bool
}

func newSerialHost(hz uint64, devices ...Device) *serialHost {
	h := &serialHost{
		io: 1000, hz: hz, devices: devices, due: map[[2]uint8]uint64{}, requests: map[uint8]bool{},
		levels: map[Pin]bool{}, outputs: map[Pin]bool{}, owners: map[Pin]ID{}, wires: map[Pin]Pin{},
		notices: map[string]bool{},
	}
	for _, d := range devices {
		d.Reset(h, true)
	}
	return h
}

func (h *serialHost) Now(c Clock) uint64 {
	if c == ClkReal {
		return serialPs(h.io, h.hz) + h.halted
	}
	return h.io
}
func (h *serialHost) At(d ID, kind uint8, _ Clock, t uint64) { h.due[[2]uint8{uint8(d), kind}] = t }
func (h *serialHost) Hertz() uint64                          { return h.hz }
func (h *serialHost) Request(vector uint8, on bool)          { h.requests[vector] = on }
func (h *serialHost) Level(p Pin) bool                       { return h.levels[p] }
func (h *serialHost) IsOutput(p Pin) bool                    { return h.outputs[p] }
func (h *serialHost) Signal(Signal)                          {}
func (h *serialHost) Notice(_ ID, key, _ string)             { h.notices[key] = true }
func (h *serialHost) Release(_ ID, p Pin)                    { delete(h.owners, p) }
func (h *serialHost) Drive(d ID, p Pin, level, force bool) {
	h.owners[p] = d
	if force || h.outputs[p] {
		h.set(p, level)
	}
}

func (h *serialHost) set(p Pin, level bool) {
	if h.levels[p] == level {
		return
	}
	h.levels[p] = level
	for _, d := range h.devices {
		if w, ok := d.(PinWatcher); ok {
			for _, q := range w.Pins() {
				if q == p {
					w.PinChanged(h, p, level)
				}
			}
		}
	}
	if to, ok := h.wires[p]; ok {
		h.set(to, level)
	}
}

// until runs to a cycle, that cycle's events included.
func (h *serialHost) until(cycle uint64) {
	for {
		at, next := Never, [2]uint8{}
		for k, t := range h.due {
			if t < at || t == at && (k[0] < next[0] || k[0] == next[0] && k[1] < next[1]) {
				at, next = t, k
			}
		}
		if at > cycle {
			break
		}
		h.io = max(h.io, at)
		h.due[next] = Never
		h.devices[next[0]].Event(h, next[1])
	}
	h.io = max(h.io, cycle)
}

func (h *serialHost) write(d Device, addr uint16, v uint8) { d.Write(h, addr, cell.Of(v)) }
func (h *serialHost) read(d Device, addr uint16) uint8     { return d.Read(h, addr).V() }

// flagAt checks that a bit of a register rises exactly at a cycle.
func (h *serialHost) flagAt(t *testing.T, d Device, addr uint16, bit uint8, at uint64) {
	t.Helper()
	h.until(at - 1)
	if d.Peek(h, addr)&bit != 0 {
		t.Errorf("register %#x has %#x set before cycle %d", addr, bit, at)
	}
	h.until(at)
	if d.Peek(h, addr)&bit == 0 {
		t.Errorf("register %#x lacks %#x at cycle %d", addr, bit, at)
	}
}

// Rule 1 of the design: state is data. A snapshot is a copy, and a hash is a pass over bytes.
func TestSerialStatesArePlain(t *testing.T) {
	for _, s := range []any{USARTState{}, SPIState{}, TWIState{}} {
		ty := reflect.TypeOf(s)
		if got, want := binary.Size(s), int(ty.Size()); got != want {
			t.Errorf("%s: fields take %d bytes, the struct %d: name the padding", ty.Name(), got, want)
		}
	}
}

var (
	_ Device     = (*USART)(nil)
	_ Device     = (*SPI)(nil)
	_ Device     = (*TWI)(nil)
	_ PinWatcher = (*USART)(nil)
	_ PinWatcher = (*SPI)(nil)
)
