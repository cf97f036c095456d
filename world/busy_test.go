package world_test

import (
	"testing"

	"motehound/world"
	"motehound/world/medium"
)

// A mote whose channel is busy does not send meanwhile, hears its neighbours all the same, and sends again afterwards. The neighbour notices nothing.
func TestBusy(t *testing.T) {
	for _, b := range []string{"micaz", "mica2"} {
		t.Run(b, func(t *testing.T) {
			net, err := medium.New(2, medium.Full(2, -60, 0))
			if err != nil {
				t.Fatal(err)
			}
			k := kindOf(t, "counter", b)
			busy := fault(world.Busy, 1, 1)
			busy.Span, busy.After = 2*world.Second, 3*world.Second
			cfg := &world.Config{Net: net, Faults: []world.Fault{busy}, Motes: []world.MoteConfig{{Kind: k, BootFrom: 100 * ms}, {Kind: k, ID: 1}}}
			count := func(w *world.World, name string) (list [2]int64) {
				for i, m := range w.Motes() {
					list[i] = number(t, m, name)
				}
				return list
			}
			w := newWorld(t, cfg, world.Fixed{Else: world.Natural{}, Answers: []world.Answer{{Kind: world.ChoiceFault, Mote: 1, Answer: world.FaultBusy}}})
			w.RunUntil(3500 * ms)
			sent, heard, missed := count(w, "CounterC__sent"), count(w, "CounterC__heard"), count(w, "CounterC__notSent")
			if w.Used(0) != 1 || missed[0] > 0 {
				t.Fatalf("used %d times; %d not sent by the other", w.Used(0), missed[0])
			}
			w.RunUntil(5000 * ms)
			sent2, heard2, missed2 := count(w, "CounterC__sent"), count(w, "CounterC__heard"), count(w, "CounterC__notSent")
			if sent2[1] != sent[1] || missed2[1] < missed[1]+5 || heard2[1] < heard[1]+5 || sent2[0] < sent[0]+5 || missed2[0] > 0 {
				t.Errorf("from 3.5 s to 5 s: sent %v to %v, heard %v to %v, not sent %v to %v", sent, sent2, heard, heard2, missed, missed2)
			}
			w.RunUntil(7000 * ms)
			if sent3 := count(w, "CounterC__sent"); sent3[1] < sent2[1]+5 {
				t.Errorf("afterwards: sent %v to %v", sent2, sent3)
			}
		})
	}
}
