package scenario_test

import (
	"testing"
	"testing/fstest"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/world"
	"motehound/world/scenario"
)

const blinking = `
network(motes = [mote(id = i, board = "micaz", firmware = "blink-micaz.elf") for i in [3, 4]])

def flashed(n):
    return n.var("TOS_NODE_ID") == n.id and n.var("ActiveMessageAddressC__addr") == n.id

always("ids are flashed", each(flashed))
always("ids", lambda net: [n.id for n in net] == [3, 4])
eventually("all lit", each(lambda n: n.leds == 7), within = "2s")
at_time("1100ms", "second light", lambda net: net[3].led(2) and net.time == ps("1100ms"))
`

// TestBlink evaluates properties over real motes while they run.
func TestBlink(t *testing.T) {
	f, ok := examples.Find("blink", "micaz")
	if !ok {
		t.Fatal("no example")
	}
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.LoadFS(fstest.MapFS{"blink.star": {Data: []byte(blinking)}}, "blink.star", scenario.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(func(i int) *image.Image { return im }); err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{}
	for _, m := range s.Motes {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: m.ID})
	}
	w, err := world.New(cfg, world.Natural{})
	if err != nil {
		t.Fatal(err)
	}
	e := scenario.NewEvaluator()
	held := map[string]int{}
	for w.Now() < 2100*world.Millisecond {
		w.RunUntil(w.Now() + 50*world.Millisecond)
		for i := range s.Properties {
			p := &s.Properties[i]
			if p.Kind == scenario.AtTime && p.At != w.Now() {
				continue
			}
			v, err := e.Evaluate(p, scenario.WorldView(w))
			if err != nil {
				t.Fatal(err)
			}
			if v.Holds {
				held[p.Name]++
			} else if p.Kind != scenario.Eventually {
				t.Errorf("%d ms: %s is violated: %+v", w.Now()/world.Millisecond, p.Name, v)
			}
		}
	}
	if held["all lit"] < 3 || held["ids are flashed"] != 42 || held["second light"] != 1 {
		t.Errorf("held: %v", held)
	}
}
