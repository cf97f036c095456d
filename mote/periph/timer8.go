package periph

// The waveform tables of the 8-bit timers.

// Timer8Waveforms is Table 15-8 of the ATmega328P (DS40002061A) and Table 16-8 of the ATmega1281 and ATmega2560 (2549Q).
// The ATmega128's two bits select the first four rows (2467X, Tables 52 and 64).
var Timer8Waveforms = []Waveform{
	0: {WaveNormal, 0xFF},
	1: {WavePhase, 0xFF},
	2: {WaveCTC, topOCRA},
	3: {WaveFast, 0xFF},
	4: {WaveReserved, 0xFF},
	5: {WavePhase, topOCRA},
	6: {WaveReserved, 0xFF},
	7: {WaveFast, topOCRA},
}

// Timer8Toggle: COM0A = 1 toggles OC0A in the PWM modes with WGM02 set (ATmega328P, Tables 15-3 and 15-4).
const Timer8Toggle uint16 = 1<<5 | 1<<7

// Clock selections by CS.
var (
	// TimerClocks is for timers with an external clock pin (ATmega328P, Table 15-9; ATmega128, Tables 62 and 68).
	TimerClocks = [8]uint16{clockStopped, 1, 8, 64, 256, 1024, clockFalling, clockRising}
	// TimerAsyncClocks is for timers with an oscillator of their own (ATmega328P, Table 18-9; ATmega128, Table 56).
	TimerAsyncClocks = [8]uint16{clockStopped, 1, 8, 32, 64, 128, 256, 1024}
)
