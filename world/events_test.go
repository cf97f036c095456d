package world_test

import (
	"testing"

	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/world"
	"motehound/world/medium"
)

const ms = world.Millisecond

// kindOf is an example on its board.
func kindOf(t testing.TB, app, boardName string) *mote.Kind {
	t.Helper()
	return testkit.Example(t, app, boardName)
}

func newWorld(t testing.TB, cfg *world.Config, choose world.Chooser) *world.World {
	t.Helper()
	return testkit.World(t, cfg, choose)
}

// alone is one mote, and what happens to it.
func alone(t testing.TB, k *mote.Kind, events ...world.Event) *world.World {
	t.Helper()
	return newWorld(t, &world.Config{Motes: []world.MoteConfig{{Kind: k}}, Events: events}, world.Natural{})
}

func wantVars(t *testing.T, m *mote.Mote, want map[string]int64) {
	t.Helper()
	for path, v := range want {
		if got := number(t, m, path); got != v {
			t.Errorf("%s is %d, want %d", path, got, v)
		}
	}
}

// MCUCSR of the ATmega128.
const (
	porf  = 1 << 0
	extrf = 1 << 1
)

// The reset button leaves SRAM as it is, a power cycle does not; both leave the EEPROM.
func TestResetAndPowerCycle(t *testing.T) {
	w := newWorld(t, &world.Config{
		Motes:  []world.MoteConfig{{Kind: compile(t, "power.c")}},
		Resets: []world.Reset{{At: 100 * ms}},
		Events: []world.Event{{At: 200 * ms, Kind: world.PowerCycle}},
	}, world.Natural{})
	m := w.Motes()[0]
	w.RunUntil(99 * ms)
	wantVars(t, m, map[string]int64{"kept": 1, "flags": porf, "boots": 0})
	if m.LEDs() != 4 {
		t.Errorf("LEDs %b", m.LEDs())
	}
	before := number(t, m, "ticks")
	w.RunUntil(199 * ms)
	wantVars(t, m, map[string]int64{"kept": 2, "flags": extrf, "boots": 1})
	if after := number(t, m, "ticks"); after < before-2 || after > before+2 {
		t.Errorf("%d ticks in the first 99 ms, %d in the 99 ms after the reset", before, after)
	}
	w.Reset(0) // and once more by hand: the power goes while it programs its EEPROM with a 2
	w.RunUntil(299 * ms)
	wantVars(t, m, map[string]int64{"kept": 1, "flags": porf, "boots": 2})
	if m.Resets() != 4 {
		t.Errorf("%d resets", m.Resets())
	}
}

// A mote without power does nothing; its EEPROM stays; its time goes on.
func TestOutage(t *testing.T) {
	w := alone(t, compile(t, "power.c"),
		world.Event{At: 100 * ms, Kind: world.PowerOff},
		world.Event{At: 120 * ms, Kind: world.SetVar, Var: world.Variable{Path: "ticks", Value: 77}},
		world.Event{At: 130 * ms, Kind: world.PowerCycle},
		world.Event{At: 200 * ms, Kind: world.PowerOn})
	m := w.Motes()[0]
	var lights []uint64
	w.Observe(world.Observer{LED: func(_ int, ps uint64, _ int, _ bool) { lights = append(lights, ps/ms) }})
	w.RunUntil(150 * ms)
	wantVars(t, m, map[string]int64{"kept": 0, "ticks": 0, "preset": 0})
	if w.Alive(0) || w.Stopped() || m.Stopped() != mcu.StopOff || m.LEDs() != 0 {
		t.Errorf("alive %v, stopped %v (%v), LEDs %b", w.Alive(0), w.Stopped(), m.Stopped(), m.LEDs())
	}
	w.RunUntil(299 * ms)
	wantVars(t, m, map[string]int64{"kept": 1, "flags": porf, "boots": 1, "preset": 5})
	if !w.Alive(0) || m.LEDs() != 4 {
		t.Errorf("alive %v, LEDs %b", w.Alive(0), m.LEDs())
	}
	if at := m.Time(); at < 299*ms || at > 299*ms+10*world.Microsecond {
		t.Errorf("its time is %d ps", at)
	}
	if len(lights) != 3 || lights[1] != 100 || lights[2] < 200 || lights[2] > 215 {
		t.Errorf("the light changed at %v ms, want soon, at 100 and soon after 200", lights)
	}
	forGood := alone(t, m.Kind, world.Event{At: 100 * ms, Kind: world.PowerOff})
	forGood.RunUntil(101 * ms)
	if !forGood.Stopped() {
		t.Error("a world whose only mote is off for good can still go on")
	}
}

// Variables get values at their times, through bit-fields and pointers; a null pointer is told, and nothing else happens.
func TestSetVar(t *testing.T) {
	set := func(at uint64, path string, v int64) world.Event {
		return world.Event{At: at, Kind: world.SetVar, Var: world.Variable{Path: path, Value: v}}
	}
	w := alone(t, compile(t, "power.c"), set(50*ms, "ticks", 1_000_000), set(50*ms, "field.high", 21), set(60*ms, "*pointer", 999),
		set(70*ms, "*nothing", 1))
	m := w.Motes()[0]
	var notes []string
	w.Observe(world.Observer{Notice: func(_ int, n mcu.Note) { notes = append(notes, n.Text) }})
	w.RunUntil(50*ms - world.Microsecond)
	if n := number(t, m, "ticks"); n > 1_000_000 {
		t.Errorf("%d ticks too early", n)
	}
	w.RunUntil(80 * ms)
	wantVars(t, m, map[string]int64{"field.high": 21, "field.low": 0, "cleared": 999, "found_cleared": 0})
	if n := number(t, m, "ticks"); n < 1_000_000 || n > 1_050_000 {
		t.Errorf("%d ticks", n)
	}
	if len(notes) != 1 {
		t.Errorf("notices %q, want one about a null pointer", notes)
	}
	for _, bad := range []world.Variable{{Path: "no_such"}, {Path: "boots", Value: 256}} {
		if _, err := world.New(&world.Config{Motes: []world.MoteConfig{{Kind: m.Kind}},
			Events: []world.Event{{Kind: world.SetVar, Var: bad}}}, world.Natural{}); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}

// Variables are set when main starts, after every reset, whatever start-up code and observers do.
func TestVarsAtMain(t *testing.T) {
	cfg := &world.Config{
		Motes: []world.MoteConfig{{Kind: compile(t, "power.c"), Vars: []world.Variable{
			{Path: "cleared", Value: 1234}, {Path: "preset", Value: 4321}, {Path: "field.low", Value: 5}}}},
		Resets: []world.Reset{{At: 50 * ms}},
		Events: []world.Event{{At: 40 * ms, Kind: world.SetVar, Var: world.Variable{Path: "found_preset"}}, {At: 100 * ms, Kind: world.PowerCycle}},
	}
	want := map[string]int64{"found_cleared": 1234, "found_preset": 4321, "field.low": 5, "field.high": 0}
	w := newWorld(t, cfg, world.Natural{})
	plain := w.Clone()
	main, _ := cfg.Motes[0].Kind.Image.Symbol("main")
	reached := 0
	w.Observe(world.Observer{
		Code:   func(_ int, _ uint64, pc uint32) bool { reached++; return false },
		CodeAt: func(*mote.Kind) []uint32 { return []uint32{main.Addr / 2} },
	})
	for _, at := range []uint64{30, 99, 149} {
		for _, w := range []*world.World{w, plain} {
			w.RunUntil(at * ms)
			wantVars(t, w.Motes()[0], want)
		}
		if w.Hash() != plain.Hash() {
			t.Errorf("at %d ms an observer of main makes a difference", at)
		}
	}
	if reached != 3 {
		t.Errorf("main was reached %d times", reached)
	}
	loop := newWorld(t, &world.Config{Motes: []world.MoteConfig{{Kind: compile(t, "loop.c"),
		Vars: []world.Variable{{Path: "counter", Value: 200}}}}}, world.Natural{})
	var got []int64
	for at := uint64(1); len(got) < 40; at++ {
		loop.RunUntil(at * ms / 100)
		got = append(got, number(t, loop.Motes()[0], "counter"))
	}
	for i := 20; i < 40; i++ {
		if got[i] == got[i-1] || got[i] == 201 && got[i-1] == 201 {
			t.Fatalf("the counter stands: %v", got)
		}
	}
}

// Motes are switched on when they are told, with the crystal that they are told.
func TestBootAndDrift(t *testing.T) {
	k := compile(t, "power.c")
	cfg := &world.Config{Motes: []world.MoteConfig{
		{Kind: k}, {Kind: k, BootFrom: 50 * ms}, {Kind: k, BootFrom: 20 * ms, BootUntil: 60 * ms}, {Kind: k, Drift: 100_000},
	}}
	w := newWorld(t, cfg, world.Fixed{Else: world.Natural{},
		Answers: []world.Answer{{Kind: world.ChoiceBoot, Mote: 2, Answer: 15_000}}})
	w.RunUntil(30 * ms)
	for i, want := range []bool{true, false, false, true} {
		if w.Alive(i) != want {
			t.Errorf("at 30 ms mote %d is alive: %v", i, !want)
		}
	}
	w.RunUntil(100 * ms)
	for i, want := range []uint64{100, 50, 65, 100} {
		if got := w.Motes()[i].Time(); got/ms != want {
			t.Errorf("mote %d has run for %d ps, want %d ms", i, got, want)
		}
	}
	if a, b := w.Motes()[0].Cycles(), w.Motes()[3].Cycles(); b < a*11/10-10 || b > a*11/10+10 {
		t.Errorf("%d cycles, and with a crystal that is 10%% too fast %d", a, b)
	}
	var asked []world.Choice
	late := *cfg
	late.Faults = []world.Fault{{Kind: world.LateBoot, Max: 1, Mote: world.Everyone, From: world.None, To: world.None, Wire: world.None, Span: 30 * ms}}
	take := world.Fixed{Else: record{&asked, world.Natural{}}, Answers: []world.Answer{
		{Kind: world.ChoiceFault, Mote: 1, Answer: world.FaultLate}, {Kind: world.ChoiceBoot, Mote: 1, Answer: 9_999},
		{Kind: world.ChoiceFault, Mote: 3, Answer: world.FaultLate}}}
	w = newWorld(t, &late, take)
	w.RunUntil(100 * ms)
	if got := w.Motes()[1].Time() / ms; got != 40 || w.Used(0) != 1 {
		t.Errorf("10 ms late, mote 1 has run for %d ms; %d used", got, w.Used(0))
	}
	if w.Motes()[3].Time()/ms != 100 {
		t.Error("mote 3 is late beyond the budget")
	}
}

// record notes questions.
type record struct {
	asked *[]world.Choice
	inner world.Chooser
}

func (r record) Choose(c world.Choice) uint32 {
	*r.asked = append(*r.asked, c)
	return r.inner.Choose(c)
}

// Serial input that comes while a mote is off is lost; what comes later arrives.
func TestOutageLosesInput(t *testing.T) {
	for _, b := range []string{"micaz", "mica2"} {
		frame := []byte("\x7e\x44\x2a\x00\xff\xff\x00\x00\x02\x00\x89\x00\x07\x0e\xf1\x7e") // with acknowledgement
		cfg := &world.Config{Motes: []world.MoteConfig{{Kind: kindOf(t, "serial", b), ID: 1}}, Events: []world.Event{
			{At: 400 * ms, Kind: world.PowerOff}, {At: 700 * ms, Kind: world.PowerOn}}}
		for _, at := range []uint64{300, 399, 500, 699, 900} {
			cfg.Serial = append(cfg.Serial, world.Serial{At: at * ms, Bytes: frame})
		}
		w := newWorld(t, cfg, world.Natural{})
		var acks []uint64
		var last [3]uint8
		w.Observe(world.Observer{Serial: func(_ int, usart uint8, c periph.SerialChar) {
			last = [3]uint8{last[1], last[2], c.Data.V()}
			if last == [3]uint8{0x7E, 0x43, 0x2A} { // an acknowledgement of that sequence number
				acks = append(acks, w.Motes()[0].Time()/ms)
			}
		}})
		w.RunUntil(1500 * ms)
		if len(acks) != 2 || acks[0] < 300 || acks[0] > 310 || acks[1] < 900 || acks[1] > 910 {
			t.Errorf("%s: acknowledged at %v ms, want soon after 300 and 900", b, acks)
		}
	}
}

// A transmission breaks off when its sender loses its power; nobody takes what was heard of it for a frame.
func TestOutageEndsTransmission(t *testing.T) {
	for _, b := range []string{"micaz", "mica2"} {
		net, err := medium.New(2, medium.Full(2, -60, 0))
		if err != nil {
			t.Fatal(err)
		}
		k := kindOf(t, "counter", b)
		run := func(events ...world.Event) (w *world.World, frames []world.Frame) {
			cfg := &world.Config{Net: net, Motes: []world.MoteConfig{{Kind: k}, {Kind: k, ID: 1, BootFrom: 100 * ms}}, Events: events}
			w = newWorld(t, cfg, world.Natural{})
			w.Observe(world.Observer{Frame: func(f world.Frame) {
				if f.Sender == 0 {
					frames = append(frames, f)
				}
			}})
			w.RunUntil(2 * world.Second)
			return w, frames
		}
		w, whole := run()
		f := whole[2]
		middle := f.Start + (f.End-f.Start)/2
		cut, broken := run(world.Event{At: middle, Kind: world.PowerOff})
		if len(broken) != 3 || broken[2].Start != f.Start || broken[2].End < middle || broken[2].End > middle+200*world.Microsecond {
			t.Errorf("%s: %d frames, the last from %d to %d ps; want 3, from %d to soon after %d", b, len(broken), broken[2].Start, broken[2].End, f.Start, middle)
		}
		heard := number(t, cut.Motes()[1], "CounterC__heard")
		if all := number(t, w.Motes()[1], "CounterC__heard"); heard != 2 || all < 5 {
			t.Errorf("%s: mote 1 took %d frames, undisturbed %d; want 2", b, heard, all)
		}
		again, _ := run(world.Event{At: middle, Kind: world.PowerOff}, world.Event{At: middle + ms/5, Kind: world.PowerOn})
		if n := number(t, again.Motes()[1], "CounterC__heard"); n < 5 {
			t.Errorf("%s: with its power back, mote 0 was heard %d times", b, n)
		}
		deaf, _ := run(world.Event{Mote: 1, At: middle, Kind: world.PowerOff}, world.Event{Mote: 1, At: f.End - 100*world.Microsecond, Kind: world.PowerOn})
		if n := number(t, deaf.Motes()[1], "CounterC__heard"); n < 2 || n > int64(len(whole))-3 || deaf.FramesReceived(1) >= uint32(len(whole)) {
			t.Errorf("%s: a receiver that was off for half a frame counts %d", b, n)
		}
	}
}
