package world_test

import (
	"fmt"
	"testing"

	"motehound/internal/motes"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/world"
	"motehound/world/medium"
)

// network is motes that run one example, with ids from 0 on, switched on within a second.
func network(t testing.TB, app, boardName string, n int, links []medium.Link, seed uint64) *world.World {
	t.Helper()
	return networkWith(t, app, boardName, n, links, nil, seed)
}

func networkWith(t testing.TB, app, boardName string, n int, links []medium.Link, cuts []medium.Cut, seed uint64) *world.World {
	t.Helper()
	net, err := medium.New(n, links)
	if err != nil {
		t.Fatal(err)
	}
	net.Cuts = cuts
	cfg := &world.Config{Net: net, Stagger: 1_000_000, Drift: 20, Motes: motes.Of(testkit.Example(t, app, boardName), n)}
	return testkit.World(t, cfg, world.Natural{Seed: seed})
}

// pace is how much slower an application is on a board than on a MicaZ.
func pace(boardName string) uint64 {
	if boardName == "mica2" {
		return 4
	}
	return 1
}

func number(t testing.TB, m *mote.Mote, path string) int64 {
	t.Helper()
	return variable(t, m, path).Int()
}

// eachBoard runs a test on both boards, without loss and with.
func eachBoard(t *testing.T, test func(t *testing.T, boardName string, loss float64)) {
	for _, b := range []string{"micaz", "mica2"} {
		for _, loss := range []float64{0, 0.3} {
			t.Run(fmt.Sprintf("%s/loss %g", b, loss), func(t *testing.T) {
				t.Parallel()
				test(t, b, loss)
			})
		}
	}
}

// Motes hear what the others count, as far as the links let them.
func TestCounter(t *testing.T) {
	eachBoard(t, func(t *testing.T, b string, loss float64) {
		const n = 4
		w := network(t, "counter", b, n, medium.Full(n, -60, loss), 1)
		w.RunUntil(30 * world.Second)
		total := int64(0)
		for i, m := range w.Motes() {
			sent := number(t, m, "CounterC__sent")
			if got := int64(w.FramesSent(i)); got != sent {
				t.Errorf("mote %d says it sent %d frames, on the air there were %d", i, sent, got)
			}
			total += sent
		}
		if total < n*110 {
			t.Errorf("only %d frames were sent in 30 s", total)
		}
		for i, m := range w.Motes() {
			others := total - number(t, m, "CounterC__sent")
			ratio := float64(number(t, m, "CounterC__heard")) / float64(others)
			if want := 1 - loss; ratio < want-0.12 || ratio > want+0.08 {
				t.Errorf("mote %d heard %.2f of what the others sent, want about %.2f", i, ratio, want)
			}
			if got, want := m.LEDs(), uint32(number(t, m, "CounterC__lastHeard")&7); got != want {
				t.Errorf("mote %d: LEDs %03b, but the last counter heard ends in %03b", i, got, want)
			}
		}
	})
}

// relayed is how many messages of each origin the sink got, and checks that none is unaccounted for.
func relayed(t *testing.T, w *world.World) (delivered []int64, made int64) {
	t.Helper()
	kept := int64(0)
	for _, m := range w.Motes() {
		made += number(t, m, "RelayC__made")
		kept += number(t, m, "RelayC__waiting") + number(t, m, "RelayC__droppedOwn") + number(t, m, "RelayC__droppedOthers")
	}
	sink := w.Motes()[0]
	for i := range w.Motes() {
		d := number(t, sink, fmt.Sprintf("RelayC__delivered[%d]", i))
		delivered = append(delivered, d)
		kept += d
	}
	// One whose acknowledgement was lost is counted twice until it is sent again.
	if extra := kept - made; extra < 0 || extra > int64(len(w.Motes())) {
		t.Errorf("%d messages were made, %d are accounted for", made, kept)
	}
	return delivered, made
}

// A frame that the CC2420 acknowledges by itself was received, too: of two motes that are alone, each hears what the other sends.
func TestAcknowledgedFrames(t *testing.T) {
	w := networkWith(t, "relay", "micaz", 2, medium.Line(2, -60, 0), nil, 2)
	w.RunUntil(30 * world.Second)
	for i := range 2 {
		sent, received := w.FramesSent(1-i), w.FramesReceived(i)
		if missed := int(sent) - int(received); sent < 10 || missed < 0 || missed > 1 {
			t.Errorf("%d frames were sent to mote %d, and it received %d", sent, i, received)
		}
	}
}

// A line of five hands everything to the sink; while a link is cut, what is behind it waits, and comes when it heals.
func TestRelay(t *testing.T) {
	eachBoard(t, func(t *testing.T, b string, loss float64) {
		const n = 5
		p := pace(b) * world.Second
		cut := []medium.Cut{
			{From: 1, To: 2, At: 40 * p, Until: 46 * p},
			{From: 2, To: 1, At: 40 * p, Until: 46 * p},
		}
		w := networkWith(t, "relay", b, n, medium.Line(n, -60, loss), cut, 2)
		w.RunUntil(39 * p)
		before, made := relayed(t, w)
		for origin, d := range before[1:] {
			if d < 25 {
				t.Errorf("%d messages of mote %d after 39 periods (%v of %d)", d, origin+1, before, made)
			}
		}
		w.RunUntil(45 * p)
		during, _ := relayed(t, w)
		if during[1] < before[1]+4 || during[4] > before[4]+3 {
			t.Errorf("with the link between 1 and 2 cut, deliveries went from %v to %v", before, during)
		}
		w.RunUntil(80 * p)
		after, _ := relayed(t, w)
		for origin, d := range after[1:] {
			if d < 65 {
				t.Errorf("%d messages of mote %d after 80 periods, long after the link healed", d, origin+1)
			}
		}
	})
}

// A grid of sixteen gathers readings at its corner, around links that are cut.
func TestCollect(t *testing.T) {
	eachBoard(t, func(t *testing.T, b string, loss float64) {
		const n = 16
		p := pace(b) * world.Second
		var cuts []medium.Cut
		for _, l := range [][2]int{{0, 1}, {1, 0}} { // one of the root's two links
			cuts = append(cuts, medium.Cut{From: l[0], To: l[1], At: 40 * p, Until: 60 * p})
		}
		w := networkWith(t, "collect", b, n, medium.Grid(4, 4, -60, loss), cuts, 3)
		share := func(from, to []int64, made0, made1 []int64) (worst float64) {
			worst = 1
			for i := 1; i < n; i++ {
				worst = min(worst, float64(to[i]-from[i])/float64(made1[i]-made0[i]))
			}
			return worst
		}
		look := func() (delivered, made []int64) {
			for i, m := range w.Motes() {
				delivered = append(delivered, number(t, w.Motes()[0], fmt.Sprintf("CollectC__delivered[%d]", i)))
				made = append(made, number(t, m, "CollectC__made"))
			}
			return delivered, made
		}
		at := func(periods uint64) (delivered, made []int64) {
			w.RunUntil(periods * p)
			return look()
		}
		want := 0.9
		if loss > 0 {
			want = 0.75
		}
		d0, m0 := at(15)
		d1, m1 := at(40)
		if got := share(d0, d1, m0, m1); got < want {
			t.Errorf("of the readings of one mote only %.2f arrive, want %.2f\n%v\n%v", got, want, d1, m1)
		}
		d2, m2 := at(45) // time to find the way around
		d3, m3 := at(60)
		if got := share(d2, d3, m2, m3); got < want-0.15 {
			t.Errorf("with a link of the root cut, only %.2f arrive, want %.2f\n%v\n%v", got, want-0.15, d3, m3)
		}
		d4, m4 := at(65)
		d5, m5 := at(90)
		if got := share(d4, d5, m4, m5); got < want {
			t.Errorf("after it healed only %.2f arrive, want %.2f\n%v\n%v", got, want, d5, m5)
		}
	})
}

// A new value reaches all of twenty scattered motes; those that a cut took away have it soon after it heals.
func TestDisseminate(t *testing.T) {
	eachBoard(t, func(t *testing.T, b string, loss float64) {
		const n = 20
		links, err := medium.Disk(n, 60, 25, loss, 4)
		if err != nil {
			t.Fatal(err)
		}
		var cuts []medium.Cut // mote 19 hears nobody while the second value spreads
		for _, l := range links {
			if l.From == 19 || l.To == 19 {
				cuts = append(cuts, medium.Cut{From: l.From, To: l.To, At: 24 * world.Second, Until: 40 * world.Second})
			}
		}
		w := networkWith(t, "disseminate", b, n, links, cuts, 4)
		have := func(value int64) (count int, last bool) {
			for i, m := range w.Motes() {
				if number(t, m, "DisseminateC__values[0].value") == value {
					count++
					last = i == 19
				}
			}
			return count, last
		}
		w.RunUntil(20 * world.Second)
		if c, _ := have(1); c != n {
			t.Errorf("15 s after it was made, %d of %d motes have the first value", c, n)
		}
		w.RunUntil(39 * world.Second)
		if c, last := have(2); c < n-2 || last {
			t.Errorf("14 s after it was made, %d motes have the second value, want all that hear anybody (mote 19: %v)", c, last)
		}
		w.RunUntil(64 * world.Second)
		if c, last := have(3); c != n || !last {
			t.Errorf("after the cut healed, %d of %d motes have the third value (mote 19: %v)", c, n, last)
		}
	})
}

// Synchronised motes agree on the time of the same beacon.
func TestTimesync(t *testing.T) {
	for _, b := range []string{"micaz", "mica2"} {
		t.Run(b, func(t *testing.T) {
			t.Parallel()
			w := network(t, "timesync", b, 4, medium.Full(4, -60, 0), 5)
			w.RunUntil(60 * pace(b) * world.Second)
			leds := w.Motes()[0].LEDs()
			for i, m := range w.Motes() {
				if m.LEDs() != leds {
					t.Errorf("mote %d shows %03b, mote 0 %03b", i, m.LEDs(), leds)
				}
			}
		})
	}
}
