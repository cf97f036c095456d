package periph

// The waveform table of the 16-bit timers, and their temporary register.

// Timer16Waveforms is Table 16-4 of the ATmega328P (DS40002061A), Table 17-2 of the ATmega1281 and ATmega2560 (2549Q) and
// Table 61 of the ATmega128 (2467X): the same sixteen rows.
var Timer16Waveforms = []Waveform{
	0:  {WaveNormal, 0xFFFF},
	1:  {WavePhase, 0x00FF},
	2:  {WavePhase, 0x01FF},
	3:  {WavePhase, 0x03FF},
	4:  {WaveCTC, topOCRA},
	5:  {WaveFast, 0x00FF},
	6:  {WaveFast, 0x01FF},
	7:  {WaveFast, 0x03FF},
	8:  {WavePhaseFrequency, topICR},
	9:  {WavePhaseFrequency, topOCRA},
	10: {WavePhase, topICR},
	11: {WavePhase, topOCRA},
	12: {WaveCTC, topICR},
	13: {WaveReserved, 0xFFFF},
	14: {WaveFast, topICR},
	15: {WaveFast, topOCRA},
}

// Timer16Toggle: COM1A = 1 toggles OC1A in the PWM modes 9, 11, 14 and 15 (ATmega328P, Tables 16-2 and 16-3; ATmega2560, Tables
// 17-4 and 17-5).
const Timer16Toggle uint16 = 1<<9 | 1<<11 | 1<<14 | 1<<15

// join puts the high byte from TEMP to a low byte that is written: "the same temporary register is shared between all
// 16-bit registers within each 16-bit timer" (section 16.3).
func (t *Timer) join(low uint8) uint16 {
	if t.Cfg.Bits == 8 {
		return uint16(low)
	}
	return uint16(t.S.Temp)<<8 | uint16(low)
}

// split hands out the low byte of a register that is read and keeps the high byte in TEMP.
func (t *Timer) split(v uint16) uint8 {
	if t.Cfg.Bits == 16 {
		t.S.Temp = uint8(v >> 8)
	}
	return uint8(v)
}
