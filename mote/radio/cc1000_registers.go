package radio

import "fmt"

// Addresses of the registers (SWRS048 "Configuration registers").
const (
	cc1000MAIN      = 0x00
	cc1000FREQ2A    = 0x01
	cc1000FREQ1A    = 0x02
	cc1000FREQ0A    = 0x03
	cc1000FREQ2B    = 0x04
	cc1000FREQ1B    = 0x05
	cc1000FREQ0B    = 0x06
	cc1000FSEP1     = 0x07
	cc1000FSEP0     = 0x08
	cc1000CURRENT   = 0x09
	cc1000FRONTEND  = 0x0A
	cc1000PAPOW     = 0x0B
	cc1000PLL       = 0x0C
	cc1000LOCK      = 0x0D
	cc1000CAL       = 0x0E
	cc1000MODEM2    = 0x0F
	cc1000MODEM1    = 0x10
	cc1000MODEM0    = 0x11
	cc1000MATCH     = 0x12
	cc1000FSCTRL    = 0x13
	cc1000PRESCALER = 0x1C
	cc1000TEST6     = 0x40
	cc1000TEST5     = 0x41
	cc1000TEST4     = 0x42
	cc1000TEST3     = 0x43
	cc1000TEST2     = 0x44
	cc1000TEST1     = 0x45
	cc1000TEST0     = 0x46
	cc1000NumRegs   = 0x47
)

// Bits of MAIN.
const (
	cc1000RXTX   = 1 << 7
	cc1000FREG   = 1 << 6
	cc1000RXPD   = 1 << 5
	cc1000TXPD   = 1 << 4
	cc1000FSPD   = 1 << 3
	cc1000COREPD = 1 << 2
	cc1000BIASPD = 1 << 1
	cc1000RESETN = 1 << 0

	cc1000MainOff = cc1000RXPD | cc1000TXPD | cc1000FSPD | cc1000COREPD | cc1000BIASPD
)

// Bits of other registers.
const (
	cc1000CalStart    = 1 << 7 // CAL
	cc1000CalDual     = 1 << 6
	cc1000CalWait     = 1 << 5
	cc1000CalComplete = 1 << 3
	cc1000LockInstant = 1 << 1 // LOCK
	cc1000LockCont    = 1 << 0
	cc1000ModemResetN = 1 << 0 // MODEM1
	cc1000FSResetN    = 1 << 0 // FSCTRL
)

// cc1000Register is one row of the datasheet's register overview.
type cc1000Register struct {
	name  string // empty: there is no such register
	reset uint8
	write uint8 // the bits that can be written
}

// cc1000Registers is indexed by address. MAIN is not reset.
var cc1000Registers = [cc1000NumRegs]cc1000Register{
	cc1000MAIN:      {"MAIN", 0, 0xFF},
	cc1000FREQ2A:    {"FREQ_2A", 0x75, 0xFF},
	cc1000FREQ1A:    {"FREQ_1A", 0xA0, 0xFF},
	cc1000FREQ0A:    {"FREQ_0A", 0xCB, 0xFF},
	cc1000FREQ2B:    {"FREQ_2B", 0x75, 0xFF},
	cc1000FREQ1B:    {"FREQ_1B", 0xA5, 0xFF},
	cc1000FREQ0B:    {"FREQ_0B", 0x4E, 0xFF},
	cc1000FSEP1:     {"FSEP1", 0x00, 0x07},
	cc1000FSEP0:     {"FSEP0", 0x59, 0xFF},
	cc1000CURRENT:   {"CURRENT", 0xCA, 0xFF},
	cc1000FRONTEND:  {"FRONT_END", 0x00, 0x3F},
	cc1000PAPOW:     {"PA_POW", 0x0F, 0xFF},
	cc1000PLL:       {"PLL", 0x10, 0xFC},
	cc1000LOCK:      {"LOCK", 0x00, 0xFC},
	cc1000CAL:       {"CAL", 0x05, 0xF7},
	cc1000MODEM2:    {"MODEM2", 0x96, 0xFF},
	cc1000MODEM1:    {"MODEM1", 0x67, 0xFF},
	cc1000MODEM0:    {"MODEM0", 0x24, 0x7F},
	cc1000MATCH:     {"MATCH", 0x00, 0xFF},
	cc1000FSCTRL:    {"FSCTRL", 0x01, 0x0F},
	cc1000PRESCALER: {"PRESCALER", 0x00, 0xFC},
	cc1000TEST6:     {"TEST6", 0x10, 0xFF},
	cc1000TEST5:     {"TEST5", 0x08, 0x3F},
	cc1000TEST4:     {"TEST4", 0x25, 0x3F},
	cc1000TEST3:     {"TEST3", 0x04, 0x1F},
	cc1000TEST2:     {"TEST2", 0x10, 0x00}, // CHP_CURRENT, as a calibration leaves it
	cc1000TEST1:     {"TEST1", 0x08, 0x00}, // CAL_DAC
	cc1000TEST0:     {"TEST0", 0x00, 0x00},
}

// resetRegisters gives all registers but MAIN their reset values.
func (r *cc1000) resetRegisters() {
	for a := cc1000FREQ2A; a < cc1000NumRegs; a++ {
		r.S.Reg[a] = cc1000Registers[a].reset
	}
	r.S.CalDone = 0
}

// cc1000AccessOver is a count of bits at which the configuration interface waits for PALE to fall.
const cc1000AccessOver = 16

// Pin implements Radio. The chip's answer is on PDATA, its bidirectional data pin.
func (r *cc1000) Pin(h Host, pin uint8, level bool) {
	switch pin {
	case PinPALE:
		h.CatchUp()
		r.setPALE(h, level)
	case PinPCLK:
		h.CatchUp()
		r.setPCLK(h, level)
	case PinPDATA:
		r.setPDATA(h, level)
		return
	}
	h.Replan()
	if level, driven := r.pdata(); driven {
		h.SetPin(PinPDATA, level)
	} else {
		h.Release(PinPDATA)
	}
}

// setPALE takes the level of PALE: low while the address and R/W are clocked in.
func (r *cc1000) setPALE(h Host, level bool) {
	s := r.S
	if level == (s.PALE != 0) {
		return
	}
	s.PALE ^= 1
	switch {
	case !level:
		s.Bits, s.Address, s.Data = 0, 0, 0
	case s.Bits != 8:
		s.Bits = cc1000AccessOver
	case s.Address&1 == 0:
		s.Data = r.read(h, s.Address>>1)
	}
}

// setPDATA takes the level that the microcontroller gives to PDATA.
func (r *cc1000) setPDATA(_ Host, level bool) {
	r.S.PDATA = 0
	if level {
		r.S.PDATA = 1
	}
}

// setPCLK takes the level of PCLK. The chip takes bits with falling edges; those it sends are there to be read at them.
func (r *cc1000) setPCLK(h Host, level bool) {
	s := r.S
	if level == (s.PCLK != 0) {
		return
	}
	s.PCLK ^= 1
	if level || s.Bits >= cc1000AccessOver {
		return
	}
	if s.PALE == 0 {
		if s.Bits < 8 {
			s.Bits++
			s.Address = s.Address<<1 | s.PDATA
		}
		return
	}
	s.Bits++
	if s.Address&1 == 0 {
		return
	}
	s.Data = s.Data<<1 | s.PDATA
	if s.Bits == cc1000AccessOver {
		r.write(h, s.Address>>1, s.Data)
	}
}

// pdata is the level that the chip gives to PDATA, and whether it drives it at all: during the data bits of a read.
func (r *cc1000) pdata() (level, driven bool) {
	s := r.S
	if s.PALE == 0 || s.Address&1 != 0 || s.Bits < 8 || s.Bits > cc1000AccessOver {
		return false, false
	}
	// Bits 7..0 in turn: each appears with the rising edge before the falling one that takes it.
	n := s.Bits - 8
	if n > 0 && s.PCLK == 0 {
		n--
	}
	if n > 7 {
		return false, false
	}
	return s.Data>>(7-n)&1 != 0, true
}

// read is a register as the configuration interface shows it.
func (r *cc1000) read(h Host, a uint8) uint8 {
	s := r.S
	if !r.exists(h, a) {
		return 0
	}
	v := s.Reg[a]
	switch a {
	case cc1000LOCK:
		if s.Synth == cc1000Running {
			v |= cc1000LockInstant | cc1000LockCont
		}
	case cc1000CAL:
		if s.CalDone != 0 {
			v |= cc1000CalComplete
		}
	}
	return v
}

// exists complains about addresses without a register.
func (r *cc1000) exists(h Host, a uint8) bool {
	if a < cc1000NumRegs && cc1000Registers[a].name != "" {
		return true
	}
	h.Notice(fmt.Sprintf("cc1000-register-%02x", a),
		fmt.Sprintf("the CC1000 has no register at address 0x%02X; reads give 0, writes do nothing", a))
	return false
}

// write is a register written by the configuration interface.
func (r *cc1000) write(h Host, a, v uint8) {
	s := r.S
	if !r.exists(h, a) {
		return
	}
	if a != cc1000MAIN && s.Reg[cc1000MAIN]&cc1000RESETN == 0 {
		h.Notice("cc1000-held-in-reset",
			"the firmware writes the CC1000's "+cc1000Registers[a].name+" while RESET_N in MAIN is 0: the register keeps its reset value")
		return
	}
	// What was shifted so far was shifted under the old settings.
	r.run(h, h.Time())
	old := s.Reg[a]
	s.Reg[a] = old&^cc1000Registers[a].write | v&cc1000Registers[a].write
	switch {
	case a == cc1000MAIN && v&cc1000RESETN == 0:
		r.resetRegisters()
	case a == cc1000CAL && s.Reg[a]&^old&cc1000CalStart != 0:
		s.CalDone = 0
	case a == cc1000MODEM0 || a == cc1000MODEM1:
		r.loseLock()
	}
	r.configure(h)
}
