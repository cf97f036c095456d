package scenario_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"motehound/examples"
	"motehound/world"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// open finds example firmware; "relay.elf" is that for a MicaZ.
func open(name string) ([]byte, error) {
	app, boardName, named := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".elf"), "-")
	if !named {
		boardName = "micaz"
	}
	f, ok := examples.Find(app, boardName)
	if !ok {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
	}
	return f.ELF(), nil
}

func load(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.LoadFS(fstest.MapFS{"a.star": {Data: []byte(text)}}, "a.star", scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func build(t *testing.T, s *scenario.Scenario) (*recipe.Recipe, *world.World) {
	t.Helper()
	r, err := s.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.World(r, open)
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// replayed runs a finished recipe again, from its file.
func replayed(t *testing.T, r *recipe.Recipe) *world.World {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recipe.json")
	if err := r.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := recipe.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := again.World(open)
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(again.Until)
	if got := w.Hash().String(); got != r.Hash {
		t.Errorf("replayed to %s, not %s", got, r.Hash)
	}
	return w
}

// The first example of the reference runs, and its run is replayed from the recipe.
func TestRunDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	s := load(t, regexp.MustCompile("(?s)```python\n(.*?)```").FindStringSubmatch(string(text))[1])
	r, w := build(t, s)
	if r.Until != 60*world.Second || r.Seed != 7 || len(r.Faults) != 3 || len(r.Sensors) != 1024 || len(r.Links) != 4 {
		t.Errorf("%d ps, seed %d, %d faults, %d sensor readings, %d links", r.Until, r.Seed, len(r.Faults), len(r.Sensors), len(r.Links))
	}
	if len(r.Scenario) != 1 || r.Scenario[0] != recipe.SourceOf("a.star", s.Sources[0].Data) {
		t.Errorf("sources %v", r.Scenario)
	}
	w.RunUntil(r.Until)
	r.Finish(w)
	if n := w.FramesReceived(0); n < 50 {
		t.Errorf("mote 0 received %d frames in a minute", n)
	}
	replayed(t, r)
}

const everything = `
counter = "fw/counter-%(board)s.elf"
def part(i):
    return mote(id = 10 + i, board = "%(board)s", firmware = counter, drift = 5 * i, boot = ("%%dms" %% (20 * i), "%%dms" %% (30 * i)))
special = mote(id = 9, board = "%(board)s", firmware = counter, boot = "100ms", vars = {"CounterC__sent": 1000})

network(
    motes = [part(i) for i in range(4)] + [special],
    links = [full(5), link(10, 11, loss = 0.2)],
    faults = [lose(max = 2), duplicate(link = (10, 12)), corrupt(mote = 11), reorder(), reboot(max = 1, mote = 12), late_boot(by = "5ms"),
              outage(mote = 13, length = "1s", after = "2s", until = "4s")],
    drift = 20, stagger = "1500us",
)
run(time = "6s", seed = 3)
wire(10, 11, framing = "slip", faults = [lose(max = 1)])
serial(mote = 12, at = "1s", data = slip([1, 2, 3]))
sensor(mote = 9, channel = 1, values = ramp(0, 1023, "5s"))
cut(10, 13, at = "1s")
heal(10, 13, at = "2s")
reboot_at(11, "2500ms")
set_var(mote = 12, path = "CounterC__heard", value = 5000, at = "3s")
at("3s", outage(mote = 13, length = "1s"), outage(mote = 10))
at("3500ms", outage(mote = 13, length = "1s"))

always("few are heard", each(lambda n: n["CounterC__heard"] < 5000))
always("ids", each(lambda n: n.time < ps("200ms") or n["TOS_NODE_ID"] in [0, n.id]))
eventually("13 is on", lambda net: net[13].alive, within = "1s")
eventually("13 is off", lambda net: not net[13].alive)
at_time("3750ms", "off", lambda net: not net[13].alive and not net[10].alive and net[9].alive)
at_time("4600ms", "on", lambda net: net[13].alive and not net[10].alive)
at_time("1500ms", "the cut", lambda net: net[10].hears(13) or net[13].hears(12) and not net[13].hears(10) and net[13].has_path_to(10))
at_time("100ms", "too early", each(lambda n: n.id == 9))
`

// A scenario with everything in it runs, is watched and replayed.
func TestRunEverything(t *testing.T) {
	for _, b := range []string{"micaz", "mica2"} {
		s := load(t, strings.NewReplacer("%(board)s", b, "%%", "%").Replace(everything))
		r, w := build(t, s)
		m := scenario.NewMonitor(s, w)
		if err := m.RunUntil(s.Time, world.Millisecond); err != nil {
			t.Fatal(err)
		}
		r.Finish(w)
		var got []string
		for _, v := range m.Violations() {
			got = append(got, v.Property)
			switch v.Property {
			case "few are heard":
				if v.Time < 3*world.Second || v.Time > 3001*world.Millisecond || len(v.Motes) != 1 || v.Motes[0] != 2 || v.Pos.Line == 0 || v.Count < 1000 {
					t.Errorf("%+v", v)
				}
			case "13 is on":
				if v.Time/world.Millisecond != 4000 || v.Count != 1 {
					t.Errorf("%+v", v)
				}
			}
		}
		if g := strings.Join(got, ", "); g != "too early, few are heard, 13 is on" {
			t.Errorf("%s: violated: %s", b, g)
		}
		if u := m.Unmet(); len(u) != 1 || u[0].Name != "13 is off" {
			t.Errorf("%s: unmet: %v", b, u)
		}
		again := replayed(t, r)
		if n, err := again.Motes()[4].Kind.Image.Lookup("CounterC__sent"); err != nil {
			t.Error(err)
		} else if v, _ := n.Read(again.Motes()[4].Memory()); v.Int() < 1010 || v.Int() > 1030 {
			t.Errorf("%s: mote 9 says it sent %d frames, want 1000 and some", b, v.Int())
		}
		for f := range again.Config().Faults {
			if again.Used(f) != 0 {
				t.Errorf("fault %d happened by itself", f)
			}
		}
		if left := s.LeftOut(true); len(left) != 0 {
			t.Errorf("left out: %q", left)
		}
	}
}

// Outages that overlap are one.
func TestOverlappingOutages(t *testing.T) {
	s := load(t, `
network(motes = [mote(board = "micaz", firmware = "blink-micaz.elf")])
at("1s", outage(mote = 0, length = "2s"))
at("2s", outage(mote = 0, length = "500ms"))
at("3s", outage(mote = 0, length = "1s"))
at("6s", outage(mote = 0, length = "1s"))
at("6500ms", outage(mote = 0))
`)
	r, err := s.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range r.Events {
		got = append(got, e.Kind)
	}
	if g := strings.Join(got, " "); g != "power_off power_on power_off" || r.Events[1].At != 4*world.Second {
		t.Errorf("%v", r.Events)
	}
}

// What a scenario names in firmware is an error with its place.
func TestRunErrors(t *testing.T) {
	for text, want := range map[string]string{
		`network(motes = [mote(board = "micaz", firmware = "blink-micaz.elf", vars = {"nobody": 1})])`: "a.star:1:",
		"network(motes = [mote(board = 'micaz', firmware = 'blink-micaz.elf')])\n" +
			"set_var(0, 'nobody', 1, at = '1s')": "a.star:2:",
		`network(motes = [mote(board = "micaz", firmware = "none.elf")])`: "none.elf",
	} {
		s := load(t, text)
		r, err := s.Recipe()
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.World(r, open)
		var placed *scenario.Error
		if !errors.As(err, &placed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
