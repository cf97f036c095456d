package serialframe

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// What examples/serial sends after a second, and similar with bytes that must be escaped, and acknowledgements.
var cases = []struct {
	wire  string
	frame Frame
}{
	{"\x7e\x45\x00\xff\xff\x00\x01\x02\x22\x09\x00\x01\x1c\x80\x7e",
		Frame{Protocol: ProtoNoAck, Message: &Message{Dest: 0xFFFF, Src: 1, Group: 0x22, Type: 9, Data: []byte{0, 1}}}},
	{"\x7e\x43\x05\x3a\x08\x7e", Frame{Protocol: ProtoAck, Sequence: 5}},
	{"\x7e\x44\x7d\x5d\x00\x00\x01\x00\x00\x01\x22\x0a\x7d\x5e\xc9\x14\x7e",
		Frame{Protocol: ProtoPacket, Sequence: 0x7D, Message: &Message{Dest: 1, Group: 0x22, Type: 10, Data: []byte{0x7E}}}},
}

func TestBothWays(t *testing.T) {
	for _, c := range cases {
		if got := c.frame.Bytes(); !bytes.Equal(got, []byte(c.wire)) {
			t.Errorf("%v: got % x, want % x", c.frame, got, c.wire)
		}
		got, err := Parse([]byte(c.wire))
		if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], c.frame) {
			t.Errorf("% x: got %v, %v, want %v", c.wire, got, err, c.frame)
		}
	}
}

func TestBroken(t *testing.T) {
	good := cases[0].wire
	for wire, want := range map[string]string{
		"\x7e\x45\x00\x7e":          "too short",
		good[:5] + "x" + good[6:]:   "CRC is",
		"\x7e\x45\x7d\x7e":          "ends in an escape",
		"\x7e\x43\x46\x89\x7e":      "CRC is",
		"\x7e\x45\x01\x32\x5f\x7e":  "CRC is",
		string(frameOf(0x45)):       "a packet of 0 bytes",
		string(frameOf(0x40, 9, 0)): "protocol 64 is unknown",
		string(frameOf(0x43)):       "no sequence number",
		string(frameOf(0x45, 1, 2)): "not an active message",
	} {
		frames, err := Parse([]byte(wire + good[1:]))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("% x: got error %v, want %q", wire, err, want)
		}
		if len(frames) != 1 {
			t.Errorf("% x: the good frame behind it was lost", wire)
		}
	}
	if frames, err := Parse([]byte(good[:len(good)-1])); len(frames) != 0 || err != nil {
		t.Errorf("an unfinished frame: got %v, %v", frames, err)
	}
}

// frameOf is a frame with a right CRC around any bytes.
func frameOf(b ...byte) []byte {
	sum := crc(b)
	b = append(b, byte(sum), byte(sum>>8))
	return append(append([]byte{flag}, b...), flag)
}

func FuzzParse(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.wire))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		frames, _ := Parse(stream)
		for _, fr := range frames {
			if fr.Message == nil && fr.Protocol != ProtoAck {
				t.Fatalf("%v has no message", fr)
			}
			again, err := Parse(fr.Bytes())
			if err != nil || len(again) != 1 || !reflect.DeepEqual(again[0], fr) {
				t.Fatalf("%v: written and read it is %v, %v", fr, again, err)
			}
		}
	})
}
