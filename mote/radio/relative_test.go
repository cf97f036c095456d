package radio

import (
	"slices"
	"testing"

	"motehound/mote/digest"
	"motehound/mote/relative"
	"motehound/mote/relative/relativetest"
)

var relativeNow = relative.Now{relative.Real: 50_000_000_000_000}

func relativeSum(append func(h *digest.Digest, now *relative.Now)) digest.Sum {
	h, now := digest.New(), relativeNow
	append(&h, &now)
	return h.Sum()
}

func cc2420Relative(s *CC2420State) digest.Sum { return relativeSum((&CC2420{S: s}).AppendRelative) }
func cc1000Relative(s *CC1000State) digest.Sum { return relativeSum((&CC1000{S: s}).AppendRelative) }

// Every field is seen in the relative hash while it is alive: when a frame comes in, when one goes out, while registers and RAM are
// accessed.
func TestRelativeCC2420(t *testing.T) {
	t.Parallel()
	now := relativeNow[relative.Real]
	due := [cc2420Kinds]uint64{now + 1, now + 2, now + 3, now + 4, now + 5, now + 6, now + 7}
	never := [cc2420Kinds]uint64{Never, Never, Never, Never, Never, now + 3, Never}
	got := relativetest.Unseen(cc2420Relative,
		&CC2420State{Due: due, Mode: cc2420RXFrame, LockedOn: true, Garbled: true, Meter: CC2420Meter{Last: now, Count: 8, Level: 9}},
		&CC2420State{Due: due, Mode: cc2420RXSearch, LockedOn: true, HeardLen: 2, Meter: CC2420Meter{Last: now}, SPIPhase: cc2420SPIWriteLow},
		&CC2420State{Due: due, Mode: cc2420TXFrame, OnAir: true, ToldEnd: now + 9, TXIndex: 20, TXHead: 6},
		&CC2420State{Due: never, Mode: cc2420TXCalibrate, FirstAt: now + 1})
	if len(got) != 0 {
		t.Errorf("unseen: %v", got)
	}
}

func TestRelativeCC1000(t *testing.T) {
	t.Parallel()
	now := relativeNow[relative.Real]
	if got := relativetest.Unseen(cc1000Relative,
		&CC1000State{Edge: now + 1, Planned: now + 2, XtalAt: now + 3, LockAt: now + 4, CalAt: now + 5}); len(got) != 0 {
		t.Errorf("unseen: %v", got)
	}
}

// still is a Host at one moment.
type still struct{ Host }

func (still) Time() uint64       { return relativeNow[relative.Real] }
func (still) Plan(uint8, uint64) {}

// Measuring the signal strength before or when it is asked for makes no difference, and hashing does not measure.
func TestRelativeMeterLazy(t *testing.T) {
	t.Parallel()
	now := relativeNow[relative.Real]
	s := CC2420State{Mode: cc2420RXSearch, Meter: CC2420Meter{Level: 1000, Last: now - 3*cc2420SymbolTime - 5, Count: 8}}
	copyOf := s
	looked := CC2420{S: &CC2420State{}}
	*looked.S = s
	looked.sample(now)
	if looked.S.Meter == s.Meter {
		t.Fatal("nothing was measured")
	}
	if cc2420Relative(&s) != cc2420Relative(looked.S) {
		t.Error("a measurement changes the hash")
	}
	if s != copyOf {
		t.Error("hashing changed the state")
	}
	// Not even if the threshold is one that the signal was above on its way to where it is.
	for dbm := -40; dbm < 10; dbm++ {
		lazy, threshold := s, uint16(uint8(int8(dbm)))<<8
		lazy.Regs[cc2420RSSI], lazy.Regs[cc2420MDMCTRL0] = 0x7F00, 7<<8 // out of reach, hysteresis
		for i := range lazy.Meter.Samples {
			lazy.Meter.Samples[i] = 1_000_000_000
		}
		prompt := lazy
		(&CC2420{S: &prompt}).sample(now)
		for _, x := range []*CC2420State{&lazy, &prompt} {
			(&CC2420{S: x}).writeRegister(still{}, cc2420RSSI, threshold)
		}
		if cc2420Relative(&lazy) != cc2420Relative(&prompt) {
			t.Errorf("threshold %d dBm: a measurement before it was set changes what comes of it", dbm)
		}
	}
}

// What was received and sent before makes no difference to a radio that is off.
func TestRelativeCC2420Forgets(t *testing.T) {
	t.Parallel()
	off := CC2420State{Mode: cc2420Idle}
	for i := range off.Due {
		off.Due[i] = Never
	}
	got := relativetest.Unseen(cc2420Relative, &off)
	for _, want := range []string{".Meter.Level", ".Meter.Samples", ".Meter.Last", ".Worst", ".Locked.Power", ".FirstAt", ".ToldEnd", ".RXByte", ".Heard",
		".CRC", ".FCS", ".TXIndex", ".RXLen", ".Correlation", ".SPIAddr"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is seen", want)
		}
	}
}

// What a radio promises moves with it, in states that last too short to be met by chance.
func TestRelativePromise(t *testing.T) {
	t.Parallel()
	now := relativeNow[relative.Real]
	by := relative.Now{relative.Real: 987_654_321}
	for i, s := range []CC1000State{
		{Xtal: cc1000Settling, XtalAt: now + Millisecond, LockAt: Never, CalAt: Never, Edge: Never, Planned: Never},
		{Xtal: cc1000Running, Synth: cc1000Settling, LockAt: now + Millisecond, XtalAt: Never, CalAt: Never, Edge: now + 1, Planned: now + 2,
			Reg: [cc1000NumRegs]uint8{cc1000MAIN: cc1000RXTX}},
		{Xtal: cc1000Running, Synth: cc1000Settling, LockAt: Never, CalAt: now + 100*Microsecond, Calibrating: 1, XtalAt: Never, Edge: Never, Planned: Never,
			Reg: [cc1000NumRegs]uint8{cc1000MAIN: cc1000RXTX}},
	} {
		want := (&CC1000{S: &s}).Promise(now, now+5) + by[relative.Real]
		(&CC1000{S: &s}).Shift(&relativeNow, &by)
		if got := (&CC1000{S: &s}).Promise(now+by[relative.Real], now+5+by[relative.Real]); got != want {
			t.Errorf("state %d: it promises %d, not %d", i, got, want)
		}
	}
}
