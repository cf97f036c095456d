package explore_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote/board"
	"motehound/mote/periph"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/finding"
	"motehound/world"
)

// racing is a program of the testdata folder, to which five characters come.
func racing(t *testing.T, name string, flags ...string) *explore.System {
	t.Helper()
	s, err := explore.New(configOf(t, name, flags...), explore.Options{Preempt: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func configOf(t *testing.T, name string, flags ...string) *world.Config {
	t.Helper()
	return configOn(t, &board.Uno, name, flags...)
}

func configOn(t *testing.T, b *board.Board, name string, flags ...string) *world.Config {
	t.Helper()
	elf := filepath.Join(t.TempDir(), name+".elf")
	args := append([]string{"-mmcu=" + b.Chip.Name, "-Os", "-gdwarf-4", "-o", elf, filepath.Join("testdata", name+".c")}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
	}
	im, err := image.Load(elf)
	if err != nil {
		t.Fatal(err)
	}
	return &world.Config{Motes: []world.MoteConfig{{Kind: testkit.On(t, b, im)}}, Serial: []world.Serial{{Bytes: []byte("hello")}}}
}

// buggy is the line of a program that is marked.
func buggy(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".c"))
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := bytes.Cut(text, []byte("// BUG"))
	if !ok {
		t.Fatalf("%s.c marks no bug", name)
	}
	return 1 + bytes.Count(before, []byte("\n"))
}

// Each kind of race is found and named, at its variable and line, within two events; with interrupts off there is none in six, with MOTEHOUND_LONG=1 in ten.
func TestRaces(t *testing.T) {
	depth := 6
	if need.Long() {
		depth = 10
	}
	for name, want := range map[string]string{
		"ring": "race: lost update of count", "tick": "race: torn read of ticks", "pair": "race: mixed snapshot of sample.check", "half": "race: torn write of limit",
		"bits": "race: lost update of status", "told": "race: torn read of ticks", "agree": "race: torn read of ticks",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, optimise := range []string{"-Os", "-O2", "-O1"} {
				r, err := check.Search(racing(t, name, optimise), check.SearchOptions{Depth: 2, Deepen: true, Reduce: check.Dynamic})
				if err != nil {
					t.Fatal(err)
				}
				place := fmt.Sprintf("%s.c:%d", name, buggy(t, name))
				if len(r.Findings) != 1 || r.Findings[0].Property != want || !strings.HasSuffix(fmt.Sprintf("%s:%d", r.Findings[0].File, r.Findings[0].Line), place) {
					t.Errorf("%s: %+v, not %s at %s", optimise, r.Findings, want, place)
				}
				r, err = check.Search(racing(t, name, optimise, "-DFIXED"), check.SearchOptions{Depth: depth, Reduce: check.Dynamic})
				if err != nil || len(r.Findings) > 0 || !r.Complete {
					t.Errorf("%s, fixed: %+v, %v", optimise, r, err)
				}
			}
		})
	}
}

// Two that append to a list at once lose one of the two, though the number that tells where the list ends is right for one of them.
func TestListRace(t *testing.T) {
	t.Parallel()
	for _, optimise := range []string{"-Os", "-O1"} {
		r, err := check.Search(racing(t, "list", optimise), check.SearchOptions{Depth: 8, Deepen: true, Reduce: check.Dynamic})
		if err != nil {
			t.Fatal(err)
		}
		lost := func(f *check.Finding) bool {
			return (f.Property == "race: lost update of head" || f.Property == "race: lost update of tail") && strings.HasPrefix(f.Detail, "next is [")
		}
		if !slices.ContainsFunc(r.Findings, lost) {
			t.Errorf("%s: %+v", optimise, r.Findings)
		}
		r, err = check.Search(racing(t, "list", optimise, "-DFIXED"), check.SearchOptions{Depth: 8, Reduce: check.Dynamic})
		if err != nil || len(r.Findings) > 0 || !r.Complete {
			t.Errorf("%s, fixed: %+v, %v", optimise, r, err)
		}
	}
}

// Two that take something at once both have it, and neither waits for it, though whoever came first would be right.
func TestArbiterRace(t *testing.T) {
	t.Parallel()
	for _, optimise := range []string{"-Os", "-O1"} {
		r, err := check.Search(racing(t, "arbiter", optimise), check.SearchOptions{Depth: 4, Deepen: true, Reduce: check.Dynamic})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 || r.Findings[0].Property != "race: lost update of taken" || r.Findings[0].Line != buggy(t, "arbiter") || !strings.HasPrefix(r.Findings[0].Detail, "waits is ") {
			t.Errorf("%s: %+v", optimise, r.Findings)
		}
		r, err = check.Search(racing(t, "arbiter", optimise, "-DFIXED"), check.SearchOptions{Depth: 8, Reduce: check.Dynamic})
		if err != nil || len(r.Findings) > 0 || !r.Complete {
			t.Errorf("%s, fixed: %+v, %v", optimise, r, err)
		}
	}
}

// Who lets go of something, since nobody waits for it, and who waits for it meanwhile, since it is taken, have both looked too early. It does no harm if somebody looks again.
func TestStaleCheck(t *testing.T) {
	t.Parallel()
	for _, optimise := range []string{"-Os", "-O1"} {
		r, err := check.Search(racing(t, "release", optimise), check.SearchOptions{Depth: 4, Deepen: true, Reduce: check.Dynamic})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 || r.Findings[0].Property != "race: stale check of waits" || r.Findings[0].Line != buggy(t, "release") || !strings.HasPrefix(r.Findings[0].Detail, "taken is 0, would be 2") {
			t.Errorf("%s: %+v", optimise, r.Findings)
		}
		for _, fixed := range []string{"-DFIXED", "-DAGAIN"} {
			r, err = check.Search(racing(t, "release", optimise, fixed), check.SearchOptions{Depth: 8, Reduce: check.Dynamic})
			if err != nil || len(r.Findings) > 0 || !r.Complete {
				t.Errorf("%s, %s: %+v, %v", optimise, fixed, r, err)
			}
		}
	}
}

// A clock that was torn has wrong upper bytes; the lower ones depend on the time, and say nothing.
func TestClockRace(t *testing.T) {
	t.Parallel()
	for _, optimise := range []string{"-Os", "-O2", "-O1"} {
		r, err := check.Search(racing(t, "clock", optimise), check.SearchOptions{Depth: 4, Deepen: true, Reduce: check.Dynamic})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 || r.Findings[0].Property != "race: torn read of upper" || r.Findings[0].Line != buggy(t, "clock") || !strings.HasPrefix(r.Findings[0].Detail, "now is 33488") {
			t.Errorf("%s: %+v", optimise, r.Findings)
		}
		r, err = check.Search(racing(t, "clock", optimise, "-DFIXED"), check.SearchOptions{Depth: 6, Reduce: check.Dynamic})
		if err != nil || len(r.Findings) > 0 || !r.Complete {
			t.Errorf("%s, fixed: %+v, %v", optimise, r, err)
		}
	}
}

// How fast a program gets on says nothing about what is atomic: how many characters have left when it looks, or whether there is room for more.
func TestPaceIsNoRace(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"-Os", "-DCHARACTERS=6"}, {"-O2", "-DCHARACTERS=6"}, {"-Os", "-DCHARACTERS=12"}, {"-O2", "-DCHARACTERS=12"}} {
		r, err := check.Search(racing(t, "pace", flags...), check.SearchOptions{Depth: 3, Reduce: check.Dynamic})
		if err != nil || len(r.Findings) > 0 {
			t.Errorf("%s: %+v, %v", flags, r, err)
		}
	}
}

// A port loses what a handler has changed if the program reads and writes it back in several instructions, which one bit of a low port does not take.
func TestPortRaces(t *testing.T) {
	for _, c := range []struct {
		board *board.Board
		flags []string
		want  string // the register; "" for no race
	}{
		{&board.Uno, nil, "PORTB"},
		{&board.Uno, []string{"-DPINS=1"}, ""},
		{&board.Uno, []string{"-DFIXED"}, ""},
		{&board.MicaZ, []string{"-DPORT=PORTF", "-DPINS=1"}, "PORTF"},
		{&board.MicaZ, []string{"-DPORT=PORTF", "-DPINS=1", "-DFIXED"}, ""},
		{&board.MicaZ, []string{"-DPORT=PORTA", "-DPINS=1"}, ""},
		{&board.MicaZ, []string{"-DPORT=DDRF", "-DPINS=1"}, "DDRF"},
	} {
		t.Run(fmt.Sprint(c.board.Name, c.flags), func(t *testing.T) {
			t.Parallel()
			s, err := explore.New(configOn(t, c.board, "port", c.flags...), explore.Options{Preempt: 2})
			if err != nil {
				t.Fatal(err)
			}
			r, err := check.Search(s, check.SearchOptions{Depth: 6, Deepen: c.want != "", Reduce: check.Dynamic})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case c.want == "" && (len(r.Findings) > 0 || !r.Complete):
				t.Errorf("%+v", r)
			case c.want != "" && (len(r.Findings) == 0 || r.Findings[0].Property != "race: lost update of "+c.want || !strings.HasPrefix(r.Findings[0].Detail, c.want+" gets ")):
				t.Errorf("no lost update of %s: %+v", c.want, r.Findings)
			}
		})
	}
}

// What becomes of a wrong value: it is read, was stored already, is only counted on, or is written again first.
func TestUse(t *testing.T) {
	for _, x := range []struct{ name, flag, want string }{
		{"ring", "-Os", "read ring.c:24"}, {"tick", "-Os", "stored tick.c:26"}, {"pair", "-Os", "stored pair.c:25"}, {"half", "-Os", "stored half.c:9"},
		{"stat", "-Os", "unread .:0"}, {"stat", "-DRESET", "overwritten stat.c:19"}, {"told", "-Os", "sent told.c:29"}, {"told", "-DPORT", "sent told.c:27"}, {"port", "-Os", "sent port.c:32"},
		{"sensed", "-Os", "stored sensed.c:55"}, {"alarm", "-Os", "stored alarm.c:38"}, {"alarm", "-DPIN", "sent alarm.c:34"},
	} {
		t.Run(x.name+x.flag, func(t *testing.T) {
			t.Parallel()
			s := racing(t, x.name, x.flag)
			r, err := check.Search(s, check.SearchOptions{Depth: 10, Deepen: true, Reduce: check.Dynamic})
			if err != nil || len(r.Findings) == 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			f := r.Findings[0]
			at := s.Clone().(*explore.System)
			last := len(f.Trace) - 1
			for _, e := range f.Trace[:last] {
				if _, err := at.Fire(e); err != nil {
					t.Fatal(err)
				}
			}
			raced, err := at.Raced(f.Trace[last], func(v finding.Violation, _ string) bool { return v.Cause() == f.Cause() })
			if err != nil || raced == nil {
				t.Fatalf("%v, %v", raced, err)
			}
			use, err := raced.Use()
			if got := fmt.Sprintf("%s %s:%d", use.Fate, filepath.Base(use.At.File), use.At.Line); got != x.want || err != nil {
				t.Errorf("%s, not %s: %+v, %s, %v", got, x.want, use, f.Detail, err)
			}
		})
	}
}

// Races of a benign variable are not told, only that there are some. Others are. A name that no firmware has is an error.
func TestBenign(t *testing.T) {
	for _, x := range []struct{ name, benign, found, spared string }{
		{"ring", "count", "[]", "[count]"}, {"ring", "last", "[race: lost update of count]", "[]"}, {"pair", "sample", "[]", "[sample]"},
		{"pair", "sample.value", "[]", "[sample.value]"}, {"tick", "last", "[race: torn read of ticks]", "[]"},
	} {
		s, err := explore.New(configOf(t, x.name), explore.Options{Preempt: 2, Benign: []string{x.benign}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := check.Search(s, check.SearchOptions{Depth: 6, Reduce: check.Dynamic})
		if err != nil {
			t.Fatal(err)
		}
		found := []string{}
		for _, f := range r.Findings {
			found = append(found, f.Property)
		}
		if fmt.Sprint(found) != x.found || fmt.Sprint(s.Spared()) != x.spared {
			t.Errorf("%s, %s is benign: %v and %v, not %s and %s", x.name, x.benign, found, s.Spared(), x.found, x.spared)
		}
	}
	_, err := explore.New(configOf(t, "ring"), explore.Options{Benign: []string{"counts"}})
	if err == nil || !strings.Contains(err.Error(), "did you mean count?") {
		t.Errorf("a variable that is nowhere: %v", err)
	}
}

// What handlers leave on the stack is nobody's value. And who empties a ring, between two things that are put there, finds one.
func TestRubbish(t *testing.T) {
	t.Parallel()
	for _, optimise := range [][]string{{"-Os"}, {"-O2"}, {"-Os", "-DALL"}, {"-O2", "-DALL"}} {
		r, err := check.Search(racing(t, "rubbish", optimise...), check.SearchOptions{Depth: 5, Reduce: check.Dynamic})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) > 0 || r.States < 100 {
			t.Errorf("%s: %d states, %v", optimise, r.States, details(r.Findings))
		}
	}
}

func details(list []*check.Finding) (all []string) {
	for _, f := range list {
		all = append(all, f.Property+": "+f.Detail)
	}
	return all
}

// whilePressed searches a program while a pin is made low and high in turn, so often.
func whilePressed(t *testing.T, name string, pin periph.Pin, times, depth int, flags ...string) *check.SearchResult {
	t.Helper()
	cfg := configOf(t, name, flags...)
	cfg.Serial = nil
	for n := range times {
		drive := []periph.Drive{periph.DriveLow, periph.DriveHigh}[n%2]
		cfg.Events = append(cfg.Events, world.Event{At: uint64(n + 1), Kind: world.SetPin, Pin: pin, Drive: drive})
	}
	s, err := explore.New(cfg, explore.Options{Preempt: 2})
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.Search(s, check.SearchOptions{Depth: depth, Deepen: true, Reduce: check.Dynamic})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A bit that a handler sets while the main program clears another one is lost, and nobody does what it asks for, though no variable shows it. The pin changes at any moment:
// that is no order which hardware does not produce.
func TestUnheeded(t *testing.T) {
	t.Parallel()
	search := func(depth int, flags ...string) *check.SearchResult {
		t.Helper()
		return whilePressed(t, "wanted", periph.P('D', 4), 1, depth, flags...)
	}
	for _, optimise := range []string{"-Os", "-O1"} {
		r := search(3, optimise)
		if len(r.Findings) != 1 || r.Findings[0].Property != "race: lost update of wanted" || r.Findings[0].Line != buggy(t, "wanted") || !strings.Contains(r.Findings[0].Detail, "wanted is 0, would be 2") || r.Findings[0].Strain != 0 {
			t.Errorf("%s: %+v", optimise, r.Findings)
		}
		if r := search(6, optimise, "-DFIXED"); len(r.Findings) > 0 || !r.Complete {
			t.Errorf("%s, fixed: %+v", optimise, r)
		}
	}
}

// A round that the interrupt prolongs, since what it wants done is done at once, is compared where it ends without.
func TestProlonged(t *testing.T) {
	t.Parallel()
	search := func(depth int, flags ...string) *check.SearchResult {
		t.Helper()
		return whilePressed(t, "gate", periph.P('D', 2), 5, depth, flags...)
	}
	torn := func(f *check.Finding) bool {
		return f.Property == "race: mixed snapshot of gate.passed" && f.Line == buggy(t, "gate") && strings.Contains(f.Detail, "gate is {open = 0, passed = 1, since = 0}")
	}
	for _, optimise := range []string{"-Os", "-O2"} {
		if r := search(9, optimise); !slices.ContainsFunc(r.Findings, torn) {
			t.Errorf("%s: %+v", optimise, r.Findings)
		}
		if r := search(9, optimise, "-DFIXED"); len(r.Findings) > 0 || !r.Complete {
			t.Errorf("%s, fixed: %+v", optimise, r)
		}
	}
}

// A handler that comes first wakes a program that has interrupts off where it wakes: the other handler comes when the program sleeps again, and what it leaves then is named, too.
func TestWoken(t *testing.T) {
	t.Parallel()
	r, err := check.Search(racing(t, "woken"), check.SearchOptions{Depth: 2, Reduce: check.Dynamic})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Findings, func(f *check.Finding) bool { return strings.Contains(f.Detail, "busy is 255, would be 0 or 1") }) {
		t.Errorf("%q", details(r.Findings))
	}
}

// Elements of an array that decide about one pin each need not belong together. A number that is made of them does.
func TestPinwise(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"-DPINS", "-DNUMBER"} {
		r, err := check.Search(racing(t, "lamp", flag), check.SearchOptions{Depth: 4, Reduce: check.Dynamic})
		if err != nil {
			t.Fatal(err)
		}
		if found := slices.ContainsFunc(r.Findings, func(f *check.Finding) bool {
			return f.Property == "race: mixed snapshot of bright" && f.Line == buggy(t, "lamp")
		}); found != (flag == "-DNUMBER") || flag == "-DPINS" && len(r.Findings) > 0 {
			t.Errorf("%s: %q", flag, details(r.Findings))
		}
	}
}

// Who moves the head of a ring before it has stored what is there has a handler take what was there before.
func TestAhead(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"-DBUGGY", "-DFIXED", "-DALWAYS"} {
		for _, optimise := range []string{"-Os", "-O1"} {
			r, err := check.Search(racing(t, "ahead", flag, optimise), check.SearchOptions{Depth: 4, Reduce: check.Dynamic})
			if err != nil {
				t.Fatal(err)
			}
			switch flag {
			case "-DBUGGY":
				if len(r.Findings) == 0 || r.Findings[0].Property != "race: early read of ring" || r.Findings[0].Line != buggy(t, "ahead") || !strings.HasPrefix(r.Findings[0].Detail, "left is 0, would be ") {
					t.Errorf("%s: %q", optimise, details(r.Findings))
				}
			default:
				if len(r.Findings) > 0 || !r.Complete {
					t.Errorf("%s %s: %+v", flag, optimise, r)
				}
			}
		}
	}
}

// Who looks whether there is something to do, and then sleeps, misses what comes in between, unless a timer wakes the mote.
func TestMissed(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"-DBUGGY", "-DFIXED", "-DTICKS"} {
		r, err := check.Search(racing(t, "nap", flag), check.SearchOptions{Depth: 5, Reduce: check.Dynamic})
		if err != nil {
			t.Fatal(err)
		}
		if flag == "-DBUGGY" {
			if len(r.Findings) != 1 || r.Findings[0].Property != "race: missed wake-up of come" || r.Findings[0].Line != buggy(t, "nap") {
				t.Errorf("%+v", r.Findings)
			}
		} else if len(r.Findings) > 0 || !r.Complete {
			t.Errorf("%s: %+v", flag, r)
		}
	}
}
