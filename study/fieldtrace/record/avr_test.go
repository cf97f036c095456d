package record_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"motehound/firmware/image"
	"motehound/firmware/pathtrace/runtime"
	"motehound/internal/need"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/store"
	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// program is testdata/avr.c, built.
//
// idle is how many interrupts it waits for between two tasks.
type program struct{ seed, wild, rounds, idle, pages int }

func (p program) build(t testing.TB) *image.Image {
	t.Helper()
	return compiled(t, "avr.c", "-Itestdata", `-DMH_TRACE_CONFIG="avr_config.h"`, "-DMH_TRACE_PROCS=24",
		fmt.Sprintf("-DSEED=%d", p.seed), fmt.Sprintf("-DWILD=%d", p.wild), fmt.Sprintf("-DROUNDS=%d", p.rounds), fmt.Sprintf("-DIDLE=%d", p.idle),
		fmt.Sprintf("-DMH_TRACE_PAGES=%d", p.pages))
}

// compiled is a program of testdata for a mote, with the tracer.
func compiled(t testing.TB, source string, options ...string) *image.Image {
	t.Helper()
	dir := t.TempDir()
	if err := runtime.Write(dir, os.WriteFile); err != nil {
		t.Fatal(err)
	}
	elf := filepath.Join(dir, "program.elf")
	args := append([]string{"-std=gnu99", "-Os", "-Wall", "-Wextra", "-Werror", "-mmcu=atmega128", "-I" + dir}, options...)
	args = append(args, "-o", elf, filepath.Join("testdata", source), filepath.Join(dir, runtime.AT45DB))
	for _, f := range append(slices.Clone(runtime.Core), runtime.Query...) {
		args = append(args, filepath.Join(dir, f))
	}
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// traced is a mote that runs it, and the events as they are put down: what the log must say.
type traced struct {
	w      *world.World
	pages  int
	events []record.Element
	commit func(page uint16) // called when the tracer has the flash program a page
}

func (p program) start(t testing.TB) *traced {
	t.Helper()
	return watched(t, p.build(t), p.pages)
}

// watched is a mote with a program.
func watched(t testing.TB, im *image.Image, pages int) *traced {
	t.Helper()
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: k}}}, world.Natural{})
	if err != nil {
		t.Fatal(err)
	}
	tr := &traced{w: w, pages: pages}
	wait, program := entry(t, im, "mh_wait"), entry(t, im, "mh_trace_store_commit")
	w.Observe(world.Observer{
		CodeAt: func(*mote.Kind) []uint32 { return []uint32{wait, program} },
		Code: func(_ int, _ uint64, pc uint32) bool {
			r := &w.Motes()[0].Core().R
			if pc == program {
				if tr.commit != nil {
					tr.commit(uint16(r[24]) | uint16(r[25])<<8)
				}
				return false
			}
			tr.events = append(tr.events, record.Element{Kind: record.Kind(r[24] >> 6), Proc: uint16(r[24] & 63), Count: 1,
				Path: uint16(r[22]) | uint16(r[23])<<8})
			return false
		},
	})
	return tr
}

func entry(t testing.TB, im *image.Image, name string) uint32 {
	t.Helper()
	s, ok := im.Symbol(name)
	if !ok {
		t.Fatalf("the program has no %s", name)
	}
	return s.Addr / 2
}

// runToEnd runs until the program has ended.
func (tr *traced) runToEnd(t testing.TB) {
	t.Helper()
	for !tr.w.Stopped() {
		if tr.w.Now() > 600*world.Second {
			t.Fatal("the program does not end")
		}
		tr.w.RunUntil(tr.w.Now() + world.Second)
	}
}

// log is the part of a flash that has the log.
func (tr *traced) log(s *store.Store) []byte {
	b := make([]byte, tr.pages*record.AT45DB.Page())
	for i := range b {
		b[i] = s.Read(uint32(i))
	}
	return b
}

// On a mote, with interrupts that come at any moment: the log has what was traced, and says what was lost.
func TestOnMote(t *testing.T) {
	programs := []program{{1, 1, 400, 9, 2048}, {2, 30, 300, 14, 2048}, {3, 120, 150, 20, 2048}, {4, 255, 80, 30, 2048}, {5, 200, 300, 0, 2048}}
	if testing.Short() {
		programs = programs[3:]
	}
	for _, p := range programs {
		tr := p.start(t)
		tr.runToEnd(t)
		log := read(t, tr.log(tr.w.Motes()[0].ExternalFlash()))
		if err := compare(log, tr.events); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
		lost, all := 0, len(tr.events)
		for _, e := range log.Elements() {
			if e.Kind == record.Lost {
				lost += int(e.Count)
			}
		}
		t.Logf("%+v: %d events in %d pages, %d lost, %.1f s", p, all, len(log.Pages), lost, float64(tr.w.Now())/world.Second)
		if p.idle > 0 && lost > all/8 {
			t.Errorf("%+v: %d events of %d were lost", p, lost, all)
		}
	}
}

// cut is a moment at which power fails: soon after the flash was told to program a page.
type cut struct {
	at    uint64
	place uint16 // of the page that was being written
	old   []byte // what it held before
	whole []byte // the flash, before
}

// Power fails a thousand times while the flash is written. What was in other pages stays, and reads as it was traced; the
// log goes on behind it.
func TestPowerCuts(t *testing.T) {
	cuts := 1000
	if testing.Short() {
		cuts = 30
	}
	p := program{7, 250, 60000, 9, 24}
	tr := p.start(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var next cut
	pending := false
	tr.commit = func(page uint16) {
		if pending {
			return
		}
		m := tr.w.Motes()[0]
		whole := tr.log(m.ExternalFlash())
		next = cut{at: m.Time() + rng.Uint64N(19*world.Millisecond), place: page, whole: whole, old: whole[int(page)*264:][:264]}
		pending = true
	}
	done, torn := 0, 0
	for done < cuts {
		if tr.w.Stopped() {
			t.Fatalf("only %d cuts before the program's end", done)
		}
		tr.w.RunUntil(tr.w.Now() + world.Millisecond)
		if !pending || tr.w.Now()+2*world.Millisecond < next.at {
			continue
		}
		done++
		pending = false
		if tr.fail(t, rng, next) {
			torn++
		}
	}
	if torn < cuts/2 {
		t.Errorf("only %d of %d cuts hit the flash at work", torn, cuts)
	}
}

// fail lets power fail in a copy of the world, and looks at what is left. It tells whether the flash was at work.
func (tr *traced) fail(t *testing.T, rng *rand.Rand, c cut) (torn bool) {
	t.Helper()
	w := tr.w.Clone()
	defer w.Release()
	if w.Now() < c.at {
		w.RunUntil(c.at)
	}
	m := w.Motes()[0]
	m.PowerOff()
	flash := m.ExternalFlash()
	now := tr.log(flash)
	page := now[int(c.place)*264:][:264]
	if torn = string(page) != string(c.old); torn {
		tear(rng, flash, uint32(c.place)*264, c.old, page)
	}
	// Every page but that one is as it was.
	left := tr.log(flash)
	copy(left[int(c.place)*264:], c.old)
	if string(left) != string(c.whole) {
		t.Fatalf("at %d: other pages have changed", c.at)
	}
	m.PowerUp(w.Now())
	w.RunUntil(w.Now() + 150*world.Millisecond)
	log := read(t, tr.log(flash))
	was := read(t, c.whole)
	tr.compare(t, c, log, was)
	return torn
}

// compare: the pages that were in the log before the cut are still there, with what they held, except for the one that was
// being written and the few oldest, which the next boot has written over; and the log goes on behind them.
func (tr *traced) compare(t *testing.T, c cut, log, was *record.Log) {
	t.Helper()
	before, after := byNumber(was), byNumber(log)
	newest := log.Pages[len(log.Pages)-1]
	for _, p := range was.Pages {
		if p.Place == int(c.place) || p.Number+tr.pages <= newest.Number {
			continue
		}
		if got, want := fmt.Sprint(after[p.Number]), fmt.Sprint(before[p.Number]); got != want {
			t.Fatalf("at %d: page %d was %s and is %s", c.at, p.Number, want, got)
		}
	}
	last, boot := -1, uint16(0)
	for _, p := range was.Pages {
		if p.Place != int(c.place) {
			last, boot = p.Number, 1
		}
	}
	if newest.Boot < boot || newest.Number <= last || newest.Number > last+tr.pages/2 {
		t.Fatalf("at %d: after page %d the log goes on to page %d of boot %d", c.at, last, newest.Number, newest.Boot)
	}
}

// byNumber is the elements of each page.
func byNumber(l *record.Log) map[int][]record.Element {
	m := map[int][]record.Element{}
	for at, e := range l.Elements() {
		if e.Kind != record.Missing {
			m[l.Pages[at.Page].Number] = append(m[l.Pages[at.Page].Number], e)
		}
	}
	return m
}

// tear leaves a page as it may be when programming was not over: of each byte the old bits, none, or some of the new.
func tear(rng *rand.Rand, flash *store.Store, at uint32, old, new []byte) {
	stage := rng.IntN(3)
	for i := range old {
		b := old[i]
		switch {
		case stage == 0: // while it was erased
			b |= uint8(rng.Uint32())
		case stage == 1: // while it was programmed
			b = new[i] | uint8(rng.Uint32())
		case rng.IntN(264) < i: // some of it was
			b = 0xFF
		default:
			b = new[i]
		}
		flash.Write(at+uint32(i), b)
	}
}
