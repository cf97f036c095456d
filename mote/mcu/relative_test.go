package mcu

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote/chip"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/mote/relative"
)

// TestRelativePrograms stops the programs of testdata/programs, which use every device, in several places, and goes on from there: as
// they are, in another time, and with other bytes wherever the relative hash sees no difference. All do the same, at the same cycles.
func TestRelativePrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for n, file := range files {
		if testing.Short() && n%4 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := parseScript(string(text))
		if err != nil {
			t.Fatal(file, err)
		}
		c := chipFor(s, n)
		t.Run(filepath.Base(file)+"/"+c.Name, func(t *testing.T) {
			im, err := image.Parse(file, compile(t, c, file, s.on(c).flags))
			if err != nil {
				t.Fatal(err)
			}
			b := newBench(t, c, im, padNames(t, c), s.on(c))
			end := min(b.clone().runTo(b.script.limit), 400_000)
			for i := range uint64(6) {
				b.runTo(end * i / 6)
				for range i * 7 % 5 {
					b.m.Step()
				}
				b.goOn(t, end)
			}
			b = newBench(t, c, im, padNames(t, c), s.on(c))
			b.eachWindow(end, func() { b.goOn(t, end) })
		})
	}
}

// chipFor is one of the chips that a program is for: they take turns.
func chipFor(s *script, n int) *chip.Chip {
	var all []*chip.Chip
	for _, c := range chip.All() {
		if s.chips[c.Name] {
			all = append(all, c)
		}
	}
	return all[n%len(all)]
}

// eachWindow runs the program by single instructions, and calls f where a timed sequence has begun: it lasts four cycles.
func (b *bench) eachWindow(end uint64, f func()) {
	was := false
	for n := 0; n < 3 && b.m.Stopped() == Running && b.m.Cycles() < end; {
		b.m.Step()
		st, now := b.m.st, b.m.Now(periph.ClkIO)
		open := st.eeprom.Master != periph.Never && now-st.eeprom.Master <= 4 || st.selfProg.Armed != periph.Never ||
			st.watchdog.Changing && now <= st.watchdog.ChangeUntil || st.clock.Changing && now <= st.clock.ChangeUntil || now <= st.control.window
		if open && !was {
			f()
			n++
		}
		was = open
	}
}

// goOn goes on in three ways, and compares.
func (b *bench) goOn(t *testing.T, end uint64) {
	t.Helper()
	here, later, spoilt := b.clone(), b.clone(), b.clone()
	want := here.relative()
	by := later.m.Postpone(1_000_003)
	if got := later.relative(); got != want {
		t.Fatalf("at cycle %d: postponed, the hash is %v, not %v", b.m.Cycles(), got, want)
	}
	spoilt.spoil()
	if got := spoilt.relative(); got != want {
		t.Fatalf("at cycle %d: spoilt, the hash is %v, not %v", b.m.Cycles(), got, want)
	}
	var none relative.Now
	for i := range uint64(8) {
		until := b.m.Cycles() + (end-min(end, b.m.Cycles()))*(i+1)/8 + i*13
		here.runTo(until)
		later.runTo(until + by[relative.Cycles])
		spoilt.runTo(until)
		x := here.observed(&none)
		if y := later.observed(&by); x != y {
			t.Fatalf("from cycle %d to %d: %s; postponed, %s", b.m.Cycles(), until, x, y)
		}
		if y := spoilt.observed(&none); x != y {
			t.Fatalf("from cycle %d to %d: %s; with other bytes where they should not matter, %s", b.m.Cycles(), until, x, y)
		}
	}
}

// clone is the bench once more, with nothing in its records but what its devices count by.
func (b *bench) clone() *bench {
	c := *b
	c.edges, c.served, c.twi, c.notes, c.sent = nil, nil, nil, nil, [4][]periph.SerialChar{}
	c.shifted, c.sampled, c.replies = slices.Clone(b.shifted), slices.Clone(b.sampled), slices.Clone(b.replies)
	c.seen = maps.Clone(b.seen)
	var r Rest
	b.m.Save(&r)
	c.m = new(Machine)
	d := Design{Chip: b.m.chip, Options: b.m.opt, lay: b.m.lay}
	d.Wake(c.m, &r, &c)
	c.m.WatchInterrupts(true)
	return &c
}

// runTo runs to a cycle, or until the program has ended, and tells the cycle.
func (b *bench) runTo(cycle uint64) uint64 {
	for b.m.Stopped() == Running && b.m.Cycles() < cycle {
		b.m.run(cycle) // returns when the clock's rate changes
	}
	return b.m.Cycles()
}

func (b *bench) relative() digest.Sum {
	d, now := digest.New(), b.m.Clocks()
	b.m.AppendRelative(&d, &now, 0x10000)
	return d.Sum()
}

// observed is all that was seen of a run, as if it had not been postponed.
func (b *bench) observed(by *relative.Now) string {
	h := digest.New()
	for _, e := range b.edges {
		h.Word(uint64(e.pad))
		h.Word(b2i(e.level))
		h.Word(e.cycle - by[relative.Cycles])
		h.Word(e.ps - by[relative.Real])
	}
	for _, s := range b.served {
		h.Word(uint64(s.vector))
		h.Word(s.cycle - by[relative.Cycles])
	}
	for _, list := range b.sent {
		for _, c := range list {
			c.Start -= by[relative.Real]
			c.End -= by[relative.Real]
			h.Bytes(fmt.Append(nil, c))
		}
	}
	for _, n := range b.notes {
		h.Bytes(fmt.Append(nil, n.Text, n.PC, n.Cycles-by[relative.Cycles]))
	}
	h.Bytes(fmt.Append(nil, b.twi, b.shifted, b.replies, b.memory, len(b.sampled), b.m.core.R, b.m.core.SREG()))
	h.Bytes(b.m.ram)
	return fmt.Sprintf("%v at cycle %d, pc %#x, %d edges, %d interrupts, %v, relative hash %v", b.m.Stopped(), b.m.Cycles()-by[relative.Cycles], b.m.core.PC,
		len(b.edges), len(b.served), h.Sum(), b.relative())
}

// spoil changes every byte that can be changed without the relative hash seeing it, except for those that follow from others: when events
// are not planned, which one is the next, and where the clocks count from. RAM is the program's.
func (b *bench) spoil() {
	want, st := b.relative(), b.m.st
	fixed := func(p *byte) bool {
		in := func(base unsafe.Pointer, size uintptr) bool {
			return uintptr(unsafe.Pointer(p))-uintptr(base) < size
		}
		return in(unsafe.Pointer(&st.slot), unsafe.Sizeof(st.slot)) || in(unsafe.Pointer(&st.next), 8) || in(unsafe.Pointer(&st.halted), 16) ||
			in(unsafe.Pointer(&st.rate), unsafe.Sizeof(st.rate)) || in(unsafe.Pointer(&b.m.core.Cycles), 8) ||
			in(unsafe.Pointer(&b.m.ram[0]), uintptr(len(b.m.ram)))
	}
	try := func() (ok bool) {
		defer func() { ok = recover() == nil && ok }()
		return b.relative() == want
	}
	for _, memory := range [][]byte{
		unsafe.Slice((*byte)(unsafe.Pointer(&b.m.core.State)), unsafe.Sizeof(avr.State{})),
		unsafe.Slice((*byte)(unsafe.Pointer(&b.m.block[0])), 8*len(b.m.block)),
	} {
		for i := range memory {
			if fixed(&memory[i]) {
				continue
			}
			if memory[i] ^= 1; !try() {
				memory[i] ^= 1
			}
		}
	}
}
