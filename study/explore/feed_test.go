package explore_test

import (
	"path/filepath"
	"slices"
	"testing"

	"motehound/firmware/image"
	"motehound/internal/need"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/study/guide/input"
	"motehound/study/property"
	"motehound/world"
)

// alone is one mote with a firmware, all checks on.
func alone(t testing.TB, path, name string) *explore.System {
	t.Helper()
	im, err := image.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := board.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(b, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Motes: []world.MoteConfig{{Kind: k, ID: 1}}}
	return watching(t, cfg)
}

// watching explores motes with the built-in checks on.
func watching(t testing.TB, cfg *world.Config) *explore.System {
	t.Helper()
	plan, err := property.Prepare(cfg, nil, property.Options{Explore: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := explore.New(cfg, explore.Options{Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// open runs a mote in its natural order until one of its ports is open.
func open(t testing.TB, s *explore.System, k input.Kind) check.Port {
	t.Helper()
	for range 20_000 {
		ports := s.Open(nil)
		if i := slices.IndexFunc(ports, func(p check.Port) bool { return p.Kind == k }); i >= 0 && !due(s) {
			return ports[i]
		}
		if !next(t, s) {
			break
		}
	}
	t.Fatalf("%v is never open", k)
	return check.Port{}
}

// due tells whether something is to be done at once.
func due(s *explore.System) bool {
	return slices.ContainsFunc(s.Enabled(nil), func(e check.Event) bool { return e.Class <= check.Task && s.Due(e) <= s.Clock(0) })
}

// next fires what comes next in nature.
func next(t testing.TB, s *explore.System) bool {
	t.Helper()
	list := s.Enabled(nil)
	if len(list) == 0 {
		return false
	}
	first := slices.MinFunc(list, func(a, b check.Event) int { return int(int64(s.Due(a)) - int64(s.Due(b))) })
	step, err := s.Fire(first)
	if err != nil || len(step.Violations) > 0 {
		t.Fatal(err, step.Violations)
	}
	return true
}

// A frame that nobody has sent is heard by either radio, is known to clones, and is forgotten by those who ask for that.
func TestMadeFrame(t *testing.T) {
	t.Parallel()
	for _, board := range []string{"micaz", "mica2"} {
		s := alone(t, "../../examples/elf/counter-"+board+".elf", board)
		p := open(t, s, input.Air)
		if p.Raw != (board == "mica2") {
			t.Errorf("%s: raw %t", board, p.Raw)
		}
		in := check.MadeInput{Mote: p.Mote, Kind: p.Kind, Number: p.Number, Data: []byte{0x41, 0x88, 1, uint8(p.Network), uint8(p.Network >> 8), 0xFF, 0xFF, 7, 0, 1, 2, 3}}
		e := s.Feed(in)
		if got, ok := s.Content(e); !ok || !slices.Equal(got.Data, in.Data) {
			t.Errorf("%s: the event brings % x", board, got.Data)
		}
		c := s.Clone().(*explore.System)
		before := c.Hash()
		if _, err := c.Fire(e); err != nil {
			t.Fatal(err)
		}
		if c.Heard(0) != 1 || c.Hash() == before || s.Hash() != before {
			t.Errorf("%s: %d frames were heard", board, c.Heard(0))
		}
		if s.Drop(e); s.Fits(e) {
			t.Errorf("%s: a frame that was forgotten can come", board)
		}
	}
}

// Bytes come one at a time, when the one before was read.
func TestMadeBytes(t *testing.T) {
	t.Parallel()
	s := alone(t, "../../examples/elf/overrun-uno.elf", "uno")
	for n := range 17 {
		p := open(t, s, input.Serial)
		e := s.Feed(check.MadeInput{Mote: p.Mote, Kind: p.Kind, Number: p.Number, Data: []byte{17}})
		if again, err := check.ParseEvent(e.Text()); err != nil || again != e {
			t.Fatalf("%q is read as %v: %v", e.Text(), again, err)
		}
		if step, err := s.Fire(e); err != nil || len(step.Violations) > 0 {
			t.Fatalf("byte %d: %v %v", n, step.Violations, err)
		}
	}
}

// A byte takes as long as several of a radio that hands over single ones. Their handler does not end with it.
func TestMadeBytesMeetRadio(t *testing.T) {
	s := alone(t, "../../examples/elf/base-mica2.elf", "mica2")
	for range 100 { // its radio starts
		next(t, s)
	}
	for n := range 300 {
		p := open(t, s, input.Serial)
		if _, err := s.Fire(s.Feed(check.MadeInput{Mote: p.Mote, Kind: p.Kind, Number: p.Number, Data: []byte{uint8(n)}})); err != nil {
			t.Fatal(err)
		}
		if s.Mote(0).Core().I != 1 {
			t.Fatalf("byte %d: the mote is in the middle of a handler", n)
		}
	}
}

// Where a byte is masked, shifted or computed with before a branch depends on it, the comparison says which byte would take the other way; and that one does.
func TestSolved(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		test string
		byte uint8 // that does not pass
	}{
		{"(c & 0xf8) == 0xc0", 0x15}, {"c >> 4 == 9", 0x15}, {"(c >> 2 & 7) == 5", 0x00}, {"(c ^ 0x5a) == PINB + 0x11", 0x15}, {"(uint8_t)(4 * c + 3) == 0x87", 0x15}, {"c & 0x40", 0x15},
		{"!(c & 6)", 0x15}, {"(uint8_t)~c == PINB + 0x77", 0x15}, {"(uint8_t)(c + 0x33) == PINB + 0x81", 0x15},
	} {
		elf := filepath.Join(t.TempDir(), "solved.elf")
		if out, err := need.Command(t, "avr-gcc", "-mmcu=atmega328p", "-Os", "-DTEST="+x.test, "-o", elf, filepath.Join("testdata", "solved.c")).CombinedOutput(); err != nil {
			t.Fatalf("avr-gcc (packages gcc-avr, avr-libc): %v\n%s", err, out)
		}
		s := alone(t, elf, "uno")
		open(t, s, input.Serial)
		from := s.Clone()
		passes := func(b uint8) (bool, []input.Pair) {
			s.CopyFrom(from)
			before := slices.Clone(s.Mote(0).RAM())
			s.Compare(true)
			if _, err := s.Fire(s.Feed(check.MadeInput{Kind: input.Serial, Data: []byte{b}})); err != nil {
				t.Fatal(err)
			}
			for n := 0; n < 4 && next(t, s); n++ {
			}
			return s.Mote(0).RAM()[0] != before[0], s.Compared(nil) // it is the only variable
		}
		ok, pairs := passes(x.byte)
		if ok {
			t.Fatalf("%s: %#x passes already", x.test, x.byte)
		}
		solved := slices.DeleteFunc(pairs, func(p input.Pair) bool { return !p.Solved || p.Loaded != x.byte })
		if !slices.ContainsFunc(solved, func(p input.Pair) bool { ok, _ := passes(p.Wanted); return ok }) {
			t.Errorf("%s: none of %+v passes", x.test, solved)
		}
	}
}
