package serialframe

import (
	"errors"
	"fmt"
)

// Raw is a frame that is passed on without a look at what it carries, as serial forwarders do.
type Raw struct {
	Protocol uint8
	Sequence uint8  // of ProtoPacket and ProtoAck
	Packet   []byte // the dispatch byte and what it stands for, or TinyOS 1's message; nil in a ProtoAck
}

// Lengths of a Raw's packet. A mote takes frames with fewer than 255 bytes behind the sequence number, CRC and all (tos/lib/
// serial/SerialP.nc, SERIAL_MTU); a serial forwarder has a byte for the length of what it passes on.
const (
	MaxToMote = 252
	MaxPacket = 255
)

// maxBody is what can stand between two flags when escapes are gone.
const maxBody = 1 + 1 + MaxPacket + crcSize

// Bytes is the frame on the wire.
func (r Raw) Bytes() []byte {
	body := []byte{r.Protocol}
	if r.Protocol != ProtoNoAck && r.Protocol != ProtoNoAck1 {
		body = append(body, r.Sequence)
	}
	body = append(body, r.Packet...)
	sum := crc(body)
	body = append(body, byte(sum), byte(sum>>8))
	wire := make([]byte, 0, len(body)+8)
	wire = append(wire, flag)
	for _, c := range body {
		if c == flag || c == escape {
			wire = append(wire, escape, c^flip)
		} else {
			wire = append(wire, c)
		}
	}
	return append(wire, flag)
}

// Framer finds the frames in what a UART sends, piece by piece. The zero value is ready for use. What comes before the first
// flag is no frame: a boot loader's greeting, or the end of a frame whose beginning nobody heard.
type Framer struct {
	synced  bool // a flag was seen
	escaped bool // the last byte was an escape
	long    bool // the frame under way is too long, and skipped
	body    []byte
}

// Take gives the frames that a piece of the stream completes, in order. The error is about frames that were left out.
func (f *Framer) Take(stream []byte) (frames []Raw, err error) {
	for _, c := range stream {
		if c == flag {
			r, ok, bad := f.finish()
			if bad != nil {
				err = errors.Join(err, bad)
			}
			if ok {
				frames = append(frames, r)
			}
			continue
		}
		f.add(c)
	}
	return frames, err
}

func (f *Framer) add(c byte) {
	switch {
	case !f.synced || f.long:
		return
	case c == escape:
		f.escaped = true
		return
	case f.escaped:
		c ^= flip
		f.escaped = false
	}
	if len(f.body) == maxBody {
		f.long = true
		return
	}
	f.body = append(f.body, c)
}

// finish ends the frame under way, if there is one, and begins the next.
func (f *Framer) finish() (r Raw, ok bool, err error) {
	switch {
	case !f.synced:
	case f.long:
		err = fmt.Errorf("% x...: more than %d bytes", f.body[:16], maxBody)
	case f.escaped:
		err = fmt.Errorf("% x: ends in an escape", f.body)
	case len(f.body) > 0:
		if r, err = parseRaw(f.body); err != nil {
			err = fmt.Errorf("% x: %w", f.body, err)
		}
		ok = err == nil
	}
	f.synced, f.escaped, f.long, f.body = true, false, false, nil
	return r, ok, err
}

// parseRaw takes what stands between two flags, without escapes.
func parseRaw(b []byte) (r Raw, err error) {
	if len(b) < 1+crcSize {
		return r, errors.New("too short for a frame")
	}
	b, sum := b[:len(b)-crcSize], uint16(b[len(b)-2])|uint16(b[len(b)-1])<<8
	if got := crc(b); got != sum {
		return r, fmt.Errorf("CRC is %04x, should be %04x", sum, got)
	}
	r.Protocol, b = b[0], b[1:]
	switch r.Protocol {
	case ProtoNoAck, ProtoNoAck1:
	case ProtoPacket, ProtoAck:
		if len(b) == 0 {
			return r, errors.New("has no sequence number")
		}
		r.Sequence, b = b[0], b[1:]
	default:
		return r, fmt.Errorf("protocol %d is unknown", r.Protocol)
	}
	if r.Protocol == ProtoAck {
		return r, nil
	}
	if len(b) == 0 || len(b) > MaxPacket {
		return r, fmt.Errorf("a packet of %d bytes, not 1 to %d", len(b), MaxPacket)
	}
	r.Packet = b
	return r, nil
}
