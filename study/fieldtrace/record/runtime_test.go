package record_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"motehound/study/fieldtrace/record"
)

// What the tracer was told comes back, event by event: with few procedures and many, monotonous and wild, with handlers.
func TestInverse(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for _, h := range []host{{8, 2048}, {64, 2048}, {65, 2048}, {9000, 2048}} {
		t.Run(fmt.Sprint(h.procs), func(t *testing.T) {
			for seed := range rounds {
				s := newStory(uint64(seed), h.procs, float64(seed%5)*0.2, float64(seed%3)*0.5)
				for i := range 250 {
					s.task(i)
				}
				flash, _ := h.run(t, s.script.String()+"f 9\n")
				log := read(t, flash)
				if err := compare(log, s.events); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if n := count(log, record.Lost); s.off == 0 && n != 0 {
					t.Errorf("seed %d: %d gaps although the flash was ready and interrupts were on", seed, n)
				}
				if count(log, record.Fault) != 1 || count(log, record.Reset) != 1 {
					t.Errorf("seed %d: the reset and the fault are not in the log: %d %d", seed, count(log, record.Fault), count(log, record.Reset))
				}
			}
		})
	}
}

func count(l *record.Log, k record.Kind) int {
	n := 0
	for _, e := range l.Elements() {
		if e.Kind == k {
			n++
		}
	}
	return n
}

// A flash that is busy costs events, but the log says how many, and where.
func TestBusyFlash(t *testing.T) {
	lost := 0
	for seed := range uint64(6) {
		s := newStory(seed, 20, 0.6, 0.2)
		for i := range 400 {
			s.task(i)
			if s.rng.IntN(5) == 0 {
				fmt.Fprintf(&s.script, "b %d\n", s.rng.IntN(60))
			}
		}
		flash, _ := host{64, 2048}.run(t, s.script.String()+"f 9\n")
		log := read(t, flash)
		if err := compare(log, s.events); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		lost += count(log, record.Lost)
	}
	if lost == 0 {
		t.Error("nothing was ever lost: this test shows nothing")
	}
}

// Elements that stand for many events: a loop that never ends, and a handler that comes for ever.
func TestLongRuns(t *testing.T) {
	var script strings.Builder
	var want []record.Element
	script.WriteString("e 1\n")
	want = append(want, record.Element{Kind: record.Enter, Proc: 1, Count: 1})
	for range 300_000 {
		script.WriteString("p 1 300\n")
		want = append(want, record.Element{Kind: record.Path, Proc: 1, Path: 300, Count: 1})
	}
	for range 70_000 {
		script.WriteString("E 2\nL 2 7\n")
		want = append(want, record.Element{Kind: record.Enter, Proc: 2, Count: 1}, record.Element{Kind: record.Leave, Proc: 2, Path: 7, Count: 1})
	}
	flash, _ := host{64, 2048}.run(t, script.String()+"f 9\n")
	log := read(t, flash)
	if err := compare(log, want); err != nil {
		t.Fatal(err)
	}
	// Handlers that come for ever miss some, before they know that nothing else runs.
	if len(log.Pages) != 1 || log.Pages[0].Chunks > 3 || count(log, record.Lost) > 1 {
		t.Errorf("%d pages for two runs, %d chunks, %d gaps", len(log.Pages), log.Pages[0].Chunks, count(log, record.Lost))
	}
}

// boots splits the events of a log by boot.
func boots(l *record.Log) (events map[uint16][]record.Element, gaps int) {
	events = map[uint16][]record.Element{}
	for at, e := range l.Events() {
		switch {
		case e.Kind.Gap():
			gaps++
		case e.Kind <= record.Leave && !e.Abandoned:
			events[at.Boot] = append(events[at.Boot], e.Element)
		}
	}
	return events, gaps
}

// A watchdog's reset leaves memory alone: nothing is lost. When power fails, what was in memory is.
func TestResets(t *testing.T) {
	for seed := range uint64(8) {
		s := newStory(seed, 12, 0.3, 0)
		ends := []int{0} // of each boot's events
		kept := []bool{}
		for boot := range 12 {
			for i := range 20 + s.rng.IntN(60) {
				s.task(i)
			}
			ends = append(ends, len(s.events))
			kept = append(kept, s.rng.IntN(2) == 0)
			if boot == 11 {
				s.script.WriteString("f 1\n")
				kept[boot] = true
			} else if kept[boot] {
				s.script.WriteString("w\n")
			} else {
				s.script.WriteString("c\n")
			}
		}
		flash, _ := host{64, 64}.run(t, s.script.String())
		log := read(t, flash)
		got, gaps := boots(log)
		if gaps != 0 && seed == 0 {
			t.Logf("seed %d: %d gaps", seed, gaps)
		}
		for b, kept := range kept {
			want, got := s.events[ends[b]:ends[b+1]], got[uint16(b)]
			if kept && len(got) != len(want) {
				t.Errorf("seed %d, boot %d: %d of %d events, although memory was kept", seed, b, len(got), len(want))
			}
			if len(got) > len(want) {
				t.Fatalf("seed %d, boot %d: %d events of %d", seed, b, len(got), len(want))
			}
			for i, e := range got {
				if e != want[i] {
					t.Fatalf("seed %d, boot %d, event %d: %v, not %v", seed, b, i, e, want[i])
				}
			}
		}
	}
}

// The log goes round and round; its newest end is always there, whatever page it is on when power fails.
func TestRound(t *testing.T) {
	for seed := range uint64(10) {
		s := newStory(seed, 40, 0.8, 0)
		for len(s.script.String()) < 150_000+int(seed)*3000 {
			s.task(s.rng.IntN(1000))
		}
		before := len(s.events)
		s.script.WriteString("f 1\nc\n")
		for i := range 30 {
			s.task(i)
		}
		flash, _ := host{64, 16}.run(t, s.script.String()+"f 1\n")
		log := read(t, flash)
		if len(log.Pages) != 16 {
			t.Fatalf("%d pages", len(log.Pages))
		}
		for i, p := range log.Pages[1:] {
			if p.Number != log.Pages[i].Number+1 || p.Place != (log.Pages[i].Place+1)%16 {
				t.Errorf("seed %d: page %d at %d follows page %d at %d", seed, p.Number, p.Place, log.Pages[i].Number, log.Pages[i].Place)
			}
		}
		got, gaps := boots(log)
		if gaps != 0 {
			t.Errorf("seed %d: %d gaps", seed, gaps)
		}
		suffix(t, got[0], s.events[:before])
		if len(got[1]) != len(s.events)-before {
			t.Errorf("seed %d: %d of %d events after the power failed", seed, len(got[1]), len(s.events)-before)
		}
	}
}

// suffix: got is the end of want.
func suffix(t *testing.T, got, want []record.Element) {
	t.Helper()
	if len(got) > len(want) || len(got) < 500 {
		t.Fatalf("%d events of %d", len(got), len(want))
	}
	for i, e := range got {
		if w := want[len(want)-len(got)+i]; e != w {
			t.Fatalf("event %d from the end is %v, not %v", len(got)-i, e, w)
		}
	}
}

// Power fails while a page is written: that page is lost or cut short, all others stay, and the log goes on.
func TestTorn(t *testing.T) {
	for seed := range uint64(12) {
		s := newStory(seed, 30, 0.8, 0)
		for len(s.script.String()) < 20_000+int(seed)*9000 {
			s.task(s.rng.IntN(1000))
		}
		whole, _ := host{64, 16}.run(t, s.script.String())
		pages := read(t, whole).Pages
		newest := pages[len(pages)-1]
		fmt.Fprintf(&s.script, "x %d %d\n", newest.Place, s.rng.IntN(264))
		for i := range 40 {
			s.task(i)
		}
		flash, _ := host{64, 16}.run(t, s.script.String()+"f 1\n")
		log := read(t, flash)
		var numbers []int
		for _, p := range log.Pages {
			numbers = append(numbers, p.Number)
		}
		for _, p := range pages[len(pages)/2 : len(pages)-1] {
			if !contains(numbers, p.Number) {
				t.Errorf("seed %d: page %d is gone; there are %v", seed, p.Number, numbers)
			}
		}
		if got, _ := boots(log); len(got) != 2 {
			t.Errorf("seed %d: %d boots", seed, len(got))
		}
	}
}

func contains(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

// Times come back, to within what a chunk holds.
func TestTimes(t *testing.T) {
	s := newStory(3, 30, 0.5, 0)
	for i := range 1000 {
		s.task(i)
	}
	flash, _ := host{64, 2048}.run(t, s.script.String()+"f 9\n")
	var ticks uint32
	for line := range strings.Lines(s.script.String()) {
		var n uint32
		if _, err := fmt.Sscanf(line, "t %d", &n); err == nil {
			ticks += n
		}
	}
	log := read(t, flash)
	if log.Clock != 8 {
		t.Errorf("%d ticks a second", log.Clock)
	}
	var last record.At
	for at := range log.Elements() {
		if at.Ticks < last.Ticks {
			t.Fatalf("%d ticks after %d", at.Ticks, last.Ticks)
		}
		last = at
	}
	if last.Ticks != ticks {
		t.Errorf("the log ends at %d, the clock was at %d", last.Ticks, ticks)
	}
}

// Requests give the pages that they ask for.
func TestQueries(t *testing.T) {
	s := newStory(5, 40, 0.8, 0)
	for i := range 500 {
		s.task(i)
	}
	h := host{64, 32}
	flash, _ := h.run(t, s.script.String()+"f 1\n")
	log := read(t, flash)
	newest := log.Pages[len(log.Pages)-1]
	middle := log.Pages[len(log.Pages)/2]
	for _, q := range []struct {
		name, request string
		want          func(p record.Page) bool
	}{
		{"all", request(1, 0xFFFF, 0, 0xFFFF, 0), func(record.Page) bool { return true }},
		{"last three", request(1, 0xFFFF, 0, 3, 0), func(p record.Page) bool { return p.Number > newest.Number-3 }},
		{"since", request(2, 0xFFFF, 0, 0, middle.Ticks), func(p record.Page) bool { return p.Number >= middle.Number }},
		{"two pages", request(3, 0xFFFF, middle.Place, 2, 0), func(p record.Page) bool { return p.Number == middle.Number || p.Number == middle.Number+1 }},
		{"no more", request(3, 0xFFFF, 0, 0, 0), func(record.Page) bool { return false }},
		{"procedure 3", request(1, 3, 0, 0xFFFF, 0), func(p record.Page) bool {
			for at, e := range log.Elements() {
				if log.Pages[at.Page].Number == p.Number && e.Kind <= record.Call && e.Proc%16 == 3 {
					return true
				}
			}
			return p.Number == newest.Number // its set is not written yet
		}},
	} {
		_, replies := h.run(t, s.script.String()+"f 1\nq "+q.request+"\n")
		got := pull(t, replies)
		for _, p := range log.Pages {
			bytes, has := got[p.Place]
			if has != q.want(p) {
				t.Errorf("%s: page %d of %d..%d: %v", q.name, p.Number, log.Pages[0].Number, newest.Number, has)
			}
			if want := flash[p.Place*264:][:264]; has && string(bytes) != string(want) {
				t.Errorf("%s: page %d differs", q.name, p.Number)
			}
		}
	}
}

// request is one, of boot 0, in hex.
func request(what uint8, proc, page, pages int, time uint32) string {
	b := []byte{0x51, what}
	for _, n := range []int{proc, page, pages} {
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
	}
	return hex.EncodeToString(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint32(b, time), 0))
}

// pull puts replies together.
func pull(t *testing.T, replies string) map[int][]byte {
	pages := map[int][]byte{}
	ended := false
	for line := range strings.Lines(replies) {
		b, err := hex.DecodeString(strings.TrimSpace(line))
		if err != nil || len(b) < 4 || b[0] != 0x52 || ended {
			t.Fatalf("reply %q", line)
		}
		switch place := int(b[2]) | int(b[3])<<8; b[1] {
		case 1:
			if offset := int(b[4]) | int(b[5])<<8; offset != len(pages[place]) {
				t.Fatalf("page %d: offset %d after %d bytes", place, offset, len(pages[place]))
			}
			pages[place] = append(pages[place], b[6:]...)
		case 2:
			ended = true
		}
	}
	if !ended {
		t.Error("the replies have no end")
	}
	return pages
}

// Whatever becomes of some of the flash, the pages that are left read as before.
func TestDamage(t *testing.T) {
	s := newStory(6, 40, 0.7, 0)
	for i := range 600 {
		s.task(i)
	}
	flash, _ := host{64, 64}.run(t, s.script.String()+"f 1\n")
	whole := read(t, flash)
	byPage := func(l *record.Log) map[int][]record.Element {
		m := map[int][]record.Element{}
		for at, e := range l.Elements() {
			if !e.Kind.Gap() {
				m[l.Pages[at.Page].Number] = append(m[l.Pages[at.Page].Number], e)
			}
		}
		return m
	}
	want := byPage(whole)
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		damaged := append([]byte(nil), flash...)
		hit := map[int]bool{}
		for range 1 + rng.IntN(10) {
			i := rng.IntN(len(whole.Pages) * 264)
			damaged[i] ^= byte(1 + rng.IntN(255))
			hit[i/264] = true
		}
		log := read(t, damaged)
		got := byPage(log)
		gaps := 0
		for _, e := range log.Elements() {
			if e.Kind.Gap() {
				gaps++
			}
		}
		if gaps == 0 && log.Unread == 0 {
			t.Errorf("seed %d: nobody says that something is missing", seed)
		}
		for _, p := range whole.Pages {
			g, w := got[p.Number], want[p.Number]
			if len(g) > len(w) || len(g) < len(w) && !hit[p.Place] || len(g) > 0 && fmt.Sprint(g) != fmt.Sprint(w[:len(g)]) {
				t.Errorf("seed %d, page %d: %d elements instead of %d, or others", seed, p.Number, len(g), len(w))
			}
		}
	}
}
