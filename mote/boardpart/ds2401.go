package boardpart

// DS2401State is what changes in the serial number chip.
type DS2401State struct {
	FellAt uint64 `time:"ps"` // when the master pulled the line low; Never while it is high or the chip itself pulls
	DueAt  uint64 `time:"ps"` // when the next step is due, or 0 for none
	Phase  uint8
	Step   uint8 // what is due at DueAt
	Shift  uint8 // command bits that come in
	Bit    uint8 // counts the bits of the command or of the number
	Slot   uint8 // of a search: 0 the bit, 1 its complement, 2 the master's choice
	Level  uint8 // of the line
	Pull   uint8 // 1 while the chip pulls the line low
	Pad    uint8
}

// DS2401 is the 1-Wire silicon serial number, after its datasheet: reset and presence, Read ROM, Search ROM. It has
// nothing beyond the number, so any other command leaves it silent until the next reset.
type DS2401 struct {
	S   *DS2401State
	ROM [8]uint8 // family code, six bytes of number, CRC
}

const (
	ds2401Silent   uint8 = iota // until a reset
	ds2401Presence              // reset seen; answering
	ds2401Command
	ds2401Read
	ds2401Search
)

// Steps: what happens at the time of the next event.
const (
	ds2401None     uint8 = iota
	ds2401PullDown       // begin of the presence pulse
	ds2401LetGo          // end of the presence pulse or of a zero in a read slot
	ds2401Sample         // look at a write slot
)

// Times of the datasheet's AC electrical characteristics, in the middle of their ranges where they have one.
const (
	ds2401ResetLow      = 480 * microsecond // tRSTL, minimum
	ds2401PresenceDelay = 30 * microsecond  // tPDH, 15 to 60
	ds2401PresenceLow   = 120 * microsecond // tPDL, 60 to 240
	ds2401SampleDelay   = 30 * microsecond  // a write slot is sampled 15 to 60 after it began
	ds2401ZeroLow       = 30 * microsecond  // tRDV 15, then tRELEASE up to 45
)

// ROM commands.
const (
	ds2401ReadROM    = 0x33
	ds2401ReadROMOld = 0x0F // of the DS2400
	ds2401SearchROM  = 0xF0
)

const ds2401Family = 0x01

// DS2401ROM is the contents of a chip with the given 48-bit serial number.
func DS2401ROM(serial uint64) [8]uint8 {
	rom := [8]uint8{ds2401Family}
	for i := range 6 {
		rom[1+i] = uint8(serial >> (8 * i))
	}
	rom[7] = crc8(rom[:7])
	return rom
}

// crc8 is the Dallas 1-Wire CRC: x^8 + x^5 + x^4 + 1, bits reflected.
func crc8(data []uint8) uint8 {
	var crc uint8
	for _, b := range data {
		crc ^= b
		for range 8 {
			carry := crc & 1
			crc >>= 1
			if carry != 0 {
				crc ^= 0x8C
			}
		}
	}
	return crc
}

// PowerUp puts the chip to rest on a line that is high.
func (d *DS2401) PowerUp() { *d.S = DS2401State{FellAt: never, Level: 1} }

// Pulls reports whether the chip pulls the line low.
func (d *DS2401) Pulls() bool { return d.S.Pull != 0 }

// Next is when Event wants to be called.
func (d *DS2401) Next() uint64 {
	if d.S.Step == ds2401None {
		return never
	}
	return d.S.DueAt
}

func (d *DS2401) plan(step uint8, at uint64) { d.S.Step, d.S.DueAt = step, at }

// Line takes the level of the line, whoever made it.
func (d *DS2401) Line(level bool, nowPs uint64) {
	s := d.S
	if level == (s.Level != 0) {
		return
	}
	if !level {
		s.Level = 0
		if s.Pull == 0 {
			s.FellAt = nowPs
			d.slot(nowPs)
		}
		return
	}
	s.Level = 1
	if s.FellAt != never && nowPs-s.FellAt >= ds2401ResetLow {
		s.Phase = ds2401Presence
		s.Pull = 0
		d.plan(ds2401PullDown, nowPs+ds2401PresenceDelay)
	}
	s.FellAt = never
}

// slot begins a time slot: the master pulled the line low.
func (d *DS2401) slot(now uint64) {
	s := d.S
	bit := d.ROM[s.Bit/8%8] >> (s.Bit % 8) & 1
	switch {
	case s.Phase == ds2401Command || s.Phase == ds2401Search && s.Slot == 2:
		d.plan(ds2401Sample, now+ds2401SampleDelay)
	case s.Phase == ds2401Read:
		d.send(bit, now)
		d.advance()
	case s.Phase == ds2401Search:
		d.send(bit^s.Slot, now)
		s.Slot++
	}
}

// send answers a read slot: a zero holds the line down.
func (d *DS2401) send(bit uint8, now uint64) {
	if bit == 0 {
		d.S.Pull = 1
		d.plan(ds2401LetGo, now+ds2401ZeroLow)
	}
}

// advance goes to the next bit of the number; after the last one the chip is silent.
func (d *DS2401) advance() {
	d.S.Bit++
	if d.S.Bit == 64 {
		d.S.Phase = ds2401Silent
	}
}

// Event does the step that was due. Pulls may have changed.
func (d *DS2401) Event(nowPs uint64) {
	s := d.S
	step := s.Step
	s.Step, s.DueAt = ds2401None, 0
	switch step {
	case ds2401PullDown:
		s.Pull = 1
		d.plan(ds2401LetGo, nowPs+ds2401PresenceLow)
	case ds2401LetGo:
		s.Pull = 0
		if s.Phase == ds2401Presence {
			s.Phase, s.Bit, s.Shift, s.Slot = ds2401Command, 0, 0, 0
		}
	case ds2401Sample:
		d.receive(s.Level)
	}
}

// receive takes a bit that the master wrote.
func (d *DS2401) receive(bit uint8) {
	s := d.S
	if s.Phase == ds2401Search {
		// The master goes on with the chips whose bit it chose.
		if bit != d.ROM[s.Bit/8]>>(s.Bit%8)&1 {
			s.Phase = ds2401Silent
			return
		}
		s.Slot = 0
		d.advance()
		return
	}
	s.Shift = s.Shift>>1 | bit<<7
	s.Bit++
	if s.Bit < 8 {
		return
	}
	s.Bit = 0
	switch s.Shift {
	case ds2401ReadROM, ds2401ReadROMOld:
		s.Phase = ds2401Read
	case ds2401SearchROM:
		s.Phase, s.Slot = ds2401Search, 0
	default:
		s.Phase = ds2401Silent
	}
}
