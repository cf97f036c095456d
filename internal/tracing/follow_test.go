package tracing

import (
	"debug/elf"
	"fmt"
	"slices"
	"testing"

	"motehound/firmware/image"
	"motehound/firmware/pathtrace/instrument"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/periph"
	"motehound/study/fieldtrace/record"
	"motehound/world"
)

// edge is one of a procedure's edges; or, as told, where the tracer was told something; or, as more, that it was told the same again, for
// rounds whose edges were seen by then.
type edge struct{ proc, edge int }

var told, more = edge{-1, -1}, edge{-1, -2}

// labels is where a firmware has its edges.
func labels(t *testing.T, name string) map[uint32]edge {
	t.Helper()
	file, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	at := map[uint32]edge{}
	for _, s := range symbols {
		var e edge
		var number int
		if n, _ := fmt.Sscanf(s.Name, "mh_edge_%d_%d_%d", &e.proc, &e.edge, &number); n == 3 {
			at[uint32(s.Value/2)] = e
		}
	}
	for name, what := range map[string]edge{"mh_wait": told, "mh_trace_more": more} {
		if s, ok := symbolOf(symbols, name); ok {
			at[s] = what
		}
	}
	return at
}

func symbolOf(symbols []elf.Symbol, name string) (uint32, bool) {
	i := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == name })
	if i < 0 {
		return 0, false
	}
	return uint32(symbols[i].Value / 2), true
}

// seen is what a mote showed to the outside, and to the emulator.
type seen struct {
	uart   []byte
	lights [][]string // the changes of each
	frames []string
	edges  []edge
	flash  []byte
}

// start is how motes start.
type start struct {
	apart uint64 // milliseconds between their boots
	later uint64 // microseconds besides
	ppm   int32  // that their crystals are off by, more or less
}

func (s start) drift(mote int) int32 {
	if mote%2 == 1 {
		return -s.ppm / 2
	}
	return s.ppm
}

// runFor is how long examples run.
const runFor = 20 * world.Second

// run runs motes in a line; then their reset buttons are pressed: what the tracer still has in memory is in the log then.
func (s *sample) run(t *testing.T, b *board.Board, im *image.Image, at map[uint32]edge, begin start) []seen {
	t.Helper()
	k, err := mote.NewKind(b, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Serial: input}
	for i := range s.motes {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i), BootFrom: uint64(i) * (begin.apart*world.Millisecond + begin.later*world.Microsecond), Drift: begin.drift(i)})
	}
	if s.motes > 1 {
		if cfg.Net, err = s.net(); err != nil {
			t.Fatal(err)
		}
	}
	w, err := world.New(cfg, world.Natural{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	list := make([]seen, s.motes)
	stored := newStored(im, s.motes)
	var points []uint32
	for pc := range k.Program().Words() {
		if _, ok := at[pc]; ok || stored.at(pc) {
			points = append(points, pc)
		}
	}
	w.Observe(world.Observer{
		CodeAt: func(*mote.Kind) []uint32 { return points },
		Code: func(i int, _ uint64, pc uint32) bool {
			if stored.at(pc) {
				stored.take(i, w.Motes()[i])
			} else if m := w.Motes()[i]; m.Resets() == 1 {
				times := uint8(1)
				if at[pc] == more {
					times = m.Core().R[24]
				}
				list[i].edges = append(list[i].edges, slices.Repeat([]edge{at[pc]}, int(times))...)
			}
			return false
		},
		Serial: func(i int, _ uint8, c periph.SerialChar) { list[i].uart = append(list[i].uart, c.Data.V()) },
		LED: func(i int, _ uint64, led int, on bool) {
			for len(list[i].lights) <= led {
				list[i].lights = append(list[i].lights, nil)
			}
			list[i].lights[led] = append(list[i].lights[led], fmt.Sprint(on))
		},
		Frame: func(f world.Frame) {
			var b []byte
			for _, c := range f.Bytes {
				b = append(b, c.V())
			}
			list[f.Sender].frames = append(list[f.Sender].frames, contents(b))
		},
	})
	w.RunUntil(runFor)
	shown := slices.Clone(list)
	for i := range list {
		reset(t, w, i, im)
		shown[i].edges = list[i].edges
	}
	w.RunUntil(w.Now() + world.Second)
	for i, m := range w.Motes() {
		shown[i].flash = stored.flash(i)
		if s := m.ExternalFlash(); s != nil {
			shown[i].flash = make([]byte, s.Size())
			for j := range shown[i].flash {
				shown[i].flash[j] = s.Read(uint32(j))
			}
		}
	}
	return shown
}

// reset presses a mote's reset button when its tracer is not at work: what it was working on would be uncertain.
func reset(t *testing.T, w *world.World, i int, im *image.Image) {
	t.Helper()
	if busy, err := im.Lookup("mh_trace.busy"); err == nil {
		for range 1000 {
			v, err := busy.Read(w.Motes()[i].Memory())
			if err != nil {
				t.Fatal(err)
			}
			if v.Int() == 0 {
				break
			}
			w.RunUntil(w.Now() + 50*world.Microsecond)
		}
	}
	w.Reset(i)
}

// input is what comes to the first mote's serial port: frames that serial, disseminate and others take.
var input = []world.Serial{
	{USART: 0, At: 3 * world.Second, Bytes: []byte("\x7e\x44\x2a\x00\xff\xff\x00\x00\x02\x00\x89\x00\x07\x0e\xf1\x7e")},
	{USART: 0, At: 7 * world.Second, Bytes: []byte("\x7e\x44\x2a\x00\xff\xff\x00\x00\x02\x00\x89\x00\x07\x0e\xf2\x7e")}, // damaged
	{USART: 0, At: 9 * world.Second, Bytes: []byte("\x7e\x44\x2b\x00\xff\xff\x00\x00\x02\x00\x89\x00\x07\x1b\xb9\x7e")},
}

// edgeTally counts what was compared.
type edgeTally struct{ invocations, paths, edges, unlabeled, lost, counted int }

func (a *edgeTally) add(b edgeTally) {
	a.invocations += b.invocations
	a.paths += b.paths
	a.edges += b.edges
	a.unlabeled += b.unlabeled
	a.lost += b.lost
	a.counted += b.counted
}

// follower goes through what the emulator saw, with what the log says.
type follower struct {
	t      *testing.T
	m      *instrument.Map
	can    map[edge]bool // carry a label
	open   []invocation
	tally  edgeTally
	unsure bool // something was lost: what is open is not known
}

type invocation struct {
	proc  *instrument.Proc
	edges []int // that were seen since its begin or its last record
	at    int   // the block in which the next path begins, or -1
}

// follow compares.
func (s *seen) follow(t *testing.T, m *instrument.Map, at map[uint32]edge) edgeTally {
	t.Helper()
	log, err := record.Read(record.AT45DB, s.flash)
	if err != nil {
		t.Fatal(err)
	}
	f := &follower{t: t, m: m, can: map[edge]bool{}}
	for _, e := range at {
		f.can[e] = true
	}
	events := f.events(log)
	n := 0
	for _, e := range s.edges {
		switch {
		case e != told && e != more:
			f.label(e)
		case n < len(events):
			f.record(events[n], e == more)
			n++
		default:
			n++
		}
	}
	// The last one may not have been put down when the reset came.
	if n != len(events) && n != len(events)+1 {
		t.Errorf("the log has %d events, the tracer was told %d", len(events), n)
	}
	return f.tally
}

// events is those of the first boot.
func (f *follower) events(log *record.Log) (events []record.Event) {
	for at, e := range log.Events() {
		switch {
		case at.Boot > 0:
			return events
		case e.Kind == record.Lost:
			for range e.Count {
				events = append(events, e)
			}
		case e.Kind.Gap():
			f.t.Errorf("page %d of the log: %v", at.Page, e.Kind)
		case e.Kind <= record.Leave:
			if e.Abandoned {
				f.t.Fatalf("%s was never left", f.m.Proc(int(e.Proc)).Name)
			}
			events = append(events, e)
		}
	}
	return events
}

func (f *follower) label(e edge) {
	if n := len(f.open); n > 0 {
		top := &f.open[n-1]
		if top.proc.ID != e.proc {
			f.t.Fatalf("edge %v is taken while %s runs", e, top.proc.Name)
		}
		top.edges = append(top.edges, e.edge)
	} else if !f.unsure {
		f.t.Fatalf("edge %v is taken while nothing runs", e)
	}
}

// record takes an event of the log. later: it was recorded some time after it.
func (f *follower) record(e record.Event, later bool) {
	n := len(f.open)
	switch {
	case e.Kind == record.Lost:
		f.open, f.unsure = nil, true
		f.tally.lost++
	case e.Kind == record.Enter:
		f.tally.invocations++
		f.open = append(f.open, invocation{proc: f.m.Proc(int(e.Proc)), at: -1})
	case n == 0 && f.unsure:
	case n == 0 || f.open[n-1].proc.ID != int(e.Proc):
		f.t.Fatalf("%v of a procedure that does not run", e)
	default:
		f.path(&f.open[n-1], e, later)
		if e.Kind == record.Leave {
			f.open = f.open[:n-1]
		}
	}
}

// path compares the edges of a record with those that were seen.
func (f *follower) path(i *invocation, e record.Event, later bool) {
	p, err := i.proc.Decode(int(e.Path))
	if err != nil {
		f.t.Fatalf("%s: %v", i.proc.Name, err)
	}
	var want []int
	for _, x := range p.Edges {
		if f.can[edge{i.proc.ID, x}] {
			want = append(want, x)
		} else {
			f.tally.unlabeled++
		}
	}
	took := i.edges
	if later {
		took = took[:min(len(want), len(took))]
		f.tally.counted++
	}
	if !slices.Equal(want, took) || p.Begins != (i.at == -1) || !p.Begins && p.Blocks[0] != i.at || p.Ends != (e.Kind == record.Leave) {
		f.t.Fatalf("%s: the log says path %d, edges %v; the emulator saw %v", i.proc.Name, e.Path, want, took)
	}
	i.at = -1
	if !p.Ends {
		i.at = i.proc.Edges[p.Edges[len(p.Edges)-1]].To
	}
	f.tally.paths++
	f.tally.edges += len(want)
	i.edges = i.edges[:copy(i.edges, i.edges[len(took):])]
}
