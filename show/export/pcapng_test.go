package export

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/mote/cell"
	"motehound/mote/radio"
	"motehound/world"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	channel11 = 2_405_000_000
	channel26 = 2_480_000_000
	mica2     = 868_300_000
	ms        = world.Millisecond
)

func transmission(sender int, start uint64, c radio.Carrier, b []byte) world.Frame {
	f := world.Frame{Sender: sender, Start: start, End: start + uint64(len(b))*32*world.Microsecond, Carrier: c, Look: &radio.IEEE802154}
	if c.Modulation == radio.FSK {
		f.Look = &radio.RawBytes
	}
	for _, v := range b {
		f.Bytes = append(f.Bytes, cell.Of(v))
	}
	return f
}

// mac is an IEEE 802.15.4 transmission of a MAC frame, to which it adds the FCS.
func mac(sender int, start, hertz uint64, frame string) world.Frame {
	b := append([]byte{0, 0, 0, 0, 0xA7, byte(len(frame) + 2)}, frame...)
	sum := fcs([]byte(frame))
	return transmission(sender, start, radio.Carrier{Hertz: hertz, Modulation: radio.OQPSK}, append(b, byte(sum), byte(sum>>8)))
}

// fcs is IEEE 802.15.4's check sequence (2006, 7.2.1.9): CRC-16 of ITU-T, lowest bit first, starting at 0.
func fcs(b []byte) (sum uint16) {
	for _, c := range b {
		sum ^= uint16(c)
		for range 8 {
			if sum&1 != 0 {
				sum = sum>>1 ^ 0x8408
			} else {
				sum >>= 1
			}
		}
	}
	return sum
}

func fsk(sender int, start uint64, b ...byte) world.Frame {
	return transmission(sender, start, radio.Carrier{Hertz: mica2, Modulation: radio.FSK}, b)
}

// good is a small network's talk: data that wants an acknowledgement, the acknowledgement, a broadcast at the same time on
// another channel, a beacon. It comes in the order in which a world may tell it.
func good() []world.Frame {
	return []world.Frame{
		mac(1, 5*ms, channel26, "\x61\x88\x2a\x22\x00\x02\x00\x01\x00\x3f\x06hello"),
		mac(3, 6*ms, channel11, "\x41\x88\x07\x22\x00\xff\xff\x03\x00\x3f\x06\x00\x01"),
		mac(2, 5*ms+736*world.Microsecond+123_456, channel26, "\x02\x00\x2a"),
		mac(0, 9*ms, channel26, "\x00\x80\x51\x22\x00\x00\x00\xff\xcf\x00\x00"),
		mac(4, 8*ms, channel26, "\x41\x88\x08\x22\x00\xff\xff\x04\x00\x3f\x06\x00\x02"),
	}
}

func capture(t *testing.T, opts pcapngOptions, frames ...world.Frame) []byte {
	t.Helper()
	var b bytes.Buffer
	p, err := newPcapng(&b, opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if err := p.frame(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// user0 tells tshark that USER0 packets are IEEE 802.15.4 frames behind a sync word and a length, with two more bytes behind
// them, as the example kernel sends them on a Mica2.
const user0 = `uat:user_dlts:"User 0 (DLT=147)","wpan","3","","2",""`

// tshark gives the fields of each packet that a filter lets through.
func tshark(t *testing.T, file []byte, filter string, fields ...string) []string {
	t.Helper()
	return tsharkWith(t, file, nil, filter, fields...)
}

func tsharkWith(t *testing.T, file []byte, options []string, filter string, fields ...string) []string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "air.pcapng")
	if err := os.WriteFile(name, file, 0o666); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-n", "-r", name, "-T", "fields"}, options...)
	if filter != "" {
		args = append(args, "-Y", filter)
	}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	var complaints strings.Builder
	cmd := need.Command(t, "tshark", args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "LC_ALL=C.UTF-8") // nobody's preferences
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tshark: %v\n%s", err, complaints.String())
	}
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], " | ", "\t")
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// malformed asks tshark for packets that it cannot decode, or that have a wrong FCS, or of which it warns. (Of USER0
// packets it always does: it has no dissector for them.)
func malformed(t *testing.T, file []byte) {
	t.Helper()
	expect(t, tshark(t, file, "_ws.malformed || wpan.fcs_ok == 0 || wpan && _ws.expert.severity >= 0x600000", "frame.number"))
}

func TestPcapngDecodes(t *testing.T) {
	file := capture(t, pcapngOptions{}, good()...)
	malformed(t, file)
	expect(t, tshark(t, file, "",
		"frame.time_epoch", "frame.interface_name", "frame.comment", "frame.len", "wpan.fcf", "wpan.frame_type", "wpan.ack_request",
		"wpan.seq_no", "wpan.dst16", "wpan.src16", "wpan.fcs_ok"),
		"0.005000000 | channel 26 | from mote 1 | 18 | 0x8861 | 0x0001 | 1 | 42 | 0x0002 | 0x0001 | 1",
		"0.005736123 | channel 26 | from mote 2 | 5 | 0x0002 | 0x0002 | 0 | 42 |  |  | 1",
		"0.006000000 | channel 11 | from mote 3 | 15 | 0x8841 | 0x0001 | 0 | 7 | 0xffff | 0x0003 | 1",
		"0.008000000 | channel 26 | from mote 4 | 15 | 0x8841 | 0x0001 | 0 | 8 | 0xffff | 0x0004 | 1",
		"0.009000000 | channel 26 | from mote 0 | 13 | 0x8000 | 0x0000 | 0 | 81 |  | 0x0000 | 1")
}

func TestPcapngPerMote(t *testing.T) {
	name := func(mote int) string { return fmt.Sprintf("node %d (sink)", mote+100) }
	file := capture(t, pcapngOptions{PerMote: true, MoteName: name}, good()[:3]...)
	malformed(t, file)
	expect(t, tshark(t, file, "", "frame.interface_id", "frame.interface_name", "frame.comment"),
		"0 | node 101 (sink) | from node 101 (sink)",
		"1 | node 102 (sink) | from node 102 (sink)",
		"2 | node 103 (sink) | from node 103 (sink)")
}

// What firmware and a radio can do wrong.
func TestPcapngUnusual(t *testing.T) {
	whole := good()[0]
	cut := func(n int) world.Frame {
		f := whole
		f.Bytes = append([]cell.Cell(nil), f.Bytes[:n]...)
		return f
	}
	change := func(how func(f *world.Frame)) world.Frame {
		f := cut(len(whole.Bytes))
		how(&f)
		return f
	}
	cases := []struct {
		what  string
		frame world.Frame
		want  string // Wireshark's encapsulation, interface, captured length, length, comment
	}{
		{"underflow", cut(6 + 9), "104 | channel 26 | 9 | 18 | from mote 1: ends after 9 of 18 bytes"},
		{"underflow before the first byte", cut(6), "104 | channel 26 | 0 | 18 | from mote 1: ends after 0 of 18 bytes"},
		{"no length", cut(5), "45 | channel 26 | 5 | 5 | from mote 1: ends before its length"},
		{"preamble only", cut(4), "45 | channel 26 | 4 | 4 | from mote 1: ends in its preamble"},
		{"carrier only", cut(0), ""},
		{"another sync word", change(func(f *world.Frame) { f.Bytes[4] = cell.Of(0x7A) }),
			"45 | channel 26 | 24 | 24 | from mote 1: no IEEE 802.15.4 start-of-frame delimiter"},
		{"between channels", change(func(f *world.Frame) { f.Carrier.Hertz = 2_408_000_000 }),
			"104 | 2408 MHz | 18 | 18 | from mote 1"},
		{"bytes after the end", change(func(f *world.Frame) { f.Bytes = append(f.Bytes, cell.Of(1)) }),
			"104 | channel 26 | 18 | 18 | from mote 1"},
		{"reserved bit of the length", change(func(f *world.Frame) { f.Bytes[5] |= 0x80 }),
			"104 | channel 26 | 18 | 18 | from mote 1"},
		{"a longer preamble", change(func(f *world.Frame) { f.Bytes = append(make([]cell.Cell, 3), f.Bytes...) }),
			"104 | channel 26 | 18 | 18 | from mote 1"},
		{"symbolic bytes", change(func(f *world.Frame) { f.Bytes[8] = cell.Symbolic(f.Bytes[8].V(), 7) }),
			"104 | channel 26 | 18 | 18 | from mote 1"},
		{"FSK, preamble only", fsk(1, 0, 0xAA, 0xAA), "45 | 868.3 MHz | 0 | 0 | from mote 1"},
		{"FSK without a preamble", fsk(1, 0, 0, 0xAA), "45 | 868.3 MHz | 2 | 2 | from mote 1"},
	}
	var frames []world.Frame
	var want []string
	for i, c := range cases {
		c.frame.Start, c.frame.End = uint64(i)*10*ms, uint64(i)*10*ms+5*ms
		frames = append(frames, c.frame)
		if c.want != "" {
			want = append(want, c.want)
		}
	}
	file := capture(t, pcapngOptions{}, frames...)
	expect(t, tshark(t, file, "", "frame.encap_type", "frame.interface_name", "frame.cap_len", "frame.len", "frame.comment"), want...)
	malformed(t, file)
}

func TestPcapngFSK(t *testing.T) {
	file := capture(t, pcapngOptions{},
		fsk(1, 2*ms, 0xAA, 0xAA, 0x55, 0x33, 0xCC, 0xAA, 1, 2),
		fsk(2, 1*ms, 0x55, 0x55, 0xCC, 0x33, 3))
	malformed(t, file)
	expect(t, tshark(t, file, "", "frame.time_epoch", "frame.interface_name", "frame.interface_description", "frame.comment", "data.data"),
		"0.001000000 | 868.3 MHz | bytes as they are on the air | from mote 2 | cc3303",
		"0.002000000 | 868.3 MHz | bytes as they are on the air | from mote 1 | 33ccaa0102")
}

// A user who knows what the firmware sends can have it decoded.
func TestPcapngFSKDecodes(t *testing.T) {
	frame := mac(1, 0, channel26, "\x41\x88\x07\x22\x00\xff\xff\x03\x00\x3f\x06\x00\x01").Bytes[6:]
	f := fsk(1, 0, 0xAA, 0xAA, 0x90, 0x4E, byte(len(frame)))
	f.Bytes = append(append(f.Bytes, frame...), cell.Of(0x55), cell.Of(0x55))
	file := capture(t, pcapngOptions{}, f)
	expect(t, tsharkWith(t, file, []string{"-o", user0}, "!_ws.malformed", "wpan.seq_no", "wpan.dst16", "wpan.src16", "wpan.fcs_ok"),
		"7 | 0xffff | 0x0003 | 1")
}

func TestPcapngEmpty(t *testing.T) {
	expect(t, tshark(t, capture(t, pcapngOptions{}), "", "frame.number"))
}

// The order of the file is that of time, although a long transmission is told after those that began during it; and what
// nothing can precede any more is written during the run.
func TestPcapngOrder(t *testing.T) {
	var b bytes.Buffer
	p, err := newPcapng(&b, pcapngOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const n = 5000
	long := fsk(9, 100*ms+1, bytes.Repeat([]byte{0xAA}, 3000)...)
	long.End = long.Start + 1900*ms
	for i := range n {
		at := uint64(i) * ms
		if at >= long.End && at < long.End+ms {
			p.frame(long)
		}
		p.frame(mac(i%7, at^3*ms/4, channel26, "\x02\x00"+string(rune(i%128))))
		if len(p.held) > 2003 {
			t.Fatalf("%d packets are held back", len(p.held))
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	last := ""
	times := tshark(t, b.Bytes(), "", "frame.time_epoch")
	for _, at := range times {
		if at < last {
			t.Fatalf("%s comes after %s", at, last)
		}
		last = at
	}
	if len(times) != n+1 {
		t.Errorf("got %d packets, want %d", len(times), n+1)
	}
}

// The order in which a world tells its frames does not show.
func TestPcapngSameBytes(t *testing.T) {
	frames := append(good(), fsk(1, 2*ms, 0xAA, 0x33, 0xCC, 1), fsk(2, 2*ms, 0xAA, 0x33, 0xCC, 2))
	want := capture(t, pcapngOptions{}, frames...)
	for i := range frames {
		turned := append(append([]world.Frame(nil), frames[i:]...), frames[:i]...)
		if !bytes.Equal(capture(t, pcapngOptions{}, turned...), want) {
			t.Errorf("another file when told from frame %d on", i)
		}
	}
	golden := filepath.Join("testdata", "air.pcapng")
	if *update {
		if err := os.WriteFile(golden, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, b) {
		t.Errorf("%s differs: if that is meant, run the test with -update", golden)
	}
}

// fullDisk takes some bytes and then no more.
type fullDisk int

var errFull = errors.New("disk full")

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) > int(*d) {
		return 0, errFull
	}
	*d -= fullDisk(len(b))
	return len(b), nil
}

func TestPcapngFailsOnce(t *testing.T) {
	room := fullDisk(0)
	if _, err := newPcapng(&room, pcapngOptions{}); !errors.Is(err, errFull) {
		t.Errorf("without room: got %v", err)
	}
	room = 100
	p, err := newPcapng(&room, pcapngOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range good() {
		p.frame(f)
	}
	if err := p.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close: got %v", err)
	}
	if err := p.frame(good()[0]); !errors.Is(err, errFull) {
		t.Errorf("Frame after a failure: got %v", err)
	}
}

func BenchmarkPcapng(b *testing.B) {
	p, err := newPcapng(io.Discard, pcapngOptions{})
	if err != nil {
		b.Fatal(err)
	}
	f := good()[0]
	for b.Loop() {
		f.Start += ms
		f.End += ms
		p.frame(f)
	}
}
