// Package tracing measures what tracing costs on the example firmware, as Table 1 of the paper does, and what that does not
// give: cycles, and interrupts that wait.
//
// A measurement compares a traced build with the plain one, each run on its own for the same virtual time; what was traced is
// taken from the tracer's own calls, and the log must say the same.
package tracing

import (
	"bytes"
	"debug/elf"
	"fmt"
	"slices"
	"strings"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/internal/motes"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/fieldtrace/record"
	"motehound/world"
	"motehound/world/medium"
)

// Row is one application of the table.
type Row struct {
	App    string
	Motes  int // in a line; the second one is measured if there are several
	Boards []*board.Board
	Paper  Paper // zero if it is not in there
	// Build is what the traced build has in its name, besides the app.
	Build string
	// Minutes is how long it can be measured, if that is less than an hour: what it traces in that fills the flash.
	Minutes uint64
}

// Paper is what the paper's table has for it.
type Paper struct {
	Flash   int     // bytes in an hour
	Savings float64 // percent
	RAM     int
	Program int
}

// both is the boards that most applications are for.
var both = []*board.Board{&board.MicaZ, &board.Mica2}

// Rows are the paper's; and, not in there, one with a network's routing, and one in which handlers are traced, too.
var Rows = []Row{
	{"blink", 1, both, Paper{912, 91.74, 315, 4928}, "", 0},
	{"surge", 3, both, Paper{5392, 75.04, 315, 5206}, "", 0},
	{"oscilloscope", 1, both, Paper{52704, 72.92, 315, 5156}, "", 0},
	{"surge", 3, both, Paper{}, "_routed", 0},
	{"starve_fixed", 1, both[1:], Paper{}, "", 5},
}

// Cost is what was measured of a row.
type Cost struct {
	Events  int     // traced
	Lost    int     // of them, not in the log
	Raw     int     // bytes of the trace as it would be without compression, as in the paper
	Flash   int     // bytes of the log, with headers, checksums and what was left empty
	Savings float64 // percent
	RAM     int
	Program int
	// IdleRAM and IdleProgram are those of what the paper's tracer does not have: that the log goes to the flash when the mote rests. They are
	// not in the two above.
	IdleRAM, IdleProgram int
	// Active is how many cycles the CPU was not asleep, plain and traced.
	Active [2]uint64
	// Waits is the most cycles that an interrupt can wait longer because of the tracer: in tasks, where it keeps interrupts off
	// or prolongs an atomic section, and in handlers, which all that they trace makes longer.
	Waits, InHandlers uint64
}

// Added is by how many percent the CPU was awake for longer.
func (c *Cost) Added() float64 { return 100 * (float64(c.Active[1])/float64(c.Active[0]) - 1) }

// Measure runs a row on a board for a time.
func (r Row) Measure(b *board.Board, time uint64) (*Cost, error) {
	plain, err := find(r.App, b)
	if err != nil {
		return nil, err
	}
	traced, err := find(r.App+r.Build+"_traced", b)
	if err != nil {
		return nil, err
	}
	c := &Cost{RAM: traced.ram - plain.ram - traced.idle[0], Program: traced.program - plain.program - traced.idle[1],
		IdleRAM: traced.idle[0], IdleProgram: traced.idle[1]}
	w, n, err := r.world(plain)
	if err != nil {
		return nil, err
	}
	w.RunUntil(time)
	c.Active[0] = active(w.Motes()[n])
	if w, n, err = r.world(traced); err != nil {
		return nil, err
	}
	watch := newWatch(w, n, traced)
	w.RunUntil(time)
	m := w.Motes()[n]
	c.Active[1] = active(m)
	c.Events, c.Raw, c.Waits, c.InHandlers = len(watch.events), watch.raw, watch.worst[0], watch.worst[1]
	if c.Flash, err = logged(traced.kind.Image, m); err != nil {
		return nil, err
	}
	c.Savings = 100 * (1 - float64(c.Flash)/float64(c.Raw))
	c.Lost, err = check(m, watch.events)
	return c, err
}

// active is how many cycles a mote was not asleep.
func active(m *mote.Mote) uint64 { return m.Cycles() - m.SleepCycles() }

// built is an example with its sizes.
type built struct {
	kind         *mote.Kind
	ram, program int
	idle         [2]int // of these, motehound_trace_idle.c's
}

// idle is what motehound_trace_idle.c is in a program; a variable of a function has a number behind its name.
var idle = []string{"mh_trace_pause", "mh_trace_nap", "mh_trace_tick", "mh_idle", "looks", "hasBegun"}

func find(name string, b *board.Board) (*built, error) {
	f, ok := examples.Find(name, b.Name)
	if !ok {
		return nil, fmt.Errorf("there is no example %s for the %s", name, b.Name)
	}
	k, err := motes.Kind(name, b)
	if err != nil {
		return nil, err
	}
	file, err := elf.NewFile(bytes.NewReader(f.ELF()))
	if err != nil {
		return nil, err
	}
	x := &built{kind: k}
	for _, s := range file.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		if s.Flags&elf.SHF_WRITE != 0 {
			x.ram += int(s.Size)
		}
		if s.Type != elf.SHT_NOBITS {
			x.program += int(s.Size) // initial values are in program memory, too
		}
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		name, _, _ := strings.Cut(s.Name, ".")
		switch of := elf.ST_TYPE(s.Info); {
		case !slices.Contains(idle, name):
		case of == elf.STT_OBJECT:
			x.idle[0] += int(s.Size)
		case of == elf.STT_FUNC:
			x.idle[1] += int(s.Size)
		}
	}
	return x, nil
}

func (r Row) world(x *built) (*world.World, int, error) {
	cfg := &world.Config{Stagger: 100_000, Motes: motes.Of(x.kind, r.Motes)}
	n := 0
	if r.Motes > 1 {
		n = 1
		var err error
		if cfg.Net, err = medium.New(r.Motes, medium.Line(r.Motes, medium.DefaultGain, 0)); err != nil {
			return nil, 0, err
		}
	}
	w, err := world.New(cfg, world.Natural{Seed: 1})
	return w, n, err
}

// logged is how many bytes of the log the mote has filled, in the flash or on their way there.
func logged(im *image.Image, m *mote.Mote) (int, error) {
	var v [4]int
	for i, path := range []string{"mh_trace.header.sequence", "mh_trace.chunk", "mh_trace.full", "mh_trace.fill"} {
		ref, err := im.Lookup(path)
		if err != nil {
			return 0, err
		}
		value, err := ref.Read(m.Memory())
		if err != nil {
			return 0, err
		}
		v[i] = int(value.Int())
	}
	l := record.AT45DB
	return v[0]*l.Page() + (v[1]+v[2])*l.Chunk + v[3], nil
}

// check compares the log with what was traced: it must be its beginning, but for what the log says is lost.
func check(m *mote.Mote, events []record.Element) (lost int, err error) {
	s := m.ExternalFlash()
	flash := make([]byte, s.Size())
	for i := range flash {
		flash[i] = s.Read(uint32(i))
	}
	log, err := record.Read(record.AT45DB, flash)
	if err != nil {
		return 0, err
	}
	i := 0
	for at, e := range log.Events() {
		switch {
		case e.Kind == record.Lost:
			lost += int(e.Count)
			i += int(e.Count)
		case e.Kind.Gap():
			return 0, fmt.Errorf("page %d of the log: %v", at.Page, e.Kind)
		case e.Kind <= record.Leave:
			if i >= len(events) || e.Element != events[i] || e.Abandoned {
				return 0, fmt.Errorf("event %d of the log is %v, and not what was traced", i, e)
			}
			i++
		}
	}
	return lost, nil
}
