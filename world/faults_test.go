package world_test

import (
	"math/rand/v2"
	"testing"

	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
)

// wild takes what goes wrong as often as anything else, as far as it is allowed.
type wild struct{ seed uint64 }

func (x wild) Choose(c world.Choice) uint32 {
	if c.Kind == world.ChoiceFault && c.Number%8 != 0 {
		return world.FaultNone
	}
	c.Weights = nil
	return world.Natural{Seed: x.seed}.Choose(c)
}

func fault(k world.FaultKind, n uint32, mote int) world.Fault {
	return world.Fault{Kind: k, Max: n, Mote: mote, From: world.None, To: world.None, Wire: world.None}
}

// troubled is a network in which everything happens that can.
func troubled(t testing.TB, app, b string) *world.World {
	t.Helper()
	const n = 5
	links := medium.Full(n, -60, 0)
	for i := range links { // the last one hears first, so that the order of time is not that of the motes
		links[i].Delay = uint64(n-links[i].To) * 5 * world.Microsecond
	}
	net, err := medium.New(n, links)
	if err != nil {
		t.Fatal(err)
	}
	net.Wires = []medium.Wire{{A: medium.End{Mote: 0}, B: medium.End{Mote: 2}, Framing: medium.HDLC}}
	k := kindOf(t, app, b)
	const s = world.Second
	cfg := &world.Config{Net: net, Drift: 30, Stagger: 500_000}
	for i := range n {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i), Drift: int32(10 * i), BootFrom: uint64(i) * 10 * ms,
			BootUntil: uint64(i) * 30 * ms})
	}
	cfg.Motes[3].Vars = []world.Variable{{Path: "TOS_NODE_ID", Value: 3}}
	cfg.Events = []world.Event{
		{At: 1*s + 1, Mote: 1, Kind: world.PowerCycle},
		{At: 2 * s, Mote: 3, Kind: world.PowerOff},
		{At: 2500*ms + 77, Mote: 3, Kind: world.PowerOn},
		{At: 3 * s, Mote: 2, Kind: world.SetVar, Var: world.Variable{Path: "TOS_NODE_ID", Value: 2}},
		{At: 4 * s, Mote: 4, Kind: world.PowerOff},
		{At: 4 * s, Mote: 4, Kind: world.PowerOn},
	}
	cfg.Resets = []world.Reset{{Mote: 0, At: 1500 * ms}}
	cfg.Faults = []world.Fault{
		fault(world.Lose, 3, world.Everyone), fault(world.Duplicate, 4, world.Everyone), fault(world.Corrupt, 3, world.Everyone),
		fault(world.Reboot, 3, world.Everyone), fault(world.Outage, 2, world.Everyone), fault(world.LateBoot, 1, world.Everyone),
		{Kind: world.Lose, Max: 50, Mote: world.Everyone, From: 0, To: 1, Wire: world.None, After: s},
		{Kind: world.Lose, Max: 2, Mote: world.Everyone, From: world.None, To: world.None, Wire: 0},
		fault(world.Reboot, 2, 2),
	}
	cfg.Faults[4].Span = 300 * ms
	cfg.Faults[5].Span = 200 * ms
	return newWorld(t, cfg, wild{7})
}

// However a troubled run is cut into pieces, cloned and put back, and however far motes run ahead, it is the same run, and
// no budget is overdrawn. All of them are used that can be: only collect uses its wire, and there may be nothing left for
// mote 2 to decide.
func TestTroubleIsDeterministic(t *testing.T) {
	for _, c := range [][2]string{{"counter", "micaz"}, {"counter", "mica2"}, {"collect", "micaz"}, {"relay", "mica2"}} {
		t.Run(c[0]+" "+c[1], func(t *testing.T) {
			t.Parallel()
			const end = 6 * world.Second
			straight := troubled(t, c[0], c[1])
			straight.RunUntil(end)
			want := straight.Hash()
			for f, x := range straight.Config().Faults {
				mayRest := x.Wire != world.None && c[0] != "collect" || x.Mote == 2
				if n := straight.Used(f); n > x.Max || n == 0 && !mayRest {
					t.Errorf("fault %d (%s) happened %d times, its budget is %d", f, x.Kind, n, x.Max)
				}
			}
			for name, stride := range map[string]func(uint64) uint64{
				"small":   func(uint64) uint64 { return 2 * world.Microsecond },
				"varying": func(now uint64) uint64 { return now%911*world.Microsecond/3 + 1000 },
			} {
				w := troubled(t, c[0], c[1])
				w.SetStride(stride)
				w.RunUntil(end)
				if got := w.Hash(); got != want {
					t.Errorf("%s strides: hash %v, not %v", name, got, want)
				}
			}
			rng := rand.New(rand.NewPCG(3, 4))
			w := troubled(t, c[0], c[1])
			other := w.Clone()
			other.RunUntil(world.Second)
			for at := uint64(0); at < end; {
				at = min(end, at+rng.Uint64N(30*world.Millisecond))
				w.RunUntil(at)
				switch rng.IntN(3) {
				case 0:
					other.CopyFrom(w)
					w, other = other, w
				case 1:
					c := w.Clone()
					if c.Hash() != w.Hash() {
						t.Fatalf("at %d ps the clone's hash differs", at)
					}
					w = c
				}
			}
			if got := w.Hash(); got != want {
				t.Errorf("in pieces: hash %v, not %v", got, want)
			}
		})
	}
}

// Left to nature, nothing happens that is only permitted.
func TestNatureTakesNoFaults(t *testing.T) {
	net, err := medium.New(3, medium.Line(3, -60, 0))
	if err != nil {
		t.Fatal(err)
	}
	k := kindOf(t, "counter", "micaz")
	cfg := &world.Config{Net: net}
	for i := range 3 {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i)})
	}
	for kind := world.Lose; kind <= world.LateBoot; kind++ {
		f := fault(kind, 100, world.Everyone)
		f.Span = world.Second
		cfg.Faults = append(cfg.Faults, f)
	}
	w := newWorld(t, cfg, world.Natural{Seed: 5})
	asked := map[world.ChoiceKind]int{}
	w.Observe(world.Observer{Choice: func(c world.Choice, answer uint32) {
		asked[c.Kind]++
		if answer != 0 && c.Kind != world.ChoiceNoise {
			t.Errorf("%v answered %d", c, answer)
		}
	}})
	w.RunUntil(5 * world.Second)
	for f := range cfg.Faults {
		if w.Used(f) != 0 {
			t.Errorf("%s happened", cfg.Faults[f].Kind)
		}
	}
	// A line of three: four receptions for each round; each is a decision point, and so is each transmission.
	if asked[world.ChoiceReception] < 40 || asked[world.ChoiceFault] < asked[world.ChoiceReception]*3/2 {
		t.Errorf("asked %v", asked)
	}
}

// A budget lasts as long as it lasts, in its window; an answer that is not allowed any more is left to nature.
func TestBudgets(t *testing.T) {
	net, err := medium.New(2, medium.Full(2, -60, 0))
	if err != nil {
		t.Fatal(err)
	}
	k := kindOf(t, "counter", "micaz")
	lose := fault(world.Lose, 2, 1)
	lose.After, lose.Until = world.Second, 4*world.Second
	outage := fault(world.Outage, 1, 1)
	outage.After, outage.Span = 5*world.Second, 2*world.Second
	cfg := &world.Config{Net: net, Faults: []world.Fault{lose, outage},
		Motes: []world.MoteConfig{{Kind: k, BootFrom: 100 * ms}, {Kind: k, ID: 1}}}
	fixed := world.Fixed{Else: world.Natural{}}
	for n := range uint32(100) {
		fixed.Answers = append(fixed.Answers, world.Answer{Kind: world.ChoiceReception, Mote: 1, Number: n, Answer: uint32(reception.Lost)},
			world.Answer{Kind: world.ChoiceFault, Mote: 1, Number: n, Answer: world.FaultOutage})
	}
	w := newWorld(t, cfg, fixed)
	var lost, offered int
	w.Observe(world.Observer{Choice: func(c world.Choice, answer uint32) {
		if c.Kind == world.ChoiceReception && c.Mote == 1 {
			if c.Allows(uint32(reception.Lost)) {
				offered++
			}
			if answer == uint32(reception.Lost) {
				lost++
			}
		}
	}})
	w.RunUntil(5 * world.Second)
	if lost != 2 || offered != 2 || w.Used(0) != 2 || !w.Alive(1) {
		t.Errorf("%d frames lost, %d times offered, %d used; alive %v", lost, offered, w.Used(0), w.Alive(1))
	}
	sent := number(t, w.Motes()[0], "CounterC__sent")
	if heard := number(t, w.Motes()[1], "CounterC__heard"); heard != sent-2 {
		t.Errorf("%d sent, %d heard", sent, heard)
	}
	w.RunUntil(6 * world.Second)
	if w.Alive(1) || w.Used(1) != 1 {
		t.Errorf("alive %v, outages %d", w.Alive(1), w.Used(1))
	}
	w.RunUntil(8 * world.Second)
	if !w.Alive(1) || number(t, w.Motes()[1], "CounterC__sent") > 5 {
		t.Errorf("alive %v after its outage, and sent %d", w.Alive(1), number(t, w.Motes()[1], "CounterC__sent"))
	}
}
