package periph

import (
	"testing"

	"motehound/mote/cell"
	"motehound/mote/store"
)

const (
	eeTestCR  = 0x3F
	eeTestDR  = 0x40
	eeTestARL = 0x41
	eeTestARH = 0x42
)

// eepromTest is an EEPROM and, beside it, self-programming that shares the charge pump.
func eepromTest(t *testing.T, eepm bool) (*analogHost, *EEPROM) {
	h := newAnalogHost(t)
	contents := store.New([]byte{0x11, 0x22}, 1024, 0xFF)
	x := selfProgDevice(h, 1)
	e := &EEPROM{ID: 0, S: &EEPROMState{}, Contents: &contents, CPU: h, Flash: x, Cfg: &EEPROMConfig{
		EEARL: eeTestARL, EEARH: eeTestARH, EEDR: eeTestDR, EECR: eeTestCR, Size: 1024, Vector: 23, EEPM: eepm,
		BothTime: 3_400_000_000, SingleTime: 1_800_000_000,
	}}
	x.EEPROM = e
	h.add(0, e)
	h.add(1, x)
	h.run(20)
	return h, e
}

// program writes a byte the way the datasheet's example does, leaving gap cycles between EEMPE and EEPE.
func (h *analogHost) eepromProgram(e *EEPROM, addr uint16, v uint8, mode uint8, gap uint64) {
	h.out(e, eeTestARL, uint8(addr))
	h.out(e, eeTestARH, uint8(addr>>8))
	h.out(e, eeTestDR, v)
	e.Write(h, eeTestCR, cell.Of(mode<<4|eepromEEMPE))
	h.run(gap)
	e.Write(h, eeTestCR, cell.Of(h.eecr(e)|eepromEEPE))
}

func (h *analogHost) eecr(e *EEPROM) uint8 { return e.Peek(h, eeTestCR) }

// doc8271 section 8.6.3: "setting EEPE within four clock cycles will write data".
func TestEEPROMWindow(t *testing.T) {
	for gap, want := range map[uint64]bool{1: true, 2: true, 4: true, 5: false, 100: false} {
		h, e := eepromTest(t, true)
		h.eepromProgram(e, 5, 0xA5, 0, gap)
		if e.IsBusy() != want || h.eecr(e)&eepromEEPE != 0 != want {
			t.Errorf("EEPE %d cycles after EEMPE: busy %t", gap, e.IsBusy())
		}
		if want && h.stalled != 2 {
			t.Errorf("the CPU is halted for %d cycles", h.stalled)
		}
	}
	// Both bits at once open the window only.
	h, e := eepromTest(t, true)
	h.out(e, eeTestCR, eepromEEMPE|eepromEEPE)
	if e.IsBusy() || h.eecr(e) != eepromEEMPE {
		t.Errorf("EECR %#x", h.eecr(e))
	}
	h.run(4)
	if h.eecr(e) != 0 {
		t.Errorf("EEMPE stays: %#x", h.eecr(e))
	}
}

// doc8271 Table 8-1: modes and programming times.
func TestEEPROMModes(t *testing.T) {
	for _, c := range []struct {
		eepm       bool
		mode       uint8
		old, data  uint8
		want       uint8
		microtimes uint64
	}{
		{true, 0, 0x0F, 0xA5, 0xA5, 3400},
		{true, 1, 0x0F, 0xA5, 0xFF, 1800},
		{true, 2, 0x0F, 0xA5, 0x05, 1800},
		{true, 2, 0xFF, 0xA5, 0xA5, 1800},
		{false, 1, 0x0F, 0xA5, 0xA5, 3400}, // no EEPM: the bits are reserved
	} {
		h, e := eepromTest(t, c.eepm)
		e.Contents.Write(0x123, c.old)
		h.eepromProgram(e, 0x123, c.data, c.mode, 1)
		h.out(e, eeTestDR, 0x77)
		if n := h.until(100_000, func() bool { return !e.IsBusy() }); (n+1)/8 != c.microtimes {
			t.Errorf("%+v: busy for %d cycles", c, n+1)
		}
		if got := e.Contents.Read(0x123); got != c.want {
			t.Errorf("%+v: %#x", c, got)
		}
	}
}

func TestEEPROMRead(t *testing.T) {
	h, e := eepromTest(t, true)
	h.out(e, eeTestARL, 0x01)
	h.out(e, eeTestARH, 0xFC) // beyond the size: masked
	h.out(e, eeTestCR, eepromEERE)
	if got := h.in(e, eeTestDR); got != 0x22 || h.stalled != 4 || h.eecr(e) != 0 {
		t.Errorf("EEDR %#x, halted %d, EECR %#x", got, h.stalled, h.eecr(e))
	}
	if got := h.in(e, eeTestARH); got != 0 {
		t.Errorf("EEARH %#x", got)
	}
	// "It is neither possible to read the EEPROM, nor to change the EEAR register" during a write.
	h.eepromProgram(e, 0x0F0, 0x33, 0, 2)
	h.out(e, eeTestARL, 0x00)
	h.stalled = 0
	h.out(e, eeTestCR, eepromEERE)
	if got := h.in(e, eeTestDR); got != 0x33 || h.stalled != 0 || h.in(e, eeTestARL) != 0xF0 {
		t.Errorf("during a write: EEDR %#x", got)
	}
}

// EE_READY is a level: asked for as long as EERIE is set and EEPE is not.
func TestEEPROMInterrupt(t *testing.T) {
	h, e := eepromTest(t, true)
	h.out(e, eeTestCR, eepromEERIE)
	e.Served(h, 23)
	if !h.request[23] {
		t.Error("not ready")
	}
	h.out(e, eeTestCR, eepromEERIE|eepromEEMPE)
	h.out(e, eeTestCR, eepromEERIE|eepromEEPE)
	if h.request[23] {
		t.Error("ready during a write")
	}
	h.until(100_000, func() bool { return h.request[23] })
	h.out(e, eeTestCR, 0)
	if h.request[23] {
		t.Error("asks without EERIE")
	}
}

// A reset lets the byte be finished; a lost supply does not.
func TestEEPROMReset(t *testing.T) {
	for _, powerOn := range []bool{false, true} {
		h, e := eepromTest(t, true)
		h.eepromProgram(e, 0, 0x99, 0, 1)
		h.run(100)
		e.Reset(h, powerOn)
		if e.IsBusy() == powerOn {
			t.Errorf("power-on %t: busy %t", powerOn, e.IsBusy())
		}
		h.run(50_000)
		want := uint8(0x99)
		if powerOn {
			want = 0x11
		}
		if got := e.Contents.Read(0); got != want || e.IsBusy() {
			t.Errorf("power-on %t: %#x", powerOn, got)
		}
	}
}

// doc8271 section 27.8.8 and 8.6.3: EEPROM and flash are never programmed at once.
func TestEEPROMAndFlashExclude(t *testing.T) {
	h, e := eepromTest(t, true)
	x := e.Flash.(*SelfProg)
	h.spm(x, spmSPMEN, 0x0000, 0x34, 0x12)
	h.eepromProgram(e, 0, 0x99, 0, 1)
	if lo, _ := x.Page.word(0); lo != selfProgBlank {
		t.Error("the page buffer survived the EEPROM write")
	}
	h.spm(x, spmPGERS|spmSPMEN, 0x0000, 0, 0)
	if x.Busy() {
		t.Error("SPM during an EEPROM write")
	}
	h.until(100_000, func() bool { return !e.IsBusy() })
	h.spm(x, spmPGERS|spmSPMEN, 0x0000, 0, 0)
	if !x.Busy() {
		t.Error("no SPM after the EEPROM write")
	}
	h.eepromProgram(e, 0, 0x77, 0, 1)
	if e.IsBusy() {
		t.Error("EEPROM write during SPM")
	}
	h.until(100_000, func() bool { return !x.Busy() })
	if got := e.Contents.Read(0); got != 0x99 {
		t.Errorf("%#x", got)
	}
}

func TestEEPROMKeepsExpressions(t *testing.T) {
	h, e := eepromTest(t, true)
	e.Write(h, eeTestDR, cell.Symbolic(0x42, 9))
	h.out(e, eeTestCR, eepromEEMPE)
	h.out(e, eeTestCR, eepromEEPE)
	h.until(100_000, func() bool { return !e.IsBusy() })
	h.out(e, eeTestDR, 0)
	h.out(e, eeTestCR, eepromEERE)
	if got := e.Read(h, eeTestDR); got != cell.Symbolic(0x42, 9) {
		t.Errorf("%#x", got)
	}
}
