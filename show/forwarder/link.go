package forwarder

import (
	"fmt"

	"motehound/world"
	"motehound/world/serialframe"
)

// The mote acknowledges each packet before it gets the next (TEP 113, 3.3). TinyOS's own forwarders wait for that from 0.1 s
// (in C: once) to 1 s (in Java: 25 times); this one 0.2 s, then 0.4 s and so on, of virtual time.
const (
	ackTimeout = 200 * world.Millisecond
	maxTries   = 5
)

// maxAcks bounds the acknowledgements that wait for a mote that does not listen.
const maxAcks = 16

// link is the host's end of TinyOS's serial protocol on a mote's line.
type link struct {
	framer   serialframe.Framer
	acks     [][]byte
	sequence uint8
	flight   []byte // the frame that waits for its acknowledgement, or nil
	tries    int    // how often it was sent
	waiting  bool   // it is on the line
	deadline uint64 // then: when to send it again
}

// fromMote takes bytes from the mote and gives the packets in them. The error is about frames that were left out.
func (l *link) fromMote(stream []byte) (packets [][]byte, err error) {
	frames, err := l.framer.Take(stream)
	for _, r := range frames {
		switch r.Protocol {
		case serialframe.ProtoAck:
			if r.Sequence == l.sequence {
				l.flight = nil
			}
			continue
		case serialframe.ProtoPacket:
			if len(l.acks) < maxAcks {
				l.acks = append(l.acks, serialframe.Raw{Protocol: serialframe.ProtoAck, Sequence: r.Sequence}.Bytes())
			}
		}
		packets = append(packets, r.Packet)
	}
	return packets, err
}

// toMote gives the bytes to send next, when all that it gave before are on the line. next gives a packet, or nil. The error
// is about a packet that was given up.
func (l *link) toMote(now uint64, next func() []byte) (wire []byte, err error) {
	for _, a := range l.acks {
		wire = append(wire, a...)
	}
	l.acks = nil
	switch {
	case l.flight == nil:
	case !l.waiting:
		l.waiting, l.deadline = true, now+ackTimeout*uint64(l.tries)
	case now < l.deadline:
	case l.tries == maxTries:
		err = fmt.Errorf("the mote did not acknowledge a packet that was sent %d times (%s): it is given up", l.tries,
			show(l.flight))
		l.flight = nil
	default:
		l.tries++
		l.waiting = false
		wire = append(wire, l.flight...)
	}
	if l.flight == nil {
		if p := next(); p != nil {
			l.sequence++
			l.flight = serialframe.Raw{Protocol: serialframe.ProtoPacket, Sequence: l.sequence, Packet: p}.Bytes()
			l.tries, l.waiting = 1, false
			wire = append(wire, l.flight...)
		}
	}
	return wire, err
}

// show is the beginning of some bytes, for people.
func show(b []byte) string {
	const enough = 20
	if len(b) > enough {
		return fmt.Sprintf("% x...", b[:enough])
	}
	return fmt.Sprintf("% x", b)
}
