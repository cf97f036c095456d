package mote

import (
	"fmt"
	"slices"
	"testing"

	"motehound/firmware/image"
	"motehound/mote/board"
	"motehound/mote/digest"
	"motehound/mote/relative/relativetest"
)

// A mote that lives later does the same as one that lives now, just as much later, and nobody can tell them apart by their relative
// hashes, then or at any moment after: so every time in the state is known to be one, on its clock.
func TestRelativeShift(t *testing.T) {
	forEachStage(t, 6, func(t *testing.T, s *stage) {
		for _, periods := range []uint64{1, 400_000_007} {
			here, later := s.clone(), s.clone()
			before := here.relative()
			later.postpone(periods)
			if later.Core().Cycles == here.Core().Cycles || later.relative() != before {
				t.Fatalf("at %d ps: %d periods later the hash is %v, not %v", s.now(), periods, later.relative(), before)
			}
			if diff := differ(here, later, true); diff != "" {
				t.Fatalf("from %d ps, %d periods later: %s", s.now(), periods, diff)
			}
		}
	})
}

// differ runs two stages that should do the same for 50 ms, compares them on the way, and says where they differ. If they are not
// to be exactly alike their stacks and hashes are compared only while the CPU sleeps: the stack of a function has room in it that
// nobody has written yet.
func differ(a, b *stage, exact bool) (diff string) {
	defer func() {
		if why := recover(); why != nil {
			diff = fmt.Sprint("it panics: ", why)
		}
	}()
	start := a.now()
	for i := range uint64(40) {
		at := start + (i+1)*50*second/1000/40 + i*i*12_345
		a.run(at)
		b.run(at)
		_, all := a.Asleep()
		all = all || exact
		if x, y := a.behaviour(all), b.behaviour(all); x != y {
			return fmt.Sprintf("after %d steps it is %s, not %s", i+1, y, x)
		}
		if x, y := a.relative(), b.relative(); all && x != y {
			return fmt.Sprintf("after %d steps the relative hash is %v, not %v", i+1, y, x)
		}
	}
	return ""
}

// Looking changes nothing: neither at registers, nor by hashing in either way, nor by copying the mote.
func TestRelativeLook(t *testing.T) {
	forEachStage(t, 6, func(t *testing.T, s *stage) {
		want := s.relative()
		for addr := range 0x11FF {
			s.Peek(uint16(addr))
		}
		if got := s.relative(); got != want {
			t.Fatalf("at %d ps: after looking at everything the hash is %v, not %v", s.now(), got, want)
		}
		absolute := s.state()
		if s.relative() != want || s.state() != absolute {
			t.Fatalf("at %d ps: hashing changes the hash", s.now())
		}
		c := s.clone()
		d := s.clone()
		d.run(s.now() + second/20)
		d.CopyFrom(s.Mote)
		var r Rest
		s.Save(&r)
		e := s.clone()
		e.run(s.now() + second/30)
		e.Restore(&r)
		for i, copied := range []*stage{c, d, e} {
			if got := copied.relative(); got != want || copied.state() != absolute {
				t.Fatalf("at %d ps: the hash of copy %d is %v, not %v", s.now(), i, got, want)
			}
		}
	})
}

// However a run is cut into pieces, and however often somebody looks in between, its end is the same.
func TestRelativePieces(t *testing.T) {
	forEachStage(t, 4, func(t *testing.T, s *stage) {
		straight, pieces := s.clone(), s.clone()
		end := s.now() + second/5
		straight.run(end)
		for i := uint64(1); i <= 97; i++ {
			pieces.run(s.now() + (end-s.now())*i/97)
			pieces.relative()
			pieces.Peek(0x52) // TCNT0
		}
		if a, b := straight.relative(), pieces.relative(); a != b || straight.behaviour(true) != pieces.behaviour(true) || straight.state() != pieces.state() {
			t.Fatalf("from %d ps to %d ps: in pieces the hash is %v, not %v", s.now(), end, b, a)
		}
	})
}

// The devices of a mote that does the same again and again come back to the same state. (The program counts time, so the registers
// and the memory are left out.) Blink's timers are in step with the 8-bit counter every 32,000 ticks of 7,200 cycles; in that time
// clkI/O runs for a number of cycles that is a multiple of 64, so that the prescalers' phases come again every 16th time.
func TestRelativeRecurs(t *testing.T) {
	for _, b := range []*board.Board{&board.MicaZ, &board.Mica2} {
		s := newStage(exampleKind(t, "blink", b.Name, b), 1, nil)
		s.run(2 * second)
		start := s.Core().Cycles
		devices := func(n uint64) digest.Sum {
			s.RunTo(start + n*32_000*7200)
			c := s.clone()
			clear(c.Core().RAM)
			c.Core().R, c.Core().PC = [32]uint8{}, 0
			return c.relative()
		}
		seen := map[digest.Sum]uint64{}
		for n := range uint64(16) {
			sum := devices(n)
			if before, twice := seen[sum]; twice {
				t.Errorf("%s: round %d is like %d", b.Name, n, before)
			}
			seen[sum] = n
		}
		for n := range uint64(20) {
			if before, again := seen[devices(16+n)]; !again || before != n%16 {
				t.Errorf("%s: round %d is not like %d", b.Name, 16+n, n%16)
			}
		}
	}
}

// Every field of the board's state is seen while it is alive, except for what is counted from power-on: how many inputs there were.
func TestRelativeBoard(t *testing.T) {
	for _, b := range []*board.Board{&board.MicaZ, &board.Mica2} {
		s := newStage(exampleKind(t, "counter", b.Name, b), 1, nil)
		s.run(second)
		now := s.Time()
		for kind := range s.st.radioAt {
			s.Plan(kindRadio+uint8(kind), now+second)
			s.st.radioAt[kind] = now + second
		}
		s.st.flash.Busy, s.st.flash.ReadyAt, s.st.flash.Selected = 1, now+5, 1
		s.st.serialID.Step, s.st.serialID.DueAt, s.st.serialID.FellAt, s.st.serialID.Phase = 1, now+5, now-5, 3
		for i := range s.st.feed {
			s.st.feed[i].free = now
			s.input[i] = []Input{{}, {At: now + second, Bytes: greeting}, {At: now + 2*second}}
			s.st.feed[i].input = 1
		}
		s.st.airAt = now + 9
		if got := relativetest.Unseen(func(*state) digest.Sum { return s.relative() }, s.st); len(got) != 0 {
			t.Errorf("%s: unseen are %v", b.Name, got)
		}
		want := s.relative()
		for i := range s.input { // what was sent does not count, what will be does
			s.input[i] = s.input[i][1:]
			s.st.feed[i].input = 0
		}
		if s.relative() != want {
			t.Errorf("%s: input from before counts", b.Name)
		}
		s.input[2] = append(slices.Clone(s.input[2]), Input{At: now + 3*second})
		if s.relative() == want {
			t.Errorf("%s: input that is to come does not count", b.Name)
		}
	}
}

// Memory is dead behind the variables, unless there is a heap or nobody knows.
func TestRelativeBeyond(t *testing.T) {
	for _, c := range []struct {
		symbols []image.Symbol
		want    uint32
	}{
		{nil, everything},
		{[]image.Symbol{{Name: "__bss_end", Space: image.Data, Addr: 0x200}}, 0x200},
		{[]image.Symbol{{Name: "__bss_end", Space: image.Data, Addr: 0x200}, {Name: "_end", Space: image.Data, Addr: 0x210}}, 0x210},
		{[]image.Symbol{{Name: "_end", Space: image.Flash, Addr: 0x210}}, everything},
		{[]image.Symbol{{Name: "__heap_start", Space: image.Data, Addr: 0x300}, {Name: "__brkval", Space: image.Data, Addr: 0x200, Size: 2}}, everything},
	} {
		find := func(name string) (image.Symbol, bool) {
			i := slices.IndexFunc(c.symbols, func(s image.Symbol) bool { return s.Name == name })
			if i < 0 {
				return image.Symbol{}, false
			}
			return c.symbols[i], true
		}
		if got := beyond(find); got != c.want {
			t.Errorf("%v: %#x, want %#x", c.symbols, got, c.want)
		}
	}
	if k := exampleKind(t, "sense", "micaz", &board.MicaZ); k.beyond != 0x222 {
		t.Errorf("sense has variables up to %#x, want 0x222 (avr-nm shows _end)", k.beyond)
	}
}
