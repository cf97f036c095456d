package scenario

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"motehound/world/medium"
	"motehound/world/serialframe"
)

// TestPackets compares frames with bytes that TinyOS's own tools sent.
func TestPackets(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{`tinyos_packet(am = 0x89, payload = [0, 5])`, "7e 45 00 ff ff 00 00 02 00 89 00 05 44 64 7e"},
		{`tinyos_packet(am = 0x89, payload = [0, 7], ack = 0x2a)`, "7e 44 2a 00 ff ff 00 00 02 00 89 00 07 0e f1 7e"},
		{`tinyos_packet(0x89, b"\x00\x05", ack = False)`, "7e 45 00 ff ff 00 00 02 00 89 00 05 44 64 7e"},
		{`slip("")`, "c0 c0"},
		{`slip([1, 0xC0, 0xDB, 2])`, "c0 01 db dc db dd 02 c0"},
	} {
		s := load1(t, fmt.Sprintf("serial(mote = 0, at = '1s', data = %s)", c.call))
		if got := fmt.Sprintf("% x", s.Serial[0].Bytes); got != c.want {
			t.Errorf("%s = %s, want %s", c.call, got, c.want)
		}
	}
}

// TestPacketFields reads packets with the parser that reads what motes send.
func TestPacketFields(t *testing.T) {
	s := load1(t, `
for i in range(256):
    serial(mote = 0, at = "1s", data = tinyos_packet(am = i, payload = [0x7E, 0x7D, i], dest = 0x7E7D, src = i, group = 0x7E, ack = i))`)
	for i, in := range s.Serial {
		b := byte(i)
		want := serialframe.Frame{Protocol: serialframe.ProtoPacket, Sequence: b, Message: &serialframe.Message{
			Dest: 0x7E7D, Src: uint16(i), Group: 0x7E, Type: b, Data: []byte{0x7E, 0x7D, b}}}
		got, err := serialframe.Parse(in.Bytes)
		if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("% x is %v %v, want %v", in.Bytes, got, err, want)
		}
	}
}

func load1(t testing.TB, script string) *Scenario {
	t.Helper()
	s, err := LoadFS(tree(script), "a.star", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTimes(t *testing.T) {
	for text, want := range map[string]uint64{
		"0s": 0, "1ps": 1, "2ns": 2000, "3us": 3e6, "3µs": 3e6, "4ms": 4e9, "5s": 5e12, "6m": 360e12, "6min": 360e12, "1h": 3600e12,
		"1m30s": 90e12, "1.5ms": 15e8, "0.000000000001s": 1, ".5s": 5e11, "1 s": 1e12, "1_000ms": 1e12, "0.5m": 30e12, "1h 1s": 3601e12,
		"1.50000000000000000000000s": 15e11,
	} {
		if got, err := parseTime(text); err != nil || got != want {
			t.Errorf("%q = %d, %v, want %d", text, got, err, want)
		}
		if back, err := parseTime(showTime(want)); err != nil || back != want {
			t.Errorf("%d shown as %q is %d, %v", want, showTime(want), back, err)
		}
	}
	for _, text := range []string{"", " ", "s", "1", "1.2.3s", "1.s", "1x", "1s2", "-1s", "1e3s", "0.5ps", "99999999999999999999s", "9999999h"} {
		if got, err := parseTime(text); err == nil {
			t.Errorf("%q = %d, want an error", text, got)
		}
	}
}

// TestSine compares with the math package, which the sine must not use.
func TestSine(t *testing.T) {
	for i := range uint64(1000) {
		if got, want := sinTurns(i, 1000), math.Sin(2*math.Pi*float64(i)/1000); math.Abs(got-want) > 1e-12 {
			t.Errorf("sine of %d/1000 turns is %v, want %v", i, got, want)
		}
	}
}

// TestNoise looks at mean and deviation.
func TestNoise(t *testing.T) {
	s := load1(t, `sensor(mote = 0, channel = 0, values = noise(mean = 500, dev = 50, seed = 1, every = "1ms", over = "10s"))`)
	sum, squares := 0.0, 0.0
	for _, r := range s.Sensors {
		sum += float64(r.Value)
		squares += float64(r.Value) * float64(r.Value)
	}
	n := float64(len(s.Sensors))
	mean := sum / n
	dev := math.Sqrt(squares/n - mean*mean)
	if n != 10001 || math.Abs(mean-500) > 2 || math.Abs(dev-50) > 2 {
		t.Errorf("%v readings, mean %v, deviation %v", n, mean, dev)
	}
}

// TestDisk makes the network that the same disk has on the command line.
func TestDisk(t *testing.T) {
	want, err := medium.Disk(20, 40, 18, 0.25, 7)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := medium.New(20, want); err != nil {
		t.Fatal(err)
	}
	s := load1(t, `network(motes = [mote(board = "micaz", firmware = "a")] * 20, links = disk(20, side = 40, range = 18, seed = 7, loss = 0.25))`)
	slices.SortFunc(want, func(a, b medium.Link) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	if !slices.Equal(s.Links, want) {
		t.Errorf("got %v\nwant %v", s.Links, want)
	}
}

// TestCuts pairs cuts and heals, each direction for itself.
func TestCuts(t *testing.T) {
	s := load1(t, `
heal(0, 1, at = "1s")
cut(0, 1, at = "2s")
cut(0, 1, at = "3s", both = False)
heal(1, 0, at = "4s", both = False)
cut(1, 2, at = "5s")
heal(1, 2, at = "6s")
cut(1, 2, at = "7s", both = False)`)
	const second = 1_000_000_000_000
	want := []medium.Cut{
		{From: 0, To: 1, At: 2 * second, Until: medium.Never}, {From: 1, To: 0, At: 2 * second, Until: 4 * second},
		{From: 1, To: 2, At: 5 * second, Until: 6 * second}, {From: 2, To: 1, At: 5 * second, Until: 6 * second},
		{From: 1, To: 2, At: 7 * second, Until: medium.Never},
	}
	if got := s.cuts(); !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// TestGainFile reads a file larger than a scenario may be.
func TestGainFile(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		for j := range 200 {
			fmt.Fprintf(&b, "gain\t%d\t%d\t-%d.5\n", i, j, 40+(i+j)%50)
		}
	}
	s, err := LoadFS(fstest.MapFS{
		"a.star":   {Data: []byte(`network(motes = [mote(board = "micaz", firmware = "a")] * 200, links = gains("big.gain"))`)},
		"big.gain": {Data: []byte(b.String())},
	}, "a.star", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Links) != 200*199 || s.Links[0].GainDB != -41.5 {
		t.Errorf("%d links, first %+v", len(s.Links), s.Links[0])
	}
}

// FuzzScenario loads any text: it ends with a scenario or with an error that has a place.
func FuzzScenario(f *testing.F) {
	for _, c := range readChunks(f, "testdata/errors.txt") {
		f.Add(c.script)
	}
	f.Fuzz(func(t *testing.T, script string) {
		s, err := LoadFS(tree(script), "a.star", Options{})
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Pos.File == "" || e.Msg == "" {
				t.Fatalf("an error without a place: %#v", err)
			}
			return
		}
		for i := range s.Properties {
			v := newFake(t, len(s.Motes))
			if _, _, err := evaluate(&s.Properties[i], v); err != nil {
				if e, ok := err.(*Error); !ok || e.Pos.File == "" {
					t.Fatalf("an error without a place: %#v", err)
				}
			}
		}
	})
}

// FuzzGains reads any gain file.
func FuzzGains(f *testing.F) {
	f.Add([]byte("gain 0 1 -50\nnoise 0 -100 3\n0 1 -3 # x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := LoadFS(fstest.MapFS{
			"a.star": {Data: []byte(`network(motes = [mote(board = "micaz", firmware = "a")] * 3, links = gains("x.gain"))`)},
			"x.gain": {Data: data},
		}, "a.star", Options{})
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Fatal(err)
			}
			return
		}
		if _, err := medium.New(len(s.Motes), s.Links); err != nil {
			t.Fatal(err)
		}
	})
}

// TestSerialBaud: the rate of a sender goes into the recipe.
func TestSerialBaud(t *testing.T) {
	s := load1(t, `
serial(mote = 0, at = "1s", data = "a", baud = 9600)
serial(mote = 0, at = "2s", data = "a")`)
	r, err := s.Recipe()
	if err != nil {
		t.Fatal(err)
	}
	if r.Serial[0].Baud != 9600 || r.Serial[1].Baud != 0 {
		t.Errorf("got %+v", r.Serial)
	}
	if _, err := LoadFS(tree(`serial(mote = 0, at = "1s", data = "a", baud = 0)`), "a.star", Options{}); err == nil {
		t.Error("a rate of 0 is possible")
	}
}
