// Package serialframe implements TinyOS's serial protocol, with which motes and hosts exchange active messages over a UART (TEP 113,
// "Serial Communication"): HDLC-like frames with a protocol byte, a sequence number where one is needed, and a CRC.
package serialframe

import (
	"errors"
	"fmt"
)

// Protocols: what a frame is for (TEP 113, section 3.5).
const (
	ProtoAck    = 67 // answers a ProtoPacket, with its sequence number
	ProtoPacket = 68 // wants a ProtoAck
	ProtoNoAck  = 69

	ProtoNoAck1 = 66 // TinyOS 1's; what is in it is laid out otherwise
)

const (
	flag   = 0x7E
	escape = 0x7D
	flip   = 0x20

	dispatchAM = 0
	headerSize = 7
	crcSize    = 2
)

// Message is an active message as it goes over a serial line (TEP 111's serial packet).
type Message struct {
	Dest, Src   uint16
	Group, Type uint8
	Data        []byte
}

// Frame is what stands between two flags.
type Frame struct {
	Protocol uint8
	Sequence uint8    // of ProtoPacket and ProtoAck
	Message  *Message // nil in a ProtoAck
}

// String shows the frame as a person wants to read it.
func (f Frame) String() string {
	if f.Message == nil {
		return fmt.Sprintf("acknowledgement of frame %d", f.Sequence)
	}
	m := f.Message
	to := fmt.Sprintf("mote %d", m.Dest)
	if m.Dest == 0xFFFF {
		to = "everyone"
	}
	return fmt.Sprintf("active message of type %d, from %d to %s, data % x", m.Type, m.Src, to, m.Data)
}

// Bytes is the frame on the wire.
func (f Frame) Bytes() []byte {
	r := Raw{Protocol: f.Protocol, Sequence: f.Sequence}
	if m := f.Message; m != nil {
		r.Packet = append([]byte{dispatchAM, byte(m.Dest >> 8), byte(m.Dest), byte(m.Src >> 8), byte(m.Src), byte(len(m.Data)),
			m.Group, m.Type}, m.Data...)
	}
	return r.Bytes()
}

// Parse gives the frames in what a UART has sent, in order. What is before the first flag or behind the last one is not a
// frame. The error is about frames that were left out.
func Parse(stream []byte) (frames []Frame, err error) {
	var framer Framer
	raw, err := framer.Take(stream)
	for _, r := range raw {
		f, bad := parse(r)
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("% x: %w", r.Packet, bad))
			continue
		}
		frames = append(frames, f)
	}
	return frames, err
}

func parse(r Raw) (f Frame, err error) {
	f.Protocol, f.Sequence = r.Protocol, r.Sequence
	if f.Protocol == ProtoAck {
		return f, nil
	}
	b := r.Packet
	if f.Protocol == ProtoNoAck1 || len(b) < 1+headerSize || b[0] != dispatchAM || int(b[5]) != len(b)-1-headerSize {
		return f, errors.New("is not an active message")
	}
	f.Message = &Message{
		Dest: uint16(b[1])<<8 | uint16(b[2]), Src: uint16(b[3])<<8 | uint16(b[4]),
		Group: b[6], Type: b[7], Data: b[8:],
	}
	return f, nil
}

// crc is CRC-16 with the CCITT polynomial, starting at 0, highest bit first, as TinyOS's crcByte computes it.
func crc(b []byte) (sum uint16) {
	for _, c := range b {
		sum ^= uint16(c) << 8
		for range 8 {
			if sum&0x8000 != 0 {
				sum = sum<<1 ^ 0x1021
			} else {
				sum <<= 1
			}
		}
	}
	return sum
}
