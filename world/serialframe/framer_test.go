package serialframe

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// However a stream is cut into pieces, the frames and complaints are the same.
func TestFramerPieces(t *testing.T) {
	long := Raw{Protocol: ProtoNoAck, Packet: bytes.Repeat([]byte{flag}, MaxPacket)}
	tooLong := Raw{Protocol: ProtoPacket, Packet: bytes.Repeat([]byte{1}, MaxPacket+1)}
	other := Raw{Protocol: ProtoNoAck, Packet: []byte{2, 0x61, 0x88}} // an 802.15.4 packet, not an active message
	var stream []byte
	stream = append(stream, "garbage"...)
	for _, c := range cases {
		stream = append(stream, c.wire...)
	}
	stream = append(stream, long.Bytes()...)
	stream = append(stream, tooLong.Bytes()...)
	stream = append(stream, 1, 2, 3, flag)        // bad CRC
	stream = append(stream, other.Bytes()[1:]...) // one flag between two frames will do
	stream = append(stream, flag, 1, escape, flag)
	stream = append(stream, other.Bytes()...)
	for size := 1; size <= len(stream); size++ {
		var f Framer
		var got []Raw
		var complaints []string
		for rest := stream; len(rest) > 0; {
			n := min(size, len(rest))
			frames, err := f.Take(rest[:n])
			got = append(got, frames...)
			if err != nil {
				complaints = append(complaints, err.Error())
			}
			rest = rest[n:]
		}
		want := []Raw{
			{Protocol: ProtoNoAck, Packet: []byte("\x00\xff\xff\x00\x01\x02\x22\x09\x00\x01")},
			{Protocol: ProtoAck, Sequence: 5},
			{Protocol: ProtoPacket, Sequence: 0x7D, Packet: []byte("\x00\x00\x01\x00\x00\x01\x22\x0a\x7e")},
			long, other, other,
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("in pieces of %d: got %v, want %v", size, got, want)
		}
		all := strings.Join(complaints, "\n")
		for _, want := range []string{"more than", "CRC is", "ends in an escape"} {
			if strings.Count(all, want) != 1 {
				t.Fatalf("in pieces of %d: want one complaint with %q, got %q", size, want, all)
			}
		}
	}
}

// FuzzFramer: no stream makes a Framer fail or keep more than a frame; what it finds is found again in what Bytes makes of
// it, and any packet comes through.
func FuzzFramer(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.wire), uint8(1))
		f.Add([]byte(c.wire[3:]), uint8(0x7E))
	}
	f.Fuzz(func(t *testing.T, b []byte, sequence uint8) {
		var framer Framer
		var frames []Raw
		for _, c := range b {
			got, _ := framer.Take([]byte{c})
			frames = append(frames, got...)
		}
		if len(framer.body) > maxBody {
			t.Fatalf("keeps %d bytes", len(framer.body))
		}
		if len(b) > 0 && len(b) <= MaxPacket {
			frames = append(frames, Raw{ProtoPacket, sequence, b}, Raw{ProtoNoAck, 0, b})
		}
		frames = append(frames, Raw{Protocol: ProtoAck, Sequence: sequence})
		for _, r := range frames {
			wire := r.Bytes()
			if bytes.Count(wire, []byte{flag}) != 2 {
				t.Fatalf("%v: a flag within % x", r, wire)
			}
			again, err := new(Framer).Take(wire)
			if err != nil || len(again) != 1 || !reflect.DeepEqual(again[0], r) {
				t.Fatalf("%v: written and read it is %v, %v", r, again, err)
			}
		}
	})
}
