package periph

import (
	"testing"

	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/relative"
	"motehound/mote/relative/relativetest"
)

// Every field of a device's state is seen in the relative hash while it is alive: the examples are of devices that are at everything
// at once.

var relativeNow = relative.Now{100_000, 90_000, 80_000, 50_000_000_000_000, 0}

func wantUnseen[T any](t *testing.T, name string, append func(v *T, h *digest.Digest, now *relative.Now), alive ...*T) {
	t.Helper()
	got := relativetest.Unseen(func(v *T) digest.Sum {
		h, now := digest.New(), relativeNow
		append(v, &h, &now)
		return h.Sum()
	}, alive...)
	if len(got) != 0 {
		t.Errorf("%s: unseen are %v", name, got)
	}
}

func TestRelativePort(t *testing.T) {
	wantUnseen(t, "port", func(v *PortState, h *digest.Digest, now *relative.Now) { v.AppendRelative(h, now) },
		&PortState{LevelsAt: 90_000})
}

func TestRelativeTimer(t *testing.T) {
	const hz = 32_768
	cfg := &TimerConfig{Bits: 8, TCCRA: 0x40, TCCRB: 0x41, TCNTL: 0x42, OCRL: [3]uint16{0x43, 0x44, 0x45}, ASSR: 0x46,
		Waveforms: Timer8Waveforms, Clocks: TimerAsyncClocks}
	edge := crystalEdges(relativeNow[relative.Real], hz)
	alive := TimerState{Synced: edge, Origin: edge - 30, WokeAt: relativeNow[relative.Real] - 5_000_000, StaleUntil: edge + 1,
		Due: [numLatches]uint64{edge + 2, edge + 2, edge + 2, edge + 2, edge + 2}, EdgeAt: [2]uint64{90_003, 90_005}, CaptureAt: [2]uint64{90_003, Never},
		TSince: 90_000, ICPSince: 89_998, Busy: [numLatches]bool{true, true, true, true, true}, Async: true, CS: 3}
	asleep := alive
	asleep.Asleep, asleep.Busy = true, [numLatches]bool{}
	wantUnseen(t, "timer", func(v *TimerState, h *digest.Digest, now *relative.Now) {
		(&Timer{Cfg: cfg, S: v, CrystalHz: hz}).AppendRelative(h, now)
	}, &alive, &asleep)
}

func TestRelativeUSART(t *testing.T) {
	alive := USARTState{BaudBase: 89_000, TxEnd: 90_500, TxStartPs: 1, TxBegin: 90_001, LineStart: 49_999_000_000_000, LineBit: 104_000_000,
		LineLen: 10, RxAt: 89_999, RefAt: 89_000, RefPs: 2, RefHz: 8_000_000, UBRR: 51, RxCount: 3, RxBusy: true, RxWhole: true, TxFull: true, TxBusy: true}
	sync := USARTState{BaudBase: 89_000, UCSRC: usartUMSEL0, TxBusy: true, SyncTxLeft: 4, SyncOn: true, ShiftFormat: [3]uint8{8, 0, 1}, SyncRxCount: 3}
	wantUnseen(t, "USART", func(v *USARTState, h *digest.Digest, now *relative.Now) {
		(&USART{Cfg: &USARTConfig{}, S: v}).AppendRelative(h, now)
	}, &alive, &sync)
}

// The other devices are hashed by the chip, after Forget.
func TestRelativeForget(t *testing.T) {
	adc := relative.Of[ADCState]()
	wantUnseen(t, "ADC", func(v *ADCState, h *digest.Digest, now *relative.Now) {
		c := *v
		c.Forget(now, true)
		adc.Append(h, &c, now)
	}, &ADCState{Origin: 79_900, ADCSRA: adcADEN, Phase: adcConverting},
		&ADCState{Origin: 79_900, Start: 80_030, ADCSRA: adcADEN, Phase: adcWaiting})

	eeprom := relative.Of[EEPROMState]()
	wantUnseen(t, "EEPROM", func(v *EEPROMState, h *digest.Digest, now *relative.Now) {
		c := *v
		c.Forget(now)
		eeprom.Append(h, &c, now)
	}, &EEPROMState{Master: 89_997, Busy: 1})

	flash := relative.Of[SelfProgState]()
	wantUnseen(t, "self-programming", func(v *SelfProgState, h *digest.Digest, now *relative.Now) {
		c := *v
		c.Forget()
		flash.Append(h, &c, now)
	}, &SelfProgState{Armed: 89_999, Op: 5})

	watchdog := relative.Of[WatchdogState]()
	wantUnseen(t, "watchdog", func(v *WatchdogState, h *digest.Digest, now *relative.Now) {
		c := *v
		c.Forget(&WatchdogConfig{FirstTap: 16384, LastTap: 7, OscillatorPeriod: 1_000_000}, now)
		watchdog.Append(h, &c, now)
	}, &WatchdogState{Start: 49_999_000_000_000, ChangeUntil: 90_000, Changing: true, WDE: true})

	clock := relative.Of[SystemClockState]()
	wantUnseen(t, "system clock", func(v *SystemClockState, h *digest.Digest, now *relative.Now) {
		c := *v
		c.Forget(now)
		clock.Append(h, &c, now)
	}, &SystemClockState{ChangeUntil: 90_003, Changing: true})

	spi := relative.Of[SPIState]()
	wantUnseen(t, "SPI", func(v *SPIState, h *digest.Digest, now *relative.Now) {
		c := *v
		c.Forget()
		spi.Append(h, &c, now)
	}, &SPIState{End: 90_000, Pads: spiPadsSlave, Rx: cell.Of(3)})
}

// A timer that counted up to now hashes like one that will when somebody looks.
func TestRelativeTimerLazy(t *testing.T) {
	cfg := &TimerConfig{Bits: 16, TCCRA: 0x80, TCCRB: 0x81, TCNTL: 0x84, TCNTH: 0x85, OCRL: [3]uint16{0x88}, OCRH: [3]uint16{0x89},
		Waveforms: Timer16Waveforms, Clocks: TimerClocks, Flags: [NumTimerFlags]TimerFlag{TOV: {TIMSK: 0x6F, TIFR: 0x36}, OCFA: {TIMSK: 0x6F, TIFR: 0x36, Bit: 1}}}
	for wgm := range uint8(16) {
		for _, from := range []uint64{89_999, 80_001, 3} {
			s := TimerState{Synced: from, Origin: 2, CS: 2, WGM: wgm, OCR: [3]uint16{700}, Buf: [3]uint16{700}, ICR: 900,
				EdgeAt: [2]uint64{Never, Never}, CaptureAt: [2]uint64{Never, Never}, WokeAt: Never}
			lazy, looked := s, s
			c := Timer{Cfg: cfg, S: &looked}
			c.syncTo(nobody{}, relativeNow[relative.IO])
			a, b := digest.New(), digest.New()
			(&Timer{Cfg: cfg, S: &lazy}).AppendRelative(&a, &relativeNow)
			c.AppendRelative(&b, &relativeNow)
			if lazy != s {
				t.Fatal("hashing changed the timer")
			}
			if a != b || looked.Count == s.Count && looked.Flags == s.Flags && from < 89_000 {
				t.Errorf("mode %d from %d: looked at, it hashes differently, or it did not count: %d", wgm, from, looked.Count)
			}
		}
	}
}
