package recipe_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/reception"
	"motehound/world/recipe"
)

const ms = world.Millisecond

// open finds the example firmware.
func open(name string) ([]byte, error) {
	for _, f := range examples.All {
		if f.File() == name {
			return f.ELF(), nil
		}
	}
	return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
}

func ptr[T any](v T) *T { return &v }

// full is a recipe with everything in it.
func full(b string) *recipe.Recipe {
	r := &recipe.Recipe{Version: recipe.Version, Seed: 11, Drift: 20, Stagger: 1000,
		Serial:   []recipe.Serial{{Mote: 1, At: 300 * ms, Hex: "7e00ff7e"}},
		Sensors:  []recipe.Sensor{{Mote: 2, Channel: 1, Value: 77}, {Mote: 2, Channel: 1, At: 500 * ms, Value: 99}},
		Resets:   []recipe.Reset{{Mote: 2, At: 1100 * ms}},
		Cuts:     []recipe.Cut{{From: 0, To: 1, At: 1 * world.Second, Until: 2 * world.Second}},
		Wires:    []recipe.Wire{{A: [2]int{0, 0}, B: [2]int{2, 0}, Framing: "hdlc", Loss: 0.1}},
		Scenario: []recipe.Source{recipe.SourceOf("a.star", []byte("network()"))},
		Events: []recipe.Event{
			{At: 700 * ms, Mote: 1, Kind: "power_cycle"}, {At: 900 * ms, Mote: 0, Kind: "power_off"},
			{At: 1200 * ms, Mote: 0, Kind: "power_on"}, {At: 1300 * ms, Mote: 2, Kind: "set_var", Path: "CounterC__heard", Value: 1000},
		},
		Faults: []recipe.Fault{
			{Kind: "lose", Max: 3}, {Kind: "duplicate", Max: 2, Link: &[2]int{0, 2}, After: 1}, {Kind: "corrupt", Max: 1, Wire: ptr(0)},
			{Kind: "reboot", Max: 1, Mote: ptr(0), Until: 4 * world.Second}, {Kind: "outage", Max: 1, Mote: ptr(2), Span: 100 * ms},
			{Kind: "late_boot", Max: 1, Span: 50 * ms},
		},
		Answers: []recipe.Answer{
			{Kind: "fault", Mote: 1, Number: 0, Answer: world.FaultLate}, {Kind: "boot", Mote: 1, Number: 1, Answer: 100},
			{Kind: "fault", Mote: 0, Number: 2, Answer: world.FaultReboot}, {Kind: "fault", Mote: 2, Number: 9, Answer: world.FaultOutage},
			{Kind: "reception", Mote: 2, Number: 3, Answer: uint32(reception.Duplicated)}, {Kind: "reception", Mote: 1, Number: 2, Answer: uint32(reception.Lost)},
		},
	}
	for i := range 3 {
		r.Motes = append(r.Motes, recipe.Mote{Firmware: "counter-" + b + ".elf", Board: b, ID: uint16(i)})
	}
	r.Motes[1].Boot, r.Motes[1].BootUntil, r.Motes[1].Drift = 10*ms, 30*ms, -40
	r.Motes[2].Vars = []recipe.Variable{{Path: "CounterC__sent", Value: 500}}
	r.SetLinks(medium.Full(3, -60, 0))
	return r
}

// A run of a recipe with everything in it, written and read back, is made again to the same hash.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, b := range []string{"micaz", "mica2"} {
		r := full(b)
		w, err := r.World(open)
		if err != nil {
			t.Fatal(err)
		}
		w.RunUntil(1400 * ms)
		w.Reset(1) // by hand
		w.SerialIn(world.Serial{Mote: 0, Bytes: []byte{1, 2, 3}})
		w.RunUntil(3 * world.Second)
		r.Finish(w)
		for f, x := range r.Faults {
			if n := w.Used(f); n != 1 && x.Kind != "corrupt" {
				t.Errorf("%s: %s happened %d times", b, x.Kind, n)
			}
		}
		if len(r.Resets) != 2 || len(r.Serial) != 2 || r.Motes[0].SHA256 == "" {
			t.Errorf("resets %v, serial %v, hash %q", r.Resets, r.Serial, r.Motes[0].SHA256)
		}
		path := filepath.Join(t.TempDir(), "recipe.json")
		if err := r.Write(path); err != nil {
			t.Fatal(err)
		}
		again, err := recipe.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		one, _ := json.Marshal(r)
		two, _ := json.Marshal(again)
		if string(one) != string(two) {
			t.Errorf("written and read back:\n%s\n%s", one, two)
		}
		w, err = again.World(open)
		if err != nil {
			t.Fatal(err)
		}
		w.RunUntil(again.Until)
		if got := w.Hash().String(); got != r.Hash {
			t.Errorf("%s: replayed to %s, not %s", b, got, r.Hash)
		}
	}
}

// Every field of the format can be left out but the motes, and none can be misspelt.
func TestFields(t *testing.T) {
	t.Parallel()
	short := `{"motehound_recipe": 1, "motes": [{"firmware": "blink-micaz.elf", "board": "micaz"}]}`
	r, err := recipe.Parse([]byte(short))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.World(open); err != nil {
		t.Fatal(err)
	}
	for bad, want := range map[string]string{
		`{"motes": [{}]}`:                                               "motehound_recipe",
		`{"motehound_recipe": 2, "motes": [{}]}`:                        "newer",
		`{"motehound_recipe": 1, "motes": []}`:                          "without motes",
		`{"motehound_recipe": 1, "motes": [{}], "evnts": []}`:           "evnts",
		`{"motehound_recipe": 1, "motes": [{}], "faults": [{"mx": 1}]}`: "mx",
	} {
		if _, err := recipe.Parse([]byte(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want something about %s", bad, err, want)
		}
	}
	for i, c := range []struct {
		spoil func(*recipe.Recipe)
		want  string
	}{
		{func(r *recipe.Recipe) { r.Events = []recipe.Event{{Kind: "explode"}} }, "known are power_cycle"},
		{func(r *recipe.Recipe) { r.Events = []recipe.Event{{Kind: "power_on", Path: "x"}} }, "path"},
		{func(r *recipe.Recipe) { r.Events = []recipe.Event{{Kind: "set_var", Path: "nobody"}} }, "nobody"},
		{func(r *recipe.Recipe) { r.Events = []recipe.Event{{Kind: "power_on", Mote: 1}} }, "only 1"},
		{func(r *recipe.Recipe) { r.Sensors = []recipe.Sensor{{Mote: 1}} }, "only 1"},
		{func(r *recipe.Recipe) { r.Faults = []recipe.Fault{{Kind: "explode"}} }, "known are lose"},
		{func(r *recipe.Recipe) { r.Faults = []recipe.Fault{{Kind: "lose", Wire: ptr(0)}} }, "wire 0"},
		{func(r *recipe.Recipe) { r.Faults = []recipe.Fault{{Kind: "late_boot"}} }, "late_boot"},
		{func(r *recipe.Recipe) { r.Faults = []recipe.Fault{{Kind: "reboot", Link: &[2]int{0, 0}}} }, "not on links"},
		{func(r *recipe.Recipe) { r.Motes[0].Vars = []recipe.Variable{{Path: "nobody"}} }, "nobody"},
		{func(r *recipe.Recipe) { r.Motes[0].SHA256 = strings.Repeat("0", 64) }, "find that build"},
		{func(r *recipe.Recipe) {
			other := r.Motes[0]
			other.ID, other.SHA256 = 9, strings.Repeat("0", 64)
			r.Motes = append(r.Motes, other)
		}, "for mote 9: find that build"},
		{func(r *recipe.Recipe) { r.Motes[0].Firmware = "none.elf" }, "none.elf"},
	} {
		r, err := recipe.Parse([]byte(short))
		if err != nil {
			t.Fatal(err)
		}
		c.spoil(r)
		if _, err := r.World(open); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("case %d: %v, want something about %q", i, err, c.want)
		}
	}
}

// docs/recipes.md names every field of the format, and no other.
func TestDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	var visit func(typ reflect.Type)
	visit = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Slice, reflect.Pointer, reflect.Array:
			visit(typ.Elem())
		case reflect.Struct:
			for i := range typ.NumField() {
				f := typ.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if f.IsExported() && !f.Anonymous && !strings.Contains(string(text), fmt.Sprintf("`%s`", name)) {
					t.Errorf("docs/recipes.md does not mention `%s`", name)
				}
				visit(f.Type)
			}
		}
	}
	visit(reflect.TypeFor[recipe.Recipe]())
	for _, find := range []func(string) error{
		func(s string) error { _, err := world.FindEventKind(s); return err },
		func(s string) error { _, err := world.FindFaultKind(s); return err },
		func(s string) error { _, err := world.FindChoiceKind(s); return err },
	} {
		known := find("?").Error()
		_, known, _ = strings.Cut(known, "known are ")
		for _, name := range strings.Split(known, ", ") {
			if !strings.Contains(string(text), fmt.Sprintf("`%s`", name)) {
				t.Errorf("docs/recipes.md does not mention `%s`", name)
			}
		}
	}
}
