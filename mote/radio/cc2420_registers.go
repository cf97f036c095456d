package radio

// Addresses of strobes and registers (Table 11).
const (
	cc2420SNOP     = 0x00
	cc2420SXOSCON  = 0x01
	cc2420STXCAL   = 0x02
	cc2420SRXON    = 0x03
	cc2420STXON    = 0x04
	cc2420STXONCCA = 0x05
	cc2420SRFOFF   = 0x06
	cc2420SXOSCOFF = 0x07
	cc2420SFLUSHRX = 0x08
	cc2420SFLUSHTX = 0x09
	cc2420SACK     = 0x0A
	cc2420SACKPEND = 0x0B
	cc2420SRXDEC   = 0x0C
	cc2420STXENC   = 0x0D
	cc2420SAES     = 0x0E

	cc2420MAIN     = 0x10
	cc2420MDMCTRL0 = 0x11
	cc2420MDMCTRL1 = 0x12
	cc2420RSSI     = 0x13
	cc2420SYNCWORD = 0x14
	cc2420TXCTRL   = 0x15
	cc2420RXCTRL0  = 0x16
	cc2420RXCTRL1  = 0x17
	cc2420FSCTRL   = 0x18
	cc2420SECCTRL0 = 0x19
	cc2420SECCTRL1 = 0x1A
	cc2420BATTMON  = 0x1B
	cc2420IOCFG0   = 0x1C
	cc2420IOCFG1   = 0x1D
	cc2420MANFIDL  = 0x1E
	cc2420MANFIDH  = 0x1F
	cc2420FSMTC    = 0x20
	cc2420MANAND   = 0x21
	cc2420MANOR    = 0x22
	cc2420AGCCTRL  = 0x23
	cc2420AGCTST0  = 0x24
	cc2420AGCTST1  = 0x25
	cc2420AGCTST2  = 0x26
	cc2420FSTST0   = 0x27
	cc2420FSTST1   = 0x28
	cc2420FSTST2   = 0x29
	cc2420FSTST3   = 0x2A
	cc2420RXBPFTST = 0x2B
	cc2420FSMSTATE = 0x2C
	cc2420ADCTST   = 0x2D
	cc2420DACTST   = 0x2E
	cc2420TOPTST   = 0x2F
	cc2420RESERVED = 0x30
	cc2420TXFIFO   = 0x3E
	cc2420RXFIFO   = 0x3F
)

// Bits of registers.
const (
	cc2420MainRESETn = 1 << 15

	cc2420ReservedFrames = 1 << 13 // MDMCTRL0
	cc2420Coordinator    = 1 << 12
	cc2420ADRDECODE      = 1 << 11
	cc2420AUTOCRC        = 1 << 5
	cc2420AUTOACK        = 1 << 4

	cc2420TurnAround = 1 << 13 // TXCTRL

	cc2420CALDONE    = 1 << 13 // FSCTRL
	cc2420CALRUNNING = 1 << 12
	cc2420LOCKSTATUS = 1 << 10
	cc2420FREQ       = 0x3FF

	cc2420BATTOK = 1 << 6 // BATTMON
	cc2420BATTEN = 1 << 5

	cc2420BCNACCEPT = 1 << 11 // IOCFG0
	cc2420FIFOPTHR  = 0x7F
)

// cc2420Register is one row of Table 11: the value after reset and the bits that can be written.
type cc2420Register struct {
	name    string
	reset   uint16
	written uint16
}

// cc2420Registers is indexed by address.
var cc2420Registers = [0x30]cc2420Register{
	cc2420MAIN:     {"MAIN", 0xF800, 0xF801},
	cc2420MDMCTRL0: {"MDMCTRL0", 0x0AE2, 0x3FFF},
	cc2420MDMCTRL1: {"MDMCTRL1", 0x0500, 0x07FF}, // CORR_THR: 20; 0 in early chips
	cc2420RSSI:     {"RSSI", 0xE080, 0xFF00},
	cc2420SYNCWORD: {"SYNCWORD", 0xA70F, 0xFFFF},
	cc2420TXCTRL:   {"TXCTRL", 0xA0FF, 0xFFFF},
	cc2420RXCTRL0:  {"RXCTRL0", 0x12E5, 0x3FFF},
	cc2420RXCTRL1:  {"RXCTRL1", 0x0A56, 0x3FFF},
	cc2420FSCTRL:   {"FSCTRL", 0x4165, 0xCBFF},
	cc2420SECCTRL0: {"SECCTRL0", 0x03C4, 0x03FF},
	cc2420SECCTRL1: {"SECCTRL1", 0x0000, 0x7F7F},
	cc2420BATTMON:  {"BATTMON", 0x0040, 0x003F},
	cc2420IOCFG0:   {"IOCFG0", 0x0040, 0x0FFF},
	cc2420IOCFG1:   {"IOCFG1", 0x0000, 0x1FFF},
	cc2420MANFIDL:  {"MANFIDL", 0x233D, 0x0000},
	cc2420MANFIDH:  {"MANFIDH", 0x3000, 0x0000},
	cc2420FSMTC:    {"FSMTC", 0x7A94, 0xFFFF},
	cc2420MANAND:   {"MANAND", 0xFFFF, 0xFFFF},
	cc2420MANOR:    {"MANOR", 0x0000, 0xFFFF},
	cc2420AGCCTRL:  {"AGCCTRL", 0x07F0, 0x0FFC},
	cc2420AGCTST0:  {"AGCTST0", 0x3649, 0xFFFF},
	cc2420AGCTST1:  {"AGCTST1", 0x0854, 0x7FFF},
	cc2420AGCTST2:  {"AGCTST2", 0x011F, 0x03FF},
	cc2420FSTST0:   {"FSTST0", 0x0200, 0x0FE0},
	cc2420FSTST1:   {"FSTST1", 0x5002, 0xFFFF},
	cc2420FSTST2:   {"FSTST2", 0x0600, 0x7FC0},
	cc2420FSTST3:   {"FSTST3", 0x82DD, 0xFFFF},
	cc2420RXBPFTST: {"RXBPFTST", 0x0000, 0x7F80},
	cc2420FSMSTATE: {"FSMSTATE", 0x0000, 0x0000},
	cc2420ADCTST:   {"ADCTST", 0x0000, 0x8000},
	cc2420DACTST:   {"DACTST", 0x0000, 0x7FFF},
	cc2420TOPTST:   {"TOPTST", 0x0010, 0x00FF},
}

func (r *cc2420) resetRegisters() {
	for a, row := range cc2420Registers {
		r.S.Regs[a] = row.reset
	}
}

// readRegister is a register's value now.
func (r *cc2420) readRegister(h Host, addr uint8) uint16 {
	s := r.S
	v := uint16(0)
	if int(addr) < len(s.Regs) {
		v = s.Regs[addr]
	}
	switch addr {
	case cc2420RSSI:
		r.sample(h.Time())
		return v&0xFF00 | uint16(uint8(r.rssi()))
	case cc2420FSMSTATE:
		return uint16(s.Mode)
	case cc2420FSCTRL:
		if s.Calibrated {
			v |= cc2420CALDONE
		}
		if s.Mode == cc2420RXCalibrate || s.Mode == cc2420TXCalibrate || s.Mode == cc2420TXACKCalibrate {
			v |= cc2420CALRUNNING
		}
		if r.inLock() {
			v |= cc2420LOCKSTATUS
		}
	case cc2420BATTMON:
		// Battery monitor: Vtoggle = 1.25 V (72 - BATTMON_VOLTAGE) / 27; the supply has 3.0 V.
		if v&cc2420BATTEN != 0 && 125*(72-v&0x1F) >= 300*27 {
			v &^= cc2420BATTOK
		}
	}
	return v
}

// writeRegister changes what can be written, and does what follows from it.
func (r *cc2420) writeRegister(h Host, addr uint8, v uint16) {
	if int(addr) >= len(cc2420Registers) || cc2420Registers[addr].name == "" {
		h.Notice("cc2420-register", "the firmware writes to a CC2420 register that does not exist")
		return
	}
	s := r.S
	w := cc2420Registers[addr].written
	if addr == cc2420RSSI || addr == cc2420MDMCTRL0 {
		r.sample(h.Time()) // by the threshold that was in force
	}
	s.Regs[addr] = s.Regs[addr]&^w | v&w
	switch addr {
	case cc2420MAIN:
		if v&cc2420MainRESETn == 0 {
			r.reset(h)
			s.Regs[cc2420MAIN] = v & w
		}
	case cc2420MDMCTRL0:
		if v>>6&3 == 0 {
			h.Notice("cc2420-cca-mode", "MDMCTRL0.CCA_MODE is 0, which is reserved: the CC2420 model takes every channel as clear")
		}
	case cc2420MDMCTRL1:
		if v&0x3F != 0 {
			h.Notice("cc2420-mdmctrl1", "MDMCTRL1 asks for a serial or test mode (TX_MODE, RX_MODE, MODULATION_MODE or DEMOD_AVG_MODE is not 0): "+
				"the CC2420 model only has buffered mode")
		}
	case cc2420MANAND, cc2420MANOR:
		if v != cc2420Registers[addr].reset {
			h.Notice("cc2420-manual", "MANAND or MANOR override internal signals: the CC2420 model ignores them")
		}
	case cc2420IOCFG1:
		if !cc2420Muxed(v&0x1F) || !cc2420Muxed(v>>5&0x1F) || v>>10 != 0 {
			h.Notice("cc2420-iocfg1", "IOCFG1 selects a test signal that the CC2420 model does not have: its pin stays low")
		}
	case cc2420DACTST, cc2420TOPTST:
		if v&w != cc2420Registers[addr].reset {
			h.Notice("cc2420-test", "DACTST or TOPTST switch test circuits on: the CC2420 model ignores them")
		}
	}
	if addr == cc2420RSSI || addr == cc2420MDMCTRL0 {
		r.S.Meter.judge(r.threshold())
		r.planLevel(h)
	}
}
