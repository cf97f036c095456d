package export

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The decoder below is written from the published field numbers of Perfetto (trace.proto, trace_packet.proto, track_descriptor.proto,
// track_event.proto, interned_data.proto), and shares nothing with what writes them.

// message is the fields of a protobuf message: numbers, and byte strings.
type message struct {
	numbers map[int]uint64
	bytes   map[int][][]byte
}

func decode(t *testing.T, b []byte) message {
	t.Helper()
	m := message{map[int]uint64{}, map[int][][]byte{}}
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatal("a number is cut off")
		}
		b = b[n:]
		return v
	}
	for len(b) > 0 {
		key := number()
		switch field := int(key >> 3); key & 7 {
		case 0:
			m.numbers[field] = number()
		case 1:
			m.numbers[field] = binary.LittleEndian.Uint64(b)
			b = b[8:]
		case 2:
			n := number()
			if n > uint64(len(b)) {
				t.Fatalf("field %d is cut off", field)
			}
			m.bytes[field] = append(m.bytes[field], b[:n])
			b = b[n:]
		default:
			t.Fatalf("field %d has the type %d", field, key&7)
		}
	}
	return m
}

func (m message) text(field int) string {
	if len(m.bytes[field]) == 0 {
		return ""
	}
	return string(m.bytes[field][0])
}

// track is a track as it is read.
type track struct {
	name    string
	process string
	counter bool
	last    uint64
	open    []string
	slices  []slice
	values  []int64
	deepest int
}

type slice struct {
	name       string
	start, end uint64
	flow       uint64
}

// readPerfetto reads a trace, and checks that time goes on and slices are nested on each track.
func readPerfetto(t *testing.T, file []byte) map[string]*track {
	t.Helper()
	tracks, names := map[uint64]*track{}, map[uint64]string{}
	cleared := false
	for _, raw := range decode(t, file).bytes[1] {
		p := decode(t, raw)
		if p.numbers[10] == 0 {
			t.Fatal("a packet without a sequence")
		}
		cleared = cleared || p.numbers[13]&1 != 0
		for _, d := range p.bytes[60] {
			describe(t, tracks, decode(t, d))
		}
		for _, interned := range p.bytes[12] {
			for _, e := range decode(t, interned).bytes[2] {
				entry := decode(t, e)
				names[entry.numbers[1]] = entry.text(2)
			}
		}
		for _, e := range p.bytes[11] {
			if !cleared || p.numbers[13]&2 == 0 {
				t.Fatal("interned names are used, but the sequence does not say so")
			}
			event(t, tracks, names, p.numbers[8], decode(t, e))
		}
	}
	byName := map[string]*track{}
	for _, k := range tracks {
		if len(k.open) > 0 {
			t.Errorf("%s %s: %v is open at the end", k.process, k.name, k.open)
		}
		byName[k.process+"/"+k.name] = k
	}
	return byName
}

func describe(t *testing.T, tracks map[uint64]*track, d message) {
	t.Helper()
	id := d.numbers[1]
	if tracks[id] != nil {
		t.Fatalf("track %d is described twice", id)
	}
	k := &track{name: d.text(2), counter: d.bytes[8] != nil}
	if d.bytes[3] != nil {
		k.process = decode(t, d.bytes[3][0]).text(6)
	} else if up := tracks[d.numbers[5]]; up != nil {
		k.process = up.process
	} else {
		t.Fatalf("track %q has no process", k.name)
	}
	tracks[id] = k
}

func event(t *testing.T, tracks map[uint64]*track, names map[uint64]string, at uint64, e message) {
	t.Helper()
	k := tracks[e.numbers[11]]
	if k == nil {
		t.Fatalf("an event on the track %d, which is not described", e.numbers[11])
	}
	if at < k.last {
		t.Fatalf("%s %s: time goes back from %d to %d", k.process, k.name, k.last, at)
	}
	k.last = at
	switch e.numbers[9] {
	case 1:
		name := names[e.numbers[10]]
		if name == "" {
			t.Fatalf("%s %s: a slice without a name", k.process, k.name)
		}
		k.open = append(k.open, fmt.Sprint(len(k.slices)))
		k.slices = append(k.slices, slice{name: name, start: at, flow: e.numbers[47]})
		k.deepest = max(k.deepest, len(k.open))
	case 2:
		if len(k.open) == 0 {
			t.Fatalf("%s %s: an end without a beginning at %d", k.process, k.name, at)
		}
		var n int
		fmt.Sscan(k.open[len(k.open)-1], &n)
		k.open = k.open[:len(k.open)-1]
		k.slices[n].end = at
	case 4:
		if !k.counter {
			t.Fatalf("%s %s is no counter", k.process, k.name)
		}
		k.values = append(k.values, int64(e.numbers[30]))
	default:
		t.Fatalf("an event of type %d", e.numbers[9])
	}
}

// A decoder that knows only the published format finds in a trace what the world says happened.
func TestPerfetto(t *testing.T) {
	t.Parallel()
	x := relayRun(t)
	file, err := os.ReadFile(x.files.Perfetto)
	if err != nil {
		t.Fatal(err)
	}
	tracks := readPerfetto(t, file)
	flows := map[uint64]int{}
	for i, m := range x.w.Motes() {
		of := func(name string) *track {
			k := tracks[fmt.Sprintf("mote %d/%s", i, name)]
			if k == nil {
				t.Fatalf("mote %d has no track %q", i, name)
			}
			return k
		}
		if n := len(of("frames sent").slices); n != int(x.w.FramesSent(i)) {
			t.Errorf("mote %d: %d frames sent, not %d", i, n, x.w.FramesSent(i))
		}
		if n := len(of("frames received").slices); n != int(x.w.FramesReceived(i)) {
			t.Errorf("mote %d: %d frames received, not %d", i, n, x.w.FramesReceived(i))
		}
		for _, s := range append(of("frames sent").slices, of("frames received").slices...) {
			flows[s.flow]++
			if s.end <= s.start {
				t.Errorf("mote %d: a frame takes no time", i)
			}
		}
		served := map[string]int{}
		for _, s := range of("interrupts").slices {
			served[s.name]++
		}
		for v, n := range x.served[i] {
			if name := m.Chip().VectorName(v); served[name] != n {
				t.Errorf("mote %d: %s is served %d times, not %d", i, name, served[name], n)
			}
		}
		lit := 0
		for _, l := range m.Board().LEDs {
			lit += len(of("LED " + l.Name).slices)
		}
		if lit != x.lit[i] {
			t.Errorf("mote %d: a light goes on %d times, not %d", i, lit, x.lit[i])
		}
		if len(of("tasks").slices) == 0 || of("calls").deepest < 4 {
			t.Errorf("mote %d: %d tasks, calls %d deep", i, len(of("tasks").slices), of("calls").deepest)
		}
		values := of("RelayC__made").values
		ref, err := m.Kind.Image.Lookup("RelayC__made")
		if err != nil {
			t.Fatal(err)
		}
		if v, err := ref.Read(m.Memory()); err != nil || values[len(values)-1] != int64(v.Uint()) {
			t.Errorf("mote %d: a variable ends as %v, not %v (%v)", i, values, v, err)
		}
		for k := 1; k < len(values); k++ { // it only counts: a torn value would show
			if values[k] != values[k-1]+1 {
				t.Errorf("mote %d: a counter goes %v", i, values)
			}
		}
		checkCalls(t, of("calls"), of("interrupts"))
	}
	for flow, n := range flows {
		if flow == 0 || n < 2 {
			t.Errorf("flow %d joins %d slices", flow, n)
		}
	}
	if tracks["mote 1/RelayC__waiting"] == nil || tracks["mote 0/RelayC__waiting"] != nil {
		t.Error("1.RelayC__waiting is mote 1's alone")
	}
}

// checkCalls: each handler is called when it is served, and some function is inlined somewhere.
func checkCalls(t *testing.T, calls, interrupts *track) {
	t.Helper()
	starts := map[uint64]bool{}
	for _, s := range calls.slices {
		if strings.Contains(s.name, "(__vector_") {
			starts[s.start] = true
		}
	}
	for _, s := range interrupts.slices {
		if !starts[s.start] {
			t.Errorf("%s: the handler of %s at %d is not called", calls.process, s.name, s.start)
		}
	}
	seen := map[string]bool{}
	for _, s := range calls.slices {
		seen[s.name] = true
	}
	for _, name := range []string{"main", "SchedulerBasicP.popTask", "McuSleepC.McuSleep.sleep"} { // the second is inlined
		if !seen[name] {
			t.Errorf("%s: no call of %s", calls.process, name)
		}
	}
}
