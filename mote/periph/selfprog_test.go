package periph

import (
	"testing"

	"motehound/mote/cell"
	"motehound/mote/store"
)

// selfProgFlash is the flash of a test chip.
type selfProgFlash struct{ bytes store.Store }

func (f *selfProgFlash) ErasePage(addr, size uint32) {
	for a := addr; a < addr+size; a++ {
		f.bytes.Write(a, 0xFF)
	}
}

func (f *selfProgFlash) ProgramWord(addr uint32, lo, hi cell.Cell) {
	f.bytes.Write(addr, f.bytes.Read(addr)&lo.V())
	f.bytes.Write(addr+1, f.bytes.Read(addr+1)&hi.V())
}

const spmTestCSR = 0x57

// selfProgDevice has the ATmega328P's numbers: 32 KiB, pages of 128 bytes, NRWW from 0x7000, a boot section of 512 bytes.
func selfProgDevice(h *analogHost, id ID) *SelfProg {
	base := make([]byte, 0x8000)
	return &SelfProg{ID: id, S: &SelfProgState{}, Page: new(PageBuffer), CPU: h, Flash: &selfProgFlash{store.New(base, 0x8000, 0xFF)},
		Fuses: [3]uint8{0xFF, 0xDE, 0xFD}, OSCCAL: 0x9A,
		Cfg: &SelfProgConfig{
			SPMCSR: spmTestCSR, Vector: 26, SIGRD: true, PageSize: 128, FlashSize: 0x8000, NRWWStart: 0x7000,
			BootSizes: [4]uint32{4096, 2048, 1024, 512}, LockMask: 0x3F, Signature: [3]uint8{0x1E, 0x95, 0x0F},
			Time: 4_500_000_000,
		}}
}

func selfProgTest(t *testing.T) (*analogHost, *SelfProg, *store.Store) {
	h := newAnalogHost(t)
	x := selfProgDevice(h, 0)
	h.add(0, x)
	h.run(20)
	return h, x, &x.Flash.(*selfProgFlash).bytes
}

// spm writes SPMCSR and executes SPM right after.
func (h *analogHost) spm(x *SelfProg, op uint8, z uint32, r0, r1 uint8) {
	h.out(x, spmTestCSR, op)
	x.SPM(h, z, cell.Of(r0), cell.Of(r1))
	h.run(1)
}

// doc8271 section 27.8: erase, fill, write, enable the RWW section again.
func TestSelfProgPage(t *testing.T) {
	h, x, flash := selfProgTest(t)
	const page = 0x1280
	wait := func() uint64 { return h.until(100_000, func() bool { return h.in(x, spmTestCSR)&spmSPMEN == 0 }) }
	h.spm(x, spmPGERS|spmSPMEN, page+0x12, 0, 0)
	if got := h.in(x, spmTestCSR); got != spmRWWSB|spmPGERS|spmSPMEN {
		t.Errorf("SPMCSR %#x during the erase", got)
	}
	if !x.blocked(0) || x.blocked(0x7000) || h.stalled != 0 {
		t.Error("the RWW section alone must be blocked")
	}
	if v, ok := x.LPMOverride(h, 0x100); !ok || v != 0xFF {
		t.Errorf("LPM of the busy section: %#x, %t", v, ok)
	}
	if _, ok := x.LPMOverride(h, 0x7000); ok {
		t.Error("LPM of the NRWW section is not read from flash")
	}
	started := h.cycle
	wait()
	if us := (h.cycle - started) / 8; us < 4490 || us > 4501 {
		t.Errorf("erase takes %d us", us)
	}
	if flash.Read(page) != 0xFF || flash.Read(page-1) != 0 || flash.Read(page+128) != 0 || flash.Read(page+127) != 0xFF {
		t.Error("not exactly the page was erased")
	}
	if got := h.in(x, spmTestCSR); got != spmRWWSB {
		t.Errorf("SPMCSR %#x after the erase", got)
	}
	// A page load enables the RWW section again.
	for i := uint32(0); i < 128; i += 2 {
		h.spm(x, spmSPMEN, i, uint8(i), uint8(i+1))
	}
	if x.blocked(0) {
		t.Error("RWWSB after a page load")
	}
	h.spm(x, spmSPMEN, 4, 0xEE, 0xEE) // a second time: ignored
	h.spm(x, spmPGWRT|spmSPMEN, page, 0, 0)
	wait()
	for i := range uint32(128) {
		if got := flash.Read(page + i); got != uint8(i) {
			t.Fatalf("byte %d is %#x", i, got)
		}
	}
	if !x.blocked(0) {
		t.Error("RWWSB is cleared by itself")
	}
	h.spm(x, spmRWWSRE|spmSPMEN, 0, 0, 0)
	if x.blocked(0) || h.in(x, spmTestCSR) != 0 {
		t.Error("RWWSRE does not enable the section")
	}
	// The buffer was erased by the page write: writing again programs nothing.
	h.spm(x, spmPGWRT|spmSPMEN, page+128, 0, 0)
	wait()
	if flash.Read(page+128) != 0 {
		t.Error("programming set bits")
	}
}

// "The CPU is halted during the entire operation" for pages of the NRWW section.
func TestSelfProgNRWW(t *testing.T) {
	h, x, flash := selfProgTest(t)
	h.spm(x, spmPGERS|spmSPMEN, 0x7000, 0, 0)
	if h.stalled != 36_000 || x.blocked(0) {
		t.Errorf("halted for %d cycles, blocked %t", h.stalled, x.blocked(0))
	}
	h.run(h.stalled)
	if x.Busy() || flash.Read(0x7000) != 0xFF {
		t.Error("not done when the CPU goes on")
	}
}

// Four cycles for SPM, and only the combinations of the datasheet.
func TestSelfProgWindow(t *testing.T) {
	for gap, want := range map[uint64]bool{1: true, 4: true, 5: false} {
		h, x, _ := selfProgTest(t)
		x.Write(h, spmTestCSR, cell.Of(spmPGERS|spmSPMEN))
		h.run(gap)
		x.SPM(h, 0, 0, 0)
		if x.Busy() != want {
			t.Errorf("SPM %d cycles after SPMCSR: busy %t", gap, x.Busy())
		}
	}
	for op := range uint8(64) {
		h, x, _ := selfProgTest(t)
		h.out(x, spmTestCSR, op)
		want := op == 0x11 || op == 0x09 || op == 0x05 || op == 0x03 || op == 0x01 || op == 0x21
		if got := h.in(x, spmTestCSR) != 0; got != want {
			t.Errorf("SPMCSR %#x: armed %t", op, got)
		}
		h.run(10)
		if got := h.in(x, spmTestCSR); got != 0 {
			t.Errorf("SPMCSR %#x: %#x after the window", op, got)
		}
	}
	h, x, _ := selfProgTest(t)
	x.SPM(h, 0, 0, 0)
	if lo, _ := x.Page.word(0); x.Busy() || lo != selfProgBlank {
		t.Error("SPM without SPMCSR")
	}
}

func TestSelfProgInterrupt(t *testing.T) {
	h, x, _ := selfProgTest(t)
	h.out(x, spmTestCSR, spmSPMIE)
	if !h.request[26] {
		t.Error("not ready")
	}
	h.out(x, spmTestCSR, spmSPMIE|spmPGERS|spmSPMEN)
	if h.request[26] {
		t.Error("ready with SPMEN set")
	}
	h.run(5)
	if !h.request[26] {
		t.Error("not ready after the window")
	}
	h.spm(x, spmSPMIE|spmPGERS|spmSPMEN, 0, 0, 0)
	if h.request[26] {
		t.Error("ready during an erase")
	}
	h.until(100_000, func() bool { return h.request[26] })
	h.out(x, spmTestCSR, 0)
	if h.request[26] {
		t.Error("asks without SPMIE")
	}
}

// doc8271 sections 27.8.7, 27.8.9, 27.8.10: lock bits, fuses, signature row; LPM within three cycles.
func TestSelfProgLockFusesSignature(t *testing.T) {
	h, x, _ := selfProgTest(t)
	read := func(op uint8, z uint32, gap uint64) (uint8, bool) {
		x.Write(h, spmTestCSR, cell.Of(op))
		h.run(gap)
		return x.LPMOverride(h, z)
	}
	for _, c := range []struct {
		op   uint8
		z    uint32
		want uint8
	}{
		{spmBLBSET, 0, 0xFF}, {spmBLBSET, 1, 0xFF}, {spmBLBSET, 2, 0xFD}, {spmBLBSET, 3, 0xDE},
		{spmSIGRD, 0, 0x1E}, {spmSIGRD, 2, 0x95}, {spmSIGRD, 4, 0x0F}, {spmSIGRD, 1, 0x9A}, {spmSIGRD, 6, 0xFF},
	} {
		if got, ok := read(c.op|spmSPMEN, c.z, 3); got != c.want || !ok {
			t.Errorf("op %#x, Z %d: %#x, %t; want %#x", c.op, c.z, got, ok, c.want)
		}
		if _, ok := x.LPMOverride(h, c.z); ok {
			t.Errorf("op %#x: the bits do not clear themselves", c.op)
		}
		if _, ok := read(c.op|spmSPMEN, c.z, 4); ok {
			t.Errorf("op %#x: LPM after four cycles", c.op)
		}
		h.run(5)
	}
	h.spm(x, spmBLBSET|spmSPMEN, 1, 0xFF&^0x04, 0) // BLB01
	if !x.Busy() || x.blocked(0) {
		t.Error("the flash can be read while lock bits are written")
	}
	h.run(40_000)
	if got, ok := read(spmBLBSET|spmSPMEN, 1, 1); got != 0xFB || !ok {
		t.Errorf("lock bits %#x, %t", got, ok)
	}
	h.run(5)
	h.spm(x, spmPGERS|spmSPMEN, 0, 0, 0)
	if x.Busy() {
		t.Error("SPM writes the application section against BLB01")
	}
	h.spm(x, spmPGERS|spmSPMEN, 0x7E00, 0, 0)
	if !x.Busy() {
		t.Error("BLB01 protects the boot section")
	}
	h.run(40_000)
	x.Reset(h, true)
	if x.S.Locked != 0x04 {
		t.Error("lock bits are lost in a reset")
	}
}

// doc8271 Table 27-7: BOOTSZ.
func TestBootStart(t *testing.T) {
	h := newAnalogHost(t)
	x := selfProgDevice(h, 0)
	for high, want := range map[uint8]uint32{0xDE: 0x7E00, 0xDC: 0x7C00, 0xDA: 0x7800, 0xD8: 0x7000} {
		if got := x.Cfg.BootStart([3]uint8{0xFF, high, 0xFF}); got != want {
			t.Errorf("high fuse %#x: %#x, want %#x", high, got, want)
		}
	}
}
