package periph

import "motehound/mote/cell"

// maxPage is the largest flash page, in bytes.
const maxPage = 256

// SelfProgConfig describes self-programming. Addresses are byte addresses of the flash.
type SelfProgConfig struct {
	SPMCSR    uint16
	Vector    uint8
	SIGRD     bool // bit 5 of SPMCSR reads the signature row
	PageSize  uint32
	FlashSize uint32
	NRWWStart uint32    // the no read-while-write section goes from here to the end
	BootSizes [4]uint32 // of the boot loader section, by BOOTSZ1:0
	// LockMask is the lock bits that SPM can program.
	LockMask uint8
	// Signature is the device signature, at 0, 2 and 4 of the signature row.
	Signature [3]uint8
	// Time is how long a page erase, a page write or a lock bit write takes, in picoseconds.
	Time uint64
}

// SelfProgState is what changes in self-programming. Lock bits survive resets.
type SelfProgState struct {
	Armed  uint64 `time:"clkio"` // the cycle of the CPU clock in which the operation bits were set, or selfProgClosed
	Addr   uint32 // of the page under way
	SPMCSR uint8  // SPMIE and, while armed or busy, the operation bits
	RWWSB  uint8  // 1: the RWW section cannot be read
	Op     uint8  // the operation under way, 0 if none
	// Locked has a one for each programmed lock bit (which reads as zero).
	Locked uint8
}

// Programmer changes the chip's flash.
type Programmer interface {
	// ErasePage sets size bytes from addr to 0xFF.
	ErasePage(addr, size uint32)
	// ProgramWord ands the word at addr with hi:lo: programming only clears bits.
	ProgramWord(addr uint32, lo, hi cell.Cell)
}

// EEPROMProgramming is the EEPROM's side of the rule that only one memory is programmed at a time.
type EEPROMProgramming interface {
	IsBusy() bool
}

// SelfProg is the Store Program Memory machinery: doc2467 "Boot Loader Support", doc2549 section 29, doc8271 section
// 27. The newer name SPMEN stands for the ATmega328P's SELFPRGEN too.
type SelfProg struct {
	Passive // Served: the request is a level; Clocked: an oscillator of its own times programming
	ID      ID
	Cfg     *SelfProgConfig
	S       *SelfProgState
	Page    *PageBuffer
	Flash   Programmer
	EEPROM  EEPROMProgramming
	CPU     Staller
	// Fuses are the low, high and extended fuse bytes; OSCCAL the factory calibration byte.
	Fuses  [3]uint8
	OSCCAL uint8
}

const (
	spmSPMIE  = 0x80
	spmRWWSB  = 0x40
	spmSIGRD  = 0x20
	spmRWWSRE = 0x10
	spmBLBSET = 0x08
	spmPGWRT  = 0x04
	spmPGERS  = 0x02
	spmSPMEN  = 0x01
	spmOps    = 0x3F
)

const (
	selfProgClosed = Never
	selfProgWindow = 4 // SPM "within four clock cycles"
	selfProgLPM    = 3 // LPM "within three CPU cycles"
	selfProgBlank  = 0xFF
)

const (
	selfProgDone   uint8 = iota // the operation is over
	selfProgExpire              // the window closes
	selfProgKinds  = 2
)

// BootStart is the first byte of the boot loader section for the fuses: BOOTSZ1:0 are bits 2:1 of the high fuse
// byte, of the extended one on none of the chips here.
func (c *SelfProgConfig) BootStart(fuses [3]uint8) uint32 {
	return c.FlashSize - c.BootSizes[fuses[1]>>1&3]
}

// Busy reports whether a page or lock bit operation is under way.
func (x *SelfProg) Busy() bool { return x.S.Op != 0 }

// blocked reports whether the byte cannot be read or run now: it is in the RWW section and that section is busy, or was
// and has not been enabled again.
func (x *SelfProg) blocked(addr uint32) bool { return x.S.RWWSB != 0 && addr < x.Cfg.NRWWStart }

// LosePage empties the temporary page buffer.
func (x *SelfProg) LosePage() { x.Page.erase() }

// armed is the operation bits of SPMCSR if they were set at most the given number of cycles ago.
func (x *SelfProg) armed(h Host, cycles uint64) uint8 {
	if x.S.Armed == selfProgClosed || h.Now(ClkIO)-x.S.Armed > cycles {
		return 0
	}
	return x.S.SPMCSR & spmOps
}

func (x *SelfProg) disarm(h Host) {
	x.S.Armed = selfProgClosed
	x.S.SPMCSR &^= spmOps
	h.At(x.ID, selfProgExpire, ClkIO, Never)
}

// SPM is the instruction, executed from the boot loader section (elsewhere it has no effect and is not to be told
// here), with RAMPZ:Z and R1:R0.
func (x *SelfProg) SPM(h Host, z uint32, r0, r1 cell.Cell) {
	op := x.armed(h, selfProgWindow)
	if x.Busy() || op == 0 {
		return
	}
	x.disarm(h)
	switch op {
	case spmSPMEN:
		x.fill(z, r0, r1)
	case spmRWWSRE | spmSPMEN:
		x.S.RWWSB = 0
		x.LosePage()
	case spmPGERS | spmSPMEN, spmPGWRT | spmSPMEN:
		x.start(h, op, z)
	case spmBLBSET | spmSPMEN:
		x.S.Locked |= ^r0.V() & x.Cfg.LockMask
		x.begin(h, op)
	}
	x.request(h)
}

// fill puts a word into the temporary page buffer, each word once: "it is not possible to write more than one time to
// each address without erasing the temporary buffer". A page load also enables the RWW section again.
func (x *SelfProg) fill(z uint32, lo, hi cell.Cell) {
	x.S.RWWSB = 0
	x.Page.fill(z%x.Cfg.PageSize/2, lo, hi)
}

// start begins a page operation, if the boot lock bits allow it (doc8271 Tables 27-2 and 27-3: SPM may not write a
// section whose BLBx1 is programmed).
func (x *SelfProg) start(h Host, op uint8, z uint32) {
	addr := z % x.Cfg.FlashSize
	lock := uint8(0x04) // BLB01
	if addr >= x.Cfg.BootStart(x.Fuses) {
		lock = 0x10 // BLB11
	}
	if x.S.Locked&lock != 0 {
		h.Notice(x.ID, "locked", "SPM writes to a section that the boot lock bits protect; it has no effect")
		return
	}
	x.S.Addr = addr &^ (x.Cfg.PageSize - 1)
	if x.S.Addr < x.Cfg.NRWWStart {
		x.S.RWWSB = 1
	} else if x.CPU != nil {
		// "The CPU is halted during the entire operation."
		const perSecond = 1_000_000 // Time in microseconds, so that the product fits
		x.CPU.Stall((x.Cfg.Time/1_000_000*h.Hertz() + perSecond - 1) / perSecond)
	}
	x.begin(h, op)
}

func (x *SelfProg) begin(h Host, op uint8) {
	x.S.Op = op
	x.S.SPMCSR |= op // "SPMEN remains high until the operation is completed"
	h.At(x.ID, selfProgDone, ClkReal, h.Now(ClkReal)+x.Cfg.Time)
}

// Event ends an operation, or a window in which no SPM or LPM came.
func (x *SelfProg) Event(h Host, kind uint8) {
	op := x.S.Op
	if kind == selfProgExpire {
		if op == 0 {
			x.disarm(h)
			x.request(h)
		}
		return
	}
	x.S.Op = 0
	x.disarm(h)
	switch op {
	case spmPGERS | spmSPMEN:
		x.Flash.ErasePage(x.S.Addr, x.Cfg.PageSize)
	case spmPGWRT | spmSPMEN:
		for i := uint32(0); i < x.Cfg.PageSize; i += 2 {
			lo, hi := x.Page.word(i / 2)
			x.Flash.ProgramWord(x.S.Addr+i, lo, hi)
		}
		x.LosePage() // "will auto-erase after a page write operation"
	}
	x.request(h)
}

// LPMOverride answers what LPM reads at z when that is not the flash: lock bits and fuses after BLBSET, the signature
// row after SIGRD, or a busy RWW section (undefined by the datasheet; 0xFF here).
func (x *SelfProg) LPMOverride(h Host, z uint32) (v uint8, ok bool) {
	if x.S.Armed == selfProgClosed && x.S.RWWSB == 0 {
		return 0, false
	}
	if !x.Busy() {
		switch x.armed(h, selfProgLPM) {
		case spmBLBSET | spmSPMEN:
			x.disarm(h)
			x.request(h)
			return x.fuse(z), true
		case spmSIGRD | spmSPMEN:
			x.disarm(h)
			x.request(h)
			return x.signature(z), true
		}
	}
	return 0xFF, x.blocked(z)
}

// fuse: doc8271 section 27.8.9, "Reading the Fuse and Lock Bits from Software".
func (x *SelfProg) fuse(z uint32) uint8 {
	switch z & 3 {
	case 0:
		return x.Fuses[0]
	case 1:
		return ^x.S.Locked
	case 2:
		return x.Fuses[2]
	}
	return x.Fuses[1]
}

// signature: doc8271 Table 27-5, "Signature Row Addressing".
func (x *SelfProg) signature(z uint32) uint8 {
	switch z & 0x1F {
	case 0, 2, 4:
		return x.Cfg.Signature[z&0x1F/2]
	case 1:
		return x.OSCCAL
	}
	return 0xFF
}

// request: SPM_READY is asked for "as long as the SPMEN bit is cleared".
func (x *SelfProg) request(h Host) {
	h.Request(x.Cfg.Vector, x.S.SPMCSR&spmSPMIE != 0 && x.S.SPMCSR&spmSPMEN == 0)
}

// Read returns SPMCSR.
func (x *SelfProg) Read(h Host, addr uint16) cell.Cell { return cell.Of(x.Peek(h, addr)) }

// Peek is Read: no side effects.
func (x *SelfProg) Peek(h Host, addr uint16) uint8 {
	if addr != x.Cfg.SPMCSR {
		return 0
	}
	v := x.S.SPMCSR&spmSPMIE | x.S.RWWSB*spmRWWSB
	if x.Busy() {
		return v | x.S.SPMCSR&spmOps
	}
	return v | x.armed(h, selfProgWindow)
}

func (x *SelfProg) Write(h Host, addr uint16, v cell.Cell) {
	if addr != x.Cfg.SPMCSR {
		return
	}
	x.S.SPMCSR = x.S.SPMCSR&^spmSPMIE | v.V()&spmSPMIE
	if !x.Busy() {
		x.arm(h, v.V()&spmOps)
	}
	x.request(h)
}

// arm opens the window for SPM or LPM. "Writing any other combination (...) in the lower five bits will have no
// effect."
func (x *SelfProg) arm(h Host, op uint8) {
	switch op {
	case spmSPMEN, spmSPMEN | spmRWWSRE, spmSPMEN | spmBLBSET, spmSPMEN | spmPGWRT, spmSPMEN | spmPGERS:
	case spmSPMEN | spmSIGRD:
		if !x.Cfg.SIGRD {
			return
		}
	default:
		return
	}
	if x.EEPROM != nil && x.EEPROM.IsBusy() {
		h.Notice(x.ID, "eeprom-busy", "SPMCSR is written while the EEPROM is being programmed; self-programming is blocked")
		return
	}
	x.S.SPMCSR = x.S.SPMCSR&^spmOps | op
	x.S.Armed = h.Now(ClkIO)
	h.At(x.ID, selfProgExpire, ClkIO, x.S.Armed+selfProgWindow+1)
}

// Vectors implements Device.
func (x *SelfProg) Vectors() []uint8 { return []uint8{x.Cfg.Vector} }

// Reset ends what was under way and forgets the page buffer. Lock bits stay.
func (x *SelfProg) Reset(h Host, _ bool) {
	*x.S = SelfProgState{Armed: selfProgClosed, Locked: x.S.Locked}
	x.LosePage()
	h.At(x.ID, selfProgDone, ClkReal, Never)
	h.At(x.ID, selfProgExpire, ClkIO, Never)
	x.request(h)
}

// Registers is SPMCSR.
func (x *SelfProg) Registers() []uint16 { return []uint16{x.Cfg.SPMCSR} }

// Kinds is how many kinds of events there are.
func (x *SelfProg) Kinds() int { return selfProgKinds }
