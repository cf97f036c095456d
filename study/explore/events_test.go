package explore_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/cases"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/verdict"
	"motehound/world"
)

// titles are the events of a mote that are enabled.
func titles(s *explore.System, mote int16) []string {
	var list []string
	for _, e := range s.Enabled(nil) {
		if e.Mote == mote {
			list = append(list, s.Title(e))
		}
	}
	return list
}

// can tells whether a mote can do something.
func can(s *explore.System, mote int16, title string) bool {
	return slices.Contains(titles(s, mote), title)
}

// do fires the event of a mote that has this title.
func do(t *testing.T, s *explore.System, mote int16, title string) check.Step {
	t.Helper()
	for _, e := range s.Enabled(nil) {
		if e.Mote == mote && s.Title(e) == title {
			step, err := s.Fire(e)
			if err != nil {
				t.Fatal(err)
			}
			return step
		}
	}
	t.Fatalf("mote %d cannot %q, only %q", mote, title, titles(s, mote))
	return check.Step{}
}

// naturally fires the events of some motes in their natural order until something holds.
func naturally(t *testing.T, s *explore.System, motes []int16, until func() bool) int {
	t.Helper()
	for k := range 20_000 {
		if until() {
			return k
		}
		var best check.Event
		found := false
		for _, e := range s.Enabled(nil) {
			switch {
			case !slices.Contains(motes, e.Mote) || e.Class == check.Fault || e.Class == check.Input || e.Option != 0:
			case !found || e.Mote != best.Mote && s.Due(e) < s.Due(best) || e.Mote == best.Mote && s.Due(e) <= s.Due(best):
				best, found = e, true
			}
		}
		if !found {
			t.Fatal("nothing can happen any more")
		}
		if _, err := s.Fire(best); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("it does not come to hold")
	return 0
}

// holds tells whether a goal does.
func holds(t *testing.T, s *explore.System, goal string) bool {
	t.Helper()
	for i, g := range s.Goals() {
		if g.Property == goal {
			return s.Live(nil)[i]
		}
	}
	t.Fatalf("there is no goal %q", goal)
	return false
}

const counters = `
network(motes = [mote(id = i, board = "micaz", firmware = "../elf/counter-micaz.elf") for i in range(2)], links = full(2), faults = FAULTS)
run(time = "10s", seed = 1)
eventually("0 has counted", lambda net: net[0].var("CounterC__counter") > 2)
eventually("1 has heard", lambda net: net[1].var("CounterC__heard") > 0)
eventually("1 is up to date", lambda net: net[1].var("CounterC__lastHeard") == net[0].var("CounterC__counter"))
eventually("0 is told", lambda net: net[0].var("CounterC__counter") >= 1000)
`

func counting(t *testing.T, faults, also string) *explore.System {
	t.Helper()
	return written(t, "micaz", strings.Replace(counters, "FAULTS", faults, 1)+also)
}

var bothMotes = []int16{0, 1}

// A frame that was sent arrives when that is chosen, or is lost, as often as the scenario allows.
func TestFrames(t *testing.T) {
	s := counting(t, "[lose(max = 1)]", "")
	arrives, goes := "frame from mote 0", "frame from mote 0, which is lost"
	naturally(t, s, bothMotes, func() bool { return holds(t, s, "0 has counted") && !can(s, 1, arrives) })
	naturally(t, s, []int16{0}, func() bool { return can(s, 1, arrives) })
	if !can(s, 1, goes) {
		t.Fatalf("the frame cannot be lost: %q", titles(s, 1))
	}
	do(t, s, 1, goes)
	if can(s, 1, arrives) {
		t.Error("a frame that was lost can still arrive")
	}
	naturally(t, s, []int16{0}, func() bool { return can(s, 1, arrives) })
	if can(s, 1, goes) {
		t.Error("a second frame can be lost")
	}
	if holds(t, s, "1 is up to date") {
		t.Error("mote 1 has heard a frame that has not arrived")
	}
	do(t, s, 1, arrives)
	naturally(t, s, []int16{1}, func() bool { return holds(t, s, "1 is up to date") })
}

// In the natural order, acknowledgements reach their sender while it waits for them: its radio has turned to receive by then.
func TestAcknowledgements(t *testing.T) {
	s := written(t, "micaz", `
network(motes = [mote(id = i, board = "micaz", firmware = "../elf/orphan_fixed-micaz.elf") for i in range(2)], links = full(2))
run(time = "10s", seed = 1)
eventually("1 has reported", lambda net: net[1].var("OrphanC__reported") >= 20)
eventually("something was not acknowledged", lambda net: net[1].var("CC2420TransmitP__counts").notAcked > 0)
`)
	naturally(t, s, bothMotes, func() bool {
		if holds(t, s, "something was not acknowledged") {
			t.Fatal("a report was not acknowledged")
		}
		return holds(t, s, "1 has reported")
	})
}

// A mote that reboots forgets what it had in memory, as often as the scenario allows.
func TestReboot(t *testing.T) {
	s := counting(t, "[reboot(mote = 0, max = 1)]", "")
	naturally(t, s, bothMotes, func() bool { return holds(t, s, "0 has counted") })
	if can(s, 1, "reboot") {
		t.Error("mote 1 can reboot")
	}
	do(t, s, 0, "reboot")
	if holds(t, s, "0 has counted") {
		t.Error("mote 0 still knows what it had counted")
	}
	if can(s, 0, "reboot") {
		t.Error("mote 0 can reboot again")
	}
	naturally(t, s, bothMotes, func() bool { return holds(t, s, "0 has counted") })
}

// A mote without power does nothing, and gets it back when the time is over by another mote's clock.
func TestOutage(t *testing.T) {
	s := counting(t, `[outage(mote = 0, length = "2s")]`, "")
	naturally(t, s, bothMotes, func() bool { return holds(t, s, "0 has counted") })
	do(t, s, 0, "power fails")
	before := s.Clock(1)
	for can(s, 0, "power comes back") == false {
		if list := titles(s, 0); len(list) > 0 {
			t.Fatalf("without power mote 0 can %q", list)
		}
		naturally(t, s, []int16{1}, new(once).more)
	}
	if passed := s.Clock(1) - before; passed < 2e12 || passed > 4e12 {
		t.Errorf("power comes back after %d ms", passed/1e9)
	}
	do(t, s, 0, "power comes back")
	if holds(t, s, "0 has counted") {
		t.Error("mote 0 still knows what it had counted")
	}
	naturally(t, s, bothMotes, func() bool { return holds(t, s, "0 has counted") })
	if can(s, 0, "power fails") {
		t.Error("power can fail again")
	}
}

// once holds the second time that it is asked.
type once struct{ asked bool }

func (o *once) more() bool {
	before := o.asked
	o.asked = true
	return before
}

// Healing gives power back and ends faults for good.
func TestHeal(t *testing.T) {
	s := counting(t, "[outage(mote = 0), lose(max = 5)]", "")
	naturally(t, s, []int16{1}, func() bool { return can(s, 0, "frame from mote 1") })
	do(t, s, 0, "power fails")
	naturally(t, s, []int16{1}, func() bool { return s.Clock(1) > 5e12 })
	if can(s, 0, "power comes back") {
		t.Error("an outage for good ends")
	}
	s.Heal()
	naturally(t, s, bothMotes, func() bool { return holds(t, s, "0 has counted") })
	for _, e := range s.Enabled(nil) {
		if e.Class == check.Fault || e.Option != 0 {
			t.Errorf("%s is still possible", s.Describe(e))
		}
	}
}

// What a scenario has happen comes in its order, whenever that is chosen.
func TestScripted(t *testing.T) {
	s := counting(t, "[]", `
set_var(mote = 0, path = "CounterC__counter", value = 2000, at = "5s")
reboot_at(0, "7s")
`)
	const event = "event of the scenario"
	if can(s, 1, event) {
		t.Error("mote 1 has an event")
	}
	do(t, s, 0, event)
	if !holds(t, s, "0 is told") {
		t.Error("the variable was not set")
	}
	do(t, s, 0, event)
	if holds(t, s, "0 is told") {
		t.Error("it has not rebooted")
	}
	if can(s, 0, event) {
		t.Error("there is a third event")
	}
}

// The bytes of serial input come one by one, in order, between whatever else the mote does.
func TestSerial(t *testing.T) {
	s := written(t, "micaz", `
network(motes = [mote(id = 0, board = "micaz", firmware = "../elf/serialbuf_fixed-micaz.elf")])
run(time = "10s", seed = 1)
packet = tinyos_packet(am = 9, payload = [0, 1])
serial(mote = 0, at = "1s", data = packet)
eventually("received", lambda net: net[0].var("SerialbufC__received") == 1)
`)
	const char = "serial byte"
	bytes := 0
	for ; can(s, 0, char); bytes++ {
		if holds(t, s, "received") {
			t.Fatalf("a frame was received after %d bytes", bytes)
		}
		do(t, s, 0, char)
	}
	if bytes < 10 {
		t.Errorf("there were only %d bytes", bytes)
	}
	naturally(t, s, []int16{0}, func() bool { return holds(t, s, "received") })
}

// Characters on a wire keep their order, and come when that is chosen.
func TestWire(t *testing.T) {
	s := written(t, "micaz", `
vars = {"LinkC__useRadio": False, "LinkC__useWire": True, "ClientC__requests": 1}
network(motes = [mote(id = i, board = "micaz", firmware = "../elf/tinytcp_fixed-micaz.elf", vars = vars) for i in [1, 2]])
wire(1, 2, framing = "slip")
run(time = "10s", seed = 1)
eventually("a page", lambda net: net[1].var("ClientC__pages") + net[2].var("ClientC__pages") > 0)
`)
	natural := 0
	naturally(t, s, bothMotes, func() bool {
		if strings.Contains(strings.Join(append(titles(s, 0), titles(s, 1)...), ";"), "character on wire") {
			natural++
		}
		return holds(t, s, "a page")
	})
	if natural < 40 {
		t.Errorf("a page came with only %d characters", natural)
	}
}

// tcp is two motes that talk over a wire, on which something may go wrong.
func tcp(t *testing.T, faults string) *explore.System {
	return written(t, "micaz", `
vars = {"LinkC__useRadio": False, "LinkC__useWire": True, "ClientC__requests": 1}
network(motes = [mote(id = i, board = "micaz", firmware = "../elf/tinytcp_fixed-micaz.elf", vars = vars) for i in [1, 2]])
wire(1, 2, framing = "slip", faults = `+faults+`)
run(time = "10s", seed = 1)
eventually("a page", lambda net: net[1].var("ClientC__pages") + net[2].var("ClientC__pages") > 0)
`)
}

// A frame on a wire can be lost, come twice or be damaged, as a whole: what is wrong is decided with its first character, and the
// characters that come are as many as that makes.
func TestWireFaults(t *testing.T) {
	const char = "character on wire 0"
	// count delivers the characters of the first frame that mote 1 gets, which the sender has sent all of, beginning with some event.
	count := func(first string) (events int, s *explore.System) {
		s = tcp(t, `[lose(max = 2), duplicate(), corrupt()]`)
		naturally(t, s, []int16{0}, func() bool {
			if can(s, 1, "frame on wire 0, which is lost") {
				return true
			}
			if can(s, 1, char) {
				do(t, s, 1, char) // delimiters before the frame
			}
			return false
		})
		for range 400 { // the whole of it
			naturally(t, s, []int16{0}, new(once).more)
		}
		do(t, s, 1, first)
		for events = 1; can(s, 1, char) && !can(s, 1, "frame on wire 0, which is lost"); events++ {
			do(t, s, 1, char)
		}
		return events, s
	}
	whole, _ := count(char) // with the delimiter before the next one
	if whole < 10 {
		t.Errorf("a frame has only %d characters", whole)
	}
	if n, _ := count("frame on wire 0, which is lost"); n != 2 {
		t.Errorf("a lost frame, and the delimiter before the next one, took %d events", n)
	}
	if n, s := count("frame on wire 0, which arrives twice"); n != whole-1 || can(s, 1, "frame on wire 0, which arrives twice") {
		t.Errorf("the first of two copies has %d characters, not %d, and then there can come %q", n, whole-1, titles(s, 1))
	}
	if n, s := count("frame on wire 0, which is corrupted"); n != whole || can(s, 1, "frame on wire 0, which is corrupted") {
		t.Errorf("a damaged frame has %d characters, not %d, and then there can come %q", n, whole, titles(s, 1))
	}
	for _, fault := range []string{"lose", "duplicate", "corrupt"} {
		s := tcp(t, "["+fault+"()]")
		if err := check.Audit(s, check.AuditOptions{Events: 150, Seed: 1}); err != nil {
			t.Errorf("%s: %v", fault, err)
		}
	}
}

// A frame can overtake the one before it, and a mote can boot late, but not when it has done something.
func TestReorderAndLateBoot(t *testing.T) {
	s := counting(t, `[reorder(), late_boot(mote = 1, by = "5s")]`, "")
	if !can(s, 1, "boots late") || can(s, 0, "boots late") {
		t.Fatalf("mote 1 can %q, mote 0 can %q", titles(s, 1), titles(s, 0))
	}
	late := s.Clone().(*explore.System)
	do(t, late, 1, "boots late")
	if list := titles(late, 1); len(list) > 0 {
		t.Errorf("before it boots mote 1 can %q", list)
	}
	naturally(t, late, []int16{0}, func() bool { return can(late, 1, "power comes back") })
	do(t, late, 1, "power comes back")
	naturally(t, late, bothMotes, func() bool { return holds(t, late, "1 has heard") })
	if can(late, 1, "boots late") {
		t.Error("mote 1 can boot late again")
	}
	const overtakes = "frame from mote 0, which overtakes the one before"
	naturally(t, s, bothMotes, func() bool { return holds(t, s, "1 has heard") })
	if can(s, 1, "boots late") || can(s, 1, overtakes) {
		t.Errorf("mote 1 can %q", titles(s, 1))
	}
	naturally(t, s, []int16{0}, func() bool { return can(s, 1, overtakes) })
	do(t, s, 1, overtakes)
	if !can(s, 1, "frame from mote 0") || can(s, 1, overtakes) {
		t.Errorf("behind the second frame mote 1 can %q", titles(s, 1))
	}
}

// Clones, copies and released systems in random order: each is in the state that it is said to be in.
func TestClonesInAnyOrder(t *testing.T) {
	base := stage(t, "dissem/dissem.star", "micaz", "_fixed", 2)
	type snap struct {
		sys  check.System
		hash [2]uint64
		next []check.Event
	}
	take := func(s check.System) snap {
		c := s.Clone()
		return snap{c, s.Hash(), s.Enabled(nil)}
	}
	r := rand.New(rand.NewPCG(1, 2))
	all := []snap{take(base)}
	for k := range 3000 {
		i := r.IntN(len(all))
		x := &all[i]
		switch r.IntN(5) {
		case 0:
			if len(all) < 20 {
				all = append(all, take(x.sys))
			}
		case 1:
			if len(all) > 1 {
				x.sys.Release()
				all = slices.Delete(all, i, i+1)
			}
		case 2:
			from := &all[r.IntN(len(all))]
			x.sys.CopyFrom(from.sys)
			x.hash, x.next = from.hash, from.next
		default:
			c := x.sys.Clone() // what it does is the same in a clone of its own
			e := x.next[r.IntN(len(x.next))]
			if _, err := x.sys.Fire(e); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Fire(e); err != nil {
				t.Fatal(err)
			}
			x.hash, x.next = c.Hash(), c.Enabled(nil)
			c.Release()
		}
		j := r.IntN(len(all))
		if y := &all[j]; y.sys.Hash() != y.hash || !slices.Equal(y.sys.Enabled(nil), y.next) {
			t.Fatalf("after %d operations a system is not in its state", k)
		}
	}
}

// Motes whose radio hands over bytes are explored too.
func TestMica2(t *testing.T) {
	s := written(t, "mica2", strings.ReplaceAll(strings.Replace(counters, "FAULTS", "[]", 1), "micaz", "mica2"))
	naturally(t, s, bothMotes, func() bool { return holds(t, s, "1 has heard") && holds(t, s, "0 has counted") })
	from := s.Clone()
	from.(check.Tracker).Track(true)
	if err := check.Audit(from, check.AuditOptions{Events: 60, Every: 3}); err != nil {
		t.Error(err)
	}
}

// An event that is not enabled is refused.
func TestNotEnabled(t *testing.T) {
	s := counting(t, "[]", "")
	for _, e := range []check.Event{{Mote: 2}, {Mote: -1}, {Class: check.Fault}, {Class: check.Frame, Source: 1}, {Class: check.Interrupt, Source: 60}} {
		if _, err := s.Clone().Fire(e); err == nil {
			t.Errorf("%v can be fired", e)
		}
	}
}

// What stops while it boots is found, although nothing can happen any more.
func TestStopsAtBoot(t *testing.T) {
	im, err := image.Parse("erased.hex", []byte(":020000000000FE\n:00000001FF\n")) // one NOP, then erased flash
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: k, ID: 1}}}
	s := watching(t, cfg)
	r, err := check.Run(s.Clone(), cases.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if r.Case().Verdict() != verdict.Violated || len(r.Findings) == 0 || len(r.Findings[0].Trace) != 1 || !r.Findings[0].Replayed {
		t.Errorf("%s: %v", r.Case().Verdict(), r.Findings)
	}
}

// While time passes, a main program has no chance to feed the watchdog. That this resets the mote is no finding.
func TestFed(t *testing.T) {
	s := watching(t, configOf(t, "fed"))
	o := cases.Defaults()
	o.Mode, o.Search.Depth = check.ModeSearch, 4
	r, err := check.Run(s, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Errorf("%s: %s", f.Property, f.Detail)
	}
}
