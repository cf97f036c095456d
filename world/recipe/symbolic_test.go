package recipe_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"motehound/firmware/image"
	"motehound/mote/digest"
	"motehound/world"
	"motehound/world/recipe"
)

// Pokes happen at their instruction, at their time, and the run is another one then; an edit changes what a mote hears, and an interrupt that
// has to wait when it does something.
func TestPokesAndEdits(t *testing.T) {
	t.Parallel()
	end := func(change func(*recipe.Recipe)) (string, int64) {
		r := &recipe.Recipe{Version: recipe.Version, Until: 2 * world.Second, Ordinary: true}
		for i := range 2 {
			r.Motes = append(r.Motes, recipe.Mote{Firmware: "counter-micaz.elf", Board: "micaz", ID: uint16(i)})
		}
		r.Links = []recipe.Link{{From: 0, To: 1, Gain: -60}, {From: 1, To: 0, Gain: -60}}
		change(r)
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := recipe.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		w, err := again.World(open)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.Pokes, again.Pokes) || !reflect.DeepEqual(r.Edits, again.Edits) || !reflect.DeepEqual(r.Holds, again.Holds) {
			t.Errorf("%+v became %+v", r, again)
		}
		w.RunUntil(r.Until)
		still, err := again.Repeatable(open, nil)
		if err != nil {
			t.Fatal(err)
		}
		still = still.Clone() // which nobody observes
		still.RunUntil(r.Until)
		if motes(w) != motes(still) {
			t.Error("motes of a world that can be repeated end in other states")
		}
		m := w.Motes()[0]
		ref, err := m.Kind.Image.Lookup("CounterC__sent")
		if err != nil {
			t.Fatal(err)
		}
		v, err := ref.Read(m.Memory())
		if err != nil {
			t.Fatal(err)
		}
		return w.Hash().String(), v.Int()
	}
	at := func(nth int) func(*recipe.Recipe) {
		return func(r *recipe.Recipe) {
			data, err := open("counter-micaz.elf")
			if err != nil {
				t.Fatal(err)
			}
			addr, pc := lookUp(t, data, "CounterC__sent", "main")
			r.Pokes = []recipe.Poke{{PC: pc, Nth: nth, Addr: addr, Hex: "e803"}}
		}
	}
	plain, sent := end(func(*recipe.Recipe) {})
	if sent == 0 || sent >= 1000 {
		t.Fatalf("%d were sent", sent)
	}
	if hash, n := end(at(0)); n < 1000 || hash == plain {
		t.Errorf("poked at main it ends with %d, in state %s", n, hash)
	}
	if hash, _ := end(at(1)); hash != plain {
		t.Error("main is reached once, but a poke at the second time changes something")
	}
	if hash, _ := end(func(r *recipe.Recipe) { r.Edits = []recipe.Edit{{Mote: 1, Nth: 0, Offset: 11, Value: 0x55}} }); hash == plain {
		t.Error("a byte of a frame is another one, and nothing changes")
	}
	if hash, n := end(func(r *recipe.Recipe) { r.Holds = []recipe.Hold{{Vector: 16, Until: world.Second}} }); hash == plain || n >= sent {
		t.Errorf("its timer waits for the first second, and it sends %d, not fewer than %d", n, sent)
	}
}

// motes is the states of a world's motes.
func motes(w *world.World) string {
	d := digest.New()
	for _, m := range w.Motes() {
		m.AppendState(&d)
	}
	return d.Sum().String()
}

// What is wrong in them is said.
func TestPokesRefused(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]recipe.Poke{
		"invalid byte":     {Hex: "zz"},
		"mote 3":           {Mote: 3},
		"no instruction":   {PC: 1, Hex: "00"},
		"no instruction o": {Addr: 0xFFFF, Hex: "0000"},
	} {
		r := &recipe.Recipe{Version: recipe.Version, Pokes: []recipe.Poke{p}, Motes: []recipe.Mote{{Firmware: "counter-micaz.elf", Board: "micaz"}}}
		if _, err := r.World(open); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want something of %q", p, err, want)
		}
	}
}

// lookUp is where a variable is, and where a function begins.
func lookUp(t *testing.T, elf []byte, variable, function string) (addr uint16, pc uint32) {
	t.Helper()
	im, err := image.Parse("counter", elf)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := im.Lookup(variable)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := im.Symbol(function)
	if !ok {
		t.Fatalf("no function %s", function)
	}
	return uint16(ref.Addr), s.Addr
}
